#include "game.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "system/errors.hpp"
#include "system/reading.hpp"
#include "system/text.hpp"

namespace fourcast::study {
namespace {

constexpr std::array<std::string_view, 3> winners{"draw", "first wins", "second wins"};
/// In the order of Termination.
constexpr std::array<std::string_view, 8> terminations{"four in a row", "full board", "resignation",
                                                       "agreement",     "forfeit",    "out of time",
                                                       "abandoned",     "repetition"};
constexpr std::size_t longest_name = 100;

std::string_view name_of(Termination termination) {
    return terminations[static_cast<std::size_t>(termination)];
}

bool is_on_board(Termination termination) {
    return termination == Termination::four || termination == Termination::full_board ||
           termination == Termination::repetition;
}

/// Throws OptionError if there is no such outcome. `winner` is for the message.
void check(const Outcome& outcome, const std::string& winner) {
    const Termination why = outcome.termination;
    const bool is_draw = why == Termination::full_board || why == Termination::agreement ||
                         why == Termination::repetition;
    // The other side may not be able to win any more.
    const bool is_either = why == Termination::time || why == Termination::abandoned;
    if ((!is_either && is_draw != (outcome.winner == 0)) || outcome.winner < 0 || outcome.winner > 2)
        throw OptionError("error.outcome_winner",
                          {{"termination", name_of(outcome.termination)}, {"winner", winner}});
    if (!outcome.reason.empty() && outcome.termination != Termination::forfeit)
        throw OptionError("error.outcome_reason", {{"termination", name_of(outcome.termination)}});
    check_name(utf32(outcome.reason), "error.forfeit_reason");
}

/// Which of these names a text begins with, followed by `end` or by nothing.
template <std::size_t count>
std::optional<int> leading(const std::array<std::string_view, count>& names, std::string_view given,
                           std::string_view end) {
    for (std::size_t i = 0; i < count; ++i) {
        if (!given.starts_with(names[i])) continue;
        const std::string_view rest = given.substr(names[i].size());
        if (rest.empty() || rest.starts_with(end)) return static_cast<int>(i);
    }
    return std::nullopt;
}

}  // namespace

std::string to_text(const Outcome& outcome) {
    return text(winners[static_cast<std::size_t>(outcome.winner)], ", ", name_of(outcome.termination),
                outcome.reason.empty() ? "" : ": ", outcome.reason);
}

Outcome parse_outcome(std::string_view given) {
    static constexpr std::string_view comma = ", ", colon = ": ";
    const std::string shown_text = quoted(utf32(given));
    const auto winner = leading(winners, given, comma);
    const auto name = winner ? winners[static_cast<std::size_t>(*winner)] : "";
    const std::string_view end = given.substr(std::min(name.size() + comma.size(), given.size()));
    const auto termination = leading(terminations, end, colon);
    const auto why =
        termination ? end.substr(terminations[static_cast<std::size_t>(*termination)].size()) : end;
    if (!winner || !termination || why == colon)
        throw InvalidNotationError("error.not_outcome", {{"text", shown_text}});
    Outcome outcome{*winner, static_cast<Termination>(*termination),
                    std::string(why.substr(std::min(colon.size(), why.size())))};
    try {
        check(outcome, *winner == 0 ? "None" : std::to_string(*winner));
    } catch (const OptionError& error) {
        throw InvalidNotationError("error.no_outcome", {{"text", shown_text}, {"why", error.said()}});
    }
    return outcome;
}

Value value_of(const std::optional<Outcome>& outcome) {
    if (!outcome) return nullptr;
    return object({{"winner", outcome->winner == 0 ? Value() : Value(outcome->winner)},
                   {"termination", name_of(outcome->termination)},
                   {"reason", outcome->reason}});
}

Outcome outcome_from(const Value& value) {
    const Value& winner = value.get("winner");
    const Value& reason = value.get("reason");
    const std::string& name = value.at("termination").text("termination");
    const auto* const found = std::find(terminations.begin(), terminations.end(), name);
    if (found == terminations.end())
        throw OptionError("error.no_termination", {{"name", quoted(utf32(name))}});
    const auto* const number = winner.whole();
    const int side = winner.is_null()                                    ? 0
                     : number != nullptr && *number >= 1 && *number <= 2 ? static_cast<int>(*number)
                                                                         : -1;
    Outcome outcome{side, static_cast<Termination>(found - terminations.begin()),
                    reason.is_null() ? "" : reason.text("reason")};
    check(outcome, shown(winner));
    return outcome;
}

void check_name(std::u32string_view name, const std::string& code) {
    const Value what = Error(code).said();
    if (!std::all_of(name.begin(), name.end(), is_printable) || stripped(name) != name)
        throw InvalidNotationError("error.name_line", {{"name", quoted(name)}, {"what", what}});
    if (name.size() > longest_name)
        throw InvalidNotationError("error.name_long",
                                   {{"name", quoted(name)}, {"what", what}, {"most", longest_name}});
}

std::optional<double> stamp_from(const Value& value) {
    if (value.is_null()) return std::nullopt;
    const bool is_number = value.visit([](const auto& each) {
        using Type = std::decay_t<decltype(each)>;
        return std::is_same_v<Type, long long> || std::is_same_v<Type, double>;
    });
    const double seconds = is_number ? value.number("a time stamp") : -1;
    if (!(seconds >= 0) || std::isinf(seconds))
        throw OptionError("error.no_stamp", {{"given", shown(value)}});
    return seconds + 0.0;  // no -0.0, which would not be read as it is written
}

std::optional<Outcome> Game::result() const {
    const Position& now = position();
    if (now.winner() != 0) return Outcome{now.winner(), Termination::four};
    if (now.is_draw()) return Outcome{0, Termination::full_board};
    if (now.rules().pop && std::count(positions_.begin(), positions_.end(), now) > 1)
        return Outcome{0, Termination::repetition};
    return recorded_;
}

void Game::play(const Move& move) {
    if (recorded_)
        throw IllegalMoveError(Error("error.over_by", {{"result", to_text(*recorded_)}}),
                               Refusal::finished, move.column, position().ply());
    if (const auto now = result(); now && now->termination == Termination::repetition)
        throw IllegalMoveError(Error("error.over_by", {{"result", to_text(*now)}}), Refusal::finished,
                               move.column, position().ply());
    positions_.push_back(position().play(move.column));
    if (!undone_.empty()) {
        const bool is_again = undone_.back().column == move.column;
        undone_.pop_back();
        if (!is_again) undone_.clear();
    }
    moves_.push_back(move);
}

void Game::undo() {
    undone_.push_back(moves_.back());
    moves_.pop_back();
    positions_.pop_back();
    recorded_.reset();
}

void Game::end(const Outcome& outcome) {
    const auto now = result();
    if (!now && !is_on_board(outcome.termination)) {
        recorded_ = outcome;
    } else if (now != outcome) {
        Value::Object facts{{"result", quoted(utf32(to_text(outcome)))}};
        if (now) facts.emplace_back("now", to_text(*now));
        throw InvalidNotationError(now ? "error.result_over" : "error.result_open", std::move(facts));
    }
}

}  // namespace fourcast::study
