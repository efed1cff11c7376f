// THE rules of Connect Four, on bitboards: where a stone may go, and what a four is.
//
// Pure functions of a shape and two sets of squares, `stones` (of one player) and `mask` (of both).
// `Position` wraps them for Python; playouts, perft and the search call them directly.
#pragma once

#include <array>

#include "shape.hpp"

namespace fourcast {

/// The squares a stone would come to lie on: one in each column that is not full.
template <class Shape>
constexpr typename Shape::Bits playable(const Shape& shape, typename Shape::Bits mask) {
    return (mask + shape.bottom()) & shape.board();
}

/// The distances between neighbours on a line: up, across, and along the two diagonals.
template <class Shape>
constexpr std::array<int, 4> directions(const Shape& shape) {
    return {1, shape.stride(), shape.stride() - 1, shape.stride() + 1};
}

/// The lowest square of every four in `stones`, for one direction.
template <class Bits>
constexpr Bits fours_from(Bits stones, int direction) {
    const Bits pairs = stones & (stones >> direction);
    return pairs & (pairs >> (2 * direction));
}

template <class Shape>
constexpr bool has_four(const Shape& shape, typename Shape::Bits stones) {
    typename Shape::Bits found{0};
    for (const int direction : directions(shape)) found |= fours_from(stones, direction);
    return found != 0;
}

/// Every square of `stones` that is part of a four: all lines, also where one stone completes two.
template <class Shape>
constexpr typename Shape::Bits squares_in_fours(const Shape& shape, typename Shape::Bits stones) {
    typename Shape::Bits result{0};
    for (const int direction : directions(shape)) {
        const auto pairs = fours_from(stones, direction);
        const auto lower_half = pairs | (pairs << direction);
        result |= lower_half | (lower_half << (2 * direction));
    }
    return result;
}

/// The empty squares, playable now or not, on which one more stone would complete a four.
template <class Shape>
constexpr typename Shape::Bits winning_squares(const Shape& shape, typename Shape::Bits stones,
                                               typename Shape::Bits mask) {
    // Nothing can lie above the topmost stone of a column, so up is the only way a column is completed.
    auto result = (stones << 1) & (stones << 2) & (stones << 3);
    for (const int direction : {shape.stride(), shape.stride() - 1, shape.stride() + 1}) {
        const auto pair_below = (stones << direction) & (stones << (2 * direction));
        result |= pair_below & (stones << (3 * direction));
        result |= pair_below & (stones >> direction);
        const auto pair_above = (stones >> direction) & (stones >> (2 * direction));
        result |= pair_above & (stones << direction);
        result |= pair_above & (stones >> (3 * direction));
    }
    return result & (shape.board() ^ mask);
}

}  // namespace fourcast
