#include "played_out.hpp"

#include <unordered_map>
#include <unordered_set>

#include "force.hpp"
#include "replay.hpp"

namespace fourcast::reasons {
namespace {

using Bits = u128;
using Shape = AnyShape<Bits>;

/// States that are still to be played from, each once, the latest first.
template <class State, class Container>
class Waiting {
  public:
    void add(const State& state) {
        if (!seen_.insert(state).second) return;
        if (seen_.size() > most_positions) throw ProofError("error.proof.too_many_positions");
        states_.push_back(state);
    }
    bool is_empty() const { return states_.empty(); }
    State take() {
        const State state = states_.back();
        states_.pop_back();
        return state;
    }
    std::size_t seen() const { return seen_.size(); }

  private:
    Container seen_;
    std::vector<State> states_;
};

}  // namespace

Games play_plan(const AnswerPlan<Bits>& plan, const Position& position, int player) {
    const Shape shape(position.width(), position.height());
    Budget budget = Budget::unlimited();
    ForceSearch<Shape> force(shape, budget);
    std::unordered_map<u64, const std::vector<Bits>*> table;  // by the number of the disc's square
    for (const auto& answer : plan.answers)
        table[static_cast<u64>(lowest_bit(answer.disc))] = &answer.squares;
    Games games;
    using State = std::pair<Bits, Bits>;
    Waiting<State, std::unordered_set<State, PairHash>> waiting;
    waiting.add({position.discs(player), position.discs(3 - player)});
    while (!waiting.is_empty()) {
        const auto [mine, theirs] = waiting.take();
        games.mine |= mine;
        games.theirs |= theirs;
        if (plan.latest == 0 && !has_four(shape, shape.board() & ~mine)) {
            games.ever_theirs |= shape.board() & ~mine;  // no line is left: the plan has done its work
            continue;
        }
        games.ever_theirs |= theirs;
        for (const Bits disc : each_square(playable(shape, mine | theirs))) {
            const Bits now = theirs | disc;
            const Bits mask = mine | now;
            const Bits open = playable(shape, mask);
            games.ever_theirs |= disc;
            if (const Bits wins = threats(shape, mine, mask) & open; wins != 0) {
                games.wins |= wins;
                games.always_below &= wins == disc << 1;
                continue;
            }
            const Bits their_threats = threats(shape, now, mask);
            Bits answer = lowest(their_threats & open);
            if (answer == 0) {
                if (plan.takes > 1 && force.exists(mine, now, plan.takes)) {
                    games.forced = true;
                    games.always_below = false;
                    continue;
                }
                const auto entry = table.find(static_cast<u64>(lowest_bit(disc)));
                const std::vector<Bits> on_top{disc << 1};
                const Bits usable = open & ~(their_threats >> 1);
                for (const Bits square : entry == table.end() ? on_top : *entry->second)
                    if (answer == 0) answer = square & usable;
                if (answer != 0) {
                    if (entry == table.end()) games.on_top |= disc;
                    games.answers[disc] |= answer;
                }
            }
            if (answer == 0)  // the board is full
                games.theirs |= now;
            else
                waiting.add({mine | answer, now});
        }
    }
    games.positions = waiting.seen();
    games.is_safe = !games.forced && !has_four(shape, games.ever_theirs);
    return games;
}

Games play_group(const LocalGroup<Bits>& group, const Position& position, int player) {
    const Shape shape(position.width(), position.height());
    const Bits own = position.discs(player);
    const Bits other = position.discs(3 - player);
    Bits squares = 0;
    for (const int column : each(group.columns)) squares |= shape.column(column) & ~position.mask();
    std::unordered_map<std::pair<Bits, Bits>, Bits, PairHash> table;
    for (const auto& entry : group.answers) table[{entry.theirs, entry.mine}] = entry.answer;
    Games games;
    struct State {
        Bits theirs;
        Bits mine;
        bool has_free_move;
        auto operator<=>(const State&) const = default;
    };
    Waiting<State, std::set<State>> waiting;
    waiting.add({0, 0, group.free != FreeMove::never});
    while (!waiting.is_empty()) {
        const auto [theirs, mine, has_free_move] = waiting.take();
        games.theirs |= theirs;
        games.mine |= mine;
        const auto is_met = [&mine = mine](Bits need) { return (need & mine) != 0; };
        if (group.role == Role::hold && std::ranges::all_of(group.needs, is_met)) continue;
        const Bits mask = position.mask() | theirs | mine;
        const Bits moves = playable(shape, mask) & squares;
        const Bits wins = moves & threats(shape, own | mine, mask);
        games.wins |= wins;
        if (more_than_one(wins)) continue;
        std::vector<Bits> asked;
        for (const Bits move : each_square(wins != 0 ? wins : moves)) asked.push_back(move);
        const bool odd = popcount(squares & ~(theirs | mine)) % 2 != 0;
        if (moves != 0 && wins == 0 && has_free_move &&
            (group.free == FreeMove::one || odd == (group.free == FreeMove::one_odd)))
            asked.push_back(0);
        for (const Bits disc : asked) {
            const Bits now = theirs | disc;
            const auto listed = table.find({now, mine});
            if (listed == table.end()) {
                games.theirs |= now;
                games.settled |= disc;
                continue;
            }
            const Bits answer = listed->second;
            games.answers[disc] |= answer;
            if (has_four(shape, own | mine | answer)) {
                games.wins |= answer;
                continue;
            }
            if (disc != 0 && !has_four(shape, other | now | answer))
                games.chosen[disc].emplace(playable(shape, mask | now) & squares, answer);
            waiting.add(
                {now, mine | answer, has_free_move && (disc != 0 || group.free == FreeMove::any_even)});
        }
    }
    games.positions = waiting.seen();
    return games;
}

}  // namespace fourcast::reasons
