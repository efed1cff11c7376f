// An attempt at a puzzle: which columns are right, how the opponent replies, and when it is solved.
#pragma once

#include <span>

#include "outcomes.hpp"
#include "puzzle.hpp"

namespace fourcast::study {

/// The opponent's move after `played`: one that holds out longest, or keeps the draw. Of several it is
/// one that blocks a four if one has to be blocked, then the one that leaves the player the fewest right
/// columns, then the one nearest the center.
int best_reply(const Outcomes& outcomes, const std::vector<int>& played, PuzzleGoal goal);

/// "puzzle.accepted", "puzzle.try", "puzzle.hole", "puzzle.reply" and "puzzle.exercise". Each answers
/// {"needs": columns} if it needs scores that are not "known" (see outcomes.hpp).
std::span<const Question> attempt_questions();

}  // namespace fourcast::study
