// Columns: a set of columns as Python sees it, in ascending order. Making one costs no more than an int.
#pragma once

#include "../position.hpp"

namespace fourcast::bindings {

struct Columns {
    ColumnSet set;

    bool operator==(const Columns&) const = default;
};

}  // namespace fourcast::bindings
