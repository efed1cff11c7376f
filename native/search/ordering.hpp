// Which move first: a weighted sum of what a move does, with weights learned from searches.
//
// It looks at the position alone, never at the path that led to it: an order that depends on the path
// finds the right move more often, but different paths then prove the same position by different
// subtrees and the table has less to share.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <tuple>
#include <type_traits>

#include "board/threats.hpp"
#include "board/variant_shape.hpp"
#include "order_net.hpp"
#include "ordering_features.hpp"

namespace fourcast {
inline namespace FOURCAST_KERNEL {

struct Weights {
    static constexpr int classes = 4 * 2 * 4;  // how full the board is, whose turn it is, what is asked
    std::array<std::array<std::int16_t, feature_count>, classes> by_class;
};

/// Weights written by hand: threats count, the center is better than the edge, and playing below an own
/// threat is bad.
inline constexpr auto plain_weights = [] {
    std::array<std::int16_t, feature_count> weights{};
    weights[useful_threats] = 100;
    weights[good_threats] = 40;
    weights[under_own_threat] = -150;
    for (int square = 0; square < 6 * 4; ++square)
        weights[square_feature + square] = static_cast<std::int16_t>(-8 * (square % 4));
    return weights;
}();

// For boards with an even number of rows, learned on 7x6, and for those with an odd number.
#include "ordering_weights.inc"
#include "ordering_weights_odd.inc"

template <class Shape>
class Ordering {
  public:
    using Bits = typename Shape::Bits;

    constexpr Ordering(const Shape& shape, bool learned)
        : shape_(shape), follower_rows_(follower_rows(shape)), learned_(learned) {}

    /// Lines of one player in one position by the number of their discs: for each direction the lowest
    /// squares of the lines that hold no disc of the other player.
    struct Lines {
        std::array<std::array<Bits, 3>, 4> with;  // [direction][discs]
    };
    struct Context {
        Bits mover;
        Bits mask;
        Bits opponent_wins;
        Bits favorable;
        Lines own;
        Lines theirs;
        const std::int16_t* weights;
        bool lines;
    };

    static constexpr int class_of(int empties, int alpha) {
        const int band = empties > 32 ? 0 : empties > 24 ? 1 : empties > 16 ? 2 : 3;
        return (band * 2 + empties % 2) * 4 + asked_of(alpha);
    }
    static constexpr int asked_of(int alpha) {
        return alpha < -1 ? 0 : alpha == -1 ? 1 : alpha == 0 ? 2 : 3;
    }

    Context context(Bits mover, Bits mask, Bits opponent_wins, int empties, int alpha) const {
        Context result;
        result.mover = mover;
        result.mask = mask;
        result.opponent_wins = opponent_wins;
        result.favorable = empties % 2 == 0 ? shape_.board() & ~follower_rows_ : follower_rows_;
        result.weights = learned_ ? learned_weights().by_class[class_of(empties, alpha)].data()
                                  : plain_weights.data();
        result.lines = learned_ && empties > line_empties;
        if (result.lines) {
            result.own = lines_of(mover, mask);
            result.theirs = lines_of(mask ^ mover, mask);
        }
        return result;
    }

    /// Hand each feature of `move` to `add(feature, amount)`. `wins` are the own threats after it.
    template <class Add>
    void describe(const Context& at, Bits move, Bits wins, Add&& add) const {
        const int bit = lowest_bit(move);
        const Bits column = shape_.column(shape_.column_of(bit));
        if (at.lines)
            describe_discs<true>(at, move, column, wins, add);
        else
            describe_discs<false>(at, move, column, wins, add);
        add(square_feature + square_class(bit), 1);
    }

    /// Rate the moves of the set `open`, given the square of each and the own threats after it.
    template <class PerMove, class Values>
    void rate(const Context& at, std::uint32_t open, const PerMove& squares, const PerMove& wins,
              Values& values) const {
        if constexpr (side_by_side) {
            if (at.lines)
                rate_columns<true>(at, squares, wins, values);
            else
                rate_columns<false>(at, squares, wins, values);
        }
        for (const int i : each(open)) {
            if constexpr (side_by_side) {
                values[i] += at.weights[square_feature + square_class(lowest_bit(squares[i]))];
            } else {
                values[i] = 0;
                describe(at, squares[i], wins[i],
                         [&](int feature, Amount amount) { values[i] += at.weights[feature] * amount; });
            }
        }
    }

    /// Hand what the net is told of a move besides its features to `add(input, amount)`: the lines that
    /// are left after it if one side follows up.
    template <class Add>
    void describe_plans(const Context& at, Bits move, Add&& add) const {
        const Bits mask = at.mask | move;
        const Bits own = at.mover | move;
        const Bits theirs = at.mask ^ at.mover;
        const Bits empty = shape_.board() & ~mask;
        const Bits following = empty & follower_rows_;
        const Bits leading = empty & ~follower_rows_;
        const Bits open = playable(shape_, mask);
        const Bits shared = open & follower_rows_;
        std::array<Amount, 4> counts{};
        const auto steps = directions(shape_);
        for (int d = 1; d < 4; ++d) {
            const int step = steps[d];
            // Lines through two leftover squares are stopped.
            const Bits some = shared | (shared >> step);
            const Bits both = shared & (shared >> step);
            const Bits stopped = both | (both >> (2 * step)) | (some & (some >> (2 * step)));
            counts[0] += count(fours_from(shape_, theirs | leading | open, step) & ~stopped);
            counts[1] += count(fours_from(shape_, own | following, step));
            counts[2] += count(fours_from(shape_, own | leading, step));
            counts[3] += count(fours_from(shape_, theirs | following, step));
        }
        for (int i = 0; i < 4; ++i) add(their_unstopped_lines + i, counts[i]);
    }

    /// Hand what the net is told of the position to `add(input, amount)`. The context must have lines.
    template <class Add>
    void describe_position(const Context& at, int empties, int alpha, Add&& add) const {
        const Bits own_wins = threats(shape_, at.mover, at.mask);
        add(their_threats_following, popcount(at.opponent_wins & follower_rows_));
        add(their_threats_leading, popcount(at.opponent_wins & ~follower_rows_));
        add(own_threats_following, popcount(own_wins & follower_rows_));
        add(own_threats_leading, popcount(own_wins & ~follower_rows_));
        for (int discs = 0; discs < 3; ++discs) {
            int own = 0;
            int theirs = 0;
            for (int d = 0; d < 4; ++d) {
                own += popcount(at.own.with[d][discs]);
                theirs += popcount(at.theirs.with[d][discs]);
            }
            add(own_lines_empty + 2 * discs, own);
            add(their_lines_empty + 2 * discs, theirs);
        }
        add(leftover_squares, popcount(playable(shape_, at.mask) & follower_rows_));
        add(empty_squares, std::clamp(empties, 21, 42) - 28);
        add(asked_input + asked_of(alpha), 1);
    }

    /// Add to the ratings of the moves what the net has to say. The context must have lines.
    template <class PerMove, class Values>
    void correct(const Context& at, int empties, int alpha, std::uint32_t open, const PerMove& squares,
                 const PerMove& wins, Values& values) const {
        const OrderNet& net = learned_nets()[empties % 2];
        OrderNet::Hidden common = net.bias;
        describe_position(at, empties, alpha,
                          [&](int input, int amount) { net.add(common, input, amount); });
        for (const int i : each(open)) {
            OrderNet::Hidden sums = common;
            const auto add = [&](int input, Amount amount) {
                net.add(sums, input, static_cast<int>(amount));
            };
            describe(at, squares[i], wins[i], add);
            describe_plans(at, squares[i], add);
            values[i] += net.result(sums);
        }
    }

    /// The weights for the end of the game, of the few features that tell the most.
    struct FewWeights {
        int useful_threats;
        int good_threats;
        int forcing;
        int safe_replies;
        std::array<std::int16_t, 8 * sizeof(Bits)> square;  // by its bit
    };
    FewWeights few_weights(int order_class) const {
        const auto& all = learned_ ? learned_weights().by_class[order_class] : plain_weights;
        FewWeights few{all[Feature::useful_threats],
                       all[Feature::good_threats],
                       all[Feature::forcing],
                       all[Feature::safe_replies],
                       {}};
        for (const int bit : each(shape_.board()))
            few.square[bit] = all[square_feature + square_class(bit)];
        return few;
    }

    /// The worth of a feature that only the search knows of.
    static int weight(const Context& at, Feature feature) { return at.weights[feature]; }

  private:
    static constexpr int line_empties = 20;

    /// Who gets the lowest row in the end, and every second one above it, depends on the number of rows.
    constexpr const Weights& learned_weights() const {
        return shape_.height() % 2 == 0 ? standard_weights : odd_rows_weights;
    }
    constexpr const std::array<OrderNet, 2>& learned_nets() const {
        return shape_.height() % 2 == 0 ? standard_nets : odd_rows_nets;
    }

    /// Where vectors can count bits, all columns are rated at once, whether they are open or not.
#if defined(__AVX512VPOPCNTDQ__)
    static constexpr bool side_by_side = sizeof(Bits) == 8;
#else
    static constexpr bool side_by_side = false;
#endif
    /// Then as wide as a set of squares, so that vectors need no conversion.
    using Amount = std::conditional_t<side_by_side, long long, int>;
    static Amount count(Bits squares) { return static_cast<Amount>(popcount(squares)); }
    static Amount one_if(bool condition) { return condition ? 1 : 0; }

    /// Everything but where the square lies, without a branch.
    template <bool with_lines, class Add>
    void describe_discs(const Context& at, Bits move, Bits column, Bits wins, Add&& add) const {
        const Bits their_wins = at.opponent_wins & ~move;
        const Bits useful = wins & ~(their_wins << 1);
        add(useful_threats, count(useful));
        add(good_threats, count(useful & at.favorable));
        add(stacked_threats, count(wins & (wins << 1)));
        add(wasted_threats, count(wins & (their_wins << 1)));
        add(under_own_threat, one_if(((move << 1) & wins) != 0));
        const Bits open = playable(shape_, at.mask | move);
        const bool forces = (wins & open) != 0;
        add(forcing, one_if(forces));
        add(safe_replies, count(forces ? Bits{0} : open & ~(wins >> 1)));
        add(opponent_win_two_above, one_if(((move << 2) & their_wins) != 0));
        add(own_win_two_above, one_if(((move << 2) & wins) != 0));
        add(own_threat_above, one_if((wins & column) != 0));
        add(opponent_threat_above, one_if((their_wins & column) != 0));
        if constexpr (with_lines) {
            const Bits up = (move << 1) & shape_.board();
            std::array<Amount, 9> counts{};
            const auto steps = directions(shape_);
            for (int d = 0; d < 4; ++d) {
                const Bits here = through(move, steps[d]);
                counts[0] += count(at.own.with[d][0] & here);
                counts[1] += count(at.own.with[d][1] & here);
                counts[2] += count(at.own.with[d][2] & here);
                counts[3] += count(at.theirs.with[d][1] & here);
                counts[4] += count(at.theirs.with[d][2] & here);
                if (d == 0) continue;  // a column has no square beside it to offer
                const Bits there = through(up, steps[d]);
                counts[5] += count(at.own.with[d][1] & there);
                counts[6] += count(at.own.with[d][2] & there);
                counts[7] += count(at.theirs.with[d][1] & there);
                counts[8] += count(at.theirs.with[d][2] & there);
            }
            for (int i = 0; i < 9; ++i) add(open_lines_empty + i, counts[i]);
        }
    }

    template <bool with_lines, class PerMove, class Values>
    void rate_columns(const Context& given, const PerMove& given_squares, const PerMove& given_wins,
                      Values& values) const {
        // Copies: the compiler must not fear that writing a result changes what it reads.
        const Context at = given;
        const PerMove squares = given_squares;
        const PerMove wins = given_wins;
        std::array<Amount, square_feature> weights;
        for (int i = 0; i < square_feature; ++i) weights[i] = at.weights[i];
        PerMove columns{};
        for (int i = 0; i < shape_.width(); ++i) columns[i] = shape_.column(i);
        std::array<Amount, std::tuple_size_v<PerMove>> sums;
        for (std::size_t i = 0; i < sums.size(); ++i) {
            Amount sum = 0;
            describe_discs<with_lines>(
                at, squares[i], columns[i], wins[i],
                [&](int feature, Amount amount) { sum += weights[feature] * amount; });
            sums[i] = sum;
        }
        for (std::size_t i = 0; i < sums.size(); ++i) values[i] = static_cast<int>(sums[i]);
    }

    /// Larger boards than 7x6 share the weights of its edge; the parity of the row is kept.
    constexpr int square_class(int bit) const {
        const int row = shape_.row_of(bit);
        const int off_center = shape_.wraps() ? 0 : 2 * shape_.column_of(bit) - (shape_.width() - 1);
        const int distance = (off_center > 0 ? off_center : -off_center) / 2;
        return (row < 6 ? row : 4 + row % 2) * 4 + (distance < 4 ? distance : 3);
    }

    /// The first squares of the lines through `square`, on the board or not.
    template <class Step>
    constexpr Bits through(Bits square, const Step& step) const {
        Bits first = square;
        for (int i = 1; i < shape_.connect(); ++i) first |= shape_.back(square, step, i);
        return first;
    }

    Lines lines_of(Bits discs, Bits mask) const {
        Lines result;
        const Bits free = shape_.board() & ~(mask ^ discs);
        const auto steps = directions(shape_);
        for (int d = 0; d < 4; ++d)
            result.with[d] = by_discs(discs, fours_from(shape_, free, steps[d]), steps[d]);
        return result;
    }

    /// The lines of `open` with no disc, with one and with two.
    static constexpr std::array<Bits, 3> by_discs(Bits discs, Bits open, int step) {
        // How many of the four squares hold a disc: the sum of two sums of two.
        const Bits some = discs | (discs >> step);
        const Bits both = discs & (discs >> step);
        const Bits some2 = some >> (2 * step);
        const Bits both2 = both >> (2 * step);
        const Bits one_left = some & ~both;
        const Bits one_right = some2 & ~both2;
        return {open & ~(some | some2), open & ((one_left & ~some2) | (one_right & ~some)),
                open & ((both & ~some2) | (both2 & ~some) | (one_left & one_right))};
    }
    /// The same by other rules: those that lack as many discs as a four with none, one and two.
    constexpr std::array<Bits, 3> by_discs(Bits discs, Bits open, const LineStep& step) const {
        const int connect = shape_.connect();
        std::array<Bits, max_connect + 1> at_least{open};  // this many discs
        for (int i = 0; i < connect; ++i) {
            const Bits disc = shape_.back(discs, step, i);
            for (int n = i + 1; n > 0; --n) at_least[n] |= at_least[n - 1] & disc;
        }
        std::array<Bits, 3> result{};
        for (int lacking = 2; lacking <= std::min(4, connect); ++lacking)
            result[4 - lacking] = at_least[connect - lacking] & ~at_least[connect - lacking + 1];
        return result;
    }

    Shape shape_;
    Bits follower_rows_;
    bool learned_;
};

}  // namespace FOURCAST_KERNEL
}  // namespace fourcast
