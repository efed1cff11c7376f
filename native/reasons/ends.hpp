// How the games end in which a claim is followed: by two threats at once, by threats on top of each
// other, or in zugzwang.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "proof.hpp"

namespace fourcast::reasons {

/// A position with the loser O to move, in which every disc of O's lets F complete a four.
struct End {
    enum class Kind {
        two,    // F threatens two squares at once
        stack,  // F threatens one, and completes a four on top of the block
        zug     // F threatens nothing, but O can only play below squares on which F completes a four
    } kind;
    u128 squares;      // where F completes a four: all of those, or the two that are stacked
    u128 mine;         // F's discs
    u128 empty;        // the squares that are left
    double share = 0;  // of the games against random replies, those that end so

    bool operator==(const End&) const = default;
};

/// Against which replies all games end alike. The fewer, the weaker the words.
enum class Tier {
    all = 1,       // all that do not lose at once: a full proof
    sensible = 2,  // nor, where that can be avoided, allow a forced win of two discs
    longest = 3,   // only those that hold out longest
    mostly = 4,    // of those, at least four games in five
    mixed = 5      // not even that: the ends are then of both kinds, against the longest defenses
};

struct Ends {
    Tier tier = Tier::mixed;
    bool is_zug = false;  // else by threats
    std::vector<End> ends{};
};

/// The best columns of the side to move (of a loser, those that hold out longest), and what it gets: 1
/// if it wins, 0 if it draws, -1 if it loses.
struct Best {
    ColumnSet columns;
    int outcome;
};
using BestPlay = std::function<Best(const Position&)>;

/// The end that a position is, with `player` as F; nothing if it is none.
std::optional<End> end_at(const Position& position, int player);

/// Plays a claim out, which wins, from the position that it is about. `best_play` may be empty; then the
/// tiers that need it are left out. Bounded by steps.
Ends play_ends(const Position& position, const Claim& claim, const BestPlay& best_play);

/// The squares on which the player of a claim that wins by a plan or local games completes a four in any
/// game that can follow. Bounded by steps: beyond those some may be missing.
u128 winning_squares(const Position& position, const Claim& claim);

}  // namespace fourcast::reasons
