#include "groups.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <span>
#include <unordered_map>
#include <variant>

#include "memo.hpp"
#include "rule_search.hpp"

namespace fourcast::reasons {

template <class Shape>
class GroupSearch<Shape>::Search {
  public:
    Search(const Shape& shape, const Board<Bits>& board)
        : shape_(shape),
          board_(board),
          mask_(board.mask()),
          lines_(open_lines(shape, board.theirs, board.mine)),
          goals_(open_lines(shape, board.mine, board.theirs)) {
        for (int column = 0; column < shape.width(); ++column)
            if ((shape.column(column) & ~mask_) != 0) open_ |= ColumnSet{1} << column;
    }

    std::optional<LocalProof<Bits>> find(Role goal, const Limits& limits, Budget& budget) {
        goal_ = goal;
        limits_ = limits;
        budget_ = &budget;
        parts_.clear();
        proof_.reset();
        longer_.reset();
        if (open_ == 0 && goal == Role::hold) return LocalProof<Bits>{};  // the board is full
        const bool even = popcount(static_cast<Bits>(shape_.board() & ~mask_)) % 2 == 0;
        spare_ = goal == Role::hold && !even;
        split(open_, 0);
        if (!proof_ && goal == Role::win) {
            spare_ = true;
            parts_.clear();
            split(open_, 0);
        }
        return std::move(proof_);
    }

    std::optional<LocalProof<Bits>> longer() { return std::move(longer_); }

  private:
    struct State {
        Bits filled;
        std::uint64_t needs;  // those that F has no disc in
        std::uint64_t goals;  // those that O has no disc in
        bool free_left;
        bool operator==(const State&) const = default;

        friend std::size_t hash_of(const State& state) {
            return mix(reasons::hash_of(state.filled, Bits(state.needs)) +
                       mix(state.goals * 2 + state.free_left));
        }
    };

    /// Sets of squares, of which some are still alive: bit i of a number stands for set i.
    class Sets {
      public:
        bool add(Bits set) {
            if (count_ == sets_.size()) return false;
            for (const Bits square : each_square(set))
                with_square_[static_cast<std::size_t>(lowest_bit(square))] |= std::uint64_t{1} << count_;
            sets_[count_++] = set;
            return true;
        }
        std::uint64_t all() const {
            return count_ == sets_.size() ? ~std::uint64_t{0} : (std::uint64_t{1} << count_) - 1;
        }
        std::uint64_t without(std::uint64_t alive, Bits square) const {
            return alive & ~with_square_[static_cast<std::size_t>(lowest_bit(square))];
        }
        int count(std::uint64_t alive, Bits square) const {
            return std::popcount(alive & with_square_[static_cast<std::size_t>(lowest_bit(square))]);
        }
        /// The squares that are all that is missing of a set.
        Bits last_squares(std::uint64_t alive, Bits filled) const {
            Bits found{0};
            for (const int i : each(alive)) {
                const Bits missing = sets_[static_cast<std::size_t>(i)] & ~filled;
                if (!more_than_one(missing)) found |= missing;
            }
            return found;
        }

      private:
        std::array<Bits, 64> sets_;
        std::size_t count_ = 0;
        std::array<std::uint64_t, 8 * sizeof(Bits)> with_square_{};
    };

    /// One group with a set of needs.
    class Game {
      public:
        Game(const Search& all, Bits squares, std::span<const Bits> needs, Role role, FreeMove free,
             Budget& budget)
            : all_(all), budget_(budget), squares_(squares), role_(role), free_(free) {
            for (const Bits need : needs) fits_ &= needs_.add(need);
            for (const Bits goal : all.goals_)
                if ((goal & ~squares) == 0) goals_.add(goal);
        }

        bool is_possible() { return fits_ && survives(start()); }

        /// Finds answers that follow rules, which `list_answers` then lists. Returns the number of rules
        /// besides "on top"; nothing if it takes more of them than `most`, or more than these steps.
        std::optional<int> find_rules(int most, Budget& steps) {
            rules_.emplace(*this, steps);
            if (rules_->find_answers(most)) return rules_->count_rules();
            rules_.reset();
            return std::nullopt;
        }

        /// Lists the answers that the proof needs, and returns the number of discs that F's win takes
        /// at the most (for a group that wins). Stops after `most` answers and some more.
        /// Without rules, a disc gets the answer that it had before where that is as good.
        int list_answers(std::vector<LocalAnswer<Bits>>& answers, std::size_t most) {
            std::set<std::pair<Bits, Bits>> seen;
            most_answers_ = most;
            usual_.resize(8 * sizeof(Bits));
            return walk(start(), Bits{0}, Bits{0}, answers, seen);
        }

      private:
        State start() const { return {Bits{0}, needs_.all(), goals_.all(), free_ != FreeMove::never}; }
        Bits open_squares(Bits filled) const {
            return playable(all_.shape_, all_.mask_ | filled) & squares_;
        }
        bool is_settled(const State& state) const { return role_ == Role::hold && state.needs == 0; }
        bool has_free_move(const State& state) const {
            if (!state.free_left) return false;
            const bool odd = popcount(static_cast<Bits>(squares_ & ~state.filled)) % 2 != 0;
            return free_ == FreeMove::one || odd == (free_ == FreeMove::one_odd);
        }

        /// The squares on which F would complete a four of this group with the next disc. O, wherever O
        /// plays otherwise, has to take them first.
        Bits threats_in(const State& state, Bits open) const {
            return goals_.last_squares(state.goals, state.filled) & open;
        }

        /// Whether F reaches the goal of the group from here, O to move.
        bool survives(const State& state) {
            if (is_settled(state)) return true;
            const Bits open = open_squares(state.filled);
            if (open == 0) return role_ == Role::hold;
            if (role_ == Role::win && state.goals == 0) return false;
            if ((needs_.last_squares(state.needs, state.filled) & open) != 0) return false;
            const Bits threats = threats_in(state, open);
            if (more_than_one(threats)) return true;
            if (const bool* known = known_.find(state)) return *known;
            if (!budget_.spend()) return false;
            bool result = true;
            for (Bits rest = threats != 0 ? threats : open; rest != 0 && result; rest &= rest - 1)
                result = answer_to(state, lowest(rest)).has_value();
            if (result && threats == 0 && has_free_move(state)) result = free_move(state) != 0;
            known_.try_add(state, result);
            return result;
        }

        State after_theirs(const State& state, Bits move) const {
            return {state.filled | move, state.needs, goals_.without(state.goals, move),
                    state.free_left};
        }
        State after_mine(const State& state, Bits move) const {
            return {state.filled | move, needs_.without(state.needs, move), state.goals,
                    state.free_left};
        }

        /// F's answer to a move of O's, which gains O nothing at once: zero if none is possible or
        /// needed because the group is full; nothing if there is no answer that reaches the goal.
        std::optional<Bits> answer_to(const State& state, Bits move) {
            const State after = after_theirs(state, move);
            if (open_squares(after.filled) == 0)
                return role_ == Role::hold ? std::optional(Bits{0}) : std::nullopt;
            const Bits answer = good_move(after, move << 1, usual_answers(move));
            return answer != 0 ? std::optional(answer) : std::nullopt;
        }
        Bits free_move(const State& state) {
            return good_move(before_free_move(state), Bits{0}, Bits{0});
        }
        /// Squares that have answered this disc, and those that it has answered.
        Bits usual_answers(Bits disc) const {
            return usual_.empty() ? Bits{0} : usual_[static_cast<std::size_t>(lowest_bit(disc))];
        }
        void remember(Bits disc, Bits answer) {
            usual_[static_cast<std::size_t>(lowest_bit(disc))] |= answer;
            usual_[static_cast<std::size_t>(lowest_bit(answer))] |= disc;
        }
        /// A move of F's that reaches the goal, `preferred` if it does, else one of `usual`; zero if
        /// there is none.
        Bits good_move(const State& state, Bits preferred, Bits usual) {
            const Bits open = open_squares(state.filled);
            if (const Bits four = threats_in(state, open); four != 0) return lowest(four);
            const Bits lost = needs_.last_squares(state.needs, state.filled);
            Bits choices = lost & open;
            if (more_than_one(choices)) return Bits{0};
            // Below a square that O must not get there is nothing to play for.
            if (choices == 0) choices = open & ~(lost >> 1);
            preferred &= choices;
            if (preferred != 0 && survives(after_mine(state, preferred))) return preferred;
            choices &= ~preferred;
            for (const Bits square : each_square(choices & usual))
                if (survives(after_mine(state, square))) return square;
            // Squares that stop the most first: proofs get shorter.
            for (choices &= ~usual; choices != 0;) {
                Bits best{0};
                int most = -1;
                for (const Bits square : each_square(choices)) {
                    const int stopped = needs_.count(state.needs, square);
                    if (stopped > most) best = square, most = stopped;
                }
                choices &= ~best;
                if (survives(after_mine(state, best))) return best;
            }
            return Bits{0};
        }
        bool is_four(const State& state, Bits move) const { return (threats_in(state, move)) != 0; }

        /// All moves of F's that reach the goal.
        Bits good_moves(const State& state) {
            Bits good{0};
            for (const Bits square : each_square(open_squares(state.filled)))
                if (survives(after_mine(state, square))) good |= square;
            return good;
        }
        /// What goes before any rule: the square of F's four, or else the one where O would complete a
        /// four of the whole board. `theirs` are O's squares of the group.
        Bits four_or_block(const State& state, Bits theirs) const {
            const Bits open = open_squares(state.filled);
            if (const Bits four = threats_in(state, open); four != 0) return lowest(four);
            return open & threats(all_.shape_, all_.board_.theirs | theirs, all_.mask_ | state.filled);
        }

        /// Rules for the answers of the group: complete a four, else block one, else play the first
        /// square of a list that can be played.
        class Rules final : public RuleSearch<Shape> {
          public:
            Rules(Game& game, Budget& steps) : RuleSearch<Shape>(game.all_.shape_, steps), game_(game) {}

            Bits answer(const State& after, Bits disc) const {
                Conflict path;
                return this->choose(disc, game_.open_squares(after.filled), path).square;
            }

          private:
            using typename RuleSearch<Shape>::Conflict;
            using typename RuleSearch<Shape>::Variable;

            bool replay(std::vector<Variable>& open_variables, Conflict& conflict) override {
                seen_.clear();
                return visit(game_.start(), Bits{0}, Bits{0}, Conflict{}, open_variables, conflict);
            }

            bool visit(const State& state, Bits theirs, Bits mine, const Conflict& path,
                       std::vector<Variable>& open_variables, Conflict& conflict) {
                if (game_.is_settled(state) || !seen_.try_add({theirs, mine}, {}).second) return true;
                if (!this->budget_.spend()) return this->give_up(conflict);
                const Bits open = game_.open_squares(state.filled);
                const Bits threats = game_.threats_in(state, open);
                if (more_than_one(threats)) return true;
                for (const Bits disc : each_square(threats != 0 ? threats : open)) {
                    const State after = game_.after_theirs(state, disc);
                    const Bits could = game_.open_squares(after.filled);
                    if (could == 0 || game_.threats_in(after, could) != 0) continue;
                    Conflict used = path;
                    Bits square = game_.four_or_block(after, theirs | disc);
                    if (square == 0) {
                        const auto choice = this->choose(disc, could, used);
                        if (choice.missing >= 0) {
                            const Bits good = game_.good_moves(after);
                            if (!this->add_pending(open_variables, choice.missing, {good, could, used},
                                                   conflict))
                                return false;
                            continue;
                        }
                        square = choice.square;
                    }
                    if (square == 0 || !game_.survives(game_.after_mine(after, square))) {
                        conflict = used;
                        return false;
                    }
                    if (!visit(game_.after_mine(after, square), theirs | disc, mine | square, used,
                               open_variables, conflict))
                        return false;
                }
                if (threats != 0 || !game_.has_free_move(state)) return true;
                const Bits move = game_.free_move(state);
                const State before = game_.before_free_move(state);
                return game_.is_four(before, move) || visit(game_.after_mine(before, move), theirs,
                                                            mine | move, path, open_variables, conflict);
            }

            Game& game_;
            Memo<std::pair<Bits, Bits>, std::monostate> seen_;
        };

        /// The answer that is listed; zero if none is possible or needed.
        Bits listed_answer(const State& state, Bits theirs, Bits disc) {
            const State after = after_theirs(state, disc);
            if (!rules_) return answer_to(state, disc).value_or(Bits{0});
            const Bits first = four_or_block(after, theirs | disc);
            return first != 0 ? first : rules_->answer(after, disc);
        }
        State before_free_move(State state) const {
            if (free_ != FreeMove::any_even) state.free_left = false;
            return state;
        }

        int walk(const State& state, Bits theirs, Bits mine, std::vector<LocalAnswer<Bits>>& answers,
                 std::set<std::pair<Bits, Bits>>& seen) {
            if (is_settled(state) || answers.size() > most_answers_) return 0;
            if (!seen.insert({theirs, mine}).second) return depth_of(theirs, mine);
            int discs = 0;
            const Bits open = open_squares(state.filled);
            const Bits threats = threats_in(state, open);
            if (more_than_one(threats)) return depths_[{theirs, mine}] = 2;
            for (const Bits move : each_square(threats != 0 ? threats : open)) {
                const Bits answer = listed_answer(state, theirs, move);
                if (answer == 0) continue;
                const State after = after_theirs(state, move);
                answers.push_back({theirs | move, mine, answer});
                const bool done = is_four(after, answer);
                if (!done) remember(move, answer);
                discs = std::max(discs, 2 + (done ? 0
                                                  : walk(after_mine(after, answer), theirs | move,
                                                         mine | answer, answers, seen)));
            }
            if (threats == 0 && has_free_move(state)) {
                const State before = before_free_move(state);
                if (const Bits move = free_move(state); move != 0) {
                    answers.push_back({theirs, mine, move});
                    const bool done = is_four(before, move);
                    discs = std::max(discs, 1 + (done ? 0
                                                      : walk(after_mine(before, move), theirs,
                                                             mine | move, answers, seen)));
                }
            }
            depths_[{theirs, mine}] = discs;
            return discs;
        }
        int depth_of(Bits theirs, Bits mine) const {
            const auto found = depths_.find({theirs, mine});
            return found == depths_.end() ? 0 : found->second;
        }

        const Search& all_;
        Budget& budget_;
        Bits squares_;
        Sets needs_;
        Sets goals_;
        bool fits_ = true;
        Role role_;
        FreeMove free_;
        std::size_t most_answers_ = 0;
        std::optional<Rules> rules_;
        std::vector<Bits> usual_;  // of each square, once answers are listed
        Memo<State, bool> known_;  // whether it survives
        std::unordered_map<std::pair<Bits, Bits>, int, PairHash> depths_;
    };

    struct Part {
        ColumnSet columns;
        Bits squares;
        Role role;
        FreeMove free;
        std::vector<Bits> needs;
    };

    Bits squares_of(ColumnSet columns) const {
        Bits result{0};
        for (const int column : each(columns)) result |= shape_.column(column);
        return result & ~mask_;
    }

    /// Tries all ways to split `left` into groups; true if a proof was found or the budget is spent.
    bool split(ColumnSet left, int odd) {
        if (left == 0) return finish(odd);
        const ColumnSet first = left & (~left + 1);
        const ColumnSet others = left & ~first;
        // Subsets of the other columns, small ones first.
        for (int more = 0; more < limits_.size; ++more) {
            if (choose(first, others, more, left, odd)) return true;
        }
        return false;
    }
    bool choose(ColumnSet group, ColumnSet others, int more, ColumnSet left, int odd) {
        if (more == 0) {
            // A wide board has more ways to split it than can be looked at, each of them cheap.
            if (!budget_->spend()) return true;
            const Bits squares = squares_of(group);
            const int is_odd = popcount(squares) % 2;
            if (odd + is_odd > 3) return false;
            parts_.push_back({group, squares, Role::hold, FreeMove::never, {}});
            const bool done = split(left & ~group, odd + is_odd);
            parts_.pop_back();
            return done;
        }
        for (ColumnSet rest = others; rest != 0; rest &= rest - 1) {
            const ColumnSet next = rest & (~rest + 1);
            if (choose(group | next, rest & ~next, more - 1, left, odd)) return true;
        }
        return false;
    }

    bool finish(int odd) {
        if (budget_->is_spent()) return true;
        int largest = 0;
        for (const Part& part : parts_) largest = std::max(largest, std::popcount(part.columns));
        if (largest != limits_.size) return false;
        if (goal_ == Role::hold) {
            if (spare_ ? odd != 1 : odd != 0 && odd != 2) return false;
            set_free_moves(nullptr);
            return assign_all();
        }
        for (Part& winner : parts_) {
            const int others = odd - popcount(winner.squares) % 2;
            if (spare_ ? others != 1 : others != 0 && others != 2) continue;
            winner.role = Role::win;
            set_free_moves(&winner);
            if (possible(winner, {}) && assign_all()) return true;
            winner.role = Role::hold;
        }
        return budget_->is_spent();
    }

    void set_free_moves(const Part* winner) {
        for (Part& part : parts_) {
            const bool odd = popcount(part.squares) % 2 != 0;
            if (&part == winner)
                part.free = spare_ ? FreeMove::one : FreeMove::never;
            else if (goal_ == Role::hold && spare_)
                part.free = FreeMove::any_even;
            else
                part.free = odd && !spare_ ? FreeMove::one_odd : FreeMove::never;
        }
    }

    struct Pending {
        Bits line;
        std::vector<std::size_t> parts;
    };

    bool assign_all() {
        std::vector<Pending> pending;
        for (Part& part : parts_) part.needs.clear();
        for (const Bits line : lines_) {
            Pending item{line, {}};
            for (std::size_t i = 0; i < parts_.size(); ++i) {
                const Bits need = line & parts_[i].squares;
                if (need != 0 && possible(parts_[i], {&need, 1})) item.parts.push_back(i);
            }
            if (item.parts.empty()) return false;
            const auto choices = [](const Pending& each) { return each.parts.size(); };
            pending.insert(std::ranges::upper_bound(pending, choices(item), {}, choices),
                           std::move(item));
        }
        // Lines that only one group can stop leave no choice.
        std::size_t forced = 0;
        for (; forced < pending.size() && pending[forced].parts.size() == 1; ++forced)
            add_need_of(pending[forced].line, parts_[pending[forced].parts[0]]);
        for (const Part& part : parts_)
            if (!possible(part, part.needs)) return false;
        tries_ = 2000;
        return assign(pending, forced);
    }

    /// Has the part stop a line, unless it does so already.
    static void add_need_of(Bits line, Part& part) {
        const Bits need = line & part.squares;
        std::vector<Bits>& needs = part.needs;
        for (const Bits other : needs)
            if ((other & ~need) == 0) return;
        std::erase_if(needs, [&](Bits other) { return (need & ~other) == 0; });
        needs.insert(std::lower_bound(needs.begin(), needs.end(), need), need);
    }

    bool assign(const std::vector<Pending>& pending, std::size_t next) {
        if (next == pending.size()) return write_proof();
        // Tries are much cheaper than states of games, which are the steps.
        if (tries_-- <= 0 || (tries_ % 16 == 0 && !budget_->spend())) return false;
        const Pending& item = pending[next];
        for (const std::size_t i : item.parts)
            for (const Bits need : parts_[i].needs)
                if ((need & ~item.line) == 0) return assign(pending, next + 1);
        for (const std::size_t i : item.parts) {
            Part& part = parts_[i];
            const auto before = part.needs;
            add_need_of(item.line, part);
            if (possible(part, part.needs) && assign(pending, next + 1)) return true;
            part.needs = before;
            if (budget_->is_spent()) return false;
        }
        return false;
    }

    /// A group and how it is played.
    struct Kind {
        ColumnSet columns;
        Role role;
        FreeMove free;
        auto operator<=>(const Kind& other) const = default;
    };
    /// Sets of needs that a group can stop together, and sets that it cannot.
    struct Known {
        std::vector<std::vector<Bits>> possible;
        std::vector<std::vector<Bits>> impossible;
    };

    /// Whether whoever stops all of `harder` stops all of `easier`, too.
    static bool implies(std::span<const Bits> harder, std::span<const Bits> easier) {
        return std::all_of(easier.begin(), easier.end(), [&](Bits need) {
            return std::any_of(harder.begin(), harder.end(),
                               [&](Bits part) { return (part & ~need) == 0; });
        });
    }

    bool possible(const Part& part, std::span<const Bits> needs) {
        Known& known = known_[{part.columns, part.role, part.free}];
        for (const auto& stopped : known.possible)
            if (implies(stopped, needs)) return true;
        for (const auto& failed : known.impossible)
            if (implies(needs, failed)) return false;
        Game game(*this, part.squares, needs, part.role, part.free, *budget_);
        const bool result = game.is_possible();
        if (!budget_->is_spent())
            (result ? known.possible : known.impossible).emplace_back(needs.begin(), needs.end());
        return result;
    }

    /// The rules of a part's answers besides "on top", at most `most`; nothing if there are more.
    std::optional<int> rules_of(const Part& part, int most) {
        const auto [entry, is_new] =
            rules_.try_emplace({{part.columns, part.role, part.free}, part.needs});
        Reading& known = entry->second;
        if (is_new || (!known.rules && known.tried < most)) {
            Budget unlimited = Budget::unlimited(budget_->pulse());
            Game game(*this, part.squares, part.needs, part.role, part.free, unlimited);
            Budget steps(steps_for_rules, budget_->pulse());
            known = {game.find_rules(most, steps), most};
            budget_->spend(steps_for_rules - steps.left());
        }
        return known.rules && *known.rules <= most ? known.rules : std::nullopt;
    }

    bool follows_rules() {
        int left = *limits_.rules;
        for (const Part& part : parts_) {
            const auto rules = rules_of(part, left);
            if (!rules) return false;
            left -= *rules;
        }
        return true;
    }

    /// Takes what was found if it reads well, or if it is the first proof. True if it reads well.
    bool write_proof() {
        const bool reads_well = !limits_.rules || follows_rules();
        if (!reads_well && longer_) return false;
        LocalProof<Bits> proof;
        // What was found possible is written down in full, even if the search has just used up its
        // steps.
        Budget writing = Budget::unlimited(budget_->pulse());
        int discs = popcount(mask_);
        std::size_t answers = 0;
        for (const Part& part : parts_) {
            LocalGroup<Bits> group{part.columns, part.role, part.free, part.needs, {}};
            Game game(*this, part.squares, part.needs, part.role, part.free, writing);
            Budget steps(steps_for_rules, budget_->pulse());
            if (limits_.rules && reads_well) game.find_rules(*limits_.rules, steps);
            const int depth = game.list_answers(group.answers, limits_.answers - answers);
            answers += group.answers.size();
            if (answers > limits_.answers) return false;
            discs += part.role == Role::win ? depth : popcount(part.squares);
            proof.groups.push_back(std::move(group));
        }
        proof.latest = goal_ == Role::win ? discs : 0;
        (reads_well ? proof_ : longer_) = std::move(proof);
        return reads_well;
    }

    /// What is known of the rules that a group's answers can follow.
    struct Reading {
        std::optional<int> rules{};
        int tried = -1;  // for no more rules than this
    };
    static constexpr std::uint64_t steps_for_rules = 5'000;

    const Shape& shape_;
    Board<Bits> board_;
    Bits mask_;
    Budget* budget_ = nullptr;
    std::vector<Bits> lines_;
    std::vector<Bits> goals_;
    ColumnSet open_ = 0;

    Role goal_ = Role::hold;
    Limits limits_{};
    bool spare_ = false;
    int tries_ = 0;
    std::vector<Part> parts_;
    std::map<Kind, Known> known_;
    std::map<std::pair<Kind, std::vector<Bits>>, Reading> rules_;
    std::optional<LocalProof<Bits>> proof_;
    std::optional<LocalProof<Bits>> longer_;
};

template <class Shape>
GroupSearch<Shape>::GroupSearch(const Shape& shape, const Board<Bits>& board)
    : search_(std::make_unique<Search>(shape, board)) {}
template <class Shape>
GroupSearch<Shape>::GroupSearch(GroupSearch&&) noexcept = default;
template <class Shape>
GroupSearch<Shape>::~GroupSearch() = default;

template <class Shape>
auto GroupSearch<Shape>::find(Role goal, const Limits& limits, Budget& budget)
    -> std::optional<LocalProof<Bits>> {
    return search_->find(goal, limits, budget);
}
template <class Shape>
auto GroupSearch<Shape>::longer() -> std::optional<LocalProof<Bits>> {
    return search_->longer();
}

template class GroupSearch<StandardShape>;
template class GroupSearch<AnyShape<u128>>;

}  // namespace fourcast::reasons
