// Has no views of positions and analyses that are asked for in JSON, which only Python does.
#include "study/view.hpp"

namespace fourcast::study {

std::span<const Question> view_questions() { return {}; }

}  // namespace fourcast::study
