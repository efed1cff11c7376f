// What an opening is called. There are no names that all players share; these follow from plain rules.
#pragma once

#include <span>

#include "board/position.hpp"
#include "solver/question.hpp"

namespace fourcast::study {

/// "Opening: center, answered on top.": by the first disc on an empty board, and by the reply if there
/// is one. `columns` are the moves of the game; null without any, or if it did not begin on an empty
/// board.
///   * center, beside (next to the center), edge, wing (all others): where the first disc is;
///   * on top, next to it, mirror (in the mirror image of its column), or the reply's column.
Value said_opening(const Position& start, std::span<const int> columns);

/// "opening" {position, "game": move string} -> a sentence or null.
std::span<const Question> opening_questions();

}  // namespace fourcast::study
