// Sets of bits: integers of 64 and 128 bits, and the usual idioms by name.
#pragma once

#include <bit>
#include <cstdint>
#include <type_traits>

// The search is compiled more than once, for processors of different age, each time with all of its
// inline code in a namespace of its own: otherwise the linker would keep one copy of each function for
// all of them, and it might be one that an old processor cannot run.
#ifndef FOURCAST_KERNEL
#define FOURCAST_KERNEL portable
#endif

namespace fourcast {
inline namespace FOURCAST_KERNEL {

using u64 = std::uint64_t;
// Not ISO C++, but every 64-bit gcc and clang has it.
__extension__ using u128 = unsigned __int128;

constexpr int popcount(u64 bits) { return std::popcount(bits); }
constexpr int popcount(u128 bits) {
    return std::popcount(static_cast<u64>(bits)) + std::popcount(static_cast<u64>(bits >> 64));
}

/// The index of the lowest set bit; `bits` must not be zero.
constexpr int lowest_bit(std::uint32_t bits) { return std::countr_zero(bits); }
constexpr int lowest_bit(u64 bits) { return std::countr_zero(bits); }
constexpr int lowest_bit(u128 bits) {
    const auto low = static_cast<u64>(bits);
    return low != 0 ? std::countr_zero(low) : 64 + std::countr_zero(static_cast<u64>(bits >> 64));
}

// The usual idioms for sets of bits, by name.

/// The lowest bit alone; 0 if there is none.
template <class Set>
constexpr Set lowest(Set set) {
    return set & (~set + 1);
}

/// All bits but the lowest.
template <class Set>
constexpr Set without_lowest(Set set) {
    return set & (set - 1);
}

template <class Set>
constexpr bool more_than_one(Set set) {
    return without_lowest(set) != 0;
}

/// A set with a single element, given by its number; and whether a set has it.
template <class Set>
constexpr Set only(int element) {
    return Set{1} << element;
}
template <class Set>
constexpr bool contains(Set set, int element) {
    return (set >> element & 1) != 0;
}

/// The elements of a set, lowest first: `for (const int bit : each(set))`, by their numbers, or
/// `for (const Bits square : each_square(set))`, as sets of their own. The set is copied: the loop may
/// change the original.
template <class Set, class Element>
struct Elements {
    struct Iterator {
        Set rest;
        constexpr Element operator*() const {
            if constexpr (std::is_same_v<Element, Set>)
                return lowest(rest);
            else
                return lowest_bit(rest);
        }
        constexpr Iterator& operator++() {
            rest = without_lowest(rest);
            return *this;
        }
        friend constexpr bool operator==(const Iterator&, const Iterator&) = default;
    };
    Set set;
    constexpr Iterator begin() const { return {set}; }
    constexpr Iterator end() const { return {0}; }
};
template <class Set>
constexpr auto each(Set set) {
    return Elements<Set, int>{set};
}
template <class Set>
constexpr auto each_square(Set set) {
    return Elements<Set, Set>{set};
}

}  // namespace FOURCAST_KERNEL
}  // namespace fourcast
