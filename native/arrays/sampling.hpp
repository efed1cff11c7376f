// Positions of random games, by the million.
#pragma once

#include <cstddef>
#include <cstdint>

#include "board/position.hpp"
#include "system/poll.hpp"

namespace fourcast {

/// Which positions `sample_positions` draws: how many discs they have, and how that is chosen.
struct SamplePlan {
    int width = 7;
    int height = 6;
    int fewest = 0;  // discs on the board
    int most = 41;
    bool uniform_ply =
        true;               // every number of discs is as likely; otherwise as often as in random games
    bool unique = false;    // no two are equal or mirror images
    int games_at_once = 8;  // at most, by one thread; for tests
};

/// How many random games of the standard board this processor plays at once: 1, 4 or 8. The positions
/// are the same.
int games_at_once();

/// Where a sample is written, row by row.
struct SampleRows {
    u64* discs;           // the first player's, then the second's: one word each, two on large boards
    std::uint8_t* moves;  // the characters of the move string, and zeros up to the number of squares
};

/// `count` positions of random games that are not over, each of a game of its own. They depend on the
/// plan and the seed only, not on the threads. Throws OptionError if there are not enough.
///
/// Rows are written in place. Unique ones take 12 bytes each beside them, 24 on large boards.
void sample_positions(std::size_t count, u64 seed, const SamplePlan& plan, int threads,
                      const SampleRows& rows, const Check& check);

}  // namespace fourcast
