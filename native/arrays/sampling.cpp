#include "sampling.hpp"

#include <algorithm>
#include <atomic>
#include <type_traits>
#include <utility>
#include <vector>

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

#if defined(__x86_64__)

/// Eight random games on the standard board at once, one in each word of a vector: two thirds less work
/// than one after the other. They are the games that RandomGames plays, move by move.
class EightGames {
  public:
    static bool is_possible(const SamplePlan& plan) {
        return processor.x86_64_v4 && plan.uniform_ply && plan.width == 7 && plan.height == 6;
    }

    /// Draws the positions of streams that `next` names until it returns less than 0. Calls done(stream,
    /// columns, plies) for each; columns is nullptr if there is no such position.
    template <class Next, class Done>
    [[gnu::target("avx512f,avx512dq")]] static void draw(u64 seed, const SamplePlan& plan,
                                                         const Next& next, const Done& done) {
        using Words = u64 __attribute__((vector_size(64)));
        constexpr StandardShape shape;
        constexpr int field = 5;
        constexpr int lanes = 8;
        constexpr int kept = 64;  // steps, more than a game has moves
        constexpr u64 ended = u64{1} << 63;
        u64 all = 0;
        for (u64 column = 7; column-- > 0;) all = all << field | column;
        const Words one = Words{} + 1;
        Words state{}, mover{}, other{}, open{}, count{}, plies{}, wanted{};
        Words history[kept];
        long long streams[lanes];
        int attempts[lanes];
        int busy = 0;
        unsigned step = 0;

        const auto begin_game = [&](int lane) __attribute__((always_inline)) {
            mover[lane] = other[lane] = plies[lane] = 0;
            open[lane] = all;
            count[lane] = 7;
        };
        const auto begin_stream = [&](int lane) __attribute__((always_inline)) {
            attempts[lane] = 0;
            while ((streams[lane] = next()) >= 0) {
                Random random(seed, static_cast<u64>(streams[lane]));
                const int drawn = plan.fewest + random.below(plan.most - plan.fewest + 1);
                wanted[lane] = static_cast<u64>(drawn);
                state[lane] = random.state();
                begin_game(lane);
                if (drawn != 0) return true;
                done(streams[lane], wanted_none, 0);
            }
            wanted[lane] = 0;  // which no game reaches
            begin_game(lane);
            return false;
        };
        for (int lane = 0; lane < lanes; ++lane) busy += begin_stream(lane);
        while (busy > 0) {
            state += Random::increment;
            Words word = state;
            word = (word ^ word >> 30) * Random::first_factor;
            word = (word ^ word >> 27) * Random::second_factor;
            word = (word ^ word >> 31) >> 32;
            const Words place = (word * count >> 32) * field;
            const Words column = open >> place & 31;
            const Words bit = column * 7;
            const Words square = ((mover | other) + shape.bottom()) & one * 63 << bit;
            const Words full = square >> (bit + 5) & 1;
            const Words before = (one << place) - 1;
            const Words fewer = (open & before) | (open >> field & ~before);
            open = (fewer & -full) | (open & (full - 1));
            count -= full;
            const Words discs = mover | square;
            mover = other;
            other = discs;
            Words fours{};
            for (const int direction : {1, 6, 7, 8}) {
                const Words pairs = discs & discs >> direction;
                fours |= pairs & pairs >> 2 * direction;
            }
            plies += 1;
            history[step++ % kept] = column;
            const Words over = fours | (reinterpret_cast<Words>(plies == wanted) & ended);
            for (int lane = 0; lane < lanes; ++lane) {
                if (over[lane] == 0) continue;
                if (over[lane] != ended) {
                    if (++attempts[lane] < most_attempts || wanted[lane] == 0) {
                        begin_game(lane);
                        continue;
                    }
                    done(streams[lane], nullptr, 0);
                } else {
                    const auto length = static_cast<unsigned>(wanted[lane]);
                    std::uint8_t columns[kept];
                    for (unsigned ply = 0; ply < length; ++ply)
                        columns[ply] =
                            static_cast<std::uint8_t>(history[(step - length + ply) % kept][lane]);
                    done(streams[lane], columns, static_cast<int>(length));
                }
                busy -= !begin_stream(lane);
            }
        }
    }

  private:
    static constexpr std::uint8_t wanted_none[1] = {0};
};

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
#if defined(__x86_64__)
            if (EightGames::is_possible(plan)) {
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
                EightGames::draw(seed, plan, next_stream, take);
                return;
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

void sample_positions(std::size_t count, u64 seed, const SamplePlan& plan, int threads,
                      const SampleRows& rows, const Check& check) {
    with_shape(plan.width, plan.height,
               [&](const auto& shape) { sample_on(shape, count, seed, plan, threads, rows, check); });
}

}  // namespace fourcast
