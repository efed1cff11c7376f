#include "rules.hpp"

#include <algorithm>
#include <map>

namespace fourcast::reasons {
namespace {

using Bits = u128;

/// Squares of which the first that can be played is one rule, not several.
constexpr std::size_t longest_choice = 3;

class Columns {
  public:
    explicit Columns(int height) : stride_(height + 1) {}

    int of(Bits square) const { return lowest_bit(square) / stride_; }
    bool is_top(Bits square) const { return lowest_bit(square) % stride_ == stride_ - 2; }
    /// Whether all squares, of which there is one at least, lie in one column.
    bool is_one(const std::vector<Bits>& squares) const {
        return !squares.empty() &&
               std::ranges::all_of(squares, [&](Bits each) { return of(each) == of(squares[0]); });
    }

  private:
    int stride_;
};

/// The discs that are answered in the same column, or with the same list of squares, are one rule.
std::vector<AnswerRule> merged(const std::map<Bits, std::vector<Bits>>& table, const Columns& columns) {
    std::vector<AnswerRule> rules;
    for (const auto& [disc, squares] : table) {
        const bool in_column = columns.is_one(squares);
        const auto same = std::ranges::find_if(rules, [&, &list = squares](const AnswerRule& rule) {
            if (!in_column) return rule.squares == list;
            return columns.is_one(rule.squares) && columns.of(rule.squares[0]) == columns.of(list[0]);
        });
        AnswerRule& rule = same == rules.end() ? rules.emplace_back() : *same;
        rule.discs.push_back(disc);
        if (!in_column) {
            rule.squares = squares;
            continue;
        }
        rule.squares.insert(rule.squares.end(), squares.begin(), squares.end());
        std::ranges::sort(rule.squares);
        const auto repeated = std::ranges::unique(rule.squares);
        rule.squares.erase(repeated.begin(), repeated.end());
    }
    return rules;
}

using Chosen = std::set<std::pair<Bits, Bits>>;

/// Whether the first of `order` that could be played was always the answer.
bool fits(const std::vector<Bits>& order, const Chosen& chosen) {
    return std::ranges::all_of(chosen, [&](const auto& each) {
        const auto& [could, answer] = each;
        const auto first =
            std::ranges::find_if(order, [&could = could](Bits square) { return (square & could) != 0; });
        return first != order.end() && *first == answer;
    });
}

std::vector<Bits> answers_in(const Chosen& chosen) {
    std::set<Bits> answers;
    for (const auto& [could, answer] : chosen) answers.insert(answer);
    return {answers.begin(), answers.end()};
}

/// A list of which the first square that can be played is always the answer; empty if there is none.
std::vector<Bits> order_of(const Chosen& chosen, const Columns& columns) {
    std::vector<Bits> order = answers_in(chosen);
    if (columns.is_one(order)) return order;  // of one column no two can be played at once
    if (order.size() > longest_choice) return {};
    do {
        if (fits(order, chosen)) return order;
    } while (std::ranges::next_permutation(order).found);
    return {};
}

/// Such a list for each disc, shared where one does for several; nothing if some disc has none.
std::optional<AnswerTable> lists_of(const Games& games, const Columns& columns) {
    std::vector<std::pair<Bits, const Chosen*>> discs;
    for (const auto& [disc, chosen] : games.chosen) discs.emplace_back(disc, &chosen);
    std::ranges::stable_sort(discs, std::greater{},
                             [](const auto& each) { return answers_in(*each.second).size(); });
    AnswerTable lists;
    for (const auto& [disc, chosen] : discs) {
        std::vector<Bits> order = order_of(*chosen, columns);
        if (order.empty()) return std::nullopt;
        if (!columns.is_one(order)) {
            const auto known = std::ranges::find_if(
                lists, [&wanted = *chosen](const auto& each) { return fits(each.second, wanted); });
            if (known != lists.end()) order = known->second;
        }
        lists[disc] = order;
    }
    return lists;
}

AnswerTable without_on_top(const AnswerTable& table) {
    AnswerTable result;
    for (const auto& [disc, squares] : table)
        if (squares != std::vector{disc << 1}) result[disc] = squares;
    return result;
}

std::size_t clause_count(const LocalGroup<Bits>& group, const Position& position, int player) {
    const Games games = play_group(group, position, player);
    if (const auto rules = rules_of(games, position.height())) return rules->count();
    int count = 0;
    for (const auto& [disc, answers] : games.answers)
        if (disc != 0) count += popcount(answers & ~(disc << 1));
    return static_cast<std::size_t>(count);
}

std::size_t answer_count(const AnswerPlan<Bits>& plan) { return plan.answers.size(); }
std::size_t answer_count(const LocalProof<Bits>& proof) {
    std::size_t count = 0;
    for (const auto& group : proof.groups) count += group.answers.size();
    return count;
}

}  // namespace

Rules rules_of(const AnswerTable& table, int height, bool fours_first) {
    const Columns columns(height);
    Rules rules;
    rules.fours_first = fours_first;
    std::map<Bits, std::vector<Bits>> others;
    for (const auto& [disc, squares] : table) others[disc] = squares;
    for (const auto& [disc, squares] : table) {
        if (squares.size() != 1 || disc >= squares[0]) continue;
        const auto* const back = table.get(squares[0]);
        if (back == nullptr || *back != std::vector{disc}) continue;
        rules.pairs.emplace_back(disc, squares[0]);
        others.erase(disc);
        others.erase(squares[0]);
    }
    rules.others = merged(others, columns);
    // Of each rule about the last disc of a column that is answered in another column: both columns.
    const auto filled_by = [&](const AnswerRule& rule) -> std::optional<std::pair<int, int>> {
        if (rule.discs.size() != 1 || !columns.is_top(rule.discs[0]) || !columns.is_one(rule.squares))
            return std::nullopt;
        return std::pair(columns.of(rule.discs[0]), columns.of(rule.squares[0]));
    };
    const auto has = [&](const std::pair<int, int>& wanted) {
        return std::ranges::any_of(rules.others,
                                   [&](const auto& rule) { return filled_by(rule) == wanted; });
    };
    for (const AnswerRule& rule : rules.others)
        if (const auto pair = filled_by(rule);
            pair && pair->first < pair->second && has({pair->second, pair->first}))
            rules.filled.push_back(*pair);
    std::erase_if(rules.others, [&](const AnswerRule& rule) {
        const auto pair = filled_by(rule);
        return pair && std::ranges::any_of(rules.filled, [&](const auto& each) {
                   return each == *pair || each == std::pair(pair->second, pair->first);
               });
    });
    return rules;
}

Rules rules_of(const AnswerPlan<Bits>& plan, int height) {
    AnswerTable table;
    for (const auto& answer : plan.answers) table[answer.disc] = answer.squares;
    return rules_of(table, height, true);
}

std::optional<Rules> rules_of(const Games& games, int height) {
    std::optional<Rules> found;
    AnswerTable table;
    bool has_one_each = true;
    for (const auto& [disc, answers] : games.answers) {
        if (disc == 0) continue;
        has_one_each &= !more_than_one(answers);
        table[disc] = {answers};
    }
    if (has_one_each) found = rules_of(without_on_top(table), height, false);
    if (const auto lists = lists_of(games, Columns(height))) {
        Rules listed = rules_of(without_on_top(*lists), height, true);
        if (!found || listed.count() < found->count()) found = std::move(listed);
    }
    return found;
}

std::size_t clause_count(const Claim& claim, const Position& position) {
    if (const auto* const cases = std::get_if<CaseProof<Bits>>(&claim.proof))
        return answer_count(*cases);
    if (const auto* const plan = std::get_if<AnswerPlan<Bits>>(&claim.proof))
        return rules_of(*plan, position.height()).count();
    if (std::holds_alternative<ForceLine>(claim.proof)) return 1;
    const Position start = proof_start(claim, position).position;
    std::size_t count = 0;
    for (const auto& group : std::get<LocalProof<Bits>>(claim.proof).groups)
        count += clause_count(group, start, claim.player);
    return count;
}

std::size_t answer_count(const CaseProof<Bits>& proof) {
    std::size_t count = proof.answers.size();
    for (const auto& end : proof.ends)
        count += std::visit([](const auto& each) { return answer_count(each); }, end.proof);
    return count;
}

ProofStart proof_start(const Claim& claim, const Position& position) {
    ProofStart start{position, {}};
    for (const int column : claim.start) {
        if (start.position.turn() != claim.player &&
            more_than_one(start.position.winning_columns(claim.player)))
            break;
        start.position = start.position.play(column);
        start.columns.push_back(column);
    }
    return start;
}

}  // namespace fourcast::reasons
