// The rules that a position is played by: four in a row on a flat board, or something else.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace fourcast {

struct Rules {
    std::uint8_t connect = 4;  // discs in a row
    bool wrap = false;         // the last column is next to the first: a cylinder
    bool misere = false;       // whoever makes a line loses
    bool pop = false;          // PopOut: a move may take an own disc out of the bottom of a column

    constexpr bool is_standard() const { return *this == Rules{}; }
    /// The lines are fours on a flat board, whatever becomes of who makes one.
    constexpr bool has_standard_lines() const { return connect == 4 && !wrap; }
    constexpr bool operator==(const Rules&) const = default;

    /// What is not standard, as in `connect=5,wrap`; nothing for the standard rules.
    std::string text() const;
    /// The rules of such a text. Throws InvalidNotationError.
    static Rules parse(std::u32string_view text);
    /// As Python would make it.
    std::string repr() const;
    std::size_t hash() const;
};

/// The rules with this many discs in a row. Throws OptionError for what no game has.
Rules make_rules(long long connect, bool wrap, bool misere, bool pop);

}  // namespace fourcast
