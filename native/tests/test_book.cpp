// What a book is made of: a code for scores, and a function that holds no keys.
#include <numeric>

#include "board/random.hpp"
#include "book/prefix_code.hpp"
#include "book/static_function.hpp"
#include "testing.hpp"

namespace fourcast {
namespace {

/// Counts of symbols as different as they come: 1, 1, 2, 3, 5, ... give the longest words.
PrefixCode::Counts fibonacci(std::size_t symbols) {
    PrefixCode::Counts counts{};
    for (std::size_t i = 0; i < symbols; ++i) counts[i] = i < 2 ? 1 : counts[i - 1] + counts[i - 2];
    return counts;
}

PrefixCode::Counts random_counts(Random& random) {
    PrefixCode::Counts counts{};
    const int used = 1 + random.below(PrefixCode::symbols);
    for (int i = 0; i < used; ++i)
        counts[static_cast<std::size_t>(random.below(PrefixCode::symbols))] =
            static_cast<u64>(1 + random.below(1 << random.below(20)));
    return counts;
}

TEST("a code gives every symbol back, whatever follows its word") {
    Random random(1, 0);
    for (int round = 0; round < 200; ++round) {
        const auto counts = random_counts(random);
        const auto lengths = PrefixCode::lengths_for(counts);
        CHECK(PrefixCode::is_complete(lengths));
        const PrefixCode code(lengths);
        for (int symbol = 0; symbol < PrefixCode::symbols; ++symbol) {
            CHECK_EQUAL(code.length(symbol) != 0, counts[static_cast<std::size_t>(symbol)] != 0);
            if (code.length(symbol) == 0) continue;
            const u64 noise = static_cast<u64>(random.below(1 << 30)) << code.length(symbol);
            CHECK_EQUAL(code.symbol(code.word(symbol)), symbol);
            CHECK_EQUAL(code.symbol(code.word(symbol) | noise), symbol);
        }
    }
}

TEST("a code is as short as its symbols allow") {
    const auto lengths = PrefixCode::lengths_for({8, 4, 2, 1, 1});
    CHECK((lengths == PrefixCode::Lengths{1, 2, 3, 4, 4}));
    CHECK((PrefixCode::lengths_for({0, 0, 7}) == PrefixCode::Lengths{0, 0, 1}));
    CHECK((PrefixCode::lengths_for({5, 5, 5, 5}) == PrefixCode::Lengths{2, 2, 2, 2}));
    const auto longest = PrefixCode::lengths_for(fibonacci(50));
    CHECK_EQUAL(int{longest[0]}, 49);
    CHECK(PrefixCode::is_complete(longest));
    CHECK_EQUAL(PrefixCode(longest).symbol(PrefixCode(longest).word(0)), 0);
}

TEST("lengths that make no code are told from those that do") {
    CHECK(!PrefixCode::is_complete({}));
    CHECK(!PrefixCode::is_complete({1, 1, 1}));
    CHECK(!PrefixCode::is_complete({1, 2}));
    CHECK(!PrefixCode::is_complete({2}));
    CHECK(!PrefixCode::is_complete({1, 57}));
    CHECK(!PrefixCode::is_complete({255}));
    CHECK(PrefixCode::is_complete({1}));
    CHECK(PrefixCode::is_complete({2, 1, 2}));
    PrefixCode::Lengths many;
    many.fill(1);
    CHECK(!PrefixCode::is_complete(many));
}

TEST("a function gives each of its keys the word it was made with") {
    Random random(2, 0);
    for (const u64 size : {0, 1, 2, 10, 100, 1000, 20000}) {
        std::vector<StaticFunction::Entry> entries;
        PrefixCode::Counts counts{1};
        for (u64 i = 0; i < size; ++i) {
            // Keys that differ in few bits, some of them high up.
            const u128 key = i % 2 == 0 ? u128{i} : u128{i} << 90;
            const int symbol = random.below(1 + random.below(100));
            entries.emplace_back(key, static_cast<unsigned char>(symbol));
            ++counts[static_cast<std::size_t>(symbol)];
        }
        const PrefixCode code(PrefixCode::lengths_for(counts));
        const u64 bits =
            std::accumulate(entries.begin(), entries.end(), u64{0}, [&](u64 sum, const auto& entry) {
                return sum + static_cast<u64>(code.length(entry.second));
            });
        const u64 places = StaticFunction::places_for(bits);
        u64 seed = 0;
        std::vector<unsigned char> filled;
        while (filled.empty()) filled = StaticFunction::fill(entries, code, places, ++seed);
        CHECK(seed < 100);
        CHECK_EQUAL(filled.size(), StaticFunction::size_in_bytes(places));
        CHECK(static_cast<double>(filled.size()) <= static_cast<double>(bits) * 1.23 / 8 + 16);
        const StaticFunction function(filled.data(), places, seed);
        for (const auto& [key, symbol] : entries) CHECK_EQUAL(code.symbol(function(key)), int{symbol});
    }
}

}  // namespace
}  // namespace fourcast
