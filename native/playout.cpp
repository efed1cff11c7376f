#include "playout.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace fourcast {
namespace {

PlayoutCounts play_range(const Position& position, u64 begin, u64 end, u64 seed) {
    PlayoutCounts counts;
    with_shape(position.width(), position.height(), [&](const auto& shape) {
        using Bits = typename std::decay_t<decltype(shape)>::Bits;
        const auto mover = static_cast<Bits>(position.stones(position.turn()));
        const auto other = static_cast<Bits>(position.stones(3 - position.turn()));
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
