#include "answer_value.hpp"

#include <cmath>
#include <limits>
#include <string>

#include "board/moves_text.hpp"
#include "system/errors.hpp"
#include "system/text.hpp"

namespace fourcast {
namespace {

constexpr auto most_nodes = std::numeric_limits<long long>::max();

Value position_of(const Position& position) {
    Value json = object({{"first", position.first()},
                         {"second", position.second()},
                         {"width", position.width()},
                         {"height", position.height()}});
    if (!position.rules().is_standard()) json.add("rules", position.rules().text());
    return json;
}

/// Sets of squares as `to_value` writes them, or a move string.
Position answered_position(const Value& json) {
    const auto side = [&](const char* name) {
        return static_cast<int>(json.at(name).integer(name, 0, max_bits));
    };
    const Value& rules = json.get("rules");
    const Position empty(side("width"), side("height"),
                         rules.is_null() ? Rules{} : Rules::parse(utf32(rules.text("rules"))));
    if (!json.get("first").is_null() || !json.get("second").is_null())
        return Position::from_discs(json.at("first").squares("first"),
                                    json.at("second").squares("second"), empty.width(), empty.height(),
                                    empty.rules());
    return play_text(empty, utf32(json.at("moves").text("moves")));
}

int bound_from(const Value& json, const char* name) {
    return static_cast<int>(json.at(name).integer(name, -max_bits, max_bits));
}

std::optional<bool> complete_from(const Value& json) {
    const Value& complete = json.get("complete");
    return complete.is_null() ? std::nullopt : std::optional(complete.truth("complete"));
}

void read_effort(const Value& json, Result& result) {
    if (const Value& nodes = json.get("nodes"); !nodes.is_null())
        result.nodes = static_cast<u64>(nodes.integer("nodes", 0, most_nodes));
    if (const Value& time_s = json.get("time_s"); !time_s.is_null())
        result.time_s = checked_time(time_s.number("time_s"));
}

/// Members that follow from others: one that says something else shows that the JSON is damaged.
void check_agreement(const Value& json, const Value& derived) {
    for (const auto& [name, value] : *derived.object())
        if (const Value& given = json.get(name); !given.is_null() && given != value)
            throw OptionError("error.json_contradiction", {{"what", "an answer"}, {"key", name}});
}

Line line_from(const Value& json, const Position& position) {
    const auto column = json.at("column").integer("column", 0, position.width() - 1);
    (void)position.play(column);  // throws IllegalMoveError
    Line line(position, static_cast<int>(column), bound_from(json, "lower"), bound_from(json, "upper"));
    if (const Value& variation = json.get("variation"); !variation.is_null()) {
        auto columns = variation.integers("a column of variation", 0, position.width() - 1);
        if (!columns.empty()) line.variation = std::move(columns);
    }
    line.validate();
    check_agreement(json, meaning_of(line));
    return line;
}

}  // namespace

double checked_time(double time_s) {
    if (std::isinf(time_s)) throw OptionError("error.time_infinite");
    if (!(time_s >= 0)) throw OptionError("error.negative", {{"what", "time_s"}, {"given", time_s}});
    return time_s;
}

Value to_value(ColumnSet columns) {
    Value::Array list;
    for (const int column : each(columns)) list.emplace_back(column);
    return list;
}

Value to_value(const Limit& limit) {
    const Limit none;
    return object({{"time_s", limit.time_s == none.time_s ? std::nullopt : std::optional(limit.time_s)},
                   {"nodes", limit.nodes == none.nodes ? std::nullopt : std::optional(limit.nodes)}});
}

Value meaning_of(const Proven& proven) {
    const char* const outcome = proven.outcome();
    return object({{"score", proven.score()},
                   {"lower", proven.lower},
                   {"upper", proven.upper},
                   {"outcome", outcome == nullptr ? Value() : Value(outcome)},
                   {"winner", proven.winner() == 0 ? Value() : Value(proven.winner())},
                   {"plies_to_end", proven.plies_to_end()},
                   {"moves_to_end", proven.moves_to_end()}});
}

Value effort_of(const Result& result) {
    return object({{"complete", result.complete}, {"nodes", result.nodes}, {"time_s", result.time_s}});
}

Value column_of(const Line& line) {
    Value json = object({{"column", line.column}, {"name", std::string(1, column_name(line.column))}});
    json.join(meaning_of(line));
    json.add("variation", line.variation);
    return json;
}

Value to_value(const Result& result) {
    Value json = position_of(result.position);
    json.join(meaning_of(result));
    json.add("best_columns", result.best_columns ? to_value(*result.best_columns) : Value());
    json.join(effort_of(result));
    return json;
}

Value to_value(const Line& line) {
    Value json = position_of(line.position);
    json.join(column_of(line));
    return json;
}

Value to_value(const Analysis& analysis) {
    Value json = to_value(static_cast<const Result&>(analysis));
    json.add("columns", array_of(analysis.lines, column_of));
    return json;
}

template <>
Limit from_value<Limit>(const Value& json) {
    Limit limit;
    if (json.is_null()) return limit;
    if (const Value& time_s = json.get("time_s"); !time_s.is_null()) {
        limit.time_s = time_s.number("time_s");
        if (!(limit.time_s > 0))
            throw OptionError("error.not_positive", {{"what", "time_s"}, {"given", limit.time_s}});
    }
    if (const Value& nodes = json.get("nodes"); !nodes.is_null())
        limit.nodes = static_cast<u64>(nodes.integer("nodes", 1, most_nodes));
    return limit;
}

template <>
Result from_value<Result>(const Value& json) {
    Result result;
    result.position = answered_position(json);
    result.lower = bound_from(json, "lower");
    result.upper = bound_from(json, "upper");
    result.complete = complete_from(json).value_or(result.is_exact());
    if (const Value& columns = json.get("best_columns"); !columns.is_null()) {
        result.best_columns = 0;
        for (const int column : columns.integers("a best column", 0, result.position.width() - 1))
            *result.best_columns |= only<ColumnSet>(column);
    }
    read_effort(json, result);
    result.validate();
    check_agreement(json, meaning_of(result));
    return result;
}

template <>
Line from_value<Line>(const Value& json) {
    return line_from(json, answered_position(json));
}

template <>
Analysis from_value<Analysis>(const Value& json) {
    const Position position = answered_position(json);
    std::vector<Line> lines;
    for (const Value& column : json.at("columns").array("columns"))
        lines.push_back(line_from(column, position));
    Analysis analysis = Analysis::of(position, std::move(lines), complete_from(json));
    read_effort(json, analysis);
    analysis.validate();
    Value derived = meaning_of(analysis);
    if (analysis.best_columns) derived.add("best_columns", to_value(*analysis.best_columns));
    check_agreement(json, derived);
    return analysis;
}

}  // namespace fourcast
