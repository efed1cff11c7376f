// Random games: from a position to the end, every open column being equally likely at every move.
#pragma once

#include "poll.hpp"
#include "position.hpp"

namespace fourcast {

struct PlayoutCounts {
    u64 first_wins = 0;
    u64 second_wins = 0;
    u64 draws = 0;
    /// Stones dropped in all the games together.
    u64 moves = 0;

    u64 games() const { return first_wins + second_wins + draws; }
    PlayoutCounts& operator+=(const PlayoutCounts& other);
    bool operator==(const PlayoutCounts&) const = default;
};

/// The results of `games` random games.
///
/// They depend on the position, the number of games and the seed, and not on the number of threads:
/// each game draws from a stream of its own. `poll` is called in the calling thread and may throw to end
/// the work.
PlayoutCounts playouts(
    const Position& position, u64 games, u64 seed, int threads = 1, const PollFunction& poll = [] {});

}  // namespace fourcast
