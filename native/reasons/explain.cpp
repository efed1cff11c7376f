#include "explain.hpp"

#include <algorithm>
#include <chrono>
#include <optional>

#include "board/center.hpp"
#include "cases.hpp"
#include "force.hpp"
#include "groups.hpp"
#include "ideas.hpp"
#include "plan.hpp"
#include "replay.hpp"

namespace fourcast::reasons {
namespace {

using Clock = std::chrono::steady_clock;

/// Thrown through the searches when the limit is reached or the call is stopped.
struct Interrupted {};

// Never inlined: where several throws of one function unwind to different places, LLVM orders their try
// blocks for WebAssembly by addresses in its own memory, and no two builds would be the same.
[[noreturn, gnu::noinline]] void interrupt() { throw Interrupted{}; }

/// The limit, the stop token and the check of one call.
class Call {
  public:
    Call(Solver& solver, const Limit& limit, const Check& check, const StopToken& token)
        : solver_(solver), limit_(limit), check_(check), token_(token), poll_(check) {}

    const Budget::Pulse* pulse() const { return &pulse_; }

    Result solve(const Position& position, Goal goal, bool best_columns) {
        const Result result = solver_.solve(position, left(), goal, best_columns, check_, token_);
        nodes_ += result.nodes;
        return result;
    }

    /// Whether the score of a position is no more than this one.
    bool is_at_most(const Position& position, int score) {
        const Result result = solver_.bound(position, score, left(), check_, token_);
        nodes_ += result.nodes;
        if (!result.complete) interrupt();
        return result.upper <= score;
    }

  private:
    double elapsed_s() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }
    Limit left() const {
        if (limit_ == Limit{}) return limit_;
        const double time_s = limit_.time_s - elapsed_s();
        if (time_s <= 0 || nodes_ >= limit_.nodes) interrupt();
        return {time_s, limit_.nodes - nodes_};
    }
    void beat() {
        poll_();
        if (token_.is_stopped() || elapsed_s() > limit_.time_s) interrupt();
    }

    Solver& solver_;
    Limit limit_;
    const Check& check_;
    StopToken token_;
    Poll poll_;
    Clock::time_point start_ = Clock::now();
    u64 nodes_ = 0;
    Budget::Pulse pulse_ = [this] { beat(); };
};

template <class Bits>
AnswerPlan<u128> widened(const AnswerPlan<Bits>& plan) {
    AnswerPlan<u128> result{{}, plan.takes, plan.latest, plan.positions};
    for (const auto& [disc, squares] : plan.answers)
        result.answers.push_back({disc, {squares.begin(), squares.end()}});
    return result;
}
template <class Bits>
LocalProof<u128> widened(const LocalProof<Bits>& proof) {
    LocalProof<u128> result{{}, proof.latest};
    for (const LocalGroup<Bits>& group : proof.groups) {
        LocalGroup<u128> wide{group.columns, group.role, group.free, {}, {}};
        wide.needs.assign(group.needs.begin(), group.needs.end());
        for (const LocalAnswer<Bits>& entry : group.answers)
            wide.answers.push_back({entry.theirs, entry.mine, entry.answer});
        result.groups.push_back(std::move(wide));
    }
    return result;
}

template <class Bits>
CaseProof<u128> widened(const CaseProof<Bits>& proof) {
    CaseProof<u128> result{{}, {}, proof.latest};
    for (const LocalAnswer<Bits>& entry : proof.answers)
        result.answers.push_back({entry.theirs, entry.mine, entry.answer});
    for (const auto& end : proof.ends)
        std::visit(
            [&](const auto& each) { result.ends.push_back({end.theirs, end.mine, widened(each)}); },
            end.proof);
    return result;
}

/// One way to search for a proof.
struct Attempt {
    enum class Kind { plan, groups } kind;
    int size;       // rules of a plan besides "on top", or columns of the largest group
    u64 steps;      // for all starts together
    int takes = 1;  // discs of the longest forced win that a plan takes
};

/// What is tried, in this order: cheap searches and proofs that read well first, and last of all a proof
/// case by case. A forced win of two discs is harder to see for a reader than a four, but easier than
/// the table of a group.
struct Bounds {
    u64 force_steps;
    std::vector<Attempt> attempts;
    std::size_t most_answers;  // of local games
    /// Positions that a search for a proof case by case may look at, if it is to win and if it is to
    /// hold; steps for each of them; answers of the whole proof.
    std::size_t case_nodes;
    std::size_t hold_nodes;
    u64 case_steps;
    std::size_t case_answers;
};
const Bounds full_bounds{
    .force_steps = 100'000,
    .attempts = {{Attempt::Kind::plan, 2, 80'000},
                 {Attempt::Kind::groups, 1, 50'000},
                 {Attempt::Kind::groups, 2, 50'000},
                 {Attempt::Kind::plan, 2, 150'000, 2},
                 {Attempt::Kind::groups, 3, 100'000},
                 {Attempt::Kind::groups, 4, 100'000}},
    .most_answers = 500,
    .case_nodes = 400,
    .hold_nodes = 100,
    .case_steps = 1'500,
    .case_answers = 4'000,
};
/// For the positions along the main line, of which there may be many.
const Bounds line_bounds{
    .force_steps = 20'000,
    .attempts = {{Attempt::Kind::plan, 2, 2'000},
                 {Attempt::Kind::groups, 1, 20'000},
                 {Attempt::Kind::groups, 2, 20'000},
                 {Attempt::Kind::groups, 3, 20'000},
                 {Attempt::Kind::groups, 4, 20'000}},
    .most_answers = 250,
    .case_nodes = 40,
    .hold_nodes = 60,
    .case_steps = 1'000,
    .case_answers = 3'000,
};
/// The same without proofs case by case: with few discs they take nearly all of the time.
const Bounds early_bounds = [] {
    Bounds bounds = line_bounds;
    bounds.case_nodes = bounds.hold_nodes = 0;
    return bounds;
}();

constexpr int force_discs = 14;
/// With fewer of them on a board of the usual size, only forcing lines are looked for: a search for
/// plans takes long there, and a line from the empty board leads through several such positions.
constexpr int fewest_discs = 6;
constexpr int usual_squares = 42;
/// Rules besides "on top" that a reader can remember.
constexpr int most_rules = 2;
/// Ways to begin a proof that are tried: first moves, and forced exchanges before them.
constexpr std::size_t most_starts = 10;
constexpr int exchanges_before = 2;
constexpr std::size_t longest_line = 24;
constexpr std::size_t longest_quick_line = 8;
/// With fewer discs, a quick search leaves out what takes long.
constexpr int fewest_quick_discs = 12;
/// Of a board with more of them, a proof case by case is too long, and the solver too slow without a
/// book.
constexpr int most_empty_squares = 36;

template <class Shape>
class Explainer {
  public:
    using Bits = typename Shape::Bits;

    Explainer(const Shape& shape, Call& call) : shape_(shape), call_(call) {}

    /// A claim for the side to move (`for_mover`) or the other one, if there is a proof within the
    /// bounds. One that begins with a column of `preferred` comes first.
    std::optional<Claim> find(const Position& position, bool for_mover, Role goal, const Bounds& bounds,
                              ColumnSet preferred = 0) {
        const int turn = position.turn();
        const auto mover = static_cast<Bits>(position.discs(turn));
        const auto other = static_cast<Bits>(position.discs(3 - turn));
        claim_ = {for_mover ? turn : 3 - turn, goal, {}, ForceLine{}};
        bounds_ = &bounds;
        starts_.clear();
        exchanges_.clear();
        if (for_mover) {
            if (move_first({mover, other}, {}, exchanges_before)) return std::move(claim_);
        } else if (reply_first({other, mover}, {}, exchanges_before)) {
            return std::move(claim_);
        }
        if (position.ply() < fewest_discs && position.cells() >= usual_squares) return std::nullopt;
        starts_.insert(starts_.end(), exchanges_.begin(), exchanges_.end());
        const auto others = std::ranges::stable_partition(starts_, [&](const Start& start) {
            return !start.columns.empty() && contains(preferred, start.columns[0]);
        });
        const std::size_t first = starts_.size() - others.size();
        if (starts_.size() > most_starts) starts_.resize(most_starts);
        if (search_starts(std::min(first, starts_.size()))) return std::move(claim_);
        return std::nullopt;
    }

  private:
    /// A position in which the claimant F, whose board it is, has just moved.
    struct Start {
        Board<Bits> board;
        std::vector<int> columns;
    };

    int column_of(Bits square) const { return shape_.column_of(lowest_bit(square)); }

    /// F is to move. True if the claim is proven already.
    bool move_first(const Board<Bits>& board, const std::vector<int>& columns, int exchanges) {
        if (claim_.goal == Role::win) {
            Budget budget(bounds_->force_steps, call_.pulse());
            ForceSearch<Shape> search(shape_, budget);
            const std::vector<Bits> line = search.find(board, force_discs);
            if (!line.empty()) {
                ForceLine force;
                for (const Bits square : line) force.columns.push_back(column_of(square));
                claim_.start = columns;
                claim_.proof = std::move(force);
                return true;
            }
        }
        for (const Bits square : by_center(playable(shape_, board.mask()))) {
            const Board<Bits> after{board.mine | square, board.theirs};
            if (!keeps(after.mine, after.theirs)) continue;
            std::vector<int> more = columns;
            more.push_back(column_of(square));
            const bool forces = now(after.mine, after.mask()) != 0;
            (exchanges == exchanges_before ? starts_ : exchanges_).push_back({after, more});
            if (forces && exchanges > 0 && reply_first(after, more, exchanges - 1)) return true;
        }
        return false;
    }

    /// O is to move, and has no four at once.
    bool reply_first(const Board<Bits>& board, const std::vector<int>& columns, int exchanges) {
        const Bits threat = now(board.mine, board.mask());
        if (columns.empty()) starts_.push_back({board, columns});
        if (threat == 0 || now(board.theirs, board.mask()) != 0) return false;
        const Bits block = lowest(threat);
        std::vector<int> more = columns;
        more.push_back(column_of(block));
        if (playable(shape_, board.mask() | block) == 0) return false;
        return move_first({board.mine, board.theirs | block}, more, exchanges);
    }

    /// The squares on which the next disc completes a four.
    Bits now(Bits discs, Bits mask) const {
        return threats(shape_, discs, mask) & playable(shape_, mask);
    }

    std::vector<Bits> by_center(Bits open) const {
        std::vector<Bits> squares;
        for (const int column : columns_from_center(shape_.width()))
            if (const Bits square = open & shape_.column(column); square != 0) squares.push_back(square);
        return squares;
    }

    /// Whether F, who has just moved, still reaches the goal, by the solver.
    bool keeps(Bits mine, Bits theirs) {
        const Bits mask = mine | theirs;
        const bool is_win = claim_.goal == Role::win;
        if (has_four(shape_, mine)) return true;
        if (mask == shape_.board()) return !is_win;
        if (now(theirs, mask) != 0) return false;
        Memo<std::pair<Bits, Bits>, bool>& known = is_win ? winning_ : holding_;
        if (const bool* keeps = known.find({mine, theirs})) return *keeps;
        const bool first = popcount(mask) % 2 == 0;
        const auto position = Position::from_discs(first ? theirs : mine, first ? mine : theirs,
                                                   shape_.width(), shape_.height());
        return *known.try_add({mine, theirs}, call_.is_at_most(position, is_win ? -1 : 0)).first;
    }

    /// The first so many starts are preferred to the others: each part gets all attempts.
    bool search_starts(std::size_t preferred) {
        std::vector<GroupSearch<Shape>> games;
        longer_.reset();
        for (const Start& start : starts_) games.emplace_back(shape_, start.board);
        for (const auto& [from, to] :
             {std::pair(std::size_t{0}, preferred), std::pair(preferred, starts_.size())}) {
            for (const Attempt& attempt : bounds_->attempts)
                for (std::size_t i = from; i < to; ++i) {
                    Budget budget(attempt.steps / starts_.size(), call_.pulse());
                    if (attempt.kind == Attempt::Kind::groups
                            ? try_groups(starts_[i], games[i], attempt.size, budget)
                            : try_plan(starts_[i], attempt, budget))
                        return true;
                }
            if (!longer_) continue;
            claim_ = std::move(*longer_);
            return true;
        }
        return try_cases();
    }

    bool try_cases() {
        if (starts_.empty()) return false;
        const Bits empty = shape_.board() & ~starts_[0].board.mask();
        if (popcount(empty) > most_empty_squares) return false;
        std::vector<Board<Bits>> boards;
        for (const Start& start : starts_) boards.push_back(start.board);
        const typename CaseSearch<Shape>::Keeps keeps_goal = [this](Bits mine, Bits theirs) {
            return keeps(mine, theirs);
        };
        const std::size_t nodes = claim_.goal == Role::win ? bounds_->case_nodes : bounds_->hold_nodes;
        if (nodes == 0) return false;
        CaseSearch<Shape> search(shape_, claim_.goal, keeps_goal,
                                 {nodes, bounds_->case_steps, bounds_->case_answers}, call_.pulse());
        const auto found = search.find(boards);
        return found && claim(starts_[found->first], found->second);
    }
    bool claim(const Start& start, const auto& proof) {
        claim_.start = start.columns;
        claim_.proof = widened(proof);
        return true;
    }
    bool try_plan(const Start& start, const Attempt& attempt, Budget& budget) {
        const auto found =
            find_plan(shape_, start.board, claim_.goal, attempt.takes, attempt.size, budget);
        return found && claim(start, *found);
    }
    bool try_groups(const Start& start, GroupSearch<Shape>& games, int size, Budget& budget) {
        const auto found = games.find(claim_.goal, {size, bounds_->most_answers, most_rules}, budget);
        if (auto longer = found ? std::nullopt : games.longer(); longer && !longer_)
            longer_ = {claim_.player, claim_.goal, start.columns, widened(*longer)};
        return found && claim(start, *found);
    }

    Shape shape_;
    Call& call_;
    const Bounds* bounds_ = nullptr;
    Claim claim_;
    std::optional<Claim> longer_;  // that is proven, but does not read well
    std::vector<Start> starts_;
    std::vector<Start> exchanges_;  // starts that only gain time: tried last
    /// Whether F, who has just moved, wins or holds these positions, by the solver.
    Memo<std::pair<Bits, Bits>, bool> winning_;
    Memo<std::pair<Bits, Bits>, bool> holding_;
};

/// The claims that explain an outcome: one for the winner, or one for each side.
template <class Shape>
std::vector<Claim> find_claims(Explainer<Shape>& explainer, const Position& position, int outcome,
                               const Bounds& bounds, ColumnSet preferred = 0) {
    std::vector<Claim> claims;
    const auto add = [&](bool for_mover, Role goal) {
        auto claim = explainer.find(position, for_mover, goal, bounds, preferred);
        if (claim) claims.push_back(std::move(*claim));
        return claim.has_value();
    };
    if (outcome != 0)
        add(outcome > 0, Role::win);
    else if (!add(false, Role::hold) || !add(true, Role::hold))
        claims.clear();
    return claims;
}

/// What a search takes for a position that is one of many.
const Bounds& bounds_at(const Position& position, Effort effort) {
    const bool is_early = effort == Effort::quick && position.ply() < fewest_quick_discs;
    return is_early ? early_bounds : line_bounds;
}

/// Follows best play, nearest to the center, to the first position with a reason. Other moves that are
/// as good are looked at, but not followed.
template <class Shape>
void find_line(Explainer<Shape>& explainer, const Position& position, int outcome, Effort effort,
               Call& call, Explanation& found) {
    Position at = position;
    std::vector<int> line;
    while (line.size() < (effort == Effort::full ? longest_line : longest_quick_line)) {
        const Result result = line.empty() ? found.verdict : call.solve(at, Goal::score, true);
        if (!result.best_columns) interrupt();
        outcome = -outcome;
        std::optional<int> main;
        for (const int column : columns_from_center(position.width())) {
            if ((*result.best_columns >> column & 1) == 0) continue;
            const Position next = at.play(column);
            if (next.is_over()) return;
            if (!main) main = column;
            found.claims = find_claims(explainer, next, outcome, bounds_at(next, effort));
            if (found.claims.empty()) continue;
            line.push_back(column);
            found.line = std::move(line);
            return;
        }
        line.push_back(main.value());
        at = at.play(*main);
    }
}

template <class Shape>
void find_reasons(Explainer<Shape>& explainer, const Position& position, Effort effort, Call& call,
                  Explanation& found) {
    const int outcome = found.verdict.lower > 0 ? 1 : found.verdict.upper < 0 ? -1 : 0;
    const Bounds& bounds = effort == Effort::full ? full_bounds : bounds_at(position, effort);
    found.claims = find_claims(explainer, position, outcome, bounds,
                               outcome > 0 ? found.verdict.best_columns.value_or(0) : 0);
    if (found.claims.empty()) find_line(explainer, position, outcome, effort, call, found);
}

/// Replays the claims: what leaves the core is proven, whatever mistakes the searches may have.
void check_claims(const Position& position, const Explanation& found) {
    Position start = position;
    for (const int column : found.line) start = start.play(column);
    for (const Claim& claim : found.claims) replay(start, claim);
}

Best best_play(const Position& position, Call& call) {
    const Result result = call.solve(position, Goal::score, true);
    if (!result.best_columns) interrupt();
    return {*result.best_columns, result.lower > 0 ? 1 : result.upper < 0 ? -1 : 0};
}

/// Adds the idea to an explanation that has everything else, first as far as that needs no solver.
void find_idea(Explanation& found, const BestPlay& best) {
    found.idea = idea_of(found, {});
    if (tier_of(found.idea) > Tier::sensible) found.idea = idea_of(found, best);
}

/// If the idea is not exact, looks for a better one behind the winner's other best columns.
template <class Shape>
void try_other_columns(Explainer<Shape>& explainer, const BestPlay& best, Explanation& found) {
    const Position& position = found.verdict.position;
    if (found.verdict.lower <= 0 || !found.line.empty() || found.claims.empty()) return;
    if (std::holds_alternative<ForceLine>(found.claims[0].proof)) return;
    for (const int column : each(found.verdict.best_columns.value_or(0))) {
        if (tier_of(found.idea) < Tier::longest) return;
        if (column == found.claims[0].start.at(0)) continue;
        auto claim = explainer.find(position.play(column), false, Role::win, line_bounds);
        if (!claim) continue;
        claim->start.insert(claim->start.begin(), column);
        Explanation other = found;
        other.claims = {std::move(*claim)};
        other.idea = idea_of(other, best);
        if (tier_of(other.idea) >= tier_of(found.idea)) continue;
        check_claims(position, other);
        found = std::move(other);
    }
}

}  // namespace

Explanation explain(const Position& position, Solver& solver, Effort effort, const Limit& limit,
                    const Check& check, const StopToken& token) {
    Call call(solver, limit, check, token);
    Explanation found;
    found.verdict = call.solve(position, Goal::score, true);
    found.complete = found.verdict.complete;
    if (!found.complete) return found;
    with_either_shape(position.width(), position.height(), [&](const auto& shape) {
        using Shape = std::decay_t<decltype(shape)>;
        Explainer<Shape> explainer(shape, call);
        try {
            find_reasons(explainer, position, effort, call, found);
            check_claims(position, found);
        } catch (const Interrupted&) {
            found.complete = false;
            found.claims.clear();
            found.line.clear();
        }
        if (!found.complete) {
            found.idea = idea_of(found, {});
            return;
        }
        try {
            const BestPlay best = [&](const Position& at) { return best_play(at, call); };
            find_idea(found, best);
            if (effort == Effort::full) try_other_columns(explainer, best, found);
        } catch (const Interrupted&) {  // what is known by then is true
            found.complete = false;
        }
    });
    return found;
}

void add_idea(Explanation& found, Solver& solver, const Limit& limit, const Check& check,
              const StopToken& token) {
    Call call(solver, limit, check, token);
    try {
        find_idea(found, [&](const Position& at) { return best_play(at, call); });
    } catch (const Interrupted&) {  // what is known by then is true
    }
}

}  // namespace fourcast::reasons
