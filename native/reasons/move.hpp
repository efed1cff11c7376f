// Why a move keeps the result or gives it away.
#pragma once

#include <optional>

#include "explain.hpp"

namespace fourcast::reasons {

struct MoveExplanation {
    Result before;          // what the position was worth
    Line after;             // what the move is worth
    ColumnSet keeping = 0;  // the columns that keep the outcome of the position
    /// The opponent's replies that keep what the move has given away; none if it gave nothing away.
    ColumnSet replies = 0;
    std::optional<Explanation> reason;  // the position after the move; nothing if the game is over
    std::optional<Explanation> better;  // the position after the best column, if the move is a mistake

    bool is_mistake() const { return !contains(keeping, after.column); }
    /// The best column, which `better` is about. There is one if the move is a mistake.
    int instead() const { return lowest_bit(before.best_columns.value_or(keeping)); }
};

/// Explains a move. `limit` is for each of the searches that this takes, `reason_limit` for the search
/// for a reason after the move, and for that after a better one. Throws IllegalMoveError for a column
/// that cannot be played, and OptionError if the limit leaves the outcome of the moves open.
MoveExplanation explain_move(const Position& position, int column, Solver& solver, Effort effort,
                             const Limit& limit, const Limit& reason_limit, const Check& check,
                             const StopToken& token);

}  // namespace fourcast::reasons
