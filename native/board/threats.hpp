// What can still be won: threats, live discs, squares that no game will reach.
#pragma once

#include "rules.hpp"

namespace fourcast {
inline namespace FOURCAST_KERNEL {

/// The threats of a player: the empty squares, playable now or not, on which one more of their discs
/// would complete a four.
template <class Shape, class Set>
constexpr Set threats(const Shape& shape, Set discs, Set mask) {
    if constexpr (!Shape::is_standard) return shape.completes_lines(discs) & (shape.board() ^ mask);
    const auto completes = [&](int direction) {
        // Pairs by their lower square: shifted up first, some would leave the word of a large board.
        const auto before_one = discs >> direction;
        const auto pairs = discs & before_one;
        const auto after_two = pairs << (2 * direction);
        const auto before_two = pairs >> direction;
        return (after_two & ((discs << (3 * direction)) | before_one)) |
               (before_two & ((discs << direction) | (discs >> (3 * direction))));
    };
    // Nothing can lie above the topmost disc of a column, so up is the only way a column is completed.
    const auto upwards = (discs << 1) & (discs << 2) & (discs << 3);
    return (upwards | completes(shape.stride()) | completes(shape.stride() - 1) |
            completes(shape.stride() + 1)) &
           (shape.board() ^ mask);
}

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
