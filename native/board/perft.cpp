#include "perft.hpp"

#include "threats.hpp"

namespace fourcast {
namespace {

/// Subtrees of this depth are counted without a look at the clock: 25^4 leaves at the most.
constexpr int poll_depth = 4;

/// `mover` is the side to move, and nobody has won yet.
template <class Shape>
u64 count(const Shape& shape, typename Shape::Bits mover, typename Shape::Bits other, int depth,
          Poll& poll) {
    using Bits = typename Shape::Bits;
    const Bits mask = mover | other;
    const Bits moves = playable(shape, mask);
    if (depth == 0) return 1;
    if (depth == 1) return static_cast<u64>(popcount(moves));
    if (depth == poll_depth) poll();
    u64 total = 0;
    // A winning move ends the game short of the depth, and counts for nothing.
    for (const Bits move : each_square(moves & ~threats(shape, mover, mask)))
        total += count(shape, other, static_cast<Bits>(mover | move), depth - 1, poll);
    return total;
}

/// By other rules, of which a position knows all.
u64 count_by_rules(const Position& position, int depth, Poll& poll) {
    const ColumnSet moves = position.legal_columns();
    if (depth == 1) return static_cast<u64>(std::popcount(moves));
    if (depth == poll_depth) poll();
    u64 total = 0;
    for (const int move : each(moves)) total += count_by_rules(position.play(move), depth - 1, poll);
    return total;
}

}  // namespace

u64 perft(const Position& position, int depth, const Check& check) {
    if (depth == 0) return 1;
    if (position.is_over()) return 0;
    Poll poll(check);
    if (!position.rules().is_standard()) return count_by_rules(position, depth, poll);
    return with_shape(position.width(), position.height(), [&](const auto& shape) {
        using Bits = typename std::decay_t<decltype(shape)>::Bits;
        const auto mover = static_cast<Bits>(position.discs(position.turn()));
        const auto other = static_cast<Bits>(position.discs(3 - position.turn()));
        return count(shape, mover, other, depth, poll);
    });
}

}  // namespace fourcast
