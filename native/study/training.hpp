// What a history of attempts amounts to: rating, streak, cards to be repeated, weak themes. Everything
// follows from the attempts and the time; there is no other state. docs/puzzles.md describes the file.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "glicko.hpp"
#include "puzzle.hpp"

namespace fourcast::study {

/// A puzzle that somebody has tried.
struct Answered {
    long long when;  // milliseconds since 1970
    bool solved;
    int hints;                        // with any, the attempt does not count for the rating
    std::optional<std::string> card;  // the id of the puzzle that this one was asked in place of
    Puzzle puzzle;
    std::string id;  // of the puzzle

    /// The card that it is an attempt at.
    const std::string& name() const { return card ? *card : id; }
    bool is_passed() const { return solved && hints == 0; }
    /// Not with hints, and not as a repetition.
    bool is_rated() const { return hints == 0 && puzzle.error > 0 && !card; }
};

/// A puzzle to be repeated. Boxes are those of Sebastian Leitner.
struct Card {
    std::string name;
    std::size_t attempt;  // the first one, from 0
    long long due;
    int box = 0;  // how often in a row it was solved when it was due

    bool is_known() const;
};

/// The cards that attempts have made, in the order in which they came.
std::vector<Card> cards_of(const std::vector<Answered>& answered);
/// Those that are due, the ones that have waited longest first.
std::vector<Card> due_cards(const std::vector<Answered>& answered, long long now);

/// The attempts of a request, in the order of their times: "text" is that of a file, or "answered" its
/// lines after the header. Throws UnreadableLine.
std::vector<Answered> answered_from(const Value& request);

struct UnreadableLine {
    std::size_t line;  // the header is 1
    Value problem;     // a sentence
};

/// "training", "training.merge" and "card.question".
std::span<const Question> training_questions();

}  // namespace fourcast::study
