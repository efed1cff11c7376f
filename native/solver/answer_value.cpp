#include "answer_value.hpp"

#include <limits>

#include "system/errors.hpp"
#include "system/text.hpp"

namespace fourcast {
namespace {

constexpr u128 largest_number = u128{1} << 53;  // of JavaScript

Value bits_value(u128 bits) {
    if (bits < largest_number) return static_cast<u64>(bits);
    return bits;
}

void put_position(Value& value, const Position& position) {
    value.add("first", bits_value(position.first()));
    value.add("second", bits_value(position.second()));
    value.add("width", position.width());
    value.add("height", position.height());
}

void put_meaning(Value& value, const Proven& proven) {
    const char* const outcome = proven.outcome();
    value.add("score", proven.score());
    value.add("lower", proven.lower);
    value.add("upper", proven.upper);
    value.add("outcome", outcome == nullptr ? std::nullopt : std::optional(std::string(outcome)));
    value.add("winner", proven.winner() == 0 ? std::nullopt : std::optional(proven.winner()));
    value.add("plies_to_end", proven.plies_to_end());
    value.add("moves_to_end", proven.moves_to_end());
}

}  // namespace

Value columns_value(ColumnSet columns) {
    return array_of(each(columns), [](int column) { return column; });
}

Value result_value(const Result& result) {
    Value value;
    put_position(value, result.position);
    put_meaning(value, result);
    const auto best = result.best_columns;
    value.add("best_columns", best ? std::optional(columns_value(*best)) : std::nullopt);
    value.add("complete", result.complete);
    value.add("nodes", result.nodes);
    value.add("time_s", result.time_s);
    return value;
}

Value line_value(const Line& line) {
    Value value;
    put_position(value, line.position);
    value.add("column", line.column);
    value.add("name", std::string(1, column_name(line.column)));
    put_meaning(value, line);
    value.add("variation", line.variation);
    return value;
}

Limit limit_from(const Value& value) {
    Limit limit;
    if (value.is_null()) return limit;
    if (const Value& time_s = value.get("time_s"); !time_s.is_null()) {
        limit.time_s = time_s.number("time_s");
        if (!(limit.time_s > 0))
            throw OptionError("error.not_positive", {{"what", "time_s"}, {"given", limit.time_s}});
    }
    if (const Value& nodes = value.get("nodes"); !nodes.is_null())
        limit.nodes = static_cast<u64>(nodes.integer("nodes", 1, std::numeric_limits<long long>::max()));
    return limit;
}

}  // namespace fourcast
