#include "move.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace fourcast::reasons {
namespace {

using Clock = std::chrono::steady_clock;

/// The share of the time for a reason that the position itself gets, if it has few discs.
constexpr double first_try = 0.3;
/// Numbers of discs with which reasons are looked for further along a line.
constexpr int late[] = {20, 26, 32};
constexpr int earlier[] = {16, 14, 12};
/// Seconds for a reason of a position with many discs, which takes a hundredth of that as a rule.
constexpr double late_s = 0.5;

int sign(int score) { return (score > 0) - (score < 0); }

/// The columns with the same outcome as the best of them.
ColumnSet columns_keeping(const Analysis& analysis) {
    ColumnSet columns = 0;
    for (const Line& line : analysis.lines)
        if (sign(line.lower) == sign(analysis.lower)) columns |= only<ColumnSet>(line.column);
    return columns;
}

class MoveExplainer {
  public:
    MoveExplainer(Solver& solver, const Limit& limit, const Limit& reason_limit, const Check& check,
                  const StopToken& token)
        : solver_(solver), limit_(limit), reason_limit_(reason_limit), check_(check), token_(token) {}

    MoveExplanation explain(const Position& position, int column) const {
        const Position next = position.play(column);
        const Analysis analysis = analyze(position, true, "error.moves_worth");
        const auto line_of = [&](int wanted) {
            return *std::ranges::find(analysis.lines, wanted, &Line::column);
        };
        MoveExplanation found{analysis, line_of(column), columns_keeping(analysis), 0, {}, {}};
        if (found.is_mistake())
            found.replies = columns_keeping(analyze(next, false, "error.replies_worth"));
        found.reason = along(found.after);
        if (found.is_mistake()) found.better = along(line_of(found.instead()));
        return found;
    }

  private:
    Analysis analyze(const Position& position, bool variations, const char* code) const {
        Analysis analysis = solver_.analyze(position, limit_, variations, check_, token_);
        if (!analysis.complete) throw OptionError(code);
        return analysis;
    }

    /// Explains the position after the first move of a line of best play, if the game goes on there.
    ///
    /// If a limit leaves no time for a reason there, looks for one further along the line: first where
    /// there are so many discs that it is found at once, then as early as the time allows.
    std::optional<Explanation> along(const Line& line) const {
        const Position position = line.position.play(line.column);
        if (position.is_over()) return std::nullopt;
        const double time_s = reason_limit_.time_s;
        if (std::isinf(time_s)) return search(position, time_s);
        const auto end = Clock::now() + std::chrono::duration<double>(time_s);
        Explanation found = search(position, time_s * (position.ply() < late[0] ? first_try : 1));
        if (!found.claims.empty() || found.complete || !found.verdict.complete) return found;
        const std::vector<int> ahead(line.variation.begin() + 1, line.variation.end());
        const auto later = [&](int discs, double share_s) {
            const auto count = static_cast<std::size_t>(std::max(discs - position.ply(), 0));
            if (count == 0 || count >= ahead.size() || share_s <= 0) return false;
            Position there = position;
            for (std::size_t i = 0; i < count; ++i) there = there.play(ahead[i]);
            Explanation reason = search(there, share_s);
            if (reason.claims.empty()) return false;
            found.line.assign(ahead.begin(), ahead.begin() + static_cast<std::ptrdiff_t>(count));
            found.line.insert(found.line.end(), reason.line.begin(), reason.line.end());
            found.claims = std::move(reason.claims);
            return true;
        };
        if (!std::ranges::any_of(late, [&](int discs) { return later(discs, late_s); })) return found;
        const auto half_s = [&] {
            return std::chrono::duration<double>(end - Clock::now()).count() / 2;
        };
        for (const int discs : earlier)
            if (!later(discs, half_s())) break;
        add_idea(found, solver_, {late_s, reason_limit_.nodes}, check_, token_);
        return found;
    }

    Explanation search(const Position& position, double time_s) const {
        return reasons::explain(position, solver_, {time_s, reason_limit_.nodes}, check_, token_);
    }

    Solver& solver_;
    const Limit& limit_;
    const Limit& reason_limit_;
    const Check& check_;
    const StopToken& token_;
};

}  // namespace

MoveExplanation explain_move(const Position& position, int column, Solver& solver, const Limit& limit,
                             const Limit& reason_limit, const Check& check, const StopToken& token) {
    return MoveExplainer(solver, limit, reason_limit, check, token).explain(position, column);
}

}  // namespace fourcast::reasons
