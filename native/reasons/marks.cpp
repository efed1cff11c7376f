#include "marks.hpp"

#include <algorithm>

#include "ends.hpp"
#include "played_out.hpp"
#include "proof_value.hpp"
#include "rules.hpp"
#include "solver/said.hpp"
#include "tactics.hpp"

namespace fourcast::reasons {
namespace {

using Bits = u128;
using Pairs = std::vector<std::pair<Bits, Bits>>;

struct Marks {
    Position position;
    int player = 0;  // 0 if there is no claim
    std::vector<Bits> played{};
    Bits gets = 0;
    Bits leaves = 0;
    Pairs pairs{};
    Bits frozen = 0;
    Bits wins = 0;
    std::vector<Bits> line{};
    std::vector<ColumnSet> groups{};
    std::optional<int> count{};  // squares that are filled before the frozen ones
};

Value value_of(const Marks& marks) {
    const int height = marks.position.height();
    const auto square = [&](Bits each) { return square_value(each, height); };
    const auto pair = [&](const auto& each) {
        return Value::Array{square(each.first), square(each.second)};
    };
    const auto columns = [](ColumnSet group) {
        return array_of(each(group), [](int column) { return column; });
    };
    return object({{"width", marks.position.width()},
                   {"height", height},
                   {"rows", marks.position.rows()},
                   {"player", marks.player == 0 ? std::nullopt : std::optional(marks.player)},
                   {"played", array_of(marks.played, square)},
                   {"gets", squares_value(marks.gets, height)},
                   {"leaves", squares_value(marks.leaves, height)},
                   {"pairs", array_of(marks.pairs, pair)},
                   {"frozen", squares_value(marks.frozen, height)},
                   {"wins", squares_value(marks.wins, height)},
                   {"line", array_of(marks.line, square)},
                   {"groups", array_of(marks.groups, columns)},
                   {"count", marks.count}});
}

/// The squares that these discs take.
std::vector<Bits> squares_played(Position position, const std::vector<int>& columns) {
    std::vector<Bits> squares;
    for (const int column : columns) {
        const Position next = position.play(column);
        squares.push_back(next.mask() & ~position.mask());
        position = next;
    }
    return squares;
}

Position after(Position position, const std::vector<int>& columns) {
    for (const int column : columns) position = position.play(column);
    return position;
}

/// Squares in different columns of which each is the only answer to the other.
Pairs pairs_of(const Games& games, int height) {
    const auto column = [&](Bits square) { return lowest_bit(square) / (height + 1); };
    Pairs pairs;
    for (const auto& [disc, answer] : games.answers) {
        if (disc == 0 || disc >= answer || more_than_one(answer)) continue;
        const Bits* const back = games.answers.get(answer);
        if (back != nullptr && *back == disc && column(disc) != column(answer))
            pairs.emplace_back(disc, answer);
    }
    return pairs;
}

/// Sorts the empty squares by who takes them before a four ends the game.
void mark_games(Marks& marks, const std::vector<Games>& all, const Pairs& pairs, Bits wins) {
    const AnyShape<Bits> shape(marks.position.width(), marks.position.height());
    Bits mine = 0;
    Bits theirs = 0;
    for (const Games& games : all) {
        mine |= games.mine;
        theirs |= games.theirs;
    }
    const Bits empty = shape.board() & ~marks.position.mask();
    Bits paired = 0;
    for (const auto& pair : pairs) {
        const Bits both = pair.first | pair.second;
        if ((both & ~empty) != 0) continue;
        marks.pairs.push_back(pair);
        paired |= both;
    }
    const Bits untaken = empty & ~(mine | theirs | paired);
    for (int column = 0; column < shape.width(); ++column)
        if ((wins & shape.column(column) & untaken & untaken << 1) != 0)
            marks.frozen |= shape.column(column) & untaken;
    marks.gets = mine & ~theirs & ~paired & empty;
    marks.leaves = theirs & ~mine & ~paired & empty;
    marks.wins = wins & empty;
}

/// Numbers the line up to the disc that makes two threats, or to the last block.
void mark_force(Marks& marks, std::vector<int> line) {
    if (!line.empty()) line.pop_back();
    if (!line.empty()) {
        const std::vector<int> before_reply(line.begin(), line.end() - 1);
        if (more_than_one(after(marks.position, before_reply).winning_columns(marks.player)))
            line.pop_back();
    }
    marks.line = squares_played(marks.position, line);
    marks.wins = fours_now(after(marks.position, line), marks.player);
}

Marks marks_of(const Claim& claim, const Position& position, const std::vector<Bits>& before) {
    const auto [start, columns] = proof_start(claim, position);
    Marks marks{start, claim.player, before};
    for (const Bits square : squares_played(position, columns)) marks.played.push_back(square);
    const auto wins = [&] { return claim.goal == Role::win ? winning_squares(position, claim) : 0; };
    if (columns.size() < claim.start.size()) {
        marks.wins = fours_now(start, claim.player);
    } else if (const auto* const force = std::get_if<ForceLine>(&claim.proof)) {
        mark_force(marks, force->columns);
    } else if (const auto* const plan = std::get_if<AnswerPlan<Bits>>(&claim.proof)) {
        mark_games(marks, {play_plan(*plan, start, claim.player)}, rules_of(*plan, start.height()).pairs,
                   wins());
    } else if (const auto* const local = std::get_if<LocalProof<Bits>>(&claim.proof)) {
        std::vector<Games> all;
        Pairs pairs;
        for (const auto& group : local->groups) {
            all.push_back(play_group(group, start, claim.player));
            for (const auto& pair : pairs_of(all.back(), start.height())) pairs.push_back(pair);
            marks.groups.push_back(group.columns);
        }
        mark_games(marks, all, pairs, wins());
    }  // case by case, who gets what depends on the case
    return marks;
}

/// What only the idea knows: how many squares come before the frozen ones, and case by case the squares
/// that decide, if they do so in all games.
void add_idea(Marks& marks, const Value& idea, const Claim& claim, const Position& start) {
    const long long* const count = idea.get("count").whole();
    if (count != nullptr && marks.frozen != 0)
        marks.count = static_cast<int>(*count) - (marks.position.ply() - start.ply());
    if (!std::holds_alternative<CaseProof<Bits>>(claim.proof) || claim.goal == Role::hold) return;
    const AnyShape<Bits> shape(start.width(), start.height());
    for (const Value& square : idea.at("squares").array("squares")) {
        const std::vector<int> at = square.integers("square", 0, start.width() + start.height());
        if (at.size() == 2) marks.wins |= shape.square(at[0], at[1]) & ~marks.position.mask();
    }
}

}  // namespace

Value marks(const Explanation& explanation) {
    const Position& position = explanation.verdict.position;
    const Position start = after(position, explanation.line);
    const std::vector<Bits> before = squares_played(position, explanation.line);
    if (!explanation.claims.empty())
        return array_of(explanation.claims, [&](const Claim& claim) {
            Marks found = marks_of(claim, start, before);
            if (!explanation.idea.is_null()) add_idea(found, explanation.idea, claim, start);
            return value_of(found);
        });
    Marks best{start, 0, before};
    if (const ColumnSet columns = explanation.verdict.best_columns.value_or(0); columns != 0)
        best.line = squares_played(start, {lowest_bit(columns)});
    return Value::Array{value_of(best)};
}

Value marks_left(const Value& marks, const Position& begin, const Position& now) {
    int count = 0;
    if (const long long* const before = marks.get("count").whole())
        count = static_cast<int>(*before) - (now.ply() - begin.ply());
    for (const Value& frozen : marks.at("frozen").array("frozen")) {
        const std::vector<int> at = frozen.integers("square", 0, now.width() + now.height());
        if (at.size() == 2 && now.column_height(at[0]) > at[1]) ++count;  // one that does not count
    }
    Value left = Value::Object{};
    for (const auto& [name, value] : *marks.object())
        left.add(name, name == "played" || name == "line" ? Value(Value::Array{})
                       : name != "count"                  ? value
                       : count > 0                        ? Value(count)
                                                          : Value());
    return left;
}

Value legend(const Value& marks) {
    const auto squares = [&](const char* kind) { return marks.at(kind).array(kind); };
    Value::Array found;
    const auto add = [&](std::string_view kind, const Value& said) {
        found.push_back(object({{"kind", kind}, {"said", said}}));
    };
    if (marks.get("player").is_null()) {  // there is no claim, only the best move
        if (!squares("line").empty()) add("line", say("mark_best"));
        return found;
    }
    const int player = static_cast<int>(marks.at("player").integer("player", 1, 2));
    const Value::Array wins = squares("wins");
    for (const char* const kind :
         {"played", "line", "gets", "leaves", "pairs", "frozen", "wins", "groups"}) {
        const std::string_view name = kind;
        Value::Array there = squares(kind);
        if (name == "groups")  // in one column alone there is nothing to see
            std::erase_if(there, [](const Value& each) { return each.array("a group").size() < 2; });
        if (name == "gets" || name == "leaves")
            std::erase_if(there, [&](const Value& each) { return std::ranges::count(wins, each) != 0; });
        if (there.empty()) continue;
        const bool is_one = there.size() == 1 && (name == "played" || name == "line");
        const Value count = name == "frozen" ? marks.get("count") : Value();
        add(name, say("mark_" + std::string(name) +
                          (is_one                      ? "_one"
                           : count.is_null()           ? ""
                           : squares("played").empty() ? "_after"
                                                       : "_after_played"),
                      {{"player", said_player(player)},
                       {"opponent", said_player(3 - player)},
                       {"count", count.is_null() ? Value(0) : count}}));
    }
    return found;
}

}  // namespace fourcast::reasons
