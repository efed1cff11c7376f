// The layout of a book (book.hpp describes it), for what reads books and what writes them.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstring>
#include <optional>

#include "board/score.hpp"
#include "book.hpp"

namespace fourcast::book_format {

inline constexpr std::size_t version_at = 14;
inline constexpr std::size_t magic_bytes = 16;
inline constexpr std::size_t checksum_at = 16;
inline constexpr std::size_t places_at = 24;
inline constexpr std::size_t seed_at = 32;
inline constexpr std::size_t size_at = PackedWords::own_header_at;
inline constexpr std::size_t counts_at = 48;
inline constexpr int symbol_of_draw = PrefixCode::symbols / 2;

inline u64 load(const unsigned char* data) {
    u64 word;
    std::memcpy(&word, data, sizeof word);
    return word;
}
inline void store(unsigned char* data, u64 word) { std::memcpy(data, &word, sizeof word); }

/// Each step is one-to-one in the sum so far, so a single altered word always shows.
inline u64 checksum(const unsigned char* data, std::size_t bytes) {
    std::array<u64, 4> lanes{1, 2, 3, 4};
    std::size_t at = 0;
    const auto step = [](u64 sum, u64 word) {
        return std::rotl((sum ^ word) * 0x9E3779B97F4A7C15U, 29);
    };
    for (; at + 32 <= bytes; at += 32)
        for (std::size_t lane = 0; lane < 4; ++lane)
            lanes[lane] = step(lanes[lane], load(data + at + 8 * lane));
    for (; at < bytes; ++at) lanes[0] = step(lanes[0], data[at]);
    u64 sum = bytes;
    for (const u64 lane : lanes) sum = step(sum, lane);
    return sum;
}

/// The score of the side to move if it can win at once; such positions need not be in the file.
inline std::optional<int> score_at_once(const Position& position) {
    if (position.winning_columns(position.turn()) == 0) return std::nullopt;
    return win_at_once(position.cells(), position.ply());
}

/// The symbol of a score: the same for the same outcome, whoever is to move.
inline int symbol_of(int ply, int score) { return symbol_of_draw + (ply % 2 == 0 ? score : -score); }
inline int score_of(int ply, int symbol) {
    return ply % 2 == 0 ? symbol - symbol_of_draw : symbol_of_draw - symbol;
}

}  // namespace fourcast::book_format
