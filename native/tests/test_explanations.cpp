// What is made of claims: values, games, rules, marks, words, and answers to replies.
#include <random>

#include "board/moves_text.hpp"
#include "reasons/explain.hpp"
#include "reasons/follow.hpp"
#include "reasons/marks.hpp"
#include "reasons/move.hpp"
#include "reasons/played_out.hpp"
#include "reasons/proof_value.hpp"
#include "reasons/replay.hpp"
#include "reasons/rules.hpp"
#include "reasons/words.hpp"
#include "solver/said.hpp"
#include "study/ask.hpp"
#include "testing.hpp"

namespace fourcast {
namespace {

using namespace reasons;

constexpr const char32_t* plan_moves = U"14642545655244774665";
constexpr const char32_t* mistake_moves = U"1464254565524477466";

Solver& solver() {
    static Solver shared{Solver::Options{}};
    return shared;
}

Position after(std::u32string_view moves) { return play_text(Position(), moves); }

Explanation explained(const Position& position) {
    return explain(position, solver(), Effort::full, {}, {}, {});
}

Position claims_position(const Explanation& found) {
    Position position = found.verdict.position;
    for (const int column : found.line) position = position.play(column);
    return position;
}

/// Unfinished positions of random games.
std::vector<Position> some_positions(int count, int width, int height, int least) {
    std::mt19937 random(static_cast<unsigned>(17 * width + height));
    std::vector<Position> found;
    while (static_cast<int>(found.size()) < count) {
        Position position(width, height);
        const int discs = least + static_cast<int>(random() % 6);
        while (!position.is_over() && position.ply() < discs) {
            std::vector<int> columns;
            for (const int column : each(position.legal_columns())) columns.push_back(column);
            position = position.play(columns[random() % columns.size()]);
        }
        if (!position.is_over()) found.push_back(position);
    }
    return found;
}

/// All kinds of proofs, on boards of one and of two words.
const std::vector<Explanation>& some_explanations() {
    static const std::vector<Explanation> found = [] {
        std::vector<Explanation> result;
        for (const auto* moves : {plan_moves, U"761261535655663236", U"4623433443213412", U"433444613",
                                  U"4623177244664763555563334225234652"})
            result.push_back(explained(after(moves)));
        for (const auto& [width, height, least] :
             {std::tuple(5, 5, 8), std::tuple(6, 5, 12), std::tuple(7, 6, 20), std::tuple(9, 7, 52)})
            for (const Position& position : some_positions(8, width, height, least))
                result.push_back(explained(position));
        return result;
    }();
    return found;
}

u128 square(int column, int row) { return u128{1} << (column * 7 + row); }

}  // namespace

TEST("claims: a value is read as it was written, and proves the same") {
    std::size_t kinds[4] = {};
    for (const Explanation& found : some_explanations())
        for (const Claim& claim : found.claims) {
            const Position position = claims_position(found);
            const Value value = claim_value(claim, position.height());
            const Claim read = claim_from(Value::from_json(value.json()), position);
            CHECK(claim_value(read, position.height()) == value);
            CHECK(replay(position, read) == replay(position, claim));
            ++kinds[claim.proof.index()];
        }
    for (const std::size_t count : kinds) CHECK(count > 0);
}

TEST("claims: what is none on this board is refused") {
    const auto read = [](const char* json) { claim_from(Value::from_json(json), Position()); };
    CHECK_THROWS(read("[]"), OptionError, "");
    CHECK_THROWS(read(R"({"player": 3})"), OptionError, "error.out_of_range");
    const std::string head = R"({"player": 1, "goal": "win", "start": [], "proof": )";
    for (const char* proof :
         {R"({"kind": "magic"})", R"({"kind": "force", "line": [7]})",
          R"({"kind": "plan", "answers": [{"stone": [0, 6], "squares": []}], "takes": 1})",
          R"({"kind": "plan", "answers": [{"stone": [0], "squares": []}], "takes": 1})",
          R"({"kind": "local", "groups": [{"columns": [1, 1], "role": "win", "free": "never",)"
          R"( "needs": [], "answers": []}]})",
          R"({"kind": "cases", "answers": [], "ends": [{"theirs": [], "mine": [],)"
          R"( "proof": {"kind": "cases", "answers": [], "ends": []}}]})"})
        CHECK_THROWS(read((head + proof + "}").c_str()), OptionError, "");
}

TEST("played out: a plan meets the positions that the replay of its proof counts") {
    int plans = 0;
    for (const Explanation& found : some_explanations())
        for (const Claim& claim : found.claims) {
            const auto* const plan = std::get_if<AnswerPlan<u128>>(&claim.proof);
            if (plan == nullptr) continue;
            const Position position = claims_position(found);
            Position start = position;
            for (const int column : claim.start) start = start.play(column);
            CHECK(play_plan(*plan, start, claim.player).positions == replay(position, claim));
            ++plans;
        }
    CHECK(plans > 5);
}

TEST("played out: the worked plan ends below two squares, and is safe") {
    const Explanation found = explained(after(plan_moves));
    const auto& plan = std::get<AnswerPlan<u128>>(found.claims.at(0).proof);
    const Games games = play_plan(plan, found.verdict.position, 2);
    CHECK(games.wins == (square(2, 1) | square(6, 3)));
    CHECK(games.always_below && games.is_safe && !games.forced);
    const reasons::Rules rules = rules_of(plan, 6);
    CHECK(rules.count() == 1);
    CHECK(rules.pairs == (std::vector{std::pair(square(0, 1), square(4, 5))}));
}

TEST("rules: two columns of which one is played when the other is full are one rule") {
    AnswerTable table;
    table[square(0, 5)] = {square(2, 1), square(2, 3)};
    table[square(2, 5)] = {square(0, 1)};
    table[square(4, 0)] = {square(5, 0)};
    const reasons::Rules rules = rules_of(table, 6, true);
    CHECK(rules.filled == (std::vector{std::pair(0, 2)}));
    CHECK(rules.others == (std::vector{AnswerRule{{square(4, 0)}, {square(5, 0)}}}));
    CHECK(rules.pairs.empty());
}

TEST("rules: discs that are answered in the same column, or by the same list, are one rule") {
    AnswerTable table;
    table[square(4, 5)] = {square(0, 1), square(1, 1)};
    table[square(5, 1)] = {square(0, 1), square(1, 1)};
    table[square(1, 3)] = {square(2, 3)};
    table[square(0, 4)] = {square(2, 1)};
    const reasons::Rules rules = rules_of(table, 6, true);
    CHECK(rules.others ==
          (std::vector{AnswerRule{{square(0, 4), square(1, 3)}, {square(2, 1), square(2, 3)}},
                       AnswerRule{{square(4, 5), square(5, 1)}, {square(0, 1), square(1, 1)}}}));
}

TEST("marks: no square is of two kinds, and the legend names the kinds that are there") {
    for (const Explanation& found : some_explanations()) {
        const Value all = marks(found);
        for (const Value& each : all.array("marks")) {
            std::vector<Value> seen;
            const auto see = [&](const Value& one) {
                CHECK(std::ranges::count(seen, one) == 0);
                seen.push_back(one);
            };
            for (const char* kind : {"gets", "leaves", "frozen"})
                for (const Value& one : each.at(kind).array(kind)) see(one);
            for (const Value& pair : each.at("pairs").array("pairs"))
                for (const Value& one : pair.array("a pair")) see(one);
            const Value entries = legend(each);
            for (const Value& entry : entries.array("legend")) {
                const std::string kind = entry.at("kind").text("kind");
                CHECK(!each.at(kind).array("marks").empty());
                CHECK(pattern_of(entry.at("said")).starts_with("mark_"));
            }
        }
    }
}

TEST("follow: whatever is replied, a claim reaches its goal") {
    std::mt19937 random(5);
    for (const Explanation& found : some_explanations())
        for (const Claim& claim : found.claims)
            for (int game = 0; game < 5; ++game) {
                const Position position = claims_position(found);
                std::vector<long long> replies;
                Followed followed = follow(position, claim, replies);
                while (followed.state == "open") {
                    std::vector<int> columns;
                    for (const int column : each(followed.position.legal_columns()))
                        columns.push_back(column);
                    replies.push_back(columns.at(random() % columns.size()));
                    followed = follow(position, claim, replies);
                }
                CHECK(claim.goal == Role::hold || followed.state == "won");
                CHECK(followed.position.winner() != 3 - claim.player);
                CHECK_THROWS(follow(position, claim,
                                    [&] {
                                        auto more = replies;
                                        more.push_back(0);
                                        return more;
                                    }()),
                             OptionError, "error.claim_reached");
            }
}

TEST("follow: replies that cannot be played, and claims without an answer, are refused") {
    const Explanation found = explained(after(plan_moves));
    const Position& position = found.verdict.position;
    for (const long long column : {3LL, 7LL, -1LL})  // full, off the board
        CHECK_THROWS(follow(position, found.claims[0], {column}), IllegalMoveError, "");
    const Claim empty{2, Role::win, {}, LocalProof<u128>{{}, 34}};
    CHECK_THROWS(follow(position, empty, {5}), ProofError, "error.proof.no_room_for_answer");
}

TEST("words: the worked plan is said in the order of its patterns") {
    const Explanation found = explained(after(plan_moves));
    const auto patterns = [](const Value& paragraphs) {
        std::string names;
        for (const Value& paragraph : paragraphs.array("paragraphs"))
            for (const Value& sentence : paragraph.array("a paragraph"))
                names += pattern_of(sentence) + " ";
        return names;
    };
    CHECK(patterns(said_proof(found)) ==
          "verdict plan plan_pair plan_on_top_else no_four has_to_play_below latest ");
    CHECK(patterns(said(found)) == "verdict idea_has_some idea_count_other idea_then do rule_count ");
}

TEST("moves: a mistake is explained with what was better") {
    const Position position = after(mistake_moves);
    const MoveExplanation found = explain_move(position, 0, solver(), Effort::full, {}, {}, {}, {});
    CHECK(found.is_mistake());
    CHECK(found.keeping == only<ColumnSet>(4));
    CHECK(found.replies == only<ColumnSet>(4));
    CHECK(found.instead() == 4);
    CHECK(found.reason && !found.reason->claims.empty());
    CHECK(found.better && !found.better->claims.empty());
    CHECK(pattern_of(said_in_brief(found).array("said").at(1)) == "same_point");
    const auto explain_limited = [](const Position& at, int column, const Limit& limit) {
        return explain_move(at, column, solver(), Effort::full, limit, {}, {}, {});
    };
    CHECK_THROWS(explain_limited(Position(10, 9), 4, {.nodes = 1000}), OptionError, "error.moves_worth");
    CHECK_THROWS(explain_limited(position, 3, {}), IllegalMoveError, "full");
}

TEST("moves: where there is no time for a reason, a quick one is found") {
    const Position position = after(U"1563552446536226253");
    const MoveExplanation found =
        explain_move(position, 2, solver(), Effort::full, {}, {.time_s = 1e-6}, {}, {});
    CHECK(found.reason && (found.reason->complete || !found.reason->claims.empty()));
    for (const Claim& claim : found.reason->claims)
        CHECK(replay(claims_position(*found.reason), claim) > 0);
}

TEST("explanations: what the solver has seen before, and its threads, change nothing") {
    Solver other({.threads = 2});
    for (const char32_t* const moves : {U"4343", U"44444", U"445522", U"1234567"}) {
        const Position position = after(moves);
        for (const Effort effort : {Effort::quick, Effort::full}) {
            const Explanation one = explain(position, solver(), effort, {}, {}, {});
            const Explanation two = explain(position, other, effort, {}, {}, {});
            CHECK(one.idea == two.idea);
            CHECK(one.line == two.line && one.claims.size() == two.claims.size());
        }
    }
}

TEST("questions about reasons: they are asked through one door") {
    const study::Context context{.solver = &solver()};
    const Value request = Value::from_json(R"({"moves": "14642545655244774665"})");
    const Value found = study::ask("position.explain", request, context);
    Value described = request;
    described.add("explanation", found);
    const Value told = study::ask("explanation.describe", described, context);
    CHECK(told.at("said").array("said").size() == 2);
    CHECK(told.at("marks").array("marks").size() == 1);
    Value claimed = request;
    claimed.add("claim", found.at("claims").array("claims")[0]);
    CHECK(study::ask("claim.check", claimed, context).at("positions").integer("positions", 1, 1000) > 1);
    CHECK(study::ask("claim.clauses", claimed, context) == Value(1));
    CHECK_THROWS(study::ask("position.explain", request, {}), OptionError, "solver");
}

}  // namespace fourcast
