// Small helpers for messages.
#pragma once

#include <algorithm>
#include <sstream>
#include <string>
#include <string_view>

#include "system/bits.hpp"

namespace fourcast {

/// The parts one after the other, as a stream prints them.
template <class... Parts>
std::string text(const Parts&... parts) {
    std::ostringstream stream;
    (stream << ... << parts);
    return stream.str();
}

/// A 128-bit number in decimal, which no stream prints.
inline std::string decimal(u128 number) {
    std::string digits;
    do {
        digits.push_back(static_cast<char>('0' + static_cast<int>(number % 10)));
        number /= 10;
    } while (number != 0);
    std::reverse(digits.begin(), digits.end());
    return digits;
}

/// The fewest digits that are read back as the same number: 3, 0.1, 1e+300.
std::string shortest(double number);

/// Characters as UTF-8.
void append_utf8(std::string& out, char32_t character);
std::string utf8(std::u32string_view characters);
/// The characters of UTF-8; a byte that is none becomes U+FFFD.
std::u32string utf32(std::string_view bytes);

/// Whether a person can see a character, or a space; joiners, which shape their neighbors, count.
bool is_printable(char32_t character);

/// Quotes of more characters are cut. A whole game on the usual board still fits.
constexpr std::size_t quote_limit = 60;

/// `given` in quotes as UTF-8, fit for a message: as Python's repr shows it, on one line, but cut if it
/// is longer than `quote_limit`, with its number of characters.
std::string quoted(std::u32string_view given);

/// The same of a text of `length` characters that begins with `beginning`: all of it, or more than
/// `quote_limit` characters.
std::string quoted(std::u32string_view beginning, std::size_t length);

}  // namespace fourcast
