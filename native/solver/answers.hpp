// What a solver answers: values that know their position, and what their numbers mean there.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "board/position.hpp"
#include "board/score.hpp"

namespace fourcast {

/// What is proven of a score: lower <= score <= upper, for the side to move in `position`.
struct Proven {
    Position position{};
    int lower = 0;
    int upper = 0;

    Proven() = default;
    Proven(const Position& of, int at_least, int at_most)
        : position(of), lower(at_least), upper(at_most) {}

    bool is_exact() const { return lower == upper; }
    std::optional<int> score() const { return is_exact() ? std::optional(lower) : std::nullopt; }
    /// What the side to move gets with best play: "win", "draw", "loss", or nullptr if that is open.
    const char* outcome() const { return outcome_of(lower, upper); }
    /// The player who wins with best play, 1 or 2; 0 for a draw and if that is open.
    int winner() const;
    /// Discs on the board when the game ends with best play.
    std::optional<int> final_ply() const;
    /// Discs from the position to the end of the game with best play.
    std::optional<int> plies_to_end() const;
    /// Discs that the winner still has to play; nothing for a draw.
    std::optional<int> moves_to_end() const;
    /// The first player's share of an evaluation bar, 0 to 1; half way between the bounds if they
    /// differ.
    double share() const;

    bool operator==(const Proven&) const = default;
    std::size_t hash() const;
};

/// The answer for a position.
struct Result : Proven {
    bool complete = false;                  // all that was asked for is known
    std::optional<ColumnSet> best_columns;  // the moves that keep the score, if they were asked for
    u64 nodes = 0;
    double time_s = 0;

    Result() = default;
    /// Bounds that a search has found, narrowed to the scores that are possible at all.
    Result(const Position& of, int at_least, int at_most, bool is_complete);
    /// What holds for every position: the result of a search that was stopped before it began.
    static Result unknown(const Position& position);
    static Result of_finished(const Position& position);

    Result mirrored() const;
    /// Throws OptionError if the position cannot have such a result.
    void validate() const;

    /// About what is proven, not about the effort.
    bool operator==(const Result& other) const;
    std::size_t hash() const;
    /// As Python would make it.
    std::string repr() const;
};

/// One move of an analysis. The score is that of the side that moves, in the position before the move.
struct Line : Proven {
    int column = 0;
    std::vector<int> variation;  // this move and the best play after it, to the end of the game

    Line() = default;
    Line(const Position& before, int move, int at_least, int at_most)
        : Proven(before, at_least, at_most), column(move), variation{move} {}

    Line mirrored() const;
    void validate() const;

    bool operator==(const Line&) const = default;
    std::size_t hash() const;
    std::string repr() const;
};

/// The answer for a position and each of its columns.
struct Analysis : Result {
    std::vector<Line> lines;  // one for each open column, from left to right

    /// The analysis that these lines make, in whatever order; complete by default if all are exact.
    static Analysis of(const Position& position, std::vector<Line> lines,
                       std::optional<bool> complete = std::nullopt);

    /// What holds for every position; see Result::unknown.
    static Analysis unknown(const Position& position);

    /// The columns that are proven to be at least as good as any other: the best ones of a complete
    /// analysis, and perhaps some already of another.
    ColumnSet proven_best_columns() const;
    /// The line of the best column nearest to the center; nullptr if the best columns are not known.
    const Line* best_line() const;

    Analysis mirrored() const;
    void validate() const;

    bool operator==(const Analysis&) const = default;
    std::size_t hash() const;
    std::string repr() const;
};

}  // namespace fourcast
