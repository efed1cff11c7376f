// How one thread's search is run: what it shares with others, what it counts, and what ends it.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>

#include "engine.hpp"
#include "key.hpp"

namespace fourcast {
inline namespace FOURCAST_KERNEL {

/// What the training of the move order sees: all children of some nodes, searched, and what each cost.
class Recorder {
  public:
    struct Sample {
        int square;  // of the move, by its bit
        bool close;  // the table says that it is at most one short of what is asked
        bool cuts;   // it is good enough
        u64 nodes;
    };
    virtual bool wants(int empties) = 0;
    virtual void take(u64 mover, u64 mask, int alpha, const Sample* samples, int count) = 0;
    /// Something to add to the rating of a move, so that others than the best ones are searched, too.
    virtual int change(int /*empties*/) { return 0; }
    /// A child was searched: is its score greater than alpha? `value` as `Search::search` returns it.
    virtual void searched(u64 mover, u64 mask, int alpha, int value, u64 nodes) = 0;

  protected:
    ~Recorder() = default;
};

/// How many threads of one search are busy with each node, so that they keep out of each other's way.
/// Advice only: a count that is wrong or lost costs time and nothing else.
class BusyNodes {
  public:
    static constexpr int most_threads = 255;  // more are not counted

    template <class Bits>
    int count(const Key<Bits>& key) const {
        const u64 found = slot(key).load(std::memory_order_relaxed);
        return (found & ~most) == tag(key) ? static_cast<int>(found & most) : 0;
    }
    template <class Bits>
    void enter(const Key<Bits>& key) {
        change(key, [&](u64 found) {
            if ((found & ~most) != tag(key)) return tag(key) + 1;
            return found + ((found & most) != most);
        });
    }
    template <class Bits>
    void leave(const Key<Bits>& key) {
        change(key, [&](u64 found) {
            return (found & ~most) == tag(key) && (found & most) != 0 ? found - 1 : found;
        });
    }

  private:
    static constexpr std::size_t size = 4096;
    static constexpr u64 most = most_threads;  // the bits of a slot that hold the count
    template <class Bits>
    static u64 tag(const Key<Bits>& key) {
        return static_cast<u64>(key.first * 3 + key.second) * 0x9E3779B97F4A7C15U & ~most;
    }
    template <class Bits>
    std::atomic<u64>& slot(const Key<Bits>& key) const {
        return slots_[tag(key) >> 52];
    }
    template <class Bits, class Change>
    void change(const Key<Bits>& key, Change change_of) {
        std::atomic<u64>& at = slot(key);
        u64 found = at.load(std::memory_order_relaxed);
        while (!at.compare_exchange_weak(found, change_of(found), std::memory_order_relaxed)) {
        }
    }
    mutable std::array<std::atomic<u64>, size> slots_{};
};

/// The nodes that the threads of one search may still visit, all together. They take a portion at a
/// time, so that no thread stops before the whole budget is taken.
class NodeBudget {
  public:
    explicit NodeBudget(u64 nodes) : left_(nodes) {}

    /// A portion of the budget: 0 if nothing is left.
    u64 take() {
        u64 left = left_.load(std::memory_order_relaxed);
        u64 portion = std::min(left, most_at_once);
        while (!left_.compare_exchange_weak(left, left - portion, std::memory_order_relaxed))
            portion = std::min(left, most_at_once);
        return portion;
    }

  private:
    static constexpr u64 most_at_once = 256;
    std::atomic<u64> left_;
};

/// How one search is run: what may end it, and with whom it shares the work.
struct Run {
    StopCondition* stop = nullptr;
    const std::atomic<bool>* done = nullptr;  // another thread has the answer
    BusyNodes* busy = nullptr;
    NodeBudget* budget = nullptr;  // where to get more nodes when the limit is reached
    Recorder* recorder = nullptr;
    u64 node_limit = no_node_limit;  // of `nodes`, which counts on from one search to the next
};

#ifdef FOURCAST_TURNS  // for tools/count_thread_nodes.cpp, which lets one thread work at a time
void after_node();
#endif

/// Counts the nodes of one thread, and says when to stop. All parts of a search count here.
class Watch {
  public:
    Run run;
    u64 nodes = 0;

    bool stopped() const { return stopped_; }
    /// True if it was stopped by its limit of nodes.
    bool out_of_nodes() const { return nodes > run.node_limit; }

    /// To be called before each search: `run` and `nodes` may have changed.
    void start() {
        stopped_ = false;
        plan_next_look();
    }
    /// Count a node. False if it is one too many, or the search should stop.
    bool count_node() {
#ifdef FOURCAST_TURNS
        after_node();
#endif
        return ++nodes < next_look_ || look();
    }

  protected:
    ~Watch() = default;

    /// True if another thread has settled what this one is searching.
    virtual bool is_overtaken() = 0;

    /// What the search was stopped for may be over.
    void look_again() {
        stopped_ = out_of_nodes() || should_stop();
        plan_next_look();
    }

  private:
    static constexpr u64 nodes_between_looks = 1024;

    bool look() {
        if (nodes > run.node_limit && run.budget != nullptr) run.node_limit += run.budget->take();
        if (out_of_nodes() || (nodes % nodes_between_looks == 0 && should_stop()))
            stopped_ = true;
        else
            plan_next_look();
        return !stopped_;
    }
    void plan_next_look() {
        const u64 regular = (nodes / nodes_between_looks + 1) * nodes_between_looks;
        next_look_ = run.node_limit < regular ? run.node_limit + 1 : regular;
    }
    bool should_stop() {
        return (run.done != nullptr && run.done->load(std::memory_order_relaxed)) ||
               (run.busy != nullptr && is_overtaken()) ||
               (run.stop != nullptr && run.stop->should_stop());
    }

    u64 next_look_ = 0;
    bool stopped_ = false;
};

}  // namespace FOURCAST_KERNEL
}  // namespace fourcast
