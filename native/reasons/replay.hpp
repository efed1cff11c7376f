// Checks claims by replaying their proofs against everything that the opponent can play.
//
// Nothing is shared with the searches for proofs but the rules: a claim that is accepted here is true,
// whoever made it. `fourcast.study.checker` does the same in Python, and the tests hold the two against
// each other.
#pragma once

#include "proof.hpp"
#include "system/errors.hpp"

namespace fourcast::reasons {

/// A proof that does not hold; the code says where.
using ProofError = NamedError<"ProofError">;

/// Positions of a proof; a longer one is no reason.
inline constexpr std::size_t most_positions = 100'000;

/// Returns how many positions prove `claim`, which is about `position`. Throws ProofError if it is not
/// proven.
std::size_t replay(const Position& position, const Claim& claim);

}  // namespace fourcast::reasons
