// Where the recorders begin: positions after random moves.
#pragma once

#include <random>

#include "search/nodes.hpp"

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

}  // namespace fourcast
