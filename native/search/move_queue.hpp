// The moves of a node of the endgame in the order of their ratings: a weighted sum of the few features
// that tell the most (ordering.hpp).
#pragma once

#include <algorithm>
#include <array>
#include <cstring>
#include <type_traits>

#include "narrow_shape.hpp"
#include "ordering.hpp"

#if defined(__AVX512VPOPCNTDQ__)
#include <immintrin.h>
#endif

namespace fourcast {
inline namespace FOURCAST_KERNEL {

#if defined(__AVX512VPOPCNTDQ__)
template <class Shape>
inline constexpr bool rates_in_vectors = column_lanes<Shape> == 8;
#else
template <class Shape>
inline constexpr bool rates_in_vectors = false;
#endif

/// Sets of squares, one for each column, and as many as a vector of the processor holds.
using EightSets = u64 __attribute__((vector_size(64)));
#if defined(__AVX2__)
using SomeSets = u64 __attribute__((vector_size(32)));
#else
using SomeSets = u64 __attribute__((vector_size(16)));
#endif

/// The moves that do not lose at once, side by side. Where one vector has a lane for each column, all
/// columns take part, whether they are open or not. Narrower vectors hold the moves one after the other,
/// from left to right: near the end there are few, so fewer vectors are needed than for all columns.
template <class Shape>
struct MoveLanes {
    using Bits = typename Shape::Bits;
    static_assert(sizeof(Bits) == sizeof(u64));
    static constexpr bool by_column = rates_in_vectors<Shape>;
    using Vector = std::conditional_t<by_column, EightSets, SomeSets>;
    static constexpr int per_vector = sizeof(Vector) / sizeof(Bits);
    using Lanes = std::array<Bits, column_lanes<Shape>>;
    static_assert(column_lanes<Shape> % per_vector == 0);

    static Vector load(const Lanes& lanes, int first) {
        Vector vector;
        std::memcpy(&vector, &lanes[first], sizeof(Vector));
        return vector;
    }
    static void store(const Vector& vector, Lanes& lanes, int first) {
        std::memcpy(&lanes[first], &vector, sizeof(Vector));
    }
    /// Each lane of `vector` where `test` is zero, and zero where it is not.
    static Vector where_zero(const Vector& test, const Vector& vector) {
        return test == 0 ? vector : Vector{};
    }
    static bool any(const Vector& vector) {
#if defined(__AVX512VPOPCNTDQ__)
        if constexpr (by_column) {
            const auto words = reinterpret_cast<__m512i>(vector);
            return _mm512_test_epi64_mask(words, words) != 0;
        }
#endif
        Bits all{0};
        for (int i = 0; i < per_vector; ++i) all |= vector[i];
        return all != 0;
    }

    int used;      // lanes; those after them mean nothing
    Lanes square;  // 0 if there is no such move
    Lanes wins;    // the mover's threats after the move
    Lanes urgent;  // those that the opponent must take at once
};

/// What the ratings of all moves of a node depend on.
template <class Shape>
struct RatingContext {
    const typename Ordering<Shape>::FewWeights& weights;
    typename Shape::Bits mask;
    typename Shape::Bits safe;       // the squares of the moves
    typename Shape::Bits useless;    // the opponent wins right below
    typename Shape::Bits favorable;  // the rows that zugzwang gives to the mover
};

/// Moves by their lanes, to be taken in the order of their ratings; of equal ones the leftmost comes
/// first.
template <class Shape, bool in_vectors = rates_in_vectors<Shape>>
class MoveQueue {
  public:
    using Bits = typename Shape::Bits;

    MoveQueue(const Shape& shape, const RatingContext<Shape>& at, const MoveLanes<Shape>& moves) {
        const auto& weights = at.weights;
        ratings_.fill(none);
        int lane = 0;
        for (const int bit : each(at.safe)) {
            const Bits wins = moves.wins[lane];
            const Bits useful = wins & ~at.useless;
            const Bits open = playable(shape, at.mask | only<Bits>(bit));
            // Without a branch: it would often be predicted wrongly.
            const int forces = (wins & open) != 0 ? -1 : 0;
            const int rating =
                weights.useful_threats * popcount(useful) +
                weights.good_threats * popcount(useful & at.favorable) + (forces & weights.forcing) +
                (~forces & (weights.safe_replies * popcount(open & ~(wins >> 1)))) + weights.square[bit];
            ratings_[lane] = rating * max_lanes + max_lanes - 1 - lane;
            next_ = std::max(next_, ratings_[lane]);
            ++lane;
        }
    }

    /// The best move, which is no longer in the queue then.
    int take() {
        const int lane = max_lanes - 1 - (next_ & (max_lanes - 1));
        ratings_[lane] = none;
        return lane;
    }
    /// True if there is another one to take. Most nodes never ask: their first move is good enough.
    bool find_next() {
        next_ = none;
        for (const int rating : ratings_) next_ = std::max(next_, rating);
        return next_ != none;
    }

  private:
    /// A rating has the number of the lane in its lowest bits. No rating is as low as this.
    static constexpr int none = -(1 << 30);
    static constexpr int max_lanes = 16;

    std::array<int, column_lanes<Shape>> ratings_;
    int next_ = none;
};

#if defined(__AVX512VPOPCNTDQ__)
/// The same in vectors, with ratings of 16 bits: the processor finds the lowest of eight such numbers,
/// and its place, in one step.
template <class Shape>
class MoveQueue<Shape, true> {
  public:
    [[gnu::always_inline]] MoveQueue(const Shape& shape, const RatingContext<Shape>& at,
                                     const MoveLanes<Shape>& moves) {
        typename MoveLanes<Shape>::Lanes useful;
        typename MoveLanes<Shape>::Lanes good;
        typename MoveLanes<Shape>::Lanes replies;
        typename MoveLanes<Shape>::Lanes below;  // as many bits as the number of the square
        for (int i = 0; i < 8; ++i) {
            useful[i] = moves.wins[i] & ~at.useless;
            good[i] = useful[i] & at.favorable;
            const auto calm = playable(shape, at.mask | moves.square[i]) & ~(moves.wins[i] >> 1);
            replies[i] = moves.urgent[i] != 0 ? 0 : calm;
            below[i] = moves.square[i] - 1;
        }
        const auto& weights = at.weights;
        __m128i ratings = square_weights(weights.square, count(below));
        ratings = _mm_add_epi16(ratings, weigh(useful, weights.useful_threats));
        ratings = _mm_add_epi16(ratings, weigh(good, weights.good_threats));
        ratings = _mm_add_epi16(ratings, weigh(replies, weights.safe_replies));
        ratings = _mm_mask_add_epi16(ratings, not_zero(moves.urgent), ratings, repeat(weights.forcing));
        costs_ = _mm_mask_sub_epi16(repeat(-1), not_zero(moves.square), repeat(0x7FFF), ratings);
        find_lowest();
    }

    int take() {
        const unsigned column = next_ >> 16;
        costs_ = _mm_mask_set1_epi16(costs_, static_cast<__mmask8>(1U << column), -1);
        find_lowest();  // before it is asked for: it takes one step, and the search of the move takes
                        // long
        return static_cast<int>(column);
    }
    bool find_next() const { return (next_ & 0xFFFF) != 0xFFFF; }

  private:
    using Lanes = typename MoveLanes<Shape>::Lanes;
    using SquareWeights = decltype(Ordering<Shape>::FewWeights::square);
    static_assert(sizeof(SquareWeights) == 128);

    static __m512i load(const Lanes& lanes) { return _mm512_loadu_si512(lanes.data()); }
    static __mmask8 not_zero(const Lanes& lanes) {
        return _mm512_test_epi64_mask(load(lanes), load(lanes));
    }
    static __m128i repeat(int number) { return _mm_set1_epi16(static_cast<short>(number)); }
    static __m128i count(const Lanes& lanes) {
        return _mm512_maskz_cvtepi64_epi16(0xFF, _mm512_popcnt_epi64(load(lanes)));
    }
    static __m128i weigh(const Lanes& lanes, int weight) {
        return _mm_mullo_epi16(count(lanes), repeat(weight));
    }
    /// weights[squares[i]] in lane i.
    static __m128i square_weights(const SquareWeights& weights, __m128i squares) {
        const __m512i low = _mm512_loadu_si512(weights.data());
        const __m512i high = _mm512_loadu_si512(weights.data() + 32);
        const __m512i found = _mm512_permutex2var_epi16(low, _mm512_zextsi128_si512(squares), high);
        return _mm512_maskz_extracti32x4_epi32(0xF, found, 0);
    }

    void find_lowest() { next_ = static_cast<unsigned>(_mm_cvtsi128_si32(_mm_minpos_epu16(costs_))); }

    __m128i costs_;  // the less the better, as unsigned numbers; the highest for columns without a move
    unsigned next_;  // the lowest of them, and 2^16 times its place
};
#endif

}  // namespace FOURCAST_KERNEL
}  // namespace fourcast
