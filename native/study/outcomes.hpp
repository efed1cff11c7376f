// The exact scores of a position's columns where a question needs them: from the home's solver, or, for
// a home that solves by itself and may be interrupted, from what it hands over.
#pragma once

#include <utility>
#include <vector>

#include "board/position.hpp"
#include "solver/question.hpp"

namespace fourcast::study {

inline int sign(int score) { return (score > 0) - (score < 0); }

/// The scores of the open columns, from left to right.
class ColumnScores {
  public:
    explicit ColumnScores(std::vector<std::pair<int, int>> scores) : scores_(std::move(scores)) {}

    const std::vector<std::pair<int, int>>& all() const { return scores_; }
    int best_score() const;
    /// The columns that keep the score.
    std::vector<int> best() const;
    /// The columns that keep the outcome.
    std::vector<int> keeping() const;

  private:
    std::vector<std::pair<int, int>> scores_;
};

/// Thrown if the scores of a position are needed that nobody has handed over.
struct NeedsScores {
    std::vector<int> columns;  // played after the position that the question is about
};

/// Finds scores. A request may have "known": a list of {"columns": [...], "scores": [[column, score]]}.
/// Then no solver is asked, and NeedsScores is thrown for what is not there.
class Outcomes {
  public:
    /// `start` is the position that the question is about.
    Outcomes(const Value& request, const Context& context, const Position& start);

    const Position& start() const { return start_; }
    Position after(const std::vector<int>& columns) const;
    ColumnScores scores(const std::vector<int>& columns) const;

  private:
    const Context& context_;
    Position start_;
    const Value& known_;
};

/// What a function answers, or {"needs": columns} if it throws NeedsScores.
template <class Function>
Value or_needs(const Function& function) {
    try {
        return function();
    } catch (const NeedsScores& needs) {
        return object({{"needs", needs.columns}});
    }
}

}  // namespace fourcast::study
