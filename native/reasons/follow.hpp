// A claim, played out: what its player answers to any replies of the opponent.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "proof.hpp"

namespace fourcast::reasons {

/// How a game stands in which one player follows a claim.
struct Followed {
    Position position;
    std::vector<int> columns;  // all discs from the position that the claim is about
    /// Why the claim's player played the last disc; empty if it was not theirs. As the next one of the
    /// claim's start or of its forcing line ("line"); to complete a "four"; to "block" one; to begin a
    /// forced win ("force"); as the "table" has it; on "top" of the opponent's disc; elsewhere in the
    /// "group" of that disc; or "elsewhere", in another group, because that one is full.
    std::string_view why;
    /// "won" and "held" once the claim's player has won, or cannot lose any more.
    std::string_view state;
};

/// The game in which the opponent plays `replies` and the claim's player follows the claim, which is
/// about `position`. Throws IllegalMoveError for a reply that cannot be played, OptionError for one that
/// comes after the goal is reached, and ProofError if the claim, which then is not proven, has no
/// answer.
Followed follow(const Position& position, const Claim& claim, const std::vector<long long>& replies);

/// The column that begins the shortest forced win of the side to move with at most this number of its
/// discs.
std::optional<int> forced_win(const Position& position, int discs);

}  // namespace fourcast::reasons
