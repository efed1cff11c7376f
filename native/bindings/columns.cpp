#include "columns.hpp"

#include <nanobind/operators.h>
#include <nanobind/stl/string.h>

#include <bit>

#include "../text.hpp"
#include "convert.hpp"
#include "module.hpp"

namespace fourcast::bindings {
namespace {

nb::tuple as_tuple(Columns columns) {
    nb::list result;
    for (ColumnSet rest = columns.set; rest != 0; rest &= rest - 1)
        result.append(std::countr_zero(rest));
    return nb::tuple(result);
}

std::string repr(Columns columns) {
    std::string result = "Columns(";
    const char* separator = "";
    for (ColumnSet rest = columns.set; rest != 0; rest &= rest - 1) {
        result += text(separator, std::countr_zero(rest));
        separator = ", ";
    }
    return result + ")";
}

/// As in a tuple: whatever is no int is not in it, and no error either.
bool contains(Columns columns, nb::handle value) {
    if (PyBool_Check(value.ptr()) || !PyIndex_Check(value.ptr())) return false;
    const auto column = small_integer(as_integer(value, "column"));
    return column && *column >= 0 && *column < 32 && (columns.set >> *column & 1) != 0;
}

int item(Columns columns, nb::handle index) {
    const int size = std::popcount(columns.set);
    const auto wanted = small_integer(as_integer(index, "index"));
    if (!wanted || *wanted < -size || *wanted >= size) {
        throw nb::index_error("Columns index out of range");
    }
    ColumnSet rest = columns.set;
    for (long long skip = *wanted < 0 ? *wanted + size : *wanted; skip > 0; --skip) rest &= rest - 1;
    return std::countr_zero(rest);
}

}  // namespace

void add_columns(nb::module_& module) {
    nb::class_<Columns>(
        module, "Columns", nb::is_final(), nb::sig("@typing.final\nclass Columns(object)"),
        "Some columns of a board, 0-based and in ascending order.\n\n"
        "What `Position.legal_columns` and `Position.winning_columns()` give: an immutable\n"
        "sequence of ints that is cheap to make, to iterate and to ask with `in`.")
        .def("__len__", [](Columns self) { return std::popcount(self.set); })
        .def(
            "__iter__", [](Columns self) { return nb::iter(as_tuple(self)); },
            nb::sig("def __iter__(self) -> collections.abc.Iterator[int]"))
        .def("__contains__", &contains, given("column"),
             nb::sig("def __contains__(self, column: object) -> bool"))
        // The slice first: the other takes whatever is given.
        .def(
            "__getitem__",
            [](Columns self, const nb::slice& slice) { return nb::object(as_tuple(self))[slice]; },
            nb::arg("index"), nb::sig("def __getitem__(self, index: slice) -> tuple[int, ...]"))
        .def("__getitem__", &item, given("index"), nb::sig("def __getitem__(self, index: int) -> int"))
        .def(
            "__eq__", [](Columns self, Columns other) { return self == other; }, nb::is_operator(),
            nb::sig("def __eq__(self, other: object, /) -> bool"))
        .def("__hash__", [](Columns self) { return std::hash<ColumnSet>{}(self.set); })
        .def("__repr__", &repr);
}

}  // namespace fourcast::bindings
