// Opening repertoires as cards to be repeated: which are due, and which come next.
#pragma once

#include <span>

#include "solver/question.hpp"

namespace fourcast::study {

/// "repertoire.read" and "repertoire".
std::span<const Question> repertoire_questions();

}  // namespace fourcast::study
