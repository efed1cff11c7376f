// Glicko-2, by Mark Glickman: a rating, how uncertain it is, and how much it varies. The formulas and
// their names are those of "Example of the Glicko-2 system" (2022).
#pragma once

#include <span>

#include "solver/question.hpp"

namespace fourcast::study {

struct Skill {
    double rating = 600;
    double deviation = 350;  // one standard error
    double volatility = 0.06;
};

struct RatedResult {
    double rating;  // the opponent's
    double deviation;
    double score;  // 1 for a win, 0 for a loss
};

/// The skill after a rating period with these results.
Skill updated(const Skill& player, std::span<const RatedResult> results);

/// [rating, deviation, volatility].
Value skill_value(const Skill& skill);

/// "glicko".
std::span<const Question> glicko_questions();

}  // namespace fourcast::study
