#include "strategy.hpp"

#include <algorithm>

#include "force.hpp"
#include "replay.hpp"

namespace fourcast::reasons {

/// The proof of the claim, or of one of its ends, with its tables.
struct Strategy::Part {
    Bits mask;  // discs of the position that it begins with
    const AnswerPlan<Bits>* plan = nullptr;
    const LocalProof<Bits>* local = nullptr;
    std::unordered_map<int, const std::vector<Bits>*> answers{};  // of a plan, by the disc's bit
    std::vector<Table> tables{};                                  // of each group
    std::vector<Bits> squares{};                                  // of each group

    template <class Proofs>
    Part(const AnyShape<Bits>& shape, Bits mask_before, const Proofs& proof)
        : mask(mask_before),
          plan(std::get_if<AnswerPlan<Bits>>(&proof)),
          local(std::get_if<LocalProof<Bits>>(&proof)) {
        if (plan != nullptr)
            for (const auto& [disc, list] : plan->answers) answers.try_emplace(lowest_bit(disc), &list);
        if (local == nullptr) return;
        for (const auto& group : local->groups) {
            Table& table = tables.emplace_back();
            for (const auto& [theirs, mine, answer] : group.answers)
                table.try_emplace({theirs, mine}, answer);
            Bits& among = squares.emplace_back(0);
            for (const int column : each(group.columns)) among |= shape.column(column);
        }
    }
};

Strategy::Strategy(const Position& position, const Claim& claim)
    : claim_(claim),
      shape_(position.width(), position.height()),
      position_{position.discs(claim.player), position.discs(3 - claim.player), -1},
      is_first_(position.turn() == claim.player),
      script_(claim.start),
      proof_mask_(position.mask()),
      cases_(std::get_if<CaseProof<Bits>>(&claim.proof)) {
    if (const auto* const force = std::get_if<ForceLine>(&claim.proof))
        script_.insert(script_.end(), force->columns.begin(), force->columns.end());
    for (const int column : claim.start) proof_mask_ |= square_in(column, proof_mask_);
    if (cases_ == nullptr) return;
    for (const auto& [theirs, mine, answer] : cases_->answers)
        listed_.try_emplace({theirs, mine}, answer);
    for (std::size_t i = 0; i < cases_->ends.size(); ++i)
        ends_.try_emplace({cases_->ends[i].theirs, cases_->ends[i].mine}, static_cast<int>(i));
}

Strategy::~Strategy() = default;

std::size_t Strategy::played(const State& state) const {
    return static_cast<std::size_t>(popcount(state.mine | state.theirs) -
                                    popcount(position_.mine | position_.theirs));
}

std::optional<Strategy::Move> Strategy::first() const {
    if (!is_first_) return std::nullopt;
    if (script_.empty()) throw ProofError("error.proof.no_first_move");
    return Move{"line", square_in(script_[0], position_.mine | position_.theirs)};
}

Strategy::State Strategy::begin() const {
    return after(position_, is_first_ ? first()->square : Bits{0});
}

Strategy::State Strategy::after(State state, Bits square) const {
    state.mine |= square;
    if (cases_ == nullptr || state.end >= 0 || played(state) < claim_.start.size()) return state;
    const auto end = ends_.find({state.theirs & ~proof_mask_, state.mine & ~proof_mask_});
    if (end != ends_.end()) state.end = end->second;
    return state;
}

const Strategy::Part& Strategy::part_at(const State& state) const {
    auto& part = parts_[state.end];
    if (part == nullptr) {
        if (state.end < 0) {
            part = std::make_unique<const Part>(shape_, proof_mask_, claim_.proof);
        } else {
            const auto& end = cases_->ends[static_cast<std::size_t>(state.end)];
            part = std::make_unique<const Part>(shape_, proof_mask_ | end.theirs | end.mine, end.proof);
        }
    }
    return *part;
}

Strategy::Move Strategy::answer(const State& state, Bits disc) const {
    const Bits mask = state.mine | state.theirs;
    const std::size_t count = played(state);
    if (count < script_.size() && column_of(disc) == script_[count - 1])
        return {"line", square_in(script_[count], mask)};
    const Bits open = playable(shape_, mask);
    if (const Bits fours = threats(shape_, state.mine, mask) & open; fours != 0)
        return {"four", lowest(fours)};
    if (count > claim_.start.size()) {
        const Part& part = part_at(state);
        if (part.local != nullptr) return grouped(part, state, disc);
        const bool is_case = cases_ != nullptr && state.end < 0;
        if (part.plan != nullptr || is_case)
            if (const Bits blocks = threats(shape_, state.theirs, mask) & open; blocks != 0)
                return {"block", lowest(blocks)};
        if (part.plan != nullptr) return planned(part, state, disc);
        if (is_case) return by_case(state, disc);
    }
    throw ProofError("error.proof.reply_was_not_forced");
}

Strategy::Move Strategy::by_case(const State& state, Bits disc) const {
    const auto entry = listed_.find({state.theirs & ~proof_mask_, state.mine & ~proof_mask_});
    const bool is_listed = entry != listed_.end();
    const Bits square =
        (is_listed ? entry->second : disc << 1) & playable(shape_, state.mine | state.theirs);
    if (square == 0) throw ProofError("error.proof.case_has_no_answer");
    return {is_listed ? "table" : "top", square};
}

Strategy::Move Strategy::planned(const Part& part, const State& state, Bits disc) const {
    if (part.plan->takes > 1) {
        Budget budget = Budget::unlimited();
        ForceSearch<AnyShape<Bits>> search(shape_, budget);
        if (const auto line = search.find({state.mine, state.theirs}, part.plan->takes); !line.empty())
            return {"force", line[0]};
    }
    const Bits mask = state.mine | state.theirs;
    const auto entry = part.answers.find(lowest_bit(disc));
    const bool is_listed = entry != part.answers.end();
    const std::vector<Bits> on_top{disc << 1};
    const Bits usable = playable(shape_, mask) & ~(threats(shape_, state.theirs, mask) >> 1);
    for (const Bits square : is_listed ? *entry->second : on_top)
        if ((square & usable) != 0) return {is_listed ? "table" : "top", square & usable};
    throw ProofError("error.proof.plan_has_no_answer");
}

Strategy::Move Strategy::grouped(const Part& part, const State& state, Bits disc) const {
    const Bits open = playable(shape_, state.mine | state.theirs);
    const auto has_room = [&](std::size_t number) { return (part.squares[number] & open) != 0; };
    for (std::size_t i = 0; i < part.tables.size(); ++i)
        if ((part.squares[i] & disc) != 0 && has_room(i)) {
            const Bits square = square_of_group(part, i, state, disc);
            return {column_of(square) == column_of(disc) ? "top" : "group", square};
        }
    for (std::size_t i = 0; i < part.tables.size(); ++i)
        if ((part.squares[i] & disc) == 0 && part.local->groups[i].free != FreeMove::never &&
            has_room(i))
            return {"elsewhere", square_of_group(part, i, state, disc)};
    throw ProofError("error.proof.no_room_for_answer");
}

/// Where the claim's player moves in a group, which has room.
Strategy::Bits Strategy::square_of_group(const Part& part, std::size_t number, const State& state,
                                         Bits disc) const {
    const auto& group = part.local->groups[number];
    const Bits mine = state.mine & ~part.mask;
    const Bits open = playable(shape_, state.mine | state.theirs) & part.squares[number];
    const bool is_settled =
        std::ranges::all_of(group.needs, [&](Bits need) { return (need & mine) != 0; });
    if (group.role == Role::hold && is_settled)  // any square will do
        return (open & disc << 1) != 0 ? disc << 1 : lowest(open);
    const auto entry = part.tables[number].find(
        {state.theirs & ~part.mask & part.squares[number], mine & part.squares[number]});
    if (entry == part.tables[number].end() || (entry->second & open) == 0)
        throw ProofError("error.proof.group_has_no_answer");
    return entry->second & open;
}

}  // namespace fourcast::reasons
