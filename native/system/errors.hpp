// What the core refuses, and why. Each becomes the Python error of the same name (see errors.py), with
// the same data as attributes.
//
// An error is a code and facts: a pattern of the message catalog (src/fourcast/messages/errors) and what
// fills it, in the form that solver/said.hpp describes. The sentence is made by each home, in its
// language. Columns and rows count from 1 in facts, which are for people. In the data they count from 0,
// as everywhere in the code.
#pragma once

#include <exception>
#include <optional>
#include <string>

#include "value.hpp"

namespace fourcast {

/// What all errors of the core have.
class Error : public std::exception {
  public:
    explicit Error(std::string code, Value::Object facts = {});
    Error(const Error&);
    ~Error() override;

    const char* what() const noexcept override;
    const std::string& code() const { return code_; }
    const Value::Object& facts() const { return facts_; }
    /// The sentence, as a fact of another one.
    Value said() const;

  private:
    std::string code_;
    Value::Object facts_;
};

/// Why a disc may not go into a column.
enum class Refusal { full, off_the_board, finished };

/// A disc into a full column, off the board, or into a finished game.
struct IllegalMoveError : Error {
    IllegalMoveError(const Error& error, Refusal why, long long into, int after)
        : Error(error), reason(why), column(into), ply(after) {}

    Refusal reason;
    long long column;
    /// Discs on the board when the move was refused.
    int ply;
};

/// Text that is not a move string, or not the rows of a position.
struct InvalidNotationError : Error {
    using Error::Error;
};

/// A file or text that is not a game.
struct GameFileError : Error {
    using Error::Error;
};

/// A square of a board, from the bottom left corner.
struct Square {
    int column;
    int row;

    bool operator==(const Square&) const = default;
};

/// A position that cannot have arisen, or a board of an unsupported size.
struct InvalidPositionError : Error {
    explicit InvalidPositionError(std::string code, Value::Object facts = {},
                                  std::optional<Square> where = {})
        : Error(std::move(code), std::move(facts)), square(where) {}

    /// The square that is wrong, if it is one square.
    std::optional<Square> square;
};

/// A file that is not an opening book, or a book that cannot be made.
struct BookError : Error {
    using Error::Error;
};

/// A question about a game that is over.
struct FinishedGameError : Error {
    using Error::Error;
};

/// An option with a value that it cannot have.
struct OptionError : Error {
    using Error::Error;
};

/// An environment variable with an invalid value.
struct SettingsError : Error {
    using Error::Error;
};

/// The work was stopped before there was a complete answer, and an incomplete one is of no use.
struct StoppedError : Error {
    using Error::Error;
};

}  // namespace fourcast
