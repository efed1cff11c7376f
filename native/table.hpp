// The transposition table: proven bounds of positions, found by an exact key.
//
// Exactness. A slot holds the whole key and not a hash of it, so a probe that matches is about that
// very position, or one proven equivalent to it (key.hpp); a collision can only lose an entry. Two
// threads can never make a slot out of halves of two positions either: a narrow slot is read and
// written in one 16-byte access, a wide one under its bucket's lock.
//
// One 16-byte access is atomic on x86-64 if it is aligned and the processor has AVX (both makers
// document it). Elsewhere `shareable()` is false and the solver lets its threads take turns.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>

#if defined(__linux__)
#include <sys/mman.h>
#endif

#include "shape.hpp"

#if defined(__AVX__)
#define FOURCAST_MOVE_16_BYTES "vmovdqa"
#else
#define FOURCAST_MOVE_16_BYTES "movdqa"
#endif

namespace fourcast {
inline namespace FOURCAST_KERNEL {

/// Two words that name a position; each leaves its top 8 bits free in the narrow case.
template <class Bits>
struct Key {
    Bits first;
    Bits second;
    friend constexpr bool operator==(const Key&, const Key&) = default;
};

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

/// A slot for boards of up to 128 bits.
class WideSlot {
  public:
    using Bits = u128;

    struct Content {
        Key<u128> key;
        signed char lower;
        signed char upper;
        signed char work_;

        static Content make(const Key<u128>& key, Bounds bounds, int work) {
            return {key, static_cast<signed char>(bounds.lower), static_cast<signed char>(bounds.upper),
                    static_cast<signed char>(work)};
        }
        bool matches(const Key<u128>& other) const { return key == other; }
        Bounds bounds() const { return {lower, upper}; }
        int work() const { return work_; }
    };

    Content load() const {
        const Guard guard(lock_);
        return content_;
    }
    void store(const Content& content) {
        const Guard guard(lock_);
        content_ = content;
    }
    static bool shareable() { return true; }

  private:
    class Guard {
      public:
        explicit Guard(std::atomic<bool>& lock) : lock_(lock) {
            while (lock_.exchange(true, std::memory_order_acquire)) {
            }
        }
        ~Guard() { lock_.store(false, std::memory_order_release); }
        Guard(const Guard&) = delete;
        Guard& operator=(const Guard&) = delete;

      private:
        std::atomic<bool>& lock_;
    };
    Content content_;
    mutable std::atomic<bool> lock_;
};

/// Buckets of two slots: one for what took most work, one for what came last.
template <class Slot>
class Table {
  public:
    using Bits = typename Slot::Bits;

    /// At least `slots` slots, rounded up to a power of two. The memory is zero pages of the system
    /// until it is used: a big table costs nothing before it holds something.
    explicit Table(std::size_t slots)
        : slots_wanted_(slots),
          log2_buckets_(static_cast<int>(std::bit_width(std::max<std::size_t>(slots, 4) / 2 - 1))),
          memory_(std::calloc((std::size_t{1} << log2_buckets_) + 1, sizeof(Bucket))) {
        if (memory_ == nullptr) throw std::bad_alloc();
        void* start = memory_.get();
        std::size_t space = ((std::size_t{1} << log2_buckets_) + 1) * sizeof(Bucket);
        buckets_ = static_cast<Bucket*>(
            std::align(alignof(Bucket), sizeof(Bucket) << log2_buckets_, start, space));
#if defined(__linux__)
        // Fewer, larger pages: the table is read all over, and the processor remembers few pages.
        const auto page = reinterpret_cast<std::uintptr_t>(buckets_) & ~std::uintptr_t{4095};
        if (bytes() >= huge_page) madvise(reinterpret_cast<void*>(page), bytes(), MADV_HUGEPAGE);
#endif
    }

    void clear() { *this = Table(slots_wanted_); }

    std::size_t bytes() const { return sizeof(Bucket) << log2_buckets_; }

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
    struct Free {
        void operator()(void* memory) const { std::free(memory); }
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

    static constexpr std::size_t huge_page = std::size_t{1} << 21;

    std::size_t slots_wanted_;
    int log2_buckets_;
    std::unique_ptr<void, Free> memory_;
    Bucket* buckets_;
};

}  // namespace FOURCAST_KERNEL
}  // namespace fourcast
