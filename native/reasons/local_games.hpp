// Local games: a plan that splits the open columns into groups and plays each group by itself.
//
// The follower F answers every stone of the opponent O in the group that O has just played in. Each open
// line of O's is stopped in one group: there F's answers see to it that O never gets all squares that
// the line still needs in that group. A group is a game of a few columns, and is solved exactly.
//
//   * Hold. O is to move. If every group has an even number of empty squares, F always has an answer.
//   With one
//     odd group, O takes its last square and F has to move elsewhere: a free move. It makes another
//     group odd, so this may come again, at any time; therefore every even state of every group must
//     survive one.
//   * Win. In one group F's answers always complete a four before the group is full. The other groups
//   are even
//     and hold, so O runs out of moves there and has to play in that group. If one more group is odd, F
//     makes one free move in the group that wins, which must be able to afford it at any time.
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>
#include <vector>

#include "../position.hpp"
#include "board.hpp"

namespace fourcast::reasons {

/// How a group is played.
enum class Role { hold, win };

/// When F may have to move in a group without having been asked there.
enum class FreeMove {
    never,
    any_even,  // at any even state, and again later
    one_odd,   // once, at some odd state: another odd group was filled by O
    one,       // once, at any state of the group that wins
};

/// F's answer once the squares `theirs` and `mine` of a group have been filled since the plan began. A
/// free move is an answer with as many stones of both sides before it.
template <class Bits>
struct LocalAnswer {
    Bits theirs;
    Bits mine;
    Bits answer;
};

template <class Bits>
struct LocalGroup {
    ColumnSet columns = 0;
    Role role = Role::hold;
    FreeMove free = FreeMove::never;
    std::vector<Bits> needs;                 // sets of squares of which O gets at most a part
    std::vector<LocalAnswer<Bits>> answers;  // states that are not listed need no particular answer
};

template <class Bits>
struct LocalProof {
    std::vector<LocalGroup<Bits>> groups;
    int latest = 0;  // the number of stones on the board when F has won at the latest; 0 for a hold
};

template <class Shape>
class LocalGames {
  public:
    using Bits = typename Shape::Bits;

    /// `board` is seen from F; O is to move.
    LocalGames(const Shape& shape, const Board<Bits>& board, Budget& budget)
        : shape_(shape),
          board_(board),
          mask_(board.mask()),
          budget_(budget),
          lines_(open_lines(shape, board.theirs, board.mine)),
          goals_(open_lines(shape, board.mine, board.theirs)) {
        for (int column = 0; column < shape.width(); ++column)
            if ((shape.column(column) & ~mask_) != 0) open_ |= ColumnSet{1} << column;
    }

    /// A proof whose largest group has exactly `size` columns, if there is one within the budget.
    std::optional<LocalProof<Bits>> find(Role goal, int size) {
        goal_ = goal;
        size_ = size;
        parts_.clear();
        proof_.reset();
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

  private:
    struct State {
        Bits filled;
        std::uint64_t needs;  // those that F has no stone in
        std::uint64_t goals;  // those that O has no stone in
        bool free_left;
        bool operator==(const State&) const = default;
    };
    struct StateHash {
        std::size_t operator()(const State& state) const {
            return mix(hash_of(state.filled, Bits(state.needs)) +
                       mix(state.goals * 2 + state.free_left));
        }
    };

    /// One group with a set of needs.
    class Game {
      public:
        Game(const LocalGames& all, Bits squares, std::vector<Bits> needs, Role role, FreeMove free,
             Budget& budget)
            : all_(all),
              budget_(budget),
              squares_(squares),
              needs_(std::move(needs)),
              role_(role),
              free_(free) {
            for (const Bits goal : all.goals_)
                if ((goal & ~squares) == 0 && goals_.size() < 64) goals_.push_back(goal);
        }

        bool is_possible() { return needs_.size() <= 64 && survives(start()); }

        /// Lists the answers that the proof needs, and returns the number of stones that F's win takes
        /// at the most (for a group that wins).
        int list_answers(std::vector<LocalAnswer<Bits>>& answers) {
            std::set<std::pair<Bits, Bits>> seen;
            return walk(start(), Bits{0}, Bits{0}, answers, seen);
        }

      private:
        State start() const {
            return {Bits{0}, ones(needs_.size()), ones(goals_.size()), free_ != FreeMove::never};
        }
        static std::uint64_t ones(std::size_t count) {
            return count >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
        }
        Bits open_squares(Bits filled) const {
            return playable(all_.shape_, all_.mask_ | filled) & squares_;
        }
        static std::uint64_t without(const std::vector<Bits>& sets, std::uint64_t alive, Bits square) {
            for (const int i : each(alive))
                if ((sets[static_cast<std::size_t>(i)] & square) != 0) alive &= ~(std::uint64_t{1} << i);
            return alive;
        }
        static bool completes(const std::vector<Bits>& sets, std::uint64_t alive, Bits square,
                              Bits filled) {
            for (const int i : each(alive)) {
                const Bits set = sets[static_cast<std::size_t>(i)];
                if ((set & square) != 0 && (set & ~filled) == 0) return true;
            }
            return false;
        }
        bool is_settled(const State& state) const { return role_ == Role::hold && state.needs == 0; }
        bool has_free_move(const State& state) const {
            if (!state.free_left) return false;
            const bool odd = popcount(static_cast<Bits>(squares_ & ~state.filled)) % 2 != 0;
            return free_ == FreeMove::one || odd == (free_ == FreeMove::one_odd);
        }

        /// The squares on which F would complete a four of this group with the next stone. O, wherever O
        /// plays otherwise, has to take them first.
        Bits threats_in(const State& state, Bits open) const {
            Bits threats{0};
            for (const int i : each(state.goals)) {
                const Bits missing = goals_[static_cast<std::size_t>(i)] & ~state.filled;
                if (!more_than_one(missing)) threats |= missing & open;
            }
            return threats;
        }

        /// Whether F reaches the goal of the group from here, O to move.
        bool survives(const State& state) {
            if (is_settled(state)) return true;
            const Bits open = open_squares(state.filled);
            if (open == 0) return role_ == Role::hold;
            if (const auto known = known_.find(state); known != known_.end()) return known->second;
            if (!budget_.spend()) return false;
            const Bits threats = threats_in(state, open);
            bool result = true;
            for (Bits rest = threats != 0 ? open : Bits{0}; rest != 0 && result; rest &= rest - 1)
                result = !completes(needs_, state.needs, lowest(rest), state.filled | lowest(rest));
            if (result && more_than_one(threats)) return true;
            for (Bits rest = threats != 0 ? threats : open; rest != 0 && result; rest &= rest - 1)
                result = answer_to(state, lowest(rest)).has_value();
            if (result && threats == 0 && has_free_move(state)) result = free_move(state) != 0;
            known_.emplace(state, result);
            return result;
        }

        State after_theirs(const State& state, Bits move) const {
            return {state.filled | move, state.needs, without(goals_, state.goals, move),
                    state.free_left};
        }
        State after_mine(const State& state, Bits move) const {
            return {state.filled | move, without(needs_, state.needs, move), state.goals,
                    state.free_left};
        }

        /// F's answer to a move of O's: zero if none is possible or needed because the group is full;
        /// nothing if there is no answer that reaches the goal.
        std::optional<Bits> answer_to(const State& state, Bits move) {
            const State after = after_theirs(state, move);
            if (completes(needs_, state.needs, move, after.filled)) return std::nullopt;
            const Bits open = open_squares(after.filled);
            if (open == 0) return role_ == Role::hold ? std::optional(Bits{0}) : std::nullopt;
            const Bits on_top = (move << 1) & open;
            if (on_top != 0 && is_good(after, on_top)) return on_top;
            for (const Bits square : each_square(open & ~on_top))
                if (is_good(after, square)) return square;
            return std::nullopt;
        }
        bool is_good(const State& after, Bits answer) {
            return completes(goals_, after.goals, answer, after.filled | answer) ||
                   survives(after_mine(after, answer));
        }
        Bits free_move(State state) {
            if (free_ != FreeMove::any_even) state.free_left = false;
            for (const Bits square : each_square(open_squares(state.filled)))
                if (is_good(state, square)) return square;
            return Bits{0};
        }

        int walk(const State& state, Bits theirs, Bits mine, std::vector<LocalAnswer<Bits>>& answers,
                 std::set<std::pair<Bits, Bits>>& seen) {
            if (is_settled(state)) return 0;
            if (!seen.insert({theirs, mine}).second) return depth_of(theirs, mine);
            int stones = 0;
            const Bits open = open_squares(state.filled);
            const Bits threats = threats_in(state, open);
            if (more_than_one(threats)) return depths_[{theirs, mine}] = 2;
            for (const Bits move : each_square(threats != 0 ? threats : open)) {
                const Bits answer = answer_to(state, move).value_or(Bits{0});
                if (answer == 0) continue;
                const State after = after_theirs(state, move);
                answers.push_back({theirs | move, mine, answer});
                const bool done = completes(goals_, after.goals, answer, after.filled | answer);
                stones = std::max(stones, 2 + (done ? 0
                                                    : walk(after_mine(after, answer), theirs | move,
                                                           mine | answer, answers, seen)));
            }
            if (threats == 0 && has_free_move(state)) {
                State before = state;
                if (free_ != FreeMove::any_even) before.free_left = false;
                if (const Bits move = free_move(state); move != 0) {
                    answers.push_back({theirs, mine, move});
                    const bool done = completes(goals_, before.goals, move, before.filled | move);
                    stones = std::max(stones, 1 + (done ? 0
                                                        : walk(after_mine(before, move), theirs,
                                                               mine | move, answers, seen)));
                }
            }
            depths_[{theirs, mine}] = stones;
            return stones;
        }
        int depth_of(Bits theirs, Bits mine) const {
            const auto found = depths_.find({theirs, mine});
            return found == depths_.end() ? 0 : found->second;
        }

        const LocalGames& all_;
        Budget& budget_;
        Bits squares_;
        std::vector<Bits> needs_;
        std::vector<Bits> goals_;
        Role role_;
        FreeMove free_;
        std::unordered_map<State, bool, StateHash> known_;
        struct PairHash {
            std::size_t operator()(const std::pair<Bits, Bits>& pair) const {
                return hash_of(pair.first, pair.second);
            }
        };
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
        for (int more = 0; more < size_; ++more) {
            if (choose(first, others, more, left, odd)) return true;
        }
        return false;
    }
    bool choose(ColumnSet group, ColumnSet others, int more, ColumnSet left, int odd) {
        if (more == 0) {
            // A wide board has more ways to split it than can be looked at, each of them cheap.
            if (!budget_.spend()) return true;
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
        if (budget_.is_spent()) return true;
        int largest = 0;
        for (const Part& part : parts_) largest = std::max(largest, std::popcount(part.columns));
        if (largest != size_) return false;
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
        return budget_.is_spent();
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
                if (need != 0 && possible(parts_[i], {need})) item.parts.push_back(i);
            }
            if (item.parts.empty()) return false;
            pending.push_back(std::move(item));
        }
        std::stable_sort(pending.begin(), pending.end(), [](const Pending& a, const Pending& b) {
            return a.parts.size() < b.parts.size();
        });
        tries_ = 2000;
        if (!assign(pending, 0)) return false;
        write_proof();
        return true;
    }

    bool assign(const std::vector<Pending>& pending, std::size_t next) {
        if (next == pending.size()) return true;
        // Tries are much cheaper than states of games, which are the steps.
        if (tries_-- <= 0 || (tries_ % 16 == 0 && !budget_.spend())) return false;
        const Pending& item = pending[next];
        for (const std::size_t i : item.parts)
            for (const Bits need : parts_[i].needs)
                if ((need & ~item.line) == 0) return assign(pending, next + 1);
        for (const std::size_t i : item.parts) {
            Part& part = parts_[i];
            const auto before = part.needs;
            const Bits need = item.line & part.squares;
            std::erase_if(part.needs, [&](Bits other) { return (need & ~other) == 0; });
            part.needs.push_back(need);
            std::sort(part.needs.begin(), part.needs.end());
            if (possible(part, part.needs) && assign(pending, next + 1)) return true;
            part.needs = before;
            if (budget_.is_spent()) return false;
        }
        return false;
    }

    struct Question {
        ColumnSet columns;
        Role role;
        FreeMove free;
        std::vector<Bits> needs;
        auto operator<=>(const Question& other) const = default;
    };

    bool possible(const Part& part, const std::vector<Bits>& needs) {
        Question question{part.columns, part.role, part.free, needs};
        if (const auto known = answers_.find(question); known != answers_.end()) return known->second;
        Game game(*this, part.squares, needs, part.role, part.free, budget_);
        const bool result = game.is_possible();
        if (!budget_.is_spent()) answers_.emplace(std::move(question), result);
        return result;
    }

    void write_proof() {
        LocalProof<Bits> proof;
        // What was found possible is written down in full, even if the search has just used up its
        // steps.
        Budget writing = Budget::unlimited(budget_.pulse());
        int stones = popcount(mask_);
        for (const Part& part : parts_) {
            LocalGroup<Bits> group{part.columns, part.role, part.free, part.needs, {}};
            Game game(*this, part.squares, part.needs, part.role, part.free, writing);
            const int depth = game.list_answers(group.answers);
            stones += part.role == Role::win ? depth : popcount(part.squares);
            proof.groups.push_back(std::move(group));
        }
        proof.latest = goal_ == Role::win ? stones : 0;
        proof_ = std::move(proof);
    }

    const Shape& shape_;
    Board<Bits> board_;
    Bits mask_;
    Budget& budget_;
    std::vector<Bits> lines_;
    std::vector<Bits> goals_;
    ColumnSet open_ = 0;

    Role goal_ = Role::hold;
    int size_ = 1;
    bool spare_ = false;
    int tries_ = 0;
    std::vector<Part> parts_;
    std::map<Question, bool> answers_;
    std::optional<LocalProof<Bits>> proof_;
};

}  // namespace fourcast::reasons
