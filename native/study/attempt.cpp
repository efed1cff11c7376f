#include "attempt.hpp"

#include <algorithm>

#include "board/center.hpp"
#include "board/moves_text.hpp"
#include "board/position_value.hpp"
#include "plan.hpp"
#include "solver/said.hpp"
#include "system/text.hpp"

namespace fourcast::study {
namespace {

using Columns = std::vector<int>;

bool contains(const Columns& columns, int column) {
    return std::ranges::find(columns, column) != columns.end();
}

bool is_start_of(const Columns& columns, const Columns& line) {
    return columns.size() <= line.size() && std::equal(columns.begin(), columns.end(), line.begin());
}

Columns with(Columns columns, int column) {
    columns.push_back(column);
    return columns;
}

/// The quickest columns, or those that keep the result.
Columns right_columns(const ColumnScores& scores, PuzzleGoal goal) {
    return goal == PuzzleGoal::win ? scores.best() : scores.keeping();
}

/// The columns that are right after `played`.
Columns accepted(const Outcomes& outcomes, const Puzzle& puzzle, const Columns& played) {
    if (puzzle.goal == PuzzleGoal::break_plan) {
        Columns columns;
        for (const Break& each : breaks_of(outcomes.after(played))) columns.push_back(each.column);
        return columns;
    }
    if (puzzle.keeps() && played.size() < puzzle.solution.size() && is_start_of(played, puzzle.solution))
        return {puzzle.solution[played.size()]};
    return right_columns(outcomes.scores(played), puzzle.goal);
}

/// A request about a puzzle after the moves "columns" of both sides.
struct Tried {
    Puzzle puzzle;
    Columns played;
    Outcomes outcomes;

    Tried(const Value& request, const Context& context)
        : puzzle(puzzle_from(request.at("puzzle"))),
          played(request.at("columns").integers("columns", 0, max_bits)),
          outcomes(request, context, puzzle.position()) {}
};

Value accepted_columns(const Value& request, const Context& context) {
    const Tried tried(request, context);
    return or_needs(
        [&] { return object({{"accepted", accepted(tried.outcomes, tried.puzzle, tried.played)}}); });
}

/// What is said of a column that wins as well, but not as quickly as a puzzle asks for: it is taken back
/// and costs nothing. Null of any other column.
Value said_slower(const Tried& tried, int column) {
    if (tried.puzzle.goal != PuzzleGoal::win) return nullptr;
    const Position position = tried.outcomes.after(tried.played);
    const ColumnScores scores = tried.outcomes.scores(tried.played);
    for (const auto& [each, score] : scores.all())
        if (each == column && score > 0)
            return say("puzzle.slower",
                       {{"column", said_column(column)},
                        {"count", winner_moves(position.cells(), position.ply(), score)}});
    return nullptr;
}

/// The attempt after the player's move "column", with the opponent's reply if it goes on: the moves of
/// both sides, the state "open", "solved" or "failed", and what is said of a slower win.
Value try_column(const Value& request, const Context& context) {
    const Tried tried(request, context);
    const auto column = request.at("column").integer("column", -max_bits, max_bits);
    const Position after = tried.outcomes.after(tried.played).play(column);
    const Columns played = with(tried.played, static_cast<int>(column));
    const Columns& solution = tried.puzzle.solution;
    return or_needs([&] {
        const auto state = [](const Columns& columns, const char* name, Value said = {}) {
            return object({{"columns", columns}, {"state", name}, {"said", std::move(said)}});
        };
        const bool follows = is_start_of(played, solution);
        if (!follows && !contains(accepted(tried.outcomes, tried.puzzle, tried.played), played.back())) {
            Value slower = said_slower(tried, played.back());
            if (!slower.is_null()) return state(tried.played, "open", std::move(slower));
            return state(played, "failed");
        }
        const bool breaks = tried.puzzle.goal == PuzzleGoal::break_plan;
        if (after.is_over() || (!breaks && played.size() >= solution.size()))
            return state(played, "solved");
        if (follows) return state(with(played, solution[played.size()]), "open");
        if (!breaks)
            return state(with(played, best_reply(tried.outcomes, played, tried.puzzle.goal)), "open");
        const auto ways = breaks_of(tried.outcomes.after(tried.played));
        return state(with(played, *std::ranges::find(ways, played.back(), &Break::column)->reply),
                     "open");
    });
}

/// Where the plan of a puzzle that asks to break it goes wrong: the moves of the solution before that
/// answer, the answer, and the column nearest the center that would have kept the result.
Value hole(const Value& request, const Context& context) {
    const Puzzle puzzle = puzzle_from(request.at("puzzle"));
    const Outcomes outcomes(request, context, puzzle.position());
    return or_needs([&] {
        for (std::size_t i = 1; i < puzzle.solution.size(); i += 2) {
            const Columns before(puzzle.solution.begin(),
                                 puzzle.solution.begin() + static_cast<std::ptrdiff_t>(i));
            const Columns keeping = outcomes.scores(before).keeping();
            if (contains(keeping, puzzle.solution[i])) continue;
            const Columns order = columns_from_center(puzzle.width);
            const auto is_right = [&](int column) { return contains(keeping, column); };
            return object({{"columns", before},
                           {"answer", puzzle.solution[i]},
                           {"better", *std::ranges::find_if(order, is_right)}});
        }
        return Value();
    });
}

Value reply(const Value& request, const Context& context) {
    const Outcomes outcomes(request, context, position_from(request));
    const PuzzleGoal goal = goal_from(request.at("goal"));
    return or_needs([&] { return object({{"column", best_reply(outcomes, {}, goal)}}); });
}

/// An exercise of a mistake of a game, the one with this number from 1: find a better move than the one
/// played. Null if the move kept the result.
Value exercise(const Value& request, const Context& context) {
    const std::string moves = request.at("game").text("game");
    const auto side = [&](const char* name) {
        return static_cast<int>(request.at(name).integer(name, 0, max_bits));
    };
    const int width = side("width"), height = side("height");
    const auto number = static_cast<std::size_t>(
        request.at("number").integer("number", 1, static_cast<long long>(moves.size())));
    const std::string before = moves.substr(0, number - 1);
    const int played = parse_moves(utf32(moves.substr(number - 1, 1)), width).at(0);
    const Outcomes outcomes(request, context, play_text(Position(width, height), utf32(before)));
    return or_needs([&] {
        const ColumnScores scores = outcomes.scores({});
        if (contains(scores.keeping(), played)) return object({{"puzzle", nullptr}});
        const Columns order = columns_from_center(width);
        const int best =
            *std::ranges::find_if(order, [&](int column) { return contains(scores.best(), column); });
        const Puzzle puzzle{.moves = before,
                            .goal = PuzzleGoal::better,
                            .solution = {best},
                            .ending = PuzzleEnding::choice,
                            .tempting = played,
                            .width = width,
                            .height = height};
        return object({{"puzzle", puzzle_value(puzzle)}});
    });
}

}  // namespace

int best_reply(const Outcomes& outcomes, const Columns& played, PuzzleGoal goal) {
    const Position position = outcomes.after(played);
    const Columns replies = outcomes.scores(played).best();
    const ColumnSet blocks = position.winning_columns(3 - position.turn());
    const auto is_block = [&](int column) { return (blocks >> column & 1) != 0; };
    const bool must_block = std::ranges::any_of(replies, is_block);
    Columns order;
    for (const int column : columns_from_center(position.width()))
        if (contains(replies, column) && (!must_block || is_block(column))) order.push_back(column);
    if (order.size() == 1) return order[0];
    return std::ranges::min(order, {}, [&](int column) -> std::size_t {
        const Columns after = with(played, column);
        return outcomes.after(after).is_over() ? 0 : right_columns(outcomes.scores(after), goal).size();
    });
}

std::span<const Question> attempt_questions() {
    static constexpr Question questions[] = {{"puzzle.accepted", accepted_columns},
                                             {"puzzle.try", try_column},
                                             {"puzzle.hole", hole},
                                             {"puzzle.reply", reply},
                                             {"puzzle.exercise", exercise}};
    return questions;
}

}  // namespace fourcast::study
