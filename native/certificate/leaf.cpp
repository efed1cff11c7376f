#include "leaf.hpp"

#include <limits>

#include "local_game.hpp"
#include "reasons/groups.hpp"

namespace fourcast::certificate {
namespace {

using reasons::Budget;
using reasons::GroupSearch;
using reasons::LocalProof;
using reasons::Role;

template <class Bits>
LocalProof<u128> widened(const LocalProof<Bits>& proof) {
    LocalProof<u128> result{{}, proof.latest};
    for (const auto& group : proof.groups) {
        reasons::LocalGroup<u128> wide{group.columns, group.role, group.free, {}, {}};
        wide.needs.assign(group.needs.begin(), group.needs.end());
        result.groups.push_back(std::move(wide));
    }
    return result;
}

std::size_t most(std::size_t answers) {
    return answers == 0 ? std::numeric_limits<std::size_t>::max() / 2 : answers;
}

template <class Shape>
reasons::Board<typename Shape::Bits> board_of(const Position& position) {
    using Bits = typename Shape::Bits;
    const int turn = position.turn();
    return {static_cast<Bits>(position.discs(3 - turn)), static_cast<Bits>(position.discs(turn))};
}

}  // namespace

std::optional<LocalProof<u128>> find_leaf(const Position& position, Role goal, const Effort& effort) {
    const Budget::Pulse* const pulse = effort.pulse ? &effort.pulse : nullptr;
    return with_either_shape(
        position.width(), position.height(),
        [&]<class Shape>(const Shape& shape) -> std::optional<LocalProof<u128>> {
            const auto board = board_of<Shape>(position);
            GroupSearch<Shape> games(shape, board);
            for (const auto& [columns, steps] : effort.groups) {
                Budget budget(steps, pulse);
                const auto found =
                    games.find(goal, {columns, most(effort.most_answers), std::nullopt}, budget);
                if (found) return widened(*found);
            }
            return std::nullopt;
        });
}

std::optional<Diagram> find_diagram(const Position& position, const std::vector<int>& columns,
                                    const std::vector<Levels<u128>>& known, const LevelEffort& effort,
                                    Solver& solver) {
    const auto find = [&]<class Shape>(const Shape& shape) -> std::optional<Diagram> {
        using Bits = typename Shape::Bits;
        using Place = Pair<Bits>;
        const int player = position.turn();
        const certificate::Board<Shape> board(shape);
        std::vector<Place> starts;
        for (const int column : columns) {
            const Position after = position.play(column);
            starts.push_back(
                {static_cast<Bits>(after.discs(player)), static_cast<Bits>(after.discs(3 - player))});
        }
        const auto diagram = [&](const Place& start, const Levels<Bits>& levels, std::size_t states) {
            const auto i = static_cast<std::size_t>(std::ranges::find(starts, start) - starts.begin());
            return Diagram{columns[i], {levels.begin(), levels.end()}, states};
        };
        Levels<Bits> like;  // of those that are known, what fares best
        std::size_t seen = 0;
        for (const Place& start : starts)
            for (const auto& each : known) {
                Levels<Bits> levels(each.begin(), each.end());
                for (int side = 0; side < 2; ++side) {
                    const Fares fares = play_through(levels, board, start, effort.most);
                    if (fares.wins) return diagram(start, levels, fares.seen);
                    if (fares.seen > seen) {
                        seen = fares.seen;
                        like = levels;
                    }
                    for (Bits& level : levels) level = shape.mirror(level);
                }
            }
        using Search = LevelSearch<Shape>;
        const typename Search::IsWon is_won = [&](const Place& place) {
            const Position after = Position::from_discs(player == 1 ? place.mine : place.theirs,
                                                        player == 1 ? place.theirs : place.mine,
                                                        position.width(), position.height());
            return !after.is_over() && solver.bound(after, -1, {}, effort.pulse).upper < 0;
        };
        auto answer = starts.empty() ? Search::Answer::none : Search::Answer::unknown;
        for (int number = 0; number < effort.tries && answer == Search::Answer::unknown; ++number) {
            Place start;
            Levels<Bits> levels;
            answer = Search(board, starts, effort, is_won, number == 0 ? like : levels, number)
                         .find(start, levels);
            if (answer == Search::Answer::found)
                return diagram(start, levels, won_positions(levels, board, start, effort.most));
        }
        return std::nullopt;
    };
    return with_either_shape(position.width(), position.height(), find);
}

std::optional<std::size_t> count_states(const Position& position, Role goal,
                                        const std::vector<Group>& groups, std::size_t most) {
    const auto count = [&]<class Shape>(const Shape& shape) {
        using Bits = typename Shape::Bits;
        const auto [mine, theirs] = board_of<Shape>(position);
        std::vector<Bits> squares;
        std::vector<std::vector<Bits>> needs;
        std::size_t winner = groups.size();
        for (const Group& group : groups) {
            if (group.wins) winner = squares.size();
            squares.push_back(0);
            for (const int column : each(group.columns)) squares.back() |= shape.column(column);
            squares.back() &= ~(mine | theirs);
            needs.emplace_back();
            for (const u128 need : group.needs) needs.back().push_back(static_cast<Bits>(need));
        }
        std::size_t states = most_states - most;
        const certificate::Board<Shape> board(shape);
        auto games = local_games(board, {mine, theirs}, squares, needs, winner, goal == Role::win,
                                 3 - position.turn(), states);
        const bool won = std::ranges::all_of(games, [](auto& game) { return game.is_won(); });
        return won ? std::optional(states - (most_states - most)) : std::nullopt;
    };
    try {
        return with_either_shape(position.width(), position.height(), count);
    } catch (const CertificateError&) {
        return std::nullopt;
    }
}

}  // namespace fourcast::certificate
