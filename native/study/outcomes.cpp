#include "outcomes.hpp"

#include <algorithm>

namespace fourcast::study {

int ColumnScores::best_score() const {
    if (scores_.empty()) throw OptionError("error.cannot_be", {{"what", "scores"}, {"given", "[]"}});
    return std::ranges::max(scores_, {}, &std::pair<int, int>::second).second;
}

std::vector<int> ColumnScores::best() const {
    std::vector<int> columns;
    for (const auto& [column, score] : scores_)
        if (score == best_score()) columns.push_back(column);
    return columns;
}

std::vector<int> ColumnScores::keeping() const {
    std::vector<int> columns;
    for (const auto& [column, score] : scores_)
        if (sign(score) == sign(best_score())) columns.push_back(column);
    return columns;
}

Outcomes::Outcomes(const Value& request, const Context& context, const Position& start)
    : context_(context), start_(start), known_(request.get("known")) {}

Position Outcomes::after(const std::vector<int>& columns) const {
    Position position = start_;
    for (const int column : columns) position = position.play(column);
    return position;
}

ColumnScores Outcomes::scores(const std::vector<int>& columns) const {
    std::vector<std::pair<int, int>> scores;
    if (known_.is_null() && context_.solver != nullptr) {
        const Analysis analysis =
            context_.solver->analyze(after(columns), Limit{}, false, context_.check, context_.token);
        if (!analysis.complete) throw StoppedError("error.stopped");
        for (const Line& line : analysis.lines) scores.emplace_back(line.column, line.lower);
        return ColumnScores(scores);
    }
    if (known_.is_null()) throw NeedsScores{columns};
    for (const Value& each : known_.array("known")) {
        if (each.at("columns").integers("columns", 0, max_bits) != columns) continue;
        for (const Value& pair : each.at("scores").array("scores")) {
            const auto numbers = pair.integers("scores", -max_bits, max_bits);
            if (numbers.size() != 2)
                throw OptionError("error.cannot_be", {{"what", "scores"}, {"given", pair.json()}});
            scores.emplace_back(numbers[0], numbers[1]);
        }
        std::ranges::sort(scores);
        return ColumnScores(scores);
    }
    throw NeedsScores{columns};
}

}  // namespace fourcast::study
