// Limits and answers as JSON, with the names of docs/json.md, and back.
#pragma once

#include "answers.hpp"
#include "board/limit.hpp"
#include "system/value.hpp"

namespace fourcast {

Value to_value(ColumnSet columns);
Value to_value(const Limit& limit);
Value to_value(const Result& result);
Value to_value(const Line& line);
Value to_value(const Analysis& analysis);

/// What a score means: `score`, the bounds, `outcome` and so on.
Value meaning_of(const Proven& proven);
/// Whether a result is complete, and what it took.
Value effort_of(const Result& result);
/// A move of an analysis without its position.
Value column_of(const Line& line);

/// The reverse of `to_value`; null is no limit, and members that it does not know are ignored. Throws
/// OptionError if a member is missing, wrong, or contradicts the others, and what `Position` throws for
/// one that cannot be.
template <>
Limit from_value<Limit>(const Value& json);
template <>
Result from_value<Result>(const Value& json);
template <>
Line from_value<Line>(const Value& json);
template <>
Analysis from_value<Analysis>(const Value& json);

/// A finite time, 0 or more.
double checked_time(double time_s);

}  // namespace fourcast
