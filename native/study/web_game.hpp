// The rules of a game with people in it: who may move, take back, resign, offer a draw or a rematch, and
// when the computer is to move. A home keeps the record of a game, knows who asks, and what time it is.
//
// A record is {"seq", "start", "width", "height", "opening", "moves", "undone", "rewound", "chairs",
// "end", "draw_by", "takeback_by", "rematch_by", "rematch"}; a home may keep more in it.
// - `seq` grows by one with every change; `rewound` is that of the last one that took moves back or
//   played them again.
// - `start` is rows, empty for an empty board; `opening` are the moves with which the game was made.
// - `moves` and `undone` are lists of {"name", "stamp_s"}; the move taken back last is the last one.
// - `chairs` are {"kind", "player", "holder"}: a person, the computer, or open; the computer's player;
//   who sits there, which two chairs of one screen share.
// - `end` is an outcome that the board does not show, or null.
// - `draw_by` and its kin: which side has offered it, 0 (or nothing) for none; `rematch` is the name of
//   the rematch, or null.
#pragma once

#include <span>

#include "solver/question.hpp"

namespace fourcast::study {

/// Each takes a record under that name. What a rule changes comes back as the members of the next
/// record; nothing changes for null; {"refused": {"status", "code", "facts"}} says why not: 400 for what
/// cannot be, 403 for what is not theirs to do, 409 for what does not fit the game as it is now.
/// - `game.new` {"start", "width", "height", "moves"}: the members of a new record
/// - `game.standing`: {"result", "computer", "is_local"}: how it ended, which player of the computer's
/// is
///   to move, and whether one screen has every chair that is not the computer's
/// - `game.play` {"sides", "column", "ply", "seq", "stamp_s"}: for the holder of these sides. The ply is
///   the version: a move for one that has a disc is refused, unless it is that very move, whose answer
///   was lost. What was chosen before moves were taken back does not count.
/// - `act` {"sides", "kind", "side", "seq"}: all but discs. `rematch` is true if both want one now.
/// - `rematch`: the members of the rematch's record, which begins as the game did with the sides
/// exchanged
std::span<const Question> web_game_questions();

}  // namespace fourcast::study
