#include "sampling.hpp"

#include <algorithm>
#include <atomic>
#include <type_traits>
#include <utility>
#include <vector>

// GCC does not align the stack of Windows for vectors (its bug 54412).
#if defined(__x86_64__) && (!defined(_WIN32) || defined(__clang__))
#define FOURCAST_VECTOR_GAMES
#include <immintrin.h>
#endif

#include "board/random.hpp"
#include "board/rules.hpp"
#include "system/errors.hpp"
#include "system/parallel.hpp"
#include "system/processor.hpp"

namespace fourcast {
namespace {

/// Games that are tried for one position, and draws without a new one, before a plan is given up. About
/// one random game in 500 fills the standard board but for one square.
constexpr int most_attempts = 1 << 20;
constexpr int most_repeats = 1 << 16;
/// Positions that are drawn before repeats are removed.
constexpr std::size_t batch_size = std::size_t{1} << 15;

/// Random games, every open column equally likely.
template <class Shape>
class RandomGames {
  public:
    using Bits = typename Shape::Bits;

    RandomGames(const Shape& shape, const SamplePlan& plan) : shape_(shape), plan_(plan) {}

    /// The position of a stream of random numbers, written as a row; false if none is found.
    template <class Wait>
    bool draw(u64 seed, u64 stream, u64* discs, std::uint8_t* moves, const Wait& wait) {
        Random random(seed, stream);
        const int wanted =
            plan_.uniform_ply ? plan_.fewest + random.below(plan_.most - plan_.fewest + 1) : plan_.most;
        const int needed = plan_.uniform_ply ? wanted : plan_.fewest;
        for (int attempt = 1; attempt <= most_attempts; ++attempt) {
            if (attempt % 1024 == 0 && !wait()) return true;
            const int reached = play(random, wanted);
            if (reached < needed) continue;
            write(columns_, needed + random.below(reached - needed + 1), discs, moves);
            return true;
        }
        return false;
    }

  private:
    // The open columns from left to right, five bits each: the n-th is a shift away, where looking for
    // the n-th bit of a set takes a loop whose end no processor can predict.
    static constexpr int field = 5;
    using Columns = std::conditional_t<std::is_same_v<Shape, StandardShape>, u64, u128>;

    Columns all_columns() const {
        Columns columns = 0;
        for (int column = shape_.width() - 1; column >= 0; --column)
            columns = columns << field | static_cast<Columns>(column);
        return columns;
    }

    /// Plays up to `plies` moves, and returns how many discs the last position has that is not over.
    int play(Random& given, int plies) {
        Random random = given;  // in a register
        Bits mover = 0;
        Bits other = 0;
        Columns open = all_;
        int count = shape_.width();
        int reached = 0;
        for (; reached < plies; ++reached) {
            const int place = field * random.below(count);
            const int column = static_cast<int>(open >> place) & 31;
            const int bit = column * shape_.stride();
            const Bits square = (static_cast<Bits>(mover | other) + shape_.bottom()) &
                                (((Bits{1} << shape_.height()) - 1) << bit);
            mover |= square;
            columns_[reached] = static_cast<std::uint8_t>(column);
            if (has_four(shape_, mover)) break;
            const auto is_full = static_cast<int>(square >> (bit + shape_.height() - 1) & 1);
            const Columns before = (Columns{1} << place) - 1;
            const Columns fewer = (open & before) | (open >> field & ~before);
            open = is_full ? fewer : open;
            count -= is_full;
            if (count == 0) break;
            std::swap(mover, other);
        }
        given = random;
        return reached;
    }

    Shape shape_;
    SamplePlan plan_;
    Columns all_ = all_columns();
    std::uint8_t columns_[max_bits];

  public:
    /// Writes the position after these moves.
    void write(const std::uint8_t* columns, int plies, u64* discs, std::uint8_t* moves) const {
        Bits players[2] = {0, 0};
        for (int ply = 0; ply < plies; ++ply) {
            const int column = columns[ply];
            players[ply % 2] |=
                (static_cast<Bits>(players[0] | players[1]) + shape_.bottom()) & shape_.column(column);
            moves[ply] = static_cast<std::uint8_t>(column_name(column));
        }
        for (const Bits player : players) {
            *discs++ = static_cast<u64>(player);
            if constexpr (sizeof(Bits) > sizeof(u64)) *discs++ = static_cast<u64>(player >> 64);
        }
    }
};

#if defined(FOURCAST_VECTOR_GAMES)

namespace avx512 {
#define FOURCAST_TARGET "avx512f,avx512dq"
#define FOURCAST_LANES 8
#define FOURCAST_PRODUCT(a, b) \
    _mm512_maskz_mul_epu32(0xff, reinterpret_cast<__m512i>(a), reinterpret_cast<__m512i>(b))
#include "vector_games.inc"
}  // namespace avx512

namespace avx2 {
#define FOURCAST_TARGET "avx2"
#define FOURCAST_LANES 4
#define FOURCAST_PRODUCT(a, b) \
    _mm256_mul_epu32(reinterpret_cast<__m256i>(a), reinterpret_cast<__m256i>(b))
#include "vector_games.inc"
}  // namespace avx2

#endif

/// The positions of a sample so far, to tell new ones from them.
template <class Shape>
class Seen {
  public:
    using Bits = typename Shape::Bits;

    Seen(const Shape& shape, std::size_t most) : shape_(shape), slots_(most + most / 2 + 16) {}

    /// Whether the position of a row is new; it is not from then on.
    bool insert(const u64* discs) {
        const Bits key = std::min(key_of(discs, [](Bits bits) { return bits; }),
                                  key_of(discs, [&](Bits bits) { return shape_.mirror(bits); }));
        u64 hash = static_cast<u64>(key) * 0x9e3779b97f4a7c15U;
        if constexpr (sizeof(Bits) > sizeof(u64))
            hash ^= static_cast<u64>(key >> 64) * 0xc2b2ae3d27d4eb4fU;
        for (auto slot = static_cast<std::size_t>(u128{hash} * slots_.size() >> 64);;
             slot = slot + 1 < slots_.size() ? slot + 1 : 0) {
            if (slots_[slot] == key) return false;
            if (slots_[slot] != 0) continue;
            slots_[slot] = key;
            return true;
        }
    }

  private:
    /// One for each position, never 0: who moves next follows from the number of discs.
    template <class Image>
    Bits key_of(const u64* discs, const Image& image) const {
        Bits players[2];
        for (Bits& player : players) {
            player = *discs++;
            if constexpr (sizeof(Bits) > sizeof(u64)) player |= static_cast<Bits>(*discs++) << 64;
            player = image(player);
        }
        return players[0] + (players[0] | players[1]) + shape_.bottom();
    }

    Shape shape_;
    std::vector<Bits> slots_;
};

template <class Shape>
void sample_on(const Shape& shape, std::size_t count, u64 seed, const SamplePlan& plan, int threads,
               const SampleRows& rows, const Check& check) {
    constexpr std::size_t words = 2 * sizeof(typename Shape::Bits) / sizeof(u64);
    const auto cells = static_cast<std::size_t>(shape.cells());
    const auto discs_of = [&](std::size_t row) { return rows.discs + row * words; };
    const auto moves_of = [&](std::size_t row) { return rows.moves + row * cells; };
    Seen<Shape> seen(shape, plan.unique ? count : 0);
    std::size_t found = 0;
    std::size_t repeats = 0;
    u64 stream = 0;
    while (found < count) {
        const std::size_t size = std::min(count - found, plan.unique ? batch_size : count);
        std::atomic<std::size_t> next{0};
        std::atomic<std::size_t> failed{size};  // the first row without a position
        std::atomic<bool> stop{false};
        const auto draw = [&](int index) {
            RandomGames<Shape> games(shape, plan);
            Poll poll(check);
            const auto wait = [&] {
                if (index == 0) poll();
                return !stop;
            };
            const auto fail = [&](std::size_t i) {
                for (std::size_t least = failed; i < least && !failed.compare_exchange_weak(least, i);) {
                }
            };
#if defined(FOURCAST_VECTOR_GAMES)
            if constexpr (std::is_same_v<Shape, StandardShape>) {
                const int lanes = std::min(games_at_once(), plan.games_at_once);
                const auto next_stream = [&]() -> long long {
                    const std::size_t i = wait() ? next++ : size;
                    return i < std::min<std::size_t>(size, failed) ? static_cast<long long>(stream + i)
                                                                   : -1;
                };
                const auto take = [&](long long number, const std::uint8_t* columns, int plies) {
                    const auto i = static_cast<std::size_t>(static_cast<u64>(number) - stream);
                    if (columns == nullptr)
                        fail(i);
                    else
                        games.write(columns, plies, discs_of(found + i), moves_of(found + i));
                };
                if (plan.uniform_ply && lanes == 8) return avx512::draw(seed, plan, next_stream, take);
                if (plan.uniform_ply && lanes == 4) return avx2::draw(seed, plan, next_stream, take);
            }
#endif
            for (std::size_t i; wait() && (i = next++) < std::min<std::size_t>(size, failed);)
                if (!games.draw(seed, stream + i, discs_of(found + i), moves_of(found + i), wait))
                    fail(i);
        };
        run_in_parallel(threads, draw, stop, &check);
        const std::size_t end = found + failed;
        std::size_t kept = plan.unique ? found : end;
        for (std::size_t row = found; plan.unique && row < end && repeats <= most_repeats; ++row) {
            if (!seen.insert(discs_of(row))) {
                ++repeats;
                continue;
            }
            repeats = 0;
            if (row != kept) {
                std::copy_n(discs_of(row), words, discs_of(kept));
                std::copy_n(moves_of(row), cells, moves_of(kept));
            }
            ++kept;
        }
        if (failed < size || repeats > most_repeats)
            throw OptionError(
                plan.unique ? "error.few_unique_positions" : "error.few_positions",
                {{"found", kept}, {"wanted", count}, {"fewest", plan.fewest}, {"most", plan.most}});
        std::fill(moves_of(kept), moves_of(found + size), std::uint8_t{0});
        found = kept;
        stream += size;
    }
}

}  // namespace

int games_at_once() {
#if defined(FOURCAST_VECTOR_GAMES)
    return processor.avx512 ? 8 : processor.x86_64_v3 ? 4 : 1;
#else
    return 1;
#endif
}

void sample_positions(std::size_t count, u64 seed, const SamplePlan& plan, int threads,
                      const SampleRows& rows, const Check& check) {
    with_shape(plan.width, plan.height,
               [&](const auto& shape) { sample_on(shape, count, seed, plan, threads, rows, check); });
}

}  // namespace fourcast
