// Python objects to C++ values and back, with messages that say what was wrong.
//
// Everything here needs the GIL. Wrong types raise TypeError; a bool is not an int here, and a float
// never is one.
#pragma once

#include <nanobind/nanobind.h>

#include <optional>
#include <string>

#include "../position.hpp"

namespace fourcast::bindings {

namespace nb = nanobind;

/// An argument that takes whatever is given, None too: our own checks say more than nanobind's.
constexpr auto given(const char* name) { return nb::arg(name).none(); }

/// Raises TypeError: "`what` must be `wanted`, not <type of value>".
[[noreturn]] void wrong_type(const std::string& what, const char* wanted, nb::handle value);

/// `value` as an int object: ints and whatever has __index__ (numpy's ints), no bools.
nb::object as_integer(nb::handle value, const std::string& what);

/// An int object as a number, nothing if it is too large for one.
std::optional<long long> small_integer(nb::handle integer);

/// An int that must lie between two bounds; raises ValueError if it does not.
long long bounded(nb::handle value, const char* what, long long low, long long high);

/// An int for a message: as it is, or described if it is very long.
std::string show(nb::handle integer);

/// A set of squares, from an int object; nothing if it is negative or needs more than 128 bits.
std::optional<u128> bits_from(nb::handle integer);
nb::object bits_to(u128 bits);

/// The position with these stones on a board of the size of `empty`.
Position position_from_bitboards(nb::handle first, nb::handle second, const Position& empty);

/// A number of any kind as a float: more than 0, or 0 if that is allowed; not NaN.
enum class Zero { refused, allowed };
double number_from(nb::handle value, const char* what, Zero zero);

/// repr() of an object, shortened for a message if it is long.
std::string repr_of(nb::handle value);

bool bool_from(nb::handle value, const char* what);

/// The empty board of this size.
Position board_of(nb::handle width, nb::handle height);

/// The position after the moves of a str, played from an empty board.
Position play_moves(const Position& empty, nb::handle moves);

}  // namespace fourcast::bindings
