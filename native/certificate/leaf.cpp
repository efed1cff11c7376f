#include "leaf.hpp"

#include <limits>

#include "reasons/groups.hpp"
#include "reasons/plan.hpp"

namespace fourcast::certificate {
namespace {

using reasons::AnswerPlan;
using reasons::Board;
using reasons::Budget;
using reasons::find_plan;
using reasons::GroupSearch;
using reasons::LocalProof;
using reasons::Role;

template <class Bits>
Leaf widened(const AnswerPlan<Bits>& plan) {
    AnswerPlan<u128> result{{}, plan.takes, plan.latest, plan.positions};
    for (const auto& [disc, squares] : plan.answers)
        result.answers.push_back({disc, {squares.begin(), squares.end()}});
    return result;
}
template <class Bits>
Leaf widened(const LocalProof<Bits>& proof) {
    LocalProof<u128> result{{}, proof.latest};
    for (const auto& group : proof.groups) {
        reasons::LocalGroup<u128> wide{group.columns, group.role, group.free, {}, {}};
        wide.needs.assign(group.needs.begin(), group.needs.end());
        for (const auto& entry : group.answers)
            wide.answers.push_back({entry.theirs, entry.mine, entry.answer});
        result.groups.push_back(std::move(wide));
    }
    return result;
}

std::size_t most(std::size_t answers) {
    return answers == 0 ? std::numeric_limits<std::size_t>::max() / 2 : answers;
}

template <class Shape>
Board<typename Shape::Bits> board_of(const Position& position) {
    using Bits = typename Shape::Bits;
    const int turn = position.turn();
    return {static_cast<Bits>(position.discs(3 - turn)), static_cast<Bits>(position.discs(turn))};
}

}  // namespace

std::optional<Leaf> find_leaf(const Position& position, Role goal, const Effort& effort) {
    const Budget::Pulse* const pulse = effort.pulse ? &effort.pulse : nullptr;
    return with_shape(position.width(), position.height(),
                      [&]<class Shape>(const Shape& shape) -> std::optional<Leaf> {
                          const auto board = board_of<Shape>(position);
                          for (const auto& [rules, steps, takes] : effort.plans) {
                              Budget budget(steps, pulse);
                              if (const auto found = find_plan(shape, board, goal, takes, rules, budget))
                                  return widened(*found);
                          }
                          GroupSearch<Shape> games(shape, board);
                          for (const auto& [columns, steps] : effort.groups) {
                              Budget budget(steps, pulse);
                              const auto found = games.find(
                                  goal, {columns, most(effort.most_answers), std::nullopt}, budget);
                              if (found) return widened(*found);
                          }
                          return std::nullopt;
                      });
}

std::optional<Leaf> find_local_games(const Position& position, Role goal,
                                     const std::vector<ColumnSet>& groups, std::uint64_t steps,
                                     std::size_t most_answers) {
    return with_shape(position.width(), position.height(),
                      [&]<class Shape>(const Shape& shape) -> std::optional<Leaf> {
                          GroupSearch<Shape> games(shape, board_of<Shape>(position));
                          Budget budget(steps);
                          const auto found = games.find_split(
                              goal, groups, {0, most(most_answers), std::nullopt}, budget);
                          if (found) return widened(*found);
                          return std::nullopt;
                      });
}

}  // namespace fourcast::certificate
