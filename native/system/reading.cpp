#include "reading.hpp"

#include <algorithm>

namespace fourcast {
namespace {

bool ends_line(char32_t character) {
    return (character >= 0x0a && character <= 0x0d) || (character >= 0x1c && character <= 0x1e) ||
           character == 0x85 || character == 0x2028 || character == 0x2029;
}

/// How many letters have to be changed, added, left out or exchanged with the next one.
std::size_t distance(std::string_view one, std::string_view other) {
    std::vector<std::vector<std::size_t>> table(one.size() + 1,
                                                std::vector<std::size_t>(other.size() + 1));
    for (std::size_t i = 0; i <= one.size(); ++i) {
        for (std::size_t j = 0; j <= other.size(); ++j) {
            if (i == 0 || j == 0) {
                table[i][j] = i + j;
                continue;
            }
            const std::size_t change = one[i - 1] == other[j - 1] ? 0 : 1;
            table[i][j] =
                std::min({table[i - 1][j] + 1, table[i][j - 1] + 1, table[i - 1][j - 1] + change});
            if (i > 1 && j > 1 && one[i - 1] == other[j - 2] && one[i - 2] == other[j - 1])
                table[i][j] = std::min(table[i][j], table[i - 2][j - 2] + 1);
        }
    }
    return table[one.size()][other.size()];
}

}  // namespace

bool is_space(char32_t character) {
    return character == U' ' || character == U'\t' || ends_line(character) || character == 0x1f ||
           character == 0xa0 || character == 0x1680 || (character >= 0x2000 && character <= 0x200a) ||
           character == 0x202f || character == 0x205f || character == 0x3000;
}

std::u32string_view stripped(std::u32string_view text) {
    while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
    while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
    return text;
}

std::vector<std::u32string_view> lines_of(std::u32string_view text) {
    std::vector<std::u32string_view> lines;
    while (!text.empty()) {
        const auto end =
            static_cast<std::size_t>(std::find_if(text.begin(), text.end(), ends_line) - text.begin());
        lines.push_back(text.substr(0, end));
        const bool is_pair = text.substr(end).starts_with(U"\r\n");
        text.remove_prefix(std::min(end + (is_pair ? 2 : 1), text.size()));
    }
    return lines;
}

std::vector<std::u32string_view> words_of(std::u32string_view text) {
    std::vector<std::u32string_view> words;
    auto at = text.begin();
    for (;;) {
        at = std::find_if_not(at, text.end(), is_space);
        if (at == text.end()) return words;
        const auto end = std::find_if(at, text.end(), is_space);
        words.emplace_back(&*at, static_cast<std::size_t>(end - at));
        at = end;
    }
}

std::optional<int> number_of(std::u32string_view text, std::size_t most) {
    if (text.empty() || text.size() > most || !std::all_of(text.begin(), text.end(), is_digit))
        return std::nullopt;
    int number = 0;
    for (const char32_t digit : text) number = number * 10 + static_cast<int>(digit - U'0');
    return number;
}

std::optional<std::string_view> nearest(std::string_view given,
                                        std::span<const std::string_view> known) {
    constexpr std::size_t longest = 40;
    if (given.size() > longest) return std::nullopt;
    std::optional<std::string_view> found;
    std::size_t least = 3;
    for (const std::string_view name : known) {
        const std::size_t away = distance(given, name);
        if (away < least && 2 * away < name.size()) {
            least = away;
            found = name;
        }
    }
    return found;
}

}  // namespace fourcast
