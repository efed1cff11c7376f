// Answers of the solver as values, with the names of docs/json.md.
#pragma once

#include "answers.hpp"
#include "board/limit.hpp"
#include "system/value.hpp"

namespace fourcast {

/// What a result has proven of its position, and what that took. Bitboards that JavaScript's numbers
/// cannot hold are strings of digits.
Value result_value(const Result& result);
Value line_value(const Line& line);
/// The columns of a set, from left to right.
Value columns_value(ColumnSet columns);

/// {"time_s": 1.5, "nodes": 1000}; what is missing or null is not limited. Throws OptionError.
Limit limit_from(const Value& value);

}  // namespace fourcast
