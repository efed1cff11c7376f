// Static proofs in which two columns are a game of their own.
//
// The plans of proofs.hpp leave F no choice: F follows up, pairs leftover squares, freezes a column.
// Here F takes two columns out of such a plan and plays in them whatever works, to be found by a tiny
// search: as long as M moves there, F answers there. Groups of squares in which F answers M's moves are
// independent of each other, so a four of M's never comes about if M cannot get all of its squares in
// one of the groups. What F gets in the two columns may also complete a four of F's: then F wins.
//
//   * A line of M's that the plan stops outside the two columns is stopped.
//   * Any other line with squares in the two columns is a `need`: M must not get all of these squares.
//   * Any other line without squares there must need both squares of a pair of leftovers.
//   * A line of F's all of whose missing squares are in the two columns is a `goal`.
//
// If the two columns have an even number of empty squares, F always has an answer there. If it is odd, F
// must reach a goal before they are full, because M has the last move there; then M loses.
//
// The proofs are tried for all moves of a node at once. M is then the opponent, who is to move after
// each of them. Nearly everything is worked out once for all moves, for sets of lines: a move ends the
// lines of M's through its square, and changes what the plan leaves to M in one square alone, the one
// above it.
#pragma once

#include <algorithm>
#include <array>

#include "narrow_shape.hpp"
#include "proofs.hpp"

namespace fourcast {
inline namespace FOURCAST_KERNEL {

/// A game in two columns, M to move. Both players fill them from below.
///
/// A line has at most one square in each of the columns. It is named by the two, counted from 1 at the
/// lowest empty square at the start, 0 for none: `8 * square in the first + square in the second`. So
/// sets of lines are words; when a player takes a square, the player's lines through it lose that
/// square, and those of the opponent are gone. The line 0 has nothing missing: it is complete.
class PairGame {
  public:
    static constexpr int max_size = 7;
    using LineSet = u64;
    static constexpr LineSet line(int first, int second) { return LineSet{1} << (8 * first + second); }

    /// Who has the topmost discs of a column, and how many in a row: M's are positive.
    struct Column {
        int size;
        int run;
    };

    PairGame(Column first, Column second, bool must_win)
        : sizes_{first.size, second.size}, runs_{first.run, second.run}, must_win_(must_win) {}

    /// True if M gets none of `needs`, nor four in a column, and F reaches one of `goals` if it must.
    bool holds(LineSet needs, LineSet goals) {
        const State start{needs, goals, {1, 1}, {runs_[0], runs_[1]}};
        budget_ = max_calls;
        return !completes<0, 3>(needs, start) && !completes<1, 3>(needs, start) && holds(start);
    }

  private:
    static constexpr int max_calls = 100;

    struct State {
        LineSet needs;
        LineSet goals;
        int next[2];  // the lowest empty square of each column
        int run[2];
    };

    // The first column has lines that are multiples of 8.
    template <int column>
    static constexpr int step = column == 0 ? 8 : 1;
    template <int column>
    static LineSet through(int square) {
        return (column == 0 ? LineSet{0xFF} : LineSet{0x0101010101010101}) << (step<column> * square);
    }
    /// The lines after their owner has taken a square.
    template <int column>
    static LineSet advance(LineSet lines, int square) {
        const LineSet here = lines & through<column>(square);
        return (lines ^ here) | (here >> (step<column> * square));
    }
    template <int column>
    bool is_open(const State& at) const {
        return at.next[column] <= sizes_[column];
    }
    /// True if a disc in this column completes one of `lines`, or a column of four. `three` is the run
    /// that lacks one disc of the player.
    template <int column, int three>
    bool completes(LineSet lines, const State& at) const {
        return is_open<column>(at) &&
               (((lines >> (step<column> * at.next[column])) & 1) != 0 || at.run[column] == three);
    }

    /// M is to move, and completes nothing at once.
    bool holds(const State& at) {
        if (--budget_ < 0) return false;
        if (!is_open<0>(at) && !is_open<1>(at)) return !must_win_;
        return holds_against<0>(at) && holds_against<1>(at);
    }

    /// M plays in this column.
    template <int column>
    bool holds_against(const State& at) {
        if (!is_open<column>(at)) return true;
        State after = at;
        const int square = after.next[column]++;
        after.needs = advance<column>(at.needs, square);
        after.goals = at.goals & ~through<column>(square);
        after.run[column] = std::max(at.run[column], 0) + 1;
        if (completes<0, -3>(after.goals, after) || completes<1, -3>(after.goals, after)) return true;
        const bool stop_here = completes<column, 3>(after.needs, after);
        const bool stop_there = completes<1 - column, 3>(after.needs, after);
        return (!stop_there && holds_after<column>(after)) ||
               (!stop_here && holds_after<1 - column>(after));
    }

    /// F answers in this column.
    template <int column>
    bool holds_after(const State& at) {
        if (!is_open<column>(at)) return false;
        State after = at;
        const int square = after.next[column]++;
        after.goals = advance<column>(at.goals, square);
        after.needs = at.needs & ~through<column>(square);
        after.run[column] = std::min(at.run[column], 0) - 1;
        // The disc may be right below a square that M needs.
        if (completes<0, 3>(after.needs, after) || completes<1, 3>(after.needs, after)) return false;
        if (must_win_) {
            if (after.goals == 0 && !may_rise<0>(after) && !may_rise<1>(after)) return false;
        } else if (after.needs == 0 && is_level(after)) {
            return true;
        }
        return holds(after);
    }

    /// May F still get four in a column?
    template <int column>
    bool may_rise(const State& at) const {
        const int left = sizes_[column] - at.next[column] + 1;
        return left - std::min(at.run[column], 0) >= 4;
    }

    /// True if M gets no four in a column if F follows up, or pairs the two leftover squares.
    bool is_level(const State& at) const {
        const bool odd = (sizes_[0] - at.next[0]) % 2 == 0;
        const int most = odd ? 1 : 2;
        return at.run[0] <= most && at.run[1] <= most;
    }

    int sizes_[2];
    int runs_[2];
    bool must_win_;
    int budget_ = 0;
};

/// By the sizes of the two columns, from 1: the lines that F can keep from M if M has only one. Written
/// down, and not worked out by everybody who needs it; the tests do so.
inline constexpr PairGame::LineSet preventable_lines[PairGame::max_size][PairGame::max_size] = {
    {0x0000000000000200, 0x0000000000000200, 0x0000000000000A08, 0x0000000000000A08, 0x0000000000002A28,
     0x0000000000002A28, 0x000000000000AAA8},
    {0x0000000000000200, 0x0000000000070604, 0x0000000000040604, 0x00000000001F1614, 0x0000000000141614,
     0x00000000007F5654, 0x0000000000545654},
    {0x0000000003000200, 0x0000000000070200, 0x000000000F0C0A08, 0x00000000081F0A08, 0x000000003F3C2A28,
     0x00000000287F2A28, 0x00000000FFFCAAA8},
    {0x0000000003000200, 0x0000000704070604, 0x000000040F040604, 0x0000001F1C1F1614, 0x000000143F141614,
     0x0000007F7C7F5654, 0x00000054FF545654},
    {0x0000030003000200, 0x0000000700070200, 0x00000F0C0F0C0A08, 0x0000081F081F0A08, 0x00003F3C3F3C2A28,
     0x0000287F287F2A28, 0x0000FFFCFFFCAAA8},
    {0x0000030003000200, 0x0007040704070604, 0x00040F040F040604, 0x001F1C1F1C1F1614, 0x00143F143F141614,
     0x007F7C7F7C7F5654, 0x0054FF54FF545654},
    {0x0300030003000200, 0x0007000700070200, 0x0F0C0F0C0F0C0A08, 0x081F081F081F0A08, 0x3F3C3F3C3F3C2A28,
     0x287F287F287F2A28, 0x7FFCFFFCFFFCAAA8},
};

/// The same for lines that lack no square of the second column: the squares that M gets, bit 0 being the
/// lowest.
inline constexpr auto lost_squares = [] {
    std::array<std::array<unsigned char, PairGame::max_size>, PairGame::max_size> lost{};
    for (int first = 1; first <= PairGame::max_size; ++first)
        for (int second = 1; second <= PairGame::max_size; ++second)
            for (int square = 1; square <= first; ++square)
                if ((preventable_lines[first - 1][second - 1] & PairGame::line(square, 0)) == 0)
                    lost[first - 1][second - 1] |= static_cast<unsigned char>(1U << (square - 1));
    return lost;
}();

template <class Shape>
class LocalGames {
  public:
    using Bits = typename Shape::Bits;
    static_assert(sizeof(Bits) == 8);

    explicit LocalGames(const Shape& shape);

    static constexpr int unproven = Proofs<Shape>::unproven;

    /// The squares of a column have to fit into a PairGame, and the lines of the board into a word.
    static constexpr bool plays_on(const Shape& shape) {
        return shape.height() <= PairGame::max_size && shape.width() * shape.stride() <= 56;
    }

    /// A bound that is not above `alpha` and holds for M's score after one of some moves of F's, or
    /// `unproven`. Nothing may be urgent after these moves. `square` are those of the moves by their
    /// numbers, as in search.hpp, and `wins` F's threats after each.
    template <class PerMove>
    int upper_bound(int alpha, Bits follower, Bits mask, std::uint32_t moves, const PerMove& square,
                    const PerMove& wins, int ply) const;

  private:
    using Lines = u64;  // a set of lines, not of vertical ones: no board of 56 bits has more than 60
    using Pairs = u64;  // a set of pairs of columns

    static constexpr int max_width = std::min(fourcast::max_width<Shape>, 11);
    static constexpr int max_pairs = max_width * (max_width - 1) / 2;
    static constexpr int max_rows = fixed_height<Shape> != 0 ? fixed_height<Shape> : PairGame::max_size;

    template <class T>
    using PerColumn = std::array<T, max_width>;

    /// What all plans and moves of a node share.
    struct Situation {
        Bits follower;
        Bits mover;
        Bits mask;
        Bits empty;
        Lines open;                // M's
        PerColumn<Lines> missing;  // M's open lines with an empty square in the column
        PerColumn<int> size;
        Lines goals;        // F's open lines with missing squares in at most two columns
        Lines later_goals;  // ... in three
        Pairs goal_pairs;
        Pairs odd;     // exactly one of the two columns has an odd number of empty squares
        Pairs closed;  // one of the two columns is full
    };

    /// A plan, and what it does to the lines of M's.
    struct PlanLines {
        Bits shared;               // leftover squares before the move ...
        Bits shared_above;         // ... and those that moves make
        PerColumn<Lines> blocked;  // lines that lack a square of the column that M does not get
        std::array<Lines, 4> in;   // lines blocked in 0, 1, 2, 3 columns
        Lines with_shared;         // lines through a leftover square
        Lines with_two_shared;
        std::uint32_t vertical;  // columns in which M may get four
        bool odd;                // an odd number of squares is played after the move
        Pairs excluded;          // those with the frozen column
    };

    /// One move, under one plan.
    struct Child {
        int column;
        Bits square;
        Bits wins;    // F's threats after it
        Lines ended;  // lines through the square of the move
        Lines freed;  // lines through the square above, if that is a leftover now
        Lines open;
        std::array<Lines, 3> in;
        Lines goals;
        bool must_win;
    };

    Situation look_at(Bits follower, Bits mask) const;
    PlanLines follow(const Situation& at, Bits rows, Bits thawed) const;
    bool any_pair_holds(const Situation& at, const PlanLines& plan, Child& child, bool must_win) const;
    bool holds(const Situation& at, const PlanLines& plan, const Child& child, int first, int second,
               bool has_goals) const;
    bool leftovers_stop(const PlanLines& plan, const Child& child, Lines lines) const;

    Lines through(int column, Bits squares) const {
        return through_[column]
                       [static_cast<unsigned>(squares >> (column * shape_.stride())) & row_mask_];
    }
    /// The pairs that contain all columns of some squares.
    Pairs pairs_around(Bits squares) const {
        Pairs pairs = all_pairs_;
        for (const int bit : each(squares)) pairs &= pairs_with_[shape_.column_of(bit)];
        return pairs;
    }
    typename PairGame::Column column_after(const Situation& at, const Child& child, int column) const;

    Shape shape_;
    Bits mover_rows_;
    unsigned row_mask_;
    Lines all_lines_ = 0;
    Pairs all_pairs_ = 0;
    std::array<std::array<Lines, 1 << max_rows>, max_width> through_{};  // [column][rows]
    std::array<Bits, 64> squares_{};                                     // of a line
    std::array<u64, 64> rows_{};  // of a line: 4 bits for each column, the row from 1, or 0
    PerColumn<Pairs> pairs_with_{};
    std::array<unsigned char, max_pairs> first_{};
    std::array<unsigned char, max_pairs> second_{};
};

template <class Shape>
LocalGames<Shape>::LocalGames(const Shape& shape)
    : shape_(shape),
      mover_rows_(shape.board() & ~follower_rows(shape)),
      row_mask_((1U << std::min(shape.height(), max_rows)) - 1) {
    if (!plays_on(shape)) return;
    int line = 0;
    for (const int step : directions(shape)) {
        if (step == 1) continue;
        for (const int low : each(fours_from(shape, shape.board(), step))) {
            for (int i = 0; i < 4; ++i) {
                const int bit = low + i * step;
                const int column = shape.column_of(bit);
                const int row = shape.row_of(bit);
                squares_[line] |= only<Bits>(bit);
                rows_[line] |= static_cast<u64>(row + 1) << (4 * column);
                through_[column][1U << row] |= only<Lines>(line);
            }
            all_lines_ |= only<Lines>(line++);
        }
    }
    for (auto& lines : through_)
        for (unsigned rows = 1; rows <= row_mask_; ++rows)
            lines[rows] = lines[lowest(rows)] | lines[without_lowest(rows)];
    int pair = 0;
    for (int first = 0; first < shape.width(); ++first) {
        for (int second = first + 1; second < shape.width(); ++second) {
            first_[pair] = static_cast<unsigned char>(first);
            second_[pair] = static_cast<unsigned char>(second);
            pairs_with_[first] |= only<Pairs>(pair);
            pairs_with_[second] |= only<Pairs>(pair);
            all_pairs_ |= only<Pairs>(pair++);
        }
    }
}

template <class Shape>
auto LocalGames<Shape>::look_at(Bits follower, Bits mask) const -> Situation {
    Situation at;
    at.follower = follower;
    at.mover = follower ^ mask;
    at.mask = mask;
    at.empty = shape_.board() ^ mask;
    at.odd = at.closed = 0;
    Lines ended{0};
    Lines follower_ended{0};
    std::array<Lines, 4> lack{};  // lines that lack squares in at least 1, 2, 3, 4 columns
    for (int i = 0; i < shape_.width(); ++i) {
        ended |= through(i, at.follower);
        follower_ended |= through(i, at.mover);
        const Lines missing = through(i, at.empty);
        at.missing[i] = missing;
        lack[3] |= lack[2] & missing;
        lack[2] |= lack[1] & missing;
        lack[1] |= lack[0] & missing;
        lack[0] |= missing;
        at.size[i] = popcount(at.empty & shape_.column(i));
        at.odd ^= at.size[i] % 2 != 0 ? pairs_with_[i] : 0;
        at.closed |= at.size[i] == 0 ? pairs_with_[i] : 0;
    }
    at.open = all_lines_ & ~ended;
    for (int i = 0; i < shape_.width(); ++i) at.missing[i] &= at.open;
    at.goals = lack[0] & ~lack[2] & ~follower_ended;
    at.later_goals = lack[2] & ~lack[3] & ~follower_ended;
    at.goal_pairs = 0;
    for (const int line : each(at.goals)) at.goal_pairs |= pairs_around(squares_[line] & at.empty);
    return at;
}

/// `rows`: what M gets, empty or not. `thawed`: what is played before the end.
template <class Shape>
auto LocalGames<Shape>::follow(const Situation& at, Bits rows, Bits thawed) const -> PlanLines {
    PlanLines plan;
    const Bits open = playable(shape_, at.mask);
    plan.shared = open & thawed & ~rows;
    plan.shared_above = (open << 1) & shape_.board() & thawed & ~rows;
    const Bits blocked = at.empty & ~rows & ~plan.shared;
    std::array<Lines, 4> least{};  // blocked in at least 1, 2, 3, 4 columns
    plan.with_shared = plan.with_two_shared = 0;
    for (int i = 0; i < shape_.width(); ++i) {
        const Lines here = through(i, blocked);
        plan.blocked[i] = here;
        least[3] |= least[2] & here;
        least[2] |= least[1] & here;
        least[1] |= least[0] & here;
        least[0] |= here;
        const Lines shared = through(i, plan.shared);
        plan.with_two_shared |= plan.with_shared & shared;
        plan.with_shared |= shared;
    }
    plan.in = {at.open & ~least[0], least[0] & ~least[1], least[1] & ~least[2], least[2] & ~least[3]};
    plan.vertical = 0;
    for (const int bit : each(fours_from(shape_, at.mover | (rows & at.empty) | plan.shared, 1)))
        plan.vertical |= only<std::uint32_t>(shape_.column_of(bit));
    plan.odd = popcount(thawed & at.empty) % 2 == 0;
    plan.excluded = 0;
    return plan;
}

template <class Shape>
template <class PerMove>
int LocalGames<Shape>::upper_bound(int alpha, Bits follower, Bits mask, std::uint32_t moves,
                                   const PerMove& square, const PerMove& wins, int ply) const {
    if (!plays_on(shape_)) return unproven;
    const Situation at = look_at(follower, mask);
    std::array<Child, max_width> children;
    int count = 0;
    Bits any_wins{0};
    for (const int i : each(moves)) {
        Child& child = children[count++];
        child.square = square[i];
        child.wins = wins[i];
        any_wins |= wins[i];
        child.column = shape_.column_of(lowest_bit(child.square));
        child.ended = through(child.column, child.square);
        child.open = at.open & ~child.ended;
        child.goals = at.goals | (at.later_goals & child.ended);
    }
    // Nothing is frozen.
    if (alpha >= -1) {
        const PlanLines plan = follow(at, mover_rows_, shape_.board());
        for (int i = 0; i < count; ++i) {
            const bool must_win = plan.odd || alpha < 0;
            if (any_pair_holds(at, plan, children[i], must_win)) return must_win ? -1 : 0;
        }
    }
    // One column is frozen below a threat of F's.
    for (const int bit : each(any_wins)) {
        const Bits threat = only<Bits>(bit);
        const int frozen = shape_.column_of(bit);
        const Bits column = shape_.column(frozen);
        const Bits below = (threat >> 1) - 1;
        const Bits thawed = ~column | below;
        const int loss = -win_score(shape_.cells(), ply + popcount(at.empty & thawed) + 2);
        if (loss > alpha) continue;
        const Bits frozen_rows = (threat & mover_rows_) != 0 ? ~mover_rows_ : mover_rows_;
        const Bits rows = (mover_rows_ & ~column) | (frozen_rows & column & (below | (threat >> 1)));
        PlanLines plan = follow(at, rows, thawed);
        plan.excluded = pairs_with_[frozen];
        for (int i = 0; i < count; ++i)
            if ((children[i].wins & threat) != 0 && any_pair_holds(at, plan, children[i], plan.odd))
                return loss;
    }
    return unproven;
}

/// True if M gets no four after the move, if F follows the plan but for some two columns.
template <class Shape>
bool LocalGames<Shape>::any_pair_holds(const Situation& at, const PlanLines& plan, Child& child,
                                       bool must_win) const {
    const int own = child.column;
    child.must_win = must_win;
    child.freed = through(own, plan.shared_above);
    child.in = {child.open & (plan.in[0] | (plan.in[1] & child.freed)),
                child.open & ((plan.in[1] & ~child.freed) | (plan.in[2] & child.freed)),
                child.open & ((plan.in[2] & ~child.freed) | (plan.in[3] & child.freed))};
    // Lines that leftover squares cannot stop.
    const Lines strict = child.in[0] & ~(plan.with_two_shared | (plan.with_shared & child.freed));
    // The other columns have to pair up without the two.
    const Pairs odd = at.odd ^ pairs_with_[own];
    Pairs pairs = all_pairs_ & (plan.odd ? odd : ~odd) & ~at.closed & ~plan.excluded;
    if (at.size[own] == 1) pairs &= ~pairs_with_[own];
    // The move itself has put an end to a four in its own column.
    for (const int column : each(plan.vertical & ~only<std::uint32_t>(own)))
        pairs &= pairs_with_[column];
    if (pairs == 0) return false;
    Pairs goal_pairs = at.goal_pairs;
    for (const int line : each(child.goals & child.ended))
        goal_pairs |= pairs_around(squares_[line] & at.empty & ~child.square);
    // With so many lines to stop, it rarely works without a goal.
    if (must_win || popcount(strict) > 2) pairs &= goal_pairs;
    for (const int pair : each(pairs)) {
        const int first = first_[pair];
        const int second = second_[pair];
        if ((strict & ~(at.missing[first] | at.missing[second])) != 0) continue;
        if (holds(at, plan, child, first, second, contains(goal_pairs, pair))) return true;
    }
    return false;
}

/// A column after the move.
template <class Shape>
typename PairGame::Column LocalGames<Shape>::column_after(const Situation& at, const Child& child,
                                                          int column) const {
    int run = 0;
    const bool moved = column == child.column;
    const Bits follower = at.follower | (moved ? child.square : Bits{0});
    Bits top = shape_.square(column, shape_.height() - at.size[column] + moved) >> 1;
    if ((top & shape_.column(column)) == 0) return {at.size[column] - moved, 0};
    const bool of_follower = (follower & top) != 0;
    const Bits discs = (of_follower ? follower : at.mover) & shape_.column(column);
    for (; (discs & top) != 0 && run < 3; top >>= 1) ++run;
    return {at.size[column] - moved, of_follower ? -run : run};
}

/// The same with these two columns, which every line of M's that leftover squares cannot stop needs.
template <class Shape>
bool LocalGames<Shape>::holds(const Situation& at, const PlanLines& plan, const Child& child, int first,
                              int second, bool has_goals) const {
    const Lines freed_first = first == child.column ? child.freed : 0;
    const Lines freed_second = second == child.column ? child.freed : 0;
    const Lines blocked_first = plan.blocked[first] & ~freed_first;
    const Lines blocked_second = plan.blocked[second] & ~freed_second;
    const Lines missing_first = at.missing[first];
    const Lines missing_second = at.missing[second];
    const Lines left = child.in[0] | (child.in[1] & (blocked_first | blocked_second)) |
                       (child.in[2] & blocked_first & blocked_second);
    const Lines needs = left & (missing_first | missing_second);
    const int size_first = at.size[first] - (first == child.column);
    const int size_second = at.size[second] - (second == child.column);
    const int height_first = shape_.height() - size_first;
    const int height_second = shape_.height() - size_second;
    // Most pairs fail here: M gets the one square of a line in the two columns. With goals F may prevent
    // that, but not if M can take it at once.
    const unsigned lost_first = has_goals ? 1U : lost_squares[size_first - 1][size_second - 1];
    const unsigned lost_second = has_goals ? 1U : lost_squares[size_second - 1][size_first - 1];
    const Lines lost = (through_[first][(lost_first << height_first) & row_mask_] & ~missing_second) |
                       (through_[second][(lost_second << height_second) & row_mask_] & ~missing_first);
    if ((needs & lost) != 0) return false;

    const auto name = [&](int line) {
        const int row_first = static_cast<int>(rows_[line] >> (4 * first) & 15) - height_first;
        const int row_second = static_cast<int>(rows_[line] >> (4 * second) & 15) - height_second;
        return PairGame::line(std::max(row_first, 0), std::max(row_second, 0));
    };
    PairGame::LineSet need_set = 0;
    for (const int line : each(needs)) need_set |= name(line);
    PairGame::LineSet goal_set = 0;
    if (has_goals) {
        const Bits elsewhere = at.empty & ~child.square & ~shape_.column(first) & ~shape_.column(second);
        for (const int line : each(child.goals))
            if ((squares_[line] & elsewhere) == 0) goal_set |= name(line);
    } else if ((need_set & ~preventable_lines[size_first - 1][size_second - 1]) != 0) {
        return false;
    }
    PairGame game(column_after(at, child, first), column_after(at, child, second), child.must_win);
    if (!game.holds(need_set, goal_set)) return false;
    const Lines outside = child.in[0] & ~(missing_first | missing_second);
    return outside == 0 || leftovers_stop(plan, child, outside);
}

/// Pairs of leftover squares stop all of these lines, which lack no square of the two columns.
template <class Shape>
bool LocalGames<Shape>::leftovers_stop(const PlanLines& plan, const Child& child, Lines lines) const {
    const Bits own = shape_.column(child.column);
    const Bits shared = (plan.shared & ~own) | (plan.shared_above & own);
    return Proofs<Shape>::can_stop(lines, [&](int line) { return squares_[line] & shared; });
}

}  // namespace FOURCAST_KERNEL
}  // namespace fourcast
