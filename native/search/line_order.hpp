// Which move a line of best play takes if several keep the score.
//
// Lines must not depend on what a table happens to hold, so the choice is a function of the position:
// the moves are tried in the search's own order, by trained weights alone, and the first that keeps
// the score is taken. After the scores have been searched that is mostly a move whose worth the table
// knows. The weights are a copy that stays when those of the search are trained again: lines are
// answers, and a file holds many of their moves (line_book.hpp).
#pragma once

#include <vector>

#include "board/position.hpp"

namespace fourcast {

/// The order of moves along one line, which is asked for each of its positions in turn.
class LineOrder {
  public:
    /// The open columns of a position of the line that is not over, the most promising first if the
    /// side to move has this score. The mirror images of the positions get the mirror images of the
    /// columns, unless the line begins with a symmetrical position.
    std::vector<int> columns(const Position& position, int score);

  private:
    bool left_first_ = true;  // of two columns that are rated the same
};

}  // namespace fourcast
