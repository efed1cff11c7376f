#include "playout.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace fourcast {
namespace {

/// SplitMix64 (Steele, Lea and Flood, 2014): one addition and a mix a number, and any start is a good
/// one.
class Random {
  public:
    /// A stream for each game of each seed. The start is mixed, or the streams would overlap.
    Random(u64 seed, u64 game) : state_(mix(mix(seed) + game)) {}

    /// A number from 0 to bound - 1. The bias is below bound / 2^32.
    int below(int bound) {
        state_ += 0x9e3779b97f4a7c15U;
        return static_cast<int>((mix(state_) >> 32) * static_cast<u64>(bound) >> 32);
    }

  private:
    static constexpr u64 mix(u64 word) {
        word = (word ^ (word >> 30)) * 0xbf58476d1ce4e5b9U;
        word = (word ^ (word >> 27)) * 0x94d049bb133111ebU;
        return word ^ (word >> 31);
    }

    u64 state_;
};

template <class Shape>
void play_one(const Shape& shape, typename Shape::Bits mover, typename Shape::Bits other, int turn,
              Random random, PlayoutCounts& counts) {
    using Bits = typename Shape::Bits;
    for (;;) {
        Bits moves = playable(shape, static_cast<Bits>(mover | other));
        if (moves == 0) {
            ++counts.draws;
            return;
        }
        for (int skip = random.below(popcount(moves)); skip > 0; --skip) moves &= moves - 1;
        mover |= moves & (~moves + 1);
        ++counts.moves;
        if (has_four(shape, mover)) {
            ++(turn == 1 ? counts.first_wins : counts.second_wins);
            return;
        }
        std::swap(mover, other);
        turn = 3 - turn;
    }
}

PlayoutCounts play_range(const Position& position, u64 begin, u64 end, u64 seed) {
    PlayoutCounts counts;
    with_shape(position.width(), position.height(), [&](const auto& shape) {
        using Bits = typename std::decay_t<decltype(shape)>::Bits;
        const auto mover = static_cast<Bits>(position.stones(position.turn()));
        const auto other = static_cast<Bits>(position.stones(3 - position.turn()));
        for (u64 game = begin; game < end; ++game) {
            play_one(shape, mover, other, position.turn(), Random(seed, game), counts);
        }
    });
    return counts;
}

/// The games, handed out in small blocks to whoever asks for one.
class Work {
  public:
    Work(const Position& position, u64 games, u64 seed)
        : position_(position), games_(games), seed_(seed) {}

    /// Plays blocks until none is left or the work is stopped, calling `between` after each.
    template <class Between>
    void help(Between&& between) {
        PlayoutCounts counts;
        while (!stopped_) {
            const u64 block = next_block_++;
            if (block >= (games_ + block_size - 1) / block_size) break;
            const u64 begin = block * block_size;
            counts += play_range(position_, begin, begin + std::min(block_size, games_ - begin), seed_);
            between();
        }
        const std::lock_guard lock(mutex_);
        total_ += counts;
    }

    void stop() { stopped_ = true; }
    /// Complete once every helper has returned.
    PlayoutCounts total() const { return total_; }

  private:
    static constexpr u64 block_size = 64;

    const Position& position_;
    u64 games_;
    u64 seed_;
    std::atomic<u64> next_block_{0};
    std::atomic<bool> stopped_{false};
    std::mutex mutex_;
    PlayoutCounts total_;
};

}  // namespace

PlayoutCounts& PlayoutCounts::operator+=(const PlayoutCounts& other) {
    first_wins += other.first_wins;
    second_wins += other.second_wins;
    draws += other.draws;
    moves += other.moves;
    return *this;
}

PlayoutCounts playouts(const Position& position, u64 games, u64 seed, int threads,
                       const PollFunction& poll_function) {
    if (position.is_over()) {
        PlayoutCounts counts;
        (position.winner() == 1   ? counts.first_wins
         : position.winner() == 2 ? counts.second_wins
                                  : counts.draws) = games;
        return counts;
    }

    Work work(position, games, seed);
    std::vector<std::thread> helpers;
    const auto join = [&helpers] {
        for (std::thread& helper : helpers) helper.join();
    };
    try {
        helpers.reserve(static_cast<std::size_t>(threads) - 1);
        while (helpers.size() + 1 < static_cast<std::size_t>(threads)) {
            helpers.emplace_back([&work] { work.help([] {}); });
        }
    } catch (const std::system_error&) {
        // The system has no more threads to give. The result is the same with those there are.
    }

    Poll poll(poll_function);
    try {
        work.help(poll);
    } catch (...) {
        work.stop();
        join();
        throw;
    }
    join();
    return work.total();
}

}  // namespace fourcast
