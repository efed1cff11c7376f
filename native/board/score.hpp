// What a score means, and which scores are still possible. Nothing else in the project works this out.
//
// A win with the disc that makes `ply` discs on the board is worth (cells + 2 - ply) / 2 to the
// winner: the last disc that can win is worth 1, and each disc that the winner does not need is worth
// one more. A draw is 0. Scores are the side to move's.
#pragma once

#include <algorithm>

#include "shape.hpp"

namespace fourcast {
inline namespace FOURCAST_KERNEL {

/// The winner's score if disc number `ply` of the whole game completes a four.
constexpr int win_score(int cells, int ply) { return (cells + 2 - ply) / 2; }

/// The number of discs on the board when a game of this score is over, seen from `ply` discs: the
/// inverse of win_score, with the parity that tells who places the last disc.
///
/// In misere the loser places it.
constexpr int final_ply(int cells, int ply, int score, bool misere = false) {
    if (score == 0) return cells;
    const int magnitude = score > 0 ? score : -score;
    const int latest = cells + 2 - 2 * magnitude;  // latest - 1 is worth the same
    const bool mover_ends = (score > 0) != misere;
    // The mover's discs are number ply + 1, ply + 3, ...: pick the one of the two candidates that fits.
    const bool fits = ((latest - ply) % 2 != 0) == mover_ends;
    return fits ? latest : latest - 1;
}

/// Discs that the winner still has to play if this is the score of the side to move; 0 for a draw.
constexpr int winner_moves(int cells, int ply, int score, bool misere = false) {
    const int plies = final_ply(cells, ply, score, misere) - ply;
    return score == 0 ? 0 : (plies + (score > 0 ? 1 : 0)) / 2;
}

/// The best that is left for a side to move that cannot win at once.
constexpr int best_score(int empties) { return (empties - 1) / 2; }

/// The worst for a side to move that cannot be beaten before the opponent's second disc from now.
constexpr int worst_score(int empties) { return -((empties - 2) / 2); }

/// No score on a board of this size is larger, and none is less than its negative: nobody has four
/// discs before ply 7, and other numbers `connect` no sooner than their own.
constexpr int highest_score(int cells, int connect = 4) { return win_score(cells, 2 * connect - 1); }

/// The score of the side to move if its next disc, or the opponent's, completes a four. No game that
/// goes on from here is worth more than the one or less than the negative of the other.
constexpr int win_at_once(int cells, int ply) { return win_score(cells, ply + 1); }
constexpr int loss_at_once(int cells, int ply) { return win_score(cells, ply + 2); }

/// The scores that a game with `ply` discs that is not over may still have, whatever the discs are.
struct ScoreRange {
    int lower;
    int upper;
};
constexpr ScoreRange possible_scores(int cells, int ply, int connect = 4) {
    // Four discs of the first player are there at ply 7 at the earliest, of the second at ply 8.
    const int first = 2 * connect - 1;
    const int earliest[] = {first + ply % 2, first + 1 - ply % 2};
    return {-std::min(loss_at_once(cells, ply), win_score(cells, earliest[1])),
            std::min(win_at_once(cells, ply), win_score(cells, earliest[0]))};
}

/// What the side to move gets: "win", "draw", "loss", or nullptr if these bounds leave it open.
constexpr const char* outcome_of(int lower, int upper) {
    if (lower > 0) return "win";
    if (upper < 0) return "loss";
    return lower == 0 && upper == 0 ? "draw" : nullptr;
}

/// The share of an evaluation bar for the side to move, 0 to 1. A draw is a half. A win is far more,
/// however late it comes, and the more the sooner: a win by the next disc is all of it.
constexpr double share_of_mover(int cells, int ply, int score) {
    constexpr double latest_win = 0.4;
    if (score == 0) return 0.5;
    const bool wins = score > 0;
    const int soonest = wins ? win_at_once(cells, ply) : loss_at_once(cells, ply);
    const double size = latest_win + (1 - latest_win) * (wins ? score : -score) / soonest;
    return 0.5 + (wins ? 0.5 : -0.5) * std::min(size, 1.0);
}

}  // namespace FOURCAST_KERNEL
}  // namespace fourcast
