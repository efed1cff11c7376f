// The searches of the players, held against the plainest way to say the same.
#include <algorithm>
#include <bit>

#include "board/moves_text.hpp"
#include "board/random.hpp"
#include "board/score.hpp"
#include "players/lookahead.hpp"
#include "players/mcts.hpp"
#include "testing.hpp"

namespace fourcast {
namespace {

/// A position after some random moves, not over.
Position random_position(Random& random, int width, int height, int moves) {
    for (;;) {
        Position position(width, height);
        for (int i = 0; i < moves && !position.is_over(); ++i) {
            const int column = random.below(width);
            if (position.can_play(column)) position = position.play(column);
        }
        if (!position.is_over()) return position;
    }
}

/// Minimax without a trick: all moves, to the depth or the end.
Estimate minimax(const Position& position, int depth, Evaluation evaluation) {
    if (position.is_draw()) return 0;
    if (position.winner() != 0 || depth == 0) return evaluate(position, evaluation);
    Estimate best = std::numeric_limits<Estimate>::min();
    for (int column = 0; column < position.width(); ++column) {
        if (position.can_play(column))
            best = std::max(best, -minimax(position.play(column), depth - 1, evaluation));
    }
    return best;
}

TEST("Looking ahead finds the value and all best columns of plain minimax, with any number of threads") {
    Random random(1, 1);
    for (int i = 0; i < 150; ++i) {
        const bool standard = i % 3 != 0;
        const Position position = random_position(random, standard ? 7 : 5, standard ? 6 : 4, i % 19);
        LookAheadOptions options;
        options.evaluation = static_cast<Evaluation>(i % 3);
        options.depth = 1 + i % 4;
        options.threads = 1 + i % 2;
        options.every_column = i % 5 == 0;
        const LookAhead found = look_ahead(position, options);
        // It stops early at a win and when all is lost: the shortest depth that shows it is enough.
        ColumnSet best = 0;
        Estimate highest = std::numeric_limits<Estimate>::min();
        for (int column = 0; column < position.width(); ++column) {
            if (!position.can_play(column)) continue;
            const Estimate value = -minimax(position.play(column), found.depth - 1, options.evaluation);
            if (value > highest) best = 0;
            highest = std::max(highest, value);
            if (value == highest) best |= ColumnSet{1} << column;
            const auto known = found.values[static_cast<std::size_t>(column)];
            CHECK(!options.every_column || known.has_value());
            if (known) CHECK_EQUAL(*known, value);
        }
        CHECK_EQUAL(found.best, best);
        const bool decided = std::abs(highest) > found.win_base;
        CHECK(decided || found.depth == std::min(options.depth, position.cells() - position.ply()));
    }
}

TEST("Alpha is handed on: far fewer positions are looked at than there are") {
    LookAheadOptions options;
    options.depth = 7;
    options.evaluation = Evaluation::streaks;
    CHECK(look_ahead(Position(), options).nodes < 120'000);  // of 823 536 and more
}

TEST("A search looks one ply ahead however short the time is, and keeps to it otherwise") {
    LookAheadOptions options;
    options.depth = 40;
    options.time_s = 1e-9;
    const LookAhead found = look_ahead(Position(), options);
    CHECK(found.depth >= 1);
    CHECK(found.depth < 40);
    CHECK(found.best != 0);
}

TEST("A tree search by number is the same every time, and takes a win at once") {
    TreeSearchOptions options;
    options.playouts = 2'000;
    options.seed = 5;
    const TreeSearch once = search_tree(Position(), options);
    const TreeSearch again = search_tree(Position(), options);
    CHECK(once.visits == again.visits);
    CHECK_EQUAL(once.playouts, u64{2'000});
    CHECK_EQUAL(search_tree(play_text(Position(), U"445566"), options).best,
                ColumnSet{1U << 2 | 1U << 6});
    Random random(2, 2);
    for (int i = 0; i < 200; ++i) {
        const Position position = random_position(random, 7, 6, 12 + i % 20);
        options.playouts = 100;
        const ColumnSet best = search_tree(position, options).best;
        CHECK((best & ~position.legal_columns()) == 0 && best != 0);
        if (const ColumnSet wins = position.winning_columns(position.turn())) {
            CHECK((best & ~wins) == 0);
        } else if (const ColumnSet threats = position.winning_columns(3 - position.turn())) {
            if (!std::has_single_bit(threats)) continue;
            const Position blocked = position.play(std::countr_zero(threats));
            if (!blocked.is_over() && blocked.winning_columns(blocked.turn()) == 0)
                CHECK_EQUAL(best, threats);
        }
    }
}

}  // namespace
}  // namespace fourcast
