// Claims as values, and back: the one shape of a proof outside the core. docs/explain.md describes it.
#pragma once

#include "proof.hpp"
#include "system/value.hpp"

namespace fourcast::reasons {

/// A claim about a position on a board of this height.
Value claim_value(const Claim& claim, int height);

/// The claim that `claim_value` wrote, about a position on the same board as `board`. Throws OptionError
/// if it is none there; whether it is proven, replay.hpp says.
Claim claim_from(const Value& value, const Position& board);

/// Squares as lists [column, row], from 0.
Value square_value(u128 square, int height);
Value squares_value(u128 squares, int height);

}  // namespace fourcast::reasons
