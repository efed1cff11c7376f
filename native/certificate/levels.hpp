// Diagrams with a level for some of the squares, which a person can follow without looking ahead.
//
// F, the side that is not to move, always does the first of these that applies:
//   1. complete a four;
//   2. win by force: each disc threatens a four, until O cannot stop one;
//   3. stop a four that O would complete with the next disc;
//   4. play the lowest level that exactly one open square has.
#pragma once

#include <unordered_set>
#include <vector>

#include "board.hpp"

namespace fourcast::certificate {

constexpr std::size_t most_levels = 9;  // one digit each
constexpr int forced_by_level = 5;      // discs of F in a forced win, at most: what people see ahead

/// The squares of each level, the lowest first.
template <class Bits>
using Levels = std::vector<Bits>;

/// F's move by rules 3 and 4, where F neither has a four at once nor wins by force; 0 if there is none.
template <class Shape, class Bits = typename Shape::Bits>
Bits move_by(const Levels<Bits>& levels, const Board<Shape>& board, const Pair<Bits>& place) {
    if (const Bits block = board.wins(place.theirs, place.mine); block != 0)
        return more_than_one(block) ? Bits{0} : block;
    const Bits open = board.open(place.mine | place.theirs);
    for (const Bits level : levels)
        if (const Bits own = level & open; own != 0 && !more_than_one(own)) return own;
    return 0;
}

/// How a diagram fares from a position on.
struct Fares {
    bool wins = false;     // every game
    std::size_t seen = 0;  // positions with O to move, up to the first game that is not won
};
/// Plays a diagram through; it does not win if it meets more positions than `most`.
template <class Shape, class Bits = typename Shape::Bits>
Fares play_through(const Levels<Bits>& levels, const Board<Shape>& board, const Pair<Bits>& start,
                   std::size_t most) {
    std::unordered_set<Pair<Bits>, PairHash> seen{start};
    std::vector<Pair<Bits>> waiting{start};
    while (!waiting.empty()) {
        const auto [mine, theirs] = waiting.back();
        waiting.pop_back();
        const Bits open = board.open(mine | theirs);
        if (open == 0 || board.wins(theirs, mine) != 0 || seen.size() > most)
            return {false, seen.size()};
        for (const Bits disc : each_square(open)) {
            const Bits after = theirs | disc;
            if (board.forces(mine, after, forced_by_level)) continue;
            const Bits move = move_by(levels, board, {mine, after});
            if (move == 0) return {false, seen.size()};
            if (seen.insert({mine | move, after}).second) waiting.push_back({mine | move, after});
        }
    }
    return {true, seen.size()};
}
/// The positions with O to move that a diagram meets; 0 if F does not win all games.
template <class Shape, class Bits = typename Shape::Bits>
std::size_t won_positions(const Levels<Bits>& levels, const Board<Shape>& board, const Pair<Bits>& start,
                          std::size_t most) {
    const Fares fares = play_through(levels, board, start, most);
    return fares.wins ? fares.seen : 0;
}

}  // namespace fourcast::certificate
