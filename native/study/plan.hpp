// The plan without thought: complete a four, else block one, else play on top of the opponent's disc.
// Whether it wins, and how an opponent who knows it breaks it.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "board/position.hpp"
#include "solver/question.hpp"

namespace fourcast::study {

/// The column that the plan answers a disc in `below` with; nothing if nothing is left on top of it.
std::optional<int> plan_answer(const Position& position, int below);

/// A column of the side to move that still beats an opponent who follows the plan.
struct Break {
    int column;
    int moves;                 // that it takes to complete a four, this one included
    std::optional<int> reply;  // of the plan; nothing if the column completes the four
};

/// All of them, the quickest first, those nearer the center first among equals. Where nothing is left on
/// top, the opponent plays the open column nearest the center. Throws OptionError if there are too many
/// positions to try.
std::vector<Break> breaks_of(const Position& position);

/// "plan.wins" and "plan.breaks".
std::span<const Question> plan_questions();

}  // namespace fourcast::study
