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
    return with_shape(position, [&](const auto& shape) {
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
void check(const Shape& shape, typename Shape::Bits first, typename Shape::Bits second, bool pop) {
    using Bits = typename Shape::Bits;
    const auto player = [](int number) { return object({{"player", number}}); };

    if (const Bits both = first & second; both != 0) {
        throw square_error("error.shared_square", shape, both);
    }
    const Bits mask = first | second;
    if (const Bits floating = mask & ~((mask << 1) | shape.bottom()); floating != 0) {
        throw square_error("error.floating_disc", shape, floating);
    }
    if (pop) return;
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

Position::Position(int width, int height, const Rules& rules)
    : width_(static_cast<std::uint8_t>(width)),
      height_(static_cast<std::uint8_t>(height)),
      rules_(rules) {
    if (rules.is_standard()) {
        if (is_supported(width, height)) return;
        throw size_error(std::to_string(width), std::to_string(height));
    }
    const int widest = rules.pop ? max_pop_width : max_variant_side;
    const auto fits = [](int side, int most) { return side >= min_variant_side && side <= most; };
    if (!fits(width, widest) || !fits(height, max_variant_side) || width * (height + 1) > max_bits)
        throw InvalidPositionError("error.variant_size", {{"width", width},
                                                          {"height", height},
                                                          {"least", min_variant_side},
                                                          {"widest", widest},
                                                          {"highest", max_variant_side},
                                                          {"bits", max_bits}});
    if (rules.connect > std::max(width, height))
        throw InvalidPositionError(
            "error.no_line", {{"connect", int{rules.connect}}, {"width", width}, {"height", height}});
}

Position Position::from_discs(u128 first, u128 second, int width, int height, const Rules& rules,
                              int turn) {
    Position result(width, height, rules);
    // In two words whatever the size: the discs are not known to fit into one before they are checked.
    const VariantShape<u128> shape(width, height, rules.connect, rules.wrap);
    if (const u128 outside = (first | second) & ~shape.board(); outside != 0) {
        throw InvalidPositionError("error.no_square",
                                   {{"bit", lowest_bit(outside)}, {"width", width}, {"height", height}});
    }
    check(shape, first, second, rules.pop);
    result.first_ = first;
    result.second_ = second;
    result.ply_ = static_cast<std::uint8_t>(popcount(first | second));
    result.turn_ = static_cast<std::uint8_t>(turn != 0 ? turn : 1 + result.ply_ % 2);
    result.settle();
    return result;
}

/// Finds out whether the game is over.
void Position::settle() {
    const int last = 3 - turn_;
    const auto has_line = [this](int player) {
        return with_board(*this, [player](const auto& shape, auto first, auto second) {
            return has_four(shape, player == 1 ? first : second);
        });
    };
    // After a disc was taken out both may have a line: the side that moved wins.
    if (has_line(last))
        winner_ = static_cast<std::uint8_t>(rules_.misere ? turn_ : last);
    else if (rules_.pop && has_line(turn_))
        winner_ = turn_;
    drawn_ = winner_ == 0 && is_full();
    if (drawn_ && rules_.pop) {
        const VariantShape<u128> shape(width_, height_, rules_.connect, rules_.wrap);
        drawn_ = (discs(turn_) & shape.bottom()) == 0;
    }
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

bool Position::can_play(long long move) const {
    if (is_over()) return false;
    if (has_column(move)) return !is_column_full(static_cast<int>(move));
    if (!rules_.pop || move < 0 || move > 2 * width_) return false;
    if (move == 2 * width_) return is_full();
    return at(static_cast<int>(move) - width_, 0) == turn_;
}

ColumnSet Position::legal_columns() const {
    if (is_over()) return 0;
    return with_board(*this, [this](const auto& shape, auto first, auto second) {
        const auto mask = first | second;
        const ColumnSet columns = columns_of(shape, playable(shape, mask));
        if (!rules_.pop) return columns;
        const auto bottom = (turn_ == 1 ? first : second) & shape.bottom();
        return columns | (columns_of(shape, bottom) << width_) |
               (is_full() ? ColumnSet{1} << (2 * width_) : 0);
    });
}

ColumnSet Position::winning_columns(int player) const {
    if (is_over() || rules_.misere) return 0;
    const ColumnSet columns = with_board(*this, [player](const auto& shape, auto first, auto second) {
        const auto mask = first | second;
        const auto squares = fourcast::threats(shape, player == 1 ? first : second, mask);
        return columns_of(shape, squares & playable(shape, mask));
    });
    if (!rules_.pop) return columns;
    Position of_player = *this;
    of_player.turn_ = static_cast<std::uint8_t>(player);
    ColumnSet winning = columns;
    for (int move = width_; move < 2 * width_; ++move)
        if (of_player.can_play(move) && of_player.play(move).winner() == player)
            winning |= ColumnSet{1} << move;
    return winning;
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
    const int maker = rules_.misere ? 3 - winner_ : winner_;
    return with_board(*this, [maker](const auto& shape, auto first, auto second) {
        return static_cast<u128>(squares_in_fours(shape, maker == 1 ? first : second));
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
    const bool is_move = has_column(column) || (rules_.pop && column >= 0 && column <= 2 * width_);
    if (!is_move) return error(no_column(text(column)), Refusal::off_the_board);
    if (is_over()) return error(Error("error.game_over"), Refusal::finished);
    if (column == 2 * width_) return error(Error("error.no_draw_claim"), Refusal::not_possible);
    if (column >= width_)
        return error(Error("error.no_pop",
                           {{"column", std::string{column_name(static_cast<int>(column - width_))}}}),
                     Refusal::not_possible);
    const std::string name{column_name(static_cast<int>(column))};
    return error(Error("error.column_full", {{"column", name}}), Refusal::full);
}

Position Position::play(long long move) const {
    if (const auto error = refusal(move)) throw *error;
    Position result = *this;
    result.turn_ = static_cast<std::uint8_t>(3 - turn_);
    if (move == 2 * width_) {
        result.drawn_ = true;
        return result;
    }
    const int column = static_cast<int>(move) % width_;
    const int bottom = column * (height_ + 1);
    if (move < width_) {
        (turn_ == 1 ? result.first_ : result.second_) |= u128{1} << (bottom + column_height(column));
        ++result.ply_;
    } else {
        // What lies above falls by one: the guard, which is never set, comes down as well.
        const u128 squares = ((u128{1} << (height_ + 1)) - 1) << bottom;
        const auto fall = [squares](u128 discs) {
            return (discs & ~squares) | ((discs & squares) >> 1 & squares);
        };
        result.first_ = fall(first_);
        result.second_ = fall(second_);
        --result.ply_;
    }
    result.settle();
    return result;
}

std::string Position::move_name(int move) const {
    if (move == 2 * width_) return "=";
    const std::string name{column_name(move % width_)};
    return move < width_ ? name : text("p", name);
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

bool Position::is_reachable() const {
    return rules_.pop || Unplaying().clears(mask(), discs(3 - turn()));
}

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
        with_shape(*this, [](const auto& shape) { return static_cast<u128>(shape.bottom()); });
    return mask() + bottom + first_;
}

u128 Position::canonical_key() const { return std::min(key(), mirror().key()); }

std::string Position::diagram() const {
    std::string result;
    for (const char square : rows()) {
        if (square == ':') break;
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
    if (rules_.is_standard()) return result;
    result += text(":", rules_.text());
    if (rules_.pop && turn_ == 2) result += ",second";
    if (rules_.pop && drawn_) result += ",claimed";
    return result;
}

std::string Position::start_rows() const { return ply_ == 0 && rules_.is_standard() ? "" : rows(); }

Position Position::from_numbered_discs(u128 one, u128 two, int mover, int width, int height,
                                       const Rules& rules) {
    // Discs that were taken out tell nothing of who started.
    if (rules.pop) return from_discs(one, two, width, height, rules, mover);
    const u128 own = mover == 1 ? one : two, other = mover == 1 ? two : one;
    // A player to move with as many discs as the other one has started; with one less, the other has.
    const int ahead = popcount(other) - popcount(own);
    if (ahead != 0 && ahead != 1) {
        throw InvalidPositionError(
            "error.grid_turn",
            {{"mover", mover}, {"discs", popcount(own)}, {"others", popcount(other)}});
    }
    return ahead == 0 ? from_discs(own, other, width, height, rules)
                      : from_discs(other, own, width, height, rules);
}

Position Position::from_rows(std::u32string_view rows) {
    const auto refuse = [all = rows](const char* code, Value::Object facts) {
        facts.emplace_back("rows", quoted(all));
        throw InvalidNotationError(code, std::move(facts));
    };
    Rules rules;
    int turn = 0;
    bool claimed = false;
    if (const std::size_t colon = rows.find(U':'); colon != rows.npos) {
        const std::u32string_view given = rows.substr(colon + 1);
        std::u32string_view by = given;
        rows = rows.substr(0, colon);
        const auto ends_with = [&by](std::u32string_view word) {
            const bool found = by.ends_with(word);
            if (found) by.remove_suffix(word.size());
            return found;
        };
        claimed = ends_with(U",claimed");
        const bool second = ends_with(U",second");
        rules = Rules::parse(by);
        if (!rules.pop && (claimed || second))
            throw InvalidNotationError("error.rules_text", {{"given", quoted(given)}});
        if (rules.pop) turn = second ? 2 : 1;
    }
    const std::size_t width = std::min(rows.find(U'/'), rows.size());
    const auto height = static_cast<std::size_t>(std::count(rows.begin(), rows.end(), U'/')) + 1;
    if (width > max_bits || height > max_bits) {
        throw size_error(std::to_string(width), std::to_string(height));
    }
    const Position empty(static_cast<int>(width), static_cast<int>(height), rules);
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
    Position result = from_discs(discs[1], discs[2], empty.width_, empty.height_, rules, turn);
    if (claimed && result.winner_ == 0 && result.is_full()) result.drawn_ = true;
    return result;
}

std::string Position::repr() const {
    if (ply_ > 0 || turn_ != 1) return text("Position.from_rows('", rows(), "')");
    std::string size;
    if (width_ != 7 || height_ != 6) size = text("width=", int{width_}, ", height=", int{height_});
    if (rules_.is_standard()) return text("Position(", size, ")");
    return text("Position(", size, size.empty() ? "" : ", ", "rules=", rules_.repr(), ")");
}

std::size_t Position::hash() const {
    const u128 bits = key();
    // Odd multipliers spread the words; the size keeps equal keys of different boards apart.
    const u64 mixed = (static_cast<u64>(bits) * 0x9e3779b97f4a7c15U) ^
                      (static_cast<u64>(bits >> 64) * 0xc2b2ae3d27d4eb4fU) ^
                      static_cast<u64>(width_ * 131 + height_) ^
                      (static_cast<u64>(rules_.hash() ^ 32U) << 20) ^ (static_cast<u64>(turn_) << 40);
    return std::hash<u64>{}(mixed ^ (mixed >> 29));
}

int final_score(const Position& position) {
    if (!position.is_over()) throw OptionError("error.no_final_score");
    if (position.rules().pop) throw OptionError("error.pop_score");
    if (position.is_draw()) return 0;
    const int score = win_score(position.cells(), position.ply());
    return position.winner() == position.turn() ? score : -score;
}

void require_standard(const Position& position) {
    if (!position.rules().is_standard())
        throw OptionError("error.only_standard", {{"rules", position.rules().text()}});
}

}  // namespace fourcast
