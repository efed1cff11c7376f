#include "playout.hpp"

#include <algorithm>
#include <atomic>

#include "system/mutex.hpp"
#include "system/parallel.hpp"

namespace fourcast {
namespace {

PlayoutCounts play_range(const Position& position, u64 begin, u64 end, u64 seed) {
    PlayoutCounts counts;
    if (!position.rules().is_standard()) {
        for (u64 game = begin; game < end; ++game) {
            Random random(seed, game);
            Position at = position;
            for (int moves = 0; !at.is_over() && moves < most_random_moves; ++moves) {
                at = at.play(random_move(at, random));
                ++counts.moves;
            }
            ++(at.winner() == 0   ? counts.draws
               : at.winner() == 1 ? counts.first_wins
                                  : counts.second_wins);
        }
        return counts;
    }
    with_shape(position.width(), position.height(), [&](const auto& shape) {
        using Bits = typename std::decay_t<decltype(shape)>::Bits;
        const auto mover = static_cast<Bits>(position.discs(position.turn()));
        const auto other = static_cast<Bits>(position.discs(3 - position.turn()));
        for (u64 game = begin; game < end; ++game) {
            Random random(seed, game);
            const RandomGame played = random_game(shape, mover, other, random);
            counts.moves += static_cast<u64>(played.moves);
            const int winner =
                played.winner == 0 || position.turn() == 1 ? played.winner : 3 - played.winner;
            ++(winner == 0 ? counts.draws : winner == 1 ? counts.first_wins : counts.second_wins);
        }
    });
    return counts;
}

/// Games that a thread plays before it asks for more.
constexpr u64 block_size = 64;

}  // namespace

int random_move(const Position& position, Random& random) {
    ColumnSet moves = position.legal_columns();
    for (int skip = random.below(std::popcount(moves)); skip > 0; --skip) moves = without_lowest(moves);
    return lowest_bit(moves);
}

PlayoutCounts& PlayoutCounts::operator+=(const PlayoutCounts& other) {
    first_wins += other.first_wins;
    second_wins += other.second_wins;
    draws += other.draws;
    moves += other.moves;
    return *this;
}

PlayoutCounts playouts(const Position& position, u64 games, u64 seed, int threads, const Check& check) {
    if (position.is_over()) {
        PlayoutCounts counts;
        (position.winner() == 1   ? counts.first_wins
         : position.winner() == 2 ? counts.second_wins
                                  : counts.draws) = games;
        return counts;
    }

    PlayoutCounts total;
    Mutex mutex;
    std::atomic<u64> next{0};
    std::atomic<bool> stop{false};
    const u64 blocks = (games + block_size - 1) / block_size;
    const auto play_blocks = [&](int index) {
        Poll poll(check);
        PlayoutCounts counts;
        for (u64 block; !stop && (block = next++) < blocks;) {
            const u64 begin = block * block_size;
            counts += play_range(position, begin, begin + std::min(block_size, games - begin), seed);
            if (index == 0) poll();
        }
        const std::lock_guard lock(mutex);
        total += counts;
    };
    run_in_parallel(threads, play_blocks, stop, &check);
    return total;
}

}  // namespace fourcast
