// The table is exact, and shared by threads without a lock: what one reads is what another one wrote.
#include "search/table.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <random>
#include <vector>

#include "search/endgame.hpp"
#include "system/parallel.hpp"
#include "testing.hpp"

namespace fourcast {
namespace {

/// Four threads write entries to one slot and read them, as fast as they can. Each that is read must be
/// one that was written, with its own bounds.
template <class Slot>
void check_that_no_entry_is_torn(int key_bits) {
    using Content = typename Slot::Content;
    using SlotKey = Key<typename Slot::Bits>;
    constexpr u64 rounds = 200'000;
    std::array<SlotKey, 16> keys{};
    std::array<Content, 16> entries{};
    for (std::size_t i = 0; i < keys.size(); ++i) {
        const u64 all = ~u64{0} >> (64 - key_bits);
        const u64 word = (i + 1) * 0x9E3779B97F4A7C15U & all;
        keys[i] = {word, word ^ all};
        const int bound = static_cast<int>(i) + 1;
        entries[i] = Content::make(keys[i], {-bound, bound}, static_cast<int>(i));
    }
    const auto is_whole = [&](const Content& found) {
        for (std::size_t i = 0; i < keys.size(); ++i) {
            if (!found.matches(keys[i])) continue;
            const int bound = static_cast<int>(i) + 1;
            const Bounds bounds = found.bounds();
            return bounds.lower == -bound && bounds.upper == bound &&
                   found.work() == static_cast<int>(i);
        }
        return found.matches({});  // it was empty, or being written
    };
    static Slot slot;
    std::atomic<u64> torn{0};
    std::atomic<u64> found_entries{0};
    std::atomic<bool> stop{false};
    const auto work = [&](int index) {
        u64 own_torn = 0;
        u64 own_found = 0;
        for (u64 i = static_cast<u64>(index); i < rounds; ++i) {
            slot.store(entries[i * 7 % entries.size()]);
            const Content found = slot.load();
            own_torn += !is_whole(found);
            own_found += !found.matches({});
        }
        torn += own_torn;
        found_entries += own_found;
    };
    run_in_parallel(4, work, stop);
    CHECK_EQUAL(torn.load(), u64{0});
    CHECK(found_entries > 0);
}

TEST("Of a slot of the table that several threads write to, no thread reads half an entry") {
    check_that_no_entry_is_torn<NarrowSlot>(56);
    check_that_no_entry_is_torn<WordSlot>(64);
    check_that_no_entry_is_torn<WideSlot>(64);
}

/// The key with this hash and this second word: `table_hash` backwards.
Key<u64> key_with_hash(u64 hash, u64 second) {
    const auto inverse = [](u64 odd) {  // of a product, by Newton's method: each step doubles the bits
        u64 result = odd;
        for (int i = 0; i < 5; ++i) result *= 2 - odd * result;
        return result;
    };
    const u64 factor = table_hash(Key<u64>{1, 0});
    const Key<u64> key{(hash * inverse(factor)) ^ (table_hash(Key<u64>{0, second}) * inverse(factor)),
                       second};
    CHECK_EQUAL(table_hash(key), hash);
    return key;
}

/// Keys that are hardest to tell from `key`: all whose hash, or whose second word, differs in one bit,
/// and some with the same bits after the first ones of the hash.
std::vector<Key<u64>> near_keys(const Key<u64>& key, std::mt19937_64& random) {
    const u64 hash = table_hash(key);
    std::vector<Key<u64>> result;
    for (int bit = 0; bit < 64; ++bit) {
        const u64 flip = u64{1} << bit;
        result.push_back(key_with_hash(hash ^ flip, key.second));
        result.push_back(key_with_hash(hash, key.second ^ flip));
        result.push_back({key.first ^ flip, key.second});
        result.push_back({key.first, key.second ^ flip});
        const u64 first_bits = random() << 48;
        if (first_bits != 0) result.push_back(key_with_hash(hash ^ first_bits, key.second));
    }
    return result;
}

TEST("No key of 64 bits is taken for another one, however small the table") {
    std::mt19937_64 random(1);
    for (int i = 0; i < 200; ++i) {
        const Key<u64> key{random(), random()};
        const Bounds stored{static_cast<int>(random() % 30) - 30, static_cast<int>(random() % 31)};
        const int work = static_cast<int>(random() % 16);
        const auto content = WordSlot::Content::make(key, stored, work);
        CHECK_EQUAL(content.work(), work);
        Table<WordSlot> table(1);
        table.store(key, stored, random());
        OwnTable<WordContent<14>, 14> own(false);
        own.store(key, WordContent<14>::make(key, stored, 0));
        const auto check = [&](const Bounds& found) {
            CHECK_EQUAL(found.lower, stored.lower);
            CHECK_EQUAL(found.upper, stored.upper);
        };
        Bounds found{-99, 99};
        CHECK(table.probe(key, found));
        check(found);
        CHECK(own.slot(key).matches(key));
        check(own.slot(key).bounds());
        for (const Key<u64>& other : near_keys(key, random)) {
            Bounds nothing{-99, 99};
            CHECK(!table.probe(other, nothing));
            CHECK(!own.slot(other).matches(other));
        }
    }
}

TEST("No key of 64 bits is taken for another one near the end") {
    std::mt19937_64 random(2);
    for (int i = 0; i < 1000; ++i) {
        const u64 key = random();
        const Bounds stored{static_cast<int>(random() % 9) - 8, static_cast<int>(random() % 8)};
        OwnTable<EndSlot, 13> table(false);
        table.store(key, EndSlot::make(key, stored));
        CHECK(table.slot(key).matches(key));
        CHECK_EQUAL(table.slot(key).bounds().lower, stored.lower);
        CHECK_EQUAL(table.slot(key).bounds().upper, stored.upper);
        for (int bit = 0; bit < 64; ++bit) {
            const u64 flip = u64{1} << bit;
            CHECK(!table.slot(key ^ flip).matches(key ^ flip));
            // `table_hash` is a product: adding to the key adds to the hash.
            const u64 other = key + (flip * random() | flip);
            CHECK(!table.slot(other).matches(other));
        }
        // The same bits of the hash but for the first ones, which the slot does not hold.
        const u64 same_rest = key + (random() << 56);
        CHECK(same_rest == key || !table.slot(same_rest).matches(same_rest));
    }
}

TEST("A table that grows still has half of what it held, and tells all keys apart") {
    std::mt19937_64 random(3);
    constexpr u64 no_key = ~u64{0} >> 8;  // keys have 56 bits
    std::vector<u64> keys;
    OwnTable<EndSlot, 13> table(true);
    const auto bounds_of = [](u64 key) { return Bounds{-static_cast<int>(key % 9), 7}; };
    const auto count_found = [&] {
        return std::ranges::count_if(keys, [&](u64 key) { return table.slot(key).matches(key); });
    };
    // 512 slots may be full after as many keys; the next key is the first of the larger table.
    for (int i = 0; i < 512; ++i) {
        const auto before = count_found();
        const u64 key = keys.emplace_back(random() % no_key);
        table.store(key, EndSlot::make(key, bounds_of(key)));
        if (i < 511) {
            CHECK(table.slot(key).matches(key));
        } else {
            CHECK(before > 300);  // of 512 random places in 512 slots, 63% are taken
            CHECK(count_found() > before / 3 && count_found() < before * 2 / 3);
        }
    }
    int times_lost = 0;
    for (int i = 0; i < 20'000; ++i) {
        const u64 key = random() % no_key;
        table.store(key, EndSlot::make(key, bounds_of(key)));
        if (table.slot(key).matches(key))
            CHECK_EQUAL(table.slot(key).bounds().lower, bounds_of(key).lower);
        else
            ++times_lost;
        CHECK(!table.slot(key + 1).matches(key + 1));
    }
    CHECK(times_lost <= 3);  // it doubles three more times
}

}  // namespace
}  // namespace fourcast
