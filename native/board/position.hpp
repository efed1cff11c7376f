// A position: the discs of both players on a board of some size. A value that never changes.
//
// It holds the board as two sets of squares (see shape.hpp for the bits), and whether the game is over.
// The rules are those of rules.hpp; here they meet a size that is known only at run time, moves that
// must be legal, and discs of unknown origin that must be checked.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "rules.hpp"
#include "system/errors.hpp"
#include "variant.hpp"
#include "variant_shape.hpp"

namespace fourcast {

/// Calls `visitor` with the shape of this size: the fast path for 7x6, one word, or two words.
/// `visitor` must be able to take any of the three, and return the same type for each.
template <class Visitor>
decltype(auto) with_shape(int width, int height, Visitor&& visitor) {
    if (width == StandardShape::width() && height == StandardShape::height()) {
        return std::forward<Visitor>(visitor)(StandardShape{});
    }
    if (width * (height + 1) <= 64) {
        return std::forward<Visitor>(visitor)(AnyShape<u64>(width, height));
    }
    return std::forward<Visitor>(visitor)(AnyShape<u128>(width, height));
}

/// As `with_shape`, with two words for every size but 7x6: for code that is large, slow to compile, and
/// seldom asked about other sizes.
template <class Visitor>
decltype(auto) with_either_shape(int width, int height, Visitor&& visitor) {
    if (width == StandardShape::width() && height == StandardShape::height()) {
        return std::forward<Visitor>(visitor)(StandardShape{});
    }
    return std::forward<Visitor>(visitor)(AnyShape<u128>(width, height));
}

/// A set of columns; bit c is column c. No board is wider than 25. In PopOut it is a set of moves: see
/// Position::play.
using ColumnSet = std::uint32_t;
static_assert(max_bits / (min_side + 1) < 32);

/// What people call a column (0-based): 1 to 9, then a, b, ...
constexpr char column_name(int column) {
    return static_cast<char>(column < 9 ? '1' + column : 'a' + (column - 9));
}

/// The error for a board of this size, as it was given: no such board is supported.
InvalidPositionError size_error(const std::string& width, const std::string& height);

class Position {
  public:
    /// The empty board. Throws InvalidPositionError if the size is not supported, or has no line.
    explicit Position(int width = 7, int height = 6, const Rules& rules = {});

    /// The position with these discs. Throws InvalidPositionError if it cannot have arisen because
    /// - a disc is off the board, two are on one square, or one hangs in the air;
    /// - the counts do not alternate, the first player having started;
    /// - both players have a four, or play went on after one;
    /// - no disc can have been the first one, or the last one (which completed the four, if any).
    /// That is not the whole truth: some positions pass that no order of moves leads to.
    /// In PopOut only the first of these is asked for, and that somebody has a bottom to stand on.
    static Position from_discs(u128 first, u128 second, int width, int height, const Rules& rules = {},
                               int turn = 0);

    /// The same of players numbered 1 and 2 of whom either may have started: `mover` is to move. Throws
    /// InvalidPositionError, too, if the counts do not fit the mover.
    static Position from_numbered_discs(u128 one, u128 two, int mover, int width, int height,
                                        const Rules& rules = {});

    /// The position that `rows()` wrote. Throws InvalidNotationError, or InvalidPositionError as
    /// `from_discs` does.
    static Position from_rows(std::u32string_view text);

    int width() const { return width_; }
    int height() const { return height_; }
    int cells() const { return width_ * height_; }
    const Rules& rules() const { return rules_; }
    u128 first() const { return first_; }
    u128 second() const { return second_; }
    u128 mask() const { return first_ | second_; }
    /// The discs of player 1 or 2.
    u128 discs(int player) const { return player == 1 ? first_ : second_; }

    /// Discs on the board.
    int ply() const { return ply_; }
    /// The player to move, 1 or 2; in a finished game, the one whose turn it would be.
    int turn() const { return turn_; }
    /// 1, 2, or 0 if nobody has won.
    int winner() const { return winner_; }
    bool is_full() const { return ply_ == cells(); }
    bool is_over() const { return winner_ != 0 || drawn_; }
    /// A full board without a four: a win with the last disc is a win. In PopOut, if the side to move
    /// has nothing to take out, or has claimed the draw.
    bool is_draw() const { return drawn_; }

    bool has_column(long long column) const { return column >= 0 && column < width_; }
    /// How many discs lie in a column of the board.
    int column_height(int column) const;
    bool is_column_full(int column) const { return column_height(column) == height_; }
    /// True of a move that `play` takes.
    bool can_play(long long move) const;
    /// The player whose disc lies on a square of the board, 0 if there is none.
    int at(int column, int row) const;

    /// The moves that there are: columns, and in PopOut the moves of `play` beyond them.
    ColumnSet legal_columns() const;
    /// The columns in which a disc of `player` would win now, were it that player's turn. In misere
    /// there are none: a four loses. In PopOut the moves that take out a disc are among them.
    ColumnSet winning_columns(int player) const;
    /// The empty squares on which a disc of `player` would complete a four, reachable now or later.
    u128 threats(int player) const;
    /// The squares of every four on the board.
    u128 winning_squares() const;

    /// What `play` would throw, nothing if the column can be played.
    std::optional<IllegalMoveError> refusal(long long column) const;
    /// Why there is no such column, in words, with the columns that there are.
    Error no_column(const std::string& given) const;
    /// The position after one more disc. In PopOut move `width + column` takes the own disc out of the
    /// bottom of a column, and move `2 * width` claims the draw on a full board. Throws
    /// IllegalMoveError.
    Position play(long long move) const;
    /// What people call a move: a column's name, `p` and a column's name, or `=`.
    std::string move_name(int move) const;

    /// True if some order of moves leads here, to a game that is not over. That is hard to say of hardly
    /// any position; of those the answer is false, too.
    bool is_reachable() const;

    Position mirror() const;
    /// In each column, the first player's discs with a 1 above the topmost disc of either player.
    /// No two positions of a size share one.
    u128 key() const;
    /// The lesser of the keys of the position and its mirror image.
    u128 canonical_key() const;

    /// `X O .` and spaces, top row first, no newline at the end.
    std::string diagram() const;
    /// The diagram on one line: its rows from the top without spaces, joined by `/`. By other rules they
    /// follow after a colon, as in `.../X../XO.:connect=3,wrap`, in PopOut with whose turn it is.
    std::string rows() const;
    /// The same for the start of a game: nothing for the empty board of the standard rules.
    std::string start_rows() const;
    /// The Python expression that makes this position.
    std::string repr() const;

    bool operator==(const Position& other) const = default;
    std::size_t hash() const;

  private:
    u128 first_ = 0;
    u128 second_ = 0;
    std::uint8_t width_;
    std::uint8_t height_;
    std::uint8_t ply_ = 0;
    std::uint8_t winner_ = 0;
    std::uint8_t turn_ = 1;
    bool drawn_ = false;
    Rules rules_{};

    void settle();
};

/// Throws OptionError if the position is played by other rules than the standard ones.
void require_standard(const Position& position);

/// The shape that a position is played on: one of those above, or one with other lines.
template <class Visitor>
decltype(auto) with_shape(const Position& position, Visitor&& visitor) {
    const Rules& rules = position.rules();
    if (rules.has_standard_lines())
        return with_shape(position.width(), position.height(), std::forward<Visitor>(visitor));
    return std::forward<Visitor>(visitor)(
        VariantShape<u128>(position.width(), position.height(), rules.connect, rules.wrap));
}

/// The score of a finished game for the side that would move next. Throws OptionError if it is not over.
int final_score(const Position& position);

}  // namespace fourcast
