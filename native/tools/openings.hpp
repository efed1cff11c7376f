// What the recorders share: positions after random moves, and solving one.
#pragma once

#include <algorithm>
#include <random>

#include "search/search.hpp"

namespace fourcast {

using Random = std::mt19937_64;

/// A position after `ply` random moves in which nobody has won or overlooked a win; false if it went
/// wrong.
template <class Shape>
bool random_position(const Shape& shape, int ply, Random& random, Node<u64>& node) {
    u64 mover = 0;
    u64 mask = 0;
    for (int i = 0; i < ply; ++i) {
        const u64 open = playable(shape, mask);
        if ((threats(shape, mover, mask) & open) != 0) return false;
        u64 rest = open;
        for (u64 skip = random() % static_cast<u64>(popcount(open)); skip > 0; --skip)
            rest = without_lowest(rest);
        const u64 move = lowest(rest);
        const u64 moved = mover | move;
        mask |= move;
        mover = mask ^ moved;
    }
    node = {mover, mask, threats(shape, mover, mask), threats(shape, mover ^ mask, mask), ply};
    return (node.mover_wins & playable(shape, mask)) == 0;
}

/// Solves `node` by null windows from the middle, or as far as the limit of nodes lets it.
template <class Shape>
void narrow(Search<Shape>& search, const Node<u64>& node) {
    Bounds bounds = search.known(node);
    while (bounds.lower < bounds.upper) {
        const int near_zero = bounds.upper <= 0 ? bounds.upper - 1 : 0;
        const int alpha = std::clamp(near_zero, bounds.lower, bounds.upper - 1);
        const int value = search.search(node, alpha);
        if (search.stopped()) return;
        (value > alpha ? bounds.lower : bounds.upper) = value;
    }
}

}  // namespace fourcast
