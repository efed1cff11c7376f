// What is said and judged of games, puzzles and training, by the questions that the homes ask.
#include "study/ask.hpp"

#include <array>
#include <cmath>

#include "study/digest.hpp"
#include "study/review.hpp"
#include "testing.hpp"

namespace fourcast {

namespace {

Value asked(const char* question, const char* request) {
    return study::ask(question, Value::from_json(request), {});
}

}  // namespace

TEST("study: a question that nobody knows is refused") {
    CHECK_THROWS(asked("nonsense", "{}"), OptionError, "error.no_question");
}

TEST("study: bounds are told by what is proven of the outcome") {
    const Value said = asked("score.describe", R"({"width": 7, "height": 6, "ply": 0,
        "bounds": [[1, 1], [0, 0], [1, 5], [-3, 0], [-2, 1], [0, 4], [-4, -1]]})");
    // The last disc that can win is number 41, the first player's 21st.
    CHECK(said.array("said")[0].json() == R"({"pattern":"score.wins","facts":{"count":21}})");
    const char* patterns[] = {"score.wins",          "score.draws", "score.wins_by",
                              "score.at_most_draws", "score.open",  "score.at_least_draws",
                              "score.loses_by"};
    for (std::size_t i = 0; i < 7; ++i)
        CHECK(said.array("said")[i].at("pattern").text("pattern") == patterns[i]);
}

TEST("study: a game is judged by its scores, and the last change of the result decided it") {
    // 4x4: after 121314 both sides have drawn, until the sixth move lets the first player win.
    const Value review = asked("review", R"({"width": 4, "height": 4, "game": "1213141", "judged": [
        {"score_before": 0, "score_after": 0, "scores": [0,0,0,0], "best_columns": [0]},
        {"score_before": 0, "score_after": 0, "scores": [0,0,0,0], "best_columns": [1]},
        {"score_before": 0, "score_after": 0, "scores": [0,0,0,0], "best_columns": [0]},
        {"score_before": 0, "score_after": 0, "scores": [0,0,0,0], "best_columns": [2]},
        {"score_before": 0, "score_after": 0, "scores": [0,0,0,0], "best_columns": [0]},
        {"score_before": 0, "score_after": -5, "scores": [0,-5,-5,-5], "best_columns": [0]},
        {"score_before": 5, "score_after": 5, "scores": [5,0,0,0], "best_columns": [0]}]})");
    CHECK(review.at("complete") == Value(true));
    CHECK(review.at("decisive") == Value(6));
    CHECK(review.at("accuracy_first").number("it") == 100);
    const auto& moves = review.at("moves").array("moves");
    CHECK(moves.size() == 7);
    CHECK(moves[5].at("verdict") == Value("mistake"));
    CHECK(moves[5].at("loss") == Value(5));
    CHECK(moves[5].at("said").at("pattern") == Value("review_better"));
    CHECK(moves[6].at("verdict") == Value("best"));
    CHECK(moves[6].at("score_first") == Value(5));
    // Of 0.75 all that was at stake, 0.5, is lost, and that move counts once more: 1/3 * (1 - 0.4 *
    // 0.5).
    CHECK(review.at("accuracy").array("it")[0].at("facts").at("other") == Value("26.7"));
    CHECK(moves[5].at("oversight") == Value("missed_block"));
    CHECK(moves[5].at("mistake").at("pattern") == Value("missed_block"));
    const auto& story = review.at("story").array("story");
    const char* patterns[] = {"review_story_won", "review_turn_draw_loss", "review_lesson_missed_block"};
    CHECK(story.size() == 3);
    for (std::size_t i = 0; i < 3; ++i)
        CHECK(story[i].array("paragraph")[0].at("pattern") == Value(patterns[i]));
    CHECK_THROWS(asked("review", R"({"game": "44", "judged": []})"), OptionError, "error.review_scores");
}

TEST("study: a win at once is worth most, a loss at once nothing, and a draw half") {
    CHECK(worth(42, 6, 18) == 1);
    CHECK(worth(42, 6, 0) == 0.5);
    CHECK(worth(42, 6, -18) == 0);
    for (int score = -17; score <= 18; ++score) CHECK(worth(42, 6, score) > worth(42, 6, score - 1));
    CHECK(worth(42, 6, 1) > 0.6);
}

TEST("study: the digest is SHA-256, by the examples of its standard") {
    const std::array<std::uint32_t, 8> abc{0xba7816bf, 0x8f01cfea, 0x414140de, 0x5dae2223,
                                           0xb00361a3, 0x96177a9c, 0xb410ff61, 0xf20015ad};
    CHECK(study::digest("abc") == abc);
    CHECK(study::digest("")[0] == 0xe3b0c442);
    CHECK_THROWS(study::digest(std::string(56, 'a')), OptionError, "error.cannot_be");
}

TEST("study: the published example of Glicko-2 comes out") {
    const Value skill = asked("glicko", R"({"player": [1500, 200, 0.06],
        "results": [[1400, 30, 1], [1550, 100, 0], [1700, 300, 0]]})");
    const auto near = [&](std::size_t part, double wanted, double within) {
        return std::abs(skill.array("skill")[part].number("it") - wanted) < within;
    };
    CHECK(near(0, 1464.06, 0.02));
    CHECK(near(1, 151.52, 0.01));
    CHECK(near(2, 0.05999, 1e-5));
}

TEST("study: a puzzle is read as it is written, and its mirror image has its name") {
    const char* const line = R"({"line": "4575274553 w4 434 1 260 90 d", "width": 7, "height": 6})";
    const Value puzzle = asked("puzzle.parse", line);
    CHECK(puzzle.at("solution") == Value(std::vector{3, 2, 3}));
    CHECK(puzzle.at("themes") == Value(std::vector<std::string>{"double threat"}));
    const Value facts = study::ask("puzzle", puzzle, {});
    CHECK(facts.at("puzzle") == puzzle);
    CHECK(facts.at("player") == Value(1));
    CHECK(facts.at("mirrored").at("moves") == Value("4313614335"));
    CHECK(facts.at("mirrored").at("id") == puzzle.at("id"));
    CHECK(facts.at("task").json() ==
          R"({"pattern":"puzzle.ask_win","facts":{"who":{"player":1},"count":2}})");
    CHECK(study::ask("puzzle.format", puzzle, {}) == Value("4575274553 w4 434 1 260 90 d"));
    for (const char* wrong : {"", "4575274553 w4 43 1 260 90 d", "4575274553 y4 434 1 260 90 d",
                              "4575274553 w4 434 4 260 90 d", "4575274553 w4 434 1 x 90 d"})
        CHECK_THROWS(
            study::ask("puzzle.parse", object({{"line", wrong}, {"width", 7}, {"height", 6}}), {}),
            OptionError, "error.puzzle_line");
}

TEST("study: an attempt follows the solution without a solver, and says which scores it needs else") {
    const Value puzzle =
        asked("puzzle.parse", R"({"line": "4575274553 w4 434 1 260 90 d", "width": 7, "height": 6})");
    const auto tried = [&](std::vector<int> columns, int column, Value known) {
        return study::ask(
            "puzzle.try",
            object({{"puzzle", puzzle}, {"columns", columns}, {"column", column}, {"known", known}}),
            {});
    };
    const Value none = Value::Array{};
    CHECK(tried({}, 3, none).json() == R"({"columns":[3,2],"state":"open","said":null})");
    CHECK(tried({3, 2}, 3, none).json() == R"({"columns":[3,2,3],"state":"solved","said":null})");
    CHECK(tried({}, 0, none).json() == R"({"needs":[]})");
    const Value known = Value::from_json(R"([{"columns": [], "scores": [[0, -3], [3, 14]]}])");
    CHECK(tried({}, 0, known).json() == R"({"columns":[0],"state":"failed","said":null})");
    CHECK_THROWS(tried({}, 7, none), IllegalMoveError, "");
}

TEST("study: a lesson takes its answers without a solver, and says which scores a game needs") {
    const auto tried = [](const char* step, std::vector<int> columns, const char* answer) {
        return study::ask("lesson.try",
                          object({{"lesson", "some"},
                                  {"number", 1},
                                  {"step", Value::from_json(step)},
                                  {"columns", columns},
                                  {"answer", answer},
                                  {"known", Value::Array{}}}),
                          {});
    };
    const char* const block = R"({"moves": "3647765246", "task": "block", "accept": ["6"]})";
    CHECK(tried(block, {}, "6").at("state").text("") == "done");
    const Value missed = tried(block, {}, "1");
    CHECK(missed.at("state").text("") == "wrong");
    CHECK(missed.at("columns").json() == "[0,5]");
    CHECK(missed.at("said").array("")[0].at("pattern").text("") == "missed_block");
    CHECK_THROWS(tried(block, {}, "8"), InvalidNotationError, "");
    const char* const point = R"({"moves": "44", "task": "point", "accept": ["3/2"]})";
    CHECK(tried(point, {}, "3/2").at("state").text("") == "done");
    CHECK(tried(point, {}, "2/3").at("state").text("") == "wrong");
    const char* const game = R"({"moves": "562455462224", "task": "force"})";
    CHECK(tried(game, {}, "3").json() == R"({"needs":[]})");
    CHECK(tried(game, {2, 2}, "3").at("state").text("") == "done");
    CHECK_THROWS(tried(R"({"moves": "", "task": "sing"})", {}, "1"), OptionError, "error.cannot_be");
}

TEST("study: a history keeps lessons beside attempts, and merges both") {
    const char* const text = R"({"format":"fourcast training 1"}
{"when":"2026-11-17T18:00:00+00:00","lesson":"four","step":1}
)";
    const char* const other = R"({"format":"fourcast training 1"}
{"when":"2026-11-17T17:00:00+00:00","lesson":null}
{"when":"2026-11-17T18:00:00+00:00","lesson":"four","step":1}
)";
    const Value merged = study::ask("training.merge", object({{"text", text}, {"other", other}}), {});
    CHECK(merged.at("added").json() == "1");
    const Value found =
        study::ask("training", object({{"text", merged.at("text")}, {"now", 0}}), {}).at("learned");
    CHECK(found.array("").size() == 2);
    const Value lessons = Value::from_json(R"([{"id": "four", "steps": [1, 2]}])");
    CHECK(study::ask("lessons", object({{"lessons", lessons}, {"learned", found}}), {}).json() ==
          R"({"lessons":[{"id":"four","steps":2,"done":[1],"is_done":false,"step":2}],"next":"four"})");
    CHECK(asked("training", R"({"answered": [{"when": "2026-11-17T18:00:00+00:00", "lesson": "four"}],
                                "now": 0})")
              .at("line")
              .json() == "2");
}

TEST("study: what is not solved comes back the next day, then later and later") {
    const Value puzzle =
        asked("puzzle.parse", R"({"line": "4575274553 w4 434 1 260 90 d", "width": 7, "height": 6})");
    const auto line = [&](const char* when, bool solved) {
        return object({{"when", when}, {"solved", solved}, {"hints", 0}, {"puzzle", puzzle}});
    };
    const auto trained = [&](Value::Array answered, long long now) {
        return study::ask("training", object({{"answered", answered}, {"now", now}}), {});
    };
    constexpr long long day = 86'400'000;
    const Value failed = line("1970-01-02T00:00:00Z", false);
    CHECK(trained({failed}, 2 * day - 1).at("due") == Value(Value::Array{}));
    CHECK(trained({failed}, 2 * day).at("due").array("due").size() == 1);
    // A zone moves the time: this is midnight of the third day in UTC.
    const Value passed = line("1970-01-03T01:30:00+01:30", true);
    const Value after = trained({failed, passed}, 0);
    const Value& card = after.at("cards").array("cards")[0];
    CHECK(card.at("box") == Value(1));
    CHECK(card.at("due") == Value(5 * day));
    CHECK(after.at("streak") == Value(1));
    CHECK(after.at("strengths").array("strengths").size() == 3);
    CHECK(trained({passed}, 0).at("cards") == Value(Value::Array{}));
    CHECK(trained({line("1970-01-03T01:30:00", true)}, 0).at("line") == Value(2));
}

TEST("study: orders of moves are counted without games that end on the way") {
    const auto orders = [&](const char* moves) {
        return study::ask("explore.orders", object({{"moves", moves}, {"order", moves}, {"most", 3}}),
                          {});
    };
    CHECK(orders("4433").json() == R"({"count":2,"others":["3344"]})");
    CHECK(orders("").json() == R"({"count":1,"others":[]})");
    // Three columns of one disc each, the first player's in columns 1 and 3: 2 orders.
    CHECK(orders("123").at("count") == Value(2));
    CHECK(orders("12345671234567123").is_null());
}

}  // namespace fourcast
