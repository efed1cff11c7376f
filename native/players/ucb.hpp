// What searches in a tree share: they choose their way by an upper confidence bound (UCB1), and end by a
// limit.
#pragma once

#include <chrono>
#include <cmath>
#include <vector>

#include "board/random.hpp"
#include "mcts.hpp"
#include "system/poll.hpp"

namespace fourcast {

/// Of the children of `node` that pass `may_choose`, the one with the highest upper bound; before that,
/// any child that was never tried. The first one if none passes.
template <class Node, class MayChoose>
std::size_t select_child(const std::vector<Node>& nodes, const Node& node, double exploration,
                         Random& random, const MayChoose& may_choose) {
    std::size_t best = node.first_child;
    double highest = -1;
    int untried = 0;
    const double log_visits = std::log(static_cast<double>(node.visits) + 1);
    for (std::size_t i = node.first_child; i < node.first_child + std::size_t{node.child_count}; ++i) {
        const Node& child = nodes[i];
        if (!may_choose(child)) continue;
        if (child.visits == 0) {
            if (random.below(++untried) == 0) best = i;
        } else if (untried == 0) {
            const double mean = child.losses / child.visits;
            const double bound = mean + exploration * std::sqrt(log_visits / child.visits);
            if (bound > highest) {
                highest = bound;
                best = i;
            }
        }
    }
    return best;
}

/// Grows a tree, a random game at a time, until there have been enough of them, it is proven, or the
/// time is over. Returns the number of games.
template <class Tree>
u64 grow_tree(Tree& tree, const TreeSearchOptions& options, const Check& check) {
    using Time = std::chrono::steady_clock;
    const auto start = Time::now();
    Poll poll(check);
    u64 playouts = 0;
    while (playouts < options.playouts && !tree.is_proven()) {
        tree.grow();
        ++playouts;
        if (playouts % Tree::games_between_polls != 0) continue;
        poll();
        if (std::chrono::duration<double>(Time::now() - start).count() >= options.time_s) break;
    }
    return playouts;
}

}  // namespace fourcast
