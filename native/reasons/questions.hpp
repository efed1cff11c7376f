// What Python and the page ask about reasons; study/ask.hpp is the door.
#pragma once

#include <span>

#include "solver/question.hpp"

namespace fourcast::reasons {

/// Positions are those of board/position_value.hpp, limits, claims and explanations as docs/explain.md
/// has them:
///   * explain {position, quick, limit} -> an explanation;
///   * explain move {position, column, quick, limit, reason_limit} -> the explanation of a move;
///   * describe explanation {position, explanation} -> {"said": paragraphs, "proof": paragraphs,
///     "marks": [...]}, the marks of each claim with their legend;
///   * describe move {position, move} -> the same with "brief", and with "reason" and "better", each
///     described as an explanation or null;
///   * describe columns {position, columns: [{column, lower, upper, reason}]} -> sentences: columns that
///     share a fate share one;
///   * legend {marks} -> [{"kind", "said"}];
///   * follow {position, claims, player, replies} -> how the player of a claim, the first one if
///     "player" is null, answers the replies;
///   * check claim {position, claim} -> {"positions": how many prove it};
///   * clause count {position, claim} -> rules that a reader has to remember;
///   * forced win {position, discs} -> the column that begins it, or null;
///   * move tactics {position, column} -> {"tactics", "merit"}: what is to be said of a move at first
///     sight, each a sentence or null (tactics.hpp).
std::span<const study::Question> questions();

}  // namespace fourcast::reasons
