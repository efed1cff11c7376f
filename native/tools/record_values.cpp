// Writes down what searches find out about positions with many empty squares: train_values learns from
// it. The same version writes the same records again.
//
//     record_values FILE RECORDS SEED SIZE [BOOK [PERCENT]]
//
// Positions of a board of this size ("7x6") are solved after random moves. Every child that is searched
// on the way is a record. Now and then the order is disturbed, so that other moves than those that it
// prefers are seen, too. With an opening book a part of the records (10 percent) comes from games within
// it, in which each side plays well or badly.
//
// A record is 12 bytes, little-endian: the key of the position (Position::key, u64), the lowest and the
// highest score that it may have, for the first player (a signed byte each), what was asked of the side
// to move (a signed byte; 127 if nothing was), and eight times the binary logarithm of the nodes that it
// took (a byte).
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "book/book_file.hpp"
#include "openings.hpp"
#include "search/narrow_shape.hpp"
#include "search/search.hpp"

namespace fourcast {
namespace {

class RecordFile {
  public:
    RecordFile(const char* path, u64 most) : file_(std::fopen(path, "wb")), most_(most) {
        if (file_ == nullptr) fail();
    }
    ~RecordFile() {
        if (std::fclose(file_) != 0) fail();
    }
    RecordFile(const RecordFile&) = delete;
    RecordFile& operator=(const RecordFile&) = delete;

    u64 count() const { return count_; }
    bool is_full() const { return count_ >= most_; }
    /// The bounds are those of the side to move, which the first player is at an even number of discs.
    void put(u64 key, int ply, Bounds bounds, int asked, u64 nodes) {
        if (is_full()) return;
        if (ply % 2 != 0) bounds = {-bounds.upper, -bounds.lower};
        std::array<unsigned char, 12> bytes{};
        for (int i = 0; i < 8; ++i)
            bytes[static_cast<std::size_t>(i)] = static_cast<unsigned char>(key >> (8 * i));
        bytes[8] = static_cast<unsigned char>(bounds.lower);
        bytes[9] = static_cast<unsigned char>(bounds.upper);
        bytes[10] = static_cast<unsigned char>(asked);
        bytes[11] = static_cast<unsigned char>(8 * std::log2(static_cast<double>(nodes + 1)));
        if (std::fwrite(bytes.data(), bytes.size(), 1, file_) != 1) fail();
        ++count_;
    }

  private:
    [[noreturn]] static void fail() {
        std::perror("record_values");
        std::exit(1);
    }
    std::FILE* file_;
    u64 most_;
    u64 count_ = 0;
};

constexpr int nothing_asked = 127;
/// Nodes with one more are those whose moves the net rates.
constexpr int fewest_empties = 21;
/// How many children with this many empty squares there are for one that is written down: there are more
/// and more of them towards the end, and less and less depends on each.
constexpr u64 one_of(int empties) { return u64{1} << std::clamp((28 - empties) / 2, 0, 8); }

template <class Shape>
class ValueRecorder final : public Recorder {
  public:
    ValueRecorder(const Shape& shape, RecordFile& file, Random& random)
        : shape_(shape), file_(file), random_(random) {}

    bool wants(int /*empties*/) override { return false; }
    void take(u64 /*mover*/, u64 /*mask*/, int /*alpha*/, const Sample* /*samples*/,
              int /*count*/) override {}
    int change(int empties) override {
        if (empties < fewest_empties || random_() % 8 != 0) return 0;
        return static_cast<int>(random_() % 500);
    }
    void searched(u64 mover, u64 mask, int alpha, int value, u64 nodes) override {
        const int ply = popcount(mask);
        const int empties = shape_.cells() - ply;
        if (empties < fewest_empties || alpha < -8 || alpha > 7) return;
        if (random_() % one_of(empties) != 0) return;
        const Bounds bounds =
            value > alpha ? Bounds{value, best_score(empties)} : Bounds{worst_score(empties), value};
        const u64 first = ply % 2 == 0 ? mover : mover ^ mask;
        file_.put(first | ((mask + shape_.bottom()) & ~mask), ply, bounds, alpha, nodes);
    }

  private:
    Shape shape_;
    RecordFile& file_;
    Random& random_;
};

/// Solve a position after some random moves.
template <class Shape>
void record_search(const Shape& shape, RecordFile& file, Random& random) {
    constexpr int most_empties = 37;
    const int discs = shape.cells() - most_empties + static_cast<int>(random() % 8);
    Node<u64> root;
    if (!random_position(shape, discs, random, root)) return;
    using ShapeSearch = Search<Shape>;
    using Slot = typename ShapeSearch::Slot;
    Table<Slot> table((std::size_t{8} << 20) / sizeof(Slot));
    ShapeSearch search(shape, table, {});
    const auto [node, sign, score] = search.play_forced_moves(root, 1);
    if (sign == 0 || shape.cells() - node.ply < fewest_empties) return;
    ValueRecorder<Shape> recorder(shape, file, random);
    search.run.recorder = &recorder;
    search.run.node_limit = 30'000'000;
    narrow(search, node);
}

/// A game within the book. All moves of each position on the way are records.
void record_game(const Book& book, RecordFile& file, Random& random) {
    // How often each side plays any move instead of the best one.
    std::array<u64, 2> errors{};
    for (u64& percent : errors) percent = std::array<u64, 4>{2, 15, 40, 100}[random() % 4];
    Position position(book.width(), book.height());
    while (position.ply() < book.plies() && !position.is_over()) {
        int best = -1000;
        int chosen = -1;
        u64 count = 0;
        const bool errs = random() % 100 < errors[static_cast<std::size_t>(position.ply() % 2)];
        for (int column = 0; column < position.width(); ++column) {
            if (!position.can_play(column)) continue;
            const Position child = position.play(column);
            if (child.is_over() || child.winning_columns(child.turn()) != 0) continue;
            const int score = book.score(child);
            if (child.ply() >= 4)
                file.put(static_cast<u64>(child.key()), child.ply(), {score, score}, nothing_asked, 0);
            if (!errs && -score > best) {
                best = -score;
                count = 0;
            } else if (!errs && -score < best) {
                continue;
            }
            if (random() % ++count == 0) chosen = column;
        }
        if (chosen < 0) return;
        position = position.play(chosen);
    }
}

template <class Shape>
void record(const Shape& shape, RecordFile& file, unsigned long seed, const Book* book, u64 percent) {
    Random random(seed);
    u64 from_book = 0;
    while (!file.is_full()) {
        if (percent < 100) record_search(shape, file, random);
        while (book != nullptr && !file.is_full() &&
               (percent >= 100 || from_book * 100 < file.count() * percent)) {
            const u64 before = file.count();
            record_game(*book, file, random);
            from_book += file.count() - before;
        }
    }
    std::printf("%llu records, %llu of them from the book\n",
                static_cast<unsigned long long>(file.count()),
                static_cast<unsigned long long>(from_book));
}

}  // namespace
}  // namespace fourcast

int main(int argc, char** argv) {
    int width = 0;
    int height = 0;
    if (argc < 5 || argc > 7 || std::sscanf(argv[4], "%dx%d", &width, &height) != 2 ||
        !fourcast::is_supported(width, height) || width * (height + 1) > 64) {
        std::fprintf(stderr,
                     "usage: record_values FILE RECORDS SEED SIZE [BOOK [PERCENT]]; SIZE is that "
                     "of a board of one word, such as 7x6\n");
        return 2;
    }
    const auto book = argc > 5 ? fourcast::open_book(argv[5]) : nullptr;
    fourcast::RecordFile file(argv[1], std::strtoull(argv[2], nullptr, 10));
    const unsigned long seed = std::strtoul(argv[3], nullptr, 10);
    const fourcast::u64 percent = argc > 6 ? std::strtoull(argv[6], nullptr, 10) : 10;
    const auto record = [&](const auto& shape) {
        fourcast::record(shape, file, seed, book.get(), percent);
    };
    if (width == 7 && height == 6)
        record(fourcast::StandardShape{});
    else if (width * (height + 1) > 56)
        record(fourcast::WordShape<12>(width, height));
    else
        record(fourcast::NarrowShape<12>(width, height));
}
