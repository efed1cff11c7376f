// What the core refuses, and why. Each becomes the Python error of the same name (see errors.py).
#pragma once

#include <stdexcept>

namespace fourcast {

/// A stone into a full column, off the board, or into a finished game.
struct IllegalMoveError : std::invalid_argument {
    using std::invalid_argument::invalid_argument;
};

/// Text that is not a move string.
struct InvalidNotationError : std::invalid_argument {
    using std::invalid_argument::invalid_argument;
};

/// A position that cannot have arisen, or a board of a size that is not played.
struct InvalidPositionError : std::invalid_argument {
    using std::invalid_argument::invalid_argument;
};

/// A file that is no opening book, or a book that can not be made.
struct BookError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// A question about a game that is over.
struct FinishedGameError : std::invalid_argument {
    using std::invalid_argument::invalid_argument;
};

/// An environment variable that says nothing sensible.
struct SettingsError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// An answer was wanted that can not be incomplete, and the work on it was stopped.
struct StoppedError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

}  // namespace fourcast
