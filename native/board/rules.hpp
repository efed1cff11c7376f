// THE rules of Connect Four, on bitboards: where a disc may go, and what a four is.
//
// Pure functions of a shape and two sets of squares, `discs` (of one player) and `mask` (of both);
// where `Set` is a type of its own, it may also be a vector of sets. `Position` wraps them for Python;
// playouts, perft and the search call them directly.
#pragma once

#include <array>

#include "shape.hpp"

namespace fourcast {
inline namespace FOURCAST_KERNEL {

/// The squares that a disc would fall to: one in each column that is not full.
template <class Shape, class Set>
constexpr Set playable(const Shape& shape, Set mask) {
    return (mask + shape.bottom()) & shape.board();
}

/// The distances between neighbors on a line: up, across, and along the two diagonals.
template <class Shape>
constexpr std::array<int, 4> directions(const Shape& shape) {
    return {1, shape.stride(), shape.stride() - 1, shape.stride() + 1};
}

/// The lowest square of every four in `discs`, for one direction.
template <class Bits>
constexpr Bits fours_from(Bits discs, int direction) {
    const Bits pairs = discs & (discs >> direction);
    return pairs & (pairs >> (2 * direction));
}

/// f(direction) of all four directions, united. Straight-line code, which compilers vectorize.
template <class Shape, class Function>
constexpr auto over_directions(const Shape& shape, Function f) {
    return f(1) | f(shape.stride()) | f(shape.stride() - 1) | f(shape.stride() + 1);
}

template <class Shape>
constexpr bool has_four(const Shape& shape, typename Shape::Bits discs) {
    return over_directions(shape, [&](int direction) { return fours_from(discs, direction); }) != 0;
}

/// Every square of `discs` that is part of a four: all lines, also where one disc completes two.
template <class Shape>
constexpr typename Shape::Bits squares_in_fours(const Shape& shape, typename Shape::Bits discs) {
    return over_directions(shape, [&](int direction) {
        const auto lowest = fours_from(discs, direction);
        const auto lower_half = lowest | (lowest << direction);
        return lower_half | (lower_half << (2 * direction));
    });
}

}  // namespace FOURCAST_KERNEL
}  // namespace fourcast
