// Positions and answers as the API and the page have them, with the names of docs/json.md.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "solver/answer_value.hpp"
#include "solver/question.hpp"

namespace fourcast::study {

using fourcast::to_value;

/// A position with the way to it: moves from a start.
struct Shown {
    Position start;
    std::vector<int> columns;
    Position position;

    Shown() = default;
    /// Throws what `play_text` throws.
    Shown(const Position& from, std::u32string_view moves);

    /// Adds a disc. Throws IllegalMoveError.
    void play(long long column);
};

Value to_value(const Shown& shown);
Value to_value(const Shown& shown, const Result& result);
/// With what is said of the position and of each column if it `is_said`.
Value to_value(const Shown& shown, const Analysis& analysis, bool is_said = false);

std::span<const Question> view_questions();

}  // namespace fourcast::study
