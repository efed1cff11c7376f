// Explanations in words: patterns of the message catalog with facts (solver/said.hpp), sentence by
// sentence. For every pattern the tests have a predicate that decides, from the position and the facts
// alone, whether the sentence is true.
#pragma once

#include "explain.hpp"
#include "move.hpp"
#include "system/value.hpp"

namespace fourcast::reasons {

/// Paragraphs, which are lists of sentences: the verdict, then the idea.
Value said(const Explanation& explanation);
/// The verdict, then what proves it: a paragraph for each claim.
Value said_proof(const Explanation& explanation);

/// Paragraphs about a move, and about what follows it.
Value said(const MoveExplanation& explanation);
/// What proves that, and what proves that another move was better.
Value said_proof(const MoveExplanation& explanation);

/// Sentences that say in brief what a move gave away, what follows it, and what was better.
Value said_in_brief(const MoveExplanation& explanation);

/// What happens in a column, and why. `proven` is what it is worth in the position before the move;
/// `reason` explains the position after it and is nullptr if the game is over there.
Value said_of_column(const Proven& proven, int column, const Explanation* reason);

/// The same of several columns: those that share a fate share a sentence. What the idea of the position
/// (null if there is none) says against a column is not said again, nor is the idea itself.
struct ColumnReason {
    Proven proven;
    int column;
    std::optional<Explanation> reason;
};
Value said_of_columns(const std::vector<ColumnReason>& columns, const Value& idea);

}  // namespace fourcast::reasons
