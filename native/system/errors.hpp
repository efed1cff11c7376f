// What the core refuses, and why. Each becomes the Python error of the same name (see errors.py), with
// the same data as attributes.
//
// An error is a code and facts: a pattern of the message catalog (src/fourcast/messages/errors) and what
// fills it, in the form that solver/said.hpp describes. The sentence is made by each home, in its
// language. Columns and rows count from 1 in facts, which are for people. In the data they count from 0,
// as everywhere in the code.
#pragma once

#include <algorithm>
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

    /// What the error is called in the homes, and what it knows besides its facts.
    virtual const char* name() const { return "Error"; }
    virtual Value::Object data() const { return {}; }

  private:
    std::string code_;
    Value::Object facts_;
};

template <std::size_t size>
struct Words {
    constexpr Words(const char (&words)[size]) { std::copy_n(words, size, characters); }
    char characters[size];
};

/// An error of this name, without more data.
template <Words its_name>
struct NamedError : Error {
    using Error::Error;
    explicit NamedError(const Error& error) : Error(error) {}
    const char* name() const override { return its_name.characters; }
};

/// Text that is not a move string, or not the rows of a position.
using InvalidNotationError = NamedError<"InvalidNotationError">;
/// A file or text that is not a game.
using GameFileError = NamedError<"GameFileError">;
/// A file that is not an opening book, or a book that cannot be made.
using BookError = NamedError<"BookError">;
/// A question about a game that is over.
using FinishedGameError = NamedError<"FinishedGameError">;
/// An option with a value that it cannot have.
using OptionError = NamedError<"OptionError">;
/// An environment variable with an invalid value.
using SettingsError = NamedError<"SettingsError">;
/// The work was stopped before there was a complete answer, and an incomplete one is of no use.
using StoppedError = NamedError<"StoppedError">;

/// Why a disc may not go into a column.
enum class Refusal { full, off_the_board, finished, not_possible };

/// A disc into a full column, off the board, or into a finished game.
struct IllegalMoveError : NamedError<"IllegalMoveError"> {
    IllegalMoveError(const Error& error, Refusal why, long long into, int after)
        : NamedError(error), reason(why), column(into), ply(after) {}

    Value::Object data() const override {
        constexpr const char* words[] = {"full", "off the board", "finished", "not possible"};
        return {{"column", column}, {"reason", words[static_cast<int>(reason)]}, {"ply", ply}};
    }

    Refusal reason;
    long long column;
    /// Discs on the board when the move was refused.
    int ply;
};

/// A square of a board, from the bottom left corner.
struct Square {
    int column;
    int row;

    bool operator==(const Square&) const = default;
};

/// A position that cannot have arisen, or a board of an unsupported size.
struct InvalidPositionError : NamedError<"InvalidPositionError"> {
    explicit InvalidPositionError(std::string code, Value::Object facts = {},
                                  std::optional<Square> where = {})
        : NamedError(std::move(code), std::move(facts)), square(where) {}

    Value::Object data() const override {
        if (!square) return {};
        return {{"square", Value::Array{square->column, square->row}}};
    }

    /// The square that is wrong, if it is one square.
    std::optional<Square> square;
};

}  // namespace fourcast
