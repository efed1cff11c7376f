// Columns: a set of columns as Python sees it, in ascending order. Making one costs no more than an int.
#pragma once

#include "convert.hpp"
#include "system/value.hpp"

namespace fourcast::bindings {

struct Columns {
    ColumnSet set;

    bool operator==(const Columns&) const = default;
    std::size_t hash() const { return std::hash<ColumnSet>{}(set); }
    std::string repr() const;
};
Value to_value(Columns columns);

/// Columns are read from an iterable of ints, or as they are.
template <>
struct Reads<Columns> {
    static std::string type() { return "collections.abc.Iterable[int]"; }
    static Columns from(nb::handle value, const char* what);
};

}  // namespace fourcast::bindings
