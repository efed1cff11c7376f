// Where players take their chances from. A caller brings its own: Python its random.Random, so that a
// seed gives the same games there in every version, JavaScript a seed of this core's generator.
#pragma once

#include <cmath>
#include <numbers>

#include "board/random.hpp"

namespace fourcast {

class Chance {
  public:
    virtual ~Chance() = default;

    /// From 0 to below 1.
    virtual double uniform() = 0;
    /// Around 0, with this standard deviation.
    virtual double gauss(double deviation) = 0;
    /// From 0 to bound - 1.
    virtual int below(int bound) = 0;
};

/// The same choices for the same seed and game.
class SeededChance final : public Chance {
  public:
    SeededChance(u64 seed, u64 game) : random_(seed, game) {}

    double uniform() override {
        constexpr int half = 1 << 26;
        return (random_.below(half) + random_.below(half) / static_cast<double>(half)) / half;
    }
    double gauss(double deviation) override {
        const double radius = std::sqrt(-2 * std::log(1 - uniform()));
        return deviation * radius * std::cos(2 * std::numbers::pi * uniform());
    }
    int below(int bound) override { return random_.below(bound); }

  private:
    Random random_;
};

}  // namespace fourcast
