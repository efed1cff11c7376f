// The transposition table: proven bounds of positions, found by an exact key.
//
// Exactness. A slot holds the whole key and not a hash of it, so a probe that matches is about that
// very position, or one proven equivalent to it (key.hpp); a collision can only lose an entry. Nor is a
// slot ever seen with one half of a position and one half of another, whichever threads read and write
// it: a narrow slot is read and written in one 16-byte access, and a wide one has a sequence number that
// tells readers when to look away. Neither is a lock, so a thread that is set aside, or is gone after a
// fork, keeps nobody waiting.
//
// One 16-byte access is atomic on x86-64 if it is aligned and the processor has AVX (both makers
// document it). Elsewhere `shareable()` is false and the engine lets its threads take turns. Thread
// sanitizers do not see these accesses.
#pragma once

#if !defined(__wasm__)
#include <sys/mman.h>
#endif

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <new>

#include "key.hpp"

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

/// A slot of 16 bytes: 56 bits of each key word, and 8 bits on top of each for a bound and half of
/// `work`.
class NarrowSlot {
  public:
    using Bits = u64;
    static constexpr int key_bits = 56;

    struct Content {
        u64 first;
        u64 second;

        static Content make(const Key<u64>& key, Bounds bounds, int work) {
            return {key.first | (pack(bounds.lower, work >> 2) << key_bits),
                    key.second | (pack(bounds.upper, work & 3) << key_bits)};
        }
        bool matches(const Key<u64>& key) const {
            return (((first ^ key.first) | (second ^ key.second)) & key_mask) == 0;
        }
        Bounds bounds() const { return {unpack(first), unpack(second)}; }
        /// How much was searched for it, from 0 to 15: what replacing it would cost.
        int work() const { return static_cast<int>((first >> 62 << 2) | (second >> 62)); }
    };

    Content load() const {
#if defined(__x86_64__)
        // Not an intrinsic: the compiler is free to turn that into two loads of 8 bytes.
        using Vector = long long __attribute__((vector_size(16)));
        Vector value;
        asm volatile(FOURCAST_MOVE_16_BYTES " %1, %0" : "=x"(value) : "m"(*this));
        return {static_cast<u64>(value[0]), static_cast<u64>(value[1])};
#else
        return content_;
#endif
    }
    void store(const Content& content) {
#if defined(__x86_64__)
        using Vector = long long __attribute__((vector_size(16)));
        const Vector value = {static_cast<long long>(content.first),
                              static_cast<long long>(content.second)};
        asm volatile(FOURCAST_MOVE_16_BYTES " %1, %0" : "=m"(*this) : "x"(value));
#else
        content_ = content;
#endif
    }
    static bool shareable() {
#if defined(__x86_64__)
        return __builtin_cpu_supports("avx");
#else
        return false;
#endif
    }

  private:
    static constexpr u64 key_mask = (u64{1} << key_bits) - 1;
    static constexpr int offset = 32;  // bounds of boards with up to 56 bits are within -24 .. 24
    static u64 pack(int bound, int work_half) {
        return static_cast<u64>(bound + offset) | (static_cast<u64>(work_half) << 6);
    }
    static int unpack(u64 word) { return static_cast<int>((word >> key_bits) & 63) - offset; }

    alignas(16) Content content_;
};

/// A slot for boards of up to 128 bits: a line of the processor's cache.
///
/// Its sequence number is odd while somebody writes. A reader that finds it odd, or changed after
/// reading, sees an empty slot instead; a writer that finds it odd does not write. So nobody ever waits,
/// and a slot whose writer is gone after a fork is lost to the child and nothing worse.
///
/// Why a reader never takes words of two writes for one: a word of a later write is stored with release
/// order after the odd number was, and read with acquire order, so the second look at the sequence
/// number finds that odd number or a later one.
class alignas(64) WideSlot {
  public:
    using Bits = u128;

    struct Content {
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
        const u64 before = __atomic_load_n(&sequence_, __ATOMIC_ACQUIRE);
        u64 words[word_count];
        for (int i = 0; i < word_count; ++i) words[i] = __atomic_load_n(&words_[i], __ATOMIC_ACQUIRE);
        const u64 after = __atomic_load_n(&sequence_, __ATOMIC_RELAXED);
        if (before != after || before % 2 != 0) return {};
        return {{join(words[0], words[1]), join(words[2], words[3])},
                {byte(words[4], 0), byte(words[4], 1)},
                byte(words[4], 2)};
    }
    void store(const Content& content) {
        u64 sequence = __atomic_load_n(&sequence_, __ATOMIC_RELAXED);
        if (sequence % 2 != 0 || !__atomic_compare_exchange_n(&sequence_, &sequence, sequence + 1, false,
                                                              __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
            return;
        const auto& [first, second] = content.key;
        const u64 words[word_count] = {static_cast<u64>(first), static_cast<u64>(first >> 64),
                                       static_cast<u64>(second), static_cast<u64>(second >> 64),
                                       at_byte(content.proven.lower, 0) |
                                           at_byte(content.proven.upper, 1) | at_byte(content.cost, 2)};
        for (int i = 0; i < word_count; ++i) __atomic_store_n(&words_[i], words[i], __ATOMIC_RELEASE);
        __atomic_store_n(&sequence_, sequence + 2, __ATOMIC_RELEASE);
    }
    static bool shareable() { return true; }

  private:
    static constexpr int word_count = 5;

    static u128 join(u64 low, u64 high) { return low | (static_cast<u128>(high) << 64); }
    static int byte(u64 word, int index) { return static_cast<signed char>(word >> (8 * index)); }
    static u64 at_byte(int value, int index) {
        return static_cast<u64>(static_cast<unsigned char>(value)) << (8 * index);
    }

    // Plain words, and not std::atomic: a table is zero pages of the system, no constructor runs.
    u64 sequence_;
    u64 words_[word_count];
};

#if defined(__wasm__)

/// Memory that is zero.
class Pages {
  public:
    /// Throws std::bad_alloc if there is no memory.
    explicit Pages(std::size_t bytes) : start_(std::aligned_alloc(64, (bytes + 63) / 64 * 64)) {
        if (start_ == nullptr) throw std::bad_alloc();
        std::memset(start_, 0, bytes);
    }
    ~Pages() { std::free(start_); }
    Pages(const Pages&) = delete;
    Pages& operator=(const Pages&) = delete;

    void* start() const { return start_; }

  private:
    void* start_;
};

#else

/// Zero pages of the system, which take no memory before they are written to.
class Pages {
  public:
    /// Throws std::bad_alloc if there is no memory.
    explicit Pages(std::size_t bytes)
        : bytes_(bytes),
          start_(mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)) {
        if (start_ == MAP_FAILED) throw std::bad_alloc();
#if defined(MADV_HUGEPAGE)
        // Fewer, larger pages: the table is read all over, and the processor remembers few pages.
        if (bytes >= huge_page) madvise(start_, bytes, MADV_HUGEPAGE);
#endif
    }
    ~Pages() { munmap(start_, bytes_); }
    Pages(const Pages&) = delete;
    Pages& operator=(const Pages&) = delete;

    void* start() const { return start_; }

  private:
    static constexpr std::size_t huge_page = std::size_t{1} << 21;

    std::size_t bytes_;
    void* start_;
};

#endif

/// Buckets of two slots: one for what took most work, one for what came last.
template <class Slot>
class Table {
  public:
    using Bits = typename Slot::Bits;

    /// At least `slots` slots, rounded up to a power of two.
    explicit Table(std::size_t slots)
        : log2_buckets_(static_cast<int>(std::bit_width(std::max<std::size_t>(slots, 4) / 2 - 1))),
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

    static u64 fold(u64 word) { return word; }
    static u64 fold(u128 word) {
        return static_cast<u64>(word) ^ (static_cast<u64>(word >> 64) * 0xD6E8FEB86659FD93U);
    }
    Bucket& bucket(const Key<Bits>& key) const {
        u64 hash = (fold(key.first) ^ std::rotl(fold(key.second) * 0x9E3779B97F4A7C15U, 32));
        hash *= 0xD1342543DE82EF95U;
        return buckets_[hash >> (64 - log2_buckets_)];
    }

    int log2_buckets_;
    Pages pages_;
    Bucket* buckets_;
};

}  // namespace FOURCAST_KERNEL
}  // namespace fourcast
