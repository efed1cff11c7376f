// Ideas: why a position is won, lost or drawn, in the words that players use. Every word follows from a
// claim that is played out (ends.hpp), from the rules, or from exact outcomes.
#pragma once

#include "ends.hpp"
#include "explain.hpp"
#include "system/value.hpp"

namespace fourcast::reasons {

/// The idea of an explanation, which has everything but its idea:
///   * kind: "four", "two" (two threats at once), "stack" (threats on top of each other), "force" (a
///     series of threats that ends with one of these), "zugzwang", "threats" (all games end with "two"
///     or "stack"), "mixed" (some games end with those, some in zugzwang, all with one square),
///     "example" (how best play ends, where no claim says more), "draw", or "none";
///   * tier: against which replies it holds, 1 to 4 (ends.hpp); null where nothing is quantified;
///   * player: who wins, null in a draw;
///   * squares: where that player completes a four in the end;
///   * lines: the lines that this completes, each of four squares, as far as they are the same in all
///     games;
///   * count: squares that are filled before the zugzwang, if that is the same in all games;
///   * after: discs of best play before the idea begins;
///   * line: best play from there to its end, for an example only;
///   * threats: the lasting threats of both sides now, {"player", "square", "line"};
///   * said: the sentences, in this order: what must be blocked, the idea, the count, what to do, what
///     not to do, a rule; the sentence of the verdict included they have at most some 90 words;
///   * brief: the idea as what comes after a colon, or null.
/// Without `best_play` only what needs no solver is found.
Value idea_of(const Explanation& explanation, const BestPlay& best_play);

/// The tier of an idea, which is "all" for what is forced; that of "mixed" for one that has none.
Tier tier_of(const Value& idea);

}  // namespace fourcast::reasons
