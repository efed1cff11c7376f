// In place of what only training and exploring need in the smaller core, which only plays.
#include "study/attempt.hpp"
#include "study/collection.hpp"
#include "study/explore.hpp"
#include "study/glicko.hpp"
#include "study/puzzle.hpp"
#include "study/repertoire.hpp"
#include "study/training.hpp"

namespace fourcast::study {

std::span<const Question> attempt_questions() { return {}; }
std::span<const Question> collection_questions() { return {}; }
std::span<const Question> explore_questions() { return {}; }
std::span<const Question> glicko_questions() { return {}; }
std::span<const Question> puzzle_questions() { return {}; }
std::span<const Question> repertoire_questions() { return {}; }
std::span<const Question> training_questions() { return {}; }

}  // namespace fourcast::study
