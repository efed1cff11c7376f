// The rules as the checker of certificates uses them, with the names of the plain checker.
#pragma once

#include <algorithm>
#include <unordered_map>
#include <vector>

#include "board/rules.hpp"
#include "board/threats.hpp"
#include "system/hash.hpp"

namespace fourcast::certificate {

constexpr int forced_discs = 10;  // of the player in a forced win, at most

inline std::uint64_t folded(u64 bits) { return bits; }
inline std::uint64_t folded(u128 bits) {
    return mix(static_cast<u64>(bits)) + static_cast<u64>(bits >> 64);
}

/// The discs of F, the player that the certificate is for, and of O.
template <class Bits>
struct Pair {
    Bits mine;
    Bits theirs;
    auto operator<=>(const Pair&) const = default;
};
struct PairHash {
    template <class Bits>
    std::size_t operator()(const Pair<Bits>& pair) const {
        return mix(folded(pair.mine) + mix(folded(pair.theirs)));
    }
};

template <class Shape>
class Board {
  public:
    using Bits = typename Shape::Bits;
    using Place = Pair<Bits>;

    explicit Board(const Shape& shape) : shape_(shape) {
        for (const int step : directions(shape))
            for (const Bits first : each_square(fours_from(shape, shape.board(), step))) {
                const Bits pair = first | first << step;
                lines_.push_back(pair | pair << (2 * step));
            }
    }

    const Shape& shape() const { return shape_; }
    const std::vector<Bits>& lines() const { return lines_; }
    Bits squares() const { return shape_.board(); }
    Bits open(Bits mask) const { return playable(shape_, mask); }
    bool has(Bits discs) const { return has_four(shape_, discs); }
    Bits wins(Bits discs, Bits other) const {
        return threats(shape_, discs, static_cast<Bits>(discs | other)) &
               open(static_cast<Bits>(discs | other));
    }
    Place one_of_mirrors(const Place& place) const {
        return std::min(place, Place{shape_.mirror(place.mine), shape_.mirror(place.theirs)});
    }
    bool forces(Bits mine, Bits theirs, int count) const {
        Failed failed;
        for (int number = 1; number <= count; ++number)
            if (forces_in(number, mine, theirs, failed)) return true;
        return false;
    }
    /// The move that begins the shortest forced win of at most `count` discs; 0 if there is none.
    Bits forcing_move(Bits mine, Bits theirs, int count) const {
        for (int number = 1; number <= count; ++number) {
            if (const Bits four = wins(mine, theirs); four != 0) return lowest(four);
            const Bits block = wins(theirs, mine);
            if (more_than_one(block)) return 0;
            for (const Bits move : each_square(block != 0 ? block : open(mine | theirs))) {
                const Bits found = wins(mine | move, theirs);
                if (found == 0 || wins(theirs, mine | move) != 0) continue;
                if (forces(mine | move, theirs | lowest(found), number - 1)) return move;
            }
        }
        return 0;
    }
    std::vector<Bits> sensible_moves(Bits mine, Bits theirs) const {
        std::vector<Bits> moves;
        const Bits mask = mine | theirs;
        const Bits block = wins(theirs, mine);
        if (more_than_one(block)) return moves;
        for (const Bits move : each_square(block != 0 ? block : open(mask))) {
            const Bits above = (move << 1) & squares();
            if (above == 0 || !has(theirs | above)) moves.push_back(move);
        }
        return moves;
    }

  private:
    using Failed = std::unordered_map<Place, int, PairHash>;

    bool forces_in(int count, Bits mine, Bits theirs, Failed& failed) const {
        if (wins(mine, theirs) != 0) return true;
        if (int& known = failed[{mine, theirs}]; known >= count)
            return false;
        else
            known = count;
        const Bits block = wins(theirs, mine);
        if (count == 1 || more_than_one(block)) return false;
        for (const Bits move : each_square(block != 0 ? block : open(mine | theirs))) {
            const Bits found = wins(mine | move, theirs);
            if (found == 0 || wins(theirs, mine | move) != 0) continue;
            if (forces_in(count - 1, mine | move, theirs | lowest(found), failed)) return true;
        }
        return false;
    }

    Shape shape_;
    std::vector<Bits> lines_;
};

}  // namespace fourcast::certificate
