// Checks certificates: the same as src/fourcast/certificate/alone.py, which describes the format, in a
// fiftieth of the time. Nothing of the searches that make certificates is used.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "board/position.hpp"
#include "system/errors.hpp"

namespace fourcast::certificate {

/// A certificate that is not a proof; the code says where it fails.
using CertificateError = NamedError<"CertificateError">;

/// What a certificate proves, and what it consists of.
struct Checked {
    int width = 0;
    int height = 0;
    int player = 1;  // that it is for
    bool win = true;
    std::vector<int> start;  // columns to where the proof begins
    std::size_t positions = 0;
    std::size_t inner = 0;
    std::size_t forced = 0;
    std::size_t local_games = 0;
    std::size_t by_level = 0;  // positions that a level diagram wins
    std::size_t diagrams = 0;  // different ones
    std::size_t states = 0;    // of local games, or positions that the diagrams meet
};

/// Throws CertificateError if it is not a proof.
Checked check(std::span<const unsigned char> data);

/// The move of a certificate in a game, and what it rests on.
struct Answer {
    int column = 0;
    /// `start`: the proof begins after it; `four`; `force`: a forced win; `move`: every reply is looked
    /// at; `local`: local games; `levels`: a level diagram; `block`: one, but a four has to be stopped;
    /// `safe`: the opponent cannot complete a four any more.
    std::string_view why{};
    std::vector<ColumnSet> groups{};  // of local games
    std::vector<u128> levels{};       // of a level diagram, see levels.hpp
    std::size_t winner = 0;           // the number of the one in which the player wins
    Checked header{};                 // whose move it is, and to what end
};
/// What a certificate plays in a position, without checking it again: nothing if it says nothing of it,
/// or is not for the player to move. Throws CertificateError if the file cannot be read.
std::optional<Answer> answer(std::span<const unsigned char> data, const Position& position);

/// A group of columns as a theorem needs it: its columns in the order in which they are gone through,
/// the sets of squares of which O must not get all, and its part in a free move: F makes it in a group
/// that takes it when O has filled one that passes.
struct ClaimedGroup {
    std::vector<int> columns;
    std::vector<u128> needs;
    bool wins = false;
    bool passes = false;
    bool takes = false;
};
using Claim = std::vector<ClaimedGroup>;  // those with a part in a free move first
/// A certificate with every answer written out, mirror images, too: the claims of its leaves, and F's
/// columns in the order of a walk that goes through replies from the left. A move is followed by 1 if it
/// leads to local games, then the answers in its groups come, else by 0: what a level diagram plays is
/// written out. Positions with a four at once, and what was there before, are left out.
struct Unfolded {
    Checked checked;
    std::vector<Claim> claims;
    std::vector<std::uint8_t> columns;
};
/// Throws CertificateError if it is not a proof of a win, or has more positions than these.
Unfolded unfold(std::span<const unsigned char> data, std::size_t most_positions);

}  // namespace fourcast::certificate
