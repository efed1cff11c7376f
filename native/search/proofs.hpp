// Static proofs that the side to move cannot do better than a given score.
//
// The mover M is to move and cannot win at once; the follower F has no threat that M must answer now.
// F follows a plan that never looks ahead:
//
//   * Follow up (claimeven). When M plays in a column, F plays the square above. Seen from the top of
//     the column down, F gets the first square, the third, ...: `follower_rows`. M gets the others.
//   * Pair up. In a column with an odd number of empty squares the lowest one is left over. Two such
//     columns make a pair: if M takes the lowest square of one, F takes that of the other. M gets one
//     of the two, and F does not know which. What is left of both columns is even, and followed up.
//   * Freeze. F may leave a column alone from the square below one of F's threats on. If M plays there,
//     F wins. So M gets at most that one square, and only as the last disc.
//
// The plan works when the number of leftover squares is even: then it is M who runs out of moves. If no
// four of M fits into M's discs and what the plan leaves to M, M does not win; if a column is frozen M
// has to play into it in the end and loses, by a disc whose number is known. Where a four does fit, the
// plan still says how many discs M needs for it, so it bounds how soon M wins.
#pragma once

#include <algorithm>
#include <array>

#include "board/score.hpp"
#include "board/threats.hpp"

namespace fourcast {
inline namespace FOURCAST_KERNEL {

/// What the follower's plan leaves to the mover.
template <class Bits>
struct Plan {
    Bits gets;    // empty squares that the mover may get
    Bits shared;  // leftover squares: the mover gets one of each pair
};

template <class Shape>
class Proofs {
  public:
    using Bits = typename Shape::Bits;

    explicit constexpr Proofs(const Shape& shape)
        : shape_(shape), mover_rows_(shape.board() & ~follower_rows(shape)) {}

    /// The plan without frozen columns. `Set` may also be a vector of sets.
    template <class Set>
    constexpr Plan<Set> follow_up(Set mask) const {
        const Set empty = shape_.board() ^ mask;
        return {empty & mover_rows_, playable(shape_, mask) & ~mover_rows_};
    }

    /// A quick test, good for many positions at once: the lowest squares of the fours that are left to
    /// the mover, if the mover got every leftover square. If there are none, and the number of leftover
    /// squares is even, the mover never wins.
    template <class Set>
    constexpr Set fours_left(Bits mover, Set mask) const {
        const auto plan = follow_up(mask);
        const Set reach = mover | plan.gets | plan.shared;
        return over_directions(shape_,
                               [&](const auto& step) { return fours_from(shape_, reach, step); });
    }

    /// Larger than every score.
    static constexpr int unproven = 1000;

    /// A proven upper bound of the mover's score that is not above `alpha`, or `unproven`.
    int upper_bound(int alpha, Bits mover, Bits mask, Bits follower_wins, int ply) const {
        const auto plan = follow_up(mask);
        if (alpha >= -1 && pairs_up(plan) && (alpha >= 0 || follower_completes(plan, mover, mask))) {
            const int bound = bound_of(plan, std::min(alpha, 0), alpha, mover, ply);
            if (bound != unproven) return bound;
        }
        if (follower_wins == 0 || (alpha < -1 && most_frozen(follower_wins) < -2 * alpha))
            return unproven;
        return freeze_some(alpha, mover, mask, follower_wins, ply);
    }

    /// What F can hold by never playing right below a threat of M's while anything else is left.
    ///
    /// `reach` is what M could then have without such a threat; if there is no four in it, M wins only
    /// on one of the threats, the lowest of its column, and the score is at most `bound`.
    struct Hold {
        int bound;
        Bits reach;
    };
    Hold hold_plan(Bits mover, Bits mask, Bits mover_wins, int ply) const {
        const Bits empty = shape_.board() ^ mask;
        const Bits higher = above(shape_, mover_wins);
        const Bits lowest_wins = mover_wins & ~higher;
        const Bits reach = mover | (empty & ~lowest_wins);
        if (lowest_wins == 0) return {0, reach};
        // F plays in these squares. M may play below a threat at any time; F then takes the threat.
        const int rest = popcount(empty & ~lowest_wins & ~(lowest_wins >> 1) & ~higher);
        // When they are full, and it is M's turn, M must give up a threat.
        if (!more_than_one(lowest_wins) && rest % 2 == 0) return {0, reach};
        return {win_score(shape_.cells(), ply + rest + 2), reach};
    }
    int hold(int alpha, Bits mover, Bits mask, Bits mover_wins, int ply) const {
        const auto [bound, reach] = hold_plan(mover, mask, mover_wins, ply);
        return bound <= alpha && !has_four(shape_, reach) ? bound : unproven;
    }

    /// True if leftover squares can be paired so that each of these lines needs both squares of a pair.
    /// `leftovers(line)` are those that the line needs.
    template <class Leftovers>
    static bool can_stop(u64 lines, Leftovers leftovers) {
        std::array<Bits, max_needs> needs;
        int count = 0;
        for (const int line : each(lines)) {
            const Bits need = leftovers(line);
            if (!more_than_one(need) || count == max_needs) return false;
            needs[count++] = need;
        }
        std::array<Bits, max_needs> pairs;
        return can_pair(needs, count, pairs);
    }

    /// The rows that M gets if F follows up, or those that F gets.
    constexpr Bits rows_of(bool of_mover) const {
        return of_mover ? mover_rows_ : shape_.board() & ~mover_rows_;
    }

  private:
    static constexpr int max_needs = 8;

    static constexpr bool pairs_up(const Plan<Bits>& plan) { return popcount(plan.shared) % 2 == 0; }

    /// With no column frozen the board fills up. True if F's own squares then hold a four, so that M
    /// loses. (That it is complete early enough for a loss by more can hardly ever be shown.)
    ///
    /// `sure` are the squares that F gets in every game by the plan: those of F's rows that are not
    /// leftovers. Which leftovers F gets is up to M, but after them every column is filled in pairs as
    /// before.
    bool follower_completes(const Plan<Bits>& plan, Bits mover, Bits mask) const {
        const Bits sure = (shape_.board() ^ mask) & ~plan.gets & ~plan.shared;
        return has_four(shape_, (mover ^ mask) | sure);
    }

    /// A threat of F's, and the column that may be frozen below it.
    struct Freezable {
        Bits column;
        Bits square;
    };
    static constexpr int max_freezable = 8;

    /// Fills in the lowest threat of each column, and the lowest one of the other parity. Returns how
    /// many there are.
    int find_freezable(Bits follower_wins, std::array<Freezable, max_freezable>& found) const {
        int count = 0;
        for (Bits rest = follower_wins; rest != 0 && count < max_freezable;) {
            const Bits square = lowest(rest);
            const Bits column = shape_.column(shape_.column_of(lowest_bit(rest)));
            found[count++] = {column, square};
            const Bits same_parity = (square & mover_rows_) != 0 ? mover_rows_ : ~mover_rows_;
            const Bits others = rest & column & ~same_parity;
            if (others != 0 && count < max_freezable) found[count++] = {column, lowest(others)};
            rest &= ~column;
        }
        return count;
    }

    /// The number of squares that are left when M runs out of moves, if every column with a threat of
    /// F's is frozen, as low as possible. A loss by one takes two of them, a loss by two four, and so
    /// on.
    int most_frozen(Bits follower_wins) const {
        return popcount(at_or_above(shape_, follower_wins >> 1));
    }

    /// Try to freeze columns at F's threats, one square a column or none. A call of its own: inlined, it
    /// would put its sets of columns on the stack of every level of the search.
    [[gnu::noinline]] int freeze_some(int alpha, Bits mover, Bits mask, Bits follower_wins,
                                      int ply) const {
        std::array<Freezable, max_freezable> freezable;
        const int count = find_freezable(follower_wins, freezable);
        const Bits empty = shape_.board() ^ mask;
        const Bits open = playable(shape_, mask);
        if (alpha <= 0) {
            // What M gets in the other columns is the same in every plan; is that enough for a four?
            Bits threatened{0};
            for (int i = 0; i < count; ++i) threatened |= freezable[i].column;
            if (has_four(shape_, mover | (empty & mover_rows_ & ~threatened))) return unproven;
        }
        // What each set of them does: one of them, and the others, whose number is smaller.
        struct Frozen {
            Bits columns;
            Bits squares;  // that are not played before the end
            Bits gets;     // what M gets in these columns
        };
        std::array<Frozen, 1 << max_freezable> frozen;
        frozen[0] = {0, 0, 0};
        for (unsigned choice = 1; choice < (1U << count); ++choice) {
            const auto& [column, square] = freezable[lowest_bit(choice)];
            const Frozen& others = frozen[without_lowest(choice)];
            const bool twice = (others.columns & column) != 0;
            const Bits below = (square >> 1) - 1;  // every square before the one under the threat
            const Bits rows = (square & mover_rows_) != 0 ? ~mover_rows_ : mover_rows_;
            const Frozen& all = frozen[choice] = {
                twice ? ~Bits{0} : others.columns | column, others.squares | (column & ~below),
                others.gets | (rows & column & (below | (square >> 1)))};
            if (twice) continue;
            const Bits gets = (mover_rows_ & ~all.columns) | all.gets;
            const Bits thawed = empty & ~all.squares;
            const Plan<Bits> plan{gets & empty, open & thawed & ~gets};
            if (!pairs_up(plan)) continue;
            const int loses_at = ply + popcount(thawed) + 2;
            const int loss = -win_score(shape_.cells(), loses_at);
            if (loss > alpha) continue;
            const int bound = bound_of(plan, loss, alpha, mover, ply);
            if (bound != unproven) return bound;
        }
        return unproven;
    }

    /// What the mover can get against a plan: `otherwise` if no four is left, or the worth of the best
    /// one. `unproven` if that may be more than `alpha`.
    int bound_of(const Plan<Bits>& plan, int otherwise, int alpha, Bits mover, int ply) const {
        const Bits reach = mover | plan.gets | plan.shared;
        std::array<Bits, 4> fours;
        Bits any{0};
        const auto steps = directions(shape_);
        for (int d = 0; d < 4; ++d) any |= fours[d] = fours_from(shape_, reach, steps[d]);
        if (any == 0) return otherwise;
        if (alpha <= 0 && has_four(shape_, mover | plan.gets)) return unproven;

        // F has to pair the leftover squares so that each four that comes soon enough to matter needs
        // both squares of a pair, of which M gets one.
        int bound = otherwise;
        const DiscsNeeded discs_needed(shape_, plan);
        std::array<Bits, max_needs> needs;
        int count = 0;
        for (int d = 0; d < 4; ++d) {
            for (const int low : each(fours[d])) {
                const Bits four = four_from(shape_, only<Bits>(low), steps[d]);
                if (alpha > 0) {
                    const int discs = discs_needed(four & ~mover);
                    const int worth = win_score(shape_.cells(), ply + 2 * discs - 1);
                    if (worth <= alpha) {
                        bound = std::max(bound, worth);
                        continue;
                    }
                }
                const Bits need = four & plan.shared;
                if (!more_than_one(need) || count == max_needs) return unproven;
                needs[count++] = need;
            }
        }
        std::array<Bits, max_needs> pairs;
        return can_pair(needs, count, pairs) ? bound : unproven;
    }

    /// How many discs M has to play at least to get some squares, if F follows a plan.
    ///
    /// Every column has to be filled up to the square. The squares in there that are M's by the plan
    /// take a disc of M's each; they are every second one. A leftover square is filled by M, or by F's
    /// answer on the other square of its pair: one disc of M's fills two of them, so at least half as
    /// many are needed.
    class DiscsNeeded {
      public:
        DiscsNeeded(const Shape& shape, const Plan<Bits>& plan)
            : after_leftover_(at_or_above(shape, plan.shared)), most_((shape.height() + 1) / 2) {
            Bits squares = at_or_above(shape, plan.gets);
            for (int i = 0; i < most_; ++i, squares = (squares << 2) & shape.board() & ~shape.bottom())
                after_[i] = squares;
        }
        int operator()(Bits missing) const {
            // Of several missing squares of a column, in a vertical four, the highest stands for all.
            const Bits tops = missing & ~(missing >> 1);
            int discs = 0;
            for (int i = 0; i < most_; ++i) discs += popcount(tops & after_[i]);
            return discs + (popcount(tops & after_leftover_) + 1) / 2;
        }

      private:
        // What is not below the first, second, ... square of M's in its column. A board is at least
        // four squares wide.
        std::array<Bits, sizeof(Bits)> after_;
        Bits after_leftover_;
        int most_;
    };

    /// True if disjoint pairs can be chosen so that each of `needs` holds one of them whole. A pair may
    /// serve several needs: M gets one of its squares, so M gets none of these sets whole.
    static bool can_pair(const std::array<Bits, max_needs>& needs, int count,
                         std::array<Bits, max_needs>& pairs, int done = 0, Bits used = 0) {
        if (done == count) return true;
        const Bits need = needs[done];
        pairs[done] = 0;
        for (int i = 0; i < done; ++i)
            if (pairs[i] != 0 && (pairs[i] & ~need) == 0)
                return can_pair(needs, count, pairs, done + 1, used);
        for (Bits rest = need & ~used; rest != 0; rest = without_lowest(rest)) {
            for (const Bits partner : each_square(without_lowest(rest))) {
                pairs[done] = lowest(rest) | partner;
                if (can_pair(needs, count, pairs, done + 1, used | pairs[done])) return true;
            }
        }
        return false;
    }

    Shape shape_;
    Bits mover_rows_;
};

}  // namespace FOURCAST_KERNEL
}  // namespace fourcast
