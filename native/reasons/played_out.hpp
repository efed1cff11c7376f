// All games that a plan, or a group of local games, leads to: which squares each side gets. This is for
// marks and words; what is proven, replay.hpp says.
#pragma once

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "proof.hpp"

namespace fourcast::reasons {

/// What belongs to each key, in the order in which the keys came.
template <class Key, class Content>
class InOrder {
  public:
    Content& operator[](const Key& key) {
        if (const auto known = find(key); known != entries_.end()) return known->second;
        return entries_.emplace_back(key, Content{}).second;
    }
    /// nullptr if there is nothing.
    const Content* get(const Key& key) const {
        const auto known = std::ranges::find(entries_, key, &Entry::first);
        return known == entries_.end() ? nullptr : &known->second;
    }
    auto begin() const { return entries_.begin(); }
    auto end() const { return entries_.end(); }
    bool empty() const { return entries_.empty(); }

  private:
    using Entry = std::pair<Key, Content>;
    auto find(const Key& key) { return std::ranges::find(entries_, key, &Entry::first); }

    std::vector<Entry> entries_;
};

/// What happens in the games. The player F follows the proof; O is the opponent.
struct Games {
    u128 mine = 0;              // squares that F takes before the four that ends a game
    u128 theirs = 0;            // squares that O takes, except for the disc before that four
    u128 wins = 0;              // squares on which F completes a four
    u128 ever_theirs = 0;       // squares that O takes at any time; all that are left when no line is
    u128 on_top = 0;            // discs of O that a plan answers on top, for want of an entry
    bool always_below = true;   // every game ends with a disc of O right below the four
    bool forced = false;        // some game ends with a forced win that is not played out
    bool is_safe = false;       // `ever_theirs` holds no four, and no game ends with a forced win
    std::size_t positions = 0;  // with O to move
    /// To each disc of O its answers in all games. 0 stands for no disc: moves that nothing has asked
    /// for.
    InOrder<u128, u128> answers;
    /// To each disc its answers in a group that neither complete a four nor block one, each after all
    /// squares of the group that could be played.
    InOrder<u128, std::set<std::pair<u128, u128>>> chosen;
    u128 settled = 0;  // discs after which a group has done its work, and any answer in it will do
};

/// Plays every game from `position`, with the opponent of `player` to move. Throws ProofError if there
/// are more positions than any proof has.
Games play_plan(const AnswerPlan<u128>& plan, const Position& position, int player);

/// The same within a group, by its table.
Games play_group(const LocalGroup<u128>& group, const Position& position, int player);

}  // namespace fourcast::reasons
