// The order of columns from the center of a board outwards: among moves that are equally good people
// prefer the middle, and a search that tries the middle first has less to do.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <vector>

namespace fourcast {

/// All columns of a board, nearest to the center first, the left one first of two that are as near.
inline std::vector<int> columns_from_center(int width) {
    std::vector<int> columns(static_cast<std::size_t>(width));
    std::iota(columns.begin(), columns.end(), 0);
    const auto distance = [width](int column) { return std::abs(2 * column - (width - 1)); };
    std::stable_sort(columns.begin(), columns.end(),
                     [&](int a, int b) { return distance(a) < distance(b); });
    return columns;
}

}  // namespace fourcast
