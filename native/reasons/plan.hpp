// Answer tables: a plan that a person can carry out without looking ahead.
//
// F, the side that is not to move, always does the first of these that applies:
//   1. complete a four;
//   2. stop a four that O would complete with the next stone;
//   3. win by force with at most `takes` stones;
//   4. answer O's stone on square s with the first square of answers[s] that can be played and does not
//   lie
//      below a square on which O completes a four. Without an entry, the square on top of s.
//
// Such a plan is believed only after a replay of all stones that O can play. Answers are decided lazily,
// when the replay meets a stone without one, the stone with the fewest possible answers first. If a
// replay fails, the decisions that led there are a conflict, and the latest of them is revised.
#pragma once

#include <algorithm>
#include <array>
#include <bitset>
#include <optional>
#include <unordered_set>
#include <vector>

#include "force.hpp"
#include "proof.hpp"

namespace fourcast::reasons {

inline constexpr int max_places = 3;

/// Finds an answer table, one with few rules to remember first.
template <class Shape>
class Planner {
  public:
    using Bits = typename Shape::Bits;

    Planner(const Shape& shape, const Board<Bits>& board, Role goal, int takes, Budget& budget)
        : shape_(shape),
          board_(board),
          goal_(goal),
          takes_(takes),
          budget_(budget),
          force_budget_(Budget::unlimited(budget.pulse())),
          force_(shape, force_budget_) {}

    std::optional<AnswerPlan<Bits>> find(int most_rules) {
        for (int rules = 0; rules <= most_rules; ++rules) {
            values_.fill(Bits{0});
            cut_ = false;
            Conflict conflict;
            if (search(rules, conflict)) return write_plan();
            if (!cut_ || budget_.is_spent()) return std::nullopt;
        }
        return std::nullopt;
    }

  private:
    static constexpr int max_variables = max_bits * max_places;
    using Conflict = std::bitset<max_variables>;
    using Answers = std::array<Bits, max_places>;

    struct Pending {
        Bits usable;  // answers that the rule would play
        Conflict path;
    };
    struct Variable {
        int number;
        std::vector<Pending> positions;
    };
    struct StateHash {
        std::size_t operator()(const std::pair<Bits, Bits>& state) const {
            return hash_of(state.first, state.second);
        }
    };

    static int variable_of(int square, int place) { return square * max_places + place; }

    /// What the rule says, or what is missing.
    struct Reply {
        enum class Kind { move, win, fail, undecided } kind;
        Bits move{0};
        int variable = -1;
        int stones = 0;  // of the win, both players'
    };

    Bits usable_squares(Bits theirs, Bits mask) const {
        const Bits open = playable(shape_, mask);
        return open & ~(threats(shape_, theirs, mask) >> 1);
    }

    Reply reply(Bits mine, Bits theirs, Bits stone, Conflict& path) {
        const Bits mask = mine | theirs;
        const Bits open = playable(shape_, mask);
        if ((threats(shape_, mine, mask) & open) != 0) return {Reply::Kind::win, Bits{0}, -1, 1};
        if (const Bits block = threats(shape_, theirs, mask) & open; block != 0) {
            if (more_than_one(block)) return {Reply::Kind::fail};
            return {Reply::Kind::move, block};
        }
        for (int stones = 2; stones <= takes_; ++stones)
            if (force_.exists(mine, theirs, stones))
                return {Reply::Kind::win, Bits{0}, -1, 2 * stones - 1};
        const Bits usable = usable_squares(theirs, mask);
        const int square = lowest_bit(stone);
        for (int place = 0; place < max_places; ++place) {
            const int variable = variable_of(square, place);
            const Bits value = values_[static_cast<std::size_t>(variable)];
            if (value == 0) return {Reply::Kind::undecided, Bits{0}, variable};
            path.set(static_cast<std::size_t>(variable));
            if ((value & usable) != 0) return {Reply::Kind::move, value};
        }
        return {Reply::Kind::fail};
    }

    /// Plays every stone of O's against the answers decided so far. False on a failure, with its
    /// conflict.
    bool replay(std::vector<Variable>& open_variables, Conflict& conflict) {
        seen_.clear();
        latest_ = 0;
        return visit(board_.mine, board_.theirs, Conflict{}, open_variables, conflict);
    }

    bool visit(Bits mine, Bits theirs, const Conflict& path, std::vector<Variable>& open_variables,
               Conflict& conflict) {
        const Bits mask = mine | theirs;
        if (!budget_.spend()) {
            cut_ = false;
            conflict.reset();
            return false;
        }
        if (goal_ == Role::hold && !can_be_beaten(mine)) return true;
        const Bits open = playable(shape_, mask);
        if (open == 0) {
            if (goal_ == Role::hold) return true;
            conflict = path;
            return false;
        }
        if ((threats(shape_, theirs, mask) & open) != 0) {
            conflict = path;
            return false;
        }
        for (const Bits stone : each_square(open)) {
            const Bits theirs_now = theirs | stone;
            const Bits mask_now = mask | stone;
            if (playable(shape_, mask_now) == 0) {
                if (goal_ == Role::hold) continue;
                conflict = path;
                return false;
            }
            Conflict used = path;
            const Reply answer = reply(mine, theirs_now, stone, used);
            switch (answer.kind) {
                case Reply::Kind::win:
                    latest_ = std::max(latest_, popcount(mask_now) + answer.stones);
                    break;
                case Reply::Kind::fail:
                    conflict = used;
                    return false;
                case Reply::Kind::undecided:
                    if (!add_pending(open_variables, answer.variable, mine, theirs_now, used, conflict))
                        return false;
                    break;
                case Reply::Kind::move:
                    if (!seen_.insert({mine | answer.move, theirs_now}).second) break;
                    if (!visit(mine | answer.move, theirs_now, used, open_variables, conflict))
                        return false;
                    break;
            }
        }
        return true;
    }

    /// Whether O may still complete a four if O got every square that is left.
    bool can_be_beaten(Bits mine) const { return has_four(shape_, shape_.board() & ~mine); }

    bool add_pending(std::vector<Variable>& open_variables, int number, Bits mine, Bits theirs,
                     const Conflict& path, Conflict& conflict) {
        const Bits usable = usable_squares(theirs, mine | theirs);
        if (usable == 0) {
            conflict = path;
            return false;
        }
        for (Variable& variable : open_variables) {
            if (variable.number != number) continue;
            variable.positions.push_back({usable, path});
            return true;
        }
        open_variables.push_back({number, {{usable, path}}});
        return true;
    }

    struct Value {
        Bits square;
        bool makes_pair;
        std::size_t helped;
    };

    /// The answers that the rule would play in some known position of the stone, or in all of them if
    /// there is no further place in the list.
    std::vector<Value> domain(const Variable& variable) const {
        Bits candidates{0};
        for (const Pending& position : variable.positions) candidates |= position.usable;
        const int square = variable.number / max_places;
        const int place = variable.number % max_places;
        const Bits on_top = (Bits{1} << square) << 1;
        std::vector<Value> values;
        for (const Bits value : each_square(candidates)) {
            const auto helped = static_cast<std::size_t>(
                std::count_if(variable.positions.begin(), variable.positions.end(),
                              [&](const Pending& position) { return (value & position.usable) != 0; }));
            if (place + 1 == max_places && helped < variable.positions.size()) continue;
            values.push_back({value, is_pair(square, value), helped});
        }
        std::stable_sort(values.begin(), values.end(), [&](const Value& a, const Value& b) {
            if ((a.square == on_top) != (b.square == on_top)) return a.square == on_top;
            if (a.makes_pair != b.makes_pair) return a.makes_pair;
            return a.helped > b.helped;
        });
        return values;
    }
    /// The rules that a reader has to remember besides "on top": a pair is one, and so are all stones
    /// that are answered in the same column, or with the same list of squares.
    int count_rules() const {
        std::vector<Answers> others;
        int pairs = 0;
        for (int square = 0; square < shape_.width() * shape_.stride(); ++square) {
            const Answers answers = answers_to(square);
            const Bits stone = Bits{1} << square;
            if (answers == Answers{} || answers == Answers{stone << 1}) continue;
            if (answers[1] == 0 && answers_to(lowest_bit(answers[0])) == Answers{stone})
                pairs += answers[0] > stone;
            else if (const Answers rule = rule_of(answers);
                     std::ranges::find(others, rule) == others.end())
                others.push_back(rule);
        }
        return pairs + static_cast<int>(others.size());
    }
    /// What stands for all answers in the same column, or the list if it names several columns.
    Answers rule_of(const Answers& answers) const {
        const Bits column = shape_.column(shape_.column_of(lowest_bit(answers[0])));
        const bool is_one = ((answers[0] | answers[1] | answers[2]) & ~column) == 0;
        return is_one ? Answers{column} : answers;
    }
    Answers answers_to(int square) const {
        Answers answers{};
        std::copy_n(&values_[static_cast<std::size_t>(variable_of(square, 0))], max_places,
                    answers.begin());
        return answers;
    }
    /// Whether `value` was already decided to be answered with `square`.
    bool is_pair(int square, Bits value) const {
        return answers_to(lowest_bit(value))[0] == Bits{1} << square;
    }

    bool search(int rules, Conflict& conflict) {
        std::vector<Variable> open_variables;
        if (!replay(open_variables, conflict)) return false;
        if (open_variables.empty()) return true;
        const Variable* chosen = nullptr;
        std::vector<Value> values;
        for (const Variable& variable : open_variables) {
            auto candidates = domain(variable);
            if (chosen == nullptr || candidates.size() < values.size()) {
                chosen = &variable;
                values = std::move(candidates);
            }
            if (values.empty()) break;
        }
        Conflict reasons;
        for (const Pending& position : chosen->positions) reasons |= position.path;
        const auto number = static_cast<std::size_t>(chosen->number);
        for (const Value& value : values) {
            values_[number] = value.square;
            if (count_rules() > rules) {
                values_[number] = Bits{0};
                cut_ = true;
                continue;
            }
            Conflict why;
            if (search(rules, why)) return true;
            values_[number] = Bits{0};
            if (budget_.is_spent()) return false;
            if (!why.test(number)) {
                conflict = why;
                return false;
            }
            why.reset(number);
            reasons |= why;
        }
        conflict = reasons;
        return false;
    }

    AnswerPlan<Bits> write_plan() {
        AnswerPlan<Bits> plan;
        plan.takes = takes_;
        plan.latest = goal_ == Role::win ? latest_ : 0;
        plan.positions = static_cast<int>(seen_.size());
        for (int square = 0; square < max_bits; ++square) {
            std::vector<Bits> squares;
            for (const Bits value : answers_to(square))
                if (value != 0) squares.push_back(value);
            if (squares.empty()) continue;
            if (squares.size() == 1 && squares[0] == (Bits{1} << square) << 1) continue;
            plan.answers.push_back({Bits{1} << square, std::move(squares)});
        }
        return plan;
    }

    const Shape& shape_;
    Board<Bits> board_;
    Role goal_;
    int takes_;
    Budget& budget_;
    Budget force_budget_;
    ForceSearch<Shape> force_;
    std::array<Bits, max_variables> values_{};
    bool cut_ = false;
    int latest_ = 0;
    std::unordered_set<std::pair<Bits, Bits>, StateHash> seen_;
};

}  // namespace fourcast::reasons
