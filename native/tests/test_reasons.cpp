// Every success of the searches for reasons, held against scores that were found without them.
#include <random>

#include "oracle.hpp"
#include "reasons/force.hpp"
#include "reasons/groups.hpp"
#include "reasons/plan.hpp"
#include "testing.hpp"

namespace fourcast {
namespace {

using namespace reasons;
using testing::AllScores;

struct Tally {
    int forced = 0;
    int planned = 0;
    int grouped = 0;
    int ruled = 0;  // of these, by answers that follow at most one rule
};

template <class Shape>
void expect(const Shape& shape, const testing::Board<typename Shape::Bits>& board, bool is_true,
            int score, const char* what) {
    if (is_true) return;
    testing::fail(__FILE__, __LINE__) << what << ", but the score is " << score << " for X, to move\n"
                                      << testing::diagram(shape, board);
}

/// What the searches claim about one position, in which the opponent of the claimant is to move and
/// cannot win at once.
template <class Shape>
void check_claims(const Shape& shape, const testing::Board<typename Shape::Bits>& board, int score,
                  Tally& tally) {
    using Bits = typename Shape::Bits;
    const Bits other = board.mover ^ board.mask;
    Budget forcing(10'000);
    if (!ForceSearch<Shape>(shape, forcing).find({board.mover, other}, 8).empty()) {
        ++tally.forced;
        expect(shape, board, score > 0, score, "a forcing line of X");
    }
    if ((threats(shape, board.mover, board.mask) & playable(shape, board.mask)) != 0) return;
    const reasons::Board<Bits> follower{other, board.mover};
    for (const Role goal : {Role::win, Role::hold}) {
        const bool is_true = goal == Role::win ? score < 0 : score <= 0;
        for (const int takes : {1, 2}) {
            Budget budget(500);
            if (!find_plan(shape, follower, goal, takes, 3, budget)) continue;
            ++tally.planned;
            expect(shape, board, is_true, score,
                   goal == Role::win ? "O wins by a plan" : "O holds by a plan");
        }
        for (int size = 1; size <= 5; ++size) {
            GroupSearch<Shape> games(shape, follower);
            Budget budget(500);
            const bool is_found = games.find(goal, {size, 1'000, std::nullopt}, budget).has_value();
            Budget again(500);
            const bool reads_well = games.find(goal, {size, 1'000, 1}, again).has_value();
            if (!is_found && !reads_well && !games.longer()) continue;
            ++tally.grouped;
            tally.ruled += reads_well;
            expect(shape, board, is_true, score,
                   goal == Role::win ? "O wins by groups" : "O holds by groups");
        }
    }
}

TEST("whatever the searches for reasons claim on 4x4 is true") {
    const AnyShape<u128> shape(4, 4);
    AllScores<AnyShape<u128>> scores(shape);
    scores.score({0, 0, 0});
    Tally tally;
    std::size_t number = 0;
    scores.for_each([&](const auto& board, int score) {
        if (board.ply < 16 && ++number % 4 == 0) check_claims(shape, board, score, tally);
    });
    CHECK(tally.forced > 1'000 && tally.planned > 10'000 && tally.grouped > 10'000);
    CHECK(tally.ruled > 10'000 && tally.ruled < tally.grouped);
}

TEST("whatever the searches for reasons claim on random boards is true, one and two words wide") {
    std::mt19937 random(14);
    Tally tally;
    const auto try_boards = [&](const auto& shape, int empties, int count) {
        for (int i = 0; i < count; ++i) {
            const auto board = testing::random_board(shape, empties, random, i % 2 == 0);
            check_claims(shape, board, testing::minimax(shape, board), tally);
        }
    };
    try_boards(StandardShape{}, 11, 300);
    try_boards(AnyShape<u128>(5, 4), 11, 500);
    try_boards(AnyShape<u128>(4, 7), 11, 300);
    try_boards(AnyShape<u128>(9, 7), 10, 200);
    CHECK(tally.forced > 50 && tally.planned > 300 && tally.grouped > 300);
}

TEST("a search for reasons is bounded by its steps on the widest board") {
    const AnyShape<u128> shape(25, 4);
    for (int size = 1; size <= 7; ++size) {
        Budget budget(20'000);
        GroupSearch<AnyShape<u128>>(shape, {0, 0}).find(Role::hold, {size, 1'000, 2}, budget);
    }
    Budget budget(2'000);
    find_plan(shape, {0, 0}, Role::win, 2, 12, budget);
}

}  // namespace
}  // namespace fourcast
