// Monte Carlo tree search: UCT (Kocsis and Szepesvari, 2006) with random games at the leaves.
#pragma once

#include <limits>
#include <vector>

#include "poll.hpp"
#include "position.hpp"

namespace fourcast {

struct TreeSearchOptions {
    u64 playouts = 10'000;
    double time_s = std::numeric_limits<double>::infinity();
    u64 seed = 0;
    /// How much a column is tried for being little tried: the constant of UCB1.
    double exploration = 1.0;
};

struct TreeSearch {
    /// How often each column was tried; 0 for a closed one.
    std::vector<u64> visits;
    /// What came of it for the side to move, from 0 (all lost) to 1 (all won).
    std::vector<double> means;
    /// The columns to play: proven wins if there are any, else the one tried most that is no proven
    /// loss.
    ColumnSet best = 0;
    u64 playouts = 0;
};

/// What the search finds in a game that is not over. By number it is the same every time; by time it is
/// not. Wins and losses that the tree shows are proven, and not left to chance: a win at once is always
/// found, and a move that allows one never preferred to one that does not.
TreeSearch search_tree(const Position& position, const TreeSearchOptions& options,
                       const Check& check = {});

}  // namespace fourcast
