// Positions as arrays: the layouts of other packages, and what stands in for a score in arrays of
// labels.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "board/position.hpp"
#include "system/errors.hpp"

namespace fourcast {

/// What an array of labels holds where there is no score. Each is less than any score, so that the
/// largest label of a row is that of a best column.
namespace label {
inline constexpr signed char full = -128;        // the column is full
inline constexpr signed char unknown = -127;     // the limit was reached, or the solver was stopped
inline constexpr signed char finished = -126;    // the game is over
inline constexpr signed char impossible = -125;  // the position cannot have arisen
}  // namespace label

/// How a package lays out a board in an array.
struct Layout {
    enum class Kind { int8, float32, boolean, text };

    std::string_view name;
    std::string_view axes;  // from the outermost: r for rows, c for columns, p for planes
    bool is_flat;           // the package has one axis for all of them
    bool top_first;
    bool mover_first;  // "own" is the side to move, otherwise the first player
    // With planes: the plane of own discs, of the opponent's, and of empty squares (-1: there is none).
    // Without: what stands for each of them.
    int own;
    int other;
    int empty;
    Kind kind;

    bool has_planes() const { return axes.size() == 3; }
    int planes() const { return !has_planes() ? 1 : empty < 0 ? 2 : 3; }
    /// The place of the axis of columns among `axes`.
    std::size_t column_axis() const { return axes.find('c'); }
    /// The lengths of `axes`.
    std::vector<std::size_t> shape(int width, int height) const;
};

/// All layouts, and the one of this name. Throws OptionError, which lists them.
const std::vector<Layout>& layouts();
const Layout& find_layout(std::string_view name);

/// Where the squares of a board of some size are in its part of an array, by element.
class ArrayMap {
  public:
    ArrayMap(const Layout& layout, int width, int height);

    const Layout& layout() const { return *layout_; }
    /// How many elements a board has.
    std::size_t size() const { return size_; }
    std::size_t element(int column, int row, int plane) const {
        const int line = layout_->top_first ? height_ - 1 - row : row;
        return column_step_ * static_cast<std::size_t>(column) +
               row_step_ * static_cast<std::size_t>(line) +
               plane_step_ * static_cast<std::size_t>(plane);
    }

    /// The position that an array shows; value(e) is its element e, `no_value` if that is not an
    /// integer. Throws InvalidPositionError.
    template <class Value>
    Position read(const Value& value) const {
        u128 own = 0;
        u128 other = 0;
        for (int column = 0; column < width_; ++column) {
            for (int row = 0; row < height_; ++row) {
                const u128 square = u128{1} << (column * (height_ + 1) + row);
                switch (layout_->has_planes() ? read_planes(value, column, row)
                                              : read_cell(value, column, row)) {
                    case Disc::own:
                        own |= square;
                        break;
                    case Disc::other:
                        other |= square;
                        break;
                    case Disc::none:
                        break;
                }
            }
        }
        // A side to move with as many discs as the opponent has started; with fewer, the opponent has.
        const bool own_is_first = !layout_->mover_first || popcount(own) >= popcount(other);
        return own_is_first ? Position::from_discs(own, other, width_, height_)
                            : Position::from_discs(other, own, width_, height_);
    }
    static constexpr long long no_value = -0x7fffffff;

    /// Calls put(element, value) for every element of a position that is not zero.
    template <class Put>
    void write(const Position& position, const Put& put) const {
        const int own_player = layout_->mover_first ? position.turn() : 1;
        for (int column = 0; column < width_; ++column) {
            for (int row = 0; row < height_; ++row) {
                const int player = position.at(column, row);
                const int code = player == 0            ? layout_->empty
                                 : player == own_player ? layout_->own
                                                        : layout_->other;
                if (!layout_->has_planes()) {
                    if (code != 0) put(element(column, row, 0), code);
                } else if (code >= 0) {
                    put(element(column, row, code), 1);
                }
            }
        }
    }

  private:
    enum class Disc { none, own, other };

    template <class Value>
    Disc read_cell(const Value& value, int column, int row) const {
        const long long found = value(element(column, row, 0));
        if (found == layout_->empty) return Disc::none;
        if (found == layout_->own) return Disc::own;
        if (found == layout_->other) return Disc::other;
        refuse("error.array_value", column, row);
    }
    template <class Value>
    Disc read_planes(const Value& value, int column, int row) const {
        bool set[3] = {};
        int count = 0;
        for (int plane = 0; plane < layout_->planes(); ++plane) {
            const long long found = value(element(column, row, plane));
            if (found != 0 && found != 1) refuse("error.array_plane", column, row);
            set[plane] = found == 1;
            count += set[plane];
        }
        if (count > 1) refuse("error.array_planes", column, row);
        if (count == 0 && layout_->empty >= 0) refuse("error.array_no_plane", column, row);
        return set[layout_->own] ? Disc::own : set[layout_->other] ? Disc::other : Disc::none;
    }
    [[noreturn]] void refuse(const char* code, int column, int row) const;

    const Layout* layout_;
    int width_;
    int height_;
    std::size_t size_;
    std::size_t column_step_ = 0;
    std::size_t row_step_ = 0;
    std::size_t plane_step_ = 0;
};

}  // namespace fourcast
