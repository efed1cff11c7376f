// Answer tables: a plan that a person can carry out without looking ahead.
//
// F, the side that is not to move, always does the first of these that applies:
//   1. complete a four;
//   2. stop a four that O would complete with the next disc;
//   3. win by force with at most `takes` discs;
//   4. answer O's disc on square s with the first square of answers[s] that can be played and does not
//      lie below a square on which O completes a four. Without an entry, the square on top of s.
//
// Such a plan is believed only after a replay of all discs that O can play.
#pragma once

#include <optional>

#include "board.hpp"
#include "proof.hpp"

namespace fourcast::reasons {

/// An answer table with at most `most_rules` rules to remember, one with few of them first; nothing if
/// there is none within the budget. `board` is seen from F; O is to move. For the shapes of
/// `with_either_shape`.
template <class Shape>
std::optional<AnswerPlan<typename Shape::Bits>> find_plan(const Shape& shape,
                                                          const Board<typename Shape::Bits>& board,
                                                          Role goal, int takes, int most_rules,
                                                          Budget& budget);

}  // namespace fourcast::reasons
