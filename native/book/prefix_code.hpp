// A prefix code for small numbers: what is frequent has a short word of bits, and no word begins
// another.
//
// It is Huffman's code in its canonical form: the words of a length are numbered in the order of the
// symbols, so that the lengths alone say what the code is.
#pragma once

#include <array>

#include "system/bits.hpp"

namespace fourcast {

class PrefixCode {
  public:
    static constexpr int symbols = 128;
    static constexpr int max_length = 56;

    /// How many bits each symbol has; 0 for those that do not occur.
    using Lengths = std::array<unsigned char, symbols>;
    using Counts = std::array<u64, symbols>;

    /// The lengths that make a text with these counts of symbols the shortest.
    static Lengths lengths_for(const Counts& counts);

    /// True if there is a code with these lengths, and no other one with some of them less.
    static bool is_complete(const Lengths& lengths);

    /// The code with these lengths, which must be complete.
    explicit PrefixCode(const Lengths& lengths);

    int length(int symbol) const { return lengths_[static_cast<std::size_t>(symbol)]; }
    /// The word of a symbol; its first bit is the lowest.
    u64 word(int symbol) const { return words_[static_cast<std::size_t>(symbol)]; }
    /// The symbol whose word `bits` begins with.
    int symbol(u64 bits) const {
        u64 number = 0;  // of the word among those of its length
        for (int length = 1; length <= longest_; ++length, bits >>= 1) {
            number = 2 * number + (bits & 1);
            const Rank& rank = ranks_[static_cast<std::size_t>(length)];
            if (number - rank.first < rank.count) return sorted_[rank.offset + number - rank.first];
        }
        return sorted_[0];  // a code of one symbol leaves the other bit without a meaning
    }

  private:
    /// The words of one length are first, first + 1, ...; their symbols are sorted_[offset], ...
    struct Rank {
        u64 first = 0;
        u64 count = 0;
        u64 offset = 0;
    };

    Lengths lengths_;
    int longest_ = 0;
    std::array<u64, symbols> words_{};
    std::array<unsigned char, symbols> sorted_{};
    std::array<Rank, max_length + 1> ranks_{};
};

}  // namespace fourcast
