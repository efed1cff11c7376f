#include "story.hpp"

#include <algorithm>
#include <iterator>

#include "opening.hpp"
#include "outcomes.hpp"
#include "reasons/tactics.hpp"
#include "solver/said.hpp"

namespace fourcast::study {
namespace {

using reasons::fours_now;
using reasons::landing;
using reasons::squares_of;

constexpr std::size_t most_turns = 2;

const char* outcome_of(int score) { return fourcast::outcome_of(score, score); }

/// What the move cost, as `worth` has it.
double loss_of(const ReviewedMove& move) {
    const int cells = move.position.cells();
    return worth(cells, move.ply, *move.before) - worth(cells, move.ply, *move.after);
}

/// What the move did to the result.
Value said_change(const ReviewedMove& move) {
    const int before = sign(*move.before), after = sign(*move.after);
    std::string pattern;
    if (before == after)
        pattern = before > 0 ? "review_turn_still_wins" : "review_turn_still_loses";
    else
        pattern = std::string("review_turn_") + outcome_of(before) + "_" + outcome_of(after);
    return say(pattern, {{"number", move.number},
                         {"player", said_player(move.player)},
                         {"column", said_column(move.column)}});
}

/// What the move overlooked or allowed, or why it is bad, after a sentence that has named its column.
Value said_why(const ReviewedMove& move) {
    if (pattern_of(move.why) != "column_why") return move.why;
    return object({{"pattern", "column_why_it"}, {"facts", move.why.at("facts")}});
}

/// Which columns were better, and what is good about the only one; null if they are not known.
Value said_better(const ReviewedMove& move) {
    if (!is_error(*move.verdict())) {
        if (move.best_columns.empty()) return nullptr;
        return say("review_turn_best",
                   {{"columns", said_columns(move.best_columns)}, {"count", move.best_columns.size()}});
    }
    const Value outcome = say(outcome_of(*move.before));
    if (move.keeping.size() == 1) {
        const int column = move.keeping[0];
        const bool is_standard = move.position.rules().is_standard();
        const Value merit =
            is_standard && move.why.is_null() ? reasons::said_of_merit(move.position, column) : Value();
        const bool is_telling = !merit.is_null() && pattern_of(merit) != "does_threaten_now";
        Value facts = object({{"column", said_column(column)}, {"outcome", outcome}});
        if (is_telling) facts.add("what", merit);
        return object({{"pattern", is_telling ? "kept_one_does" : "kept_one"}, {"facts", facts}});
    }
    if (move.keeping.empty()) return nullptr;
    return say("kept_some", {{"columns", said_columns(move.keeping)}, {"outcome", outcome}});
}

/// Other rules have other tactics, of which nothing is said.
bool is_standard(const ReviewedGame& game) { return game.moves[0].position.rules().is_standard(); }

// ---- How it ended --------------------------------------------------------------------------------

/// How the winner's last disc could not be stopped, or was not. Null if there is nothing to say.
Value said_end(const ReviewedGame& game) {
    const auto& moves = game.moves;
    if (moves.size() < 2 || !is_standard(game)) return nullptr;
    const ReviewedMove &last = moves.back(), &reply = moves[moves.size() - 2];
    const int winner = last.position.play(last.column).winner();
    const Position& position = reply.position;
    if (winner != last.player || reply.player == winner || position.play(reply.column) != last.position)
        return nullptr;
    if (reply.overlooks_four())
        return say("review_turn_named", {{"number", reply.number}, {"text", reply.why}});
    const int height = position.height();
    const auto about = [&](const char* pattern, Value::Member one, Value::Member other = {}) {
        Value facts = object({{"player", said_player(winner)}, {"opponent", said_player(3 - winner)}});
        facts.add(one.first, one.second);
        if (!other.first.empty()) facts.add(other.first, other.second);
        return object({{"pattern", pattern}, {"facts", facts}});
    };
    const u128 fours = fours_now(position, winner);
    if (more_than_one(fours))
        return about("review_end_double", {"both", said_both(squares_of(fours, height))});
    if (fours != 0) {
        const Square four = reasons::square_of(fours, height);
        const u128 next = fours_now(position.play(four.column), winner);
        if (next == 0) return nullptr;  // it could have been stopped
        return about("review_end_stack", {"square", said_square(four)},
                     {"above", said_square(reasons::square_of(next, height))});
    }
    u128 above = 0;
    for (const int column : each(position.legal_columns())) {
        const u128 opened = fours_now(position.play(column), winner);
        if (opened == 0) return nullptr;  // there was another column
        above |= opened;
    }
    return about("review_end_zugzwang", {"either", said_either(squares_of(above, height))});
}

/// The squares of the fours that the winner completed or threatened before the loser's last move.
u128 deciding_squares(const ReviewedGame& game, int winner) {
    const Position& position = game.moves[game.moves.size() - 2].position;
    const Position& last = game.moves.back().position;
    u128 squares = reasons::line_through(last, last.discs(winner),
                                         reasons::landing_bit(last, game.moves.back().column));
    for (const u128 each : each_square(fours_now(position, winner)))
        squares |= reasons::line_through(position, position.discs(winner), each);
    return squares;
}

/// The loser's last threat whose block gave the winner one of the deciding squares, if another move was
/// better, with the number of its move. Null if there is none.
std::pair<int, Value> said_forced(const ReviewedGame& game) {
    const auto& moves = game.moves;
    const int winner = moves.back().position.play(moves.back().column).winner();
    if (winner == 0 || moves.size() < 2 || !is_standard(game)) return {};
    const u128 deciding = deciding_squares(game, winner);
    for (std::size_t i = moves.size() - 1; i-- > 0;) {
        const ReviewedMove &move = moves[i], &block = moves[i + 1];
        if (move.player == winner || !move.verdict() || *move.verdict() == Verdict::best) continue;
        const u128 threat = fours_now(block.position, move.player);
        if ((threat & deciding) == 0 || threat != reasons::landing_bit(block.position, block.column))
            continue;
        const Square square = reasons::square_of(threat, block.position.height());
        const Value said = say("review_forced", {{"number", move.number},
                                                 {"player", said_player(move.player)},
                                                 {"opponent", said_player(winner)},
                                                 {"square", said_square(square)}});
        return {move.number, said};
    }
    return {};
}

/// Whether what a move overlooked or allowed is how the game ended, square by square.
bool names_the_same(const Value& why, const Value& end) {
    const std::string pattern = pattern_of(why), ending = pattern_of(end);
    const auto fact = [](const Value& said, const char* name) { return said.at("facts").at(name); };
    if (ending == "review_turn_named") return fact(end, "text") == why;
    if (pattern == "let_double" && ending == "review_end_double")
        return fact(why, "both") == fact(end, "both");
    return pattern == "let_stack" && ending == "review_end_stack" &&
           fact(why, "other") == fact(end, "square");
}

// ---- Turning points and the lesson ----------------------------------------------------------------

/// The moves that the story tells, in their order: the one that decided the game, and the one that lost
/// most of the others.
std::vector<const ReviewedMove*> turning_points(const ReviewedGame& game) {
    std::vector<const ReviewedMove*> turns;
    for (const ReviewedMove& move : game.moves)
        if (move.is_named()) turns.push_back(&move);
    const ReviewedMove* const decisive =
        game.summary.decisive ? &game.moves[*game.summary.decisive] : nullptr;
    const auto comes_first = [&](const ReviewedMove* one, const ReviewedMove* other) {
        if ((one == decisive) != (other == decisive)) return one == decisive;
        return loss_of(*one) > loss_of(*other);
    };
    std::ranges::stable_sort(turns, comes_first);
    turns.resize(std::min(turns.size(), most_turns));
    std::ranges::sort(turns, {}, &ReviewedMove::number);
    return turns;
}

/// What the game teaches; null if nothing that we know applies.
Value said_lesson(const ReviewedGame& game, std::vector<const ReviewedMove*> turns, const Value& end) {
    std::ranges::stable_sort(turns, [](const ReviewedMove* one, const ReviewedMove* other) {
        return loss_of(*one) > loss_of(*other);
    });
    std::vector<std::string> reasons;
    for (const ReviewedMove* const turn : turns) reasons.push_back(pattern_of(turn->why));
    const std::string ending = pattern_of(end);
    if (ending == "review_turn_named") reasons.push_back(pattern_of(end.at("facts").at("text")));
    for (const std::string& why : reasons)
        for (const char* const known :
             {"missed_four", "missed_block", "gave_above", "let_double", "let_stack", "let_force"})
            if (why == known) return say("review_lesson_" + why);
    if (ending == "review_end_zugzwang") return say("review_lesson_zugzwang");
    if (ending == "review_end_double") return say("review_lesson_let_double");
    if (ending == "review_end_stack") return say("review_lesson_let_stack");
    const ReviewedMove& first = game.moves[0];
    if (first.ply == 0 && is_standard(game) && first.verdict() && is_error(*first.verdict()) &&
        first.keeping == std::vector{first.position.width() / 2})
        return say("review_lesson_center");
    return nullptr;
}

Value said_opening(const ReviewedGame& game) {
    std::vector<int> columns;
    for (const ReviewedMove& move : game.moves) columns.push_back(move.column);
    return study::said_opening(game.moves[0].position, columns);
}

Value said_result(const ReviewedGame& game) {
    const ReviewedMove& last = game.moves.back();
    const Position end = last.position.play(last.column);
    const auto changes = std::ranges::count_if(game.moves, [](const ReviewedMove& move) {
        return move.verdict() && is_error(*move.verdict());
    });
    if (end.winner() != 0)
        return say(changes > 1 ? "review_story_won_after" : "review_story_won",
                   {{"player", said_player(end.winner())}, {"number", last.number}, {"count", changes}});
    if (end.is_over())
        return say(changes > 1 ? "review_story_draw_after" : "review_story_draw", {{"count", changes}});
    if (!last.after) return nullptr;
    return say(
        "review_story_open",
        {{"number", last.number},
         {"player", said_player(end.turn())},
         {"text", said_bounds(end.cells(), end.ply(), -*last.after, -*last.after, end.rules().misere)}});
}

}  // namespace

const char* ReviewedMove::oversight() const {
    const std::string pattern = pattern_of(why);
    for (const char* const known : {"missed_four", "missed_block"})
        if (pattern == known) return known;
    return nullptr;
}

bool ReviewedMove::overlooks_four() const {
    return oversight() != nullptr || pattern_of(why) == "gave_above";
}

bool ReviewedMove::is_named() const {
    if (!verdict()) return false;
    if (is_error(*verdict()) || overlooks_four()) return true;
    return verdict() == Verdict::inaccuracy && !why.is_null();
}

Value::Array said_turn(const ReviewedMove& move) {
    if (!is_error(*move.verdict()) && move.overlooks_four())
        return {say("review_turn_named", {{"number", move.number}, {"text", move.why}})};
    Value::Array said{said_change(move)};
    const Value better = move.overlooks_four() ? Value() : said_better(move);  // or else it is clear
    for (const Value& more : {said_why(move), better})
        if (!more.is_null()) said.push_back(more);
    return said;
}

Value said_mistake(const ReviewedMove& move) {
    if (!move.why.is_null()) return said_why(move);
    const Value better = said_better(move);
    return better.is_null() ? said_change(move) : better;
}

Value::Array said_story(const ReviewedGame& game) {
    if (game.moves.empty()) return {Value::Array{say("review_nothing")}};
    const auto turns = turning_points(game);
    const Value end = said_end(game);
    const bool is_told = std::ranges::any_of(turns, [&](const ReviewedMove* turn) {
        return !end.is_null() && names_the_same(turn->why, end);
    });
    Value open;
    if (!game.summary.complete)
        open = say("review_too_late");
    else if (turns.empty())
        open = say("review_no_error");
    Value::Array story;
    const auto add = [&](const Value::Array& sentences) {
        Value::Array paragraph;
        std::ranges::copy_if(sentences, std::back_inserter(paragraph),
                             [](const Value& said) { return !said.is_null(); });
        if (!paragraph.empty()) story.push_back(std::move(paragraph));
    };
    // At most 150 words: no opening beside two reasons, and at most one of best play and a forced block.
    const bool has_two =
        std::ranges::count_if(turns, [](const ReviewedMove* turn) { return !turn->why.is_null(); }) > 1;
    auto forced = said_forced(game);
    add({said_result(game), has_two || !forced.second.is_null() ? Value() : said_opening(game), open});
    bool has_later = !forced.second.is_null();
    const auto add_forced = [&](int before) {
        if (forced.second.is_null() || forced.first >= before) return;
        add({std::move(forced.second)});
        forced.second = nullptr;
    };
    for (const ReviewedMove* const turn : turns) {
        add_forced(turn->number);
        ReviewedMove told = *turn;
        if (pattern_of(told.why) == "column_why") {
            if (has_later) told.why = nullptr;
            has_later = true;
        }
        add(said_turn(told));
    }
    add_forced(max_bits);
    add({is_told ? Value() : end, said_lesson(game, turns, end)});
    return story;
}

}  // namespace fourcast::study
