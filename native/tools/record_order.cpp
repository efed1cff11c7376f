// Writes down what every move of some nodes would have cost, for tools/train_order.py to learn from.
//
//     record_order FILE SECONDS SEED
//
// Positions after random moves are solved; while that goes on, some nodes have all their moves searched.
// A record is three bytes (class of weights, empty squares, number of moves) and for each move its
// features (one signed byte each), the nodes it took (a float) and whether it was good enough (a byte).
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <random>

#include "../search.hpp"

namespace fourcast {
namespace {

using Shape = StandardShape;
using ShapeSearch = Search<Shape>;
using Random = std::mt19937_64;

constexpr int cells = Shape::width() * Shape::height();

class FileRecorder final : public Recorder {
  public:
    FileRecorder(std::FILE* file, Random& random) : file_(file), random_(random) {}

    /// From now on, nodes with this many empty squares or one less.
    void aim_at(int empties) {
        empties_ = empties;
        taken_ = 0;
        // There are more and more nodes, and they are worth less and less, towards the end.
        share_ = empties > 22 ? 1.0 : empties > 18 ? 0.4 : 0.15;
    }
    bool wants(int empties) override {
        return (empties == empties_ || empties == empties_ - 1) && taken_ < max_taken &&
               std::uniform_real_distribution<>(0, 1)(random_) < share_;
    }
    void take(int order_class, int empties, const Sample* samples, int count) override {
        bool any_cuts = false;
        bool any_difference = false;
        for (int i = 0; i < count; ++i) {
            any_cuts |= samples[i].cuts;
            any_difference |= samples[i].nodes != samples[0].nodes;
        }
        if (!any_cuts || !any_difference) return;  // whatever comes first, it is the same
        ++taken_;
        put(static_cast<unsigned char>(order_class));
        put(static_cast<unsigned char>(empties));
        put(static_cast<unsigned char>(count));
        for (int i = 0; i < count; ++i) {
            put(samples[i].features);
            put(static_cast<float>(samples[i].nodes));
            put(static_cast<unsigned char>(samples[i].cuts));
        }
    }

  private:
    static constexpr int max_taken = 250;

    template <class Value>
    void put(const Value& value) {
        if (std::fwrite(&value, sizeof value, 1, file_) != 1) {
            std::perror("record_order");
            std::exit(1);
        }
    }

    std::FILE* file_;
    Random& random_;
    int empties_ = 0;
    int taken_ = 0;
    double share_ = 0;
};

/// A position after `ply` random moves in which nobody has won or overlooked a win; false if it went
/// wrong.
bool random_position(int ply, Random& random, ShapeSearch::Node& node) {
    const Shape shape;
    u64 mover = 0;
    u64 mask = 0;
    for (int i = 0; i < ply; ++i) {
        const u64 open = playable(shape, mask);
        if ((threats(shape, mover, mask) & open) != 0) return false;
        u64 rest = open;
        for (u64 skip = random() % static_cast<u64>(popcount(open)); skip > 0; --skip)
            rest = without_lowest(rest);
        const u64 move = lowest(rest);
        const u64 moved = mover | move;
        mask |= move;
        mover = mask ^ moved;
    }
    node = {mover, mask, threats(shape, mover, mask), threats(shape, mover ^ mask, mask), ply};
    return (node.mover_wins & playable(shape, mask)) == 0;
}

int run(const char* path, double seconds, unsigned long seed) {
    std::FILE* file = std::fopen(path, "wb");
    if (file == nullptr) {
        std::perror(path);
        return 1;
    }
    Random random(seed);
    FileRecorder recorder(file, random);
    const auto start = std::chrono::steady_clock::now();
    while (std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() < seconds) {
        // As many from the first half of the game as from all of it: early choices cost most.
        const int empties = random() % 2 == 0 ? 9 + static_cast<int>(random() % 26)
                                              : 22 + static_cast<int>(random() % 13);
        const int before = 1 + static_cast<int>(random() % (empties > 26 ? 3 : 9));
        ShapeSearch::Node root;
        if (!random_position(std::max(0, cells - empties - before), random, root)) continue;
        Table<NarrowSlot> table((std::size_t{64} << 20) / sizeof(NarrowSlot));
        Features features;
        features.endgame = false;  // it has no recorder
        ShapeSearch search(Shape{}, table, features);
        const auto [node, sign, score] = search.play_forced_moves(root, 1);
        if (sign == 0 || cells - node.ply <= 2) continue;
        recorder.aim_at(empties);
        search.run.recorder = &recorder;
        search.run.node_limit = 8'000'000;
        Bounds bounds = search.known(node);
        while (bounds.lower < bounds.upper) {
            const int near_zero = bounds.upper <= 0 ? bounds.upper - 1 : 0;
            const int alpha = std::clamp(near_zero, bounds.lower, bounds.upper - 1);
            const int value = search.search(node, alpha);
            if (search.stopped()) break;
            (value > alpha ? bounds.lower : bounds.upper) = value;
        }
    }
    return std::fclose(file) == 0 ? 0 : 1;
}

}  // namespace
}  // namespace fourcast

int main(int argc, char** argv) {
    if (argc != 4) {
        std::fprintf(stderr, "usage: record_order FILE SECONDS SEED\n");
        return 2;
    }
    return fourcast::run(argv[1], std::atof(argv[2]), std::strtoul(argv[3], nullptr, 10));
}
