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
constexpr auto directions(const Shape& shape) {
    if constexpr (Shape::is_standard)
        return std::array<int, 4>{1, shape.stride(), shape.stride() - 1, shape.stride() + 1};
    else
        return shape.steps();
}

/// The first square of every four in `discs`, for one direction.
template <class Shape, class Set, class Step>
constexpr Set fours_from(const Shape& shape, Set discs, const Step& step) {
    if constexpr (Shape::is_standard) {
        const Set pairs = discs & (discs >> step);
        return pairs & (pairs >> (2 * step));
    } else {
        return shape.lines_from(discs, step);
    }
}

/// f(direction) of all four directions, united. Straight-line code, which compilers vectorize.
template <class Shape, class Function>
constexpr auto over_directions(const Shape& shape, Function f) {
    const auto steps = directions(shape);
    return f(steps[0]) | f(steps[1]) | f(steps[2]) | f(steps[3]);
}

/// The squares of the fours that begin on these squares.
template <class Shape, class Step>
constexpr typename Shape::Bits four_from(const Shape& shape, typename Shape::Bits first,
                                         const Step& step) {
    if constexpr (Shape::is_standard) {
        const auto first_half = first | (first << step);
        return first_half | (first_half << (2 * step));
    } else {
        return shape.squares_of_lines(first, step);
    }
}

template <class Shape>
constexpr bool has_four(const Shape& shape, typename Shape::Bits discs) {
    return over_directions(shape, [&](const auto& step) { return fours_from(shape, discs, step); }) != 0;
}

/// Every square of `discs` that is part of a four: all lines, also where one disc completes two.
template <class Shape>
constexpr typename Shape::Bits squares_in_fours(const Shape& shape, typename Shape::Bits discs) {
    return over_directions(
        shape, [&](const auto& step) { return four_from(shape, fours_from(shape, discs, step), step); });
}

}  // namespace FOURCAST_KERNEL
}  // namespace fourcast
