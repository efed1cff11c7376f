#include "review.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "board/moves_text.hpp"
#include "board/position_value.hpp"
#include "reasons/tactics.hpp"
#include "solver/said.hpp"
#include "story.hpp"
#include "system/text.hpp"

namespace fourcast {

// Chosen on 600 games of the ten levels; docs/review.md has what they lead to on others.
double worth(int cells, int ply, int score) {
    constexpr double any_win = 0.2;  // of the half between a draw and a win at once
    constexpr double fading = 3;     // discs of the winner after which the rest is down to 1 / e
    if (score == 0) return 0.5;
    const double nearness = std::exp((1 - winner_moves(cells, ply, score)) / fading);
    const double half = 0.5 * (any_win + (1 - any_win) * nearness);
    return score > 0 ? 0.5 + half : 0.5 - half;
}

std::optional<double> accuracy_of(std::span<const JudgedMove> moves, int player, int cells) {
    constexpr double given = 0.25;  // kept beforehand, so that a short game is not all or nothing
    constexpr double worst_again = 0.4;
    double lost = 0, at_stake = given, most = 0;
    bool is_judged = false;
    for (const JudgedMove& move : moves) {
        if (move.player != player || !move.before || !move.after || !move.worst) continue;
        is_judged = true;
        const auto loss = [&](int score) {
            return worth(cells, move.ply, *move.before) - worth(cells, move.ply, score);
        };
        lost += loss(*move.after);
        at_stake += loss(*move.worst);
        most = std::max(most, loss(*move.after));
    }
    if (!is_judged) return std::nullopt;
    return 100 * (1 - lost / at_stake) * (1 - worst_again * most);
}

ReviewSummary summarize(std::span<const JudgedMove> moves, int cells) {
    ReviewSummary summary;
    summary.complete =
        std::ranges::all_of(moves, [](const JudgedMove& move) { return move.verdict().has_value(); });
    for (const int player : {1, 2})
        summary.accuracy[static_cast<std::size_t>(player - 1)] = accuracy_of(moves, player, cells);
    for (std::size_t i = moves.size(); i-- > 0;) {
        const auto verdict = moves[i].verdict();
        if (verdict && !is_error(*verdict)) continue;
        if (verdict) summary.decisive = i;
        break;
    }
    return summary;
}

}  // namespace fourcast

namespace fourcast::study {
namespace {

constexpr int most_score = max_bits;

std::optional<int> score_from(const Value& value, const char* what) {
    if (value.is_null()) return std::nullopt;
    return static_cast<int>(value.integer(what, -most_score, most_score));
}

/// What each column was worth; nothing if that of one is not known.
std::optional<std::vector<std::pair<int, int>>> columns_from(const Value& value,
                                                             const Position& position) {
    if (value.is_null()) return std::nullopt;
    const auto& given = value.array("scores");
    if (given.size() != static_cast<std::size_t>(position.width()))
        throw OptionError("error.review_scores");
    std::vector<std::pair<int, int>> scores;
    for (const int column : each(position.legal_columns())) {
        const auto score = score_from(given[static_cast<std::size_t>(column)], "scores");
        if (!score) return std::nullopt;
        scores.emplace_back(column, *score);
    }
    return scores;
}

/// Whether a reason in brief helps a reader: not one that shows only after many moves of best play, and
/// the fewer, the less exact it is then; nor one that then still depends on what is played.
bool is_helpful(const Value& reason) {
    const std::string& pattern = pattern_of(reason);
    if (pattern != "brief_later") return true;
    const Value& facts = reason.at("facts");
    const std::string& then = facts.at("reason").at("pattern").text("pattern");
    if (then == "brief_target") return false;
    const Value& unless = facts.at("reason").at("facts").get("unless");
    if (unless.object() != nullptr && unless.at("pattern") == Value("unless_4")) return false;
    const bool is_exact = unless.object() == nullptr || unless.at("pattern") == Value("unless_2");
    return facts.at("count").integer("count", 0, max_bits) <= (is_exact ? 8 : 4);
}

/// Of the sentences about a move, the one that says why its column is bad; null if there is none.
Value why_from(const Value& value, int column) {
    if (value.is_null()) return nullptr;
    for (const Value& said : value.array("reasons")) {
        const Value& facts = said.at("facts");
        if (said.at("pattern") != Value("column_why")) continue;
        if (facts.at("column") != Value(said_column(column))) continue;
        if (is_helpful(facts.at("reason"))) return said;
    }
    return nullptr;
}

ReviewedMove move_from(const Value& value, const Position& position, int number, int column) {
    if (const auto refused = position.refusal(column)) throw IllegalMoveError(*refused);
    const auto sign = [](int score) { return (score > 0) - (score < 0); };
    ReviewedMove move{
        {position.turn(), position.ply(), score_from(value.get("score_before"), "score_before"),
         score_from(value.get("score_after"), "score_after"), std::nullopt},
        number,
        column,
        position,
        value.at("best_columns").integers("best_columns", 0, position.width() - 1),
        {},
        nullptr};
    if (const auto scores = columns_from(value.get("scores"), position); scores && move.before) {
        move.worst = std::ranges::min(*scores, {}, &std::pair<int, int>::second).second;
        for (const auto& [each, score] : *scores)
            if (sign(score) == sign(*move.before)) move.keeping.push_back(each);
    }
    const auto verdict = move.verdict();
    if (verdict && *verdict != Verdict::best && position.rules().is_standard()) {
        move.why = reasons::said_of_tactics(position, column);
        if (move.why.is_null()) move.why = why_from(value.get("reasons"), column);
    }
    return move;
}

/// The position of a game that can be judged: by any rules that have scores.
Position scored_position_from(const Value& request) {
    const Position position = ruled_position_from(request);
    if (position.rules().pop) throw OptionError("error.pop_score");
    return position;
}

/// The moves of a game from the position that a request names.
std::vector<ReviewedMove> moves_of_game(const Value& request, const std::vector<Value>& judged) {
    Position position = scored_position_from(request);
    const auto steps = play_steps(position, utf32(request.at("game").text("game")));
    if (judged.size() != steps.size()) throw OptionError("error.review_scores");
    std::vector<ReviewedMove> moves;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        moves.push_back(move_from(judged[i], position, static_cast<int>(i) + 1, steps[i].column));
        position = steps[i].position;
    }
    return moves;
}

ReviewedGame game_from(const Value& request) {
    const auto& given = request.at("judged").array("judged");
    ReviewedGame game{};
    if (!request.get("game").is_null())
        game.moves = moves_of_game(request, given);
    else
        for (const Value& move : given) {
            const Position position = scored_position_from(move);
            game.moves.push_back(move_from(
                move, position, static_cast<int>(move.at("number").integer("number", 1, max_bits)),
                static_cast<int>(move.at("column").integer("column", 0, position.width() - 1))));
        }
    game.cells = game.moves.empty() ? 0 : game.moves[0].position.cells();
    const std::vector<JudgedMove> judged(game.moves.begin(), game.moves.end());
    game.summary = summarize(judged, game.cells);
    return game;
}

/// How good a move was, what it leads to, and what would have been better.
Value said_move(const ReviewedMove& move, int cells) {
    const auto verdict = move.verdict();
    if (!verdict) return say("review_open");
    const int before = *move.before, after = *move.after;
    const Value name = say(std::string("verdict_") + name_of(*verdict));
    const bool misere = move.position.rules().misere;
    const bool is_at_once = after > 0 && winner_moves(cells, move.ply, after, misere) == 1;
    const Value now =
        is_at_once ? say("review_at_once") : said_bounds(cells, move.ply, after, after, misere);
    const int count = winner_moves(cells, move.ply, before, misere);
    Value text;
    if (!is_error(*verdict))
        text = say("review_move", {{"verdict", name}, {"now", now}});
    else if (before > 0)
        text = say("review_lost_win", {{"verdict", name}, {"now", now}, {"count", count}});
    else
        text = say("review_lost_draw", {{"verdict", name}, {"now", now}});
    const auto& best = move.best_columns;
    if (*verdict == Verdict::best || best.empty()) return text;
    text =
        say("review_better", {{"text", text}, {"columns", said_columns(best)}, {"count", best.size()}});
    return is_error(*verdict) ? text : say("review_better_in", {{"text", text}, {"count", count}});
}

/// Which move decided the game, and what should have been played in its place.
Value::Array said_decision(const ReviewedGame& game) {
    if (game.summary.decisive) return said_turn(game.moves[*game.summary.decisive]);
    if (game.moves.empty()) return {say("review_nothing")};
    return {say(game.summary.complete ? "review_no_error" : "review_too_late")};
}

/// With one digit.
std::string percent(double share) {
    char digits[16];
    std::snprintf(digits, sizeof digits, "%.1f", share);
    return digits;
}

/// The accuracy of each side that has moved; of none that has a move which could not be judged in full.
Value::Array accuracies(const ReviewedGame& game) {
    Value::Array known;
    for (const int player : {1, 2}) {
        const bool is_judged = std::ranges::all_of(game.moves, [&](const ReviewedMove& move) {
            return move.player != player || (move.verdict() && move.worst);
        });
        const auto share = game.summary.accuracy[static_cast<std::size_t>(player - 1)];
        if (share && is_judged)
            known.push_back(object({{"player", player}, {"share", percent(*share)}}));
    }
    return known;
}

Value::Array said_accuracy(const Value::Array& known) {
    if (known.empty()) return {};
    const auto player = [](const Value& side) { return object({{"player", side.at("player")}}); };
    const Value &one = known.front(), &two = known.back();
    if (known.size() == 1)
        return {say("review_accuracy", {{"player", player(one)}, {"share", one.at("share")}})};
    return {say("review_accuracies", {{"player", player(one)},
                                      {"share", one.at("share")},
                                      {"opponent", player(two)},
                                      {"other", two.at("share")}})};
}

/// The moves of a game, judged by the scores before and after them. A request has "judged", for each
/// move "score_before", "score_after" and "scores", those of its player before and after it and after
/// each column, null where they are not known, "best_columns", and "reasons", sentences about the move,
/// if they are known ("brief" of `move.describe`); and either the position where the game began and the
/// "game" as a move string, or with every move its position, column and number from 1.
Value review(const Value& request, const Context&) {
    const ReviewedGame game = game_from(request);
    const Value moves = array_of(game.moves, [&](const ReviewedMove& move) {
        const auto verdict = move.verdict();
        const auto after = move.after;
        return object({{"number", move.number},
                       {"player", move.player},
                       {"column", move.column},
                       {"verdict", verdict ? Value(name_of(*verdict)) : Value()},
                       {"loss", verdict ? Value(*move.before - *after) : Value()},
                       {"score_before", move.before},
                       {"score_after", after},
                       {"score_first", after && move.player == 2 ? Value(-*after) : Value(after)},
                       {"best_columns", move.best_columns},
                       {"oversight", move.oversight() ? Value(move.oversight()) : Value()},
                       {"mistake", move.is_named() ? said_mistake(move) : Value()},
                       {"said", said_move(move, game.cells)}});
    });
    const auto decisive = game.summary.decisive;
    const Value rounded = array_of(game.summary.accuracy, [](const std::optional<double>& share) {
        return share ? Value(std::strtod(percent(*share).c_str(), nullptr)) : Value();
    });
    return object({{"complete", game.summary.complete},
                   {"moves", moves},
                   {"accuracy_first", game.summary.accuracy[0]},
                   {"accuracy_second", game.summary.accuracy[1]},
                   {"percents", rounded},
                   {"decisive", decisive ? Value(game.moves[*decisive].number) : Value()},
                   {"decision", said_decision(game)},
                   {"accuracy", said_accuracy(accuracies(game))},
                   {"story", said_story(game)}});
}

/// What the side to move gets if its score lies between bounds, for a list of them.
Value bounds(const Value& request, const Context&) {
    const auto side = [&](const char* name) {
        return static_cast<int>(request.at(name).integer(name, 0, max_bits));
    };
    const int cells = side("width") * side("height"), ply = side("ply");
    const Value& misere = request.get("misere");
    const bool is_misere = !misere.is_null() && misere.truth("misere");
    return array_of(request.at("bounds").array("bounds"), [&](const Value& each) {
        const auto pair = each.integers("bounds", -most_score, most_score);
        if (pair.size() != 2)
            throw OptionError("error.cannot_be", {{"what", "bounds"}, {"given", each.json()}});
        return said_bounds(cells, ply, pair[0], pair[1], is_misere);
    });
}

}  // namespace

std::span<const Question> review_questions() {
    static constexpr Question questions[] = {{"review", review}, {"score.describe", bounds}};
    return questions;
}

}  // namespace fourcast::study
