// When to give up. Whatever was proven by then is the answer.
#pragma once

#include <limits>

#include "shape.hpp"

namespace fourcast {

struct Limit {
    double time_s = std::numeric_limits<double>::infinity();
    u64 nodes = std::numeric_limits<u64>::max();

    bool operator==(const Limit&) const = default;
};

}  // namespace fourcast
