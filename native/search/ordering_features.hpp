// What the order of the moves is told of a move.
#pragma once

#include "board/shape.hpp"

namespace fourcast {
inline namespace FOURCAST_KERNEL {

/// What is said of a move, in the order of the weights.
enum Feature : int {
    useful_threats,    // own threats that are not right above one of the opponent's
    good_threats,      // those of them on the rows that zugzwang gives to the mover
    stacked_threats,   // two own threats, one above the other
    wasted_threats,    // own threats right above one of the opponent's
    under_own_threat,  // the opponent will have to take the own threat above
    forcing,           // threatens to win at once
    safe_replies,      // else: replies of the opponent that do not lose at once
    opponent_win_two_above,
    own_win_two_above,
    own_threat_above,  // own threat higher up in the column
    opponent_threat_above,
    known_close,       // the table says that the move is at most one short of what is asked
    open_lines_empty,  // own lines through the square with nothing in them yet
    open_lines_one,    // ... with one disc in them
    open_lines_two,
    broken_lines_one,  // the opponent's lines with one disc that end here
    broken_lines_two,
    above_lines_one,  // own lines through the square above, which the opponent may take next
    above_lines_two,
    above_broken_one,  // the opponent's lines through the square above
    above_broken_two,
    square_feature,  // one for each row and distance from the center column
    feature_count = square_feature + 6 * 4
};

}  // namespace FOURCAST_KERNEL
}  // namespace fourcast
