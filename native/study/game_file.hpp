// Game files: a text that people read and edit, and JSON for programs; and what any text stands for that
// may be a game or a position. docs/game-files.md describes them.
//
// A file may come from anybody: its size is bounded, and what is not understood is refused with its
// line. Everything here throws GameFileError.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "game.hpp"
#include "solver/question.hpp"

namespace fourcast::study {

/// What a file says of a game.
struct SavedGame {
    Game game;
    std::string first{}, second{};  // names, empty if unknown
    std::string started{};          // as `utc_moment` writes it, empty if unknown
};

SavedGame from_text(std::u32string_view given, int width, int height);
SavedGame from_json(std::u32string_view given);

/// The game of a text that may be a game file (text or JSON), moves (columns, or squares such as `d1`),
/// a diagram, a position in JSON, or the address of a board; positions are games without moves. `width`
/// and `height` are those of the board if the text does not say.
SavedGame recognize(std::u32string_view given, int width, int height);

std::string to_text(const SavedGame& saved);
std::string to_json(const SavedGame& saved);

/// A game as a question has it: {"first", "second", "start", "width", "height", "started", "moves",
/// "stamps_s", "undone", "undone_stamps_s", "result"}. The start is rows, or empty for an empty board.
Value value_of(const SavedGame& saved);
SavedGame saved_game_from(const Value& value);

/// `game.read`, `game.write`, `outcome.write`, `outcome.read`.
std::span<const Question> game_file_questions();

}  // namespace fourcast::study
