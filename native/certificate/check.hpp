// Checks certificates: the same as src/fourcast/certificate/alone.py, which describes the format, in a
// hundredth of the time. Nothing is shared with the searches that make certificates but the rules.
#pragma once

#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "board/position.hpp"

namespace fourcast::certificate {

/// A certificate that is not a proof; the message says where it fails.
struct CertificateError : std::invalid_argument {
    using std::invalid_argument::invalid_argument;
};

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
    std::size_t plans = 0;
    std::size_t local_games = 0;
    std::size_t states = 0;  // of local games
};

/// Throws CertificateError if it is not a proof.
Checked check(std::span<const unsigned char> data);

/// What the certificate answers to a line of replies.
struct Followed {
    std::vector<int> columns;  // all that were played from where the proof begins
    bool is_over = false;
    std::string why;  // of the last move: four, force, move, plan, local, safe; empty at the end
    std::vector<ColumnSet> groups;  // of local games
};
/// Plays a certificate against these replies, without checking it again. Throws CertificateError if a
/// reply is not possible, or if there is no answer because it is not a proof.
Followed follow(std::span<const unsigned char> data, const std::vector<int>& replies);

/// A certificate as a plain strategy: the player's columns in every position that can arise, mirror
/// images written out. The order is that of a walk which takes the newest position first, with replies
/// from the right to the left; positions with a four at once are left out.
struct Unfolded {
    Checked checked;
    std::vector<std::uint8_t> columns;
};
/// Throws CertificateError if it is not a proof of a win, or has more positions than these.
Unfolded unfold(std::span<const unsigned char> data, std::size_t most_positions);

}  // namespace fourcast::certificate
