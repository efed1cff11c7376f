// Columns: a set of columns as Python sees it, in ascending order. Making one costs no more than an int.
#pragma once

#include <nanobind/nanobind.h>

#include "board/position.hpp"

namespace fourcast::bindings {

struct Columns {
    ColumnSet set;

    bool operator==(const Columns&) const = default;
};

/// Columns from an iterable of ints, or as they are. `what` names them in messages.
Columns columns_from(nanobind::handle value, const char* what);
nanobind::list columns_to_list(Columns columns);

}  // namespace fourcast::bindings
