// What can still be won: threats, live discs, squares that no game will reach.
#pragma once

#include "rules.hpp"

namespace fourcast {
inline namespace FOURCAST_KERNEL {

/// The rows of a board as sets of squares, which parity arguments are about.
///
/// If one player always answers in the column that the other has just played in, a column is filled
/// from its top down in pairs: the player that answers gets the top square and every second one below
/// it.
template <class Shape>
constexpr typename Shape::Bits follower_rows(const Shape& shape) {
    typename Shape::Bits result{0};
    for (int row = shape.height() - 1; row >= 0; row -= 2) result |= shape.bottom() << row;
    return result;
}

/// Every square strictly above one of `squares` in its column.
template <class Shape>
constexpr typename Shape::Bits above(const Shape& shape, typename Shape::Bits squares) {
    // With a bit on top of each column, taking 1 from all columns stays within each of them: it changes
    // the lowest square of the column and all below, and nothing above.
    const auto marked = squares | (shape.bottom() << shape.height());
    return shape.board() & ~(marked ^ (marked - shape.bottom()));
}

/// The same with the squares themselves.
template <class Shape>
constexpr typename Shape::Bits at_or_above(const Shape& shape, typename Shape::Bits squares) {
    const auto marked = squares | (shape.bottom() << shape.height());
    return shape.board() & ~((marked ^ (marked - shape.bottom())) >> 1);
}

/// Squares that the game cannot reach because it is over before: those above a square on which both
/// sides win, and those above two stacked squares on which the same side wins (the opponent has to take
/// the lower one, and loses on the upper one).
template <class Shape>
constexpr typename Shape::Bits unreachable(const Shape& shape, typename Shape::Bits wins,
                                           typename Shape::Bits other_wins) {
    const auto last = (wins & other_wins) | (wins & (wins << 1)) | (other_wins & (other_wins << 1));
    return above(shape, last);
}

}  // namespace FOURCAST_KERNEL
}  // namespace fourcast
