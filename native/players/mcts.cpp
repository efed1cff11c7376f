#include "mcts.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

#include "board/playout.hpp"
#include "board/threats.hpp"
#include "by_rules.hpp"
#include "ucb.hpp"

namespace fourcast {
namespace {

/// A position of the tree. What it knows is about its side to move.
struct Node {
    std::uint32_t first_child = 0;
    std::uint8_t child_count = 0;
    std::uint8_t column = 0;  // that led here
    std::int8_t proven = 0;   // 1: the side to move wins, -1: it loses
    std::uint8_t plies = 0;   // to the end of the game, if it is proven
    bool is_expanded = false;
    std::uint32_t visits = 0;
    double losses = 0;  // of the side to move, and so wins of the opponent, who chooses this node
};

/// Nodes of the largest tree, about 100 MB. Beyond that, leaves are played out and not expanded.
constexpr std::size_t most_nodes = 4'000'000;

template <class Shape>
class Tree {
  public:
    using Bits = typename Shape::Bits;
    static constexpr u64 games_between_polls = 64;

    Tree(const Shape& shape, const Position& position, const TreeSearchOptions& options)
        : shape_(shape),
          mover_(static_cast<Bits>(position.discs(position.turn()))),
          other_(static_cast<Bits>(position.discs(3 - position.turn()))),
          exploration_(options.exploration),
          random_(options.seed, 0) {
        nodes_.emplace_back();
        expand(0, mover_, other_);
    }

    bool is_proven() const { return nodes_[0].proven != 0; }

    /// From the root to a leaf, a random game, and back.
    void grow() {
        path_.assign(1, 0);
        Bits mover = mover_;
        Bits other = other_;
        std::optional<double> won;
        while (!(won = value_at(path_.back(), mover, other))) {
            const std::size_t chosen = select(nodes_[path_.back()]);
            path_.push_back(chosen);
            mover |= playable(shape_, mover | other) & shape_.column(nodes_[chosen].column);
            std::swap(mover, other);
        }
        back_up(*won);
    }

    TreeSearch result(int width) const {
        TreeSearch found;
        found.visits.assign(static_cast<std::size_t>(width), 0);
        found.means.assign(static_cast<std::size_t>(width), 0);
        const Node& root = nodes_[0];
        auto best = rank(Node{});
        for (const Node* child = children(root); child != children(root) + root.child_count; ++child) {
            found.visits[child->column] = child->visits;
            found.means[child->column] = child->proven != 0   ? (child->proven < 0 ? 1 : 0)
                                         : child->visits == 0 ? 0.5
                                                              : child->losses / child->visits;
            if (found.best != 0 && rank(*child) < best) continue;
            const bool is_equal = found.best != 0 && rank(*child) == best;
            found.best = (is_equal ? found.best : 0) | ColumnSet{1} << child->column;
            best = rank(*child);
        }
        return found;
    }

  private:
    /// The order of the children, best last: first wins of the opponent, the later the better; then what
    /// is open, by how often it was tried; then losses of the opponent, the sooner the better.
    static std::pair<int, std::uint32_t> rank(const Node& child) {
        return {-child.proven, child.proven < 0   ? 255U - child.plies
                               : child.proven > 0 ? child.plies
                                                  : child.visits};
    }

    const Node* children(const Node& node) const { return nodes_.data() + node.first_child; }

    /// What the side to move wins if the path ends at this node: 1, 1/2 or 0. Nothing if it goes on,
    /// and then the node is expanded.
    std::optional<double> value_at(std::size_t index, Bits mover, Bits other) {
        Node& node = nodes_[index];
        if (node.proven != 0) return node.proven > 0 ? 1 : 0;
        const Bits mask = mover | other;
        const Bits open = playable(shape_, mask);
        if (open == 0) return 0.5;
        if (node.visits == 0) {
            if ((threats(shape_, mover, mask) & open) == 0) return play_out(mover, other);
            node.proven = 1;
            node.plies = 1;
            return 1;
        }
        if (!node.is_expanded) {
            if (nodes_.size() + 32 > most_nodes) return play_out(mover, other);
            expand(index, mover, other);
        }
        return std::nullopt;
    }

    double play_out(Bits mover, Bits other) {
        const int winner = random_game(shape_, mover, other, random_).winner;
        return winner == 0 ? 0.5 : winner == 1 ? 1 : 0;
    }

    /// Tell all nodes of the path what came of it; `won` is the last one's.
    void back_up(double won) {
        for (std::size_t i = path_.size(); i-- > 0;) {
            Node& node = nodes_[path_[i]];
            ++node.visits;
            node.losses += 1 - won;
            won = 1 - won;
            if (i > 0 && node.proven != 0) prove(nodes_[path_[i - 1]]);
        }
    }

    void expand(std::size_t index, Bits mover, Bits other) {
        const Bits mask = mover | other;
        const auto first = static_cast<std::uint32_t>(nodes_.size());
        for (const Bits move : each_square(playable(shape_, mask))) {
            Node child;
            child.column = static_cast<std::uint8_t>(shape_.column_of(lowest_bit(move)));
            // Only at the root: elsewhere a win at once was found on the first visit.
            if (has_four(shape_, static_cast<Bits>(mover | move))) child.proven = -1;
            nodes_.push_back(child);
            ++nodes_[index].child_count;
        }
        nodes_[index].first_child = first;
        nodes_[index].is_expanded = true;
        prove(nodes_[index]);
    }

    /// Concludes from the children what is proven of a node, if anything.
    void prove(Node& node) {
        bool all_win = node.child_count > 0;
        int soonest = 255;
        int latest = 0;
        for (const Node* child = children(node); child != children(node) + node.child_count; ++child) {
            if (child->proven < 0) soonest = std::min(soonest, child->plies + 1);
            if (child->proven > 0) latest = std::max(latest, child->plies + 1);
            all_win = all_win && child->proven > 0;
        }
        if (soonest < 255) {
            node.proven = 1;
            node.plies = static_cast<std::uint8_t>(soonest);
        } else if (all_win) {
            node.proven = -1;
            node.plies = static_cast<std::uint8_t>(latest);
        }
    }

    std::size_t select(const Node& node) {
        // Where a child is won for its side to move, the opponent would win.
        return select_child(nodes_, node, exploration_, random_,
                            [](const Node& child) { return child.proven <= 0; });
    }

    const Shape shape_;
    const Bits mover_;
    const Bits other_;
    const double exploration_;
    Random random_;
    std::vector<Node> nodes_;
    std::vector<std::size_t> path_;
};

}  // namespace

TreeSearch search_tree(const Position& position, const TreeSearchOptions& options, const Check& check) {
    if (position.is_over()) throw FinishedGameError("error.over_in", {{"position", position.repr()}});
    if (!position.rules().is_standard()) return search_tree_by_rules(position, options, check);
    return with_shape(position.width(), position.height(), [&](const auto& shape) {
        Tree<std::decay_t<decltype(shape)>> tree(shape, position, options);
        const u64 playouts = grow_tree(tree, options, check);
        TreeSearch found = tree.result(position.width());
        found.playouts = playouts;
        return found;
    });
}

}  // namespace fourcast
