// Move strings: one character a move, 1-based. `44455` is five discs; past 9 come the letters a = 10,
// b = 11, ... in either case. Spaces mean nothing. In PopOut `p3` takes a disc out of column 3, and `=`
// claims the draw.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "position.hpp"

namespace fourcast {

/// The column (0-based) of a character of a move string, -1 if it is none.
constexpr int column_of_character(char32_t character) {
    if (character >= U'1' && character <= U'9') return static_cast<int>(character - U'1');
    if (character >= U'a' && character <= U'z') return static_cast<int>(character - U'a') + 9;
    if (character >= U'A' && character <= U'Z') return static_cast<int>(character - U'A') + 9;
    return -1;
}

/// The columns of a move string on a board of this width. Throws InvalidNotationError, which names the
/// offending character and its place.
std::vector<int> parse_moves(std::u32string_view moves, int width, bool pop = false);

/// A move, and the position that it led to.
struct Step {
    int column;
    Position position;
};

/// The moves of a move string, played from `start`. Throws InvalidNotationError or IllegalMoveError,
/// which name the move and its place.
std::vector<Step> play_steps(const Position& start, std::u32string_view moves);

/// The position after these moves.
Position play_text(const Position& start, std::u32string_view moves);

}  // namespace fourcast
