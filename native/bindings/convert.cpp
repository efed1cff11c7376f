#include "convert.hpp"

#include <algorithm>

#include "board/moves_text.hpp"
#include "system/text.hpp"

namespace fourcast::bindings {
namespace {

Py_ssize_t text_length(nb::handle value, const char* what) {
    if (!PyUnicode_Check(value.ptr())) wrong_type(what, "a str", value);
    const Py_ssize_t length = PyUnicode_GetLength(value.ptr());
    if (length < 0) throw nb::python_error();
    return length;
}

/// The first characters of a str.
std::u32string characters(nb::handle value, Py_ssize_t count) {
    std::u32string result;
    result.reserve(static_cast<std::size_t>(count));
    for (Py_ssize_t index = 0; index < count; ++index) {
        result.push_back(static_cast<char32_t>(PyUnicode_ReadChar(value.ptr(), index)));
    }
    return result;
}

}  // namespace

void wrong_type(const std::string& what, const std::string& wanted, nb::handle value) {
    const std::string name = utf8_of(value.type().attr("__name__"));
    raise(PyExc_TypeError, text(what, " must be ", wanted, ", not ", name));
}

nb::object checked(PyObject* result) {
    if (result == nullptr) throw nb::python_error();
    return nb::steal(result);
}

std::string utf8_of(nb::handle words) {
    Py_ssize_t size = 0;
    if (const char* const utf8 = PyUnicode_AsUTF8AndSize(words.ptr(), &size); utf8 != nullptr)
        return {utf8, static_cast<std::size_t>(size)};
    PyErr_Clear();  // there are lone surrogates
    const nb::object bytes = words.attr("encode")("utf-8", "backslashreplace");
    return {PyBytes_AsString(bytes.ptr()), nb::len(bytes)};
}

nb::object as_integer(nb::handle value, const std::string& what) {
    PyObject* const integer =
        PyBool_Check(value.ptr()) || !PyIndex_Check(value.ptr()) ? nullptr : PyNumber_Index(value.ptr());
    if (integer != nullptr) return nb::steal(integer);
    // An array of numpy has __index__, and refuses it in words of its own.
    if (PyErr_Occurred() && !PyErr_ExceptionMatches(PyExc_TypeError)) throw nb::python_error();
    PyErr_Clear();
    wrong_type(what, "an int", value);
}

std::optional<long long> small_integer(nb::handle integer) {
    int overflow = 0;
    const long long result = PyLong_AsLongLongAndOverflow(integer.ptr(), &overflow);
    if (overflow != 0) return std::nullopt;
    if (result == -1 && PyErr_Occurred()) throw nb::python_error();
    return result;
}

long long bounded(nb::handle value, const char* what, long long low, long long high) {
    const nb::object integer = as_integer(value, what);
    const auto result = small_integer(integer);
    if (!result || *result < low || *result > high) {
        throw OptionError("error.out_of_range",
                          {{"what", what}, {"low", low}, {"high", high}, {"given", show(integer)}});
    }
    return *result;
}

std::string show(nb::handle integer) {
    const auto bits = nb::cast<long long>(integer.attr("bit_length")());
    // Python does not print ints of thousands of digits.
    if (bits > 128) return text("an int of ", bits, " bits");
    return nb::cast<std::string>(nb::str(integer));
}

u128 Reads<u128>::from(nb::handle value, const char* what) {
    const nb::object integer = as_integer(value, what);
    const auto refuse = [&] {
        throw InvalidPositionError("error.not_squares", {{"what", what}, {"given", show(integer)}});
    };
    if (const auto small = small_integer(integer)) {
        if (*small < 0) refuse();
        return static_cast<u128>(*small);
    }
    const nb::object high = checked(PyNumber_Rshift(integer.ptr(), nb::int_(64).ptr()));
    const u64 high_word = PyLong_AsUnsignedLongLong(high.ptr());
    if (high_word == ~u64{0} && PyErr_Occurred()) {
        PyErr_Clear();  // negative, or more than 128 bits
        refuse();
    }
    return static_cast<u128>(high_word) << 64 | PyLong_AsUnsignedLongLongMask(integer.ptr());
}

double number_from(nb::handle value, const char* what, Zero zero) {
    if (PyBool_Check(value.ptr()) || PyNumber_Check(value.ptr()) == 0 || PyUnicode_Check(value.ptr()))
        wrong_type(what, "a number", value);
    PyObject* const converted = PyNumber_Float(value.ptr());
    if (converted == nullptr) {
        if (PyErr_ExceptionMatches(PyExc_OverflowError) == 0) throw nb::python_error();
        PyErr_Clear();
        throw OptionError("error.too_large", {{"what", what}});
    }
    const auto number = nb::cast<double>(nb::steal(converted));
    const bool zero_too = zero == Zero::allowed;
    if (!(number > 0 || (zero_too && number == 0)))
        throw OptionError(zero_too ? "error.negative" : "error.not_positive",
                          {{"what", what}, {"given", repr_of(value)}});
    return number;
}

std::string repr_of(nb::handle value) {
    constexpr std::size_t most = 200;
    std::string shown = utf8_of(nb::repr(value));
    if (shown.size() > most) shown = shown.substr(0, most) + "...";
    return shown;
}

Position empty_board(nb::handle width, nb::handle height, nb::handle rules) {
    const nb::object sides[] = {as_integer(width, "width"), as_integer(height, "height")};
    const auto columns = small_integer(sides[0]);
    const auto rows = small_integer(sides[1]);
    const auto fits = [](const auto& side) { return side && *side >= 0 && *side <= max_bits; };
    // Ints of any size, so that the message can show both.
    if (!fits(columns) || !fits(rows)) throw size_error(show(sides[0]), show(sides[1]));
    const Rules given = PyUnicode_Check(rules.ptr())
                            ? Rules::parse(Reads<std::u32string>::from(rules, "rules"))
                            : or_default(Reads<const Rules*>::from(rules, "rules"));
    return Position(static_cast<int>(*columns), static_cast<int>(*rows), given);
}

std::u32string Reads<std::u32string>::from(nb::handle value, const char* what) {
    const Py_ssize_t length = text_length(value, what);
    if (length > max_text) {
        throw InvalidNotationError("error.long_text",
                                   {{"what", what}, {"characters", length}, {"most", max_text}});
    }
    return characters(value, length);
}

std::string quote(nb::handle value) {
    const Py_ssize_t length = text_length(value, "text");
    const auto wanted = static_cast<Py_ssize_t>(quote_limit + 1);
    return quoted(characters(value, std::min(length, wanted)), static_cast<std::size_t>(length));
}

Position Reads<Position>::from(nb::handle value, const char* what) {
    if (Position* found = nullptr; nb::try_cast<Position*>(value, found, false) && found != nullptr)
        return *found;
    if (!PyUnicode_Check(value.ptr()))
        wrong_type(what, "a Position or a str of moves, for example '44'", value);
    return play_text(Position(), Reads<std::u32string>::from(value, what));
}

nb::object drawn_by(const char* function, nb::handle shown, const char* module) {
    return nb::module_::import_(module).attr(function)(shown);
}

}  // namespace fourcast::bindings

nanobind::handle nanobind::detail::type_caster<fourcast::u128>::from_cpp(fourcast::u128 bits, rv_policy,
                                                                         cleanup_list*) {
    object number = int_(static_cast<std::uint64_t>(bits));
    if (bits >> 64 != 0) number = int_(static_cast<std::uint64_t>(bits >> 64)) << int_(64) | number;
    return number.release();
}
