// Columns and positions as people write them: names of columns, diagrams, and the JSON of the player
// protocol. docs/game-files.md describes them. Nothing is guessed, and an error quotes what could not be
// read.
#pragma once

#include <string>
#include <string_view>

#include "position.hpp"
#include "system/value.hpp"

namespace fourcast {

/// The column that a person means: past the ninth both the letter and the number are understood. Throws
/// InvalidNotationError.
int parse_column(std::u32string_view given, int width);

/// The move that a person means on the board of `position`: a column, in PopOut also `p3` or `=`.
int parse_move(std::u32string_view given, const Position& position);

/// The position that a diagram shows, top row first, as any part of fourcast prints it. Squares are `X`,
/// `O` and `.`, or `R`, `Y` and `.`, or discs and `..`, with or without spaces between; a frame, names
/// of columns, numbers of rows, marks around discs and colors are understood and not needed. Throws
/// InvalidNotationError with the line and the character, or InvalidPositionError.
Position parse_diagram(std::u32string_view diagram, const Rules& rules = {}, int turn = 0);

/// A diagram on one line or several: `/` ends a line, too.
Position parse_rows(std::u32string_view rows);

/// Whether a text is a diagram rather than moves: with a disc, or a line of empty squares.
bool looks_like_diagram(std::u32string_view given);

/// The position of an object of the player protocol: a `grid` of columns, each from the top down, with
/// the `player` to move, or `moves`. `width` and `height` may be left out. `player` counts if the object
/// names none; 0 is nobody. Throws InvalidNotationError or InvalidPositionError.
Position position_from_json(const Value& content, int player = 0);

/// The object of the player protocol: {"grid": ..., "height": ..., "player": ..., "width": ...}.
Value position_json(const Position& position);

}  // namespace fourcast
