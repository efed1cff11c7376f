// A function from keys to short words of bits that holds no keys.
//
// It is defined for the keys that it was made of, and for others it gives noise. Each key has three
// places in an array of bits, one in each third of it, found by hashing, and its word is the xor of what
// begins at the three. The bits were chosen such that this comes out (peeling, as in xor filters and in
// the compressed static functions of Genuzio and Vigna); that takes 1.23 bits for each bit of the words,
// however long the keys are.
#pragma once

#include <array>
#include <bit>
#include <cstring>
#include <utility>
#include <vector>

#include "prefix_code.hpp"
#include "system/bits.hpp"

namespace fourcast {

static_assert(std::endian::native == std::endian::little, "the bits are read as they lie in a file");

class StaticFunction {
  public:
    using Entry = std::pair<u128, unsigned char>;  // a key, and the symbol whose word it is to have

    /// The function whose bits lie there: `size_in_bytes(places)` of them.
    StaticFunction(const unsigned char* bits, u64 places, u64 seed)
        : bits_(bits), third_(places / 3), seed_(seed) {}

    /// What the word of `key` begins with; bits behind its end mean nothing.
    u64 operator()(u128 key) const {
        const auto [a, b, c] = places_of(key, third_, seed_);
        return from(a) ^ from(b) ^ from(c);
    }

    /// The places at which words may begin, for words of this number of bits in all. A multiple of
    /// three.
    static u64 places_for(u64 bits_in_all) { return 3 * ((bits_in_all * 123 / 100 + 32) / 3 + 1); }

    /// A word begins at a place and is read with the 8 bytes from its byte on.
    static u64 size_in_bytes(u64 places) { return places / 8 + 8; }

    /// The bits of the function that gives each key the word of its symbol. Nothing if it cannot be
    /// done with this seed.
    static std::vector<unsigned char> fill(const std::vector<Entry>& entries, const PrefixCode& code,
                                           u64 places, u64 seed);

  private:
    static u64 mix(u64 word) {
        word = (word ^ (word >> 32)) * 0xD6E8FEB86659FD93U;
        word = (word ^ (word >> 32)) * 0xD6E8FEB86659FD93U;
        return word ^ (word >> 32);
    }
    static std::array<u64, 3> places_of(u128 key, u64 third, u64 seed) {
        const u64 first = mix(static_cast<u64>(key) + seed);
        const u64 second = mix(first ^ static_cast<u64>(key >> 64));
        const u64 other = mix(second + 0x9E3779B97F4A7C15U);
        const auto scale = [third](u64 hash) { return static_cast<u64>((u128{hash} * third) >> 64); };
        return {scale(second), third + scale(other), 2 * third + scale(std::rotl(second, 32) ^ other)};
    }
    u64 from(u64 place) const {
        u64 word;
        std::memcpy(&word, bits_ + place / 8, sizeof word);
        return word >> (place % 8);
    }
    static_assert(PrefixCode::max_length <= 64 - 7, "a word must be read at once, wherever it begins");

    const unsigned char* bits_;
    u64 third_;
    u64 seed_;
};

}  // namespace fourcast
