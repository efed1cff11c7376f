// Positions and answers as JSON, with the names of docs/json.md.
#pragma once

#include <exception>
#include <optional>
#include <string>
#include <vector>

#include "json.hpp"
#include "players/lookahead.hpp"
#include "players/mcts.hpp"
#include "solver/answers.hpp"

namespace fourcast::wasm {

/// A position with the way to it: moves from a start.
struct Game {
    Position start;
    std::vector<int> columns;
    Position position;

    Game() = default;
    /// Throws what `play_text` throws.
    Game(const Position& from, std::u32string_view moves);

    std::string moves() const;
};

void write(Json& json, const Game& game);
void write(Json& json, const Game& game, const Result& result);
void write(Json& json, const Game& game, const Analysis& analysis);
void write(Json& json, const LookAhead& look_ahead);
void write(Json& json, const TreeSearch& tree_search);

/// What was thrown: the name of its class, its message, and the data that it has.
void write(Json& json, const std::exception_ptr& error);

}  // namespace fourcast::wasm
