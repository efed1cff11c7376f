// The nodes of the search: positions at which it has to branch. The side to move cannot win at once,
// need not stop a win, and has a move that does not lose at once. Everything in between is played out.
#pragma once

#include <utility>

#include "board/score.hpp"
#include "board/threats.hpp"

namespace fourcast {
inline namespace FOURCAST_KERNEL {

template <class Bits>
struct Node {
    Bits mover;
    Bits mask;
    Bits mover_wins;     // the threats of the side to move
    Bits opponent_wins;  // ... and of the other side
    int ply;
};

/// What comes of a move: a node, or a score because the game is decided.
template <class Bits>
struct Outcome {
    Node<Bits> node;
    int sign;   // +1 if the player who moved is to move again, -1 if the opponent is, 0 if decided
    int score;  // of the player who moved, if decided
};

/// A node with one or two empty squares is a draw. The mover has one disc left and cannot win with it.
/// If there are two squares, there is a move that does not lose at once, by the definition of a node;
/// the opponent's last disc then goes to the other square, and that is either the square above the
/// move, which is then no threat of the opponent, or was open before, and no threat either.
inline constexpr int drawn_empties = 2;

/// Play every forced move of a position in which the side to move cannot win at once. `sign` is +1 if
/// that side is the one whose score is wanted.
template <class Shape, class Bits = typename Shape::Bits>
Outcome<Bits> play_forced_moves(const Shape& shape, const Node<Bits>& position, int sign) {
    const int cells = shape.cells();
    // `next` is to move, `last` has moved before.
    Bits next = position.mover;
    Bits mask = position.mask;
    Bits last = mask ^ next;
    Bits next_wins = position.mover_wins;
    Bits last_wins = position.opponent_wins;
    int ply = position.ply;
    for (;;) {
        const Bits open = playable(shape, mask);
        const Bits urgent = last_wins & open;
        const Bits safe = open & ~(last_wins >> 1);
        if (open == 0) return {{}, 0, 0};
        const bool lost = urgent == 0 ? safe == 0 : more_than_one(urgent) || (urgent & safe) == 0;
        if (lost) return {{}, 0, -sign * win_score(cells, ply + 2)};
        if (urgent == 0) return {{next, mask, next_wins, last_wins, ply}, sign, 0};
        // The one reply.
        next |= urgent;
        mask |= urgent;
        last_wins &= ~urgent;
        ++ply;
        sign = -sign;
        next_wins = threats(shape, next, mask);
        std::swap(next, last);
        std::swap(next_wins, last_wins);
    }
}

}  // namespace FOURCAST_KERNEL
}  // namespace fourcast
