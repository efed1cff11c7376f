// Writes down what every move of some nodes would have cost: tools/make/train_order.py learns from it.
//
//     record_order FILE SECONDS SEED SIZE...
//
// Positions of boards of these sizes ("7x6"), which get an equal share of the time, are solved after
// random moves; while that goes on, some nodes have all their moves searched.
// A record is three bytes (class of weights, empty squares, number of moves) and for each move what the
// net of the order is told, the features of the sum first (one signed byte each), the nodes it took (a
// float) and whether it was good enough (a byte).
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <utility>
#include <vector>

#include "openings.hpp"
#include "search/narrow_shape.hpp"
#include "search/search.hpp"

namespace fourcast {
namespace {

using Shape = NarrowShape<12>;
using ShapeSearch = Search<Shape>;

class FileRecorder final : public Recorder {
  public:
    FileRecorder(const Shape& shape, std::FILE* file, Random& random)
        : shape_(shape), file_(file), random_(random) {}

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
    void searched(u64 /*mover*/, u64 /*mask*/, int /*alpha*/, int /*value*/, u64 /*nodes*/) override {}
    void take(u64 mover, u64 mask, int alpha, const Sample* samples, int count) override {
        bool any_cuts = false;
        bool any_difference = false;
        for (int i = 0; i < count; ++i) {
            any_cuts |= samples[i].cuts;
            any_difference |= samples[i].nodes != samples[0].nodes;
        }
        if (!any_cuts || !any_difference) return;  // whatever comes first, it is the same
        ++taken_;
        const Ordering<Shape> order(shape_, true);
        const int empties = shape_.cells() - popcount(mask);
        const auto context =
            order.context(mover, mask, threats(shape_, mover ^ mask, mask), empties, alpha);
        put(static_cast<unsigned char>(Ordering<Shape>::class_of(empties, alpha)));
        put(static_cast<unsigned char>(empties));
        put(static_cast<unsigned char>(count));
        for (int i = 0; i < count; ++i) {
            std::array<signed char, net_inputs> inputs{};
            const auto note = [&](int input, auto amount) {
                inputs[input] = static_cast<signed char>(amount);
            };
            const u64 square = only<u64>(samples[i].square);
            order.describe(context, square, threats(shape_, mover | square, mask | square), note);
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

    Shape shape_;
    std::FILE* file_;
    Random& random_;
    int empties_ = 0;
    int taken_ = 0;
    double share_ = 0;
};

/// A stage of the game, which takes its share of the time. A node near the root costs as much as
/// thousands of later ones, but there the order is worth most.
struct Stage {
    int fewest_empties;
    int most_empties;
    int most_before;  // how many moves before the first recorded nodes a search begins
    u64 node_limit;
    double share;
    double spent_s = 0;
};

double seconds_since(std::chrono::steady_clock::time_point then) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - then).count();
}

/// The recording of one size.
class Size {
  public:
    Size(int width, int height) : shape_(width, height) {
        // An empty board takes too long, and small ones have no early stages.
        const int most = std::min(shape_.cells() - 1, 41);
        for (Stage stage : {Stage{36, 41, 2, 60'000'000, 0.25}, Stage{30, 35, 4, 20'000'000, 0.35},
                            Stage{22, 29, 6, 4'000'000, 0.30}, Stage{8, 21, 8, 1'000'000, 0.10}}) {
            stage.most_empties = std::min(stage.most_empties, most);
            if (stage.fewest_empties <= stage.most_empties) stages_.push_back(stage);
        }
    }

    double spent_s() const {
        double sum = 0;
        for (const Stage& stage : stages_) sum += stage.spent_s;
        return sum;
    }

    /// Solve one position of the stage that has had the least of its time.
    void record(std::FILE* file, Random& random) {
        Stage& stage = *std::min_element(
            stages_.begin(), stages_.end(),
            [](const Stage& a, const Stage& b) { return a.spent_s / a.share < b.spent_s / b.share; });
        const auto begin = std::chrono::steady_clock::now();
        const int empties =
            stage.fewest_empties +
            static_cast<int>(random() % static_cast<u64>(stage.most_empties - stage.fewest_empties + 1));
        const int before = static_cast<int>(random() % static_cast<u64>(stage.most_before + 1));
        const int cells = shape_.cells();
        ShapeSearch::Node root;
        if (!random_position(shape_, std::max(0, cells - empties - before), random, root)) return;
        Table<NarrowSlot> table((std::size_t{64} << 20) / sizeof(NarrowSlot));
        ShapeSearch search(shape_, table, {});
        search.begin_endgame_at(empties - 2);
        const auto [node, sign, score] = search.play_forced_moves(root, 1);
        if (sign == 0 || cells - node.ply <= 2) return;
        FileRecorder recorder(shape_, file, random);
        recorder.aim_at(empties);
        search.run.recorder = &recorder;
        search.run.node_limit = stage.node_limit;
        narrow(search, node);
        std::fflush(file);
        stage.spent_s += seconds_since(begin);
    }

  private:
    Shape shape_;
    std::vector<Stage> stages_;
};

int run(const char* path, double seconds, unsigned long seed, std::vector<Size> sizes) {
    std::FILE* file = std::fopen(path, "wb");
    if (file == nullptr) {
        std::perror(path);
        return 1;
    }
    Random random(seed);
    const auto start = std::chrono::steady_clock::now();
    while (seconds_since(start) < seconds) {
        Size& size = *std::min_element(sizes.begin(), sizes.end(), [](const Size& a, const Size& b) {
            return a.spent_s() < b.spent_s();
        });
        size.record(file, random);
    }
    return std::fclose(file) == 0 ? 0 : 1;
}

}  // namespace
}  // namespace fourcast

int main(int argc, char** argv) {
    std::vector<fourcast::Size> sizes;
    for (int i = 4; i < argc; ++i) {
        int width = 0;
        int height = 0;
        if (std::sscanf(argv[i], "%dx%d", &width, &height) != 2 ||
            !fourcast::is_supported(width, height) || width * (height + 1) > 56) {
            std::fprintf(stderr, "%s is not the size of a board of one word\n", argv[i]);
            return 2;
        }
        sizes.emplace_back(width, height);
    }
    if (sizes.empty()) {
        std::fprintf(stderr, "usage: record_order FILE SECONDS SEED SIZE...\n");
        return 2;
    }
    return fourcast::run(argv[1], std::atof(argv[2]), std::strtoul(argv[3], nullptr, 10),
                         std::move(sizes));
}
