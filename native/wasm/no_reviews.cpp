// In place of what the core that only plays does without, too: reviews and game files.
#include "study/game_file.hpp"
#include "study/opening.hpp"
#include "study/review.hpp"

namespace fourcast::study {

std::span<const Question> game_file_questions() { return {}; }
std::span<const Question> opening_questions() { return {}; }
std::span<const Question> review_questions() { return {}; }

}  // namespace fourcast::study
