#include "digest.hpp"

#include <bit>
#include <cmath>

#include "system/errors.hpp"

namespace fourcast::study {
namespace {

constexpr std::size_t rounds = 64;
constexpr std::size_t block_words = 16;
constexpr std::size_t longest = 55;  // with a bit behind the text, and its length in the last two words

/// The first 32 bits of the fractional part.
std::uint32_t fraction(double value) {
    return static_cast<std::uint32_t>((value - std::floor(value)) * 4294967296.0);
}

/// The constants: of the square roots of the first primes, and of their cube roots.
struct Constants {
    std::array<std::uint32_t, 8> start{};
    std::array<std::uint32_t, rounds> keys{};

    Constants() {
        std::size_t count = 0;
        for (int candidate = 2; count < rounds; ++candidate) {
            bool is_prime = true;
            for (int divisor = 2; divisor * divisor <= candidate; ++divisor)
                is_prime &= candidate % divisor != 0;
            if (!is_prime) continue;
            if (count < start.size()) start[count] = fraction(std::sqrt(candidate));
            keys[count++] = fraction(std::cbrt(candidate));
        }
    }
};

}  // namespace

std::array<std::uint32_t, 8> digest(std::string_view text) {
    static const Constants constants;
    if (text.size() > longest)
        throw OptionError("error.cannot_be", {{"what", "the text of a digest"}, {"given", text}});
    std::array<std::uint32_t, rounds> words{};
    const auto put = [&](std::size_t at, unsigned char byte) {
        words[at / 4] |= std::uint32_t{byte} << (24 - 8 * (at % 4));
    };
    for (std::size_t i = 0; i < text.size(); ++i) put(i, static_cast<unsigned char>(text[i]));
    put(text.size(), 0x80);
    words[block_words - 1] = static_cast<std::uint32_t>(8 * text.size());
    for (std::size_t i = block_words; i < rounds; ++i) {
        const std::uint32_t early = words[i - 15], late = words[i - 2];
        words[i] = words[i - 16] + (std::rotr(early, 7) ^ std::rotr(early, 18) ^ early >> 3) +
                   words[i - 7] + (std::rotr(late, 17) ^ std::rotr(late, 19) ^ late >> 10);
    }
    auto [a, b, c, d, e, f, g, h] = constants.start;
    for (std::size_t i = 0; i < rounds; ++i) {
        const std::uint32_t one = h + (std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25)) +
                                  ((e & f) ^ (~e & g)) + constants.keys[i] + words[i];
        const std::uint32_t two =
            (std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
        h = g;
        g = f;
        f = e;
        e = d + one;
        d = c;
        c = b;
        b = a;
        a = one + two;
    }
    std::array result{a, b, c, d, e, f, g, h};
    for (std::size_t i = 0; i < result.size(); ++i) result[i] += constants.start[i];
    return result;
}

}  // namespace fourcast::study
