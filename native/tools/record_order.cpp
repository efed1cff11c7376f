// Writes down what every move of some nodes would have cost, for tools/train_order.py to learn from.
//
//     record_order FILE SECONDS SEED
//
// Positions after random moves are solved; while that goes on, some nodes have all their moves searched.
// A record is three bytes (class of weights, empty squares, number of moves) and for each move what the
// net of the order is told, the features of the sum first (one signed byte each), the nodes it took (a
// float) and whether it was good enough (a byte).
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <iterator>
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
    void take(u64 mover, u64 mask, int alpha, const Sample* samples, int count) override {
        bool any_cuts = false;
        bool any_difference = false;
        for (int i = 0; i < count; ++i) {
            any_cuts |= samples[i].cuts;
            any_difference |= samples[i].nodes != samples[0].nodes;
        }
        if (!any_cuts || !any_difference) return;  // whatever comes first, it is the same
        ++taken_;
        const Shape shape;
        const Ordering<Shape> order(shape, true);
        const int empties = cells - popcount(mask);
        const auto context =
            order.context(mover, mask, threats(shape, mover ^ mask, mask), empties, alpha);
        put(static_cast<unsigned char>(Ordering<Shape>::class_of(empties, alpha)));
        put(static_cast<unsigned char>(empties));
        put(static_cast<unsigned char>(count));
        for (int i = 0; i < count; ++i) {
            std::array<signed char, net_inputs> inputs{};
            const auto note = [&](int input, auto amount) {
                inputs[input] = static_cast<signed char>(amount);
            };
            const u64 square = only<u64>(samples[i].square);
            order.describe(context, square, threats(shape, mover | square, mask | square), note);
            note(known_close, samples[i].close);
            if (context.lines) {
                order.describe_plans(context, square, note);
                order.describe_position(context, empties, alpha, note);
            }
            put(inputs);
            put(static_cast<float>(samples[i].nodes));
            put(static_cast<unsigned char>(samples[i].cuts));
        }
    }

  private:
    static constexpr int max_taken = 100;

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
    // Each stage of the game takes its share of the time. A node near the root costs as much as
    // thousands of later ones, but there the order is worth most.
    struct Stage {
        int fewest_empties;
        int most_empties;
        int most_before;  // how many moves before the first recorded nodes a search begins
        u64 node_limit;
        double share;
        double spent_s;
    };
    Stage stages[] = {{36, 41, 2, 60'000'000, 0.25, 0},
                      {30, 35, 3, 20'000'000, 0.35, 0},
                      {22, 29, 6, 4'000'000, 0.30, 0},
                      {8, 21, 8, 1'000'000, 0.10, 0}};
    Random random(seed);
    FileRecorder recorder(file, random);
    const auto start = std::chrono::steady_clock::now();
    const auto seconds_since = [](auto then) {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - then).count();
    };
    while (seconds_since(start) < seconds) {
        Stage& stage = *std::min_element(
            std::begin(stages), std::end(stages),
            [](const Stage& a, const Stage& b) { return a.spent_s / a.share < b.spent_s / b.share; });
        const auto begin = std::chrono::steady_clock::now();
        const int empties =
            stage.fewest_empties +
            static_cast<int>(random() % static_cast<u64>(stage.most_empties - stage.fewest_empties + 1));
        const int before = static_cast<int>(random() % static_cast<u64>(stage.most_before + 1));
        ShapeSearch::Node root;
        if (!random_position(std::max(0, cells - empties - before), random, root)) continue;
        Table<NarrowSlot> table((std::size_t{64} << 20) / sizeof(NarrowSlot));
        ShapeSearch search(Shape{}, table, {});
        search.begin_endgame_at(empties - 2);
        const auto [node, sign, score] = search.play_forced_moves(root, 1);
        if (sign == 0 || cells - node.ply <= 2) continue;
        recorder.aim_at(empties);
        search.run.recorder = &recorder;
        search.run.node_limit = stage.node_limit;
        Bounds bounds = search.known(node);
        while (bounds.lower < bounds.upper) {
            const int near_zero = bounds.upper <= 0 ? bounds.upper - 1 : 0;
            const int alpha = std::clamp(near_zero, bounds.lower, bounds.upper - 1);
            const int value = search.search(node, alpha);
            if (search.stopped()) break;
            (value > alpha ? bounds.lower : bounds.upper) = value;
        }
        std::fflush(file);
        stage.spent_s += seconds_since(begin);
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
