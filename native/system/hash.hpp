// A hash of words, for tables in memory: nothing that is kept depends on it.
#pragma once

#include <cstdint>

namespace fourcast {

constexpr std::uint64_t mix(std::uint64_t x) {
    x ^= x >> 31;
    x *= 0x9E3779B97F4A7C15ULL;
    x ^= x >> 29;
    x *= 0xBF58476D1CE4E5B9ULL;
    return x ^ (x >> 32);
}

}  // namespace fourcast
