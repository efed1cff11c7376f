// Forcing lines: every disc of the attacker threatens to complete a four at once, so that each leaves
// the defender one reply, until two squares are threatened or a reply opens the square on which the four
// is completed.
#pragma once

#include <vector>

#include "memo.hpp"

namespace fourcast::reasons {

/// Finds the shortest forcing line of the side to move.
template <class Shape>
class ForceSearch {
  public:
    using Bits = typename Shape::Bits;

    ForceSearch(const Shape& shape, Budget& budget) : shape_(shape), budget_(budget) {}

    /// The squares of the line: the attacker's disc, the forced reply, ..., the disc that completes
    /// the four. Empty if there is no line with at most `discs` discs of the attacker.
    std::vector<Bits> find(const Board<Bits>& board, int discs) {
        std::vector<Bits> line;
        for (int depth = 1; depth <= discs; ++depth) {
            line.clear();
            if (wins(board.mine, board.theirs, depth, line)) return line;
            if (budget_.is_spent()) break;
        }
        return {};
    }

    /// Whether the side to move wins by force with at most `discs` discs.
    bool exists(Bits attacker, Bits defender, int discs) {
        std::vector<Bits> line;
        return wins(attacker, defender, discs, line);
    }

  private:
    bool wins(Bits attacker, Bits defender, int discs, std::vector<Bits>& line) {
        const Bits mask = attacker | defender;
        const Bits open = playable(shape_, mask);
        if (const Bits four = threats(shape_, attacker, mask) & open; four != 0) {
            line.push_back(lowest(four));
            return true;
        }
        if (discs < 2) return false;
        const Bits must_block = threats(shape_, defender, mask) & open;
        if (more_than_one(must_block)) return false;
        const std::pair key{attacker, defender};
        if (const int* known = failed_.find(key); known != nullptr && *known >= discs) return false;
        if (!budget_.spend()) return false;
        const std::size_t length = line.size();
        for (const Bits move : each_square(must_block != 0 ? must_block : open)) {
            const Bits after = mask | move;
            const Bits open_after = playable(shape_, after);
            const Bits threatened = threats(shape_, attacker | move, after) & open_after;
            if (threatened == 0) continue;
            if ((threats(shape_, defender, after) & open_after) != 0) continue;
            const Bits reply = lowest(threatened);
            line.push_back(move);
            line.push_back(reply);
            if (wins(attacker | move, defender | reply, discs - 1, line)) return true;
            line.resize(length);
        }
        if (!budget_.is_spent()) *failed_.try_add(key, discs).first = discs;
        return false;
    }

    const Shape& shape_;
    Budget& budget_;
    Memo<std::pair<Bits, Bits>, int> failed_;  // no line with at most this number of discs
};

}  // namespace fourcast::reasons
