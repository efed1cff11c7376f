// The leaves of a certificate: positions with the opponent to move from which a plan or local games lead
// to the goal.
#pragma once

#include <optional>
#include <variant>
#include <vector>

#include "reasons/board.hpp"
#include "reasons/proof.hpp"

namespace fourcast::certificate {

/// How hard a proof is searched for. Steps are counted, not timed: the same search finds the same proof.
struct Effort {
    struct Plan {
        int rules;            // besides "on top"
        std::uint64_t steps;  // of the replay
        int takes = 1;        // discs of the forced wins that are seen, 1 or 2
    };
    struct Groups {
        int columns;  // of the largest group
        std::uint64_t steps;
    };
    std::vector<Plan> plans;
    std::vector<Groups> groups;
    std::size_t most_answers = 0;  // of local games, written out; 0: any number
    /// Called now and then; throws to end the search.
    reasons::Budget::Pulse pulse{};
};

using Leaf = std::variant<reasons::AnswerPlan<u128>, reasons::LocalProof<u128>>;

/// A proof that `player`, who has just moved, reaches the goal; nothing if none was found.
std::optional<Leaf> find_leaf(const Position& position, reasons::Role goal, const Effort& effort);

/// Local games with the columns in these groups, if they prove it.
std::optional<Leaf> find_local_games(const Position& position, reasons::Role goal,
                                     const std::vector<ColumnSet>& groups, std::uint64_t steps,
                                     std::size_t most_answers);

}  // namespace fourcast::certificate
