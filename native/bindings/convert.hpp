// Python objects to C++ values and back, with messages that say what was wrong.
//
// Everything here needs the GIL. Wrong types raise TypeError; a bool is not an int
// here, and a float never is one.
#pragma once

#include <nanobind/nanobind.h>

#include <optional>
#include <string>

#include "board/position.hpp"

namespace fourcast::bindings {

namespace nb = nanobind;

/// An argument that takes any object, None too: the checks here say more than nanobind's.
constexpr auto given(const char* name) { return nb::arg(name).none(); }

/// What a function of fourcast.render.notebook, which is imported at the first call, draws of an object.
inline nb::object draw(const char* function, nb::handle shown) {
    return nb::module_::import_("fourcast.render.notebook").attr(function)(shown);
}

/// A method for notebooks, which draws so.
inline auto drawn_by(const char* function) {
    return [function](nb::handle self) { return draw(function, self); };
}

/// Raises TypeError: "`what` must be `wanted`, not <type of value>".
[[noreturn]] void wrong_type(const std::string& what, const char* wanted, nb::handle value);

/// `value` as an int object: ints and whatever has __index__ (numpy's ints), no bools.
nb::object as_integer(nb::handle value, const std::string& what);

/// An int object as a number, nothing if it is too large for one.
std::optional<long long> small_integer(nb::handle integer);

/// An int that must lie between two bounds; throws OptionError if it does not.
long long bounded(nb::handle value, const char* what, long long low, long long high);

/// An int for a message: as it is, or described if it is very long.
std::string show(nb::handle integer);

/// A set of squares, from an int object; nothing if it is negative or needs more than 128 bits.
std::optional<u128> bits_from(nb::handle integer);
nb::object bits_to(u128 bits);

/// A Position, for calls about one position. They take no move strings, because a string does not say
/// the size of its board; the error says what to write instead.
Position position_from(nb::handle value);

/// The position with these discs on a board of the size of `empty`.
Position position_from_bitboards(nb::handle first, nb::handle second, const Position& empty);

/// A number of any kind as a float: more than 0, or 0 if that is allowed; not NaN.
enum class Zero { refused, allowed };
double number_from(nb::handle value, const char* what, Zero zero);

/// A str as UTF-8, with lone surrogates escaped.
std::string utf8_of(nb::handle words);

/// repr() of an object, shortened for a message if it is long.
std::string repr_of(nb::handle value);

bool bool_from(nb::handle value, const char* what);

/// Player 1 or 2, the one to move for None.
int player_from(nb::handle value, const Position& position);

/// The empty board of this size.
Position board_of(nb::handle width, nb::handle height);

/// The characters of the longest text that is read: no position or game needs as many.
constexpr Py_ssize_t max_text = 65'536;

/// The characters of a str, surrogates as they are. Throws InvalidNotationError if there are too many.
std::u32string text_from(nb::handle value, const char* what);

/// A str of any length in quotes, fit for a message.
std::string quote(nb::handle value);

/// The position after the moves of a str.
Position play_moves(const Position& start, nb::handle moves);

}  // namespace fourcast::bindings
