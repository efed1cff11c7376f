// What PopOut is worth on small boards, by a retrograde proof that shares nothing with the core.
#include <algorithm>
#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

#include "system/bits.hpp"
#include "testing.hpp"

namespace fourcast {
namespace {

/// All boards of one size as numbers: a column is a one, then a bit for each disc from the bottom up,
/// which is 0 for the first player's. A state is a board and who is to move: 2 * board + player.
class PopOutStates {
  public:
    PopOutStates(int width, int height) : width_(width), height_(height) {
        for (int column = 0; column < width; ++column)
            for (int row = 0; row < height; ++row)
                for (const auto& [across, up] : {std::pair{1, 0}, {0, 1}, {1, 1}, {1, -1}})
                    add_line(column, row, across, up);
        values_.resize(std::size_t{2} << (width * (height + 1)));
        std::vector<u64> open{2 * empty_board()};
        values_[open[0]] = undecided;
        while (!open.empty()) {
            const u64 state = open.back();
            open.pop_back();
            Value& value = values_[state];
            value = finished(state);
            if (value != undecided) continue;
            any_move(state, [&](u64 child) {
                if (values_[child] == unknown) {
                    values_[child] = undecided;
                    open.push_back(child);
                }
                return false;
            });
        }
    }

    /// The boards that games come to.
    u64 boards() const {
        u64 count = 0;
        for (std::size_t state = 0; state < values_.size(); state += 2)
            count += values_[state] != unknown || values_[state + 1] != unknown;
        return count;
    }

    /// 1 if the first player wins from the empty board, -1 if the second does, 0 for a draw.
    int solve() {
        for (bool is_new = true; is_new;) {
            is_new = false;
            for (u64 state = 0; state < values_.size(); ++state) {
                if (values_[state] != undecided) continue;
                bool loses = !is_full(state / 2);  // it may claim the draw then
                const bool wins = any_move(state, [&](u64 child) {
                    loses = loses && values_[child] == won;
                    return values_[child] == lost;
                });
                if (!wins && !loses) continue;
                values_[state] = wins ? won : lost;
                is_new = true;
            }
        }
        const Value start = values_[2 * empty_board()];
        return start == won ? 1 : start == lost ? -1 : 0;
    }

  private:
    enum Value : std::uint8_t { unknown, undecided, won, lost };  // for the side to move

    void add_line(int column, int row, int across, int up) {
        const int last_column = column + 3 * across;
        const int last_row = row + 3 * up;
        if (last_column >= width_ || last_row >= height_ || last_row < 0) return;
        u64 line = 0;
        for (int i = 0; i < 4; ++i) line |= u64{1} << ((column + i * across) * height_ + row + i * up);
        lines_.push_back(line);
    }

    u64 empty_board() const {
        u64 board = 0;
        for (int column = 0; column < width_; ++column) board |= u64{1} << (column * (height_ + 1));
        return board;
    }

    u64 column_of(u64 board, int column) const {
        return board >> (column * (height_ + 1)) & ((u64{2} << height_) - 1);
    }

    u64 with_column(u64 board, int column, u64 discs) const {
        return board ^ (column_of(board, column) ^ discs) << (column * (height_ + 1));
    }

    static int count_discs(u64 column) { return static_cast<int>(std::bit_width(column)) - 1; }

    bool is_full(u64 board) const {
        for (int column = 0; column < width_; ++column)
            if (count_discs(column_of(board, column)) < height_) return false;
        return true;
    }

    /// Calls `f(child)` for each move but a claim, until it says true; returns whether it did.
    template <class Function>
    bool any_move(u64 state, Function f) const {
        const u64 player = state & 1;
        const u64 board = state / 2;
        for (int column = 0; column < width_; ++column) {
            const u64 discs = column_of(board, column);
            const int count = count_discs(discs);
            const auto go_on = [&](u64 changed) {
                return f(2 * with_column(board, column, changed) + (player ^ 1));
            };
            if (count < height_ && go_on(2 * discs + player)) return true;
            const u64 top = u64{1} << count;
            const u64 bottom = top / 2;  // its bit is the highest one below the leading one
            if (count > 0 && (discs / bottom & 1) == player && go_on((discs & (bottom - 1)) | bottom))
                return true;
        }
        return false;
    }

    bool has_line(u64 board, u64 player) const {
        u64 squares = 0;
        for (int column = 0; column < width_; ++column) {
            const u64 discs = column_of(board, column);
            const int count = count_discs(discs);
            for (int row = 0; row < count; ++row)
                if ((discs >> (count - 1 - row) & 1) == player)
                    squares |= u64{1} << (column * height_ + row);
        }
        return std::ranges::any_of(lines_, [&](u64 line) { return (squares & line) == line; });
    }

    /// If both players have a line, the one that has moved wins.
    Value finished(u64 state) const {
        const u64 player = state & 1;
        if (has_line(state / 2, player ^ 1)) return lost;
        return has_line(state / 2, player) ? won : undecided;
    }

    int width_;
    int height_;
    std::vector<u64> lines_;
    std::vector<Value> values_;
};

void check_popout(int width, int height, u64 boards, int winner) {
    PopOutStates states(width, height);
    CHECK_EQUAL(states.boards(), boards);
    CHECK_EQUAL(states.solve(), winner);
}

// The counts and the results are those of an independent program.
TEST("PopOut on 4x4 is drawn") { check_popout(4, 4, 692'427, 0); }
SLOW_TEST("PopOut on 5x4 is drawn") { check_popout(5, 4, 18'531'835, 0); }
SLOW_TEST("PopOut on 4x5 is won by the first player") { check_popout(4, 5, 7'942'028, 1); }
SLOW_TEST("The boards of PopOut on 4x6 are as many as others have counted") {
    CHECK_EQUAL(PopOutStates(4, 6).boards(), u64{82'822'024});
}

}  // namespace
}  // namespace fourcast
