#include "columns.hpp"

#include <bit>

#include "solver/answer_value.hpp"
#include "value.hpp"

namespace fourcast {

template <>
bindings::Columns from_value<bindings::Columns>(const Value& json) {
    bindings::Columns columns;
    for (const int column : json.integers("a list of columns", 0, bindings::widest_board - 1))
        columns.set |= only<ColumnSet>(column);
    return columns;
}

}  // namespace fourcast

namespace fourcast::bindings {

Value to_value(Columns columns) { return fourcast::to_value(columns.set); }

Columns Reads<Columns>::from(nb::handle value, const char* what) {
    Columns columns;
    if (nb::try_cast<Columns>(value, columns, false)) return columns;
    for_each_item(value, what, "an iterable of ints", [&](nb::handle item) {
        columns.set |= ColumnSet{1} << bounded(item, "a column", 0, widest_board - 1);
    });
    return columns;
}

void add_columns(nb::module_& module) {
    Class<Columns> cls(module, "Columns", [](Columns columns) { return columns; });
    add_value(cls);
    cls.def("__len__", [](const Columns& self) { return std::popcount(self.set); })
        .def("__iter__", [](const Columns& self) { return nb::iter(self.tuple()); })
        // As in a tuple: whatever is no int is not in it, and no error either.
        .def("__contains__",
             [](const Columns& self, nb::handle value) {
                 if (PyBool_Check(value.ptr()) || !PyIndex_Check(value.ptr())) return false;
                 const auto column = small_integer(as_integer(value, "column"));
                 return column && *column >= 0 && *column < 32 &&
                        contains(self.set, static_cast<int>(*column));
             })
        .def("__getitem__",
             [](const Columns& self, nb::handle index) {
                 const auto skipped = PyLong_Check(index.ptr()) ? small_integer(index) : std::nullopt;
                 if (skipped && *skipped >= 0 && *skipped < std::popcount(self.set)) {
                     ColumnSet rest = self.set;
                     for (long long i = 0; i < *skipped; ++i) rest = without_lowest(rest);
                     return nb::object(nb::int_(lowest_bit(rest)));
                 }
                 return checked(PyObject_GetItem(self.tuple().ptr(), index.ptr()));
             })
        .def("__eq__", [](const Columns& self, nb::handle other) {
            Columns columns;
            if (nb::try_cast<Columns>(other, columns, false))
                return nb::object(nb::bool_(self == columns));
            if (!PyList_Check(other.ptr()) && !PyTuple_Check(other.ptr()))
                return nb::borrow(Py_NotImplemented);
            return nb::object(nb::bool_(self.tuple().equal(nb::tuple(nb::borrow(other)))));
        });
}

}  // namespace fourcast::bindings
