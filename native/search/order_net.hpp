// A small net on top of the weighted sum of ordering.hpp, for nodes early enough that a wrong first move
// costs more than a closer look at all of them.
//
// It has one layer of hidden units. Everything is an integer, so that all processors agree.
#pragma once

#include <array>
#include <cstdint>

#include "ordering_features.hpp"

namespace fourcast {
inline namespace FOURCAST_KERNEL {

/// What the net is told besides the features of the sum. First more of the move, all about lines across
/// and diagonal after it, ...
enum NetInput : int {
    their_unstopped_lines = feature_count,  // F's plan of following up (proofs.hpp) does not stop them
    own_following_lines,                    // the mover of this node gets them by following up
    own_leading_lines,                      // ... or if the opponent follows up
    their_leading_lines,                    // the same for the opponent
    first_position_input,
    // ... then of the position: threats on the rows of either plan, and open lines.
    their_threats_following = first_position_input,
    their_threats_leading,
    own_threats_following,
    own_threats_leading,
    own_lines_empty,
    their_lines_empty,
    own_lines_one,
    their_lines_one,
    own_lines_two,
    their_lines_two,
    leftover_squares,
    empty_squares,  // more than 28
    asked_input,    // one for each kind of question
    net_inputs = asked_input + 4
};

struct OrderNet {
    static constexpr int hidden = 16;
    /// The sums of the hidden units, in 256ths. They wrap around in the same way everywhere; training
    /// sees to it that they do not.
    using Hidden = std::array<std::int16_t, hidden>;

    Hidden bias;
    std::array<Hidden, net_inputs> weights;
    Hidden output;

    void add(Hidden& sums, int input, int amount) const {
        const Hidden& row = weights[input];
        for (int i = 0; i < hidden; ++i)
            sums[i] = static_cast<std::int16_t>(sums[i] + row[i] * static_cast<std::int16_t>(amount));
    }
    /// What to add to the rating of a move.
    int result(const Hidden& sums) const {
        int sum = 0;
        for (int i = 0; i < hidden; ++i) sum += (sums[i] > 0 ? sums[i] : 0) * output[i];
        return sum >> 12;
    }
};

// As in ordering.hpp; one net for each parity of the number of empty squares.
#include "order_net_weights.inc"
#include "order_net_weights_odd.inc"

}  // namespace FOURCAST_KERNEL
}  // namespace fourcast
