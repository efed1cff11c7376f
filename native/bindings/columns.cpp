#include "columns.hpp"

#include <bit>

#include "module.hpp"
#include "solver/answer_value.hpp"
#include "value.hpp"

namespace fourcast {

template <>
bindings::Columns from_value<bindings::Columns>(const Value& json) {
    bindings::Columns columns{0};
    for (const int column : json.integers("a list of columns", 0, bindings::widest_board - 1))
        columns.set |= only<ColumnSet>(column);
    return columns;
}

}  // namespace fourcast

namespace fourcast::bindings {
namespace {

nb::tuple as_tuple(Columns columns) {
    nb::list list;
    for (const int column : each(columns.set)) list.append(column);
    return nb::tuple(list);
}

/// As in a tuple: whatever is no int is not in it, and no error either.
bool has(Columns columns, nb::handle value) {
    if (PyBool_Check(value.ptr()) || !PyIndex_Check(value.ptr())) return false;
    const auto column = small_integer(as_integer(value, "column"));
    return column && *column >= 0 && *column < 32 && contains(columns.set, static_cast<int>(*column));
}

int item(Columns columns, nb::handle index) {
    const int size = std::popcount(columns.set);
    const auto wanted = small_integer(as_integer(index, "index"));
    if (!wanted || *wanted < -size || *wanted >= size)
        throw nb::index_error("Columns index out of range");
    ColumnSet rest = columns.set;
    for (long long skip = *wanted < 0 ? *wanted + size : *wanted; skip > 0; --skip)
        rest = without_lowest(rest);
    return lowest_bit(rest);
}

}  // namespace

std::string Columns::repr() const {
    if (set == 0) return "Columns()";
    return text("Columns(", repr_of(nb::list(as_tuple(*this))), ")");
}

Value to_value(Columns columns) { return fourcast::to_value(columns.set); }

Columns Reads<Columns>::from(nb::handle value, const char* what) {
    if (Columns columns{}; nb::try_cast<Columns>(value, columns, false)) return columns;
    if (PyUnicode_Check(value.ptr())) wrong_type(what, "an iterable of ints", value);
    Columns columns{0};
    for_each_item(value, [&](nb::handle item) {
        columns.set |= ColumnSet{1} << bounded(item, "a column", 0, widest_board - 1);
    });
    return columns;
}

void add_columns(nb::module_& module) {
    Class<Columns> cls(module, "Columns",
                       R"(Some columns of a board, 0-based, in ascending order, each once.

The type of `Position.legal_columns` and `Position.winning_columns()`: an immutable sequence of ints
that is cheap to make, to iterate over and to test with `in`.

>>> list(Columns([5, 2, 2]))
[2, 5])");
    cls.init("columns"_a = nb::make_tuple(), [](Columns columns) { return columns; })
        .def("__len__", [](Columns self) { return std::popcount(self.set); })
        .def(
            "__iter__", [](Columns self)->Object<"collections.abc.Iterator[int]"> {
                return {nb::iter(as_tuple(self))};
            })
        .def("__contains__", "column"_a,
             [](Columns self, Any<"object"> column) { return has(self, column); })
        // The slice first: the other takes whatever is given.
        .def(
            "__getitem__", "index"_a,
            [](Columns self, const nb::slice& slice)->Object<"tuple[int, ...]"> {
                // Named, because what [] gives only refers to the tuple.
                const nb::object columns = as_tuple(self);
                return {columns[slice]};
            })
        .def("__getitem__", "index"_a, [](Columns self, Any<"int"> index) { return item(self, index); });
    add_value(cls, "list[int]");
}

}  // namespace fourcast::bindings
