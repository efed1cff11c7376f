// What a history of attempts and lessons amounts to: rating, streak, cards to be repeated, weak themes.
// Everything follows from its lines and the time; there is no other state. docs/puzzles.md describes the
// file.
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

/// A step of a lesson that somebody has done; without a lesson, all of them begin again.
struct Learned {
    long long when;
    std::optional<std::string> lesson;
    int step = 0;  // from 1
};

/// What a history holds, each in the order of time.
struct History {
    std::vector<Answered> answered;
    std::vector<Learned> learned;
};

/// The history of a request: "text" is that of a file, or "answered" its lines after the header. Throws
/// UnreadableLine.
History history_from(const Value& request);

struct UnreadableLine {
    std::size_t line;  // the header is 1
    Value problem;     // a sentence
};

/// "training", "training.merge", "daily.record" and "card.question".
std::span<const Question> training_questions();

}  // namespace fourcast::study
