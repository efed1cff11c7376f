// Python objects to C++ values and back, with messages that say what was wrong.
//
// Everything here needs the GIL. Wrong types raise TypeError; a bool is not an int here, and neither is
// a float.
#pragma once

#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <limits>

#include "board/limit.hpp"
#include "define.hpp"
#include "solver/solver.hpp"
#include "system/value.hpp"

namespace fourcast::bindings {

// ---- Reading -------------------------------------------------------------------------------------

/// Raises TypeError: "`what` must be `wanted`, not <type of value>".
[[noreturn]] void wrong_type(const std::string& what, const std::string& wanted, nb::handle value);

/// What a call of the C API returned, or the error that it raised.
nb::object checked(PyObject* result);

/// `value` as an int object: ints and whatever has __index__ (numpy's ints), no bools.
nb::object as_integer(nb::handle value, const std::string& what);

/// An int object as a number, nothing if it is too large for one.
std::optional<long long> small_integer(nb::handle integer);

/// An int that must lie between two bounds; throws OptionError if it does not.
long long bounded(nb::handle value, const char* what, long long low, long long high);

/// An int for a message: as it is, or described if it is very long.
std::string show(nb::handle integer);

/// A str as UTF-8, with lone surrogates escaped.
std::string utf8_of(nb::handle words);

/// repr() of an object, shortened for a message if it is long.
std::string repr_of(nb::handle value);

/// The characters of the longest text that is read: no position or game needs as many.
constexpr Py_ssize_t max_text = 65'536;

/// A str of any length in quotes, fit for a message.
std::string quote(nb::handle value);

/// Calls `take` with each item of an iterable, which may be endless: Ctrl-C ends it.
template <class Take>
void for_each_item(nb::handle iterable, const char* what, const char* wanted, const Take& take) {
    if (PyUnicode_Check(iterable.ptr()) || !nb::hasattr(iterable, "__iter__"))
        wrong_type(what, wanted, iterable);
    std::size_t number = 0;
    for (const nb::handle item : nb::iter(iterable)) {
        if (++number % 1024 == 0 && PyErr_CheckSignals() != 0) throw nb::python_error();
        take(item);
    }
}

/// None, bools, ints, floats, strs, lists, tuples and dicts with strs as keys as values of JSON; raises
/// TypeError for anything else, or what is nested more than 64 levels.
Value value_from(nb::handle object, int depth = 0);
nb::object value_to(const Value& value);

// ---- Parameters of functions ---------------------------------------------------------------------

/// What a value is called in a message: one that nanobind converts, or an object of a class of this
/// module.
template <class T>
inline constexpr const char* called = nullptr;
template <>
inline constexpr const char* called<int> = "an int";
template <>
inline constexpr const char* called<double> = "a number";
template <>
inline constexpr const char* called<std::string> = "a str";
template <>
inline constexpr const char* called<std::filesystem::path> = "the path of a file";
template <>
inline constexpr const char* called<std::vector<int>> = "a list of ints";
template <>
inline constexpr const char* called<std::vector<Position>> = "a list of Positions";
template <>
inline constexpr const char* called<Solver> = "a Solver";
template <>
inline constexpr const char* called<Limit> = "a Limit";
template <>
inline constexpr const char* called<StopToken> = "a StopToken";
template <>
inline constexpr const char* called<Rules> = "Rules, a str";
template <class T>
struct Reads {
    static_assert(called<T> != nullptr, "an argument of this type needs words for its errors");
    static constexpr bool is_class = nb::detail::is_base_caster_v<nb::detail::make_caster<T>>;

    static std::conditional_t<is_class, T&, T> from(nb::handle value, const char* what) {
        if constexpr (is_class) {
            T* found = nullptr;
            if (nb::try_cast<T*>(value, found, false) && found != nullptr) return *found;
        } else {
            T result;
            if (nb::try_cast<T>(value, result)) return result;
        }
        wrong_type(what, called<T>, value);
    }
};
/// None is no object, or what ends nothing.
template <class T>
struct Reads<T*> {
    static T* from(nb::handle value, const char* what) {
        T* found = nullptr;
        if (!value.is_none() && (!nb::try_cast<T*>(value, found, false) || found == nullptr))
            wrong_type(what, text(called<std::remove_const_t<T>>, " or None"), value);
        return found;
    }
};
template <class T>
T or_default(const T* given) {
    return given == nullptr ? T() : *given;
}

/// Any object, for a function that reads it itself.
template <>
struct Reads<nb::handle> {
    static nb::handle from(nb::handle value, const char*) { return value; }
};

/// An int between two bounds.
template <long long low, long long high, class Number = int>
struct Int {
    Number value;
    operator Number() const { return value; }
};
template <long long low, long long high, class Number>
struct Reads<Int<low, high, Number>> {
    static Int<low, high, Number> from(nb::handle value, const char* what) {
        return {static_cast<Number>(bounded(value, what, low, high))};
    }
};
constexpr int widest_board = max_bits / (min_side + 1);
constexpr long long most_integer = std::numeric_limits<long long>::max();
template <long long low>
using Count = Int<low, most_integer, u64>;
/// A score, or a bound of one: whether it is possible in its position is for others to say.
using Score = Int<-max_bits, max_bits>;
/// Player 1 or 2.
using Player = Int<1, 2>;

/// A float from 0 on, or more than 0.
enum class Zero { refused, allowed };
template <Zero zero>
struct Number {
    double value;
    operator double() const { return value; }
};
double number_from(nb::handle value, const char* what, Zero zero);
template <Zero zero>
struct Reads<Number<zero>> {
    static Number<zero> from(nb::handle value, const char* what) {
        return {number_from(value, what, zero)};
    }
};
/// Seconds for some work, or None for as long as it takes.
using Seconds = std::optional<Number<Zero::refused>>;
constexpr double or_endless(const Seconds& seconds) {
    return seconds ? double{*seconds} : std::numeric_limits<double>::infinity();
}

template <>
struct Reads<bool> {
    static bool from(nb::handle value, const char* what) {
        if (!PyBool_Check(value.ptr())) wrong_type(what, "a bool", value);
        return value.ptr() == Py_True;
    }
};

/// The characters of a str, surrogates as they are. Throws InvalidNotationError if there are too many.
template <>
struct Reads<std::u32string> {
    static std::u32string from(nb::handle value, const char* what);
};

/// A set of squares from an int. Throws InvalidPositionError if it is negative or too large.
template <>
struct Reads<u128> {
    static u128 from(nb::handle value, const char* what);
};

template <class T>
struct Reads<std::optional<T>> {
    static std::optional<T> from(nb::handle value, const char* what) {
        return value.is_none() ? std::nullopt : std::optional<T>(Reads<T>::from(value, what));
    }
};

/// One of several words, in the order of the values of the enumeration, and the error for others.
struct Choice {
    const char* code = nullptr;
    const char* words[5] = {};
};
template <class T>
inline constexpr Choice choice{};
template <class T>
    requires(choice<T>.code != nullptr)
struct Reads<T> {
    static T from(nb::handle value, const char* what) {
        if (!PyUnicode_Check(value.ptr())) wrong_type(what, "a str", value);
        for (int i = 0; choice<T>.words[i] != nullptr; ++i)
            if (nb::str(choice<T>.words[i]).equal(value)) return static_cast<T>(i);
        throw OptionError(choice<T>.code, {{"given", quote(value)}});
    }
};

/// A position, or the string of its moves on a board of 7x6.
template <>
struct Reads<Position> {
    static Position from(nb::handle value, const char* what);
};

/// The empty board of the size that two parameters, `width` and `height`, give; and with `rules`, which
/// may be None.
template <bool has_rules>
struct EmptyBoard : Position {};
using Board = EmptyBoard<false>;
using RuledBoard = EmptyBoard<true>;
template <bool has_rules>
inline constexpr std::size_t values_for<EmptyBoard<has_rules>> = has_rules ? 3 : 2;
Position empty_board(nb::handle width, nb::handle height, nb::handle rules);
template <bool has_rules>
struct Reads<EmptyBoard<has_rules>> {
    static EmptyBoard<has_rules> from(nb::handle width, nb::handle height,
                                      nb::handle rules = nb::none()) {
        return {empty_board(width, height, rules)};
    }
};

/// 0 is nobody in the core, None in Python.
constexpr std::optional<int> somebody(int player) {
    return player == 0 ? std::nullopt : std::optional(player);
}

// ---- Results -------------------------------------------------------------------------------------

/// A tuple of values of one type.
template <class Range, class Function = std::identity>
nb::object tuple_of(const Range& range, const Function& function = {}) {
    Py_ssize_t size = 0, index = 0;
    for ([[maybe_unused]] const auto& each : range) ++size;
    nb::object tuple = checked(PyTuple_New(size));
    for (const auto& each : range)
        NB_TUPLE_SET_ITEM(tuple.ptr(), index++, nb::cast(function(each)).release().ptr());
    return tuple;
}

/// What a function of fourcast.render, imported at the first call, draws or writes.
nb::object drawn_by(const char* function, nb::handle shown,
                    const char* module = "fourcast.render.notebook");

}  // namespace fourcast::bindings

/// Sets of squares are ints of up to 128 bits.
template <>
struct nanobind::detail::type_caster<fourcast::u128> {
    static constexpr auto Name = const_name("int");
    static handle from_cpp(fourcast::u128 bits, rv_policy, cleanup_list*);
};
