// An attempt at a puzzle: which columns are right, how the opponent replies, and when it is solved.
#pragma once

#include <span>

#include "solver/question.hpp"

namespace fourcast::study {

/// "puzzle.accepted", "puzzle.try", "puzzle.slower", "puzzle.reply" and "puzzle.exercise". Each answers
/// {"needs": columns} if it needs scores that are not "known" (see outcomes.hpp).
std::span<const Question> attempt_questions();

}  // namespace fourcast::study
