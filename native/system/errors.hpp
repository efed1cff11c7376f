// What the core refuses, and why. Each becomes the Python error of the same name (see errors.py), with
// the same data as attributes. Messages are for people: columns and rows count from 1 in them. In the
// data they count from 0, as everywhere in the code.
#pragma once

#include <optional>
#include <stdexcept>
#include <string>

namespace fourcast {

/// Why a disc may not go into a column.
enum class Refusal { full, off_the_board, finished };

/// A disc into a full column, off the board, or into a finished game.
struct IllegalMoveError : std::invalid_argument {
    IllegalMoveError(const std::string& message, Refusal why, long long into, int after)
        : std::invalid_argument(message), reason(why), column(into), ply(after) {}

    Refusal reason;
    long long column;
    /// Discs on the board when the move was refused.
    int ply;
};

/// Text that is not a move string, or not the rows of a position.
struct InvalidNotationError : std::invalid_argument {
    using std::invalid_argument::invalid_argument;
};

/// A file or text that is not a game.
struct GameFileError : std::invalid_argument {
    using std::invalid_argument::invalid_argument;
};

/// A square of a board, from the bottom left corner.
struct Square {
    int column;
    int row;

    bool operator==(const Square&) const = default;
};

/// A position that cannot have arisen, or a board of an unsupported size.
struct InvalidPositionError : std::invalid_argument {
    explicit InvalidPositionError(const std::string& message, std::optional<Square> where = {})
        : std::invalid_argument(message), square(where) {}

    /// The square that is wrong, if it is one square.
    std::optional<Square> square;
};

/// A file that is not an opening book, or a book that cannot be made.
struct BookError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// A question about a game that is over.
struct FinishedGameError : std::invalid_argument {
    using std::invalid_argument::invalid_argument;
};

/// An option with a value that it cannot have.
struct OptionError : std::invalid_argument {
    using std::invalid_argument::invalid_argument;
};

/// An environment variable with an invalid value.
struct SettingsError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// The work was stopped before there was a complete answer, and an incomplete one is of no use.
struct StoppedError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

}  // namespace fourcast
