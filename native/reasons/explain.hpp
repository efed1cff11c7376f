// Explanations: why a position is won, lost or drawn, as claims with proofs that need no solver to
// check.
#pragma once

#include <variant>
#include <vector>

#include "../solver.hpp"
#include "force.hpp"
#include "local_games.hpp"
#include "plan.hpp"

namespace fourcast::reasons {

/// A forcing line, by its columns: the attacker's stone, the forced reply, ..., the stone that completes
/// the four.
struct ForceLine {
    std::vector<int> columns;
};

using Proof = std::variant<ForceLine, AnswerPlan<u128>, LocalProof<u128>>;

/// `player` reaches `goal` against any defense.
struct Claim {
    int player = 1;
    Role goal = Role::win;
    /// Columns from the position to where the proof begins: moves of the player's, and forced replies.
    std::vector<int> start;
    Proof proof;
};

struct Explanation {
    Result verdict;
    /// Best play from the position to the one that the claims are about. The claims are proven; that
    /// this is best play is the solver's word.
    std::vector<int> line;
    /// One that wins, or one for each side of a draw. Empty: no short reason was found.
    std::vector<Claim> claims;
    /// False if the limit was reached, or the call stopped, before every search for a reason had ended.
    bool complete = true;
};

/// Explains a position. Apart from `limit` and stops, the answer depends on the position alone: the
/// searches for reasons are bounded by steps, and use the solver only for exact outcomes.
/// Throws FinishedGameError if the game is over.
Explanation explain(const Position& position, Solver& solver, const Limit& limit, const Check& check,
                    const StopToken& token);

}  // namespace fourcast::reasons
