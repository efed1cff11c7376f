// Explanations: why a position is won, lost or drawn, as claims with proofs that need no solver to
// check.
#pragma once

#include <vector>

#include "proof.hpp"
#include "solver/solver.hpp"
#include "system/value.hpp"

namespace fourcast::reasons {

struct Explanation {
    Result verdict;
    /// Best play from the position to the one that the claims are about. The claims are proven; that
    /// this is best play is the solver's word.
    std::vector<int> line;
    /// One that wins, or one for each side of a draw. Empty: no short reason was found.
    std::vector<Claim> claims;
    /// What the text is made of (ideas.hpp); null if the limit left no time for the verdict.
    Value idea;
    /// False if the limit was reached, or the call stopped, before every search for a reason had ended.
    bool complete = true;
};

/// How far a reason is looked for. "quick" is for many positions at once, as in reviews: shorter
/// searches, none case by case with few discs, and no long line to a position that has a reason.
enum class Effort { full, quick };

/// Explains a position. Apart from `limit` and stops, the answer depends on the position and the effort
/// alone: the searches for reasons are bounded by steps, and use the solver only for exact outcomes.
/// Throws FinishedGameError if the game is over.
Explanation explain(const Position& position, Solver& solver, Effort effort, const Limit& limit,
                    const Check& check, const StopToken& token);

/// Adds the idea to an explanation that has everything else: `limit` is for what needs the solver.
void add_idea(Explanation& found, Solver& solver, const Limit& limit, const Check& check = {},
              const StopToken& token = {});

}  // namespace fourcast::reasons
