// Positions that a call was given in an array or a list, of which some may be impossible.
#pragma once

#include <cstdint>
#include <cstring>
#include <vector>

#include "arrays.hpp"

namespace fourcast {

/// What to do with a row that shows no position: raise an error that names it, or pass over it.
enum class Invalid { raise, mark };

struct Rows {
    std::vector<Position> positions;
    std::vector<std::size_t> indices;  // the row of each
    std::size_t count = 0;             // of rows, also those that show no position

    /// More rows of an array are refused: their positions would take gigabytes.
    static constexpr long long most = 1 << 24;
    /// Throws OptionError if there are more than `limit`.
    static void refuse_more(std::size_t rows, std::size_t limit = most);
    void reserve(std::size_t rows);

    /// Adds what make() returns. An error of it names the row, or the row is passed over.
    template <class Make>
    void add(Invalid invalid, const Make& make) {
        const std::size_t row = count++;
        try {
            positions.push_back(make());
            indices.push_back(row);
        } catch (const Error&) {
            refuse(row, invalid);
        }
    }
    /// Throws InvalidPositionError if one of them is not of the size of `empty`, naming its row.
    void require_size(const Position& empty) const;
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
    /// Throws the error in flight again, with the row; passes over it if it is about the position and
    /// such rows are to be marked.
    static void refuse(std::size_t row, Invalid invalid);
    [[noreturn]] static void refuse_finished(std::size_t row);
};

/// How many words a player's discs take in a row of bitboards.
std::size_t words_of(const Position& empty);
/// The shape of such a row: one word for each player, or two, the lower one first.
std::vector<std::size_t> bitboard_shape(const Position& empty);
void write_bitboards(u64* row, const Position& position, std::size_t words);

/// Element `index` of an array of T as an integer, ArrayMap::no_value if it is none.
template <class T>
long long read_element(const void* data, std::int64_t index) {
    if constexpr (std::is_same_v<T, bool>) {
        return static_cast<const unsigned char*>(data)[index] != 0 ? 1 : 0;
    } else {
        T value;
        const auto* const bytes = static_cast<const char*>(data);
        std::memcpy(&value, bytes + index * static_cast<std::int64_t>(sizeof(T)), sizeof(T));
        // Whatever stands for a disc in a layout is a small number.
        if (!(value >= T{0} && value <= T{127})) return ArrayMap::no_value;
        const auto integer = static_cast<long long>(value);
        return static_cast<T>(integer) == value ? integer : ArrayMap::no_value;
    }
}

/// Where the elements of a board are in its row of an array with these steps between the elements of
/// each axis; `lengths` are those of the axes of the board.
std::vector<std::int64_t> offsets_in(const std::vector<std::size_t>& lengths,
                                     const std::vector<std::int64_t>& steps);

}  // namespace fourcast
