// The order of columns from the center of a board outwards: among moves that are equally good people
// prefer the middle, and a search that tries the middle first has less to do.
#pragma once

#include <cstddef>
#include <vector>

namespace fourcast {

/// All columns of a board, nearest to the center first, the left one first of two that are as near.
inline std::vector<int> columns_from_center(int width) {
    std::vector<int> columns;
    columns.reserve(static_cast<std::size_t>(width));
    const int first = (width - 1) / 2;
    for (int i = 0; i < width; ++i) {
        // An even board has two middle columns: the next one is on the right of the first.
        const bool to_the_right = (i % 2 == 1) == (width % 2 == 0);
        columns.push_back(first + (to_the_right ? (i + 1) / 2 : -(i + 1) / 2));
    }
    return columns;
}

}  // namespace fourcast
