// Counting move sequences: the usual way to prove that the rules are right.
#pragma once

#include "position.hpp"
#include "system/poll.hpp"

namespace fourcast {

/// The number of sequences of `depth` legal moves from `position`; a finished game is not continued.
///
/// `check` may throw to end the count.
u64 perft(const Position& position, int depth, const Check& check = {});

}  // namespace fourcast
