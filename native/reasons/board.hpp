// What the searches for reasons share: two sets of discs, a budget, and the lines that can still be
// completed.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "board/threats.hpp"
#include "system/hash.hpp"

namespace fourcast::reasons {

/// Two sets of discs, seen from one player.
template <class Bits>
struct Board {
    Bits mine;
    Bits theirs;

    Bits mask() const { return mine | theirs; }
};

inline std::size_t hash_of(u64 a, u64 b) { return mix(a + mix(b)); }
inline std::size_t hash_of(u128 a, u128 b) {
    return mix(static_cast<u64>(a) + mix(static_cast<u64>(a >> 64) +
                                         mix(static_cast<u64>(b) + mix(static_cast<u64>(b >> 64)))));
}
template <class Bits>
std::size_t hash_of(const std::pair<Bits, Bits>& pair) {
    return hash_of(pair.first, pair.second);
}
struct PairHash {
    std::size_t operator()(const auto& pair) const { return hash_of(pair); }
};

/// A number of steps that may be taken. Counted, not timed: the same question gets the same answer.
class Budget {
  public:
    /// Called now and then between steps; throws to end the search.
    using Pulse = std::function<void()>;

    explicit Budget(std::uint64_t steps, const Pulse* pulse = nullptr) : left_(steps), pulse_(pulse) {}

    /// Takes one step; false if none is left.
    bool spend() {
        if (left_ == 0) return false;
        --left_;
        if (pulse_ != nullptr && left_ % steps_between_pulses == 0) (*pulse_)();
        return true;
    }
    /// Takes as many steps as are left, at most these.
    void spend(std::uint64_t steps) { left_ -= std::min(steps, left_); }
    bool is_spent() const { return left_ == 0; }
    std::uint64_t left() const { return left_; }
    const Pulse* pulse() const { return pulse_; }

    static Budget unlimited(const Pulse* pulse = nullptr) { return Budget(~std::uint64_t{0}, pulse); }

  private:
    static constexpr std::uint64_t steps_between_pulses = 256;

    std::uint64_t left_;
    const Pulse* pulse_;
};

/// The empty squares of every line of four that holds no disc of `blockers`: what `owner` still needs
/// for it. Only inclusion-minimal sets: whatever stops one of them stops every superset.
template <class Shape>
std::vector<typename Shape::Bits> open_lines(const Shape& shape, typename Shape::Bits owner,
                                             typename Shape::Bits blockers) {
    using Bits = typename Shape::Bits;
    std::vector<Bits> found;
    for (const int step : directions(shape)) {
        const Bits room = shape.board() & ~blockers;
        for (const Bits start : each_square(fours_from(shape, room, step))) {
            const Bits four = start | (start << step) | (start << (2 * step)) | (start << (3 * step));
            found.push_back(four & ~owner);
        }
    }
    std::vector<Bits> minimal;
    for (const Bits line : found) {
        bool redundant = false;
        for (std::size_t i = 0; i < found.size() && !redundant; ++i) {
            const Bits other = found[i];
            redundant = (other & ~line) == 0 && other != line;
        }
        for (const Bits kept : minimal) redundant |= kept == line;
        if (!redundant) minimal.push_back(line);
    }
    return minimal;
}

}  // namespace fourcast::reasons
