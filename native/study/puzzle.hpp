// A puzzle: a position of a game, what is asked for, and the solution. docs/puzzles.md describes its
// JSON and its line in a file.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "board/position.hpp"
#include "solver/question.hpp"

namespace fourcast::study {

/// Win as quickly as possible; play the only column that keeps the result, move for move; or find any
/// column that keeps it; or beat an opponent who follows the plan of plan.hpp.
enum class PuzzleGoal { win, keep_win, keep_draw, better, break_plan };
/// Where the solution ends: with a four, where playing on top is enough, or where several columns do.
enum class PuzzleEnding { four, plan, choice };

PuzzleGoal goal_from(const Value& name);

struct Puzzle {
    std::string moves;
    PuzzleGoal goal;
    std::vector<int> solution;  // the player's column, the reply, the player's, and so on
    PuzzleEnding ending;
    std::optional<int> tempting{};  // the wrong column that the levels played most often
    int rating = 0;
    int error = 0;  // half the width of the 95% interval of the rating
    std::vector<std::string> themes{};
    int width = 7;
    int height = 6;

    /// Throws OptionError if it is none.
    void validate() const;
    /// Where it begins.
    Position position() const;
    /// A short name that it shares with its mirror image, and hardly with any other puzzle.
    std::string id() const;
    int player() const { return 1 + static_cast<int>(moves.size()) % 2; }
    int moves_to_find() const { return static_cast<int>(solution.size() + 1) / 2; }
    bool keeps() const { return goal == PuzzleGoal::keep_win || goal == PuzzleGoal::keep_draw; }
    Puzzle mirrored() const;
};

/// The JSON of a puzzle, both ways. Throws OptionError if it is none.
Puzzle puzzle_from(const Value& value);
Value puzzle_value(const Puzzle& puzzle);

/// The line of a puzzle in a file, both ways. Throws OptionError if it is none.
Puzzle puzzle_from_line(std::string_view line, int width, int height);
std::string puzzle_line(const Puzzle& puzzle);

/// The letter of a theme in files; nothing if there is no theme of that name.
std::optional<char> theme_letter(std::string_view name);

/// "puzzle", "puzzle.parse", "puzzle.format" and "themes".
std::span<const Question> puzzle_questions();

}  // namespace fourcast::study
