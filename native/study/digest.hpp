// SHA-256 (FIPS 180-4) of a short text: the names of puzzles begin with it.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace fourcast::study {

/// The eight words of the digest. The text has at most 55 bytes: one block.
std::array<std::uint32_t, 8> digest(std::string_view text);

}  // namespace fourcast::study
