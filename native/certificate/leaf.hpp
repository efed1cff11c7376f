// The leaves of a certificate: positions with the opponent to move from which local games lead to the
// goal.
#pragma once

#include <optional>
#include <vector>

#include "level_search.hpp"
#include "reasons/board.hpp"
#include "reasons/proof.hpp"
#include "solver/solver.hpp"

namespace fourcast::certificate {

/// How hard a proof is searched for. Steps are counted, not timed: the same search finds the same proof.
struct Effort {
    struct Groups {
        int columns;  // of the largest group
        std::uint64_t steps;
    };
    std::vector<Groups> groups;
    std::size_t most_answers = 0;  // of local games, written out; 0: any number
    /// Called now and then; throws to end the search.
    reasons::Budget::Pulse pulse{};
};

/// Local games, without their answers, with which the player who has just moved reaches the goal;
/// nothing if none were found.
std::optional<reasons::LocalProof<u128>> find_leaf(const Position& position, reasons::Role goal,
                                                   const Effort& effort);

/// A level diagram, and the positions with the opponent to move that it meets.
struct Diagram {
    int column = 0;  // of the move that comes before
    Levels<u128> levels{};
    std::size_t states = 0;
};
/// One of these moves after which a diagram wins every game, one of those that are known, as it is or
/// mirrored, or a new one; nothing if none was found. The first move with a known one is taken.
std::optional<Diagram> find_diagram(const Position& position, const std::vector<int>& columns,
                                    const std::vector<Levels<u128>>& known, const LevelEffort& effort,
                                    Solver& solver);

/// Columns that are a local game, and the squares of which the opponent must not get all.
struct Group {
    ColumnSet columns = 0;
    bool wins = false;
    std::vector<u128> needs{};
};
/// How many states the checker meets in these local games; nothing if they are not won, or if it takes
/// more of them than `most`.
std::optional<std::size_t> count_states(const Position& position, reasons::Role goal,
                                        const std::vector<Group>& groups, std::size_t most);

}  // namespace fourcast::certificate
