// The name under which a position is stored in the table: equal for positions with the same future.
//
// What has been played matters only by what it can still become. A disc is live for its owner if it
// lies in a line of four that its owner can still complete and that is not beaten by a simpler one:
//   * a line with one square missing is known by that square, a threat of its owner;
//   * a line with more missing, one of them a threat of its owner, is never completed first;
//   * a line through a square that no game reaches (threats.hpp) is never completed.
// So the threats of both sides, and the discs in the other lines of two or more missing squares, decide
// the rest of the game. All other discs are just filled squares.
//
// The name is exact: a column is written as its filled squares (live for the mover, live for the
// opponent, or dead: 10, 01, 00), a marker (11), and its empty squares (each a threat of the mover, of
// the opponent, of both or of none). Reading up a column the first 11 is the marker, so nothing is
// ambiguous, and it takes just the height + 1 bits that a column has. No key is zero.
#pragma once

#include <type_traits>

#include "board/threats.hpp"

namespace fourcast {
inline namespace FOURCAST_KERNEL {

/// Two words that name a position.
template <class Bits>
struct Key {
    Bits first;
    Bits second;
    friend constexpr bool operator==(const Key&, const Key&) = default;
};

/// The key of a position in which `mover` is to move; `*_wins` are the threats of each side. Where a
/// line loses, a side need not take the lower one of two stacked squares: without `stacked_wins`.
template <bool stacked_wins = true, class Shape, class Bits = typename Shape::Bits>
constexpr Key<Bits> make_key(const Shape& shape, Bits mover, Bits mask, Bits mover_wins,
                             Bits opponent_wins) {
    const Bits marker = mask + shape.bottom();
    const Bits opponent = mover ^ mask;
    const Bits unreached = stacked_wins ? unreachable(shape, mover_wins, opponent_wins)
                                        : above(shape, mover_wins & opponent_wins);
    const Bits reachable = (shape.board() ^ mask) & ~unreached;
    mover_wins &= reachable;
    opponent_wins &= reachable;
    const Bits mover_live = mover & squares_in_fours(shape, mover | (reachable & ~mover_wins));
    const Bits opponent_live =
        opponent & squares_in_fours(shape, opponent | (reachable & ~opponent_wins));
    return {mover_live | marker | (mover_wins << 1), opponent_live | marker | (opponent_wins << 1)};
}

/// The key that tells all positions apart.
template <class Shape, class Bits = typename Shape::Bits>
constexpr Key<Bits> make_plain_key(const Shape& shape, Bits mover, Bits mask) {
    const Bits marker = mask + shape.bottom();
    return {mover | marker, (mover ^ mask) | marker};
}

/// The same key for a position and its mirror image, and on a cylinder for all that turning it around
/// makes of them. All of these name the position, so whatever decides between them is sound; a tie
/// between different keys would only cost a shared entry.
template <class Shape, class Bits = typename Shape::Bits>
constexpr Key<Bits> canonical(const Shape& shape, const Key<Bits>& key) {
    const Key<Bits> mirrored{shape.mirror(key.first), shape.mirror(key.second)};
    // Without a branch, and as signed numbers, which vectors compare more easily.
    using Number = std::conditional_t<sizeof(Bits) == 8, std::int64_t, Bits>;
    const auto weight = [](const Key<Bits>& k) { return static_cast<Number>(k.first + 3 * k.second); };
    if constexpr (!Shape::is_standard) {
        Key<Bits> best = weight(key) <= weight(mirrored) ? key : mirrored;
        for (int columns = 1; columns < (shape.wraps() ? shape.width() : 1); ++columns)
            for (const Key<Bits>& each : {key, mirrored}) {
                const Key<Bits> turned{shape.turn(each.first, columns),
                                       shape.turn(each.second, columns)};
                if (weight(turned) < weight(best)) best = turned;
            }
        return best;
    }
    const bool keep = weight(key) <= weight(mirrored);
    return {keep ? key.first : mirrored.first, keep ? key.second : mirrored.second};
}

}  // namespace FOURCAST_KERNEL
}  // namespace fourcast
