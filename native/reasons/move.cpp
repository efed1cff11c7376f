#include "move.hpp"

#include <algorithm>

namespace fourcast::reasons {
namespace {

/// Seconds for a quick reason if those for a full one were not enough.
constexpr double last_try_s = 0.5;

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
    MoveExplainer(Solver& solver, Effort effort, const Limit& limit, const Limit& reason_limit,
                  const Check& check, const StopToken& token)
        : solver_(solver),
          effort_(effort),
          limit_(limit),
          reason_limit_(reason_limit),
          check_(check),
          token_(token) {}

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
    std::optional<Explanation> along(const Line& line) const {
        const Position position = line.position.play(line.column);
        if (position.is_over()) return std::nullopt;
        Explanation found = reasons::explain(position, solver_, effort_, reason_limit_, check_, token_);
        if (found.complete || !found.claims.empty() || effort_ == Effort::quick) return found;
        const Limit limit{last_try_s, reason_limit_.nodes};
        Explanation quick = reasons::explain(position, solver_, Effort::quick, limit, check_, token_);
        quick.complete = false;
        return quick.claims.empty() ? found : quick;
    }

    Solver& solver_;
    Effort effort_;
    const Limit& limit_;
    const Limit& reason_limit_;
    const Check& check_;
    const StopToken& token_;
};

}  // namespace

MoveExplanation explain_move(const Position& position, int column, Solver& solver, Effort effort,
                             const Limit& limit, const Limit& reason_limit, const Check& check,
                             const StopToken& token) {
    return MoveExplainer(solver, effort, limit, reason_limit, check, token).explain(position, column);
}

}  // namespace fourcast::reasons
