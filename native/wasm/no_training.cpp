// In place of what playing does not need in the smaller cores: training, lessons and exploring.
#include "study/attempt.hpp"
#include "study/collection.hpp"
#include "study/explore.hpp"
#include "study/glicko.hpp"
#include "study/lesson.hpp"
#include "study/plan.hpp"
#include "study/puzzle.hpp"
#include "study/repertoire.hpp"
#include "study/training.hpp"

namespace fourcast::study {

std::span<const Question> attempt_questions() { return {}; }
std::span<const Question> collection_questions() { return {}; }
std::span<const Question> explore_questions() { return {}; }
std::span<const Question> glicko_questions() { return {}; }
std::span<const Question> lesson_questions() { return {}; }
std::span<const Question> plan_questions() { return {}; }
std::span<const Question> puzzle_questions() { return {}; }
std::span<const Question> repertoire_questions() { return {}; }
std::span<const Question> training_questions() { return {}; }

}  // namespace fourcast::study
