// What a reader has to remember of a proof: pairs, columns that are filled in turn, and other answers.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "played_out.hpp"
#include "proof.hpp"

namespace fourcast::reasons {

/// Discs of O that are answered alike: on squares of one column, or with the first of a list that can be
/// played.
struct AnswerRule {
    std::vector<u128> discs;
    std::vector<u128> squares;

    bool operator==(const AnswerRule&) const = default;
};

/// The rules besides "on top".
struct Rules {
    std::vector<std::pair<u128, u128>> pairs;  // squares of which one is the answer to the other
    std::vector<std::pair<int, int>> filled;   // columns: one is played when O has filled the other
    std::vector<AnswerRule> others;
    /// The rules hold only where there is no four to complete or to block.
    bool fours_first = true;

    std::size_t count() const { return pairs.size() + filled.size() + others.size(); }
};

/// To each disc the squares of which the first that can be played is the answer.
using AnswerTable = InOrder<u128, std::vector<u128>>;

Rules rules_of(const AnswerTable& table, int height, bool fours_first);
Rules rules_of(const AnswerPlan<u128>& plan, int height);

/// The rules of the answers in a group, as few as possible; nothing if they follow none. Either they
/// hold for every disc, or only where there is no four to complete or to block.
std::optional<Rules> rules_of(const Games& group_games, int height);

/// How many rules a reader has to remember besides "on top"; 1 for a forcing line. `position` is the one
/// that the claim is about.
///
/// A pair is one rule, and so are all discs that are answered in the same column. Two columns of which
/// one is played when the other is full are one rule, too. In a group whose answers depend on other
/// discs, every answer to a disc that is not on top is one. Case by case, every answer is one.
std::size_t clause_count(const Claim& claim, const Position& position);

/// The answers that a proof case by case lists, with those of the proofs at its ends.
std::size_t answer_count(const CaseProof<u128>& proof);

/// Where a proof begins.
struct ProofStart {
    Position position;
    std::vector<int> columns;  // from the position that the claim is about
};
/// After the claim's first moves, or earlier if two threats leave nothing to prove.
ProofStart proof_start(const Claim& claim, const Position& position);

}  // namespace fourcast::reasons
