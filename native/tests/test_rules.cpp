// The rules on the three kinds of shape, held against a plain board that counts with loops.
#include "board/rules.hpp"

#include <random>

#include "board/position.hpp"
#include "board/threats.hpp"
#include "search/narrow_shape.hpp"
#include "testing.hpp"

namespace fourcast {
namespace {

/// A board of plain numbers: 0 is empty, 1 and 2 are discs.
struct PlainBoard {
    int width;
    int height;
    std::vector<std::vector<int>> columns;

    int at(int column, int row) const {
        if (column < 0 || column >= width || row < 0 || row >= height) return 0;
        const auto& discs = columns[static_cast<std::size_t>(column)];
        return row < static_cast<int>(discs.size()) ? discs[static_cast<std::size_t>(row)] : 0;
    }

    /// True if `player` has a four that goes through this square, which counts as theirs.
    bool makes_four(int column, int row, int player) const {
        for (const auto& [across, up] : {std::pair{0, 1}, {1, 0}, {1, 1}, {1, -1}}) {
            int length = 1;
            for (const int sign : {1, -1}) {
                for (int step = 1; at(column + sign * step * across, row + sign * step * up) == player;
                     ++step) {
                    ++length;
                }
            }
            if (length >= 4) return true;
        }
        return false;
    }
};

/// Plays random games and checks, before each move, what the rules say of every square.
template <class Shape>
void compare_with_plain_board(const Shape& shape, unsigned seed) {
    using Bits = typename Shape::Bits;
    std::mt19937 random(seed);
    for (int game = 0; game < 60; ++game) {
        PlainBoard board{shape.width(), shape.height(), {}};
        board.columns.resize(static_cast<std::size_t>(shape.width()));
        Bits discs[3] = {0, 0, 0};
        for (int player = 1;; player = 3 - player) {
            const Bits mask = discs[1] | discs[2];
            std::vector<int> open;
            for (int column = 0; column < shape.width(); ++column) {
                const int top = static_cast<int>(board.columns[static_cast<std::size_t>(column)].size());
                const Bits squares = playable(shape, mask) & shape.column(column);
                CHECK(squares == (top < shape.height() ? shape.square(column, top) : Bits{0}));
                if (top < shape.height()) open.push_back(column);
                for (int row = top; row < shape.height(); ++row) {
                    for (const int who : {1, 2}) {
                        const bool wins =
                            (threats(shape, discs[who], mask) & shape.square(column, row)) != 0;
                        CHECK(wins == board.makes_four(column, row, who));
                    }
                }
            }
            if (open.empty()) break;
            const int column = open[random() % open.size()];
            auto& pile = board.columns[static_cast<std::size_t>(column)];
            const int row = static_cast<int>(pile.size());
            const bool wins = board.makes_four(column, row, player);
            pile.push_back(player);
            discs[player] |= shape.square(column, row);
            CHECK(has_four(shape, discs[player]) == wins);
            CHECK(shape.mirror(shape.mirror(discs[player])) == discs[player]);
            CHECK(has_four(shape, shape.mirror(discs[player])) == wins);
            if (wins) {
                CHECK((squares_in_fours(shape, discs[player]) & shape.square(column, row)) != 0);
                break;
            }
        }
    }
}

TEST("The rules agree with a plain board on every kind of shape") {
    compare_with_plain_board(StandardShape{}, 1);
    compare_with_plain_board(AnyShape<u64>(7, 6), 2);
    compare_with_plain_board(AnyShape<u128>(7, 6), 3);
    compare_with_plain_board(FixedShape<8, 7>{}, 4);
    compare_with_plain_board(FixedShape<9, 5>{}, 4);
    for (int width = min_side; width <= 8; ++width) {
        compare_with_plain_board(RowsShape<5>(width), 4);
        compare_with_plain_board(RowsShape<6>(width), 4);
    }
    for (int width = min_side; width <= 7; ++width) compare_with_plain_board(RowsShape<7>(width), 4);
    for (const auto& [width, height] : {std::pair{4, 4}, {4, 15}, {12, 4}, {5, 8}, {9, 6}}) {
        compare_with_plain_board(AnyShape<u64>(width, height), 5);
    }
    for (const auto& [width, height] : {std::pair{4, 31}, {25, 4}, {16, 7}, {8, 15}, {11, 10}}) {
        compare_with_plain_board(AnyShape<u128>(width, height), 6);
    }
}

TEST("The search's shapes have the squares of every other shape") {
    std::mt19937_64 random(7);
    for (int width = min_side; width <= 12; ++width) {
        for (int height = min_side; width * (height + 1) <= 64; ++height) {
            const AnyShape<u64> plain(width, height);
            const NarrowShape<12> quick(width, height);
            CHECK(quick.board() == plain.board());
            for (const int bit : each(plain.board())) {
                CHECK_EQUAL(quick.column_of(bit), plain.column_of(bit));
                CHECK_EQUAL(quick.row_of(bit), plain.row_of(bit));
            }
            for (int i = 0; i < 20; ++i) {
                const u64 bits = random() & (plain.board() | (plain.board() << 1));
                CHECK(quick.mirror(bits) == plain.mirror(bits));
                if (width <= 8 && height == 5)
                    CHECK(RowsShape<5>(width).mirror(bits) == plain.mirror(bits));
                if (width <= 8 && height == 6)
                    CHECK(RowsShape<6>(width).mirror(bits) == plain.mirror(bits));
                if (width <= 7 && height == 7)
                    CHECK(RowsShape<7>(width).mirror(bits) == plain.mirror(bits));
            }
        }
    }
}

TEST("A line that leaves a column at its top does not come in again in the next one") {
    const StandardShape shape;
    // Rows 4 and 5 of a column and rows 0 and 1 of the next: neighbors as bits, but for the guard.
    const u64 wrapped =
        shape.square(2, 4) | shape.square(2, 5) | shape.square(3, 0) | shape.square(3, 1);
    CHECK(!has_four(shape, wrapped));
    CHECK_EQUAL(threats(shape, wrapped, wrapped), u64{0});
}

TEST("with_shape finds the fast path, one word or two") {
    const auto bits = [](int width, int height) {
        return with_shape(width, height, [](const auto& shape) {
            using Shape = std::decay_t<decltype(shape)>;
            return std::is_same_v<Shape, StandardShape>
                       ? 1
                       : static_cast<int>(8 * sizeof(typename Shape::Bits));
        });
    };
    CHECK_EQUAL(bits(7, 6), 1);
    CHECK_EQUAL(bits(6, 7), 64);
    CHECK_EQUAL(bits(8, 7), 64);
    CHECK_EQUAL(bits(9, 7), 128);
}

}  // namespace
}  // namespace fourcast
