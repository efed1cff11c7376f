#pragma once

#include <span>

#include "solver/question.hpp"

namespace fourcast::certificate {

std::span<const study::Question> questions();

}  // namespace fourcast::certificate
