#include "words.hpp"

#include <algorithm>

#include "board/columns.hpp"
#include "ideas.hpp"
#include "played_out.hpp"
#include "rules.hpp"
#include "sentences.hpp"
#include "solver/said.hpp"
#include "tactics.hpp"

namespace fourcast::reasons {
namespace {

using Bits = u128;
using Facts = std::initializer_list<Value::Member>;

/// The sentences about one player, whom the opponent faces.
class Saying {
  public:
    Saying(int player, int height) : player_(player), height_(height) {}

    Value sentence(std::string_view pattern, Facts facts = {}) const {
        Value::Object all{{"player", said_player(player_)}, {"opponent", said_player(3 - player_)}};
        all.insert(all.end(), facts);
        return object({{"pattern", pattern}, {"facts", std::move(all)}});
    }
    void operator()(std::string_view pattern, Facts facts = {}) {
        said_.push_back(sentence(pattern, facts));
    }
    Value::Array take() { return std::move(said_); }

    Square square(Bits bit) const { return square_of(bit, height_); }
    std::vector<Square> squares(Bits bits) const { return squares_of(bits, height_); }
    std::vector<Square> squares(const std::vector<Bits>& bits) const {
        std::vector<Square> result;
        for (const Bits bit : bits) result.push_back(square(bit));
        return result;
    }

  private:
    int player_;
    int height_;
    Value::Array said_;
};

/// A sentence for each rule of a plan ("plan") or of groups ("groups").
void say_rules(Saying& say, const std::string& kind, const Rules& rules) {
    for (const auto& [one, other] : rules.pairs)
        say(kind + "_pair", {{"both", said_both({say.square(one), say.square(other)})}});
    for (const auto& [one, other] : rules.filled)
        say(kind + "_filled", {{"columns", said_columns({one, other})}});
    for (const AnswerRule& rule : rules.others) {
        const Value discs = said_either(say.squares(rule.discs));
        const std::vector<Square> squares = say.squares(rule.squares);
        const bool in_column = std::ranges::all_of(
            squares, [&](const Square& each) { return each.column == squares[0].column; });
        if (squares.size() == 1)
            say(kind + "_answer", {{"either", discs}, {"square", said_square(squares[0])}});
        else if (in_column)
            say(kind + "_column", {{"either", discs}, {"column", said_column(squares[0].column)}});
        else
            say(kind + "_choice", {{"either", discs}, {"both", said_both(squares)}});
    }
}

ColumnSet columns_of(const std::vector<Square>& squares) {
    ColumnSet columns = 0;
    for (const Square& square : squares) columns |= only<ColumnSet>(square.column);
    return columns;
}

/// The claim's proof in words, from the position where it begins.
struct ProofWords {
    Saying& say;
    int player;
    Position position;

    void operator()(const ForceLine& proof) {
        for (std::size_t i = 0; i < proof.columns.size(); i += 2) {
            const Value square = said_square(landing(position, proof.columns[i]));
            const Position after = position.play(proof.columns[i]);
            if (after.is_over() || i + 1 == proof.columns.size())
                return say("four", {{"square", square}});
            const int reply = proof.columns[i + 1];
            const Square other = landing(after, reply);
            const ColumnSet threats = after.winning_columns(player);
            if (more_than_one(threats))
                return say("double",
                           {{"square", square}, {"either", said_either(landings(after, threats))}});
            if (i + 3 == proof.columns.size())
                return say("stack", {{"square", square},
                                     {"other", said_square(other)},
                                     {"above", said_square({reply, other.row + 1})}});
            say("exchange", {{"square", square}, {"other", said_square(other)}});
            position = after.play(reply);
        }
    }

    void operator()(const AnswerPlan<Bits>& proof) {
        const Games games = play_plan(proof, position, player);
        const bool wins = proof.latest != 0;
        if (!wins && games.positions == 1 && games.on_top == 0) return say("nothing_left");
        say(wins ? "plan" : "plan_hold");
        if (games.forced) say("plan_force", {{"number", proof.takes}});
        say_rules(say, "plan", rules_of(proof, position.height()));
        if (games.on_top != 0) {
            const ColumnSet columns = columns_of(say.squares(games.on_top));
            const bool has_entries = std::ranges::any_of(proof.answers, [&](const auto& answer) {
                return contains(columns, say.square(answer.disc).column);
            });
            if (proof.answers.empty() && columns == position.legal_columns())
                say("plan_on_top_all");
            else
                say(has_entries ? "plan_on_top_else" : "plan_on_top",
                    {{"columns", said_columns(columns_in(columns))}});
        }
        if (games.is_safe) say("no_four");
        if (!wins) return;
        if (games.always_below && popcount(games.wins) <= 3)
            say("has_to_play_below", {{"either", said_either(say.squares(games.wins))}});
        say_latest(proof.latest);
    }

    void operator()(const LocalProof<Bits>& proof) {
        if (proof.groups.empty()) return say("nothing_left");
        struct Part {
            const LocalGroup<Bits>& group;
            Games games;
            std::optional<Rules> rules;
            Value columns;
        };
        std::vector<Part> parts;
        for (const auto& group : proof.groups) {
            Games games = play_group(group, position, player);
            auto rules = rules_of(games, position.height());
            parts.push_back(
                {group, std::move(games), std::move(rules), said_columns(columns_in(group.columns))});
        }
        if (std::ranges::any_of(parts, [](const Part& p) { return p.rules && p.rules->fours_first; }))
            say("groups_first");
        ColumnSet on_top = 0;
        bool has_rules = false;
        for (const auto& [group, games, rules, columns] : parts) {
            if (!rules) {
                say("groups_table", {{"columns", columns}, {"number", group.answers.size()}});
                continue;
            }
            on_top |= group.columns;
            const bool fills_column = std::ranges::any_of(
                say.squares(games.settled),
                [&](const Square& square) { return square.row + 1 == position.height(); });
            if (more_than_one(group.columns) && fills_column)
                say("groups_together", {{"columns", columns}});
            say_rules(say, "groups", *rules);
            has_rules |= rules->count() > 0;
        }
        if (on_top != 0) {
            const std::string pattern = has_rules ? "groups_on_top_else" : "groups_on_top";
            if (on_top == position.legal_columns())
                say(pattern + "_all");
            else
                say(pattern, {{"columns", said_columns(columns_in(on_top))}});
        }
        say("groups_stop");
        if (std::ranges::any_of(proof.groups,
                                [](const auto& group) { return group.free != FreeMove::never; }))
            say("groups_spare");
        for (const auto& [group, games, rules, columns] : parts) {
            if (group.role != Role::win) continue;
            if ((games.mine | games.theirs) != 0)
                say("groups_win", {{"columns", columns}});
            else
                say("groups_below", {{"either", said_either(say.squares(games.wins))}});
        }
        if (proof.latest != 0) say_latest(proof.latest);
    }

    /// The disc with which the player has won at the latest: one of the player's own.
    void say_latest(int discs) {
        say("latest", {{"number", discs - (discs % 2 != player % 2 ? 1 : 0)}});
    }

    void operator()(const CaseProof<Bits>& proof) {
        if (proof.answers.size() > 1)
            say("cases", {{"number", proof.answers.size()}});
        else
            say(proof.answers.empty() ? "cases_on_top" : "cases_one");
        const std::string goal = proof.latest != 0 ? "cases_win" : "cases_hold";
        if (proof.ends.empty())
            say(goal);
        else
            say(goal + (proof.ends.size() == 1 ? "_or_one" : "_or_some"),
                {{"number", proof.ends.size()}});
        if (const std::size_t size = answer_count(proof); size > proof.answers.size())
            say("cases_size", {{"number", size}});
        if (proof.latest != 0) say_latest(proof.latest);
    }
};

Value::Array said(const Claim& claim, Position position) {
    Saying say(claim.player, position.height());
    if (claim.goal == Role::hold) say("holds");
    for (const int column : claim.start) {
        const Value square = said_square(landing(position, column));
        if (position.turn() == claim.player) {
            say("plays", {{"square", square}});
        } else if (const ColumnSet threats = position.winning_columns(claim.player);
                   more_than_one(threats)) {
            say("two_threats", {{"both", said_both(landings(position, threats))}});
            return say.take();
        } else {
            say("has_to_block", {{"square", square}});
        }
        position = position.play(column);
    }
    std::visit(ProofWords{say, claim.player, position}, claim.proof);
    return say.take();
}

/// The reason in a few words, if there is one; `column` is the move that it is about.
std::optional<Value> in_brief(const Explanation& reason, int column) {
    if (!reason.line.empty() || reason.idea.is_null()) return std::nullopt;
    const Value& brief = reason.idea.get("brief");
    if (brief.is_null()) return std::nullopt;
    if (pattern_of(brief) != "brief_four") return brief;
    const Value& facts = brief.at("facts");
    const Value& square = facts.at("square");
    const bool is_above = square.at("facts").at("column").text("column") == said_column(column);
    return object({{"pattern", is_above ? "brief_above" : "brief_four"}, {"facts", facts}});
}

/// The best answer to a column that gives something away, if there is one, with what is good about it;
/// null if there are several.
Value said_of_answer(const Explanation& reason) {
    const ColumnSet best = reason.verdict.best_columns.value_or(0);
    if (best == 0 || more_than_one(best)) return nullptr;
    const Position& position = reason.verdict.position;
    if (const auto answer = answer_of(position, lowest_bit(best)); answer && answer->is_telling)
        return answer->said;
    return say("brief_answer", {{"player", said_player(position.turn())},
                                {"square", said_square(landing(position, lowest_bit(best)))}});
}

/// What a move is that ends the game.
Value said_of_end(const Position& position, int column) {
    const bool wins = position.play(column).winner() != 0;
    return say(wins ? "move_wins" : "move_draws", {{"column", said_column(column)}});
}

/// The sentences about the move itself.
Value::Array said_of_move(const MoveExplanation& explanation) {
    const int move = explanation.after.column;
    const Value column = said_column(move);
    const char* const before = explanation.before.outcome();
    const char* const after = explanation.after.outcome();
    if (before == nullptr || after == nullptr) throw OptionError("error.outcome_open");
    const Value outcome = say(before);
    Value::Array said;
    if (!explanation.reason) {
        said.push_back(said_of_end(explanation.before.position, move));
    } else if (explanation.is_mistake()) {
        said.push_back(say(
            "move_mistake",
            {{"column", column}, {"outcome", outcome}, {"result", say(std::string("into_") + after)}}));
    } else if (explanation.before.upper < 0) {
        said.push_back(say("move_keeps_loss", {{"column", column}}));
    } else {
        const Facts facts{{"column", column}, {"outcome", outcome}};
        said.push_back(say("move_keeps", facts));
        const bool is_only = explanation.keeping == only<ColumnSet>(move) &&
                             more_than_one(explanation.before.position.legal_columns());
        if (is_only) said.push_back(say("move_only", facts));
    }
    if (!explanation.is_mistake()) return said;
    const ColumnSet keeping = explanation.keeping;
    const ColumnSet replies = explanation.replies;
    const bool one_keeps = !more_than_one(keeping);
    const bool one_replies = replies != 0 && !more_than_one(replies);
    const Value reply = one_replies ? said_column(lowest_bit(replies)) : "";
    if (one_keeps && one_replies && keeping == replies) {
        said.push_back(say("same_point", {{"column", reply}, {"outcome", outcome}, {"after", column}}));
        return said;
    }
    if (one_keeps)
        said.push_back(
            say("kept_one", {{"column", said_column(lowest_bit(keeping))}, {"outcome", outcome}}));
    else
        said.push_back(
            say("kept_some", {{"columns", said_columns(columns_in(keeping))}, {"outcome", outcome}}));
    if (one_replies && replies == only<ColumnSet>(move))
        said.push_back(
            say("reply_on_top",
                {{"player", said_player(3 - explanation.before.position.turn())},
                 {"column", column},
                 {"square", said_square(landing(explanation.before.position.play(move), move))}}));
    else if (one_replies)
        said.push_back(say("reply_one", {{"column", reply}, {"after", column}}));
    return said;
}

void append(Value::Array& paragraphs, const Value& more) {
    for (const Value& each : more.array("paragraphs")) paragraphs.push_back(each);
}

Value said_verdict(const Explanation& explanation) {
    const Result& verdict = explanation.verdict;
    return say("verdict",
               {{"player", said_player(verdict.position.turn())}, {"text", said_bounds(verdict)}});
}

/// The square that a line of an idea completes a four on, if it goes through another one; null if none
/// does.
Value needing(const Value& idea, const Square& square) {
    const Value needed(std::pair(square.column, square.row));
    const auto& ends = idea.at("squares").array("squares");
    if (std::ranges::count(ends, needed) != 0) return nullptr;
    for (const Value& line : idea.at("lines").array("lines")) {
        const auto& four = line.array("line");
        if (std::ranges::count(four, needed) == 0) continue;
        for (const Value& end : ends)
            if (std::ranges::count(four, end) != 0) {
                const auto& at = end.array("square");
                return said_square({static_cast<int>(at[0].integer("column", 0, max_bits)),
                                    static_cast<int>(at[1].integer("row", 0, max_bits))});
            }
    }
    return nullptr;
}

bool contains_square(const Value& fact, const Value& square) {
    if (fact == square) return true;
    if (const auto* const list = fact.array())
        return std::ranges::any_of(*list, [&](const Value& e) { return contains_square(e, square); });
    if (fact.object() == nullptr || !fact.has("facts")) return false;
    return std::ranges::any_of(*fact.at("facts").object(),
                               [&](const auto& each) { return contains_square(each.second, square); });
}

/// Whether sentences of an idea say that the opponent of `player` must play a square in the end.
bool is_to_be_played(const Value::Array& told, const Value& player, const Value& square) {
    for (const Value& sentence : told) {
        const std::string& pattern = pattern_of(sentence);
        const Value& facts = sentence.at("facts");
        if (facts.get("player") != player) continue;
        const bool has_either = pattern.starts_with("idea_waits") || pattern == "idea_then" ||
                                pattern == "idea_count_none" || pattern == "idea_example_zugzwang";
        if (has_either && contains_square(facts.at("either"), square)) return true;
        if (pattern.starts_with("idea_target") && facts.at("under") == square) return true;
    }
    return false;
}

/// Whether an idea is the zugzwang below one square of the first player's, in an odd row.
bool is_odd_threat_of_first(const Value& idea) {
    const auto& squares = idea.at("squares").array("squares");
    return idea.at("kind").text("kind") == "zugzwang" && idea.at("player") == Value(1) &&
           squares.size() == 1 && squares[0].array("square")[1].integer("row", 0, max_bits) % 2 == 0;
}

/// What a column leads to if its reason shows only after some moves of best play; null for all others.
Value said_of_later(const Proven& proven, int column, const std::optional<Explanation>& reason) {
    if (!reason || reason->line.empty() || reason->idea.is_null()) return nullptr;
    const Value& brief = reason->idea.get("brief");
    if (brief.is_null() || pattern_of(brief).starts_with("brief_example")) return nullptr;
    const Value later = say("brief_later", {{"count", reason->line.size()}, {"reason", brief}});
    return say("column_why",
               {{"column", said_column(column)}, {"text", said_bounds(proven)}, {"reason", later}});
}

/// Sentences of an idea that are about what its own side should do, or say no more than the outcome.
bool is_advice(const std::string& pattern) {
    for (const char* const name : {"idea_longest", "idea_only_draw", "idea_some_", "idea_all_draw",
                                   "idea_no_reason", "idea_danger_"})
        if (pattern.starts_with(name)) return true;
    return !pattern.starts_with("idea_") && !pattern.starts_with("vain_");
}

/// What the better column leads to, with its reason, or why it holds a draw; null if nothing is known.
Value said_of_better(const MoveExplanation& explanation) {
    const int column = explanation.instead();
    const auto& better = explanation.better;
    if (!better) return said_of_column(explanation.before, column, nullptr);
    if (explanation.before.lower == 0 && better->line.empty() && !better->idea.is_null())
        for (const Value& sentence : better->idea.at("said").array("said"))
            if (const std::string& pattern = pattern_of(sentence);
                pattern.starts_with("vain_") || pattern == "idea_holds" || pattern == "idea_needs")
                return say("column_then", {{"column", said_column(column)}, {"sentence", sentence}});
    const Value later = said_of_later(explanation.before, column, better);
    const Value found = later.is_null() ? said_of_column(explanation.before, column, &*better) : later;
    return pattern_of(found) == "column_why" ? found : nullptr;
}

/// A sentence of an idea as the text on a move has it, without the count of squares; null for those that
/// it leaves out.
Value shortened(const Value& sentence) {
    const std::string& pattern = pattern_of(sentence);
    if (is_advice(pattern) || pattern == "idea_sooner" ||
        (pattern.starts_with("idea_count") && pattern != "idea_count_none"))
        return nullptr;
    if (pattern != "idea_then") return sentence;
    return object({{"pattern", "idea_waits"}, {"facts", sentence.at("facts")}});
}

/// The answers to a mistake that take advantage of it, of which a line of best play, if that is told,
/// begins with one.
ColumnSet replies_told(const MoveExplanation& explanation) {
    const auto& reason = explanation.reason;
    if (!reason) return explanation.replies;
    std::optional<int> first;
    if (!reason->line.empty()) first = reason->line[0];
    if (!reason->idea.is_null())
        if (const auto& line = reason->idea.at("line").array("line"); !line.empty())
            first = static_cast<int>(line[0].integer("column", 0, max_bits));
    return first ? explanation.replies & only<ColumnSet>(*first) : explanation.replies;
}

/// The answer to a mistake that takes advantage of it, of several the most telling; null if nothing is
/// to be said of any.
Value said_of_reply(const MoveExplanation& explanation) {
    const Position next = explanation.before.position.play(explanation.after.column);
    const Value& idea = explanation.reason->idea;
    const Value player = said_player(next.turn());
    const bool is_own = !idea.is_null() && idea.get("player") == Value(next.turn()) &&
                        fours_now(next, 3 - next.turn()) == 0;
    std::optional<Answer> best;
    Value needed;
    for (const int reply : each(replies_told(explanation))) {
        const Square square = landing(next, reply);
        // Else the winner would open what the loser is said to have to open, or take what it wins on.
        if (!idea.is_null() &&
            (is_to_be_played(idea.at("said").array("said"), player, said_square(square)) ||
             std::ranges::count(idea.at("squares").array("squares"),
                                Value(std::pair(square.column, square.row))) != 0))
            continue;
        if (auto answer = answer_of(next, reply); answer && (!best || answer->rank < best->rank))
            best = std::move(answer);
        if (!is_own || !needed.is_null()) continue;
        if (const Value other = needing(idea, square); !other.is_null())
            needed = say("reply_needed",
                         {{"player", player}, {"square", said_square(square)}, {"other", other}});
    }
    // The busiest square says nothing beside the squares of an idea; nor does a threat that the idea is.
    const bool has_squares = !idea.is_null() && !idea.at("squares").array("squares").empty();
    const bool is_idea = best && !needed.is_null() && pattern_of(best->said) == "brief_answer_threat" &&
                         best->said.at("facts").at("other") == needed.at("facts").at("other");
    if (!best || is_idea || (!best->is_telling && (has_squares || !needed.is_null()))) return needed;
    return say("reply_best", {{"reason", best->said}});
}

/// That an answer to a mistake takes a square that the four of the better column needs; null if none
/// does.
Value said_of_taking(const MoveExplanation& explanation) {
    if (!explanation.better || explanation.better->idea.is_null()) return nullptr;
    const Value& idea = explanation.better->idea;
    const int move = explanation.after.column;
    const Position next = explanation.before.position.play(move);
    if (idea.at("player") != Value(3 - next.turn())) return nullptr;
    const Value played = said_square(landing(explanation.before.position, move));
    for (const int reply : each(replies_told(explanation))) {
        const Square taken = landing(next, reply);
        if (const Value other = needing(idea, taken); !other.is_null() && other != played)
            return say("reply_takes", {{"player", said_player(next.turn())},
                                       {"opponent", said_player(3 - next.turn())},
                                       {"after", said_column(move)},
                                       {"square", said_square(taken)},
                                       {"other", other}});
    }
    return nullptr;
}

/// What is good about a column that keeps the result: the best one, else one of which something can be
/// seen.
Value said_of_merits(const MoveExplanation& explanation) {
    const Position& position = explanation.before.position;
    Value found = said_of_merit(position, explanation.instead());
    for (const int column : each(explanation.keeping))
        if (found.is_null() || pattern_of(found) == "does_most" ||
            pattern_of(found) == "does_threaten_now")
            found = said_of_merit(position, column);
    return found;
}

/// Whether threats win at once, so that what else is good about a move says less.
bool wins_by_force(const std::optional<Explanation>& reason) {
    if (!reason || !reason->line.empty() || reason->idea.is_null()) return false;
    const std::string& kind = reason->idea.at("kind").text("kind");
    return kind == "two" || kind == "stack" || kind == "force";
}

/// The sentences about what follows a move: what can be seen at once, or the idea without advice; of a
/// mistake first what was better, and then the answer to it.
Value::Array what_follows(const MoveExplanation& explanation, int words) {
    Sentences said(words);
    if (!explanation.reason) return said.take();
    const Position& position = explanation.before.position;
    const int move = explanation.after.column;
    const bool is_mistake = explanation.is_mistake();
    const Value better = is_mistake ? said_of_better(explanation) : Value();
    const Value merit = is_mistake ? said_of_merits(explanation) : Value();
    // Of a block or a four that was missed, what was missed says it.
    const bool has_merit = !merit.is_null() && pattern_of(merit) != "does_threaten_now" &&
                           pattern_of(merit) != "does_block" && pattern_of(merit) != "does_win" &&
                           pattern_of(merit) != "does_most";
    const Value& idea = explanation.reason->idea;
    const Value tactics = said_of_tactics(position, move);
    // The moves of a series of threats are in the idea.
    const bool has_moves = !tactics.is_null() && pattern_of(tactics) == "let_force" &&
                           explanation.reason->line.empty() && !idea.is_null() &&
                           idea.at("kind").text("kind") == "force";
    if (!tactics.is_null() && !has_moves) {
        said.add(0, tactics);
        if (has_merit && !pattern_of(merit).starts_with("does_prevent"))
            said.add(1, does("does", merit));
        said.add(2, better);
        return said.take();
    }
    if (idea.is_null()) return said.take();
    Value rule;
    for (const Value& sentence : idea.at("said").array("said"))
        if (pattern_of(sentence).starts_with("rule_")) rule = sentence;
    const Value reply = is_mistake ? said_of_reply(explanation) : Value();
    if (is_mistake) {
        const Square key = landing(position, explanation.instead());
        const Value other = more_than_one(explanation.keeping) ? Value() : needing(idea, key);
        const bool has_key = !other.is_null();
        const Value answer =
            reply.is_null() || !reply.at("facts").has("reason") ? reply : reply.at("facts").at("reason");
        const bool takes_key = !answer.is_null() && answer.at("facts").at("square") == said_square(key);
        if (has_key) {
            said.add(1, say("key_square", {{"player", said_player(3 - position.turn())},
                                           {"column", said_column(key.column)},
                                           {"square", said_square(key)},
                                           {"other", other}}));
            if (is_odd_threat_of_first(idea)) rule = say("rule_key");
        } else if (has_merit && !wins_by_force(explanation.better)) {
            said.add(1, does("does", merit));
        }
        said.add(has_key ? 5 : wins_by_force(explanation.better) ? 1 : 3, better);
        const bool can_take = !has_key && !better.is_null() && explanation.before.lower > 0;
        const Value taking = can_take ? said_of_taking(explanation) : Value();
        said.add(3, taking);
        const bool is_short = !reply.is_null() && pattern_of(reply) == "reply_needed";
        // The answer on the key square does no more than to take it away.
        const bool is_there = takes_key && (has_key || has_merit);
        const Value there = say(
            "reply_there", {{"player", said_player(3 - position.turn())}, {"square", said_square(key)}});
        const Value next = is_there ? there : reply;
        if (taking.is_null() && next.is_null() && said.size() > 0)
            said.add(0, say("but_after", {{"column", said_column(move)}}));
        else if (taking.is_null())
            said.add(is_short ? 1 : 2, next);
    }
    for (const Value& sentence : idea.at("said").array("said")) {
        const std::string& pattern = pattern_of(sentence);
        // What the answer does says more of a mistake.
        if (pattern == "idea_next" && !reply.is_null()) continue;
        const bool is_more = pattern == "idea_next" || pattern == "idea_needs";
        said.add(is_more ? 4 : 0, shortened(sentence));
    }
    said.add(4, rule);
    return said.take();
}

/// Moves by which a column may lose sooner in the same way as others.
constexpr int most_sooner = 2;

/// Whether a reason takes longer than best play.
bool is_slower(const Explanation& reason) {
    const auto plies = reason.verdict.plies_to_end();
    const Value& count = reason.idea.get("count");
    return plies && !count.is_null() && count.integer("count", 0, max_bits) + 2 > *plies;
}

/// Whether what follows a column is what an idea says: as quiet an end, and a square of it is the same.
/// Not if the column's disc is on one of the idea's squares or below one, or it is lost much sooner.
bool is_same_way(const Value& idea, const ColumnReason& reason, int most_moves) {
    const Value& other = reason.reason->idea;
    if (idea.is_null() || other.is_null()) return false;
    const Square played = landing(reason.proven.position, reason.column);
    for (const Value& square : idea.at("squares").array("squares"))
        if (square == Value(std::pair(played.column, played.row)) ||
            square == Value(std::pair(played.column, played.row + 1)))
            return false;
    if (reason.proven.upper < 0 && most_moves - reason.proven.moves_to_end().value_or(0) > most_sooner)
        return false;
    const std::string& kind = idea.at("kind").text("kind");
    if (kind != "zugzwang" && kind != "threats" && kind != "mixed") return false;
    if (other.at("kind") != idea.at("kind") || other.at("player") != idea.at("player")) return false;
    const auto& squares = idea.at("squares").array("squares");
    return std::ranges::any_of(other.at("squares").array("squares"), [&](const Value& each) {
        return std::ranges::count(squares, each) != 0;
    });
}

/// Whether a reason is a four right on top of the column's disc.
bool is_on_top(const Value& reason) {
    return pattern_of(reason) == "brief_above" || pattern_of(reason) == "brief_on_top";
}

/// Columns of which the same is said, with what they lead to.
struct Fate {
    std::vector<Value> texts;
    Value reason;
    std::vector<int> columns;
    bool ends_game;
    bool is_best_win;

    /// Whether columns with another number of moves belong here, too.
    bool has_range() const {
        const std::string& pattern = pattern_of(texts[0]);
        return !is_best_win && (pattern == "score.wins" || pattern == "score.loses");
    }
    /// "loses in 7 to 9 moves".
    Value range() const {
        Value least = texts[0].at("facts").at("count"), most = least;
        for (const Value& text : texts) {
            const Value& count = text.at("facts").at("count");
            if (count_of(count) < count_of(least)) least = count;
            if (count_of(count) > count_of(most)) most = count;
        }
        return say(pattern_of(texts[0]) + "_range", {{"from", least}, {"to", most}});
    }
    static long long count_of(const Value& count) { return count.integer("count", 0, max_bits); }
};

}  // namespace

Value said(const Explanation& explanation) {
    Value::Array head{said_verdict(explanation)};
    if (explanation.idea.is_null()) {
        head.push_back(say(explanation.complete ? "no_reason" : "no_time"));
        return Value::Array{std::move(head)};
    }
    return Value::Array{std::move(head), explanation.idea.at("said")};
}

Value said_proof(const Explanation& explanation) {
    Value::Array head{said_verdict(explanation)};
    if (explanation.claims.empty()) {
        head.push_back(say(explanation.complete ? "no_reason" : "no_time"));
        return Value::Array{std::move(head)};
    }
    if (!explanation.line.empty())
        head.push_back(say(explanation.line.size() == 1 ? "line_of_one" : "line",
                           {{"columns", said_columns(explanation.line)}}));
    Position start = explanation.verdict.position;
    for (const int column : explanation.line) start = start.play(column);
    Value::Array paragraphs{std::move(head)};
    for (const Claim& claim : explanation.claims) paragraphs.push_back(said(claim, start));
    return paragraphs;
}

Value said(const MoveExplanation& explanation) {
    Value::Array first = said_of_move(explanation);
    const Position& position = explanation.before.position;
    if (!explanation.is_mistake() && explanation.reason)
        if (const Value merit = said_of_merit(position, explanation.after.column); !merit.is_null())
            first.push_back(does("it_does", merit));
    int words = 0;
    for (const Value& sentence : first) words += words_in(sentence);
    Value::Array follows = what_follows(explanation, most_words - words);
    if (follows.empty()) return Value::Array{std::move(first)};
    return Value::Array{std::move(first), std::move(follows)};
}

Value said_proof(const MoveExplanation& explanation) {
    Value::Array paragraphs;
    if (explanation.reason) {
        const auto column = said_column(explanation.after.column);
        paragraphs.push_back(Value::Array{say("after_it", {{"column", column}})});
        append(paragraphs, said_proof(*explanation.reason));
    }
    if (explanation.is_mistake()) {
        const auto column = said_column(explanation.instead());
        const char* const pattern = explanation.better ? "instead" : "move_wins";
        paragraphs.push_back(Value::Array{say(pattern, {{"column", column}})});
        if (explanation.better) append(paragraphs, said_proof(*explanation.better));
    }
    return paragraphs;
}

Value said_in_brief(const MoveExplanation& explanation) {
    const auto of = [](const std::optional<Explanation>& maybe) { return maybe ? &*maybe : nullptr; };
    Value::Array said = said_of_move(explanation);
    const int column = explanation.after.column;
    const Value later = said_of_later(explanation.after, column, explanation.reason);
    said.push_back(later.is_null() ? said_of_column(explanation.after, column, of(explanation.reason))
                                   : later);
    if (explanation.is_mistake())
        said.push_back(
            said_of_column(explanation.before, explanation.instead(), of(explanation.better)));
    return said;
}

Value said_of_column(const Proven& proven, int column, const Explanation* reason) {
    if (reason == nullptr) return said_of_end(proven.position, column);
    const Value name = said_column(column);
    const Value text = said_bounds(proven);
    if (const auto why = in_brief(*reason, column))
        return say("column_why", {{"column", name}, {"text", text}, {"reason", *why}});
    return say("column", {{"column", name}, {"text", text}});
}

Value said_of_columns(const std::vector<ColumnReason>& columns, const Value& idea) {
    const Value::Array told = idea.is_null() ? Value::Array{} : idea.at("said").array("said");
    const auto is_told = [&](int column) {
        return std::ranges::any_of(told, [&](const Value& sentence) {
            return pattern_of(sentence).starts_with("not_") &&
                   sentence.at("facts").get("column") == Value(said_column(column));
        });
    };
    const bool can_win =
        std::ranges::any_of(columns, [](const ColumnReason& each) { return each.proven.lower > 0; });
    int best = -max_bits;
    for (const ColumnReason& each : columns) best = std::max(best, each.proven.lower);
    int most_moves = 0;
    for (const ColumnReason& each : columns)
        if (each.proven.upper < 0)
            most_moves = std::max(most_moves, each.proven.moves_to_end().value_or(0));
    std::vector<Fate> fates;
    for (const ColumnReason& each_column : columns) {
        const auto& [proven, column, reason] = each_column;
        const Value text = said_bounds(proven);
        Value why;
        if (reason && !is_told(column)) {
            if (is_same_way(idea, each_column, most_moves))
                why = say("same_way");
            else if (const auto brief = in_brief(*reason, column); brief && !is_slower(*reason))
                why = *brief;
            else if (proven.upper < (can_win ? 1 : 0))
                why = said_of_answer(*reason);
            if (!why.is_null() && pattern_of(why).starts_with("brief_answer") &&
                is_to_be_played(told, why.at("facts").at("player"), why.at("facts").at("square")))
                why = nullptr;
        }
        const bool is_best_win = proven.lower > 0 && proven.lower == best;
        const auto same = std::ranges::find_if(fates, [&](const Fate& fate) {
            // The square on top is another one in each column.
            const bool is_one_reason = fate.reason == why || (is_on_top(fate.reason) && is_on_top(why));
            return reason && !fate.ends_game && is_one_reason &&
                   (fate.texts[0] == text ||
                    (fate.has_range() && !is_best_win && pattern_of(text) == pattern_of(fate.texts[0])));
        });
        if (same == fates.end()) {
            fates.push_back({{text}, why, {column}, !reason, is_best_win});
            continue;
        }
        same->columns.push_back(column);
        if (std::ranges::count(same->texts, text) == 0) same->texts.push_back(text);
        if (is_on_top(why))
            same->reason = say("brief_on_top", {{"player", why.at("facts").at("player")}});
    }
    // What is lost at once everywhere needs no reason for each column.
    const bool all_lose_at_once = std::ranges::all_of(fates, [&](const Fate& fate) {
        return fate.texts == fates[0].texts &&
               (is_on_top(fate.reason) || pattern_of(fate.reason) == "brief_four");
    });
    if (all_lose_at_once && fates.size() > 1)
        return Value::Array{say("columns_all", {{"columns", ""}, {"text", fates[0].texts[0]}})};
    Value::Array said;
    for (const Fate& fate : fates) {
        const int column = fate.columns[0];
        if (fate.ends_game) {
            said.push_back(said_of_end(columns[0].proven.position, column));
            continue;
        }
        const bool is_same = pattern_of(fate.reason) == "same_way";
        const bool is_range = fate.texts.size() > 1;
        const std::string pattern = fate.columns.size() == 1                ? "column"
                                    : fate.columns.size() == columns.size() ? "columns_all"
                                                                            : "columns_each";
        Value::Object facts{{"text", is_range ? fate.range() : fate.texts[0]}};
        if (fate.columns.size() == 1)
            facts.emplace_back("column", said_column(column));
        else
            facts.emplace_back("columns", said_columns(fate.columns));
        if (!is_same && !fate.reason.is_null()) facts.emplace_back("reason", fate.reason);
        const char* const end = is_same ? "_same" : fate.reason.is_null() ? "" : "_why";
        said.push_back(object({{"pattern", pattern + end}, {"facts", std::move(facts)}}));
    }
    return said;
}

}  // namespace fourcast::reasons
