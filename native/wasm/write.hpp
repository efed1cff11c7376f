// Positions and answers as JSON values, with the names of docs/json.md.
#pragma once

#include <exception>
#include <string>
#include <vector>

#include "players/lookahead.hpp"
#include "players/mcts.hpp"
#include "solver/answer_value.hpp"

namespace fourcast::wasm {

using fourcast::to_value;

/// A position with the way to it: moves from a start.
struct Game {
    Position start;
    std::vector<int> columns;
    Position position;

    Game() = default;
    /// Throws what `play_text` throws.
    Game(const Position& from, std::u32string_view moves);
};

Value to_value(const Game& game);
Value to_value(const Game& game, const Result& result);
Value to_value(const Game& game, const Analysis& analysis);
Value to_value(const LookAhead& look_ahead);
Value to_value(const TreeSearch& tree_search);

/// What was thrown: the name of its class, its message, and the data that it has.
Value error_value(const std::exception_ptr& error);

}  // namespace fourcast::wasm
