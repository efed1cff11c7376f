// The rules of a game with people in it: who may move, take back, resign, offer a draw or a rematch, and
// when the computer is to move. A home keeps the record of a game, knows who asks, and what time it is.
//
// A record is {"seq", "start", "width", "height", "opening", "moves", "undone", "rewound", "chairs",
// "end", "draw_by", "takeback_by", "rematch_by", "rematch", "clock", "points"}; a home may keep more in
// it.
// - `seq` grows by one with every change; `rewound` is that of the last one that took moves back or
//   played them again.
// - `start` is rows, with the rules unless they are the standard ones; empty for an empty board of
//   those. `opening` are the moves with which the game was made.
// - `moves` and `undone` are lists of {"name", "stamp_s"}; the move taken back last is the last one.
// - `chairs` are {"kind", "player", "holder"}: a person, the computer, or open; the computer's player;
//   who sits there, which two chairs of one screen share.
// - `end` is an outcome that the board does not show, or null.
// - `draw_by` and its kin: which side has offered it, 0 (or nothing) for none; `rematch` is the name of
//   the rematch, or null.
// - `clock` is {"kind", "time_s", "increment_s", "began_s"}, or null: `time_s` for each "move", or for
//   the whole "game" with `increment_s` added after each move. It runs for the side to move from
//   `began_s` on, the stamp at which both sat; null while they do not.
// - `points` are those of both sides in the games that this one is the rematch of; none at first.
#pragma once

#include <span>
#include <string_view>

#include "solver/question.hpp"

namespace fourcast::study {

/// Each takes a record under that name. What a rule changes comes back as the members of the next
/// record; nothing changes for null; {"refused": {"status", "code", "facts"}} says why not: 400 for what
/// cannot be, 403 for what is not theirs to do, 409 for what does not fit the game as it is now.
/// - `game.new` {"start", "width", "height", "rules", "moves"}: the members of a new record
/// - `game.standing`: {"result", "computer", "is_local", "clock", "points"}: how it ended, which player
///   of the computer's is to move, whether one screen has every chair that is not the computer's, what
///   the clocks showed after the last move: {"left_s", "since_s", "running"}, and of a rematch the
///   points of both sides with this game
/// - `game.play` {"sides", "column", "ply", "seq", "stamp_s"}: for the holder of these sides. The ply,
///   discs at the start and moves since, is the version: a move for one that has been made is refused,
///   unless it is that very move, whose answer was lost. What was chosen before moves were taken back
///   does not count. With "standing" the answer has that, too. A player whose time is over has lost,
///   whatever the disc: drawn if the other side could not win any more, because no four squares are left
///   to it or not enough moves.
/// - `game.time` {"stamp_s"}: ends a game in which the time of the side to move is over
/// - `act` {"sides", "kind", "side", "seq", "stamp_s", "away_s"}: all but discs. `rematch` is true if
///   both want one now. `claim` ends a game whose other player has been away for a minute.
/// - `rematch`: the members of the rematch's record, which begins as the game did with the sides
///   exchanged
std::span<const Question> web_game_questions();

/// Whether a question is one of these, which take microseconds.
bool is_game_rule(std::string_view question);

}  // namespace fourcast::study
