// Small helpers for texts that people have written: characters, words and lines, with the spaces and
// ends of lines of Unicode.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace fourcast {

constexpr bool is_digit(char32_t character) { return character >= U'0' && character <= U'9'; }

/// A letter of ASCII in lower case; other characters as they are.
constexpr char32_t lower(char32_t character) {
    return character >= U'A' && character <= U'Z' ? character + 32 : character;
}
constexpr bool is_letter(char32_t character) {
    return lower(character) >= U'a' && lower(character) <= U'z';
}

bool is_space(char32_t character);

/// A text without the spaces around it.
std::u32string_view stripped(std::u32string_view text);

/// The lines of a text, without their ends; what follows the last end is a line unless it is empty.
std::vector<std::u32string_view> lines_of(std::u32string_view text);

/// What stands between spaces.
std::vector<std::u32string_view> words_of(std::u32string_view text);

/// A number of at most `most` digits (and no more than 9) and nothing else.
std::optional<int> number_of(std::u32string_view text, std::size_t most);

/// What was probably meant by a name that is not among these, or nothing.
std::optional<std::string_view> nearest(std::string_view given, std::span<const std::string_view> known);

}  // namespace fourcast
