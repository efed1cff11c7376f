// What a search knows of positions: a hash table that only grows.
#pragma once

#include <utility>
#include <vector>

#include "board.hpp"

namespace fourcast::reasons {

/// Values by keys, which `hash_of` hashes.
template <class Key, class Value>
class Memo {
  public:
    /// The value of a key, nullptr if there is none; for use before anything is added.
    const Value* find(const Key& key) const {
        if (slots_.empty()) return nullptr;
        const Slot& slot = slots_[place_of(key)];
        return slot.age == age_ ? &slot.value : nullptr;
    }
    /// Adds a value unless the key has one. Returns the value that it has now, and whether that is new.
    std::pair<Value*, bool> try_add(const Key& key, const Value& value) {
        if (2 * (count_ + 1) > slots_.size()) grow();
        Slot& slot = slots_[place_of(key)];
        const bool is_new = slot.age != age_;
        if (is_new) {
            slot = {key, value, age_};
            ++count_;
        }
        return {&slot.value, is_new};
    }
    std::size_t size() const { return count_; }
    /// Keeps the memory: what was added before is of another age.
    void clear() {
        ++age_;
        count_ = 0;
    }

  private:
    struct Slot {
        Key key{};
        Value value{};
        unsigned age = 0;
    };

    std::size_t place_of(const Key& key) const {
        const std::size_t last = slots_.size() - 1;
        std::size_t place = hash_of(key) & last;
        while (slots_[place].age == age_ && slots_[place].key != key) place = (place + 1) & last;
        return place;
    }
    void grow() {
        std::vector<Slot> old(slots_.empty() ? 64 : 4 * slots_.size());
        old.swap(slots_);
        for (const Slot& slot : old)
            if (slot.age == age_) slots_[place_of(slot.key)] = slot;
    }

    std::vector<Slot> slots_;
    std::size_t count_ = 0;
    unsigned age_ = 1;  // of the slots in use
};

}  // namespace fourcast::reasons
