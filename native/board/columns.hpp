// Sets of columns as lists.
#pragma once

#include <vector>

#include "position.hpp"

namespace fourcast {

/// In ascending order.
inline std::vector<int> columns_in(ColumnSet set) {
    std::vector<int> columns;
    for (const int column : each(set)) columns.push_back(column);
    return columns;
}

}  // namespace fourcast
