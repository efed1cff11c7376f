// The search of the last squares of a game, and of whether there is a quick win.
//
// It answers the questions of search.hpp with those of its ideas that pay where a node has few
// descendants. It leaves out the table that threads share, mirrored keys, the lookahead, the proofs of
// single children, and most features of the order; it adds `hold` (proofs.hpp). So it visits a few more
// nodes, each in little more than half the time.
#pragma once

#include <algorithm>
#include <array>
#include <type_traits>
#include <utility>

#include "move_queue.hpp"
#include "narrow_shape.hpp"
#include "nodes.hpp"
#include "ordering.hpp"
#include "proofs.hpp"
#include "run.hpp"
#include "table.hpp"

namespace fourcast {
inline namespace FOURCAST_KERNEL {

/// The endgame begins with this many empty squares. Earlier, what is left out here saves more than it
/// costs.
inline constexpr int endgame_empties = 20;

inline u64 table_hash(u64 key) { return key * 0x9E3779B97F4A7C15U; }

/// 8 bytes that hold a key of up to 56 bits of a position near the end, and its bounds: as exact as a
/// slot of 16 bytes. If a key has 64 bits, its first 8 are left out. Keys that differ in these alone
/// have hashes that differ in the first 8 bits: the factor is odd. So the place of the slot says them.
class EndSlot {
  public:
    /// Bounds are within -8 .. 7 with this many empty squares.
    static constexpr int max_empties = 16;
    /// How many bits of the hash the place has to say if keys have 64 bits.
    static constexpr int least_index_bits = 8;

    static EndSlot make(u64 key, Bounds bounds) {
        return EndSlot((key & ((u64{1} << key_bits) - 1)) |
                       (static_cast<u64>(bounds.lower + offset) << key_bits) |
                       (static_cast<u64>(bounds.upper + offset) << (key_bits + 4)));
    }
    bool matches(u64 key) const { return ((word_ ^ key) << (64 - key_bits)) == 0; }
    Bounds bounds() const {
        return {static_cast<int>((word_ >> key_bits) & 15) - offset,
                static_cast<int>(word_ >> (key_bits + 4)) - offset};
    }

  private:
    static constexpr int key_bits = NarrowContent::key_bits;
    static constexpr int offset = 8;
    explicit EndSlot(u64 word) : word_(word) {}
    u64 word_;
};

/// What one thread remembers of the end: so small that it stays in the processor's cache. What comes
/// last replaces what was there.
///
/// Being given pages by the system takes longer than many a search. So the table begins with few slots,
/// and doubles them whenever it could be full; half of what it holds is then in the right place.
template <class Slot, int log2_slots>
class OwnTable {
  public:
    /// With all slots from the start if `grows` is false.
    explicit OwnTable(bool grows)
        : pages_(sizeof(Slot) << log2_slots), slots_(static_cast<Slot*>(pages_.start())) {
        if (!grows) mask_ = most;
    }

    template <class SlotKey>
    const Slot& slot(const SlotKey& key) const {
        return slots_[place(key)];
    }
    template <class SlotKey>
    void store(const SlotKey& key, const Slot& content) {
        slots_[place(key)] = content;
        if (++stored_ > mask_ && mask_ != most) {
            mask_ = 2 * mask_ + 1;
            stored_ = 0;
        }
    }

  private:
    static constexpr u64 most = (u64{1} << log2_slots) - 1;

    template <class SlotKey>
    u64 place(const SlotKey& key) const {
        return (table_hash(key) >> (64 - log2_slots)) & mask_;
    }

    u64 mask_ = 511;  // one less than the number of slots in use
    u64 stored_ = 0;  // since there were so many
    Pages pages_;
    Slot* slots_;
};

template <class Shape>
class Endgame {
  public:
    using Bits = typename Shape::Bits;
    static_assert(sizeof(Bits) == 8);

    Endgame(const Shape& shape, const Features& features, Watch& watch)
        : shape_(shape),
          proofs_(shape),
          watch_(watch),
          features_(features),
          all_features_(features == Features{}),
          late_table_(!whole_word),
          table_(!whole_word) {
        if constexpr (Moves::by_column)
            for (int i = 0; i < shape.width(); ++i) columns_[i] = shape.column(i);
        const Ordering<Shape> order(shape, features.learned_order);
        for (int i = 0; i < Weights::classes; ++i) weights_[i] = order.few_weights(i);
    }

    /// As Search::search. The number of empty squares must leave it open whether the score is greater
    /// than alpha.
    int search(const Node<Bits>& node, int alpha) {
        const auto& [mover, mask, mover_wins, opponent_wins, ply] = node;
        const int empties = shape_.cells() - ply;
        return all_features_ ? search<true>(mover, mask, mover_wins, opponent_wins, empties, alpha)
                             : search<false>(mover, mask, mover_wins, opponent_wins, empties, alpha);
    }

    /// What is remembered of a node.
    Bounds known(const Node<Bits>& node) const {
        const auto& [mover, mask, mover_wins, opponent_wins, ply] = node;
        const int empties = shape_.cells() - ply;
        Bounds bounds{worst_score(empties), best_score(empties)};
        if (!features_.table || empties <= no_table_empties) return bounds;
        if (empties <= late_empties) {
            const u64 key = late_key(mover, mask);
            const EndSlot& slot = late_table_.slot(key);
            return slot.matches(key) ? slot.bounds() : bounds;
        }
        const Key<Bits> key = key_of(features_, mover, mask, mover_wins, opponent_wins);
        const auto& slot = table_.slot(key);
        return slot.matches(key) ? slot.bounds() : bounds;
    }

  private:
    // Near the end the simplest key is the best, and in the end none. Both tables together take 320 KB:
    // twice as many slots save 3% of the nodes, and cost more time than that where the processor's own
    // cache is no larger than half a megabyte.
    static constexpr int no_table_empties = 6;
    static constexpr int late_empties = 10;
    static constexpr int log2_late_slots = 13;
    static constexpr int log2_slots = 14;
    // The place of a slot says what it has no room for: then it has to say as much from the start.
    static constexpr bool whole_word = takes_whole_word<Shape>;
    using Slot = std::conditional_t<whole_word, WordContent<log2_slots>, NarrowContent>;
    static_assert(late_empties <= EndSlot::max_empties && log2_late_slots >= EndSlot::least_index_bits);

    // With more squares to wait in than these, `hold` succeeds in less than one of a hundred nodes.
    static constexpr int hold_empties = 14;
    static constexpr int child_hold_empties = 16;

    using Moves = MoveLanes<Shape>;
    using Vector = typename Moves::Vector;

    template <bool all>
    int search(Bits mover, Bits mask, Bits mover_wins, Bits opponent_wins, int empties, int alpha);
    bool generate(Bits mover, Bits mask, Bits safe, Moves& moves) const;
    bool any_child_never_wins(Bits opponent, Bits mask, const Moves& moves) const;
    bool any_child_holds(Bits reach, const Moves& moves) const;

    /// The search of a node that may be settled by the number of its empty squares.
    template <bool all>
    int search_if_open(Bits mover, Bits mask, Bits mover_wins, Bits opponent_wins, int empties,
                       int alpha) {
        if (empties <= drawn_empties) return 0;
        if (alpha >= best_score(empties)) return best_score(empties);
        if (alpha < worst_score(empties)) return worst_score(empties);
        return search<all>(mover, mask, mover_wins, opponent_wins, empties, alpha);
    }

    /// The value of a move of `own` after which `other` has to take the square `urgent`, and can.
    template <bool all>
    [[gnu::always_inline]] int search_forced(Bits own, Bits other, Bits mask, Bits own_wins, Bits urgent,
                                             int empties, int alpha) {
        for (int sign = 1;; sign = -sign) {
            // The one reply. Then `own` is to move, and cannot win at once.
            other |= urgent;
            mask |= urgent;
            own_wins &= ~urgent;
            --empties;
            const Bits other_wins = threats(shape_, other, mask);
            const Bits open = playable(shape_, mask);
            const Bits safe = open & ~(other_wins >> 1);
            urgent = other_wins & open;
            if (open == 0) return 0;
            const bool lost = urgent == 0 ? safe == 0 : more_than_one(urgent) || (urgent & safe) == 0;
            if (lost) return -sign * loss_at_once(empties, 0);
            if (urgent == 0)
                return sign * search_if_open<all>(own, mask, own_wins, other_wins, empties,
                                                  sign > 0 ? alpha : -alpha - 1);
            std::swap(own, other);
            own_wins = other_wins;
        }
    }

    /// Tells all positions apart.
    u64 late_key(Bits mover, Bits mask) const { return mover | (mask + shape_.bottom()); }
    Key<Bits> key_of(const Features& features, Bits mover, Bits mask, Bits mover_wins,
                     Bits opponent_wins) const {
        return features.dead_discs ? make_key(shape_, mover, mask, mover_wins, opponent_wins)
                                   : make_plain_key(shape_, mover, mask);
    }

    Shape shape_;
    Proofs<Shape> proofs_;
    Watch& watch_;
    Features features_;
    bool all_features_;
    OwnTable<EndSlot, log2_late_slots> late_table_;
    OwnTable<Slot, log2_slots> table_;
    typename Moves::Lanes columns_{};
    std::array<typename Ordering<Shape>::FewWeights, Weights::classes> weights_;
};

/// Find what becomes of the moves to `safe` squares. True if one of them wins by force: whatever the
/// opponent replies, the mover's next disc wins.
template <class Shape>
[[gnu::always_inline]] inline bool Endgame<Shape>::generate(Bits mover, Bits mask, Bits safe,
                                                            Moves& moves) const {
    Vector winning{};
    Bits rest = safe;
    int lane = 0;
    do {
        Vector square{};
        if constexpr (Moves::by_column) {
            square = safe & Moves::load(columns_, lane);
            rest = 0;
        } else {
            for (int i = 0; i < Moves::per_vector; ++i) {
                square[i] = lowest(rest);
                rest = without_lowest(rest);
            }
        }
        const Vector after = mask | square;
        const Vector wins = threats(shape_, mover | square, after);
        const Vector open = playable(shape_, after);
        const Vector urgent = wins & open;
        const Vector good = open & ~(wins >> 1);
        const Vector replies = Moves::where_zero(urgent, good) | (urgent & good);
        const Vector stopped = Moves::where_zero(without_lowest(urgent), square);
        winning |= Moves::where_zero(replies, square) | (square ^ stopped);
        Moves::store(square, moves.square, lane);
        Moves::store(wins, moves.wins, lane);
        Moves::store(urgent, moves.urgent, lane);
        lane += Moves::per_vector;
    } while (rest != 0);
    moves.used = lane;
    return Moves::any(winning);
}

/// As in search.hpp: true if after some move the opponent provably never wins, asked if the number of
/// empty squares is odd.
template <class Shape>
[[gnu::always_inline]] inline bool Endgame<Shape>::any_child_never_wins(Bits opponent, Bits mask,
                                                                        const Moves& moves) const {
    Vector any{};
    for (int i = 0; i < moves.used; i += Moves::per_vector) {
        const Vector square = Moves::load(moves.square, i);
        const Vector fours = proofs_.fours_left(opponent, mask | square);
        any |= Moves::where_zero(fours | Moves::load(moves.urgent, i), square);
    }
    return Moves::any(any);
}

/// True if some move that forces nothing leaves no four in `reach`.
template <class Shape>
[[gnu::always_inline]] inline bool Endgame<Shape>::any_child_holds(Bits reach,
                                                                   const Moves& moves) const {
    Vector any{};
    for (int i = 0; i < moves.used; i += Moves::per_vector) {
        const Vector square = Moves::load(moves.square, i);
        const Vector left = reach & ~square;
        const Vector fours =
            over_directions(shape_, [&](const auto& step) { return fours_from(shape_, left, step); });
        any |= Moves::where_zero(fours | Moves::load(moves.urgent, i), square);
    }
    return Moves::any(any);
}

template <class Shape>
template <bool all>
int Endgame<Shape>::search(Bits mover, Bits mask, Bits mover_wins, Bits opponent_wins, int empties,
                           int alpha) {
    // What the compiler knows is not looked up in every node.
    const Features features = all ? Features{} : features_;
    // The steps have the numbers of those in search.hpp; step 1 was the caller's.
    // Step 2. Count the node, and give up if a limit is reached.
    if (!watch_.count_node()) return 0;

    // Step 3. What is remembered of this position.
    const bool use_table = features.table && empties > no_table_empties;
    const bool late = empties <= late_empties;
    Bounds bounds{worst_score(empties), best_score(empties)};
    Key<Bits> key{0, 0};
    if (use_table) {
        if (late) {
            key.first = late_key(mover, mask);
            const EndSlot& slot = late_table_.slot(key.first);
            if (slot.matches(key.first)) bounds = slot.bounds();
        } else {
            key = key_of(features, mover, mask, mover_wins, opponent_wins);
            const auto& slot = table_.slot(key);
            if (slot.matches(key)) bounds = slot.bounds();
        }
        if (bounds.upper <= alpha) return bounds.upper;
        if (bounds.lower > alpha) return bounds.lower;
    }

    // Step 5, before step 4: here it is more likely that a move wins by force than that a proof is
    // found.
    const int ply = shape_.cells() - empties;
    const Bits opponent = mover ^ mask;
    const Bits safe = playable(shape_, mask) & ~(opponent_wins >> 1);
    Moves moves;
    if (generate(mover, mask, safe, moves)) return best_score(empties);

    // Step 4. Static proofs that the score is not greater than alpha.
    if (features.proofs) {
        const int bound = proofs_.upper_bound(alpha, mover, mask, opponent_wins, ply);
        if (bound <= alpha) return bound;
    }
    if (features.hold && alpha >= 0 && empties <= hold_empties) {
        const int bound = proofs_.hold(alpha, mover, mask, mover_wins, ply);
        if (bound <= alpha) return bound;
    }

    // Step 6. A move after which the opponent gets no more than -alpha - 1, for all of them at once.
    if (features.child_proofs && alpha < 0 && empties % 2 != 0 &&
        any_child_never_wins(opponent, mask, moves))
        return 0;
    if (features.hold && alpha < 0 && empties <= child_hold_empties) {
        // All these moves leave the opponent the same threats, and as many squares to wait in: so what
        // holds after the first one holds after all of them, up to the squares of the moves.
        const auto [bound, reach] =
            proofs_.hold_plan(opponent, mask | lowest(safe), opponent_wins, ply + 1);
        if (-bound > alpha && any_child_holds(reach | lowest(safe), moves)) return -bound;
    }

    // Step 11. Put the moves in order.
    MoveQueue<Shape> queue(shape_,
                           {weights_[Ordering<Shape>::class_of(empties, alpha)], mask, safe,
                            opponent_wins << 1, proofs_.rows_of(empties % 2 == 0)},
                           moves);

    // Steps 7 and 12. Play them, and the replies that they force, until one is good enough.
    int best = worst_score(empties);
    do {
        const int lane = queue.take();
        const Bits square = moves.square[lane];
        const Bits wins = moves.wins[lane];
        const Bits urgent = moves.urgent[lane];
        const int value = urgent != 0 ? search_forced<all>(mover | square, opponent, mask | square, wins,
                                                           urgent, empties - 1, alpha)
                                      : -search_if_open<all>(opponent, mask | square, opponent_wins,
                                                             wins, empties - 1, -alpha - 1);
        if (watch_.stopped()) return 0;
        best = std::max(best, value);
    } while (best <= alpha && queue.find_next());

    // Step 13. Remember what was proven.
    if (use_table) {
        if (best > alpha)
            bounds.lower = best;
        else
            bounds.upper = std::min(bounds.upper, best);
        if (late)
            late_table_.store(key.first, EndSlot::make(key.first, bounds));
        else
            table_.store(key, Slot::make(key, bounds, 0));
    }
    return best;
}

}  // namespace FOURCAST_KERNEL
}  // namespace fourcast
