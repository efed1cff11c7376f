// Arrays of Python as positions, and new arrays for what was found out.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstddef>
#include <numeric>
#include <vector>

#include "convert.hpp"

namespace fourcast::bindings {

namespace nb = nanobind;

/// What to do with a row that shows no position: raise an error that names it, or pass over it.
enum class Invalid { raise, mark };
template <>
struct Choice<Invalid> {
    static constexpr const char* words[] = {"raise", "mark"};
    static constexpr const char* code = "error.no_invalid";
};

/// The positions that a call was given, in whatever form.
struct Rows {
    std::vector<Position> positions;
    std::vector<std::size_t> indices;  // the row of each
    std::size_t count = 0;             // of rows, also those that show no position

    /// Only those whose game is not over: the others are refused, or called `mark(row)` and removed.
    template <class Mark>
    void remove_finished(Invalid invalid, const Mark& mark) {
        std::size_t kept = 0;
        for (std::size_t i = 0; i < positions.size(); ++i) {
            if (positions[i].is_over()) {
                if (invalid == Invalid::raise) refuse_finished(indices[i]);
                mark(indices[i]);
                continue;
            }
            positions[kept] = positions[i];
            indices[kept++] = indices[i];
        }
        positions.resize(kept);
        indices.resize(kept);
    }

  private:
    [[noreturn]] static void refuse_finished(std::size_t row);
};

/// More rows of an array are refused: their positions would take gigabytes.
inline constexpr long long most_rows = 1 << 24;

/// Positions, move strings, or an array: of bitboards without `layout`, of boards in that layout with
/// it. `empty` has the size of strings and arrays. Iterables may have up to 1,048,576 positions. Errors
/// name the row as `positions[3]`.
Rows rows_from(nb::handle positions, nb::handle layout, const Position& empty, Invalid invalid);

/// Raises InvalidPositionError if one of them is not of the size of `empty`, naming its row.
void require_size(const Rows& rows, const Position& empty);

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
