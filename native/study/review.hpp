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

/// How much of what there was a move kept, in percent; 100 for a best one. A position is worth 100 if it
/// wins at once, 90 and more if it wins at all, 50 if it draws, 10 and less if it loses, 0 if it loses
/// at once. What the move has lost of that is taken from 100. `most` is the highest score of the board.
constexpr double accuracy_of(int before, int after, int most) {
    const auto worth = [most](int score) {
        return 50 + ((score > 0) - (score < 0)) * 40 + 10.0 * score / most;
    };
    return 100 - worth(before) + worth(after);
}

/// A move of a game: who made it, and the scores before and after it as far as they are known.
struct JudgedMove {
    int player;
    std::optional<int> before;
    std::optional<int> after;

    constexpr std::optional<Verdict> verdict() const {
        return before && after ? std::optional(verdict_of(*before, *after)) : std::nullopt;
    }
};

/// What the moves say together.
struct ReviewSummary {
    /// Whether every move could be judged.
    bool complete = true;
    /// The mean accuracy of each player's moves that were judged, in percent.
    std::array<std::optional<double>, 2> accuracy;
    /// Which move decided the game, from 0: the last one that changed the result. Nothing if there is
    /// none, or if that cannot be told because a later move was not judged.
    std::optional<std::size_t> decisive;
};

constexpr ReviewSummary summarize(std::span<const JudgedMove> moves, int most) {
    ReviewSummary summary;
    std::array<double, 2> sums{};
    std::array<int, 2> counts{};
    for (const JudgedMove& move : moves) {
        if (!move.before || !move.after) {
            summary.complete = false;
            continue;
        }
        const auto player = static_cast<std::size_t>(move.player - 1);
        sums[player] += accuracy_of(*move.before, *move.after, most);
        ++counts[player];
    }
    for (std::size_t player = 0; player < 2; ++player)
        if (counts[player] != 0) summary.accuracy[player] = sums[player] / counts[player];
    for (std::size_t i = moves.size(); i-- > 0;) {
        const auto verdict = moves[i].verdict();
        if (verdict && !is_error(*verdict)) continue;
        if (verdict) summary.decisive = i;
        break;
    }
    return summary;
}

}  // namespace fourcast

namespace fourcast::study {

/// "review" and "bounds": games judged and scores told in words.
std::span<const Question> review_questions();

}  // namespace fourcast::study
