// Python objects to C++ values and back, with messages that say what was wrong.
//
// Everything here needs the GIL. Wrong types raise TypeError; a bool is not an int here, and neither is
// a float.
#pragma once

#include <nanobind/nanobind.h>

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "board/limit.hpp"
#include "board/position.hpp"
#include "define.hpp"
#include "solver/solver.hpp"
#include "system/errors.hpp"

namespace fourcast::bindings {

// ---- Reading -------------------------------------------------------------------------------------

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

/// A str as UTF-8, with lone surrogates escaped.
std::string utf8_of(nb::handle words);

/// repr() of an object, shortened for a message if it is long.
std::string repr_of(nb::handle value);

/// The characters of the longest text that is read: no position or game needs as many.
constexpr Py_ssize_t max_text = 65'536;

/// The characters of a str, surrogates as they are. Throws InvalidNotationError if there are too many.
std::u32string text_from(nb::handle value, const char* what);

/// A str of any length in quotes, fit for a message.
std::string quote(nb::handle value);

/// A number of any kind as a float: more than 0, or 0 if that is allowed; not NaN.
enum class Zero { refused, allowed };
double number_from(nb::handle value, const char* what, Zero zero);

/// A set of squares from an int. Throws InvalidPositionError if it is negative or too large.
u128 bits_from(nb::handle value, const char* what);
nb::object bits_to(u128 bits);

/// Calls `take` with each item of an iterable, which may be endless: Ctrl-C ends it.
template <class Take>
void for_each_item(nb::handle iterable, const Take& take) {
    std::size_t number = 0;
    for (const nb::handle item : nb::iter(iterable)) {
        if (++number % 1024 == 0 && PyErr_CheckSignals() != 0) throw nb::python_error();
        take(item);
    }
}

// ---- Parameters of functions ---------------------------------------------------------------------

template <std::size_t size>
struct Words {
    constexpr Words(const char (&words)[size]) { std::copy_n(words, size, characters); }
    char characters[size];
};

/// Any object, for a function that reads it itself; `python_type` is for the signature.
template <Words python_type = "typing.Any">
struct Any : nb::handle {};
template <Words python_type>
struct Reads<Any<python_type>> {
    static std::string type() { return python_type.characters; }
    static Any<python_type> from(nb::handle value, const char*) { return {value}; }
};

/// An int between two bounds.
template <long long low, long long high, class Number = int>
struct Int {
    Number value;
    operator Number() const { return value; }
};
template <long long low, long long high, class Number>
struct Reads<Int<low, high, Number>> {
    static std::string type() { return "int"; }
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

/// A float from 0 on, or more than 0.
template <Zero zero>
struct Number {
    double value;
    operator double() const { return value; }
};
template <Zero zero>
struct Reads<Number<zero>> {
    static std::string type() { return "float"; }
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
    static std::string type() { return "bool"; }
    static bool from(nb::handle value, const char* what) {
        if (!PyBool_Check(value.ptr())) wrong_type(what, "a bool", value);
        return value.ptr() == Py_True;
    }
};

template <>
struct Reads<std::u32string> {
    static std::string type() { return "str"; }
    static std::u32string from(nb::handle value, const char* what) { return text_from(value, what); }
};

template <>
struct Reads<u128> {
    static std::string type() { return "int"; }
    static u128 from(nb::handle value, const char* what) { return bits_from(value, what); }
};

template <Readable T>
struct Reads<std::optional<T>> {
    static std::string type() { return Reads<T>::type() + " | None"; }
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
    static std::string type() {
        std::string words;
        for (const char* const* each = choice<T>.words; *each != nullptr; ++each)
            words += text(words.empty() ? "" : ", ", "'", *each, "'");
        return text("typing.Literal[", words, "]");
    }
    static T from(nb::handle value, const char* what) {
        if (!PyUnicode_Check(value.ptr())) wrong_type(what, "a str", value);
        for (int i = 0; choice<T>.words[i] != nullptr; ++i)
            if (nb::str(choice<T>.words[i]).equal(value)) return static_cast<T>(i);
        throw OptionError(choice<T>.code, {{"given", quote(value)}});
    }
};

/// A class of this module: its name in Python, and what a value of it is called in a message.
struct Bound {
    const char* name = nullptr;
    const char* words = nullptr;
};
template <class T>
inline constexpr Bound bound{};
// Calls about one position take no move string, because it does not say the size of its board.
template <>
inline constexpr Bound bound<Position>{"Position", "a Position, for example Position('44')"};
template <>
inline constexpr Bound bound<Solver>{"SolverCore", "a Solver"};
template <>
inline constexpr Bound bound<Limit>{"Limit", "a Limit"};
template <>
inline constexpr Bound bound<StopToken>{"StopToken", "a StopToken"};

template <class T>
concept Known = bound<T>.name != nullptr;
template <Known T>
struct Reads<T> {
    static std::string type() { return bound<T>.name; }
    static T& from(nb::handle value, const char* what) {
        T* found = nullptr;
        if (nb::try_cast<T*>(value, found, false) && found != nullptr) return *found;
        wrong_type(what, bound<T>.words, value);
    }
};
template <Known T>
struct Reads<T*> {
    static std::string type() { return text(bound<T>.name, " | None"); }
    static T* from(nb::handle value, const char* what) {
        T* found = nullptr;
        if (!value.is_none() && (!nb::try_cast<T*>(value, found, false) || found == nullptr))
            wrong_type(what, text(bound<T>.words, " or None").c_str(), value);
        return found;
    }
};
template <Known T>
struct Reads<const T*> : Reads<T*> {};
/// What a parameter that may be None stands for; without it, what ends nothing.
template <class T>
T or_default(const T* given) {
    return given == nullptr ? T() : *given;
}

/// The width or height of a board: an int of any size, so that the message can show both.
struct Side : nb::object {};
template <>
struct Reads<Side> {
    static std::string type() { return "int"; }
    static Side from(nb::handle value, const char* what) { return {as_integer(value, what)}; }
};
/// The empty board of this size.
Position board_of(const Side& width, const Side& height);

/// Player 1 or 2.
using Player = Int<1, 2>;

/// 0 is nobody in the core, None in Python.
constexpr std::optional<int> somebody(int player) {
    return player == 0 ? std::nullopt : std::optional(player);
}

// ---- Results -------------------------------------------------------------------------------------

/// A tuple of values of one type.
template <class T>
struct Tuple {
    std::vector<T> values;

    Tuple(std::vector<T> of) : values(std::move(of)) {}
    template <class Range, class Function>
    Tuple(const Range& range, const Function& function) {
        for (const auto& each : range) values.push_back(function(each));
    }
};

/// An object of this type.
template <Words python_type>
struct Object {
    nb::object value;
};

/// A method for notebooks: what a function of fourcast.render.notebook, imported at the first call,
/// draws.
inline auto drawn_by(const char* function) {
    return [function](nb::handle self)->Object<"str"> {
        return {nb::module_::import_("fourcast.render.notebook").attr(function)(self)};
    };
}

}  // namespace fourcast::bindings

template <class T>
struct nanobind::detail::type_caster<fourcast::bindings::Tuple<T>> {
    using Each = make_caster<T>;
    static constexpr auto Name = const_name("tuple[") + Each::Name + const_name(", ...]");

    static handle from_cpp(const fourcast::bindings::Tuple<T>& tuple, rv_policy,
                           cleanup_list* cleanup) noexcept {
        object result = steal(PyTuple_New(static_cast<Py_ssize_t>(tuple.values.size())));
        Py_ssize_t index = 0;
        for (const T& each : tuple.values) {
            const handle item = Each::from_cpp(each, rv_policy::copy, cleanup);
            if (!item.is_valid() || !result.is_valid()) return {};
            NB_TUPLE_SET_ITEM(result.ptr(), index++, item.ptr());
        }
        return result.release();
    }
};

template <fourcast::bindings::Words python_type>
struct nanobind::detail::type_caster<fourcast::bindings::Object<python_type>> {
    static constexpr auto Name = const_name(python_type.characters);
    static handle from_cpp(const fourcast::bindings::Object<python_type>& object, rv_policy,
                           cleanup_list*) noexcept {
        return object.value.inc_ref();
    }
};

/// Sets of squares are ints of up to 128 bits.
template <>
struct nanobind::detail::type_caster<fourcast::u128> {
    static constexpr auto Name = const_name("int");
    static handle from_cpp(fourcast::u128 bits, rv_policy, cleanup_list*) {
        return fourcast::bindings::bits_to(bits).release();
    }
};
