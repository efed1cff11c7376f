// A board with other lines than four in a row: any number in a row, and a last column that may be next
// to the first one (a cylinder). Both are known at run time.
//
// A line is a number of different squares in a row; longer rows hold several. On a cylinder with fewer
// columns than that there are no lines across, but the diagonals go around all the same.
#pragma once

#include <array>

#include "shape.hpp"

namespace fourcast {
inline namespace FOURCAST_KERNEL {

/// The shortest and the longest lines that there may be.
inline constexpr int min_connect = 3;
inline constexpr int max_connect = 16;
/// The shortest and the longest sides by other rules than the standard ones; and where a move takes a
/// disc out, no set of moves has room for more columns.
inline constexpr int min_variant_side = 3;
inline constexpr int max_variant_side = 25;
inline constexpr int max_pop_width = 15;

/// From a square of a line to the next one.
struct LineStep {
    int columns;
    int rows;
    bool has_lines;  // false of rows that are too short
};

template <class BitsType>
class VariantShape : public ShapeBase<VariantShape<BitsType>, BitsType> {
    using Base = ShapeBase<VariantShape<BitsType>, BitsType>;

  public:
    using Bits = BitsType;
    static constexpr bool is_standard = false;

    constexpr VariantShape(int width, int height, int connect, bool wraps)
        : width_(width),
          height_(height),
          connect_(connect),
          wraps_(wraps),
          bottom_(Base::row_of_ones(width, height + 1)),
          board_(bottom_ * ((Bits{1} << height) - 1)),
          all_(board_ | (bottom_ << height)) {}
    constexpr int width() const { return width_; }
    constexpr int height() const { return height_; }
    constexpr Bits bottom() const { return bottom_; }
    constexpr Bits board() const { return board_; }
    constexpr int connect() const { return connect_; }
    constexpr bool wraps() const { return wraps_; }

    constexpr std::array<LineStep, 4> steps() const {
        const bool across = width_ >= connect_;
        const bool diagonal = height_ >= connect_ && (wraps_ || across);
        return {{{0, 1, height_ >= connect_}, {1, 0, across}, {1, -1, diagonal}, {1, 1, diagonal}}};
    }

    /// What lies `count` steps along the direction of each square comes to that square. A square off the
    /// board gets a guard or nothing, provided that the squares between are looked at, too: a line that
    /// leaves the board meets the guard first.
    template <class Set>
    constexpr Set back(Set set, const LineStep& step, int count = 1) const {
        const Set turned = turn(set, step.columns * count);
        return step.rows >= 0 ? turned >> (step.rows * count) : turned << (-step.rows * count);
    }
    template <class Set>
    constexpr Set forth(Set set, const LineStep& step, int count = 1) const {
        const Set turned = turn(set, -step.columns * count);
        return step.rows >= 0 ? turned << (step.rows * count) : turned >> (-step.rows * count);
    }

    /// The first square of every line in `discs`.
    template <class Set>
    constexpr Set lines_from(Set discs, const LineStep& step) const {
        if (!step.has_lines) return discs ^ discs;
        Set runs = discs;  // of as many discs as `have`
        int have = 1;
        for (; 2 * have <= connect_; have *= 2) runs &= back(runs, step, have);
        return have == connect_ ? runs : runs & back(runs, step, connect_ - have);
    }
    /// All squares of the lines that begin on these squares.
    constexpr Bits squares_of_lines(Bits first, const LineStep& step) const {
        Bits squares = first;
        for (int i = 1; i < connect_; ++i) squares |= forth(first, step, i);
        return squares;
    }
    /// The squares on which one more disc completes a line, those with discs included.
    template <class Set>
    constexpr Set completes_lines(Set discs) const {
        Set result = discs ^ discs;
        for (const LineStep& step : steps()) {
            if (!step.has_lines) continue;
            // before[i]: the i squares before this one all have discs.
            std::array<Set, max_connect> before;
            before[0] = ~result | result;
            for (int i = 1; i < connect_; ++i) before[i] = before[i - 1] & forth(discs, step, i);
            result |= before[connect_ - 1];
            if (step.columns == 0) continue;  // nothing lies above a disc that falls
            Set after = before[0];
            for (int i = 1; i < connect_; ++i) {
                after &= back(discs, step, i);
                result |= after & before[connect_ - 1 - i];
            }
        }
        return result;
    }

    /// The board turned around by some columns; if it is flat, what leaves it is gone.
    template <class Set>
    constexpr Set turn(Set set, int columns) const {
        const int stride = height_ + 1;
        if (!wraps_) return columns >= 0 ? set >> (columns * stride) : set << (-columns * stride);
        columns %= width_;
        if (columns < 0) columns += width_;
        if (columns == 0) return set;
        return ((set >> (columns * stride)) | (set << ((width_ - columns) * stride))) & all_;
    }

  private:
    int width_;
    int height_;
    int connect_;
    bool wraps_;
    Bits bottom_;
    Bits board_;
    Bits all_;  // with the guards
};

}  // namespace FOURCAST_KERNEL
}  // namespace fourcast
