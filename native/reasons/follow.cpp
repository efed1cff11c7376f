#include "follow.hpp"

#include <algorithm>

#include "force.hpp"
#include "replay.hpp"

namespace fourcast::reasons {
namespace {

using Bits = u128;
using Shape = AnyShape<Bits>;

/// A disc of the claim's player, and why it is played.
struct Move {
    std::string_view why;
    int column;
};

class Game {
  public:
    Game(const Position& position, const Claim& claim)
        : claim_(claim),
          shape_(position.width(), position.height()),
          position_(position),
          script_(claim.start),
          proof_start_(position) {
        if (const auto* const force = std::get_if<ForceLine>(&claim.proof))
            script_.insert(script_.end(), force->columns.begin(), force->columns.end());
        plan_ = std::get_if<AnswerPlan<Bits>>(&claim.proof);
        local_ = std::get_if<LocalProof<Bits>>(&claim.proof);
        cases_ = std::get_if<CaseProof<Bits>>(&claim.proof);
        for (const int column : claim.start) proof_start_ = proof_start_.play(column);
        if (position.turn() == claim.player)
            play(next_of_script());
        else if (claim.start.empty())
            look_for_end();
    }

    std::string_view state() const {
        if (position_.winner() == claim_.player) return "won";
        const bool has_line_left =
            !position_.is_over() && has_four(shape_, shape_.board() & ~position_.discs(claim_.player));
        return claim_.goal == Role::win || has_line_left ? "open" : "held";
    }

    /// Plays the opponent's disc in a column, and answers it.
    void reply(long long column) {
        if (state() != "open") throw OptionError("error.claim_reached");
        const bool follows_script =
            columns_.size() < script_.size() && script_[columns_.size()] == column;
        position_ = position_.play(column);
        columns_.push_back(static_cast<int>(column));
        why_ = {};
        if (state() == "open") play(answer(follows_script));
    }

    Followed result() const { return {position_, columns_, why_, state()}; }

  private:
    void play(const Move& move) {
        position_ = position_.play(move.column);
        columns_.push_back(move.column);
        why_ = position_.winner() == claim_.player ? "four" : move.why;
        if (columns_.size() >= claim_.start.size()) look_for_end();
    }

    Move next_of_script() const {
        if (columns_.size() >= script_.size())
            throw ProofError("it is the turn of the claim's player, who has no move to begin with");
        return {"line", script_[columns_.size()]};
    }

    Move answer(bool follows_script) const {
        if (follows_script && columns_.size() < script_.size()) return next_of_script();
        if (const ColumnSet fours = position_.winning_columns(claim_.player); fours != 0)
            return {"four", lowest_bit(fours)};
        if (columns_.size() > claim_.start.size()) {
            if (local_ != nullptr) return grouped();
            if (const ColumnSet blocks = position_.winning_columns(3 - claim_.player);
                blocks != 0 && (plan_ != nullptr || cases_ != nullptr))
                return {"block", lowest_bit(blocks)};
            if (plan_ != nullptr) return planned();
            if (cases_ != nullptr) return by_case();
        }
        throw ProofError("the opponent was not forced to reply");
    }

    /// The opponent's last disc.
    Bits disc() const {
        const int column = columns_.back();
        return shape_.square(column, position_.column_height(column) - 1);
    }
    Bits open() const { return playable(shape_, position_.mask()); }
    int column_of(Bits square) const { return shape_.column_of(lowest_bit(square)); }
    /// The squares that a player has taken since the proof began.
    Bits taken(int player) const { return position_.discs(player) & ~proof_start_.mask(); }
    bool is_at(Bits theirs, Bits mine, Bits among) const {
        return (taken(3 - claim_.player) & among) == theirs && (taken(claim_.player) & among) == mine;
    }

    /// Goes on with the proof of the position, if it has one of its own.
    void look_for_end() {
        if (cases_ == nullptr) return;
        const auto end = std::ranges::find_if(cases_->ends, [&](const auto& each) {
            return is_at(each.theirs, each.mine, shape_.board());
        });
        if (end == cases_->ends.end()) return;
        cases_ = nullptr;
        plan_ = std::get_if<AnswerPlan<Bits>>(&end->proof);
        local_ = std::get_if<LocalProof<Bits>>(&end->proof);
        proof_start_ = position_;
    }

    Move by_case() const {
        const auto entry = std::ranges::find_if(cases_->answers, [&](const auto& each) {
            return is_at(each.theirs, each.mine, shape_.board());
        });
        const bool is_listed = entry != cases_->answers.end();
        const Bits square = (is_listed ? entry->answer : disc() << 1) & open();
        if (square == 0) throw ProofError("the proof has no answer, or one that cannot be played");
        return {is_listed ? "table" : "top", column_of(square)};
    }

    Move planned() const {
        if (const auto column = plan_->takes > 1 ? forced_win(position_, plan_->takes) : std::nullopt)
            return {"force", *column};
        const auto entry =
            std::ranges::find_if(plan_->answers, [&](const auto& each) { return each.disc == disc(); });
        const bool is_listed = entry != plan_->answers.end();
        const std::vector<Bits> on_top{disc() << 1};
        const Bits usable = open() & ~(position_.threats(3 - claim_.player) >> 1);
        for (const Bits square : is_listed ? entry->squares : on_top)
            if ((square & usable) != 0) return {is_listed ? "table" : "top", column_of(square)};
        throw ProofError("the plan has no answer");
    }

    Move grouped() const {
        const int last = columns_.back();
        const auto has_room = [&](const LocalGroup<Bits>& group) {
            return (group.columns & position_.legal_columns()) != 0;
        };
        for (const auto& group : local_->groups)
            if (contains(group.columns, last) && has_room(group)) {
                const int column = column_in(group);
                return {column == last ? "top" : "group", column};
            }
        for (const auto& group : local_->groups)
            if (!contains(group.columns, last) && group.free != FreeMove::never && has_room(group))
                return {"elsewhere", column_in(group)};
        throw ProofError("no group has room for an answer");
    }
    /// Where the claim's player moves in a group, which has room.
    int column_in(const LocalGroup<Bits>& group) const {
        const Bits mine = taken(claim_.player);
        const bool is_settled =
            std::ranges::all_of(group.needs, [&](Bits need) { return (need & mine) != 0; });
        if (group.role == Role::hold && is_settled) {  // any square will do
            const ColumnSet columns = group.columns & position_.legal_columns();
            return contains(columns, columns_.back()) ? columns_.back() : lowest_bit(columns);
        }
        Bits among = 0;
        for (const int column : each(group.columns)) among |= shape_.column(column);
        const auto entry = std::ranges::find_if(
            group.answers, [&](const auto& each) { return is_at(each.theirs, each.mine, among); });
        if (entry == group.answers.end() || (entry->answer & open()) == 0)
            throw ProofError("a group has no answer, or one that cannot be played");
        return column_of(entry->answer);
    }

    const Claim& claim_;
    Shape shape_;
    Position position_;
    std::vector<int> columns_;
    std::vector<int> script_;  // the claim's start and forcing line
    std::string_view why_;
    // The proof that is followed, one of them, and the position that it begins with.
    const AnswerPlan<Bits>* plan_ = nullptr;
    const LocalProof<Bits>* local_ = nullptr;
    const CaseProof<Bits>* cases_ = nullptr;
    Position proof_start_;
};

}  // namespace

Followed follow(const Position& position, const Claim& claim, const std::vector<long long>& replies) {
    Game game(position, claim);
    for (const long long column : replies) game.reply(column);
    return game.result();
}

std::optional<int> forced_win(const Position& position, int discs) {
    if (position.is_over()) return std::nullopt;
    const Shape shape(position.width(), position.height());
    const int turn = position.turn();
    Budget budget = Budget::unlimited();
    ForceSearch<Shape> search(shape, budget);
    const auto line = search.find({position.discs(turn), position.discs(3 - turn)}, discs);
    if (line.empty()) return std::nullopt;
    return shape.column_of(lowest_bit(line[0]));
}

}  // namespace fourcast::reasons
