// Local games: a plan that splits the open columns into groups and plays each group by itself.
//
// The follower F answers every disc of the opponent O in the group that O has just played in. Each open
// line of O's is stopped in one group: there F's answers see to it that O never gets all squares that
// the line still needs in that group. A group is a game of a few columns, and is solved exactly.
//
//   * Hold. O is to move. If every group has an even number of empty squares, F always has an answer.
//     With one odd group, O takes its last square and F has to move elsewhere: a free move. It makes
//     another group odd, so this may come again, at any time; therefore every even state of every group
//     must survive one.
//   * Win. In one group F's answers always complete a four before the group is full. The other groups
//     are even and hold, so O runs out of moves there and has to play in that group. If one more group
//     is odd, F makes one free move in the group that wins, which must be able to afford it at any time.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "board.hpp"
#include "board/position.hpp"
#include "proof.hpp"

namespace fourcast::reasons {

/// Searches for local games of one position. For the shapes of `with_either_shape`.
template <class Shape>
class GroupSearch {
  public:
    using Bits = typename Shape::Bits;

    /// `board` is seen from F; O is to move.
    GroupSearch(const Shape& shape, const Board<Bits>& board);
    GroupSearch(GroupSearch&&) noexcept;
    ~GroupSearch();

    struct Limits {
        int size;                  // columns of the largest group, exactly
        std::size_t answers;       // that are listed
        std::optional<int> rules;  // that the answers follow besides "on top"; nothing: they need not
    };

    /// A proof within the limits, if there is one within the budget. What was learned about groups is
    /// kept for the next call.
    std::optional<LocalProof<Bits>> find(Role goal, const Limits& limits, Budget& budget);

    /// A proof that the last search has passed over, because its answers do not follow so few rules.
    std::optional<LocalProof<Bits>> longer();

  private:
    class Search;
    std::unique_ptr<Search> search_;
};

}  // namespace fourcast::reasons
