// The search for misere: whoever makes a line loses.
//
// Every square on which a player would complete a line is poison for that player. A move is safe or
// loses at once; the game is about who runs out of safe moves. So nothing is forced, and the proofs of
// proofs.hpp are turned around: if the opponent follows up (or pairs up) and makes no line with what
// that gives, the opponent never loses; and if the mover's part holds a line, it is the mover who makes
// one.
#pragma once

#include <algorithm>
#include <array>
#include <type_traits>

#include "engine.hpp"
#include "key.hpp"
#include "narrow_shape.hpp"
#include "nodes.hpp"
#include "run.hpp"
#include "table.hpp"

namespace fourcast {
inline namespace FOURCAST_KERNEL {

template <class Shape>
class MisereSearch final : public Watch {
  public:
    using Bits = typename Shape::Bits;
    using Slot = std::conditional_t<sizeof(Bits) == 8, NarrowSlot, WideSlot>;
    /// `*_wins` are the squares that are poison for each side. The mover has a safe move.
    using Node = fourcast::Node<Bits>;
    using Outcome = fourcast::Outcome<Bits>;

    MisereSearch(const Shape& shape, Table<Slot>& table, const Features& features)
        : shape_(shape),
          mover_rows_(shape.board() & ~follower_rows(shape)),
          table_(table),
          features_(features) {}

    /// The node that a position is, or the score if it is decided.
    Outcome begin(Bits mover, Bits mask, int ply) const {
        const Bits open = playable(shape_, mask);
        const Node node{mover, mask, threats(shape_, mover, mask), threats(shape_, mover ^ mask, mask),
                        ply};
        if (open == 0) return {node, 0, 0};
        if ((open & ~node.mover_wins) == 0) return {node, 0, -win_score(shape_.cells(), ply + 1)};
        return {node, 1, 0};
    }

    /// As Search::search.
    int search(const Node& node, int alpha) {
        start();
        return visit(node, alpha);
    }

    Bounds known(const Node& node) {
        Bounds bounds = certain(node.ply);
        if (features_.table) table_.probe(key_of(node), bounds);
        return bounds;
    }

  private:
    static constexpr int no_table_empties = 5;
    static constexpr int most_left =
        3;  // moves that are left to the mover when a proof says it has lost

    /// The mover has a safe move, so that the opponent may lose with the next disc, and the mover with
    /// the one after that.
    Bounds certain(int ply) const {
        const int cells = shape_.cells();
        return {std::min(0, -win_score(cells, ply + 3)), std::max(0, win_score(cells, ply + 2))};
    }

    Key<Bits> key_of(const Node& node) const {
        const auto key = features_.dead_discs ? make_key<false>(shape_, node.mover, node.mask,
                                                                node.mover_wins, node.opponent_wins)
                                              : make_plain_key(shape_, node.mover, node.mask);
        return features_.mirror ? canonical(shape_, key) : key;
    }

    /// A proven upper bound for the side to move, `own`, if the number of empty squares is even;
    /// `unproven` if there is none.
    ///
    /// The lowest squares of columns with an odd number of empty squares pair up. The other side gets at
    /// most the rows of the follower, and the mover all of its own rows. The mover chooses which of its
    /// moves come last: if a line is there whichever the last n are, it has lost before them.
    static constexpr int unproven = 1000;
    int upper_bound(Bits own, Bits other, int alpha) const {
        const Bits empty = shape_.board() & ~(own | other);
        if (has_four(shape_, other | (empty & ~mover_rows_))) return unproven;
        const Bits gets = own | (empty & mover_rows_);
        int left = 0;
        while (left < most_left && -left > alpha && has_line_without(gets, empty & mover_rows_, left))
            ++left;
        return -left;
    }
    /// True if there is a line in `gets` whichever `count` of the squares of `rows` are missing, from
    /// the tops of the columns down.
    bool has_line_without(Bits gets, Bits rows, int count) const {
        if (!has_four(shape_, gets)) return false;
        if (count == 0) return true;
        for (int column = 0; column < shape_.width(); ++column) {
            const Bits squares = rows & shape_.column(column);
            if (squares == 0) continue;
            const Bits top = topmost(squares);
            if (!has_line_without(gets & ~top, rows & ~top, count - 1)) return false;
        }
        return true;
    }
    static constexpr Bits topmost(Bits squares_of_column) {
        while (more_than_one(squares_of_column)) squares_of_column = without_lowest(squares_of_column);
        return squares_of_column;
    }

    int visit(const Node& node, int alpha) {
        const int cells = shape_.cells();
        const int empties = cells - node.ply;
        Bounds bounds = certain(node.ply);
        if (alpha >= bounds.upper) return bounds.upper;
        if (alpha < bounds.lower) return bounds.lower;
        if (!count_node()) return 0;

        const bool use_table = features_.table && empties > no_table_empties;
        Key<Bits> key{};
        if (use_table) {
            key = key_of(node);
            if (table_.probe(key, bounds)) {
                if (bounds.upper <= alpha) return bounds.upper;
                if (bounds.lower > alpha) return bounds.lower;
            }
        }
        const Bits opponent = node.mover ^ node.mask;
        if (features_.proofs && empties % 2 == 0) {
            const int bound = upper_bound(node.mover, opponent, alpha);
            if (bound <= alpha) return bound;
        }

        struct Move {
            Node child;
            Key<Bits> key;
            int rating;
        };
        std::array<Move, max_width<Shape>> moves;
        int count = 0;
        int best = -win_score(cells, node.ply + 3);
        const Bits open = playable(shape_, node.mask);
        for (const Bits square : each_square(open & ~node.mover_wins)) {
            const Bits mask = node.mask | square;
            const Bits mover = node.mover | square;
            const Bits theirs = node.opponent_wins & ~square;
            const Bits next = playable(shape_, mask);
            const Bits safe = next & ~theirs;
            if (safe == 0) {
                // A full board, or the opponent has to make a line.
                best = std::max(best, next == 0 ? 0 : win_score(cells, node.ply + 2));
                if (best > alpha) return best;
                continue;
            }
            if (features_.child_proofs && empties % 2 != 0) {
                const int bound = -upper_bound(opponent, mover, -alpha - 1);
                if (bound > alpha) return bound;
            }
            Move& move = moves[count++];
            const Bits own = threats(shape_, mover, mask);
            move.child = {opponent, mask, theirs, own, node.ply + 1};
            // First what leaves the opponent few safe moves and the mover no more poison, at the edge.
            const int column = shape_.column_of(lowest_bit(square));
            const int off_center = std::abs(2 * column - (shape_.width() - 1));
            move.rating = -8 * (popcount(safe) + popcount(own)) + (shape_.wraps() ? 0 : 3 * off_center);
        }
        if (use_table && features_.lookahead && empties > no_table_empties + 3)
            for (int i = 0; i < count; ++i) {
                moves[i].key = key_of(moves[i].child);
                Bounds child = certain(node.ply + 1);
                if (!table_.probe(moves[i].key, child)) continue;
                if (-child.upper > alpha) return -child.upper;
                if (-child.lower <= alpha) {
                    best = std::max(best, -child.lower);
                    moves[i--] = moves[--count];
                }
            }
        const u64 before = nodes;
        for (int i = 0; i < count && best <= alpha; ++i) {
            int next = i;
            for (int j = i + 1; j < count; ++j)
                if (moves[j].rating > moves[next].rating) next = j;
            std::swap(moves[i], moves[next]);
            best = std::max(best, -visit(moves[i].child, -alpha - 1));
            if (stopped()) return 0;
        }
        if (use_table) {
            if (best > alpha)
                bounds.lower = std::max(bounds.lower, best);
            else
                bounds.upper = std::min(bounds.upper, best);
            table_.store(key, bounds, nodes - before);
        }
        return best;
    }

    // Threads share the table, and nothing else.
    bool is_overtaken() override { return false; }

    Shape shape_;
    Bits mover_rows_;
    Table<Slot>& table_;
    Features features_;
};

}  // namespace FOURCAST_KERNEL
}  // namespace fourcast
