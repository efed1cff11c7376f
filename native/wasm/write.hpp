// Answers of searches and errors as JSON values, with the names of docs/json.md.
#pragma once

#include <exception>

#include "players/lookahead.hpp"
#include "players/mcts.hpp"
#include "solver/answer_value.hpp"

namespace fourcast::wasm {

using fourcast::to_value;

Value to_value(const LookAhead& look_ahead);
Value to_value(const TreeSearch& tree_search);

/// What was thrown: the name of its class, its message, and the data that it has.
Value error_value(const std::exception_ptr& error);

}  // namespace fourcast::wasm
