#include "ends.hpp"

#include <algorithm>
#include <unordered_set>

#include "force.hpp"
#include "strategy.hpp"

namespace fourcast::reasons {
namespace {

using Bits = u128;
using Shape = AnyShape<Bits>;

constexpr std::uint64_t most_nodes = 20'000;
/// With a question to the solver for each.
constexpr std::uint64_t most_asked = 4'000;
/// For the squares of all games.
constexpr std::uint64_t most_states = 60'000;

/// The end that a position is, or the replies that do not lose at once.
struct Replies {
    std::optional<End> end;
    Bits replies = 0;
};

Replies replies_at(const Shape& shape, Bits mine, Bits theirs) {
    const Bits mask = mine | theirs;
    const Bits open = playable(shape, mask);
    const Bits wins = threats(shape, mine, mask);
    const Bits empty = shape.board() & ~mask;
    const Bits now = wins & open;
    if (more_than_one(now)) return {End{End::Kind::two, now, mine, empty}};
    if (now != 0) {
        if ((wins & now << 1) != 0) return {End{End::Kind::stack, now | now << 1, mine, empty}};
        return {std::nullopt, now};
    }
    const Bits replies = open & ~(wins >> 1);
    if (replies == 0 && open != 0) return {End{End::Kind::zug, wins & open << 1, mine, empty}};
    return {std::nullopt, replies};
}

class Walk {
  public:
    Walk(const Strategy& strategy, Tier tier, const BestPlay& best_play)
        : strategy_(strategy),
          tier_(tier),
          best_play_(best_play),
          budget_(tier < Tier::longest ? most_nodes : most_asked),
          force_budget_(Budget::unlimited()),
          force_(strategy.shape(), force_budget_) {}

    /// Whether all games could be played; those that end otherwise are then of the fewer kind.
    std::optional<Ends> all(int player) {
        player_ = player;
        const double share = share_of_zug(strategy_.begin());
        if (is_cut_) return std::nullopt;
        share_out();
        result_.is_zug = share > 0.5;
        const bool is_most = std::max(share, 1 - share) >= 0.8;
        result_.tier = !has_zug_ || !has_threats_ ? tier_ : is_most ? Tier::mostly : Tier::mixed;
        if (result_.tier != Tier::mixed)
            std::erase_if(result_.ends, [&](const End& end) {
                return (end.kind == End::Kind::zug) != result_.is_zug;
            });
        return std::move(result_);
    }

  private:
    /// Of the games from a state on against random replies, those that end in zugzwang.
    double share_of_zug(const Strategy::State& state) {
        if (const auto known = known_.find(state); known != known_.end()) return known->second.zug;
        if (is_cut_ || !budget_.spend()) {
            is_cut_ = true;
            return 0;
        }
        const auto [end, all_replies] = replies_at(strategy_.shape(), state.mine, state.theirs);
        Node node;
        if (end) {
            const bool is_zug = end->kind == End::Kind::zug;
            node.zug = is_zug ? 1 : 0;
            node.end = result_.ends.size();
            result_.ends.push_back(*end);
            // Where one reply spoils the tier, the others need not be played.
            (is_zug ? has_zug_ : has_threats_) = true;
            if (tier_ < Tier::longest && has_zug_ && has_threats_) is_cut_ = true;
        } else {
            const Bits replies = chosen(state, all_replies);
            const double part = 1.0 / std::max(popcount(replies), 1);
            for (const Bits disc : each_square(replies)) {
                Strategy::State next = state;
                next.theirs |= disc;
                node.next.push_back(strategy_.after(next, strategy_.answer(next, disc).square));
                node.zug += part * share_of_zug(node.next.back());
            }
        }
        order_.push_back(state);
        return known_.emplace(state, std::move(node)).first->second.zug;
    }

    /// Of how many games each end is: half of those that come to a position with two replies, say.
    void share_out() {
        std::unordered_map<Strategy::State, double, Strategy::Hash> shares{{strategy_.begin(), 1.0}};
        // Each state is in this order after all that follow it.
        for (auto state = order_.rbegin(); state != order_.rend(); ++state) {
            const Node& node = known_.at(*state);
            const double share = shares[*state];
            if (node.end) result_.ends[*node.end].share += share;
            for (const Strategy::State& next : node.next)
                shares[next] += share / static_cast<double>(node.next.size());
        }
    }

    /// The replies that count.
    Bits chosen(const Strategy::State& state, Bits replies) {
        if (tier_ == Tier::all || !more_than_one(replies)) return replies;
        const Shape& shape = strategy_.shape();
        Bits kept = 0;
        if (tier_ == Tier::sensible) {
            for (const Bits disc : each_square(replies))
                if (!force_.exists(state.mine, state.theirs | disc, 2)) kept |= disc;
        } else {
            const Bits first = player_ == 1 ? state.mine : state.theirs;
            const Bits second = player_ == 1 ? state.theirs : state.mine;
            const ColumnSet columns =
                best_play_(Position::from_discs(first, second, shape.width(), shape.height())).columns;
            for (const int column : each(columns)) kept |= shape.column(column) & replies;
        }
        return kept != 0 ? kept : replies;
    }

    const Strategy& strategy_;
    Tier tier_;
    const BestPlay& best_play_;
    Budget budget_;
    Budget force_budget_;
    ForceSearch<Shape> force_;
    int player_ = 1;
    bool has_zug_ = false;
    bool has_threats_ = false;
    bool is_cut_ = false;
    Ends result_;
    struct Node {
        double zug = 0;
        std::vector<Strategy::State> next{};
        std::optional<std::size_t> end{};
    };
    std::unordered_map<Strategy::State, Node, Strategy::Hash> known_;
    std::vector<Strategy::State> order_;
};

}  // namespace

std::optional<End> end_at(const Position& position, int player) {
    if (position.is_over() || position.turn() == player) return std::nullopt;
    const Shape shape(position.width(), position.height());
    return replies_at(shape, position.discs(player), position.discs(3 - player)).end;
}

Ends play_ends(const Position& position, const Claim& claim, const BestPlay& best_play) {
    const Strategy strategy(position, claim);
    Ends found;
    for (const Tier tier : {Tier::all, Tier::sensible, Tier::longest}) {
        if (tier == Tier::longest && !best_play) break;
        if (auto ends = Walk(strategy, tier, best_play).all(claim.player)) {
            found = std::move(*ends);
            if (found.tier != Tier::mixed) break;
        }
    }
    return found;
}

Bits winning_squares(const Position& position, const Claim& claim) {
    const Strategy strategy(position, claim);
    const Shape& shape = strategy.shape();
    Budget budget(most_states);
    Bits wins = 0;
    std::vector<Strategy::State> waiting{strategy.begin()};
    std::unordered_set<Strategy::State, Strategy::Hash> seen;
    while (!waiting.empty()) {
        const Strategy::State state = waiting.back();
        waiting.pop_back();
        if (!seen.insert(state).second || !budget.spend()) continue;
        if (claim.goal == Role::hold && !has_four(shape, shape.board() & ~state.mine)) continue;
        for (const Bits disc : each_square(playable(shape, state.mine | state.theirs))) {
            Strategy::State next = state;
            next.theirs |= disc;
            const Bits mask = next.mine | next.theirs;
            const Bits fours = threats(shape, next.mine, mask) & playable(shape, mask);
            wins |= fours;
            if (fours == 0 && mask != shape.board())
                waiting.push_back(strategy.after(next, strategy.answer(next, disc).square));
        }
    }
    return wins;
}

}  // namespace fourcast::reasons
