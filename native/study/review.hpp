// How good the moves of a game were, by the exact scores before and after them.
#pragma once

#include <array>
#include <optional>
#include <span>

#include "board/score.hpp"
#include "solver/question.hpp"

namespace fourcast {

/// By what a move cost; the first three keep the outcome that there was.
enum class Verdict {
    best,
    good,
    inaccuracy,
    mistake,  // a win became a draw, or a draw a loss
    blunder   // a win became a loss
};

/// The largest loss of score that still counts as good, as long as it costs neither win nor draw.
inline constexpr int good_loss = 2;

constexpr const char* name_of(Verdict verdict) {
    constexpr std::array names{"best", "good", "inaccuracy", "mistake", "blunder"};
    return names[static_cast<std::size_t>(verdict)];
}

/// Whether the move changed the game-theoretic result.
constexpr bool is_error(Verdict verdict) { return verdict >= Verdict::mistake; }

/// The scores are those of the player who moved.
constexpr Verdict verdict_of(int before, int after) {
    const auto sign = [](int score) { return (score > 0) - (score < 0); };
    const int steps = sign(before) - sign(after);
    if (steps != 0) return steps == 1 ? Verdict::mistake : Verdict::blunder;
    const int loss = before - after;
    if (loss == 0) return Verdict::best;
    return loss <= good_loss ? Verdict::good : Verdict::inaccuracy;
}

/// What a position is worth to the side to move, from 0 (lost at once) to 1 (won at once): a draw is a
/// half, any win is above it by a fixed part, and the rest fades with the discs that the winner still
/// has to play. People see a four that is near, and hardly one that is ten moves away.
double worth(int cells, int ply, int score);

/// A move of a game: who made it with how many discs on the board, the scores before and after it as far
/// as they are known, and the score that the worst column would have left.
struct JudgedMove {
    int player;
    int ply;
    std::optional<int> before;
    std::optional<int> after;
    std::optional<int> worst;

    constexpr std::optional<Verdict> verdict() const {
        return before && after ? std::optional(verdict_of(*before, *after)) : std::nullopt;
    }
};

/// How well a player played, in percent. The share of what was at stake that the moves kept: the sum of
/// what they lost, of the sum of what the worst columns would have lost. Then the worst move counts once
/// more. Nothing without a move of theirs that was judged; moves that were not do not count.
std::optional<double> accuracy_of(std::span<const JudgedMove> moves, int player, int cells);

/// What the moves say together.
struct ReviewSummary {
    /// Whether every move could be judged.
    bool complete = true;
    std::array<std::optional<double>, 2> accuracy;
    /// Which move decided the game, from 0: the last one that changed the result. Nothing if there is
    /// none, or if that cannot be told because a later move was not judged.
    std::optional<std::size_t> decisive;
};

ReviewSummary summarize(std::span<const JudgedMove> moves, int cells);

}  // namespace fourcast

namespace fourcast::study {

/// "review" and "score.describe": games judged and scores told in words.
std::span<const Question> review_questions();

}  // namespace fourcast::study
