#include "static_function.hpp"

namespace fourcast {

std::vector<unsigned char> StaticFunction::fill(const std::vector<Entry>& entries,
                                                const PrefixCode& code, u64 places, u64 seed) {
    // Every bit of every word is a demand on three bits of the array, whose xor it has to be. One that
    // has a bit to itself can be met last of all; such demands are taken away until none is left.
    const auto demand = [](u64 entry, int bit) { return entry * 64 + static_cast<u64>(bit); };
    const auto bits_of = [&](u64 number) {
        auto result = places_of(entries[number / 64].first, places / 3, seed);
        for (u64& place : result) place += number % 64;
        return result;
    };
    const u64 size = size_in_bytes(places);
    std::vector<std::uint32_t> uses(size * 8, 0);
    std::vector<u64> together(size * 8, 0);  // the xor of the demands on a bit
    u64 demands = 0;
    for (u64 entry = 0; entry < entries.size(); ++entry) {
        const auto begin = bits_of(demand(entry, 0));
        for (int bit = 0; bit < code.length(entries[entry].second); ++bit, ++demands) {
            for (const u64 place : begin) {
                ++uses[place + static_cast<u64>(bit)];
                together[place + static_cast<u64>(bit)] ^= demand(entry, bit);
            }
        }
    }
    std::vector<std::pair<u64, u64>> order;  // demands, and the bit that each has to itself
    order.reserve(demands);
    std::vector<u64> alone;
    for (u64 start = 0; start < uses.size(); ++start) {
        if (uses[start] == 1) alone.push_back(start);
        while (!alone.empty()) {
            const u64 bit = alone.back();
            alone.pop_back();
            if (uses[bit] != 1) continue;
            const u64 met = together[bit];
            order.emplace_back(met, bit);
            for (const u64 other : bits_of(met)) {
                --uses[other];
                together[other] ^= met;
                if (uses[other] == 1) alone.push_back(other);
            }
        }
    }
    if (order.size() != demands) return {};

    std::vector<unsigned char> bits(size, 0);
    const auto get = [&](u64 place) { return bits[place / 8] >> (place % 8) & 1U; };
    for (auto met = order.rbegin(); met != order.rend(); ++met) {
        const auto& [number, own] = *met;
        const u64 word = code.word(entries[number / 64].second);
        auto value = static_cast<unsigned>(word >> (number % 64) & 1);
        for (const u64 place : bits_of(number)) value ^= get(place);  // its own bit is still 0
        bits[own / 8] = static_cast<unsigned char>(bits[own / 8] | value << (own % 8));
    }
    return bits;
}

}  // namespace fourcast
