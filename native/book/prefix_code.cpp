#include "prefix_code.hpp"

#include <algorithm>
#include <queue>
#include <tuple>
#include <vector>

namespace fourcast {

PrefixCode::Lengths PrefixCode::lengths_for(const Counts& counts) {
    // Trees of symbols, the rarest first; the number settles ties, so that there is only one outcome.
    using Tree = std::tuple<u64, int, std::vector<int>>;
    std::priority_queue<Tree, std::vector<Tree>, std::greater<>> trees;
    for (int symbol = 0; symbol < symbols; ++symbol)
        if (const u64 count = counts[static_cast<std::size_t>(symbol)]; count != 0)
            trees.emplace(count, symbol, std::vector<int>{symbol});
    Lengths lengths{};
    if (trees.size() == 1) lengths[static_cast<std::size_t>(std::get<1>(trees.top()))] = 1;
    for (int number = symbols; trees.size() > 1; ++number) {
        auto [count, first, members] = trees.top();
        trees.pop();
        const auto [other_count, second, other_members] = trees.top();
        trees.pop();
        members.insert(members.end(), other_members.begin(), other_members.end());
        for (const int symbol : members) ++lengths[static_cast<std::size_t>(symbol)];
        trees.emplace(count + other_count, number, std::move(members));
    }
    return lengths;
}

bool PrefixCode::is_complete(const Lengths& lengths) {
    // A word of n bits takes one part in 2^n of what there is.
    u64 taken = 0;
    int used = 0;
    for (const int length : lengths) {
        if (length > max_length) return false;
        if (length == 0) continue;
        taken += u64{1} << (max_length - length);
        ++used;
    }
    const u64 all = u64{1} << max_length;
    return taken == all || (used == 1 && taken == all / 2);
}

PrefixCode::PrefixCode(const Lengths& lengths) : lengths_(lengths) {
    u64 next = 0;
    u64 done = 0;
    for (int length = 1; length <= max_length; ++length) {
        next *= 2;
        Rank& rank = ranks_[static_cast<std::size_t>(length)];
        rank = {next, 0, done};
        for (std::size_t symbol = 0; symbol < symbols; ++symbol) {
            if (lengths[symbol] != length) continue;
            for (int bit = 0; bit < length; ++bit)
                words_[symbol] |= (next >> (length - 1 - bit) & 1) << bit;
            sorted_[done++] = static_cast<unsigned char>(symbol);
            ++rank.count;
            ++next;
            longest_ = length;
        }
    }
}

}  // namespace fourcast
