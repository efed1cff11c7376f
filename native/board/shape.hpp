// The squares of a board and the bit that each of them has.
//
// Column c, row r (row 0 is the bottom) is bit c * (height + 1) + r. The bit above each column is a
// guard: it is never a disc, so a line that leaves a column at its top cannot come in again at the
// bottom of the next one, and adding 1 at the bottom of a column carries into its lowest empty
// square. For 7x6:
//
//      6 13 20 27 34 41 48   guard row
//      5 12 19 26 33 40 47
//      4 11 18 25 32 39 46
//      3 10 17 24 31 38 45
//      2  9 16 23 30 37 44
//      1  8 15 22 29 36 43
//      0  7 14 21 28 35 42   row 0
#pragma once

#include "system/bits.hpp"

namespace fourcast {
inline namespace FOURCAST_KERNEL {

/// The smallest side: a board holds a four in every direction.
inline constexpr int min_side = 4;
/// A board fits into two 64-bit words, guard row included.
inline constexpr int max_bits = 128;

/// True if fourcast plays on boards of this size.
constexpr bool is_supported(int width, int height) {
    return width >= min_side && height >= min_side && width <= max_bits && height < max_bits &&
           width * (height + 1) <= max_bits;
}

/// What every shape can tell. `Self` provides `width()` and `height()`.
template <class Self, class BitsType>
class ShapeBase {
  public:
    using Bits = BitsType;
    /// Four in a row on a flat board, which the compiler knows (variant_shape.hpp has the others).
    static constexpr bool is_standard = true;

    /// How many discs in a row make a line, which the names in the code call a four.
    static constexpr int connect() { return 4; }
    static constexpr bool wraps() { return false; }
    /// `set` moved by some steps against a direction: what lay that far along the direction lies here.
    template <class Set>
    static constexpr Set back(Set set, int step, int count = 1) {
        return set >> (count * step);
    }
    template <class Set>
    static constexpr Set forth(Set set, int step, int count = 1) {
        return set << (count * step);
    }

    constexpr int stride() const { return self().height() + 1; }
    constexpr int cells() const { return self().width() * self().height(); }

    constexpr Bits square(int column, int row) const { return Bits{1} << (column * stride() + row); }
    constexpr Bits column(int column) const {
        return ((Bits{1} << self().height()) - 1) << (column * stride());
    }
    constexpr int column_of(int bit) const { return bit / stride(); }
    constexpr int row_of(int bit) const { return bit % stride(); }

    /// The bits with the columns in reverse order.
    constexpr Bits mirror(Bits bits) const {
        Bits result{0};
        for (int left = 0; left < self().width(); ++left) {
            const Bits field = (bits >> (left * stride())) & ((Bits{1} << stride()) - 1);
            result |= field << ((self().width() - 1 - left) * stride());
        }
        return result;
    }

  protected:
    static constexpr Bits row_of_ones(int width, int stride) {
        Bits result{0};
        for (int column = 0; column < width; ++column) result |= Bits{1} << (column * stride);
        return result;
    }

  private:
    constexpr const Self& self() const { return static_cast<const Self&>(*this); }
};

/// A size known to the compiler: the fast path. An empty class, so handing it around costs nothing.
template <int Width, int Height>
class FixedShape : public ShapeBase<FixedShape<Width, Height>, u64> {
    static_assert(is_supported(Width, Height) && Width * (Height + 1) <= 64);
    using Base = ShapeBase<FixedShape<Width, Height>, u64>;

  public:
    constexpr FixedShape() = default;
    static constexpr int width() { return Width; }
    static constexpr int height() { return Height; }
    static constexpr u64 bottom() { return bottom_; }
    static constexpr u64 board() { return bottom_ * ((u64{1} << Height) - 1); }

    /// As in ShapeBase, in a few steps: swap the left and the right columns, then the outer columns of
    /// each.
    static constexpr u64 mirror(u64 bits) {
        if constexpr (Width == 7) {
            constexpr int stride = Height + 1;
            constexpr u64 column = (u64{1} << stride) - 1;
            constexpr u64 left = (u64{1} << (3 * stride)) - 1;
            constexpr u64 outer = column | (column << (4 * stride));
            constexpr u64 inner = (outer << stride) | (column << (3 * stride));
            bits = ((bits & left) << (4 * stride)) | ((bits >> (4 * stride)) & left) |
                   (bits & (column << (3 * stride)));
            return ((bits & outer) << (2 * stride)) | ((bits >> (2 * stride)) & outer) | (bits & inner);
        } else {
            return FixedShape().Base::mirror(bits);
        }
    }

  private:
    static constexpr u64 bottom_ = Base::row_of_ones(Width, Height + 1);
};

/// Any other size, known at run time.
template <class BitsType>
class AnyShape : public ShapeBase<AnyShape<BitsType>, BitsType> {
    using Base = ShapeBase<AnyShape<BitsType>, BitsType>;

  public:
    constexpr AnyShape(int width, int height)
        : width_(width),
          height_(height),
          bottom_(Base::row_of_ones(width, height + 1)),
          board_(bottom_ * ((BitsType{1} << height) - 1)) {}
    constexpr int width() const { return width_; }
    constexpr int height() const { return height_; }
    /// The lowest square of every column.
    constexpr BitsType bottom() const { return bottom_; }
    /// Every square, without the guard row.
    constexpr BitsType board() const { return board_; }

  private:
    int width_;
    int height_;
    BitsType bottom_;
    BitsType board_;
};

using StandardShape = FixedShape<7, 6>;

}  // namespace FOURCAST_KERNEL
}  // namespace fourcast
