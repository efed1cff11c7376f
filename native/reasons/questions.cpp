#include "questions.hpp"

#include <limits>

#include "board/position_value.hpp"
#include "follow.hpp"
#include "marks.hpp"
#include "move.hpp"
#include "proof_value.hpp"
#include "replay.hpp"
#include "rules.hpp"
#include "solver/answer_value.hpp"
#include "solver/said.hpp"
#include "system/text.hpp"
#include "tactics.hpp"
#include "words.hpp"

namespace fourcast::reasons {
namespace {

constexpr int version = 1;  // of the JSON of explanations

Solver& solver_of(const study::Context& context) {
    if (context.solver == nullptr) throw OptionError("error.needs_solver");
    return *context.solver;
}

int column_from(const Value& value, const Position& position) {
    return static_cast<int>(value.integer("column", 0, position.width() - 1));
}

ColumnSet columns_from(const Value& value, const char* what, const Position& position) {
    ColumnSet columns = 0;
    for (const int column : value.integers(what, 0, position.width() - 1))
        columns |= only<ColumnSet>(column);
    return columns;
}

// ---- Explanations as values ----------------------------------------------------------------------

Value explanation_value(const Explanation& explanation) {
    const int height = explanation.verdict.position.height();
    const auto claim = [&](const Claim& each) { return claim_value(each, height); };
    return object({{"version", version},
                   {"verdict", to_value(explanation.verdict)},
                   {"line", explanation.line},
                   {"claims", array_of(explanation.claims, claim)},
                   {"idea", explanation.idea},
                   {"complete", explanation.complete}});
}

std::vector<Claim> claims_from(const Value& value, const Position& position) {
    std::vector<Claim> claims;
    for (const Value& each : value.array("claims")) claims.push_back(claim_from(each, position));
    return claims;
}

Proven proven_from(const Value& value, const Position& position) {
    const auto bound = [&](const char* name) {
        return static_cast<int>(value.at(name).integer(name, -max_bits, max_bits));
    };
    return {position, bound("lower"), bound("upper")};
}

Result result_from(const Value& value, const Position& position) {
    const Proven proven = proven_from(value, position);
    Result result(position, proven.lower, proven.upper, true);
    if (const Value& best = value.get("best_columns"); !best.is_null())
        if (const ColumnSet columns = columns_from(best, "best_columns", position); columns != 0)
            result.best_columns = columns;
    return result;
}

/// The explanation of a position, as far as it says something about it.
Explanation explanation_from(const Value& value, const Position& position) {
    Explanation result;
    result.verdict = result_from(value.at("verdict"), position);
    result.line = value.at("line").integers("line", 0, position.width() - 1);
    result.claims = claims_from(value.at("claims"), position);
    result.idea = value.get("idea");
    result.complete = value.at("complete").truth("complete");
    return result;
}

MoveExplanation move_from(const Value& value, const Position& position) {
    MoveExplanation result;
    const int column = column_from(value.at("column"), position);
    const Proven after = proven_from(value.at("after"), position);
    result.before = result_from(value.at("before"), position);
    result.after = Line(position, column, after.lower, after.upper);
    result.keeping = columns_from(value.at("keeping"), "keeping", position);
    result.replies = columns_from(value.at("replies"), "replies", position);
    if (result.keeping == 0) throw OptionError("error.nothing_keeps");
    if (const Value& reason = value.get("reason"); !reason.is_null())
        result.reason = explanation_from(reason, position.play(column));
    if (const Value& better = value.get("better"); !better.is_null())
        result.better = explanation_from(better, position.play(result.instead()));
    return result;
}

// ---- The questions -------------------------------------------------------------------------------

Effort effort_from(const Value& request) {
    const Value& quick = request.get("quick");
    return !quick.is_null() && quick.truth("quick") ? Effort::quick : Effort::full;
}

Value ask_explain(const Value& request, const study::Context& context) {
    return explanation_value(explain(position_from(request), solver_of(context), effort_from(request),
                                     from_value<Limit>(request.get("limit")), context.check,
                                     context.token));
}

/// The idea of an explanation that has none: its claims may come from a file.
Value ask_idea(const Value& request, const study::Context& context) {
    Explanation found = explanation_from(request.at("explanation"), position_from(request));
    Position start = found.verdict.position;
    for (const int column : found.line) {
        if (const auto refusal = start.refusal(column)) throw IllegalMoveError(*refusal);
        start = start.play(column);
    }
    for (const Claim& claim : found.claims) replay(start, claim);
    add_idea(found, solver_of(context), from_value<Limit>(request.get("limit")), context.check,
             context.token);
    return found.idea;
}

Value ask_explain_move(const Value& request, const study::Context& context) {
    const Position position = position_from(request);
    const Value& reason_limit = request.get("reason_limit");
    const MoveExplanation found =
        explain_move(position, column_from(request.at("column"), position), solver_of(context),
                     effort_from(request), from_value<Limit>(request.get("limit")),
                     from_value<Limit>(reason_limit.is_null() ? request.get("limit") : reason_limit),
                     context.check, context.token);
    const auto part = [](const std::optional<Explanation>& maybe) {
        return maybe ? std::optional(explanation_value(*maybe)) : std::nullopt;
    };
    return object({{"version", version},
                   {"column", found.after.column},
                   {"before", to_value(found.before)},
                   {"after", to_value(found.after)},
                   {"keeping", to_value(found.keeping)},
                   {"replies", to_value(found.replies)},
                   {"reason", part(found.reason)},
                   {"better", part(found.better)}});
}

Value described(const Explanation& explanation) {
    const Value drawn = marks(explanation);
    const auto with_legend = [](const Value& each) {
        Value marked = each;
        marked.add("legend", legend(each));
        return marked;
    };
    return object({{"said", said(explanation)},
                   {"proof", said_proof(explanation)},
                   {"marks", array_of(drawn.array("marks"), with_legend)}});
}

Value ask_describe_explanation(const Value& request, const study::Context&) {
    return described(explanation_from(request.at("explanation"), position_from(request)));
}

Value ask_describe_move(const Value& request, const study::Context&) {
    const MoveExplanation move = move_from(request.at("move"), position_from(request));
    const auto part = [](const std::optional<Explanation>& maybe) {
        return maybe ? std::optional(described(*maybe)) : std::nullopt;
    };
    return object({{"said", said(move)},
                   {"proof", said_proof(move)},
                   {"brief", said_in_brief(move)},
                   {"instead", move.is_mistake() ? std::optional(move.instead()) : std::nullopt},
                   {"reason", part(move.reason)},
                   {"better", part(move.better)}});
}

Value ask_describe_columns(const Value& request, const study::Context&) {
    const Position position = position_from(request);
    std::vector<ColumnReason> columns;
    for (const Value& each : request.at("columns").array("columns")) {
        const int column = column_from(each.at("column"), position);
        ColumnReason& added =
            columns.emplace_back(ColumnReason{proven_from(each, position), column, std::nullopt});
        if (const Value& reason = each.get("reason"); !reason.is_null())
            added.reason = explanation_from(reason, position.play(column));
    }
    return said_of_columns(columns, request.get("idea"));
}

/// What marks mean; with a position "now", in a game against the reason, what is left of them.
Value ask_legend(const Value& request, const study::Context&) {
    const Value &marks = request.at("marks"), &now = request.get("now");
    if (now.is_null()) return legend(marks);
    const Position begin = position_from(object({{"rows", marks.at("rows")}}));
    return legend(marks_left(marks, begin, position_from(now)));
}

Value followed_value(const Claim& claim, const Followed& game) {
    const Value::Member player{"player", said_player(claim.player)};
    const Value::Member opponent{"opponent", said_player(3 - claim.player)};
    Value::Array said;
    std::optional<std::pair<int, int>> answer;
    if (!game.why.empty()) {
        const int column = game.columns.back();
        answer.emplace(column, game.position.column_height(column) - 1);
        const Value square = said_square({answer->first, answer->second});
        std::string pattern = game.why == "line" ? "plays" : std::string(game.why);
        if (game.why != "line" && game.why != "four") pattern = "follow_" + pattern;
        said.push_back(say(pattern, {player, opponent, {"square", square}}));
    }
    if (game.state == "held") said.push_back(say("follow_held", {player, opponent}));
    return object({{"player", claim.player},
                   {"goal", claim.goal == Role::win ? "win" : "hold"},
                   {"columns", game.columns},
                   {"answer", answer},
                   {"why", answer ? std::optional(std::string(game.why)) : std::nullopt},
                   {"state", game.state},
                   {"said", said}});
}

Value ask_follow(const Value& request, const study::Context&) {
    const Position position = position_from(request);
    const Value& player = request.get("player");
    const int wanted = player.is_null() ? 0 : static_cast<int>(player.integer("player", 1, 2));
    std::vector<long long> replies;
    for (const Value& each : request.at("replies").array("replies"))
        replies.push_back(each.integer("a reply", std::numeric_limits<long long>::min(),
                                       std::numeric_limits<long long>::max()));
    for (const Claim& claim : claims_from(request.at("claims"), position))
        if (wanted == 0 || wanted == claim.player)
            return followed_value(claim, follow(position, claim, replies));
    if (wanted == 0) throw OptionError("error.no_claim");
    throw OptionError("error.no_claim_of", {{"number", wanted}});
}

Value ask_check_claim(const Value& request, const study::Context&) {
    const Position position = position_from(request);
    const Claim claim = claim_from(request.at("claim"), position);
    return object({{"positions", replay(position, claim)}});
}

Value ask_clause_count(const Value& request, const study::Context&) {
    const Position position = position_from(request);
    return clause_count(claim_from(request.at("claim"), position), position);
}

Value ask_forced_win(const Value& request, const study::Context&) {
    const auto discs = static_cast<int>(request.at("discs").integer("discs", 0, max_bits));
    return forced_win(position_from(request), discs);
}

Value ask_tactics(const Value& request, const study::Context&) {
    const Position position = position_from(request);
    const int column = column_from(request.at("column"), position);
    if (const auto refusal = position.refusal(column)) throw IllegalMoveError(*refusal);
    return object(
        {{"tactics", said_of_tactics(position, column)}, {"merit", said_of_merit(position, column)}});
}

constexpr study::Question reasons_questions[] = {
    {"position.explain", ask_explain},
    {"explanation.idea", ask_idea},
    {"move.explain", ask_explain_move},
    {"explanation.describe", ask_describe_explanation},
    {"move.describe", ask_describe_move},
    {"columns.describe", ask_describe_columns},
    {"marks.legend", ask_legend},
    {"claim.follow", ask_follow},
    {"claim.check", ask_check_claim},
    {"claim.clauses", ask_clause_count},
    {"position.forced_win", ask_forced_win},
    {"move.tactics", ask_tactics},
};

}  // namespace

std::span<const study::Question> questions() { return reasons_questions; }

}  // namespace fourcast::reasons
