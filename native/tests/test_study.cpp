// What is said and judged of games, puzzles and training, by the questions that the homes ask.
#include "study/ask.hpp"
#include "testing.hpp"

namespace fourcast {

namespace {

Value asked(const char* question, const char* request) {
    return study::ask(question, Value::from_json(request), {});
}

}  // namespace

TEST("study: a question that nobody knows is refused") {
    CHECK_THROWS(asked("nonsense", "{}"), OptionError, "no question 'nonsense'");
}

TEST("study: bounds are told by what is proven of the outcome") {
    const Value said = asked("bounds", R"({"width": 7, "height": 6, "ply": 0,
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
    const Value review = asked("review", R"({"width": 4, "height": 4, "game": "1213141",
        "scores": [0, 0, 0, 0, 0, 0, 5, null],
        "best_columns": [[0], [1], [0], [2], [0], [0], [0], []]})");
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
    CHECK(review.at("accuracies").array("it")[1].at("share") == Value("83.3"));
    CHECK_THROWS(asked("review", R"({"game": "44", "scores": [], "best_columns": []})"), OptionError,
                 "every position");
}

}  // namespace fourcast
