#include "plan.hpp"

#include <algorithm>
#include <bit>
#include <unordered_map>
#include <unordered_set>

#include "board/center.hpp"
#include "board/position_value.hpp"

namespace fourcast::study {
namespace {

constexpr std::size_t most_of_a_plan = 300;  // positions of the opponent's: a longer plan is not plain
constexpr std::size_t most_of_a_break = 50'000;

struct Hash {
    std::size_t operator()(const Position& position) const { return position.hash(); }
};

/// Tries every move of the side to move against the plan.
class Breaker {
  public:
    /// The moves that it takes to complete a four; 0 if the plan holds.
    int moves(const Position& position) {
        if (const auto known = known_.find(position); known != known_.end()) return known->second;
        if (known_.size() == most_of_a_break)
            throw OptionError("error.cannot_be", {{"what", "position"}, {"given", position.rows()}});
        int fewest = 0;
        for (int column = 0; column < position.width(); ++column) {
            const int taken = position.can_play(column) ? moves_with(position, column) : 0;
            if (taken != 0 && (fewest == 0 || taken < fewest)) fewest = taken;
        }
        return known_[position] = fewest;
    }

    int moves_with(const Position& position, int column) {
        const Position after = position.play(column);
        if (after.is_over()) return after.winner() == 0 ? 0 : 1;
        const Position answered = after.play(answer(after, column));
        if (answered.is_over()) return 0;
        const int more = moves(answered);
        return more == 0 ? 0 : more + 1;
    }

    static int answer(const Position& position, int below) {
        if (const auto planned = plan_answer(position, below)) return *planned;
        const auto order = columns_from_center(position.width());
        return *std::ranges::find_if(order, [&](int column) { return position.can_play(column); });
    }

  private:
    std::unordered_map<Position, int, Hash> known_;
};

/// Whether the plan wins for the side that is not to move, against every reply.
bool plan_wins(const Position& before, std::unordered_set<Position, Hash>& seen) {
    const int player = 3 - before.turn();
    if (!seen.insert(before).second) return true;
    if (seen.size() > most_of_a_plan) return false;
    for (int column = 0; column < before.width(); ++column) {
        if (!before.can_play(column)) continue;
        const Position after = before.play(column);
        if (after.is_over()) return false;
        if (after.winning_columns(player) != 0) continue;
        const auto answer = plan_answer(after, column);
        if (!answer) return false;
        const Position answered = after.play(*answer);
        if (answered.is_over() || !plan_wins(answered, seen)) return false;
    }
    return true;
}

Value wins(const Value& request, const Context&) {
    const Position position = position_from(request);
    std::unordered_set<Position, Hash> seen;
    return !position.is_over() && plan_wins(position, seen);
}

Value breaks(const Value& request, const Context&) {
    return array_of(breaks_of(position_from(request)), [](const Break& each) {
        return object({{"column", each.column}, {"moves", each.moves}, {"reply", each.reply}});
    });
}

}  // namespace

std::optional<int> plan_answer(const Position& position, int below) {
    for (const int player : {position.turn(), 3 - position.turn()})
        if (const ColumnSet columns = position.winning_columns(player); columns != 0)
            return std::countr_zero(columns);
    return position.can_play(below) ? std::optional(below) : std::nullopt;
}

std::vector<Break> breaks_of(const Position& position) {
    Breaker breaker;
    std::vector<Break> found;
    for (const int column : columns_from_center(position.width())) {
        if (!position.can_play(column)) continue;
        const int moves = breaker.moves_with(position, column);
        if (moves == 0) continue;
        found.push_back({column, moves, std::nullopt});
        if (moves > 1) found.back().reply = Breaker::answer(position.play(column), column);
    }
    std::ranges::stable_sort(found, {}, &Break::moves);
    return found;
}

std::span<const Question> plan_questions() {
    static constexpr Question questions[] = {{"plan.wins", wins}, {"plan.breaks", breaks}};
    return questions;
}

}  // namespace fourcast::study
