// The boards of one word as the search wants them: no more columns than the compiler knows of, so that
// it can work on all of them side by side, and nothing that takes a loop or a division. Where the
// compiler knows the height, too, a node takes 8 to 14% less time: every shift is by a constant.
#pragma once

#include <array>

#include "board/variant_shape.hpp"

namespace fourcast {
inline namespace FOURCAST_KERNEL {

/// Puts the columns of a board in reverse order in three steps, without a loop over them: swap the left
/// half and the right half of the columns, then the halves of each half, and so on. A column in the
/// middle stays.
class Mirror {
  public:
    constexpr Mirror(int width, int stride) {
        int size = width;  // of the blocks that are left to reverse
        u64 starts = 1;
        for (Swap& swap : swaps_) {
            const int half = size / 2;
            swap.shift = (size - half) * stride;
            swap.left = starts * ((u64{1} << (half * stride)) - 1);
            swap.stay = ~(swap.left | (swap.left << swap.shift));
            starts |= starts << swap.shift;
            size = half;
        }
    }
    constexpr u64 apply(u64 bits) const {
        for (const auto& [left, stay, shift] : swaps_)
            bits = ((bits & left) << shift) | ((bits >> shift) & left) | (bits & stay);
        return bits;
    }

  private:
    struct Swap {
        u64 left = 0;
        u64 stay = 0;
        int shift = 0;
    };
    std::array<Swap, 3> swaps_{};  // 12 columns at most, then blocks of 6, then of 3
};

/// A size known at run time, as the search wants it: no more columns than the compiler knows of, nothing
/// that takes a loop or a division.
template <int MaxWidth>
class NarrowShape : public ShapeBase<NarrowShape<MaxWidth>, u64> {
    using Base = ShapeBase<NarrowShape<MaxWidth>, u64>;

  public:
    constexpr NarrowShape(int width, int height)
        : width_(width),
          height_(height),
          inverse_(4095 / (height + 1) + 1),
          bottom_(Base::row_of_ones(width, height + 1)),
          board_(bottom_ * ((u64{1} << height) - 1)),
          mirror_(width, height + 1) {}
    constexpr int width() const { return width_; }
    constexpr int height() const { return height_; }
    constexpr u64 bottom() const { return bottom_; }
    constexpr u64 board() const { return board_; }
    constexpr u64 mirror(u64 bits) const { return mirror_.apply(bits); }
    /// bit / stride, which is a product here: exact for all bits of a word.
    constexpr int column_of(int bit) const { return bit * inverse_ >> 12; }
    constexpr int row_of(int bit) const { return bit - column_of(bit) * (height_ + 1); }

  private:
    int width_;
    int height_;
    int inverse_;
    u64 bottom_;
    u64 board_;
    Mirror mirror_;
};

/// The same for boards that take more than 56 bits of a word, so that the slots of tables have no room
/// for whole keys (table.hpp).
template <int MaxWidth>
class WordShape : public NarrowShape<MaxWidth> {
    using NarrowShape<MaxWidth>::NarrowShape;
};

template <class Shape>
inline constexpr bool takes_whole_word = false;
template <int MaxWidth>
inline constexpr bool takes_whole_word<WordShape<MaxWidth>> = true;

/// The same for boards of one height and at most 8 columns.
template <int Height>
class RowsShape : public ShapeBase<RowsShape<Height>, u64> {
    using Base = ShapeBase<RowsShape<Height>, u64>;

  public:
    static constexpr int most_columns = 8;

    explicit constexpr RowsShape(int width)
        : width_(width),
          bottom_(Base::row_of_ones(width, Height + 1)),
          board_(bottom_ * ((u64{1} << Height) - 1)),
          mirror_(width, Height + 1) {}
    constexpr int width() const { return width_; }
    static constexpr int height() { return Height; }
    constexpr u64 bottom() const { return bottom_; }
    constexpr u64 board() const { return board_; }
    constexpr u64 mirror(u64 bits) const { return mirror_.apply(bits); }

  private:
    int width_;
    u64 bottom_;
    u64 board_;
    Mirror mirror_;
};

/// The number of columns that the compiler knows of.
template <class Shape>
inline constexpr int max_width = 8 * sizeof(typename Shape::Bits) / (min_side + 1);
template <int Width, int Height>
inline constexpr int max_width<FixedShape<Width, Height>> = Width;
template <int MaxWidth>
inline constexpr int max_width<NarrowShape<MaxWidth>> = MaxWidth;
template <int MaxWidth>
inline constexpr int max_width<WordShape<MaxWidth>> = MaxWidth;
template <int Height>
inline constexpr int max_width<RowsShape<Height>> = RowsShape<Height>::most_columns;
template <>
inline constexpr int max_width<VariantShape<u64>> = 8;

/// The number of rows that the compiler knows of; 0 if it knows none.
template <class Shape>
inline constexpr int fixed_height = 0;
template <int Width, int Height>
inline constexpr int fixed_height<FixedShape<Width, Height>> = Height;
template <int Height>
inline constexpr int fixed_height<RowsShape<Height>> = Height;

/// How many lanes of 8 bytes they take, in whole vectors of 32 bytes.
template <class Shape>
inline constexpr int column_lanes = (max_width<Shape> + 3) / 4 * 4;

}  // namespace FOURCAST_KERNEL
}  // namespace fourcast
