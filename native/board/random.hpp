// Random numbers for games: small, quick, and the same on every machine.
#pragma once

#include "shape.hpp"

namespace fourcast {

/// SplitMix64 (Steele, Lea and Flood, 2014): one addition and a mix a number, and any start is a good
/// one.
class Random {
  public:
    /// A stream for each game of each seed. The start is mixed, or the streams would overlap.
    Random(u64 seed, u64 game) : state_(mix(mix(seed) + game)) {}

    /// A number from 0 to bound - 1. The bias is below bound / 2^32.
    int below(int bound) {
        state_ += increment;
        return static_cast<int>((mix(state_) >> 32) * static_cast<u64>(bound) >> 32);
    }

    /// For code that draws numbers of several streams at once.
    u64 state() const { return state_; }
    static constexpr u64 increment = 0x9e3779b97f4a7c15U;
    static constexpr u64 first_factor = 0xbf58476d1ce4e5b9U;
    static constexpr u64 second_factor = 0x94d049bb133111ebU;

  private:
    static constexpr u64 mix(u64 word) {
        word = (word ^ (word >> 30)) * first_factor;
        word = (word ^ (word >> 27)) * second_factor;
        return word ^ (word >> 31);
    }

    u64 state_;
};

}  // namespace fourcast
