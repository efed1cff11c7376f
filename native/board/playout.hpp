// Random games: from a position to the end, with every open column equally likely at each move.
#pragma once

#include <utility>

#include "position.hpp"
#include "random.hpp"
#include "system/poll.hpp"

namespace fourcast {

struct RandomGame {
    /// 1 if the side to move at the start has won, 2 if the other one has, 0 for a draw.
    int winner = 0;
    int moves = 0;
};

/// One random game; nobody has a four yet.
template <class Shape>
RandomGame random_game(const Shape& shape, typename Shape::Bits mover, typename Shape::Bits other,
                       Random& random) {
    using Bits = typename Shape::Bits;
    RandomGame game;
    for (;;) {
        Bits moves = playable(shape, static_cast<Bits>(mover | other));
        if (moves == 0) return game;
        for (int skip = random.below(popcount(moves)); skip > 0; --skip) moves = without_lowest(moves);
        mover |= lowest(moves);
        ++game.moves;
        if (has_four(shape, mover)) {
            game.winner = game.moves % 2 == 1 ? 1 : 2;
            return game;
        }
        std::swap(mover, other);
    }
}

/// One of the moves of a position that is not over, by any rules.
int random_move(const Position& position, Random& random);
/// A random game of PopOut may go on for ever: then it is a draw.
inline constexpr int most_random_moves = 1000;

struct PlayoutCounts {
    u64 first_wins = 0;
    u64 second_wins = 0;
    u64 draws = 0;
    /// Discs dropped in all the games together.
    u64 moves = 0;

    u64 games() const { return first_wins + second_wins + draws; }
    PlayoutCounts& operator+=(const PlayoutCounts& other);
    bool operator==(const PlayoutCounts&) const = default;
};

/// The results of `games` random games.
///
/// They depend on the position, the number of games and the seed, but not on the number of threads: each
/// game has a random stream of its own. `check` is called in the calling thread and may throw to
/// end the work.
PlayoutCounts playouts(const Position& position, u64 games, u64 seed, int threads = 1,
                       const Check& check = {});

}  // namespace fourcast
