// A reviewed game told in a few sentences: who won, where the game turned, how it ended, and what to
// learn from it.
#pragma once

#include <vector>

#include "review.hpp"

namespace fourcast::study {

/// A move of a reviewed game, as a home hands it over.
struct ReviewedMove : JudgedMove {
    int number;
    int column;
    Position position;              // before it
    std::vector<int> best_columns;  // none if they are not known
    std::vector<int> keeping;       // the columns that keep the outcome; none if they are not known
    /// What the move overlooked or allowed, one sentence of reasons/; null if there is nothing to say.
    Value why;

    /// "missed_four" or "missed_block", whatever the score was; nullptr if it is neither.
    const char* oversight() const;
    /// Whether it missed a four or a block, or opened the square above it for a four of the opponent's.
    bool overlooks_four() const;
    /// Whether it changed the result, overlooked a four of either side, or was an inaccuracy that
    /// allowed a forced win: a review has a sentence for it.
    bool is_named() const;
};

struct ReviewedGame {
    int cells;
    std::vector<ReviewedMove> moves;
    ReviewSummary summary;
};

/// What a move did to the result, why, and which columns were better.
Value::Array said_turn(const ReviewedMove& move);

/// A move that is named in one sentence.
Value said_mistake(const ReviewedMove& move);

/// The story in paragraphs: who won, each of at most two turning points, the end and one lesson as far
/// as one holds.
Value::Array said_story(const ReviewedGame& game);

}  // namespace fourcast::study
