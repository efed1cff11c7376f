#include "plan.hpp"

#include <variant>
#include <vector>

#include "force.hpp"
#include "rule_search.hpp"

namespace fourcast::reasons {
namespace {

template <class Shape>
class Planner final : private RuleSearch<Shape> {
  public:
    using Bits = typename Shape::Bits;

    Planner(const Shape& shape, const Board<Bits>& board, Role goal, int takes, Budget& budget)
        : RuleSearch<Shape>(shape, budget),
          board_(board),
          goal_(goal),
          takes_(takes),
          force_budget_(Budget::unlimited(budget.pulse())),
          force_(shape, force_budget_) {}

    std::optional<AnswerPlan<Bits>> find(int rules) {
        if (!this->find_answers(rules)) return std::nullopt;
        return write_plan();
    }

  private:
    using typename RuleSearch<Shape>::Conflict;
    using typename RuleSearch<Shape>::Variable;
    using RuleSearch<Shape>::shape_;
    using RuleSearch<Shape>::budget_;

    /// What the rule says, or what is missing.
    struct Reply {
        enum class Kind { move, win, fail, undecided } kind;
        Bits move{0};
        int variable = -1;
        int discs = 0;  // of the win, both players'
    };

    /// The squares on which one more of these discs would complete a four, whoever has them now.
    Bits fours_of(Bits discs) const { return threats(shape_, discs, Bits{0}); }

    /// A player's discs with their fours, which are worked out once.
    struct Side {
        Bits discs;
        Bits fours;
    };

    /// What F does after O's disc, with these squares to choose from and these usable.
    Reply reply(const Side& mine, const Side& theirs, Bits disc, Bits open, Bits usable,
                Conflict& path) {
        if ((mine.fours & open) != 0) return {Reply::Kind::win, Bits{0}, -1, 1};
        if (const Bits block = theirs.fours & open; block != 0) {
            if (more_than_one(block)) return {Reply::Kind::fail};
            return {Reply::Kind::move, block};
        }
        for (int discs = 2; discs <= takes_; ++discs)
            if (force_.exists(mine.discs, theirs.discs, discs))
                return {Reply::Kind::win, Bits{0}, -1, 2 * discs - 1};
        const auto choice = this->choose(disc, usable, path);
        if (choice.square != 0) return {Reply::Kind::move, choice.square};
        if (choice.missing >= 0) return {Reply::Kind::undecided, Bits{0}, choice.missing};
        return {Reply::Kind::fail};
    }

    bool replay(std::vector<Variable>& open_variables, Conflict& conflict) override {
        seen_.clear();
        latest_ = 0;
        const Side theirs{board_.theirs, fours_of(board_.theirs)};
        return visit(board_.mine, theirs, Conflict{}, open_variables, conflict);
    }

    bool visit(Bits my_discs, const Side& theirs, const Conflict& path,
               std::vector<Variable>& open_variables, Conflict& conflict) {
        const Bits mask = my_discs | theirs.discs;
        if (!budget_.spend()) return this->give_up(conflict);
        if (goal_ == Role::hold && !can_be_beaten(my_discs)) return true;
        const Bits open = playable(shape_, mask);
        if (open == 0) {
            if (goal_ == Role::hold) return true;
            conflict = path;
            return false;
        }
        if ((theirs.fours & open) != 0) {
            conflict = path;
            return false;
        }
        const Side mine{my_discs, fours_of(my_discs)};
        for (const Bits disc : each_square(open)) {
            const Bits mask_now = mask | disc;
            const Bits open_now = playable(shape_, mask_now);
            if (open_now == 0) {
                if (goal_ == Role::hold) continue;
                conflict = path;
                return false;
            }
            const Side theirs_now{theirs.discs | disc, fours_of(theirs.discs | disc)};
            const Bits usable = open_now & ~(theirs_now.fours >> 1);
            Conflict used = path;
            const Reply answer = reply(mine, theirs_now, disc, open_now, usable, used);
            switch (answer.kind) {
                case Reply::Kind::win:
                    latest_ = std::max(latest_, popcount(mask_now) + answer.discs);
                    break;
                case Reply::Kind::fail:
                    conflict = used;
                    return false;
                case Reply::Kind::undecided:
                    if (!this->add_pending(open_variables, answer.variable, {usable, usable, used},
                                           conflict))
                        return false;
                    break;
                case Reply::Kind::move:
                    if (!seen_.try_add({my_discs | answer.move, theirs_now.discs}, {}).second) break;
                    if (!visit(my_discs | answer.move, theirs_now, used, open_variables, conflict))
                        return false;
                    break;
            }
        }
        return true;
    }

    /// Whether O may still complete a four if O got every square that is left.
    bool can_be_beaten(Bits mine) const { return has_four(shape_, shape_.board() & ~mine); }

    AnswerPlan<Bits> write_plan() {
        AnswerPlan<Bits> plan;
        plan.takes = takes_;
        plan.latest = goal_ == Role::win ? latest_ : 0;
        plan.positions = static_cast<int>(seen_.size());
        for (int square = 0; square < shape_.width() * shape_.stride(); ++square) {
            std::vector<Bits> squares;
            for (const Bits value : this->answers_to(square))
                if (value != 0) squares.push_back(value);
            if (squares.empty()) continue;
            if (squares.size() == 1 && squares[0] == (Bits{1} << square) << 1) continue;
            plan.answers.push_back({Bits{1} << square, std::move(squares)});
        }
        return plan;
    }

    Board<Bits> board_;
    Role goal_;
    int takes_;
    Budget force_budget_;
    ForceSearch<Shape> force_;
    int latest_ = 0;
    Memo<std::pair<Bits, Bits>, std::monostate> seen_;
};

}  // namespace

template <class Shape>
std::optional<AnswerPlan<typename Shape::Bits>> find_plan(const Shape& shape,
                                                          const Board<typename Shape::Bits>& board,
                                                          Role goal, int takes, int rules,
                                                          Budget& budget) {
    return Planner<Shape>(shape, board, goal, takes, budget).find(rules);
}
template std::optional<AnswerPlan<u64>> find_plan(const StandardShape&, const Board<u64>&, Role, int,
                                                  int, Budget&);
template std::optional<AnswerPlan<u128>> find_plan(const AnyShape<u128>&, const Board<u128>&, Role, int,
                                                   int, Budget&);

}  // namespace fourcast::reasons
