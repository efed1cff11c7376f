#include "moves_text.hpp"

#include <cstdio>

#include "errors.hpp"
#include "text.hpp"

namespace fourcast {
namespace {

/// Longer quotes are cut; a whole game on the usual board still fits.
constexpr std::size_t quote_limit = 60;

void append_utf8(std::string& out, char32_t character) {
    const auto byte = [&out](char32_t bits) { out.push_back(static_cast<char>(bits)); };
    if (character < 0x80) {
        byte(character);
    } else if (character < 0x800) {
        byte(0xc0 | character >> 6);
        byte(0x80 | (character & 0x3f));
    } else if (character < 0x10000) {
        byte(0xe0 | character >> 12);
        byte(0x80 | (character >> 6 & 0x3f));
        byte(0x80 | (character & 0x3f));
    } else {
        byte(0xf0 | character >> 18);
        byte(0x80 | (character >> 12 & 0x3f));
        byte(0x80 | (character >> 6 & 0x3f));
        byte(0x80 | (character & 0x3f));
    }
}

bool needs_escape(char32_t character) {
    const bool control = character < 0x20 || (character >= 0x7f && character < 0xa0);
    const bool surrogate = character >= 0xd800 && character < 0xe000;
    return control || surrogate || character == U'\'' || character == U'\\';
}

}  // namespace

std::string quoted(std::u32string_view text) {
    std::string result = "'";
    for (const char32_t character : text.substr(0, quote_limit)) {
        if (needs_escape(character)) {
            char escape[12];
            std::snprintf(escape, sizeof escape, character < 0x100 ? "\\x%02x" : "\\u%04x",
                          static_cast<unsigned>(character));
            result += escape;
        } else {
            append_utf8(result, character);
        }
    }
    result += "'";
    if (text.size() > quote_limit) result += "...";
    return result;
}

Position play_text(Position position, std::u32string_view moves) {
    for (std::size_t index = 0; index < moves.size(); ++index) {
        const int column = column_of_character(moves[index]);
        const auto place = [&] {
            return text(quoted(moves.substr(index, 1)), " at place ", index + 1, " of ", quoted(moves));
        };
        if (!position.has_column(column)) {
            throw InvalidNotationError(text(place(), " is not a column: they are 1 to ",
                                            column_character(position.width() - 1)));
        }
        if (const char* const reason = position.refusal(column)) {
            throw IllegalMoveError(text(place(), ": the column ", reason));
        }
        position = position.play(column);
    }
    return position;
}

}  // namespace fourcast
