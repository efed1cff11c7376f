// How searches in a tree choose their way: by an upper confidence bound (UCB1).
#pragma once

#include <cmath>
#include <vector>

#include "board/random.hpp"

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

}  // namespace fourcast
