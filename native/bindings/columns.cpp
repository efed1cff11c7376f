#include "columns.hpp"

#include <nanobind/stl/string.h>

#include <bit>

#include "convert.hpp"
#include "module.hpp"
#include "system/text.hpp"
#include "value.hpp"

namespace fourcast::bindings {
namespace {

nb::tuple as_tuple(Columns columns) { return nb::tuple(columns_to_list(columns)); }

std::string repr(Columns columns) {
    if (columns.set == 0) return "Columns()";
    return text("Columns(", repr_of(columns_to_list(columns)), ")");
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

Columns columns_from_json(nb::handle value) {
    if (!PyList_Check(value.ptr())) wrong_type("Columns in JSON", "a list", value);
    return columns_from(value, "a list of columns");
}

}  // namespace

Columns columns_from(nb::handle value, const char* what) {
    if (Columns columns{}; nb::try_cast<Columns>(value, columns, false)) return columns;
    if (PyUnicode_Check(value.ptr())) wrong_type(what, "an iterable of ints", value);
    Columns columns{0};
    u64 number = 0;
    for (const nb::handle item : nb::iter(value)) {
        // The iterable may be endless; Ctrl-C must end it.
        if (++number % 1024 == 0 && PyErr_CheckSignals() != 0) throw nb::python_error();
        columns.set |= ColumnSet{1} << bounded(item, "a column", 0, max_bits / (min_side + 1) - 1);
    }
    return columns;
}

nb::list columns_to_list(Columns columns) {
    nb::list result;
    for (ColumnSet rest = columns.set; rest != 0; rest &= rest - 1)
        result.append(std::countr_zero(rest));
    return result;
}

void add_columns(nb::module_& module) {
    nb::class_<Columns> cls(module, "Columns", nb::is_final(),
                            nb::sig("@typing.final\nclass Columns(object)"),
                            R"(Some columns of a board, 0-based and in ascending order, each once.

What `Position.legal_columns` and `Position.winning_columns()` give: an immutable sequence of ints that
is cheap to make, to iterate and to ask with `in`.

>>> list(Columns([5, 2, 2]))
[2, 5])");
    cls.def(
           "__init__",
           [](Columns* self, nb::handle columns) {
               new (self) Columns(columns_from(columns, "columns"));
           },
           given("columns") = nb::make_tuple(),
           nb::sig("def __init__(self, columns: collections.abc.Iterable[int] = ()) -> None"))
        .def("__len__", [](Columns self) { return std::popcount(self.set); })
        .def(
            "__iter__", [](Columns self) { return nb::iter(as_tuple(self)); },
            nb::sig("def __iter__(self) -> collections.abc.Iterator[int]"))
        .def("__contains__", &contains, given("column"),
             nb::sig("def __contains__(self, column: object) -> bool"))
        // The slice first: the other takes whatever is given.
        .def(
            "__getitem__",
            [](Columns self, const nb::slice& slice) {
                // Named, because what [] gives only refers to the tuple.
                const nb::object columns = as_tuple(self);
                return nb::object(columns[slice]);
            },
            nb::arg("index"), nb::sig("def __getitem__(self, index: slice) -> tuple[int, ...]"))
        .def("__getitem__", &item, given("index"), nb::sig("def __getitem__(self, index: int) -> int"))
        .def("__hash__", [](Columns self) { return std::hash<ColumnSet>{}(self.set); })
        .def("__repr__", &repr);
    add_value(cls, "list[int]", &columns_to_list, &columns_from_json);
}

}  // namespace fourcast::bindings
