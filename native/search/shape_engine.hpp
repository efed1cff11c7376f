// A search with its table, shared by threads: which question comes first, and who helps.
#pragma once

#include <algorithm>
#include <optional>

#include "search.hpp"
#include "system/mutex.hpp"
#include "system/parallel.hpp"

namespace fourcast {
inline namespace FOURCAST_KERNEL {

template <class Shape, class ShapeSearch = Search<Shape>>
class ShapeEngine final : public Engine {
  public:
    using Bits = typename Shape::Bits;
    using Node = typename ShapeSearch::Node;
    using Slot = typename ShapeSearch::Slot;

    ShapeEngine(const Shape& shape, const EngineOptions& options)
        : shape_(shape), features_(options.features), table_(options.table_bytes / sizeof(Slot)) {}

  private:
    struct ShapeSession final : Session {
        explicit ShapeSession(ShapeEngine& its_engine)
            : engine(its_engine), search(engine.shape_, engine.table_, engine.features_) {}

        Answer solve(const Question& question, StopCondition& stop) override {
            return engine.answer(question, stop, search);
        }

        ShapeEngine& engine;
        ShapeSearch search;
    };
    std::unique_ptr<Session> make_session() override { return std::make_unique<ShapeSession>(*this); }

    /// What is known of a node's score, and what is asked of it.
    struct ScoreBounds {
        Node node;
        Bounds known;
        Bounds asked;

        int lower() const { return std::max(known.lower, asked.lower); }
        int upper() const { return std::min(known.upper, asked.upper); }
        bool settled() const { return lower() >= upper(); }
        /// The question nearest to `alpha` that is still open.
        int open_near(int alpha) const { return std::clamp(alpha, lower(), upper() - 1); }
        /// Note what a search has found about "is the score greater than alpha?".
        void learn(int alpha, int value) {
            if (value > alpha)
                known.lower = value;
            else
                known.upper = value;
        }
    };

    Answer answer(const Question& question, StopCondition& stop, ShapeSearch& search);
    void try_extremes(ScoreBounds& bounds, ShapeSearch& search) const;
    u64 step_from_zero(ScoreBounds& bounds, ShapeSearch& search, int threads);
    bool search_together(ScoreBounds& bounds, int alpha, ShapeSearch& search, int threads,
                         u64& helper_nodes);

    Shape shape_;
    Features features_;
    Table<Slot> table_;
};

template <class Shape, class ShapeSearch>
Answer ShapeEngine<Shape, ShapeSearch>::answer(const Question& question, StopCondition& stop,
                                               ShapeSearch& search) {
    const auto mover = static_cast<Bits>(question.mover);
    const auto mask = static_cast<Bits>(question.mask);
    search.run = {};
    search.nodes = 0;
    const auto [node, sign, score] = search.begin(mover, mask, popcount(mask));
    if (sign == 0) return {score, score, 1, true};

    search.run.stop = &stop;
    search.run.node_limit = question.node_limit;
    ScoreBounds bounds{node, search.known(node), {question.lower, question.upper}};
    if (sign < 0) bounds.asked = {-question.upper, -question.lower};
    u64 helper_nodes = 0;
    if (features_.schedule && !bounds.settled()) try_extremes(bounds, search);
    if (!bounds.settled()) helper_nodes = step_from_zero(bounds, search, question.threads);
    const Bounds found = sign > 0 ? bounds.known : Bounds{-bounds.known.upper, -bounds.known.lower};
    return {found.lower, found.upper, search.nodes + helper_nodes, bounds.settled()};
}

/// Many positions are decided by a quick win, and asking for that first is then a matter of a few nodes.
/// Where it is not, the attempt must not cost much.
template <class Shape, class ShapeSearch>
void ShapeEngine<Shape, ShapeSearch>::try_extremes(ScoreBounds& bounds, ShapeSearch& search) const {
    const int empties = shape_.cells() - bounds.node.ply;
    if (empties <= 14) return;  // there is hardly anything to save
    const u64 budget = empties >= 28 ? 8000 : 8000U >> ((32 - empties) / 2);
    const u64 limit = search.run.node_limit;
    search.run.node_limit = std::min(limit, search.nodes + budget);
    while (!bounds.settled()) {
        // The question that is farther from a draw: the quicker the win, the easier to find or to rule
        // out.
        const int high = bounds.upper() - 1;
        const int alpha = high > -bounds.lower() ? high : bounds.lower();
        const int value = search.search(bounds.node, alpha);
        if (search.stopped()) break;
        bounds.learn(alpha, value);
    }
    search.run.node_limit = limit;
}

/// Win, draw or loss first, then further out in single steps: each step finds much of its work done.
/// Returns the nodes of the threads that helped.
template <class Shape, class ShapeSearch>
u64 ShapeEngine<Shape, ShapeSearch>::step_from_zero(ScoreBounds& bounds, ShapeSearch& search,
                                                    int threads) {
    u64 helper_nodes = 0;
    while (!bounds.settled()) {
        const int alpha = bounds.open_near(bounds.known.upper <= 0 ? bounds.known.upper - 1 : 0);
        if (threads > 1) {
            if (!search_together(bounds, alpha, search, threads, helper_nodes)) break;
        } else {
            const int value = search.search(bounds.node, alpha);
            if (search.stopped()) break;
            bounds.learn(alpha, value);
        }
    }
    return helper_nodes;
}

/// Every thread looks for the same answer, all through one table, each where the others are not. False
/// if there is none: the search was stopped, or the nodes were used up.
template <class Shape, class ShapeSearch>
bool ShapeEngine<Shape, ShapeSearch>::search_together(ScoreBounds& bounds, int alpha,
                                                      ShapeSearch& search, int threads,
                                                      u64& helper_nodes) {
    const u64 limit = search.run.node_limit;
    const u64 used = search.nodes + helper_nodes;
    if (used >= limit) return false;
    NodeBudget budget(limit - used);
    BusyNodes busy;
    std::atomic<bool> done{false};
    Mutex mutex;
    std::optional<int> answer;
    const auto search_with = [&](ShapeSearch& own) {
        own.run.done = &done;
        own.run.busy = &busy;
        if (limit != no_node_limit) {
            own.run.budget = &budget;
            own.run.node_limit = own.nodes;  // the first node takes a portion of the budget
        }
        const int value = own.search(bounds.node, alpha);
        // A thread that ran out of nodes does not end the others: they have some of the budget left.
        if (own.stopped() && own.out_of_nodes()) return;
        done = true;
        const std::lock_guard guard(mutex);
        if (!own.stopped()) answer = value;
    };
    const auto work = [&](int index) {
        if (index == 0) return search_with(search);
        const Lease lease = open();
        ShapeSearch& helper = static_cast<ShapeSession&>(*lease).search;
        helper.run = {};
        helper.nodes = 0;
        search_with(helper);
        const std::lock_guard guard(mutex);
        helper_nodes += helper.nodes;
    };
    run_in_parallel(threads, work, done);
    search.run.done = nullptr;
    search.run.busy = nullptr;
    search.run.budget = nullptr;
    search.run.node_limit = limit;
    if (answer) bounds.learn(alpha, *answer);
    return answer.has_value();
}

}  // namespace FOURCAST_KERNEL
}  // namespace fourcast
