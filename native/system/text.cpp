#include "text.hpp"

#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace fourcast {
namespace {

/// What a cut quote still shows.
constexpr std::size_t kept_of_long_quotes = 50;

/// Characters that would break the line, turn the text around or cannot be seen, as far as they are
/// worth a thought; and those that are not characters at all.
constexpr std::array<std::pair<char32_t, char32_t>, 24> hidden{{
    {0x00, 0x1f},    // controls
    {0x7f, 0xa0},    // more controls, and the space that does not break
    {0xad, 0xad},    // soft hyphen
    {0x600, 0x605},  // signs that go around numbers
    {0x61c, 0x61c},  // direction marks
    {0x6dd, 0x6dd},  // more such signs, also the next ones
    {0x70f, 0x70f},     {0x890, 0x891},
    {0x8e2, 0x8e2},     {0x1680, 0x1680},    // a space that may look like a dash
    {0x180e, 0x180e},                        // a separator without width
    {0x2000, 0x200f},                        // spaces of all widths, joiners, direction marks
    {0x2028, 0x202f},                        // line separators, overrides of the direction
    {0x205f, 0x206f},                        // more of the same
    {0x3000, 0x3000},                        // the wide space
    {0xd800, 0xf8ff},                        // surrogates and private use
    {0xfeff, 0xfeff},                        // byte order mark
    {0xfff0, 0xffff},                        // specials; U+FFFD is in a text only after it was damaged
    {0x110bd, 0x110bd},                      // signs around numbers again
    {0x110cd, 0x110cd}, {0x13430, 0x1343f},  // how hieroglyphs are joined
    {0x1bca0, 0x1bca3},                      // how shorthand is
    {0x1d173, 0x1d17a},                      // how notes are
    {0xe0000, 0x10ffff}                      // tags, private use
}};

bool is_hidden(char32_t character) {
    return std::any_of(hidden.begin(), hidden.end(), [character](const auto& range) {
        return character >= range.first && character <= range.second;
    });
}

std::string hexadecimal(const char* format, char32_t character) {
    char digits[16];
    std::snprintf(digits, sizeof digits, format, static_cast<unsigned>(character));
    return digits;
}

std::string escaped(char32_t character) {
    switch (character) {
        case U'\n':
            return "\\n";
        case U'\r':
            return "\\r";
        case U'\t':
            return "\\t";
        default:
            break;
    }
    if (character < 0x100) return hexadecimal("\\x%02x", character);
    return hexadecimal(character < 0x10000 ? "\\u%04x" : "\\U%08x", character);
}

}  // namespace

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

std::string utf8(std::u32string_view characters) {
    std::string result;
    for (const char32_t each : characters) append_utf8(result, each);
    return result;
}

std::u32string utf32(std::string_view bytes) {
    std::u32string result;
    while (!bytes.empty()) {
        const auto first = static_cast<unsigned char>(bytes[0]);
        const std::size_t length = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
        char32_t character = length == 1 ? first : first & (0x7fU >> length);
        for (std::size_t i = 1; i < length && i < bytes.size(); ++i)
            character = character << 6 | (static_cast<unsigned char>(bytes[i]) & 0x3f);
        std::string shortest;
        append_utf8(shortest, character);
        const bool is_valid = character <= 0x10ffff && (character < 0xd800 || character > 0xdfff) &&
                              bytes.starts_with(shortest);
        result.push_back(is_valid ? character : U'\ufffd');
        bytes.remove_prefix(is_valid ? length : 1);
    }
    return result;
}

std::string shortest(double number) {
    if (!std::isfinite(number)) return std::isnan(number) ? "nan" : number > 0 ? "inf" : "-inf";
    char digits[40];
    int precision = 0;
    do {
        std::snprintf(digits, sizeof digits, "%.*e", precision, number);
    } while (precision++ < 17 && std::strtod(digits, nullptr) != number);
    const int exponent = std::atoi(std::strchr(digits, 'e') + 1);
    if (exponent >= -4 && exponent < 16)
        std::snprintf(digits, sizeof digits, "%.*f", std::max(0, precision - 1 - exponent), number);
    return digits;
}

bool is_printable(char32_t character) {
    const bool is_joiner = character == 0x200c || character == 0x200d;
    const bool is_sign = character == 0xfffc || character == 0xfffd;
    const bool is_variation = character >= 0xe0100 && character <= 0xe01ef;
    return is_joiner || is_sign || is_variation || !is_hidden(character);
}

std::string quoted(std::u32string_view given) { return quoted(given, given.size()); }

std::string quoted(std::u32string_view beginning, std::size_t length) {
    const bool is_cut = length > quote_limit;
    const std::u32string_view shown = is_cut ? beginning.substr(0, kept_of_long_quotes) : beginning;
    const bool has_single = shown.find(U'\'') != shown.npos;
    const char mark = has_single && shown.find(U'"') == shown.npos ? '"' : '\'';
    std::string result(1, mark);
    for (const char32_t character : shown) {
        if (character == U'\\' || character == static_cast<char32_t>(mark)) {
            result += '\\';
            result += static_cast<char>(character);
        } else if (is_hidden(character)) {
            result += escaped(character);
        } else {
            append_utf8(result, character);
        }
    }
    if (is_cut) result += "...";
    result += mark;
    if (is_cut) result += text(" (", length, " characters)");
    return result;
}

}  // namespace fourcast
