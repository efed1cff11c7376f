// The search for a table of answers that a person can remember.
//
// A table has for a disc of O's up to three squares: F answers with the first of them that may be
// played. Answers are decided lazily, when a replay of all discs that O can play meets a disc without
// one, the disc with the fewest possible answers first. If a replay fails, the decisions that led there
// are a conflict, and the latest of them is revised. Tables with few rules to remember are tried first.
#pragma once

#include <algorithm>
#include <array>
#include <bitset>
#include <vector>

#include "board.hpp"

namespace fourcast::reasons {

inline constexpr int max_places = 3;

template <class Shape>
class RuleSearch {
  public:
    using Bits = typename Shape::Bits;
    /// The squares for one disc; zero where there is no further one.
    using Answers = std::array<Bits, max_places>;

    RuleSearch(const Shape& shape, Budget& budget) : shape_(shape), budget_(budget) {}
    RuleSearch(const RuleSearch&) = delete;
    RuleSearch& operator=(const RuleSearch&) = delete;

    /// Finds answers with at most this number of rules besides "on top", first without rules about full
    /// columns: a pair tells more about who gets which square.
    bool find_answers(int most_rules) {
        for (const bool with_full_columns : {false, true})
            for (int rules = with_full_columns ? 1 : 0; rules <= most_rules; ++rules) {
                with_full_columns_ = with_full_columns;
                values_.fill(Bits{0});
                cut_ = false;
                Conflict conflict;
                if (search(rules, conflict)) return true;
                if (!cut_ || budget_.is_spent()) return false;
            }
        return false;
    }

    Answers answers_to(int square) const {
        Answers answers{};
        std::copy_n(&values_[static_cast<std::size_t>(variable_of(square, 0))], max_places,
                    answers.begin());
        return answers;
    }

    /// The rules that a reader has to remember besides "on top": a pair is one, and so are all discs
    /// that are answered in the same column, or with the same list of squares. It is also one rule that
    /// F plays in the other one of two columns when O has filled one.
    int count_rules() const {
        struct Rule {
            Answers answers;
            Bits discs;
        };
        std::vector<Rule> others;
        int count = 0;
        for (int square = 0; square < shape_.width() * shape_.stride(); ++square) {
            const Answers answers = answers_to(square);
            const Bits disc = Bits{1} << square;
            if (is_only(answers, Bits{0}) || is_only(answers, disc << 1)) continue;
            if (answers[1] == 0 && is_only(answers_to(lowest_bit(answers[0])), disc)) {
                count += answers[0] > disc;
                continue;
            }
            const Answers rule = rule_of(answers);
            const auto same = std::ranges::find(others, rule, &Rule::answers);
            if (same == others.end())
                others.push_back({rule, disc});
            else
                same->discs |= disc;
        }
        for (const Rule& rule : others) {
            const auto is_other = [&](const Rule& each) {
                return fills(rule.discs, each.answers) && fills(each.discs, rule.answers);
            };
            const auto other =
                with_full_columns_ ? std::ranges::find_if(others, is_other) : others.end();
            count += other == others.end() || &*other > &rule;
        }
        return count;
    }

  protected:
    ~RuleSearch() = default;

    static constexpr int max_variables = 8 * sizeof(Bits) * max_places;
    using Conflict = std::bitset<max_variables>;

    struct Pending {
        Bits usable;  // answers that do
        Bits played;  // answers that the table would play if it had them
        Conflict path;
    };
    struct Variable {
        int number;
        std::vector<Pending> positions;
    };

    /// Plays every disc of O's against the answers decided so far, and collects those that are missing.
    /// False on a failure, with its conflict.
    virtual bool replay(std::vector<Variable>& open_variables, Conflict& conflict) = 0;

    struct Choice {
        Bits square{0};
        int missing = -1;  // the variable that is to be decided first
    };
    /// The first of the answers to `disc` that is among `playable`; neither a square nor something
    /// missing if the list is full and none is.
    Choice choose(Bits disc, Bits playable, Conflict& path) const {
        const int square = lowest_bit(disc);
        for (int place = 0; place < max_places; ++place) {
            const int variable = variable_of(square, place);
            const Bits value = values_[static_cast<std::size_t>(variable)];
            if (value == 0) return {Bits{0}, variable};
            path.set(static_cast<std::size_t>(variable));
            if ((value & playable) != 0) return {value};
        }
        return {};
    }

    static bool add_pending(std::vector<Variable>& open_variables, int number, const Pending& position,
                            Conflict& conflict) {
        if (position.usable == 0) {
            conflict = position.path;
            return false;
        }
        for (Variable& variable : open_variables) {
            if (variable.number != number) continue;
            variable.positions.push_back(position);
            return true;
        }
        open_variables.push_back({number, {position}});
        return true;
    }

    /// Ends a replay for want of steps.
    bool give_up(Conflict& conflict) {
        cut_ = false;
        conflict.reset();
        return false;
    }

    const Shape& shape_;
    Budget& budget_;

  private:
    static int variable_of(int square, int place) { return square * max_places + place; }

    struct Value {
        Bits square;
        bool makes_pair;
        std::size_t helped;
    };

    /// The answers that do in some known position of the disc, or in all of them if there is no further
    /// place in the list.
    std::vector<Value> domain(const Variable& variable) const {
        Bits candidates{0};
        Bits excluded{0};
        for (const Pending& position : variable.positions) {
            candidates |= position.usable;
            excluded |= position.played & ~position.usable;
        }
        const int square = variable.number / max_places;
        const int place = variable.number % max_places;
        const Bits on_top = (Bits{1} << square) << 1;
        const auto is_better = [&](const Value& a, const Value& b) {
            if ((a.square == on_top) != (b.square == on_top)) return a.square == on_top;
            if (a.makes_pair != b.makes_pair) return a.makes_pair;
            return a.helped > b.helped;
        };
        std::vector<Value> values;
        for (const Bits answer : each_square(candidates & ~excluded)) {
            const auto helped = static_cast<std::size_t>(std::ranges::count_if(
                variable.positions,
                [&](const Pending& position) { return (answer & position.usable) != 0; }));
            if (place + 1 == max_places && helped < variable.positions.size()) continue;
            const Value value{answer, is_pair(square, answer), helped};
            values.insert(std::ranges::upper_bound(values, value, is_better), value);
        }
        return values;
    }
    /// Whether this square is the whole list; 0 for a list that is empty.
    static bool is_only(const Answers& answers, Bits square) {
        return answers[0] == square && answers[1] == 0;
    }
    /// Whether `value` was already decided to be answered with `square`.
    bool is_pair(int square, Bits value) const {
        return answers_to(lowest_bit(value))[0] == Bits{1} << square;
    }
    /// What stands for all answers in the same column, or the list if it names several columns.
    Answers rule_of(const Answers& answers) const {
        const Bits column = shape_.column(shape_.column_of(lowest_bit(answers[0])));
        const bool is_one = ((answers[0] | answers[1] | answers[2]) & ~column) == 0;
        return is_one ? Answers{column} : answers;
    }

    /// Whether these are nothing but the last square of a column, which is what the rule's answers are
    /// in.
    bool fills(Bits discs, const Answers& column) const {
        return ((discs << 1) & shape_.board()) == 0 && !more_than_one(discs) && column[1] == 0 &&
               (discs & column[0]) != 0;
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

    std::array<Bits, max_variables> values_{};
    bool cut_ = false;
    bool with_full_columns_ = false;
};

}  // namespace fourcast::reasons
