// Counting move sequences: the usual way to prove that the rules are right.
#pragma once

#include <functional>

#include "position.hpp"

namespace fourcast {

/// The number of sequences of `depth` legal moves from `position`; a finished game is not continued.
///
/// `poll` is called every now and then (many times a second) and may throw to end the count.
u64 perft(const Position& position, int depth, const std::function<void()>& poll = [] {});

}  // namespace fourcast
