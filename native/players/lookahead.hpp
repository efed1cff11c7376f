// Looking some moves ahead: negamax with alpha-beta to a depth, and an evaluation at the end of it.
//
// This is the search of the players, plain on purpose. The solver's is in search.hpp.
#pragma once

#include <limits>
#include <optional>
#include <vector>

#include "board/position.hpp"
#include "evaluations.hpp"
#include "system/poll.hpp"

namespace fourcast {

enum class Evaluation { none, winsets, streaks };

struct LookAheadOptions {
    int depth = 4;  // plies
    Evaluation evaluation = Evaluation::none;
    double time_s = std::numeric_limits<double>::infinity();
    /// Positions to look at in each thread. Unlike a limit of time, it gives the same answer every time,
    /// provided that there is only one thread.
    u64 nodes = std::numeric_limits<u64>::max();
    int threads = 1;
    /// Find the exact value of every column, and not only of the best ones.
    bool every_column = false;
};

struct LookAhead {
    /// For each column what it is worth to the side to move: its win base plus the score of a win that
    /// it has seen, the negative of a loss, else the evaluation of what best play leads to. Nothing for
    /// a closed column, and for one of which it is only known that another one is better.
    std::vector<std::optional<Estimate>> values;
    ColumnSet best = 0;
    int depth = 0;  // plies that were looked ahead in full
    u64 nodes = 0;
    Estimate win_base = 0;
};

/// Searches a game that is not over. It goes deeper ply by ply, until the depth or
/// the end of the game is reached, a win or nothing but losses is found, or a limit is reached; but
/// always one ply. All columns that are as good as the best one are found, whatever the number of
/// threads.
LookAhead look_ahead(const Position& position, const LookAheadOptions& options, const Check& check = {});

/// The evaluation of a position for the side to move, without a search; the win base and the score for a
/// game that is won.
Estimate evaluate(const Position& position, Evaluation evaluation);

/// The win sets of player 1 or 2, as bits of squares, the smallest first.
std::vector<u128> win_sets(const Position& position, int player);

/// The streaks of player 1 or 2.
StreakCounts count_streaks(const Position& position, int player);

}  // namespace fourcast
