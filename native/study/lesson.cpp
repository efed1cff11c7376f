#include "lesson.hpp"

#include <algorithm>
#include <set>

#include "attempt.hpp"
#include "board/moves_text.hpp"
#include "board/notation.hpp"
#include "board/position_value.hpp"
#include "reasons/tactics.hpp"
#include "solver/said.hpp"
#include "system/text.hpp"

namespace fourcast::study {
namespace {

using Columns = std::vector<int>;

/// What a step asks for: a column that completes a four, that stops one, that makes two threats at once,
/// or that keeps the result; a square; or a game against the best replies, won at all or as quickly as
/// possible.
enum class Task { four, block, fork, keep, point, play, force };

constexpr std::pair<std::string_view, Task> tasks[] = {
    {"four", Task::four},   {"block", Task::block}, {"fork", Task::fork},  {"keep", Task::keep},
    {"point", Task::point}, {"play", Task::play},   {"force", Task::force}};

struct LessonStep {
    std::string lesson;
    int number;  // from 1
    Position start;
    Task task;
    std::string task_name;
    std::vector<std::string> accept;  // columns or squares, as people write them; none for a game
    std::vector<std::string> wrong;   // those with a text of their own

    bool is_game() const { return task == Task::play || task == Task::force; }
    /// The name of one of the texts of the step.
    std::string text(std::string_view part) const {
        return "lesson." + lesson + "." + std::to_string(number) + "." + std::string(part);
    }
};

std::vector<std::string> texts_from(const Value& value, std::string_view what) {
    std::vector<std::string> texts;
    if (value.is_null()) return texts;
    for (const Value& each : value.array(what)) texts.push_back(each.text(what));
    return texts;
}

LessonStep step_from(const Value& request) {
    const Value& given = request.at("step");
    const std::string& name = given.at("task").text("task");
    const auto known = std::ranges::find(tasks, name, &std::pair<std::string_view, Task>::first);
    if (known == std::end(tasks))
        throw OptionError("error.cannot_be", {{"what", "task"}, {"given", name}});
    return {.lesson = request.at("lesson").text("lesson"),
            .number = static_cast<int>(request.at("number").integer("number", 1, 100)),
            .start = position_from(given),
            .task = known->second,
            .task_name = name,
            .accept = texts_from(given.get("accept"), "accept"),
            .wrong = texts_from(given.get("wrong"), "wrong")};
}

bool contains(const auto& all, const auto& one) { return std::ranges::find(all, one) != all.end(); }

/// A sentence with the names of both sides.
Value tell(std::string_view pattern, const LessonStep& step,
           std::initializer_list<Value::Member> more = {}) {
    Value facts =
        object({{"you", said_player(step.start.turn())}, {"they", said_player(3 - step.start.turn())}});
    facts.join(object(more));
    return object({{"pattern", pattern}, {"facts", facts}});
}

/// A request about a step after the moves "columns" of both sides.
struct TriedStep {
    LessonStep step;
    Columns played;
    Outcomes outcomes;

    TriedStep(const Value& request, const Context& context)
        : step(step_from(request)),
          played(request.at("columns").integers("columns", 0, max_bits)),
          outcomes(request, context, step.start) {}

    /// The columns and squares that are right now.
    std::vector<std::string> answers() const {
        if (!step.is_game()) return step.accept;
        const ColumnScores scores = outcomes.scores(played);
        std::vector<std::string> names;
        for (const int column : step.task == Task::force ? scores.best() : scores.keeping())
            names.push_back(said_column(column));
        return names;
    }
};

/// Discs of a forced win that the opponent may find.
constexpr int longest_force = 5;

/// What comes of a wrong column: sentences, and the opponent's reply if there is one to show.
struct Refutation {
    Value::Array said;
    std::optional<int> reply{};
    bool wins = false;  // all the same
};

Refutation refutation(const TriedStep& tried, int column) {
    const LessonStep& step = tried.step;
    Columns played = tried.played;
    const Position before = tried.outcomes.after(played);
    const Position after = before.play(column);
    played.push_back(column);
    if (after.is_over()) return {{tell("learn.then_full", step)}};
    // A four that was missed is what the person is to find.
    const bool misses_four = before.winning_columns(before.turn()) != 0;
    const Value sight = misses_four ? Value() : reasons::said_of_tactics(before, column);
    const std::vector<int> force = reasons::forcing_line(after, longest_force);
    if (!force.empty() && !sight.is_null()) return {{sight}, force[0]};
    const auto replies = [&](std::string_view pattern, int reply) {
        return tell(
            pattern, step,
            {{"square", said_square(reasons::landing(after, reply))}, {"column", said_column(reply)}});
    };
    if (force.size() == 1) return {{replies("learn.then_four", force[0])}, force[0]};
    const int score = tried.outcomes.scores(played).best_score();
    if (score < 0)
        return {
            {tell(misses_four ? "learn.then_later" : "learn.then_slower", step)}, std::nullopt, true};
    const int reply = best_reply(tried.outcomes, played, PuzzleGoal::better);
    const bool blocks = (after.winning_columns(step.start.turn()) >> reply & 1) != 0;
    return {{replies(blocks ? "learn.then_blocks" : "learn.then_plays", reply),
             tell(score > 0 ? "learn.then_loses" : "learn.then_draws", step)},
            reply};
}

Value state(const char* name, const Columns& columns, Value::Array said) {
    return object({{"state", name}, {"columns", columns}, {"said", std::move(said)}});
}

Value try_square(const LessonStep& step, const std::string& answer) {
    if (contains(step.accept, answer)) return state("done", {}, {tell(step.text("right"), step)});
    const std::string own = "wrong." + answer;
    return state("wrong", {},
                 {contains(step.wrong, answer) ? tell(step.text(own), step)
                                               : tell("learn.not_there", step, {{"square", answer}}),
                  tell(step.text("hint"), step)});
}

/// The step after the person's "answer", a column or a square: "done"; "open" in a game that goes on,
/// after the reply; "wrong", with the reply that shows why; or "slower" if it wins, but not as asked.
/// "said" are the sentences about it.
Value try_answer(const Value& request, const Context& context) {
    const TriedStep tried(request, context);
    const LessonStep& step = tried.step;
    const std::string& answer = request.at("answer").text("answer");
    if (step.task == Task::point) return try_square(step, answer);
    const Position before = tried.outcomes.after(tried.played);
    const int column = parse_column(utf32(answer), before.width());
    const Position after = before.play(column);
    return or_needs([&] {
        Columns columns = tried.played;
        columns.push_back(column);
        const bool has_won = after.winner() == step.start.turn();
        if (!has_won && !contains(tried.answers(), answer)) {
            Refutation refuted = refutation(tried, column);
            if (refuted.reply) columns.push_back(*refuted.reply);
            if (contains(step.wrong, answer) && tried.played.empty())
                refuted.said.push_back(tell(step.text("wrong." + answer), step));
            return state(refuted.wins ? "slower" : "wrong", columns, refuted.said);
        }
        if (has_won || !step.is_game()) return state("done", columns, {tell(step.text("right"), step)});
        const int reply = best_reply(tried.outcomes, columns, PuzzleGoal::better);
        columns.push_back(reply);
        return state(
            "open", columns,
            {tell("learn.go_on", step, {{"square", said_square(reasons::landing(after, reply))}})});
    });
}

Value answers(const Value& request, const Context& context) {
    const TriedStep tried(request, context);
    return or_needs([&] { return object({{"answers", tried.answers()}}); });
}

/// Whom a step is for, what it teaches, and what it asks for.
Value task(const Value& request, const Context&) {
    const LessonStep step = step_from(request);
    const std::string own = step.text("task");
    return object(
        {{"player", step.start.turn()},
         {"points", step.task == Task::point},
         {"text", tell(step.text("text"), step)},
         {"task", tell(step.task == Task::point ? own : "learn.task." + step.task_name, step)}});
}

/// How far somebody has come: "learned" are the lines of a history (see training.hpp). Of each lesson
/// the number of its steps, those that are done, and the one to go on with; "next" is the lesson to go
/// on with, null after the last one.
Value progress(const Value& request, const Context&) {
    std::set<std::pair<std::string, int>> done;
    for (const Value& each : request.at("learned").array("learned")) {
        const Value& lesson = each.get("lesson");
        if (lesson.is_null())
            done.clear();
        else
            done.emplace(lesson.text("lesson"),
                         static_cast<int>(each.at("step").integer("step", 1, 100)));
    }
    Value next;
    Value::Array lessons;
    for (const Value& lesson : request.at("lessons").array("lessons")) {
        const std::string& id = lesson.at("id").text("id");
        const int count = static_cast<int>(lesson.at("steps").array("steps").size());
        Columns steps;
        int first = 0;
        for (int step = 1; step <= count; ++step) {
            if (done.contains({id, step}))
                steps.push_back(step);
            else if (first == 0)
                first = step;
        }
        if (first != 0 && next.is_null()) next = id;
        lessons.push_back(object({{"id", id},
                                  {"steps", count},
                                  {"done", steps},
                                  {"is_done", first == 0},
                                  {"step", first == 0 ? 1 : first}}));
    }
    return object({{"lessons", lessons}, {"next", next}});
}

/// The lesson about what can be seen of a move, by the pattern that says it (see tactics.hpp).
constexpr std::pair<std::string_view, std::string_view> lessons_of_sight[] = {
    {"missed_four", "threats"}, {"missed_block", "blocks"}, {"gave_above", "above"},
    {"let_double", "double"},   {"let_stack", "stacked"},   {"let_force", "forcing"}};
/// That of a game without any of these.
constexpr std::string_view lesson_of_quiet_games = "zugzwang";

/// The lesson that fits a game that "player" has lost: about the last move of theirs in which anybody
/// can see a mistake.
Value fitting(const Value& request, const Context&) {
    const auto player = request.at("player").integer("player", 1, 2);
    Position position;
    std::string_view lesson = lesson_of_quiet_games;
    for (const int column : parse_moves(utf32(request.at("moves").text("moves")), position.width())) {
        if (position.turn() == player) {
            const Value sight = reasons::said_of_tactics(position, column);
            for (const auto& [pattern, id] : lessons_of_sight)
                if (pattern_of(sight) == pattern) lesson = id;
        }
        position = position.play(column);
    }
    return object({{"lesson", lesson}});
}

}  // namespace

std::span<const Question> lesson_questions() {
    static constexpr Question questions[] = {{"lessons", progress},
                                             {"lesson.task", task},
                                             {"lesson.try", try_answer},
                                             {"lesson.answers", answers},
                                             {"lesson.fitting", fitting}};
    return questions;
}

}  // namespace fourcast::study
