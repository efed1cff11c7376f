// Lessons: which answers of a step are right, what the opponent plays after a wrong one, when a step is
// done, and which one is next. docs/learn.md describes the data of a lesson.
#pragma once

#include <span>

#include "solver/question.hpp"

namespace fourcast::study {

/// "lessons", "lesson.fitting", "lesson.task", "lesson.try" and "lesson.answers". The last two answer
/// {"needs": columns} if they need scores that are not "known" (see outcomes.hpp).
std::span<const Question> lesson_questions();

}  // namespace fourcast::study
