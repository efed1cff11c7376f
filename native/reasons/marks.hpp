// What an explanation draws on the board: one value for every renderer. The words carry everything;
// marks show where.
#pragma once

#include "explain.hpp"
#include "system/value.hpp"

namespace fourcast::reasons {

/// The marks of each claim, or of the best move if there is no claim. Each has "width", "height" and
/// "rows" of the board that is drawn, which is the one after the explanation's line and the first moves
/// of the claim; the "player" whose reason it is; and squares, each kind with a meaning:
///   * played: discs of that board that the explained one does not have, in the order of play;
///   * gets: squares that only the player gets, as long as the plan is needed;
///   * leaves: squares that only the opponent may get. Squares that either may get are not marked;
///   * pairs: when the opponent takes one, the player takes the other;
///   * frozen: squares that nobody plays until the opponent has to;
///   * wins: every square where the player completes a four in some game; none for a claim that holds;
///   * line: discs to come: a forcing line up to the last block, or the best move;
///   * groups: the columns of each local game.
/// And "count", the number of squares that are filled before the frozen ones, null if that is not known.
/// No square is in two of gets, leaves, frozen and pairs. `wins` may be any of them.
Value marks(const Explanation& explanation);

/// The kinds of marks that are there and what each means, [{"kind": "gets", "said": ...}, ...].
Value legend(const Value& marks);
/// What is left of marks once play has gone on from `begin`, the board that they draw, to `now`: for the
/// legend, so without the moves shown, and with the count of squares that come now.
Value marks_left(const Value& marks, const Position& begin, const Position& now);

}  // namespace fourcast::reasons
