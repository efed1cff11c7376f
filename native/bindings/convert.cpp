#include "convert.hpp"

#include <algorithm>

#include <nanobind/stl/string.h>

#include "system/text.hpp"

namespace fourcast::bindings {
namespace {

/// What a call of the C API returned, or the error that it raised.
nb::object checked(PyObject* result) {
    if (result == nullptr) throw nb::python_error();
    return nb::steal(result);
}

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

void wrong_type(const std::string& what, const char* wanted, nb::handle value) {
    const std::string name = utf8_of(value.type().attr("__name__"));
    throw nb::type_error(text(what, " must be ", wanted, ", not ", name).c_str());
}

std::string utf8_of(nb::handle words) {
    const nb::object bytes = words.attr("encode")("utf-8", "backslashreplace");
    return {PyBytes_AsString(bytes.ptr()), nb::len(bytes)};
}

nb::object as_integer(nb::handle value, const std::string& what) {
    if (PyBool_Check(value.ptr()) || !PyIndex_Check(value.ptr())) wrong_type(what, "an int", value);
    return checked(PyNumber_Index(value.ptr()));
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

u128 bits_from(nb::handle value, const char* what) {
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

nb::object bits_to(u128 bits) {
    const nb::object low = checked(PyLong_FromUnsignedLongLong(static_cast<u64>(bits)));
    const auto high_word = static_cast<u64>(bits >> 64);
    if (high_word == 0) return low;
    const nb::object high = checked(PyLong_FromUnsignedLongLong(high_word));
    const nb::object shifted = checked(PyNumber_Lshift(high.ptr(), nb::int_(64).ptr()));
    return checked(PyNumber_Or(shifted.ptr(), low.ptr()));
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

Position board_of(const Side& width, const Side& height) {
    const auto columns = small_integer(width);
    const auto rows = small_integer(height);
    const auto fits = [](const auto& side) { return side && *side >= 0 && *side <= max_bits; };
    if (!fits(columns) || !fits(rows)) throw size_error(show(width), show(height));
    return Position(static_cast<int>(*columns), static_cast<int>(*rows));
}

std::u32string text_from(nb::handle value, const char* what) {
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

}  // namespace fourcast::bindings
