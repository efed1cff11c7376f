// A small solver for propositional formulas: conflict-driven clause learning, with clauses that may be
// added between one answer and the next.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace fourcast::certificate {

/// A variable that is true, or, negated, false.
class Literal {
  public:
    Literal() = default;
    constexpr explicit Literal(int variable, bool negated = false) : code_(2 * variable + negated) {}
    constexpr Literal operator~() const { return from_code(code_ ^ 1); }
    constexpr int variable() const { return code_ >> 1; }
    constexpr bool is_negated() const { return (code_ & 1) != 0; }
    constexpr std::size_t code() const { return static_cast<std::size_t>(code_); }
    constexpr bool operator==(const Literal&) const = default;

  private:
    static constexpr Literal from_code(int code) {
        Literal result;
        result.code_ = code;
        return result;
    }
    int code_ = 0;
};

class Sat {
  public:
    /// A variable whose value is chosen; `likely` is what is tried first.
    Literal choice(bool likely) {
        const Literal result = variable();
        likely_.back() = likely;
        chosen_.back() = true;
        push_heap(result.variable());
        return result;
    }
    /// A variable that follows from others; where it does not, all clauses must hold if it is false.
    Literal variable() {
        const int number = static_cast<int>(value_.size());
        value_.push_back(unknown);
        likely_.push_back(false);
        chosen_.push_back(false);
        seen_.push_back(false);
        level_.push_back(0);
        reason_.push_back(none);
        activity_.push_back(0);
        place_.push_back(none);
        watches_.emplace_back();
        watches_.emplace_back();
        return Literal(number);
    }

    /// Adds a clause: one of these literals is true.
    void add(std::vector<Literal> clause) {
        back_to(0);
        std::erase_if(clause, [&](Literal each) { return value(each) == no; });
        for (const Literal each : clause)
            if (value(each) == yes) return;
        if (clause.empty())
            contradiction_ = true;
        else if (clause.size() == 1)
            assign(clause[0], none);
        else
            attach(clause);
    }

    /// Whether all clauses can be true; nothing if that takes more than this number of conflicts.
    std::optional<bool> solve(std::uint64_t most_conflicts) {
        std::uint64_t left = restart_interval;
        while (!contradiction_) {
            const int conflict = propagate();
            if (conflict != none) {
                if (level() == 0) break;
                if (++conflicts_ > most_conflicts) return std::nullopt;
                learn(conflict);
                if (--left == 0) {
                    back_to(0);
                    left = restart_interval;
                }
                continue;
            }
            int next = none;
            while (!heap_.empty() && next == none)
                if (const int top = pop_heap(); value_[index(top)] == unknown) next = top;
            if (next == none) return true;
            starts_.push_back(trail_.size());
            assign(Literal(next, !likely_[index(next)]), none);
        }
        contradiction_ = true;
        return false;
    }
    /// After an answer of true.
    bool is_true(Literal literal) const { return value(literal) == yes; }

  private:
    enum Truth : std::uint8_t { no, yes, unknown };
    static constexpr int none = -1;
    static constexpr std::uint64_t restart_interval = 100;
    static constexpr double decay = 0.95;

    struct Watch {
        int clause;
        Literal other;  // if it is true, the clause need not be looked at
    };

    static std::size_t index(int number) { return static_cast<std::size_t>(number); }
    Truth value(Literal literal) const {
        const Truth known = value_[index(literal.variable())];
        return known == unknown ? unknown : (known == yes) != literal.is_negated() ? yes : no;
    }
    int level() const { return static_cast<int>(starts_.size()); }

    int attach(const std::vector<Literal>& clause) {
        const int place = static_cast<int>(literals_.size());
        watches_[(~clause[0]).code()].push_back({place, clause[1]});
        watches_[(~clause[1]).code()].push_back({place, clause[0]});
        literals_.emplace_back(static_cast<int>(clause.size()));
        literals_.insert(literals_.end(), clause.begin(), clause.end());
        return place;
    }
    std::span<Literal> clause_at(int place) {
        return {&literals_[index(place) + 1], index(literals_[index(place)].variable())};
    }
    std::span<const Literal> clause_at(int place) const {
        return {&literals_[index(place) + 1], index(literals_[index(place)].variable())};
    }
    void assign(Literal literal, int reason) {
        const std::size_t number = index(literal.variable());
        value_[number] = literal.is_negated() ? no : yes;
        level_[number] = level();
        reason_[number] = reason;
        trail_.push_back(literal);
    }
    void back_to(int target) {
        if (level() <= target) return;
        const std::size_t keep = starts_[index(target)];
        while (trail_.size() > keep) {
            const int number = trail_.back().variable();
            likely_[index(number)] = value_[index(number)] == yes;
            value_[index(number)] = unknown;
            if (chosen_[index(number)] && place_[index(number)] == none) push_heap(number);
            trail_.pop_back();
        }
        starts_.resize(index(target));
        propagated_ = std::min(propagated_, keep);
    }

    /// Draws conclusions; returns a clause that is false, if there is one.
    int propagate() {
        while (propagated_ < trail_.size()) {
            const Literal fact = trail_[propagated_++];
            auto& watches = watches_[fact.code()];
            std::size_t kept = 0;
            for (std::size_t i = 0; i < watches.size(); ++i) {
                const Watch watch = watches[i];
                if (value(watch.other) == yes) {
                    watches[kept++] = watch;
                    continue;
                }
                const std::span<Literal> clause = clause_at(watch.clause);
                if (clause[0] == ~fact) std::swap(clause[0], clause[1]);
                const auto next = std::find_if(clause.begin() + 2, clause.end(),
                                               [&](Literal each) { return value(each) != no; });
                if (value(clause[0]) != yes && next != clause.end()) {
                    std::swap(clause[1], *next);
                    watches_[(~clause[1]).code()].push_back({watch.clause, clause[0]});
                    continue;
                }
                watches[kept++] = {watch.clause, clause[0]};
                if (value(clause[0]) == no) {
                    for (++i; i < watches.size(); ++i) watches[kept++] = watches[i];
                    watches.resize(kept);
                    propagated_ = trail_.size();
                    return watch.clause;
                }
                if (value(clause[0]) == unknown) assign(clause[0], watch.clause);
            }
            watches.resize(kept);
        }
        return none;
    }

    /// Learns why a clause is false: the first cut with one literal of the newest level.
    void learn(int conflict) {
        std::vector<Literal> learned{Literal()};
        int open = 0;
        std::size_t at = trail_.size();
        int reason = conflict;
        Literal newest;
        do {
            for (const Literal each : clause_at(reason)) {
                const std::size_t number = index(each.variable());
                if (seen_[number] || level_[number] == 0 || value_[number] == unknown) continue;
                if (reason != conflict && each == newest) continue;
                seen_[number] = true;
                bump(each.variable());
                if (level_[number] == level())
                    ++open;
                else
                    learned.push_back(each);
            }
            while (!seen_[index(trail_[--at].variable())]) {
            }
            newest = trail_[at];
            reason = reason_[index(newest.variable())];
            seen_[index(newest.variable())] = false;
        } while (--open > 0);
        learned[0] = ~newest;
        const std::vector<Literal> marked(learned.begin() + 1, learned.end());
        std::erase_if(learned, [&](Literal each) { return each != learned[0] && follows(each); });
        for (const Literal each : marked) seen_[index(each.variable())] = false;
        int target = 0;
        for (std::size_t i = 1; i < learned.size(); ++i)
            if (const int own = level_[index(learned[i].variable())]; own > target) {
                target = own;
                std::swap(learned[1], learned[i]);
            }
        back_to(target);
        const Literal first = learned[0];
        assign(first, learned.size() == 1 ? none : attach(learned));
        step_ /= decay;
    }
    /// Whether a literal of a learned clause follows from the others.
    bool follows(Literal literal) const {
        const int reason = reason_[index(literal.variable())];
        return reason != none && std::ranges::all_of(clause_at(reason), [&](Literal each) {
                   const std::size_t number = index(each.variable());
                   return each == ~literal || seen_[number] || level_[number] == 0;
               });
    }

    // ---- Variables by how often they were part of a conflict of late ----

    void bump(int number) {
        if ((activity_[index(number)] += step_) > 1e100) {
            for (double& each : activity_) each *= 1e-100;
            step_ *= 1e-100;
        }
        if (place_[index(number)] != none) rise(index(place_[index(number)]));
    }
    bool before(int one, int other) const { return activity_[index(one)] > activity_[index(other)]; }
    void put(std::size_t place, int number) {
        heap_[place] = number;
        place_[index(number)] = static_cast<int>(place);
    }
    void rise(std::size_t place) {
        const int number = heap_[place];
        for (; place > 0 && before(number, heap_[(place - 1) / 2]); place = (place - 1) / 2)
            put(place, heap_[(place - 1) / 2]);
        put(place, number);
    }
    void push_heap(int number) {
        heap_.push_back(number);
        rise(heap_.size() - 1);
    }
    int pop_heap() {
        const int result = heap_[0], last = heap_.back();
        heap_.pop_back();
        place_[index(result)] = none;
        if (!heap_.empty()) {
            std::size_t place = 0;
            for (std::size_t child = 1; child < heap_.size(); child = 2 * place + 1) {
                if (child + 1 < heap_.size() && before(heap_[child + 1], heap_[child])) ++child;
                if (!before(heap_[child], last)) break;
                put(place, heap_[child]);
                place = child;
            }
            put(place, last);
        }
        return result;
    }

    std::vector<Literal> literals_;            // of all clauses, each after the number of its literals
    std::vector<std::vector<Watch>> watches_;  // for a literal, clauses in which its opposite is watched
    std::vector<Truth> value_;
    std::vector<bool> likely_;
    std::vector<bool> chosen_;
    std::vector<bool> seen_;
    std::vector<int> level_;
    std::vector<int> reason_;
    std::vector<Literal> trail_;
    std::vector<std::size_t> starts_;  // of levels, in the trail
    std::size_t propagated_ = 0;
    std::vector<double> activity_;
    std::vector<int> heap_;
    std::vector<int> place_;  // in the heap
    double step_ = 1;
    std::uint64_t conflicts_ = 0;
    bool contradiction_ = false;
};

}  // namespace fourcast::certificate
