#include "review.hpp"

#include <cstdio>
#include <cstdlib>
#include <vector>

#include "board/moves_text.hpp"
#include "board/position_value.hpp"
#include "solver/said.hpp"
#include "system/text.hpp"

namespace fourcast::study {
namespace {

constexpr int most_score = max_bits;

/// A move of a reviewed game, as a home hands it over.
struct ReviewedMove : JudgedMove {
    int number;
    int column;
    int ply;  // before it
    std::vector<int> best_columns;
};

struct ReviewedGame {
    int cells;
    std::vector<ReviewedMove> moves;
    ReviewSummary summary;
};

std::optional<int> score_from(const Value& value, const char* what) {
    if (value.is_null()) return std::nullopt;
    return static_cast<int>(value.integer(what, -most_score, most_score));
}

ReviewedMove move_from(const Value& value, int width, int cells) {
    const auto integer = [&](const char* name, int low, int high) {
        return static_cast<int>(value.at(name).integer(name, low, high));
    };
    return {{integer("player", 1, 2), score_from(value.get("score_before"), "score_before"),
             score_from(value.get("score_after"), "score_after")},
            integer("number", 1, cells),
            integer("column", 0, width - 1),
            integer("ply", 0, cells - 1),
            value.at("best_columns").integers("best_columns", 0, width - 1)};
}

/// The moves of a game from the position that a request names, with the scores of its positions from the
/// first to the last, for the side to move.
std::vector<ReviewedMove> moves_from(const Value& request) {
    const Position start = position_from(request);
    const auto steps = play_steps(start, utf32(request.at("game").text("game")));
    const auto& scores = request.at("scores").array("scores");
    const auto& best = request.at("best_columns").array("best_columns");
    if (scores.size() != steps.size() + 1 || best.size() != scores.size())
        throw OptionError("error.review_scores");
    std::vector<ReviewedMove> moves;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const Position& after = steps[i].position;
        const auto left =
            after.is_over() ? std::optional(final_score(after)) : score_from(scores[i + 1], "scores");
        moves.push_back({{3 - after.turn(), score_from(scores[i], "scores"),
                          left ? std::optional(-*left) : std::nullopt},
                         static_cast<int>(i) + 1,
                         steps[i].column,
                         after.ply() - 1,
                         best[i].integers("best_columns", 0, start.width() - 1)});
    }
    return moves;
}

ReviewedGame game_from(const Value& request) {
    ReviewedGame game{};
    if (const Value& moves = request.get("moves"); !moves.is_null()) {
        const auto side = [&](const char* name) {
            return static_cast<int>(request.at(name).integer(name, min_side, max_bits));
        };
        const int width = side("width");
        game.cells = width * side("height");
        for (const Value& move : moves.array("moves"))
            game.moves.push_back(move_from(move, width, game.cells));
    } else {
        game.cells = position_from(request).cells();
        game.moves = moves_from(request);
    }
    const std::vector<JudgedMove> judged(game.moves.begin(), game.moves.end());
    game.summary = summarize(judged, highest_score(game.cells));
    return game;
}

/// How good a move was, what it leads to, and what would have been better.
Value said_move(const ReviewedMove& move, int cells) {
    const auto verdict = move.verdict();
    if (!verdict) return say("review_open");
    const int before = *move.before, after = *move.after;
    const Value name = say(std::string("verdict_") + name_of(*verdict));
    const bool is_at_once = after > 0 && winner_moves(cells, move.ply, after) == 1;
    const Value now = is_at_once ? say("review_at_once") : said_bounds(cells, move.ply, after, after);
    const int count = winner_moves(cells, move.ply, before);
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
    if (game.summary.decisive) {
        const ReviewedMove& move = game.moves[*game.summary.decisive];
        const Value player = said_player(move.player);
        const std::string column = said_column(move.column);
        const int count = winner_moves(game.cells, move.ply, *move.before);
        Value::Array said{*move.before > 0
                              ? say("review_decided_win", {{"number", move.number},
                                                           {"player", player},
                                                           {"column", column},
                                                           {"count", count}})
                              : say("review_decided_draw",
                                    {{"number", move.number}, {"player", player}, {"column", column}})};
        const auto& best = move.best_columns;
        if (!best.empty())
            said.push_back(
                say("review_best", {{"columns", said_columns(best)}, {"count", best.size()}}));
        return said;
    }
    if (game.moves.empty()) return {say("review_nothing")};
    if (!game.summary.complete) return {say("review_too_late")};
    const auto count = std::ranges::count_if(
        game.moves, [](const ReviewedMove& move) { return move.verdict() == Verdict::inaccuracy; });
    return {count == 0 ? say("review_no_error") : say("review_inaccuracies", {{"count", count}})};
}

/// With one digit.
std::string percent(double share) {
    char digits[16];
    std::snprintf(digits, sizeof digits, "%.1f", share);
    return digits;
}

/// The accuracy of each side that has moved; of none that has a move which was not judged.
Value::Array accuracies(const ReviewedGame& game) {
    Value::Array known;
    for (const int player : {1, 2}) {
        const bool is_judged = std::ranges::all_of(game.moves, [&](const ReviewedMove& move) {
            return move.player != player || move.verdict();
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

/// The moves of a game, judged by the scores before and after them. A request has a position where the
/// game began, the game as a move string, and for each of its positions the score, null where it is not
/// known, and the best columns; or "moves", each with its number from 1, its player, its column, the
/// discs on the board before it, the scores of its player before and after it, and the best columns.
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
                       {"said", said_move(move, game.cells)}});
    });
    const auto decisive = game.summary.decisive;
    const Value::Array shares = accuracies(game), decision = said_decision(game);
    Value::Array said = said_accuracy(shares);
    said.insert(said.end(), decision.begin(), decision.end());
    const Value rounded = array_of(game.summary.accuracy, [](const std::optional<double>& share) {
        return share ? Value(std::strtod(percent(*share).c_str(), nullptr)) : Value();
    });
    return object({{"complete", game.summary.complete},
                   {"moves", moves},
                   {"accuracy_first", game.summary.accuracy[0]},
                   {"accuracy_second", game.summary.accuracy[1]},
                   {"percents", rounded},
                   {"accuracies", shares},
                   {"decisive", decisive ? Value(game.moves[*decisive].number) : Value()},
                   {"decision", decision},
                   {"said", said}});
}

/// What the side to move gets if its score lies between bounds, for a list of them.
Value bounds(const Value& request, const Context&) {
    const auto side = [&](const char* name) {
        return static_cast<int>(request.at(name).integer(name, 0, max_bits));
    };
    const int cells = side("width") * side("height"), ply = side("ply");
    return array_of(request.at("bounds").array("bounds"), [&](const Value& each) {
        const auto pair = each.integers("bounds", -most_score, most_score);
        if (pair.size() != 2)
            throw OptionError("error.cannot_be", {{"what", "bounds"}, {"given", each.json()}});
        return said_bounds(cells, ply, pair[0], pair[1]);
    });
}

}  // namespace

std::span<const Question> review_questions() {
    static constexpr Question questions[] = {{"review", review}, {"bounds", bounds}};
    return questions;
}

}  // namespace fourcast::study
