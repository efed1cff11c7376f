// The search: is the score of a position greater than alpha?
//
// Every call is such a question (a null window). Positions at which the search really has to branch are
// its nodes: the side to move cannot win at once, need not stop a win, and has a move that does not lose
// at once. Everything in between, forced replies included, is played out in the parent.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <optional>
#include <type_traits>
#include <utility>

#include "board/score.hpp"
#include "endgame.hpp"
#include "engine.hpp"
#include "key.hpp"
#include "local_games.hpp"
#include "narrow_shape.hpp"
#include "nodes.hpp"
#include "ordering.hpp"
#include "proofs.hpp"
#include "run.hpp"
#include "table.hpp"
#include "value_net.hpp"

namespace fourcast {
inline namespace FOURCAST_KERNEL {

template <class Shape>
class Search : public Watch {
  public:
    using Bits = typename Shape::Bits;
    using Slot = std::conditional_t<sizeof(Bits) == 16, WideSlot,
                                    std::conditional_t<takes_whole_word<Shape>, WordSlot, NarrowSlot>>;

    using Node = fourcast::Node<Bits>;
    using Outcome = fourcast::Outcome<Bits>;

    Search(const Shape& shape, Table<Slot>& table, const Features& features)
        : shape_(shape),
          proofs_(shape),
          order_(shape, features.learned_order),
          table_(table),
          small_table_(small_table_slots),
          first_table_(first_table_slots),
          local_games_(shape),
          endgame_(shape, features, *this),
          features_(features),
          value_net_file_(has_value_net && features.value_net
                              ? find_value_net(shape.width(), shape.height())
                              : nullptr),
          endgame_empties_(has_endgame && features.endgame ? endgame_empties : 0) {
        for (int i = 0; i < shape.width(); ++i) columns_[i] = shape.column(i);
    }

    /// The score of a node is > alpha if the result is, and then at least the result; else it is at most
    /// the result. Means nothing if `stopped()`; what the table holds by then is proven all the same.
    int search(const Node& node, int alpha) {
        start();
        const u64 nodes_before = nodes;
        endgame_from_ = endgame_from(alpha);
        // Threads that share the work share the table from the start.
        use_little(run.busy == nullptr ? first_nodes_left_ : 0);
        const bool keyed = in_table(empties_of(node));
        path_length_ = 0;
        expects_cut_ = false;
        const int value = search(node, keyed ? key_of(node) : Key<Bits>{}, alpha, false);
        use_little(first_nodes_left_ - std::min(first_nodes_left_, nodes - nodes_before));
        return value;
    }

    Outcome play_forced_moves(const Node& position, int sign) const {
        return fourcast::play_forced_moves(shape_, position, sign);
    }

    /// The node that a position leads to, or the score if it is decided.
    Outcome begin(Bits mover, Bits mask, int ply) const {
        const Node root{mover, mask, threats(shape_, mover, mask), threats(shape_, mover ^ mask, mask),
                        ply};
        if ((root.mover_wins & playable(shape_, mask)) != 0)
            return {root, 0, win_score(shape_.cells(), ply + 1)};
        return play_forced_moves(root, 1);
    }

    /// Begin the endgame with fewer empty squares, so that the nodes before it can be recorded.
    void begin_endgame_at(int empties) { endgame_empties_ = std::min(endgame_empties_, empties); }

    /// What the table knows of a node.
    Bounds known(const Node& node) {
        const int empties = empties_of(node);
        if (empties <= drawn_empties) return {0, 0};
        if constexpr (has_endgame)
            if (empties <= endgame_empties_) return endgame_.known(node);
        Bounds bounds{worst_score(empties), best_score(empties)};
        if (features_.table && empties > no_table_empties)
            table_for(empties).probe(key_of(node), bounds);
        return bounds;
    }

  private:
    /// Boards of one word have a lane for each column.
    static constexpr bool by_column = sizeof(Bits) == 8;
    static constexpr int max_moves = by_column ? column_lanes<Shape> : max_width<Shape>;
    /// Boards of more than one word are searched in one way from the first disc to the last.
    static constexpr bool has_endgame = sizeof(Bits) == 8;
    /// By other rules than the standard ones there are no local games, and no net has learned anything.
    static constexpr bool has_local_games = has_endgame && Shape::is_standard;
    struct NoLocalGames {
        explicit NoLocalGames(const Shape& /*shape*/) {}
    };
    struct NoEndgame {
        NoEndgame(const Shape& /*shape*/, const Features& /*features*/, Watch& /*watch*/) {}
    };
    /// The place of a slot in a small table would not say enough of a key that takes a whole word.
    static constexpr bool has_small_tables = !takes_whole_word<Shape>;
    struct NoTable {
        explicit NoTable(std::size_t /*slots*/) {}
    };
    using SmallTable = std::conditional_t<has_small_tables, Table<Slot>, NoTable>;
    static constexpr std::size_t small_table_slots = std::size_t{1} << 14;
    // A new solver is often asked something easy, and then it would take longer to be given the pages of
    // large tables than to search. So its first nodes use little memory, and are forgotten later on.
    static constexpr u64 first_nodes = has_small_tables ? 2048 : 0;
    static constexpr std::size_t first_table_slots = std::size_t{1} << 11;
    // Near the end a probe of the table costs more than it saves; before that a small table does, which
    // stays in the cache. In the same way it pays to ask more of each child the more there is to save.
    static constexpr int no_table_empties = 7;
    static constexpr int small_table_empties = 14;
    static constexpr int lookahead_empties = 14;
    static constexpr int child_proof_empties = 14;
    static constexpr int shared_work_empties = 20;
    static constexpr int local_game_empties = 20;
    /// Whether one of the next so many discs wins takes few nodes to find out: the search of the endgame
    /// does that sooner, however many squares are empty.
    static constexpr int quick_win_discs = 11;
    /// Local games decide who wins, hardly ever how soon.
    static constexpr bool suits_local_games(int alpha) { return alpha >= -3 && alpha <= 2; }

    static constexpr int order_net_empties = 26;
    /// Where a quick win is asked for there are few nodes, and the threats tell.
    static constexpr bool suits_order_net(int alpha) { return alpha >= -7 && alpha <= 7; }

#ifdef __wasm__  // the page has a book for the positions that gain most, and the net takes long to load
    static constexpr bool has_value_net = false;
#else
    static constexpr bool has_value_net = has_endgame && Shape::is_standard;
#endif
    struct NoValueNet {};
    static constexpr int value_net_empties = 26;
    /// What the log-odds of the net count beside the other ratings: the more, the nearer to the root.
    static constexpr int value_weight(int empties) { return 200 + 20 * (empties - value_net_empties); }
    static constexpr bool suits_value_net(int alpha) {
        return alpha >= ValueNet::lowest && alpha < ValueNet::lowest + ValueNet::outputs;
    }

    using PerMove = std::array<Bits, max_moves>;

    /// How many moves are worked on side by side: on boards of one word one for each column, whether it
    /// is open or not, because vectors want a number that the compiler knows.
    static constexpr int lanes(int count) { return by_column ? max_moves : count; }

    /// A set of moves by their numbers.
    using MoveSet = std::uint32_t;

    /// The moves of a node that do not lose at once, side by side. What can be said of each without
    /// looking further is worked out for all of them in loops without branches, which become vectors.
    ///
    /// One of these is on the stack for each level of the search: 4.5 KB on the largest boards.
    struct Moves {
        int count;
        MoveSet valid;
        MoveSet forcing;  // those that the opponent has to answer
        PerMove square;
        PerMove wins;    // the mover's threats after the move
        PerMove urgent;  // those that the opponent must take at once
        std::array<Outcome, max_moves> outcome;
        std::array<Key<Bits>, max_moves> key;
        std::array<int, max_moves> value;
    };

    /// Which moves of a node are left to search, and what the others have shown.
    struct Candidates {
        MoveSet open;
        MoveSet close;  // the table says that they are at most one short of what is asked
        int best;       // the best score of the moves that are no longer open
    };

    /// A node on the way to the one that is searched now, and what is asked of it.
    struct Asked {
        Key<Bits> key;
        int alpha;
        int empties;
    };
    Bounds bounds_of(const Asked& asked);

    bool generate(const Node& node, Moves& moves) const;
    bool any_child_never_wins(const Node& node, const Moves& moves) const;
    void compute_child_keys(const Node& node, Moves& moves) const;
    bool play_moves(const Node& node, int alpha, bool look, Moves& moves, Candidates& left);
    bool prove_a_child(int alpha, const Moves& moves, Candidates& left) const;
    bool ask_table(int alpha, const Moves& moves, Candidates& left);
    bool win_a_local_game(const Node& node, int alpha, const Moves& moves, Candidates& left) const;
    // Inlined by force: as calls, which GCC would make of them, they cost 3% more instructions.
    [[gnu::always_inline]] inline void rate_moves(const Node& node, int alpha, Moves& moves,
                                                  const Candidates& left);
    [[gnu::noinline]] void rate_by_value(const Node& node, int alpha, Moves& moves,
                                         const Candidates& left);
    [[gnu::always_inline]] inline int search_children(int alpha, bool look, bool proof_failed,
                                                      Moves& moves, Candidates left);
    // Not inlined: a search alone never needs it.
    [[gnu::noinline]] int share_children(const Node& node, const Key<Bits>& key, int alpha, bool look,
                                         bool proof_failed, Moves& moves, Candidates left);
    int share_endgame(const Node& node, const Key<Bits>& key, int alpha);
    bool is_overtaken() override;
    void record(const Node& node, int alpha, const Moves& moves, const Candidates& left);
    /// `proof_failed`: the parent has tried the static proof already.
    int search(const Node& node, const Key<Bits>& key, int alpha, bool proof_failed);

    /// The move of a set with the largest value.
    static int best_of(const Moves& moves, MoveSet set) {
        int best = lowest_bit(set);
        for (const int i : each(without_lowest(set)))
            best = moves.value[i] > moves.value[best] ? i : best;
        return best;
    }
    /// The move of a set that the fewest threads are busy with; of several the one with the largest
    /// value.
    int least_busy_of(const Moves& moves, MoveSet set) const {
        MoveSet least_busy = 0;
        int fewest = BusyNodes::most_threads;
        for (const int i : each(set)) {
            const int count = run.busy->count(moves.key[i]);
            if (count > fewest) continue;
            if (count < fewest) least_busy = 0;
            fewest = count;
            least_busy |= only<MoveSet>(i);
        }
        return best_of(moves, least_busy);
    }
    int value_of(const Outcome& outcome, const Key<Bits>& key, int alpha, bool proof_failed) {
        return outcome.sign > 0 ? search(outcome.node, key, alpha, false)
                                : -search(outcome.node, key, -alpha - 1, proof_failed);
    }
    Key<Bits> key_of(const Node& node) const {
        const auto key = features_.dead_discs ? make_key(shape_, node.mover, node.mask, node.mover_wins,
                                                         node.opponent_wins)
                                              : make_plain_key(shape_, node.mover, node.mask);
        return features_.mirror ? canonical(shape_, key) : key;
    }
    /// Where the endgame begins if this is asked.
    int endgame_from(int alpha) const {
        if (endgame_empties_ < endgame_empties) return endgame_empties_;
        // A win of more than n leaves at least 2 n squares empty.
        return std::max(endgame_empties, quick_win_discs + 2 * std::max(alpha, -alpha - 1));
    }
    bool in_endgame(int empties) const { return empties <= endgame_from_; }
    /// True if the tables of this search hold such nodes: of the endgame the first ones, for other
    /// threads.
    bool in_table(int empties) const {
        return empties > no_table_empties && (!in_endgame(empties) || run.busy != nullptr);
    }
    int empties_of(const Node& node) const { return shape_.cells() - node.ply; }
    void use_little(u64 nodes_left) {
        first_nodes_left_ = nodes_left;
        little_until_ = nodes_left == 0 ? 0 : nodes + nodes_left;
    }
    /// Store what a search has proven of a node of which the table knew `bounds`.
    void remember(int empties, const Key<Bits>& key, Bounds bounds, int alpha, int value, u64 work) {
        if (value > alpha)
            bounds.lower = value;
        else
            bounds.upper = std::min(bounds.upper, value);
        table_for(empties).store(key, bounds, work);
    }
    Table<Slot>& table_for(int empties) {
        if constexpr (has_small_tables) {
            if (nodes < little_until_) return first_table_;
            if (empties <= small_table_empties) return small_table_;
        }
        return table_;
    }

    Shape shape_;
    Proofs<Shape> proofs_;
    Ordering<Shape> order_;
    Table<Slot>& table_;
    SmallTable small_table_;
    SmallTable first_table_;
    // Read when it is first needed: that takes longer than a search near the end.
    std::conditional_t<has_value_net, std::optional<ValueNet>, NoValueNet> value_net_;
    u64 first_nodes_left_ = first_nodes;
    u64 little_until_ = first_nodes;  // by the count of `nodes`; 0 if the first nodes are past
    std::conditional_t<has_local_games, LocalGames<Shape>, NoLocalGames> local_games_;
    std::conditional_t<has_endgame, Endgame<Shape>, NoEndgame> endgame_;
    Features features_;
    const ValueNetFile* value_net_file_;  // null if there is none for this size
    int endgame_empties_;
    int endgame_from_ = 0;                      // for the present question
    std::array<Asked, 8 * sizeof(Bits)> path_;  // the nodes whose work is shared
    int path_length_ = 0;
    bool expects_cut_ = false;  // one of the moves of the next node whose work is shared should do
    PerMove columns_{};
};

/// Find the moves. True if one of them wins by force: whatever the opponent replies, the mover's next
/// disc wins.
template <class Shape>
bool Search<Shape>::generate(const Node& node, Moves& moves) const {
    // Copies: the compiler must not fear that writing a result changes the node.
    const Node at = node;
    const Bits open_now = playable(shape_, at.mask) & ~(at.opponent_wins >> 1);
    PerMove square{};
    int count = 0;
    if constexpr (by_column) {
        count = shape_.width();
        const PerMove columns = columns_;
        for (int i = 0; i < max_moves; ++i) square[i] = open_now & columns[i];
    } else {
        for (const Bits move : each_square(open_now)) square[count++] = move;
    }
    PerMove beaten;  // not zero: no reply helps
    for (int i = 0; i < lanes(count); ++i) {
        const Bits mask = at.mask | square[i];
        const Bits wins = threats(shape_, at.mover | square[i], mask);
        const Bits open = playable(shape_, mask);
        const Bits urgent = wins & open;
        const Bits safe = open & ~(wins >> 1);
        const Bits replies = urgent == 0 ? safe : urgent & safe;
        beaten[i] = replies == 0 ? ~Bits{0} : without_lowest(urgent);
        moves.wins[i] = wins;
        moves.urgent[i] = urgent;
    }
    moves.square = square;
    moves.count = count;
    // Closed columns take part with no square, and nothing is urgent after them: nothing was before
    // either.
    MoveSet valid = 0;
    MoveSet forcing = 0;
    MoveSet winning = 0;
    for (int i = lanes(count) - 1; i >= 0; --i) {
        valid = 2 * valid + (square[i] != 0);
        forcing = 2 * forcing + (moves.urgent[i] != 0);
        winning = 2 * winning + (beaten[i] != 0);
    }
    moves.valid = valid;
    moves.forcing = forcing;
    return (winning & valid) != 0;
}

/// True if after some move the opponent provably never wins. To be asked if the number of empty squares
/// is odd, so that it is even after the move: then as many columns with an odd number of empty squares
/// are left, and their lowest squares pair up (proofs.hpp).
///
/// Such a child meets the conditions of proofs.hpp. The opponent, who is to move there, cannot win at
/// once: no threat of theirs was open before, and none lies above a move that `generate` has found. And
/// nothing is urgent for the opponent, which is looked at here.
template <class Shape>
bool Search<Shape>::any_child_never_wins(const Node& node, const Moves& moves) const {
    const Node at = node;
    const Proofs<Shape> proofs = proofs_;
    Bits any{0};
    for (int i = 0; i < lanes(moves.count); ++i) {
        const Bits fours = proofs.fours_left(at.mover ^ at.mask, at.mask | moves.square[i]);
        any |= (fours | moves.urgent[i]) == 0 ? moves.square[i] : Bits{0};
    }
    return any != 0;
}

/// The keys after the moves, as if none of them forced anything.
template <class Shape>
void Search<Shape>::compute_child_keys(const Node& node, Moves& moves) const {
    const Node at = node;
    const Bits opponent = at.mover ^ at.mask;
    PerMove first;
    PerMove second;
    if (features_.dead_discs) {
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

/// Find out where the moves lead. Those that force nothing all lead to the opponent's turn, one disc
/// on. With `look` their keys are computed and the table's answers fetched. True if one move decides.
template <class Shape>
bool Search<Shape>::play_moves(const Node& node, int alpha, bool look, Moves& moves, Candidates& left) {
    if (look) compute_child_keys(node, moves);
    for (const int i : each(left.open)) {
        const Bits square = moves.square[i];
        Outcome& outcome = moves.outcome[i];
        outcome = {{node.mover ^ node.mask, node.mask | square, node.opponent_wins & ~square,
                    moves.wins[i], node.ply + 1},
                   -1,
                   0};
        if (contains(moves.forcing, i)) {
            outcome = play_forced_moves(outcome.node, -1);
            if (outcome.sign == 0) {
                left.best = std::max(left.best, outcome.score);
                if (left.best > alpha) return true;
                left.open ^= only<MoveSet>(i);
                continue;
            }
            if (look) moves.key[i] = key_of(outcome.node);
        }
        if (look) table_for(empties_of(outcome.node)).prefetch(moves.key[i]);
    }
    return false;
}

/// True if a static proof of one of the children decides.
template <class Shape>
bool Search<Shape>::prove_a_child(int alpha, const Moves& moves, Candidates& left) const {
    for (const int i : each(left.open)) {
        const auto& [child, sign, score] = moves.outcome[i];
        if (sign > 0) continue;
        const int bound =
            proofs_.upper_bound(-alpha - 1, child.mover, child.mask, child.opponent_wins, child.ply);
        if (bound >= -alpha) continue;
        left.best = -bound;
        return true;
    }
    return false;
}

/// Ask the table about all children before one is searched. True if it knows one that decides.
template <class Shape>
bool Search<Shape>::ask_table(int alpha, const Moves& moves, Candidates& left) {
    for (const int i : each(left.open)) {
        const int empties = empties_of(moves.outcome[i].node);
        if (!in_table(empties)) continue;
        Bounds child{worst_score(empties), best_score(empties)};
        if (!table_for(empties).probe(moves.key[i], child)) continue;
        if (moves.outcome[i].sign < 0) child = {-child.upper, -child.lower};
        if (child.lower > alpha) {
            left.best = child.lower;
            return true;
        }
        if (child.upper <= alpha) {
            left.best = std::max(left.best, child.upper);
            left.open ^= only<MoveSet>(i);
        } else if (child.lower == alpha) {
            left.close |= only<MoveSet>(i);
        }
    }
    return false;
}

/// True if a proof with a game in two columns decides, after one of the moves that force nothing.
template <class Shape>
bool Search<Shape>::win_a_local_game(const Node& node, int alpha, const Moves& moves,
                                     Candidates& left) const {
    if constexpr (has_local_games) {
        const int bound =
            local_games_.upper_bound(-alpha - 1, node.mover, node.mask, left.open & ~moves.forcing,
                                     moves.square, moves.wins, node.ply);
        if (bound >= -alpha) return false;
        left.best = -bound;
        return true;
    }
    return false;
}

/// How promising is each move that is left?
template <class Shape>
void Search<Shape>::rate_moves(const Node& node, int alpha, Moves& moves, const Candidates& left) {
    const auto context =
        order_.context(node.mover, node.mask, node.opponent_wins, empties_of(node), alpha);
    order_.rate(context, left.open, moves.square, moves.wins, moves.value);
    if constexpr (Shape::is_standard)
        if (features_.order_net && context.lines && empties_of(node) >= order_net_empties &&
            suits_order_net(alpha))
            order_.correct(context, empties_of(node), alpha, left.open, moves.square, moves.wins,
                           moves.value);
    if constexpr (has_value_net)
        if (value_net_file_ != nullptr && empties_of(node) >= value_net_empties &&
            suits_value_net(alpha))
            rate_by_value(node, alpha, moves, left);
    for (const int i : each(left.open & left.close))
        moves.value[i] += order_.weight(context, known_close);
    if (run.recorder != nullptr)
        for (const int i : each(left.open)) moves.value[i] += run.recorder->change(empties_of(node));
}

/// Add to the ratings how likely each move is good enough.
template <class Shape>
void Search<Shape>::rate_by_value(const Node& node, int alpha, Moves& moves, const Candidates& left) {
    if constexpr (has_value_net) {
        const bool first = node.ply % 2 == 0;
        const int weight = value_weight(empties_of(node));
        const int t = first ? alpha : -alpha - 1;
        if (!value_net_) value_net_.emplace(*value_net_file_);
        const ValueSums sums(*value_net_, first ? node.mover : node.mover ^ node.mask, node.mask);
        for (const int i : each(left.open)) {
            const Node& child = moves.outcome[i].node;
            int odds = 0;
            if (contains(moves.forcing, i)) {
                const u64 discs = child.ply % 2 == 0 ? child.mover : child.mover ^ child.mask;
                odds = ValueSums(*value_net_, discs, child.mask).log_odds(t);
            } else {
                odds = sums.log_odds_after(lowest_bit(moves.square[i]), first, t);
            }
            moves.value[i] += (first ? odds : -odds) / 64 * weight / (ValueNet::odds_scale / 64);
        }
    }
}

/// The best score of all moves, those that are left being searched in the order of their ratings until
/// one is better than alpha.
template <class Shape>
int Search<Shape>::search_children(int alpha, bool look, bool proof_failed, Moves& moves,
                                   Candidates left) {
    while (left.open != 0 && left.best <= alpha && !stopped()) {
        const int i = best_of(moves, left.open);
        left.open ^= only<MoveSet>(i);
        const Outcome& outcome = moves.outcome[i];
        if (!look && in_table(empties_of(outcome.node))) moves.key[i] = key_of(outcome.node);
        const u64 nodes_before = nodes;
        const int value = value_of(outcome, moves.key[i], alpha, proof_failed);
        left.best = std::max(left.best, value);
        if (run.recorder != nullptr && !stopped())
            run.recorder->searched(
                static_cast<u64>(outcome.node.mover), static_cast<u64>(outcome.node.mask),
                outcome.sign > 0 ? alpha : -alpha - 1, value * outcome.sign, nodes - nodes_before);
    }
    return left.best;
}

/// The same if several threads share the work. They put off moves that another one is busy with, as in
/// ABDADA (Weill, 1996), and help with the one that has the fewest threads once no other is left. But
/// where a move should be good enough all of them work on the first one (young brothers wait: Feldmann,
/// 1993): the others will most probably not be needed. And they leave a node that another one has
/// settled.
template <class Shape>
int Search<Shape>::share_children(const Node& node, const Key<Bits>& key, int alpha, bool look,
                                  bool proof_failed, Moves& moves, Candidates left) {
    const bool expects_cut = expects_cut_;
    Asked& asked = path_[path_length_++];
    asked = {key, alpha, empties_of(node)};
    bool waits = expects_cut;  // for the first move
    MoveSet put_off = 0;
    while ((left.open | put_off) != 0 && left.best <= alpha && !stopped()) {
        const bool again = left.open == 0;
        MoveSet& set = again ? put_off : left.open;
        const int i = again ? least_busy_of(moves, set) : best_of(moves, set);
        set ^= only<MoveSet>(i);
        const Outcome& outcome = moves.outcome[i];
        const bool mark = in_table(empties_of(outcome.node));
        if (!look && mark) moves.key[i] = key_of(outcome.node);
        if (mark) {
            if (!again && !waits && run.busy->count(moves.key[i]) > 0) {
                put_off |= only<MoveSet>(i);
                continue;
            }
            run.busy->enter(moves.key[i]);
        }
        // After a move that should be good enough the opponent should have none.
        expects_cut_ = outcome.sign > 0 ? expects_cut : !waits;
        waits = false;
        left.best = std::max(left.best, value_of(outcome, moves.key[i], alpha, proof_failed));
        if (mark) run.busy->leave(moves.key[i]);
    }
    --path_length_;
    if (!stopped()) return left.best;
    const Bounds known = bounds_of(asked);
    if (known.lower <= alpha && known.upper > alpha) return 0;
    look_again();
    return known.lower > alpha ? known.lower : known.upper;
}

/// The search of a node with which the endgame begins, if several threads share the work. Each has
/// tables of its own for what follows, so what comes of it goes into the table of all.
template <class Shape>
int Search<Shape>::share_endgame(const Node& node, const Key<Bits>& key, int alpha) {
    if constexpr (has_endgame) {
        const int empties = empties_of(node);
        if (!features_.table || !in_table(empties)) return endgame_.search(node, alpha);
        Bounds bounds{worst_score(empties), best_score(empties)};
        if (table_for(empties).probe(key, bounds)) {
            if (bounds.upper <= alpha) return bounds.upper;
            if (bounds.lower > alpha) return bounds.lower;
        }
        const u64 nodes_before = nodes;
        const int value = endgame_.search(node, alpha);
        if (!stopped()) remember(empties, key, bounds, alpha, value, nodes - nodes_before);
        return value;
    }
    return 0;
}

/// What the table knows of a node on the path.
template <class Shape>
Bounds Search<Shape>::bounds_of(const Asked& asked) {
    Bounds bounds{worst_score(asked.empties), best_score(asked.empties)};
    table_for(asked.empties).probe(asked.key, bounds);
    return bounds;
}

template <class Shape>
bool Search<Shape>::is_overtaken() {
    return std::any_of(path_.begin(), path_.begin() + path_length_, [&](const Asked& asked) {
        const Bounds known = bounds_of(asked);
        return known.lower > asked.alpha || known.upper <= asked.alpha;
    });
}

/// Search every child, whatever the others give, for the recorder.
template <class Shape>
void Search<Shape>::record(const Node& node, int alpha, const Moves& moves, const Candidates& left) {
    Recorder* const recorder = std::exchange(run.recorder, nullptr);
    std::array<Recorder::Sample, max_moves> samples{};
    // The first one pays for what all of them share: start with a different one each time.
    const int count = std::popcount(left.open);
    const int first = static_cast<int>(nodes % static_cast<u64>(count));
    for (int k = 0; k < count && !stopped(); ++k) {
        MoveSet rest = left.open;
        for (int skip = (k + first) % count; skip > 0; --skip) rest = without_lowest(rest);
        const int i = lowest_bit(rest);
        const u64 before = nodes;
        const auto& outcome = moves.outcome[i];
        const bool cuts = value_of(outcome, key_of(outcome.node), alpha, false) > alpha;
        samples[k] = {lowest_bit(moves.square[i]), contains(left.close, i), cuts, nodes - before + 1};
    }
    if (!stopped())
        recorder->take(static_cast<u64>(node.mover), static_cast<u64>(node.mask), alpha, samples.data(),
                       count);
    run.recorder = recorder;
}

template <class Shape>
int Search<Shape>::search(const Node& node, const Key<Bits>& key, int alpha, bool proof_failed) {
    // Step 1. What is certain of every node with this many empty squares.
    const int empties = empties_of(node);
    if (empties <= drawn_empties) return 0;
    if (alpha >= best_score(empties)) return best_score(empties);
    if (alpha < worst_score(empties)) return worst_score(empties);

    // From here to the end of the game a search that does less of each node is quicker.
    if constexpr (has_endgame)
        if (in_endgame(empties))
            return run.busy == nullptr ? endgame_.search(node, alpha) : share_endgame(node, key, alpha);

    // Step 2. Count the node, and give up if a limit is reached.
    if (!count_node()) return 0;

    // Step 3. What the table knows of this position.
    const bool use_table = features_.table && empties > no_table_empties;
    Bounds bounds{worst_score(empties), best_score(empties)};
    if (use_table && table_for(empties).probe(key, bounds)) {
        if (bounds.upper <= alpha) return bounds.upper;
        if (bounds.lower > alpha) return bounds.lower;
    }

    // Step 4. A static proof that the score is not greater than alpha.
    if (features_.proofs && !proof_failed) {
        const int bound =
            proofs_.upper_bound(alpha, node.mover, node.mask, node.opponent_wins, node.ply);
        if (bound <= alpha) return bound;
    }

    // Step 5. The moves that do not lose at once. One of them may win by force.
    Moves moves;
    if (generate(node, moves)) return best_score(empties);

    // Step 6. A move after which the opponent never wins is enough to draw.
    if (features_.child_proofs && alpha < 0 && empties % 2 != 0 && any_child_never_wins(node, moves))
        return 0;

    // Step 7. Play each move and the replies that it forces.
    Candidates left{moves.valid, 0, worst_score(empties)};
    const bool ask_children = !in_endgame(empties - 1);
    const bool look = features_.lookahead && use_table && empties > lookahead_empties && ask_children;
    if (play_moves(node, alpha, look, moves, left)) return left.best;

    // Step 8. The static proof of step 4 for each child; a child need not try it again.
    const bool prove_children =
        features_.proofs && features_.child_proofs && empties > child_proof_empties && ask_children;
    if (prove_children && prove_a_child(alpha, moves, left)) return left.best;

    // Step 9. What the table knows of the children. Its answers are on their way since step 7.
    if (look && ask_table(alpha, moves, left)) return left.best;

    // Step 10. Proofs with a game in two columns, for all children at once.
    if (features_.local_games && empties > local_game_empties && suits_local_games(alpha) &&
        win_a_local_game(node, alpha, moves, left))
        return left.best;

    // Step 11. Put the moves in order, the most promising first.
    if (more_than_one(left.open)) rate_moves(node, alpha, moves, left);
    if (run.recorder != nullptr && more_than_one(left.open) && run.recorder->wants(empties))
        record(node, alpha, moves, left);

    // Step 12. Search them until one is good enough.
    const u64 nodes_before = nodes;
    const bool share = run.busy != nullptr && use_table && empties > shared_work_empties;
    const int best = share ? share_children(node, key, alpha, look, prove_children, moves, left)
                           : search_children(alpha, look, prove_children, moves, left);
    if (stopped()) return 0;

    // Step 13. Remember what was proven.
    if (use_table) remember(empties, key, bounds, alpha, best, nodes - nodes_before);
    return best;
}

}  // namespace FOURCAST_KERNEL
}  // namespace fourcast
