#include "position.hpp"

#include <algorithm>
#include <functional>

#include "score.hpp"
#include "system/text.hpp"
#include "threats.hpp"

namespace fourcast {
namespace {

/// Calls `visitor` with the shape, and the sets of squares in the word of that shape.
template <class Visitor>
decltype(auto) with_board(const Position& position, Visitor&& visitor) {
    return with_shape(position.width(), position.height(), [&](const auto& shape) {
        using Bits = typename std::decay_t<decltype(shape)>::Bits;
        return visitor(shape, static_cast<Bits>(position.first()), static_cast<Bits>(position.second()));
    });
}

/// The columns that hold a square of `squares`.
template <class Shape>
ColumnSet columns_of(const Shape& shape, typename Shape::Bits squares) {
    ColumnSet columns = 0;
    for (; squares != 0; squares &= squares - 1) {
        columns |= ColumnSet{1} << shape.column_of(lowest_bit(squares));
    }
    return columns;
}

/// The error about the first of these squares.
template <class Shape>
InvalidPositionError square_error(const char* code, const Shape& shape, typename Shape::Bits squares) {
    const int bit = lowest_bit(squares);
    const Square square{shape.column_of(bit), shape.row_of(bit)};
    return InvalidPositionError(
        code, {{"column", std::string{column_name(square.column)}}, {"row", square.row + 1}}, square);
}

/// The topmost disc of every column that holds one.
template <class Shape>
typename Shape::Bits top_discs(const Shape& shape, typename Shape::Bits mask) {
    // Adding the bottom row makes a bit above each column's topmost disc, the guard's if it is full.
    return ((mask + shape.bottom()) >> 1) & mask;
}

/// True if `discs` hold a four that their last disc may have completed: one of the topmost discs is
/// part of every four. With two fours that share no topmost disc, play went on after the first.
template <class Shape>
bool last_disc_wins(const Shape& shape, typename Shape::Bits discs, typename Shape::Bits mask) {
    using Bits = typename Shape::Bits;
    for (Bits rest = top_discs(shape, mask) & discs; rest != 0; rest &= rest - 1) {
        const Bits last = rest & (~rest + 1);
        if (!has_four(shape, discs ^ last)) return true;
    }
    return false;
}

/// Throws if these discs cannot have arisen; see Position::from_discs.
template <class Shape>
void check(const Shape& shape, typename Shape::Bits first, typename Shape::Bits second) {
    using Bits = typename Shape::Bits;
    const auto player = [](int number) { return object({{"player", number}}); };

    if (const Bits both = first & second; both != 0) {
        throw square_error("error.shared_square", shape, both);
    }
    const Bits mask = first | second;
    if (const Bits floating = mask & ~((mask << 1) | shape.bottom()); floating != 0) {
        throw square_error("error.floating_disc", shape, floating);
    }
    const int ahead = popcount(first) - popcount(second);
    if (ahead != 0 && ahead != 1) {
        throw InvalidPositionError("error.disc_counts", {{"first", popcount(first)},
                                                         {"second", popcount(second)},
                                                         {"one", player(1)},
                                                         {"two", player(2)}});
    }
    if (mask == 0) return;

    const bool first_won = has_four(shape, first);
    const bool second_won = has_four(shape, second);
    const int last_mover = ahead == 1 ? 1 : 2;
    if (first_won && second_won) throw InvalidPositionError("error.two_winners");
    if (last_mover == 1 ? second_won : first_won)
        throw InvalidPositionError(
            "error.moved_on", {{"player", player(last_mover)}, {"opponent", player(3 - last_mover)}});
    const Bits last_discs = ahead == 1 ? first : second;
    if ((first_won || second_won) && !last_disc_wins(shape, last_discs, mask)) {
        throw InvalidPositionError("error.won_before", {{"player", player(last_mover)}});
    }
    if ((top_discs(shape, mask) & last_discs) == 0) {
        throw InvalidPositionError("error.no_last_disc", {{"player", player(last_mover)}});
    }
    if ((first & shape.bottom()) == 0) {
        throw InvalidPositionError("error.no_first_disc", {{"player", player(1)}});
    }
}

}  // namespace

InvalidPositionError size_error(const std::string& width, const std::string& height) {
    return InvalidPositionError(
        "error.board_size",
        {{"width", width}, {"height", height}, {"least", min_side}, {"bits", max_bits}});
}

Position::Position(int width, int height)
    : width_(static_cast<std::uint8_t>(width)), height_(static_cast<std::uint8_t>(height)) {
    if (!is_supported(width, height)) throw size_error(std::to_string(width), std::to_string(height));
}

Position Position::from_discs(u128 first, u128 second, int width, int height) {
    Position result(width, height);
    // In two words whatever the size: the discs are not known to fit into one before they are checked.
    const AnyShape<u128> shape(width, height);
    if (const u128 outside = (first | second) & ~shape.board(); outside != 0) {
        throw InvalidPositionError("error.no_square",
                                   {{"bit", lowest_bit(outside)}, {"width", width}, {"height", height}});
    }
    check(shape, first, second);
    result.first_ = first;
    result.second_ = second;
    result.ply_ = static_cast<std::uint8_t>(popcount(first | second));
    result.winner_ = has_four(shape, first) ? 1 : has_four(shape, second) ? 2 : 0;
    return result;
}

int Position::column_height(int column) const {
    const int stride = height_ + 1;
    const auto field = static_cast<u64>(mask() >> (column * stride)) & ((u64{1} << height_) - 1);
    return std::countr_one(field);
}

int Position::at(int column, int row) const {
    const int bit = column * (height_ + 1) + row;
    if ((first_ >> bit & 1) != 0) return 1;
    return (second_ >> bit & 1) != 0 ? 2 : 0;
}

ColumnSet Position::legal_columns() const {
    if (is_over()) return 0;
    return with_board(*this, [](const auto& shape, auto first, auto second) {
        return columns_of(shape, playable(shape, first | second));
    });
}

ColumnSet Position::winning_columns(int player) const {
    if (is_over()) return 0;
    return with_board(*this, [player](const auto& shape, auto first, auto second) {
        const auto mask = first | second;
        const auto squares = fourcast::threats(shape, player == 1 ? first : second, mask);
        return columns_of(shape, squares & playable(shape, mask));
    });
}

u128 Position::threats(int player) const {
    if (is_over()) return 0;
    return with_board(*this, [player](const auto& shape, auto first, auto second) {
        const auto discs = player == 1 ? first : second;
        return static_cast<u128>(fourcast::threats(shape, discs, first | second));
    });
}

u128 Position::winning_squares() const {
    if (winner_ == 0) return 0;
    return with_board(*this, [this](const auto& shape, auto first, auto second) {
        return static_cast<u128>(squares_in_fours(shape, winner_ == 1 ? first : second));
    });
}

Error Position::no_column(const std::string& given) const {
    return Error("error.column_number", {{"column", given}, {"last", width_ - 1}});
}

std::optional<IllegalMoveError> Position::refusal(long long column) const {
    if (can_play(column)) return std::nullopt;
    const auto error = [&](const Error& said, Refusal reason) {
        return IllegalMoveError(said, reason, column, ply());
    };
    if (!has_column(column)) return error(no_column(text(column)), Refusal::off_the_board);
    if (is_over()) return error(Error("error.game_over"), Refusal::finished);
    const std::string name{column_name(static_cast<int>(column))};
    return error(Error("error.column_full", {{"column", name}}), Refusal::full);
}

Position Position::play(long long column) const {
    if (const auto error = refusal(column)) throw *error;
    Position result = *this;
    const int square =
        static_cast<int>(column) * (height_ + 1) + column_height(static_cast<int>(column));
    (turn() == 1 ? result.first_ : result.second_) |= u128{1} << square;
    ++result.ply_;
    const bool won = with_board(result, [this](const auto& shape, auto first, auto second) {
        return has_four(shape, turn() == 1 ? first : second);
    });
    if (won) result.winner_ = static_cast<std::uint8_t>(turn());
    return result;
}

namespace {

/// Takes discs from the tops of the columns, in turns, until none is left.
class Unplaying {
  public:
    /// True if `left` can be taken off, of which `last` were placed by whoever moved last.
    bool clears(u128 left, u128 last) {
        if (left == 0) return true;
        if (steps_left_-- == 0) return false;
        const u128 others = left & ~last;
        const u128 tops = last & ~(left >> 1);
        // First those that lie on a disc of the other player, who has to go on.
        const u128 on_others = tops & (others << 1);
        return clears_one_of(on_others, left, others) || clears_one_of(tops & ~on_others, left, others);
    }

  private:
    bool clears_one_of(u128 tops, u128 left, u128 others) {
        for (; tops != 0; tops &= tops - 1)
            if (clears(left & ~(tops & -tops), others)) return true;
        return false;
    }

    int steps_left_ = 10'000;
};

}  // namespace

bool Position::is_reachable() const { return Unplaying().clears(mask(), discs(3 - turn())); }

Position Position::mirror() const {
    const AnyShape<u128> shape(width_, height_);
    Position result = *this;
    result.first_ = shape.mirror(first_);
    result.second_ = shape.mirror(second_);
    return result;
}

u128 Position::key() const {
    // Adding the bottom row turns the 1s of a column's discs into one 1 above them.
    const u128 bottom =
        with_shape(width_, height_, [](const auto& shape) { return static_cast<u128>(shape.bottom()); });
    return mask() + bottom + first_;
}

u128 Position::canonical_key() const { return std::min(key(), mirror().key()); }

std::string Position::diagram() const {
    std::string result;
    for (const char square : rows()) {
        if (square == '/') {
            result.back() = '\n';
        } else {
            result += square;
            result += ' ';
        }
    }
    result.pop_back();
    return result;
}

std::string Position::rows() const {
    std::string result;
    for (int row = height_ - 1; row >= 0; --row) {
        for (int column = 0; column < width_; ++column) result += ".XO"[at(column, row)];
        if (row > 0) result += '/';
    }
    return result;
}

Position Position::from_numbered_discs(u128 one, u128 two, int mover, int width, int height) {
    const u128 own = mover == 1 ? one : two, other = mover == 1 ? two : one;
    // A player to move with as many discs as the other one has started; with one less, the other has.
    const int ahead = popcount(other) - popcount(own);
    if (ahead != 0 && ahead != 1) {
        throw InvalidPositionError(
            "error.grid_turn",
            {{"mover", mover}, {"discs", popcount(own)}, {"others", popcount(other)}});
    }
    return ahead == 0 ? from_discs(own, other, width, height) : from_discs(other, own, width, height);
}

Position Position::from_rows(std::u32string_view rows) {
    const auto refuse = [all = rows](const char* code, Value::Object facts) {
        facts.emplace_back("rows", quoted(all));
        throw InvalidNotationError(code, std::move(facts));
    };
    const std::size_t width = std::min(rows.find(U'/'), rows.size());
    const auto height = static_cast<std::size_t>(std::count(rows.begin(), rows.end(), U'/')) + 1;
    if (width > max_bits || height > max_bits) {
        throw size_error(std::to_string(width), std::to_string(height));
    }
    const Position empty(static_cast<int>(width), static_cast<int>(height));
    u128 discs[3] = {0, 0, 0};
    for (int row = empty.height_ - 1; row >= 0; --row) {
        const std::u32string_view squares = rows.substr(0, rows.find(U'/'));
        if (squares.size() != width) {
            refuse("error.row_length",
                   {{"row", empty.height_ - row}, {"squares", squares.size()}, {"width", width}});
        }
        for (int column = 0; column < empty.width_; ++column) {
            const char32_t square = squares[static_cast<std::size_t>(column)];
            const std::size_t player = std::u32string_view(U".XO").find(square);
            if (player > 2) refuse("error.row_square", {{"square", quoted({&square, 1})}});
            discs[player] |= u128{1} << (column * (empty.height_ + 1) + row);
        }
        rows.remove_prefix(std::min(squares.size() + 1, rows.size()));
    }
    return from_discs(discs[1], discs[2], empty.width_, empty.height_);
}

std::string Position::repr() const {
    if (ply_ > 0) return text("Position.from_rows('", rows(), "')");
    if (width_ == 7 && height_ == 6) return "Position()";
    return text("Position(width=", int{width_}, ", height=", int{height_}, ")");
}

std::size_t Position::hash() const {
    const u128 bits = key();
    // Odd multipliers spread the words; the size keeps equal keys of different boards apart.
    const u64 mixed = (static_cast<u64>(bits) * 0x9e3779b97f4a7c15U) ^
                      (static_cast<u64>(bits >> 64) * 0xc2b2ae3d27d4eb4fU) ^
                      static_cast<u64>(width_ * 131 + height_);
    return std::hash<u64>{}(mixed ^ (mixed >> 29));
}

int final_score(const Position& position) {
    if (!position.is_over()) throw OptionError("error.no_final_score");
    return position.is_draw() ? 0 : -win_score(position.cells(), position.ply());
}

}  // namespace fourcast
