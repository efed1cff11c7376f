// Move strings: one character a move, 1-based. `44455` is five stones; past 9 come the letters a = 10,
// b = 11, ... in either case.
#pragma once

#include <string>
#include <string_view>

#include "position.hpp"

namespace fourcast {

/// The character of a column (0-based) in a move string.
constexpr char column_character(int column) {
    return static_cast<char>(column < 9 ? '1' + column : 'a' + (column - 9));
}

/// The column (0-based) of a character of a move string, -1 if it is none.
constexpr int column_of_character(char32_t character) {
    if (character >= U'1' && character <= U'9') return static_cast<int>(character - U'1');
    if (character >= U'a' && character <= U'z') return static_cast<int>(character - U'a') + 9;
    if (character >= U'A' && character <= U'Z') return static_cast<int>(character - U'A') + 9;
    return -1;
}

/// The position after the moves of `text`. Throws InvalidNotationError or IllegalMoveError, which name
/// the offending character and its place.
Position play_text(Position position, std::u32string_view text);

/// `text` in quotes as UTF-8, fit for a message: shortened if long, what is not printable escaped.
std::string quoted(std::u32string_view text);

}  // namespace fourcast
