#include "repertoire.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "system/errors.hpp"
#include "training.hpp"

namespace fourcast::study {
namespace {

constexpr std::string_view repertoire_format = "fourcast repertoire 1";

/// A card as an exercise: find a move that keeps the result.
Puzzle exercise_from(const Value& card) {
    Puzzle puzzle{.moves = card.at("moves").text("moves"),
                  .goal = PuzzleGoal::better,
                  .solution = {static_cast<int>(card.at("column").integer("column", 0, max_bits))},
                  .ending = PuzzleEnding::choice,
                  .tempting = std::nullopt};
    puzzle.validate();
    return puzzle;
}

/// The moves and columns of the cards of a file, in the order in which they are taught. Reasons, which
/// make up most of it, are left out.
Value read_cards(const Value& request, const Context&) {
    std::string_view text = request.at("text").text("text");
    const auto next = [&] {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const Value line = Value::from_json(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
        return line;
    };
    if (next().at("format").text("format") != repertoire_format) throw OptionError("error.repertoire");
    Value::Array cards;
    while (!text.empty()) {
        const Value line = next();
        cards.push_back(object({{"moves", line.at("moves")}, {"column", line.at("column")}}));
    }
    return cards;
}

/// Of "cards", those that are due at "now" by a history of attempts (see "training"), and the first of
/// those that were never asked, at most "count". Each has its number from 1.
Value repertoire(const Value& request, const Context&) {
    std::vector<Puzzle> cards;
    std::vector<std::string> ids;
    for (const Value& card : request.at("cards").array("cards")) {
        cards.push_back(exercise_from(card));
        ids.push_back(cards.back().id());
    }
    const auto answered = history_from(request).answered;
    const auto question = [&](std::size_t place, bool is_card) {
        return object({{"puzzle", puzzle_value(cards[place])},
                       {"mirrored", puzzle_value(cards[place].mirrored())},
                       {"card", is_card ? Value(ids[place]) : Value()},
                       {"number", place + 1}});
    };
    Value::Array due, fresh;
    const auto now = request.at("now").integer("now", -(1LL << 52), 1LL << 52);
    for (const Card& card : due_cards(answered, now)) {
        const auto found = std::ranges::find(ids, answered[card.attempt].id);
        if (found != ids.end())
            due.push_back(question(static_cast<std::size_t>(found - ids.begin()), true));
    }
    std::set<std::string> seen;
    for (const Answered& each : answered) seen.insert(each.name());
    const auto most = static_cast<std::size_t>(request.at("count").integer("count", 0, 1'000'000));
    std::size_t seen_here = 0;
    for (std::size_t i = 0; i < cards.size(); ++i) {
        if (seen.contains(ids[i]))
            ++seen_here;
        else if (fresh.size() < most)
            fresh.push_back(question(i, false));
    }
    return object({{"cards", cards.size()}, {"seen", seen_here}, {"due", due}, {"fresh", fresh}});
}

}  // namespace

std::span<const Question> repertoire_questions() {
    static constexpr Question questions[] = {{"repertoire.read", read_cards},
                                             {"repertoire", repertoire}};
    return questions;
}

}  // namespace fourcast::study
