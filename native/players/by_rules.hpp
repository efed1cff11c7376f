// The searches of the players by other rules than the standard ones. They ask positions for everything,
// which is slower than sets of squares and right for all rules.
#pragma once

#include "lookahead.hpp"
#include "mcts.hpp"

namespace fourcast {

/// As `look_ahead`, for wins and losses only; in PopOut a win after n plies is worth 100 - n. Throws
/// OptionError for an evaluation, which knows fours on flat boards only.
LookAhead look_ahead_by_rules(const Position& position, const LookAheadOptions& options,
                              const Check& check);

/// Throws OptionError: what evaluates positions, or is calibrated, knows the standard rules only.
void refuse_other_rules(const Position& position);

/// As `search_tree`.
TreeSearch search_tree_by_rules(const Position& position, const TreeSearchOptions& options,
                                const Check& check);

}  // namespace fourcast
