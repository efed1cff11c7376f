// What every move of a position leads to, how easily the opponent goes wrong after it, the other orders
// of moves that lead there, and what the levels play. docs/openings.md describes the levels' file.
#pragma once

#include <span>

#include "solver/question.hpp"

namespace fourcast::study {

/// "explore.move", "explore.testing", "explore.keeping", "explore.orders", "explore.levels",
/// "explore.wrong" and "explore.place".
std::span<const Question> explore_questions();

}  // namespace fourcast::study
