// Arrays of Python as positions, and new arrays for what was found out.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstddef>
#include <numeric>
#include <vector>

#include "arrays/rows.hpp"
#include "convert.hpp"

namespace fourcast::bindings {

namespace nb = nanobind;

template <>
inline constexpr Choice choice<Invalid>{"error.no_invalid", {"raise", "mark"}};

/// Positions, move strings, or an array: of bitboards without `layout`, of boards in that layout with
/// it. `empty` has the size of strings and arrays. Iterables may have up to 1,048,576 positions. Errors
/// name the row as `positions[3]`.
Rows rows_from(nb::handle positions, nb::handle layout, const Position& empty, Invalid invalid);

/// A new array of numpy, and its elements.
template <class T>
struct NewArray {
    nb::object object;
    T* data;
};

/// The module; raises MissingExtraError if it is not installed.
nb::object numpy();

template <class T>
NewArray<T> new_array(const std::vector<std::size_t>& shape, T fill = T{}) {
    numpy();
    const std::size_t size =
        std::accumulate(shape.begin(), shape.end(), std::size_t{1}, std::multiplies<>());
    T* const data = new T[size];
    const nb::capsule owner(data, [](void* memory) noexcept { delete[] static_cast<T*>(memory); });
    std::fill(data, data + size, fill);
    return {nb::cast(nb::ndarray<nb::numpy, T>(data, shape.size(), shape.data(), owner)), data};
}

/// The array that shows a position in a layout.
nb::object planes_of(const Position& position, nb::handle layout);

}  // namespace fourcast::bindings
