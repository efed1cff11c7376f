// The transposition table: proven bounds of positions, found by an exact key.
//
// Exactness. A slot holds the whole key, or all of it that its place does not say, so a probe that
// matches is about that very position, or one proven equivalent to it (key.hpp); a collision can only
// lose an entry. Nor is a slot ever seen with one half of a position and one half of another, whichever
// threads read and write it: it is read and written in one 16-byte access, or has a sequence number that
// tells readers when to look away. Neither is a lock, so a thread that is set aside, or is gone after a
// fork, keeps nobody waiting.
//
// One 16-byte access is atomic on x86-64 if it is aligned and the processor has AVX (both makers
// document it). Slots of that size use it there, and sequence numbers elsewhere. Thread sanitizers do
// not see these accesses.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "key.hpp"
#include "system/pages.hpp"
#include "system/processor.hpp"

#if defined(__AVX__)
#define FOURCAST_MOVE_16_BYTES "vmovdqa"
#else
#define FOURCAST_MOVE_16_BYTES "movdqa"
#endif

namespace fourcast {
inline namespace FOURCAST_KERNEL {

/// Proven: lower <= score <= upper.
struct Bounds {
    int lower;
    int upper;
};

/// The sequence number of some words in memory that several threads read and write.
///
/// It is odd while somebody writes. A reader that finds it odd, or changed after reading, has read
/// nothing; a writer that finds it odd does not write. So nobody ever waits, and words whose writer is
/// gone after a fork are lost to the child and nothing worse.
///
/// Why a reader never takes words of two writes for one: a word of a later write is stored with release
/// order after the odd number was, and read with acquire order, so the second look at the number finds
/// that odd number or a later one.
class Sequence {
  public:
    /// False if somebody writes meanwhile.
    template <std::size_t count>
    bool read(const u64* memory, u64 (&words)[count]) const {
        const u64 before = __atomic_load_n(&number_, __ATOMIC_ACQUIRE);
        for (std::size_t i = 0; i < count; ++i) words[i] = __atomic_load_n(memory + i, __ATOMIC_ACQUIRE);
        const u64 after = __atomic_load_n(&number_, __ATOMIC_RELAXED);
        return before == after && before % 2 == 0;
    }
    /// Does nothing if somebody else writes.
    template <std::size_t count>
    void write(u64* memory, const u64 (&words)[count]) {
        u64 number = __atomic_load_n(&number_, __ATOMIC_RELAXED);
        if (number % 2 != 0 || !__atomic_compare_exchange_n(&number_, &number, number + 1, false,
                                                            __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
            return;
        for (std::size_t i = 0; i < count; ++i) __atomic_store_n(memory + i, words[i], __ATOMIC_RELEASE);
        __atomic_store_n(&number_, number + 2, __ATOMIC_RELEASE);
    }

  private:
    // A plain word, and not std::atomic: a table is zero pages of the system, no constructor runs.
    u64 number_;
};

/// Where a key is looked for. For each second word this is a bijection of the first one: it is turned
/// into another number by an exclusive or, and multiplied by an odd one.
inline u64 table_hash(const Key<u64>& key) {
    return (key.first ^ std::rotl(key.second * 0x9E3779B97F4A7C15U, 32)) * 0xD1342543DE82EF95U;
}
inline u64 table_hash(const Key<u128>& key) {
    const auto fold = [](u128 word) {
        return static_cast<u64>(word) ^ (static_cast<u64>(word >> 64) * 0xD6E8FEB86659FD93U);
    };
    return table_hash(Key<u64>{fold(key.first), fold(key.second)});
}

/// What a slot of 16 bytes holds of a position on a board of up to 56 bits: 56 bits of each key word,
/// and 8 bits on top of each for a bound and half of `work`.
struct NarrowContent {
    static constexpr int key_bits = 56;
    static constexpr int least_index_bits = 0;

    u64 first;
    u64 second;

    static NarrowContent make(const Key<u64>& key, Bounds bounds, int work) {
        return {key.first | (pack(bounds.lower, work >> 2) << key_bits),
                key.second | (pack(bounds.upper, work & 3) << key_bits)};
    }
    bool matches(const Key<u64>& key) const {
        return (((first ^ key.first) | (second ^ key.second)) & key_mask) == 0;
    }
    Bounds bounds() const { return {unpack(first), unpack(second)}; }
    /// How much was searched for it, from 0 to 15: what replacing it would cost.
    int work() const { return static_cast<int>((first >> 62 << 2) | (second >> 62)); }

  private:
    static constexpr u64 key_mask = (u64{1} << key_bits) - 1;
    static constexpr int offset = 32;  // bounds of boards with up to 56 bits are within -24 .. 24
    static u64 pack(int bound, int work_half) {
        return static_cast<u64>(bound + offset) | (static_cast<u64>(work_half) << 6);
    }
    static int unpack(u64 word) { return static_cast<int>((word >> key_bits) & 63) - offset; }
};

/// The same for boards of up to 64 bits, whose keys would leave no room for anything else. So the place
/// of the slot in its table says some of the key: the first `index_bits` bits of its hash. The slot has
/// the other bits of the hash and the second word, from which the first word follows (`table_hash`); so
/// this is no less exact.
template <int index_bits>
struct WordContent {
    static constexpr int least_index_bits = index_bits;

    u64 first;
    u64 second;

    static WordContent make(const Key<u64>& key, Bounds bounds, int work) {
        return {(table_hash(key) & hash_mask) | (pack(bounds.lower) << shift) |
                    (pack(bounds.upper) << (shift + 6)) | (static_cast<u64>(work) << (shift + 12)),
                key.second};
    }
    bool matches(const Key<u64>& key) const {
        return (((first ^ table_hash(key)) & hash_mask) | (second ^ key.second)) == 0;
    }
    Bounds bounds() const { return {unpack(first >> shift), unpack(first >> (shift + 6))}; }
    int work() const { return static_cast<int>(first >> (shift + 12)); }

  private:
    static constexpr int shift = 64 - index_bits;
    static constexpr u64 hash_mask = (u64{1} << shift) - 1;
    static constexpr int offset = 32;  // bounds of boards with up to 64 bits are within -30 .. 30
    static u64 pack(int bound) { return static_cast<u64>(bound + offset); }
    static int unpack(u64 word) { return static_cast<int>(word & 63) - offset; }
};

/// A slot of 16 bytes.
template <class ContentType>
class SmallSlot {
  public:
    using Bits = u64;
    using Content = ContentType;

    Content load() const {
#if defined(__wasm__)
        return {words_[0], words_[1]};
#else
#if defined(__x86_64__)
        if (has_whole_access()) {
            // Not an intrinsic: the compiler is free to turn that into two loads of 8 bytes.
            using Vector = long long __attribute__((vector_size(16)));
            Vector value;
            asm volatile(FOURCAST_MOVE_16_BYTES " %1, %0" : "=x"(value) : "m"(*this));
            return {static_cast<u64>(value[0]), static_cast<u64>(value[1])};
        }
#endif
        u64 words[2];
        if (!sequence().read(words_, words)) return {};
        return {words[0], words[1]};
#endif
    }
    void store(const Content& content) {
#if defined(__wasm__)
        words_[0] = content.first;
        words_[1] = content.second;
#else
#if defined(__x86_64__)
        if (has_whole_access()) {
            using Vector = long long __attribute__((vector_size(16)));
            const Vector value = {static_cast<long long>(content.first),
                                  static_cast<long long>(content.second)};
            asm volatile(FOURCAST_MOVE_16_BYTES " %1, %0" : "=m"(*this) : "x"(value));
            return;
        }
#endif
        const u64 words[] = {content.first, content.second};
        sequence().write(words_, words);
#endif
    }

  private:
#if defined(__x86_64__)
    /// Whether a 16-byte access is atomic: known to the compiler in kernels for processors with AVX.
    static bool has_whole_access() {
#if defined(__AVX__)
        return true;
#else
        return processor.avx;
#endif
    }
#endif
    /// There is no room in the slot, so some slots share a number: too few to get in each other's way.
    /// One that a fork has left odd takes that part of the table from the child, a thousandth.
    Sequence& sequence() const { return sequences_[reinterpret_cast<std::uintptr_t>(this) / 32 % 1024]; }
    static inline Sequence sequences_[1024];

    alignas(16) u64 words_[2];
};

using NarrowSlot = SmallSlot<NarrowContent>;
using WordSlot = SmallSlot<WordContent<16>>;

/// A slot for boards of up to 128 bits: a line of the processor's cache.
class alignas(64) WideSlot {
  public:
    using Bits = u128;

    struct Content {
        static constexpr int least_index_bits = 0;

        Key<u128> key;
        Bounds proven;
        int cost;

        static Content make(const Key<u128>& key, Bounds bounds, int work) {
            return {key, bounds, work};
        }
        bool matches(const Key<u128>& other) const { return key == other; }
        Bounds bounds() const { return proven; }
        int work() const { return cost; }
    };

    Content load() const {
        u64 words[word_count];
        if (!sequence_.read(words_, words)) return {};
        return {{join(words[0], words[1]), join(words[2], words[3])},
                {byte(words[4], 0), byte(words[4], 1)},
                byte(words[4], 2)};
    }
    void store(const Content& content) {
        const auto& [first, second] = content.key;
        const u64 words[word_count] = {static_cast<u64>(first), static_cast<u64>(first >> 64),
                                       static_cast<u64>(second), static_cast<u64>(second >> 64),
                                       at_byte(content.proven.lower, 0) |
                                           at_byte(content.proven.upper, 1) | at_byte(content.cost, 2)};
        sequence_.write(words_, words);
    }

  private:
    static constexpr int word_count = 5;

    static u128 join(u64 low, u64 high) { return low | (static_cast<u128>(high) << 64); }
    static int byte(u64 word, int index) { return static_cast<signed char>(word >> (8 * index)); }
    static u64 at_byte(int value, int index) {
        return static_cast<u64>(static_cast<unsigned char>(value)) << (8 * index);
    }

    Sequence sequence_;
    u64 words_[word_count];
};

/// Buckets of two slots: one for what took most work, one for what came last.
template <class Slot>
class Table {
  public:
    using Bits = typename Slot::Bits;

    /// At least `slots` slots, rounded up to a power of two; more if the place of a slot has to say
    /// more.
    explicit Table(std::size_t slots)
        : log2_buckets_(
              std::max(static_cast<int>(std::bit_width(std::max<std::size_t>(slots, 4) / 2 - 1)),
                       Slot::Content::least_index_bits)),
          pages_(sizeof(Bucket) << log2_buckets_),
          buckets_(static_cast<Bucket*>(pages_.start())) {}

    void prefetch(const Key<Bits>& key) const { __builtin_prefetch(&bucket(key)); }

    /// Narrow `bounds` by what is known of the position. True if anything was.
    bool probe(const Key<Bits>& key, Bounds& bounds) const {
        for (const Slot& slot : bucket(key).slots) {
            const auto content = slot.load();
            if (!content.matches(key)) continue;
            const Bounds known = content.bounds();
            bounds.lower = std::max(bounds.lower, known.lower);
            bounds.upper = std::min(bounds.upper, known.upper);
            return true;
        }
        return false;
    }

    void store(const Key<Bits>& key, Bounds bounds, u64 nodes) {
        const int work = std::min(15, static_cast<int>(std::bit_width(nodes)) * 2 / 3);
        const auto content = Slot::Content::make(key, bounds, work);
        auto& slots = bucket(key).slots;
        const auto costly = slots[0].load();
        const bool keep_costly = !costly.matches(key) && costly.work() > work;
        slots[keep_costly ? 1 : 0].store(content);
    }

  private:
    struct alignas(2 * sizeof(Slot) <= 64 ? std::bit_ceil(2 * sizeof(Slot)) : 64) Bucket {
        Slot slots[2];
    };

    Bucket& bucket(const Key<Bits>& key) const {
        return buckets_[table_hash(key) >> (64 - log2_buckets_)];
    }

    int log2_buckets_;
    Pages pages_;
    Bucket* buckets_;
};

}  // namespace FOURCAST_KERNEL
}  // namespace fourcast
