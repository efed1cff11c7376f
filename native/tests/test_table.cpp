// The table is shared by threads without a lock: what one reads is what another one wrote.
#include "search/table.hpp"

#include <array>
#include <atomic>

#include "system/parallel.hpp"
#include "testing.hpp"

namespace fourcast {
namespace {

/// Four threads write entries to one slot and read them, as fast as they can. Each that is read must be
/// one that was written, with its own bounds.
template <class Slot>
void check_that_no_entry_is_torn() {
    using Content = typename Slot::Content;
    using SlotKey = Key<typename Slot::Bits>;
    constexpr u64 rounds = 200'000;
    std::array<SlotKey, 16> keys{};
    std::array<Content, 16> entries{};
    for (std::size_t i = 0; i < keys.size(); ++i) {
        const u64 word = (i + 1) * 0x9E3779B97F4A7CU & 0xFFFFFFFFFFFFFFU;  // 56 bits
        keys[i] = {word, word ^ 0xFFFFFFFFFFFFFFU};
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
    check_that_no_entry_is_torn<NarrowSlot>();
    check_that_no_entry_is_torn<WideSlot>();
}

}  // namespace
}  // namespace fourcast
