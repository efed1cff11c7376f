// Columns: a set of columns as Python sees it, in ascending order. Making one costs no more than an int.
#pragma once

#include "board/position.hpp"
#include "convert.hpp"
#include "system/value.hpp"

namespace fourcast::bindings {

struct Columns {
    ColumnSet set = 0;

    static constexpr bool is_list = true;
    nb::object tuple() const { return tuple_of(each(set)); }
    bool operator==(const Columns&) const = default;
    /// That of the tuple, which is equal.
    Py_hash_t hash() const { return PyObject_Hash(tuple().ptr()); }
    std::string repr() const {
        return set == 0 ? "Columns()" : text("Columns(", repr_of(nb::list(tuple())), ")");
    }
};
Value to_value(Columns columns);

/// Squares as Python sees them: a tuple of (column, row), both from 0.
nb::object squares_of(const Position& position, u128 squares);

/// Columns are read from an iterable of ints, or as they are.
template <>
struct Reads<Columns> {
    static Columns from(nb::handle value, const char* what);
};

}  // namespace fourcast::bindings
