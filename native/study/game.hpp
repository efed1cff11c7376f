// A game: a start, the moves from there, those that were taken back, and how it ended.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "board/position.hpp"
#include "system/value.hpp"

namespace fourcast::study {

/// Why a game is over. The board shows the first two, and the positions so far the last one, in PopOut;
/// the others are recorded in the game.
enum class Termination {
    four,
    full_board,
    resignation,
    agreement,
    forfeit,
    time,
    abandoned,
    repetition
};

struct Outcome {
    int winner = 0;  // 1, 2, or 0 for a draw
    Termination termination = Termination::full_board;
    std::string reason{};  // of a forfeit: what the loser did, if known

    bool operator==(const Outcome&) const = default;
};

/// `first wins, resignation`, as game files have it.
std::string to_text(const Outcome& outcome);
/// The outcome that `to_text` wrote. Throws InvalidNotationError.
Outcome parse_outcome(std::string_view given);
/// {"winner": 1, "termination": "resignation", "reason": ""}; null for a draw and for no outcome.
Value value_of(const std::optional<Outcome>& outcome);
/// The outcome of such a value, which is not null. Throws OptionError if there can be none.
Outcome outcome_from(const Value& value);

/// Throws InvalidNotationError for what cannot be a name: it has to be one line of at most 100
/// characters, without any that move a terminal's cursor or turn its text around. `code` is the pattern
/// that says what it names.
void check_name(std::u32string_view name, const std::string& code = "error.player_name");

struct Move {
    int column = 0;
    std::optional<double> stamp_s{};  // seconds after the beginning

    bool operator==(const Move&) const = default;
};

/// The time stamp of a move: seconds, 0 or more, or null. Throws OptionError.
std::optional<double> stamp_from(const Value& value);

class Game {
  public:
    explicit Game(const Position& start) : positions_{start} {}

    const Position& start() const { return positions_.front(); }
    const Position& position() const { return positions_.back(); }
    const std::vector<Move>& moves() const { return moves_; }
    /// Moves that were taken back, in the order in which they would be played again.
    std::vector<Move> undone() const { return {undone_.rbegin(), undone_.rend()}; }

    /// How the game ended, on the board or otherwise; nothing while it goes on.
    std::optional<Outcome> result() const;
    bool is_over() const { return result().has_value(); }

    /// Throws IllegalMoveError. Moves that were taken back are forgotten as soon as another is played.
    void play(const Move& move);
    /// Takes back the last move, with a resignation or the like after it. There has to be one.
    void undo();
    /// Plays again the move that was taken back last. There has to be one.
    void redo() { play(Move(undone_.back())); }
    /// Records an outcome that the board does not show; checks one that it shows. Throws
    /// InvalidNotationError if the game ended otherwise, or goes on.
    void end(const Outcome& outcome);

  private:
    std::vector<Position> positions_;
    std::vector<Move> moves_;
    std::vector<Move> undone_;         // the next to be played again is the last
    std::optional<Outcome> recorded_;  // an end that the board does not show
};

}  // namespace fourcast::study
