// The search: is the score of a position greater than alpha?
//
// Every call is such a question (a null window). Positions at which the search really has to branch are
// its nodes: the side to move can not win at once, need not stop a win, and has a move that does not
// lose at once. Everything in between, forced replies included, is played out in the parent.
#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <type_traits>
#include <utility>

#include "engine.hpp"
#include "key.hpp"
#include "ordering.hpp"
#include "proofs.hpp"
#include "score.hpp"

namespace fourcast {
inline namespace FOURCAST_KERNEL {

/// What the training of the move order sees: all children of some nodes, searched, and what each cost.
class Recorder {
  public:
    struct Sample {
        std::array<signed char, feature_count> features;
        u64 nodes;
        bool cuts;
    };
    virtual bool wants(int empties) = 0;
    virtual void take(int order_class, int empties, const Sample* samples, int count) = 0;

  protected:
    ~Recorder() = default;
};

/// Where the threads of one search are, so that they keep out of each other's way: a thread that finds
/// a child taken does the other children first. Advice only, a wrong mark costs time and nothing else.
class Whereabouts {
  public:
    template <class Bits>
    bool is_taken(const Key<Bits>& key) const {
        return mark(key).load(std::memory_order_relaxed) == tag(key);
    }
    template <class Bits>
    void enter(const Key<Bits>& key) {
        mark(key).store(tag(key), std::memory_order_relaxed);
    }
    template <class Bits>
    void leave(const Key<Bits>& key) {
        mark(key).store(0, std::memory_order_relaxed);
    }

  private:
    static constexpr std::size_t size = 4096;
    template <class Bits>
    static u64 tag(const Key<Bits>& key) {
        return static_cast<u64>(key.first * 3 + key.second) | 1;
    }
    template <class Bits>
    std::atomic<u64>& mark(const Key<Bits>& key) const {
        return marks_[(tag(key) * 0x9E3779B97F4A7C15U) >> 52];
    }
    mutable std::array<std::atomic<u64>, size> marks_{};
};

/// How one search is run: who may end it, and with whom it shares the work.
struct Run {
    Watch* watch = nullptr;                   // asked every 1024 nodes
    const std::atomic<bool>* done = nullptr;  // another thread has the answer
    Whereabouts* whereabouts = nullptr;
    Recorder* recorder = nullptr;
    u64 node_limit = ~u64{0};  // of `nodes`, which counts on from one search to the next
};

template <class Shape>
class Search {
  public:
    using Bits = typename Shape::Bits;
    using Slot = std::conditional_t<sizeof(Bits) == 8, NarrowSlot, WideSlot>;

    struct Node {
        Bits mover;
        Bits mask;
        Bits mover_wins;
        Bits opponent_wins;
        int ply;
    };

    /// What comes of a move: a node, or a score because the game is decided.
    struct Outcome {
        Node node;
        int sign;   // +1 if the player who moved is to move again, -1 if his opponent is, 0 if decided
        int score;  // of the player who moved, if decided
    };

    Search(const Shape& shape, Table<Slot>& table, const Features& features)
        : shape_(shape),
          proofs_(shape),
          order_(shape, features.learned_order),
          table_(table),
          small_table_(small_table_slots),
          features_(features) {}

    Run run;
    u64 nodes = 0;

    /// The score of a node is > alpha if the result is, and then at least the result; else it is at most
    /// the result. Means nothing if `stopped()`; what the table holds by then is proven all the same.
    int search(const Node& node, int alpha) {
        stopped_ = false;
        return search(node, key_of(node), alpha, false);
    }
    bool stopped() const { return stopped_; }

    /// Play every forced move of a position in which the side to move can not win at once. `sign` is +1
    /// if that side is the one whose score is wanted.
    Outcome settle(const Node& position, int sign) const;

    /// What the table knows of a node.
    Bounds known(const Node& node) {
        const int empties = empties_of(node);
        if (empties <= 2) return {0, 0};
        Bounds bounds{worst_score(empties), best_score(empties)};
        if (features_.table && empties > no_table_empties)
            table_for(empties).probe(key_of(node), bounds);
        return bounds;
    }

  private:
    static constexpr int max_moves = std::is_empty_v<Shape> ? 8 : 32;
    static constexpr std::size_t small_table_slots = std::size_t{1} << 14;
    // Near the end a probe of the table costs more than it saves; before that a small table does, which
    // stays in the cache. In the same way it pays to ask more of each child the more there is to save.
    static constexpr int no_table_empties = 7;
    static constexpr int small_table_empties = 14;
    static constexpr int lookahead_empties = 14;
    static constexpr int child_proof_empties = 14;
    static constexpr int shared_work_empties = 26;

    using PerMove = std::array<Bits, max_moves>;

    /// How many moves are worked on side by side: on the standard board one for each column, whether it
    /// is open or not, because vectors want a number that the compiler knows.
    static constexpr bool by_column = max_moves == 8;
    static constexpr int lanes(int count) { return by_column ? max_moves : count; }

    /// A set of moves by their numbers.
    using MoveSet = std::uint32_t;

    /// The moves of a node that do not lose at once, side by side. What can be said of each without
    /// looking further is worked out for all of them in loops without branches, which become vectors.
    struct Moves {
        int count;
        MoveSet valid;
        MoveSet forcing;  // those that the opponent has to answer
        PerMove square;
        PerMove wins;     // the mover's winning squares after the move
        PerMove threats;  // those that the opponent must take at once
        std::array<Outcome, max_moves> outcome;
        std::array<Key<Bits>, max_moves> key;
        std::array<int, max_moves> value;
    };

    bool generate(const Node& node, Moves& moves) const;
    bool any_child_never_wins(const Node& node, const Moves& moves) const;
    void name_children(const Node& node, Moves& moves) const;
    void record(const Node& node, Moves& moves, MoveSet open, MoveSet close, int alpha);
    /// `proof_failed`: the parent has tried the static proof already.
    int search(const Node& node, const Key<Bits>& key, int alpha, bool proof_failed);

    /// The move of a set with the largest value.
    static int best_of(const Moves& moves, MoveSet set) {
        int best = std::countr_zero(set);
        for (set &= set - 1; set != 0; set &= set - 1) {
            const int i = std::countr_zero(set);
            best = moves.value[i] > moves.value[best] ? i : best;
        }
        return best;
    }
    int value_of(const Outcome& outcome, const Key<Bits>& key, int alpha, bool proof_failed) {
        return outcome.sign > 0 ? search(outcome.node, key, alpha, false)
                                : -search(outcome.node, key, -alpha - 1, proof_failed);
    }
    Key<Bits> key_of(const Node& node) const {
        const auto key = features_.dead_stones ? make_key(shape_, node.mover, node.mask, node.mover_wins,
                                                          node.opponent_wins)
                                               : make_plain_key(shape_, node.mover, node.mask);
        return features_.mirror ? canonical(shape_, key) : key;
    }
    int empties_of(const Node& node) const { return shape_.cells() - node.ply; }
    Table<Slot>& table_for(int empties) { return empties > small_table_empties ? table_ : small_table_; }
    bool should_stop() const {
        return (run.done != nullptr && run.done->load(std::memory_order_relaxed)) ||
               (run.watch != nullptr && run.watch->should_stop());
    }

    Shape shape_;
    Proofs<Shape> proofs_;
    Ordering<Shape> order_;
    Table<Slot>& table_;
    Table<Slot> small_table_;
    Features features_;
    bool stopped_ = false;
};

template <class Shape>
typename Search<Shape>::Outcome Search<Shape>::settle(const Node& position, int sign) const {
    const int cells = shape_.cells();
    // `next` is to move, `last` has moved before.
    Bits next = position.mover;
    Bits mask = position.mask;
    Bits last = mask ^ next;
    Bits next_wins = position.mover_wins;
    Bits last_wins = position.opponent_wins;
    int ply = position.ply;
    for (;;) {
        const Bits open = playable(shape_, mask);
        const Bits threats = last_wins & open;
        const Bits safe = open & ~(last_wins >> 1);
        if (open == 0) return {{}, 0, 0};
        const bool lost =
            threats == 0 ? safe == 0 : (threats & (threats - 1)) != 0 || (threats & safe) == 0;
        if (lost) return {{}, 0, -sign * win_score(cells, ply + 2)};
        if (threats == 0) return {{next, mask, next_wins, last_wins, ply}, sign, 0};
        // The one reply.
        next |= threats;
        mask |= threats;
        last_wins &= ~threats;
        ++ply;
        sign = -sign;
        next_wins = winning_squares(shape_, next, mask);
        std::swap(next, last);
        std::swap(next_wins, last_wins);
    }
}

/// Find the moves. True if one of them wins by force: it leaves the opponent no reply after which the
/// mover can not win.
template <class Shape>
bool Search<Shape>::generate(const Node& node, Moves& moves) const {
    // Copies: the compiler must not fear that writing a result changes the node.
    const Node at = node;
    const Bits open_now = playable(shape_, at.mask) & ~(at.opponent_wins >> 1);
    PerMove square{};
    int count = 0;
    if constexpr (by_column) {
        count = shape_.width();
        constexpr PerMove columns = [] {
            PerMove result{};
            for (int i = 0; i < Shape::width(); ++i) result[i] = Shape{}.column(i);
            return result;
        }();
        for (int i = 0; i < max_moves; ++i) square[i] = open_now & columns[i];
    } else {
        for (Bits rest = open_now; rest != 0; rest &= rest - 1) square[count++] = rest & (~rest + 1);
    }
    PerMove beaten;  // not zero: no reply helps
    for (int i = 0; i < lanes(count); ++i) {
        const Bits mask = at.mask | square[i];
        const Bits wins = winning_squares(shape_, at.mover | square[i], mask);
        const Bits open = playable(shape_, mask);
        const Bits threats = wins & open;
        const Bits safe = open & ~(wins >> 1);
        const Bits replies = threats == 0 ? safe : threats & safe;
        beaten[i] = replies == 0 ? ~Bits{0} : threats & (threats - 1);
        moves.wins[i] = wins;
        moves.threats[i] = threats;
    }
    moves.square = square;
    moves.count = count;
    // Closed columns take part with no square, and their threats are none: there was no win before
    // either.
    MoveSet valid = 0;
    MoveSet forcing = 0;
    MoveSet winning = 0;
    for (int i = lanes(count) - 1; i >= 0; --i) {
        valid = 2 * valid + (square[i] != 0);
        forcing = 2 * forcing + (moves.threats[i] != 0);
        winning = 2 * winning + (beaten[i] != 0);
    }
    moves.valid = valid;
    moves.forcing = forcing;
    return (winning & valid) != 0;
}

/// True if after some move the opponent provably never wins.
template <class Shape>
bool Search<Shape>::any_child_never_wins(const Node& node, const Moves& moves) const {
    const Node at = node;
    const Proofs<Shape> proofs = proofs_;
    Bits any{0};
    for (int i = 0; i < lanes(moves.count); ++i) {
        const Bits fours = proofs.fours_left(at.mover ^ at.mask, at.mask | moves.square[i]);
        any |= (fours | moves.threats[i]) == 0 ? moves.square[i] : Bits{0};
    }
    return any != 0;
}

/// The keys after the moves, as if none of them forced anything.
template <class Shape>
void Search<Shape>::name_children(const Node& node, Moves& moves) const {
    const Node at = node;
    const Bits opponent = at.mover ^ at.mask;
    PerMove first;
    PerMove second;
    if (features_.dead_stones) {
        for (int i = 0; i < lanes(moves.count); ++i) {
            const auto key = make_key(shape_, opponent, at.mask | moves.square[i],
                                      at.opponent_wins & ~moves.square[i], moves.wins[i]);
            first[i] = key.first;
            second[i] = key.second;
        }
    } else {
        for (int i = 0; i < lanes(moves.count); ++i) {
            const auto key = make_plain_key(shape_, opponent, at.mask | moves.square[i]);
            first[i] = key.first;
            second[i] = key.second;
        }
    }
    if (features_.mirror) {
        for (int i = 0; i < lanes(moves.count); ++i) {
            const auto key = canonical(shape_, Key<Bits>{first[i], second[i]});
            first[i] = key.first;
            second[i] = key.second;
        }
    }
    for (int i = 0; i < lanes(moves.count); ++i) moves.key[i] = {first[i], second[i]};
}

/// Search every child, whatever the others give, for the recorder.
template <class Shape>
void Search<Shape>::record(const Node& node, Moves& moves, MoveSet open, MoveSet close, int alpha) {
    Recorder* const recorder = std::exchange(run.recorder, nullptr);
    const int empties = empties_of(node);
    const auto context = order_.context(node.mover, node.mask, node.opponent_wins, empties, alpha);
    std::array<Recorder::Sample, max_moves> samples{};
    // The first one pays for what all of them share: start with a different one each time.
    const int count = std::popcount(open);
    const int first = static_cast<int>(nodes % static_cast<u64>(count));
    for (int k = 0; k < count && !stopped_; ++k) {
        MoveSet rest = open;
        for (int skip = (k + first) % count; skip > 0; --skip) rest &= rest - 1;
        const int i = std::countr_zero(rest);
        auto& sample = samples[k];
        const auto note = [&](int feature, auto amount) {
            sample.features[feature] = static_cast<signed char>(amount);
        };
        order_.describe(context, moves.square[i], moves.wins[i], note);
        note(known_close, close >> i & 1);
        const u64 before = nodes;
        const auto& outcome = moves.outcome[i];
        sample.cuts = value_of(outcome, key_of(outcome.node), alpha, false) > alpha;
        sample.nodes = nodes - before + 1;
    }
    if (!stopped_) recorder->take(order_.class_of(empties, alpha), empties, samples.data(), count);
    run.recorder = recorder;
}

template <class Shape>
int Search<Shape>::search(const Node& node, const Key<Bits>& key, int alpha, bool proof_failed) {
    const int empties = empties_of(node);
    if (empties <= 2) return 0;
    if (alpha >= best_score(empties)) return best_score(empties);
    if (alpha < worst_score(empties)) return worst_score(empties);
    ++nodes;
    if (nodes > run.node_limit || ((nodes & 0x3FF) == 0 && should_stop())) {
        stopped_ = true;
        return 0;
    }

    const bool use_table = features_.table && empties > no_table_empties;
    Table<Slot>& table = table_for(empties);
    Bounds bounds{worst_score(empties), best_score(empties)};
    if (use_table && table.probe(key, bounds)) {
        if (bounds.upper <= alpha) return bounds.upper;
        if (bounds.lower > alpha) return bounds.lower;
    }
    if (features_.proofs && !proof_failed) {
        const int bound =
            proofs_.upper_bound(alpha, node.mover, node.mask, node.opponent_wins, node.ply);
        if (bound <= alpha) return bound;
    }

    Moves moves;
    if (generate(node, moves)) return best_score(empties);
    // With an even number of empty squares after the move, they pair up.
    if (features_.child_proofs && alpha < 0 && empties % 2 != 0 && any_child_never_wins(node, moves))
        return 0;

    // Where the moves lead. Those that force nothing all lead to the opponent's turn, one stone on.
    int best = worst_score(empties);
    const bool look = features_.lookahead && use_table && empties > lookahead_empties;
    const bool prove_children =
        features_.proofs && features_.child_proofs && empties > child_proof_empties;
    if (look) name_children(node, moves);
    MoveSet open = moves.valid;
    for (MoveSet rest = open; rest != 0; rest &= rest - 1) {
        const int i = std::countr_zero(rest);
        const Bits square = moves.square[i];
        Outcome& outcome = moves.outcome[i];
        outcome = {{node.mover ^ node.mask, node.mask | square, node.opponent_wins & ~square,
                    moves.wins[i], node.ply + 1},
                   -1,
                   0};
        if ((moves.forcing >> i & 1) != 0) {
            outcome = settle(outcome.node, -1);
            if (outcome.sign == 0) {
                if (outcome.score > alpha) return outcome.score;
                best = std::max(best, outcome.score);
                open ^= MoveSet{1} << i;
                continue;
            }
            if (look) moves.key[i] = key_of(outcome.node);
        }
        if (look) table_for(empties_of(outcome.node)).prefetch(moves.key[i]);
    }
    // The same proof that may have ended this node may end it for a child, and that ends this one.
    if (prove_children) {
        for (MoveSet rest = open; rest != 0; rest &= rest - 1) {
            const auto& [child, sign, score] = moves.outcome[std::countr_zero(rest)];
            if (sign > 0) continue;
            const int bound =
                proofs_.upper_bound(-alpha - 1, child.mover, child.mask, child.opponent_wins, child.ply);
            if (bound < -alpha) return -bound;
        }
    }

    // Does the table know enough of one of them? Its answers are on their way since the keys are known.
    MoveSet close = 0;
    for (MoveSet rest = look ? open : 0; rest != 0; rest &= rest - 1) {
        const int i = std::countr_zero(rest);
        const int left = empties_of(moves.outcome[i].node);
        if (left <= no_table_empties) continue;
        Bounds child{worst_score(left), best_score(left)};
        if (!table_for(left).probe(moves.key[i], child)) continue;
        if (moves.outcome[i].sign < 0) child = {-child.upper, -child.lower};
        if (child.lower > alpha) return child.lower;
        if (child.upper <= alpha) {
            best = std::max(best, child.upper);
            open ^= MoveSet{1} << i;
        } else if (child.lower == alpha) {
            close |= MoveSet{1} << i;
        }
    }
    // What is each of the others worth trying?
    if ((open & (open - 1)) != 0) {
        const auto context = order_.context(node.mover, node.mask, node.opponent_wins, empties, alpha);
        order_.rate(context, open, moves.square, moves.wins, moves.value);
        for (MoveSet rest = open & close; rest != 0; rest &= rest - 1)
            moves.value[std::countr_zero(rest)] += order_.weight(context, known_close);
    }
    if (run.recorder != nullptr && std::popcount(open) > 1 && run.recorder->wants(empties))
        record(node, moves, open, close, alpha);

    const u64 nodes_before = nodes;
    const bool share = run.whereabouts != nullptr && empties > shared_work_empties;
    MoveSet put_off = 0;
    while ((open | put_off) != 0 && best <= alpha && !stopped_) {
        const bool again = open == 0;
        MoveSet& set = again ? put_off : open;
        const int i = best_of(moves, set);
        set ^= MoveSet{1} << i;
        const Outcome& outcome = moves.outcome[i];
        if (!look && empties_of(outcome.node) > no_table_empties) moves.key[i] = key_of(outcome.node);
        if (share) {
            if (!again && run.whereabouts->is_taken(moves.key[i])) {
                put_off |= MoveSet{1} << i;
                continue;
            }
            run.whereabouts->enter(moves.key[i]);
        }
        const int value = value_of(outcome, moves.key[i], alpha, prove_children);
        if (share) run.whereabouts->leave(moves.key[i]);
        best = std::max(best, value);
    }
    if (stopped_) return 0;
    if (use_table) {
        if (best > alpha)
            bounds.lower = best;
        else
            bounds.upper = std::min(bounds.upper, best);
        table.store(key, bounds, nodes - nodes_before);
    }
    return best;
}

}  // namespace FOURCAST_KERNEL
}  // namespace fourcast
