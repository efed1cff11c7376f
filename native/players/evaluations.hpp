// Evaluations: what a position is worth to a player that does not search to the end of the game.
//
// An evaluation is a guess: the side to move's chances less the opponent's, in units of its own. It is
// asked only of positions in which nobody has a four. Each has a `win_base`, larger than any guess can
// be, that a search adds to the score of a win it has seen.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "board/rules.hpp"

namespace fourcast {

using Estimate = std::int64_t;

/// f(first bit, direction) for every line of four of the board.
template <class Shape, class Function>
void for_each_four(const Shape& shape, Function f) {
    for (const int direction : directions(shape)) {
        for (const int first : each(fours_from(shape, shape.board(), direction))) f(first, direction);
    }
}

/// Nothing is worth anything but a win.
template <class Shape>
class NoEvaluation {
  public:
    using Bits = typename Shape::Bits;
    static constexpr Estimate win_base = 0;

    explicit NoEvaluation(const Shape&) {}
    Estimate operator()(Bits, Bits) const { return 0; }
};

/// The sets of squares that a player still has to fill for a four: the fewer and the lower, the better.
///
/// Of every line of four with discs of one player only, the missing squares are a set. Sets that
/// contain another one are left out: whoever fills the larger one has filled the smaller one before. One
/// missing square is worth 50, two are worth 10, three 1, times the height of the board over the average
/// height of the squares (the bottom row's is 1). In thousandths, cut off, so that sums do not depend on
/// their order.
template <class Shape>
class WinSets {
  public:
    using Bits = typename Shape::Bits;
    static constexpr Estimate win_base = 1'000'000'000'000;

    explicit WinSets(const Shape& shape) : shape_(shape) {
        for_each_four(shape, [&](int first, int direction) {
            Bits four{0};
            for (int step = 0; step < 4; ++step) four |= Bits{1} << (first + step * direction);
            fours_.push_back(four);
        });
        for (int bit = 0; bit < max_bits; ++bit)
            height_of_bit_[static_cast<std::size_t>(bit)] = shape.row_of(bit) + 1;
    }

    Estimate operator()(Bits mover, Bits other) const {
        return worth(mover, other) - worth(other, mover);
    }

    /// What one player's sets alone are worth.
    Estimate worth(Bits own, Bits other) const {
        Estimate total = 0;
        for_each_set(own, other, [&](Bits set, int size) { total += set_worth(set, size); });
        return total;
    }

    /// f(set, number of squares) for each of one player's sets, the smallest first.
    template <class Function>
    void for_each_set(Bits own, Bits other, Function f) const {
        Bits single{0};
        std::array<Bits, 512> pairs;
        std::array<Bits, 512> triples;
        std::size_t pair_count = 0;
        std::size_t triple_count = 0;
        for (const Bits four : fours_) {
            if ((four & other) != 0 || (four & own) == 0) continue;
            const Bits missing = four & ~own;
            const int count = popcount(missing);
            if (count == 1) {
                single |= missing;
            } else if (count == 2) {
                pairs[pair_count++] = missing;
            } else {
                triples[triple_count++] = missing;
            }
        }
        for (const Bits square : each_square(single)) f(square, 1);
        // What is kept moves to the front, and all that follows is held against it.
        std::size_t kept_pairs = 0;
        for (std::size_t i = 0; i < pair_count; ++i) {
            const Bits pair = pairs[i];
            if ((pair & single) != 0 || has_subset(pairs, kept_pairs, pair)) continue;
            pairs[kept_pairs++] = pair;
            f(pair, 2);
        }
        std::size_t kept_triples = 0;
        for (std::size_t i = 0; i < triple_count; ++i) {
            const Bits triple = triples[i];
            if ((triple & single) != 0 || has_subset(pairs, kept_pairs, triple) ||
                has_subset(triples, kept_triples, triple))
                continue;
            triples[kept_triples++] = triple;
            f(triple, 3);
        }
    }

  private:
    static bool has_subset(const std::array<Bits, 512>& sets, std::size_t count, Bits set) {
        for (std::size_t i = 0; i < count; ++i) {
            if ((sets[i] & ~set) == 0) return true;
        }
        return false;
    }

    Estimate set_worth(Bits set, int size) const {
        const Estimate weight = size == 1 ? 50 : size == 2 ? 10 : 1;
        Estimate heights = 0;
        for (const int bit : each(set)) heights += height_of_bit_[static_cast<std::size_t>(bit)];
        return weight * shape_.height() * size * 1000 / heights;
    }

    Shape shape_;
    std::vector<Bits> fours_;
    std::array<int, max_bits> height_of_bit_{};
};

/// One player's streaks: runs of discs in rows, columns and both diagonals that can still become four.
///
/// Only stretches count, the parts of a line between the opponent's discs, and only if a four fits into
/// them. An end of a run is open if the next square belongs to its stretch. Two runs with one empty
/// square between them are split: two or three discs (or more) that one disc would join.
struct StreakCounts {
    int twos_one_end = 0;
    int twos_two_ends = 0;
    int threes_one_end = 0;
    int threes_two_ends = 0;
    int split_twos = 0;
    int split_threes = 0;
    int fours = 0;

    /// What they are worth to players: a run with two open ends ten times one with one, and a split one
    /// as much as one with one open end. Fours are not weighed, as the game is over then.
    Estimate worth() const {
        return 10 * (twos_one_end + split_twos) + 100 * twos_two_ends +
               200 * (threes_one_end + split_threes) + 2000 * threes_two_ends;
    }
};

/// The streaks of both players, weighed against each other; see StreakCounts.
template <class Shape>
class Streaks {
  public:
    using Bits = typename Shape::Bits;
    static constexpr Estimate win_base = 1'000'000'000'000;

    explicit Streaks(const Shape& shape) {
        const Bits board = shape.board();
        for (const int direction : directions(shape)) {
            const Bits later = (board << direction) & board;  // squares with one before them on the line
            for (const Bits first : each_square(board & ~later)) {
                Line line;
                for (Bits square = first; (square & board) != 0; square <<= direction) {
                    line.push_back(static_cast<std::uint8_t>(lowest_bit(square)));
                }
                if (line.size() >= 4) lines_.push_back(line);
            }
        }
    }

    Estimate operator()(Bits mover, Bits other) const {
        return worth(mover, other) - worth(other, mover);
    }

    /// What one player's streaks alone are worth.
    Estimate worth(Bits own, Bits other) const { return counts(own, other).worth(); }

    StreakCounts counts(Bits own, Bits other) const {
        StreakCounts found;
        for (const Line& line : lines_) {
            const auto has = [&line](Bits discs, std::size_t place) {
                return ((discs >> line[place]) & 1) != 0;
            };
            for (std::size_t place = 0; place < line.size();) {
                const std::size_t begin = place;
                while (place < line.size() && !has(other, place)) ++place;
                if (place - begin >= 4) {
                    count_stretch(begin, place, [&](std::size_t at) { return has(own, at); }, found);
                }
                ++place;
            }
        }
        return found;
    }

  private:
    using Line = std::vector<std::uint8_t>;

    template <class Has>
    static void count_stretch(std::size_t begin, std::size_t end, Has has, StreakCounts& found) {
        std::size_t last_end = begin;  // behind the run before, if there is one
        std::size_t last_length = 0;
        for (std::size_t place = begin; place < end;) {
            if (!has(place)) {
                ++place;
                continue;
            }
            const std::size_t start = place;
            while (place < end && has(place)) ++place;
            const std::size_t length = place - start;
            const bool both = start > begin && place < end;
            if (length == 2) ++(both ? found.twos_two_ends : found.twos_one_end);
            if (length == 3) ++(both ? found.threes_two_ends : found.threes_one_end);
            if (length >= 4) ++found.fours;
            if (last_length > 0 && last_end + 1 == start) {
                ++(last_length + length == 2 ? found.split_twos : found.split_threes);
            }
            last_end = place;
            last_length = length;
        }
    }

    std::vector<Line> lines_;
};

}  // namespace fourcast
