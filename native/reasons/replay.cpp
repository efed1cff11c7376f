#include "replay.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "board/threats.hpp"

namespace fourcast::reasons {
namespace {

using Bits = u128;
/// The discs of the player F, who claims something, and of the opponent O.
using Discs = std::pair<Bits, Bits>;

constexpr int longest_takes = 4;

// Never inlined, for the reason given in explain.cpp.
[[noreturn, gnu::noinline]] void refuse(const char* code, Value::Object facts = {}) {
    throw ProofError(code, std::move(facts));
}
void require(bool condition, const char* otherwise) {
    if (!condition) refuse(otherwise);
}

class Replay {
  public:
    Replay(int width, int height, Role goal) : shape_(width, height), goal_(goal) {}

    std::size_t claim(Bits first, Bits second, const Claim& claim) const {
        std::array<Bits, 3> discs{0, first, second};
        int turn = 1 + popcount(first) - popcount(second);
        require(claim.player == 1 || claim.player == 2, "error.proof.no_such_player");
        const auto* const force = std::get_if<ForceLine>(&claim.proof);
        std::vector<int> moves = claim.start;
        if (force != nullptr) moves.insert(moves.end(), force->columns.begin(), force->columns.end());
        for (const int column : moves) {
            const Bits mover = discs[at(turn)];
            const Bits other = discs[at(3 - turn)];
            require(!is_over(mover, other), "error.proof.over_too_early");
            const Bits move = drop(column, mover | other);
            const bool is_forced = (move & wins(other, mover)) != 0 && wins(mover, other) == 0;
            if (turn != claim.player && !is_forced)
                refuse("error.proof.reply_not_forced", {{"column", column + 1}});
            discs[at(turn)] |= move;
            turn = 3 - turn;
        }
        const Bits mine = discs[at(claim.player)];
        const Bits theirs = discs[at(3 - claim.player)];
        require(turn != claim.player, "error.proof.wrong_player_begins");
        if (force != nullptr) {
            require(has_four(shape_, mine) && force->columns.size() % 2 == 1,
                    "error.proof.line_ends_without_four");
            return force->columns.size();
        }
        require(!is_over(mine, theirs), "error.proof.over_too_early");
        if (const auto* const cases = std::get_if<CaseProof<Bits>>(&claim.proof))
            return answers({mine, theirs}, CaseTable(*cases, {mine, theirs}));
        if (const auto* const plan = std::get_if<AnswerPlan<Bits>>(&claim.proof))
            return answers({mine, theirs}, PlanTable(*plan));
        return local({mine, theirs}, std::get<LocalProof<Bits>>(claim.proof));
    }

  private:
    static std::size_t at(int player) { return static_cast<std::size_t>(player); }

    bool is_over(Bits mine, Bits theirs) const {
        return has_four(shape_, mine) || has_four(shape_, theirs);
    }
    Bits drop(int column, Bits mask) const {
        const Bits open = playable(shape_, mask);
        const Bits square = column >= 0 && column < shape_.width() ? open & shape_.column(column) : 0;
        if (square == 0) refuse("error.proof.column_not_playable", {{"column", column + 1}});
        return square;
    }
    /// The squares on which the next disc of `discs` completes a four.
    Bits wins(Bits discs, Bits other) const {
        return threats(shape_, discs, discs | other) & playable(shape_, discs | other);
    }
    /// Whether F, to move, wins with at most `count` discs of which all but the last force the reply.
    bool wins_by_force(Bits mine, Bits theirs, int count) const {
        if (wins(mine, theirs) != 0) return true;
        if (count < 2) return false;
        const Bits block = wins(theirs, mine);
        for (const Bits move : each_square(block != 0 ? block : playable(shape_, mine | theirs))) {
            const Bits reply = wins(mine | move, theirs);  // if these are two, the other one wins
            const bool forces = reply != 0 && wins(theirs, mine | move) == 0;
            if (forces && wins_by_force(mine | move, theirs | lowest(reply), count - 1)) return true;
        }
        return false;
    }

    /// The answers of a plan, which depend on O's last disc.
    struct PlanTable {
        explicit PlanTable(const AnswerPlan<Bits>& plan)
            : takes(std::min(plan.takes, longest_takes)), latest(plan.latest) {
            for (const auto& answer : plan.answers) squares[answer.disc] = answer.squares;
        }
        std::vector<Bits> choices(const Discs&, Bits disc) const {
            const auto found = squares.find(disc);
            return found == squares.end() ? std::vector<Bits>{disc << 1} : found->second;
        }
        const CaseProof<Bits>::Ending* end(const Discs&) const { return nullptr; }

        std::map<Bits, std::vector<Bits>> squares;
        int takes;
        int latest;
    };
    /// The answers of a proof case by case, which depend on all discs.
    struct CaseTable {
        CaseTable(const CaseProof<Bits>& proof, const Discs& start) : latest(proof.latest) {
            const auto [mine, theirs] = start;
            for (const auto& entry : proof.answers)
                squares[{mine | entry.mine, theirs | entry.theirs}] = entry.answer;
            for (const auto& each : proof.ends)
                ends[{mine | each.mine, theirs | each.theirs}] = &each.proof;
        }
        std::vector<Bits> choices(const Discs& discs, Bits disc) const {
            const auto found = squares.find(discs);
            return {found == squares.end() ? disc << 1 : found->second};
        }
        const CaseProof<Bits>::Ending* end(const Discs& discs) const {
            const auto found = ends.find(discs);
            return found == ends.end() ? nullptr : found->second;
        }

        std::map<Discs, Bits> squares;
        std::map<Discs, const CaseProof<Bits>::Ending*> ends;
        int takes = 1;
        int latest;
    };

    /// Replays a table of answers against every move of O's.
    template <class Table>
    std::size_t answers(const Discs& start, const Table& table) const {
        const bool win = goal_ == Role::win;
        std::size_t more = 0;  // positions of the ends
        std::set<Discs> seen{start};
        std::vector<Discs> waiting{start};
        while (!waiting.empty()) {
            const auto [mine, theirs] = waiting.back();
            waiting.pop_back();
            require(wins(theirs, mine) == 0, "error.proof.opponent_completes_four");
            const Bits moves = playable(shape_, mine | theirs);
            require(moves != 0 || !win, "error.proof.full_without_winner");
            if (!win && !has_four(shape_, shape_.board() & ~mine)) continue;  // no four is left
            if (const auto* const end = table.end({mine, theirs})) {
                more += std::visit(
                    [&](const auto& proof) {
                        require(!win || proof.latest <= table.latest, "error.proof.case_takes_too_long");
                        return rest({mine, theirs}, proof);
                    },
                    *end);
                continue;
            }
            for (const Bits disc : each_square(moves)) {
                const Bits now = theirs | disc;
                if (const int count = win_in(mine, now, table.takes); count != 0) {
                    const int last = popcount(mine | now) + 2 * count - 1;
                    if (win && last > table.latest)
                        refuse("error.proof.late_win", {{"last", last}, {"latest", table.latest}});
                } else if (playable(shape_, mine | now) != 0 || win) {
                    const Discs next{mine | answer(mine, now, table.choices({mine, now}, disc)), now};
                    if (seen.insert(next).second) waiting.push_back(next);
                }
            }
            require(seen.size() + more < most_positions, "error.proof.too_many_positions");
        }
        return seen.size() + more;
    }
    std::size_t rest(const Discs& start, const AnswerPlan<Bits>& plan) const {
        return answers(start, PlanTable(plan));
    }
    std::size_t rest(const Discs& start, const LocalProof<Bits>& proof) const {
        return local(start, proof);
    }
    /// The discs of F's with which a plan wins at once or by force; 0 if it does not.
    int win_in(Bits mine, Bits theirs, int takes) const {
        if (wins(mine, theirs) != 0) return 1;
        if (wins(theirs, mine) != 0) return 0;
        for (int count = 2; count <= takes; ++count)
            if (wins_by_force(mine, theirs, count)) return count;
        return 0;
    }
    /// The block if one is needed, else the first of `choices` that can be played and does not lie below
    /// a square where O completes a four.
    Bits answer(Bits mine, Bits theirs, const std::vector<Bits>& choices) const {
        const Bits mask = mine | theirs;
        if (const Bits block = wins(theirs, mine); block != 0) {
            require(!more_than_one(block), "error.proof.opponent_threatens_two");
            return block;
        }
        const Bits usable = playable(shape_, mask) & ~(threats(shape_, theirs, mask) >> 1);
        const auto found =
            std::ranges::find_if(choices, [&](Bits square) { return (square & usable) != 0; });
        require(found != choices.end(), "error.proof.plan_has_no_answer");
        return *found;
    }

    /// Replays groups of columns, each by itself; sees that O, not F, runs out of moves elsewhere.
    std::size_t local(const Discs& start, const LocalProof<Bits>& proof) const {
        const Bits mask = start.first | start.second;
        ColumnSet columns = 0;
        std::vector<Group> groups;
        for (const LocalGroup<Bits>& group : proof.groups) {
            require((columns & group.columns) == 0, "error.proof.column_in_two_groups");
            columns |= group.columns;
            groups.emplace_back(shape_, start, group);
        }
        for (int column = 0; column < max_bits; ++column) {
            const bool is_open = column < shape_.width() && (shape_.column(column) & ~mask) != 0;
            require(is_open == (column < 32 && contains(columns, column)),
                    "error.proof.not_each_open_column_once");
        }
        require_lines_stopped(start.first, groups);
        int odd = 0;
        int winners = 0;
        for (const Group& group : groups) {
            winners += group.wins();
            odd += !group.wins() && group.is_odd();
        }
        const bool win = goal_ == Role::win;
        require(winners == (win ? 1 : 0), "error.proof.not_one_winning_group");
        require(odd <= 2, "error.proof.last_move_not_left");
        int latest = popcount(mask);
        std::size_t states = 0;
        for (Group& group : groups) {
            FreeMove expected = FreeMove::never;
            if (odd == 2 && !group.wins() && group.is_odd()) expected = FreeMove::one_odd;
            if (odd == 1 && group.wins() == win) expected = win ? FreeMove::one : FreeMove::any_even;
            latest += group.replay(expected);
            states += group.states();
        }
        if (win && latest > proof.latest) refuse("error.proof.late_group", {{"latest", latest}});
        return states;
    }

    class Group;
    /// Every line of four that F has no disc in contains a set of squares that some group keeps from O.
    void require_lines_stopped(Bits mine, const std::vector<Group>& groups) const {
        for (const int direction : directions(shape_))
            for (const Bits first : each_square(fours_from(shape_, shape_.board() & ~mine, direction))) {
                const Bits pair = first | first << direction;
                const Bits line = pair | pair << (2 * direction);
                require(std::ranges::any_of(groups, [&](const Group& each) { return each.stops(line); }),
                        "error.proof.line_not_stopped");
            }
    }

    /// Replays the answers of one group against every move of O's in it.
    class Group {
      public:
        Group(const AnyShape<Bits>& shape, const Discs& start, const LocalGroup<Bits>& group)
            : shape_(shape), own_(start.first), mask_(start.first | start.second), group_(group) {
            for (int column = 0; column < shape.width(); ++column)
                if (contains(group.columns, column)) squares_ |= shape.column(column) & ~mask_;
            for (const Bits need : group.needs)
                require(need != 0 && (need & ~squares_) == 0, "error.proof.need_outside_group");
            for (const auto& entry : group.answers) answers_[{entry.theirs, entry.mine}] = entry.answer;
        }

        bool wins() const { return group_.role == Role::win; }
        bool is_odd() const { return popcount(squares_) % 2 != 0; }
        bool stops(Bits line) const {
            return std::ranges::any_of(group_.needs, [&](Bits need) { return (need & ~line) == 0; });
        }
        std::size_t states() const { return depths_.size(); }

        /// Returns the discs until the group has won at the latest, or until it is full.
        int replay(FreeMove expected) {
            require(group_.free == expected, "error.proof.free_moves_not_foreseen");
            const int depth = visit(0, 0, group_.free != FreeMove::never);
            return wins() ? depth : popcount(squares_);
        }

      private:
        struct State {
            Bits theirs;
            Bits mine;
            bool has_free_move;
            auto operator<=>(const State&) const = default;
        };

        /// Checks a state with O to move; returns the discs until F's four at the latest.
        int visit(Bits theirs, Bits mine, bool has_free_move) {
            const State state{theirs, mine, has_free_move};
            if (const auto known = depths_.find(state); known != depths_.end()) return known->second;
            const bool is_settled =
                std::ranges::all_of(group_.needs, [&](Bits need) { return (need & mine) != 0; });
            if (is_settled && !wins()) return 0;
            const Bits mask = mask_ | theirs | mine;
            const Bits moves = playable(shape_, mask) & squares_;
            for (const Bits need : group_.needs) {
                const Bits missing = need & ~theirs;
                const bool is_last = !more_than_one(missing) && (missing & moves) != 0;
                require(missing != 0 && !is_last, "error.proof.opponent_gets_squares");
            }
            require(moves != 0 || !wins(), "error.proof.winning_group_full");
            const Bits fours = threats(shape_, own_ | mine, mask);
            const Bits at_once = moves & fours;
            if (more_than_one(at_once)) return 2;
            int depth = 0;
            for (const Bits move : each_square(at_once != 0 ? at_once : moves))
                depth = std::max(depth, 2 + after(theirs | move, mine, fours, has_free_move));
            const bool odd = popcount(squares_ & ~(theirs | mine)) % 2 != 0;
            if (has_free_move && at_once == 0 &&
                (group_.free == FreeMove::one || odd == (group_.free == FreeMove::one_odd)))
                depth =
                    std::max(depth, 1 + after(theirs, mine, fours, group_.free == FreeMove::any_even));
            return depths_[state] = depth;
        }
        /// The same with F to move, who completes a four on `fours`.
        int after(Bits theirs, Bits mine, Bits fours, bool has_free_move) {
            const Bits choices = playable(shape_, mask_ | theirs | mine) & squares_;
            if (choices == 0 && !wins()) return 0;
            const auto listed = answers_.find({theirs, mine});
            const Bits square = listed == answers_.end() ? Bits{0} : listed->second & choices;
            require(square != 0, "error.proof.group_has_no_answer");
            return (square & fours) != 0 ? 0 : visit(theirs, mine | square, has_free_move);
        }

        const AnyShape<Bits>& shape_;
        Bits own_;
        Bits mask_;
        Bits squares_{0};
        const LocalGroup<Bits>& group_;
        std::map<Discs, Bits> answers_;  // by the squares that O and F have taken
        std::map<State, int> depths_;
    };

    AnyShape<Bits> shape_;
    Role goal_;
};

}  // namespace

std::size_t replay(const Position& position, const Claim& claim) {
    return Replay(position.width(), position.height(), claim.goal)
        .claim(position.first(), position.second(), claim);
}

}  // namespace fourcast::reasons
