// What anybody can see on a board: threats with their lines, and what a single move does.
#pragma once

#include <optional>
#include <vector>

#include "board/position.hpp"
#include "system/value.hpp"

namespace fourcast::reasons {

/// The squares of a set, lowest column first, and a set as one square.
Square square_of(u128 bit, int height);
std::vector<Square> squares_of(u128 bits, int height);
/// Where a disc in a column falls to.
Square landing(const Position& position, int column);
std::vector<Square> landings(const Position& position, ColumnSet columns);
u128 landing_bit(const Position& position, int column);
/// The squares on which the player's next disc completes a four.
u128 fours_now(const Position& position, int player);

/// A line of four through `square` of which `discs` hold the three other squares; 0 if there is none. Of
/// several the first of column, row and diagonals.
u128 line_through(const Position& position, u128 discs, u128 square);
/// "column 4", "row 3", "diagonal 1/5-4/2".
Value said_line(u128 line, int height);
/// Where a line is: "in column 4", "in row 3", "on the diagonal 1/5-4/2".
Value said_where(u128 line, int height);
/// "odd threat" or "even threat", by the row of its square.
Value said_parity(const Square& square);

/// The shortest forcing win of the side to move, by columns (see ForceLine), with at most this number of
/// its discs; empty if there is none.
std::vector<int> forcing_line(const Position& position, int discs);

/// What is to be said of a move without looking any further than a few forced discs: the first of these
/// that applies, as one sentence. Null if none does.
///   * missed_four: the player could have completed a four;
///   * missed_block: the opponent threatened one four, and the player could have stopped it without
///     losing at once, but did not;
///   * gave_above: the opponent completes a four right on top of the disc, and another move did not
///     lose at once;
///   * let_double, let_stack: the opponent then wins by a disc with two threats at once, or by two
///     threats of which one is on top of the other; another move does not allow anything of the kind;
///   * let_force: the opponent then wins by a longer series of threats, and not after every other move.
/// The facts are "player" and "opponent", the move's "column", the "square" of the opponent's four or
/// first disc (of the missed four of the player's), and "line" and "where" of a four. Whatever the score
/// was, these are true.
Value said_of_tactics(const Position& position, int column);

/// What is good about a move, the first of these that applies: it completes a four ("does_win"), stops
/// the only one that the opponent threatens ("does_block"), makes two threats at once ("does_double"),
/// stops a disc of the opponent's after which two squares could not both be blocked ("does_prevent") or
/// a longer series of threats ("does_prevent_force"), makes a lasting threat ("does_threaten",
/// "does_threaten_now" if it can be carried out at once), prepares a disc after which two squares cannot
/// both be blocked ("does_prepare") or a longer series of threats ("does_prepare_force"), takes a square
/// on which the opponent would make a lasting threat
/// ("does_deny"), or the square through which most lines run that can still become a four ("does_most").
/// Null if it is none of these. What is said is the rest of a sentence about the move, which `does`
/// makes one.
Value said_of_merit(const Position& position, int column);
/// A sentence that ends with what is good about a move: "does" names the column, "it_does" does not.
Value does(std::string_view pattern, const Value& merit);

/// A quiet move as an answer, with what is good about it ("O answers 4/3, making an odd threat ...").
struct Answer {
    int rank;         // 0 for the most telling
    bool is_telling;  // more than that it takes the busiest square
    Value said;
};
/// Nothing for a move that is forced, or that nothing is to be said of.
std::optional<Answer> answer_of(const Position& position, int column);

/// That a move makes a lasting threat ("does_threaten"), whatever else it does; null if it does not.
Value said_of_lasting_threat(const Position& position, int column);

/// What the side that is not on turn would win by if it were: a disc after which two squares cannot both
/// be blocked ("idea_danger_two"), or a longer series of threats ("idea_danger_force"). Null if there is
/// nothing of the kind, or somebody can complete a four.
Value said_of_danger(const Position& position);
/// The first disc of that, and the columns after which it still wins with it.
struct Danger {
    u128 disc = 0;
    ColumnSet columns = 0;
};
Danger danger_after(const Position& position);

/// Discs of `player` on these squares with the replies in brackets: "4/1 (block 4/2), 4/3".
Value said_moves(const std::vector<Square>& squares, bool begins_with_reply, std::size_t most);
/// A series of threats (see ForceLine) of the side to move, which has more than one: the "moves" before
/// the last one that can be blocked, that disc's "square", and "both" squares that it leaves open.
Value::Object series_facts(const Position& position, const std::vector<int>& columns);

}  // namespace fourcast::reasons
