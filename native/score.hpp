// What a score means, and which scores are still possible.
//
// A win with the stone that makes `ply` stones on the board is worth (cells + 2 - ply) / 2 to the
// winner, so that the last stone that can win is worth 1 and every stone of his that he needs less is
// worth one more. A draw is 0. Scores are the side to move's.
#pragma once

#include "shape.hpp"

namespace fourcast {
inline namespace FOURCAST_KERNEL {

/// The winner's score if his stone number `ply` of the whole game completes a four.
constexpr int win_score(int cells, int ply) { return (cells + 2 - ply) / 2; }

/// The number of stones on the board when a game of this score is over, seen from `ply` stones: the
/// inverse of win_score, with the parity that tells who places the last stone.
constexpr int final_ply(int cells, int ply, int score) {
    if (score == 0) return cells;
    const int magnitude = score > 0 ? score : -score;
    const int latest = cells + 2 - 2 * magnitude;  // latest - 1 is worth the same
    const bool mover_ends = score > 0;
    // The mover's stones are number ply + 1, ply + 3, ...: pick the one of the two candidates that fits.
    const bool fits = ((latest - ply) % 2 != 0) == mover_ends;
    return fits ? latest : latest - 1;
}

/// The best that is left for a side to move that can not win at once.
constexpr int best_score(int empties) { return (empties - 1) / 2; }

/// The worst for a side to move that can not be beaten before the opponent's second stone from now.
constexpr int worst_score(int empties) { return -((empties - 2) / 2); }

}  // namespace FOURCAST_KERNEL
}  // namespace fourcast
