// Positions in the requests and answers of `ask` (see study/ask.hpp).
#pragma once

#include "position.hpp"
#include "system/value.hpp"

namespace fourcast {

/// The position that a request names: {"rows": "..../..../.X../OX.."}, as `Position::rows` writes them,
/// or {"width": 7, "height": 6} for an empty board of that size, which is the default. "moves" are
/// played from there: {"moves": "4455"}. Other members are not looked at, so that a request may hold a
/// position beside what it asks. Throws OptionError, or what reading rows and moves throws; also for
/// other rules than the standard ones.
Position position_from(const Value& request);
/// The same for questions that make sense by other rules: {"rules": "connect=5,wrap"}, or rows with
/// them.
Position ruled_position_from(const Value& request);

/// {"rows": ...}, which `position_from` reads.
Value position_value(const Position& position);

}  // namespace fourcast
