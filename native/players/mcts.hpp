// Monte Carlo tree search: UCT (Kocsis and Szepesvari, 2006) with random games at the leaves.
#pragma once

#include <limits>
#include <vector>

#include "board/position.hpp"
#include "system/poll.hpp"

namespace fourcast {

struct TreeSearchOptions {
    u64 playouts = 10'000;
    double time_s = std::numeric_limits<double>::infinity();
    u64 seed = 0;
    /// The exploration constant of UCB1: how much a column that was rarely tried is preferred.
    double exploration = 1.0;
};

struct TreeSearch {
    /// How often each column was tried; 0 for a closed one.
    std::vector<u64> visits;
    /// What came of it for the side to move, from 0 (all lost) to 1 (all won).
    std::vector<double> means;
    /// The columns to play: proven wins if there are any, else the one that was tried most and is not a
    /// proven loss.
    ColumnSet best = 0;
    u64 playouts = 0;
};

/// Searches a game that is not over. With a limit of playouts the result is the same every time; with a
/// limit of time it is not. Wins and losses that the tree shows are proven, and not left to chance: a
/// win at once is always found, and a move that allows one is never preferred to one that does not.
TreeSearch search_tree(const Position& position, const TreeSearchOptions& options,
                       const Check& check = {});

}  // namespace fourcast
