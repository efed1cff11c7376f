// One kernel: the search, compiled for one kind of processor (CMakeLists.txt has the kinds).
#include <algorithm>
#include <mutex>
#include <vector>

#include "kernels.hpp"
#include "parallel.hpp"
#include "search.hpp"

namespace fourcast {
inline namespace FOURCAST_KERNEL {
namespace {

template <class Shape>
class ShapeEngine final : public Engine {
  public:
    using Bits = typename Shape::Bits;
    using ShapeSearch = Search<Shape>;
    using Node = typename ShapeSearch::Node;
    using Slot = typename ShapeSearch::Slot;

    ShapeEngine(const Shape& shape, const EngineOptions& options)
        : shape_(shape), features_(options.features), table_(options.table_bytes / sizeof(Slot)) {}

    std::unique_ptr<Session> open() override { return std::make_unique<ShapeSession>(*this); }

  private:
    /// A search that belongs to one thread for a while. Making one takes longer than an easy question,
    /// so they are kept.
    class Lease {
      public:
        explicit Lease(ShapeEngine& engine) : engine_(engine), search_(engine.take()) {}
        ~Lease() { engine_.give_back(std::move(search_)); }
        Lease(const Lease&) = delete;
        Lease& operator=(const Lease&) = delete;
        ShapeSearch& operator*() const { return *search_; }

      private:
        ShapeEngine& engine_;
        std::unique_ptr<ShapeSearch> search_;
    };

    class ShapeSession final : public Session {
      public:
        explicit ShapeSession(ShapeEngine& engine) : engine_(engine), lease_(engine) {}

        Answer solve(const Question& question, Watch& watch) override {
            if (Slot::shareable()) return engine_.answer(question, watch, *lease_);
            const std::lock_guard<std::mutex> turn(engine_.turn_);
            return engine_.answer(question, watch, *lease_);
        }

      private:
        ShapeEngine& engine_;
        Lease lease_;
    };

    /// What is known of a node's score, and what is asked of it.
    struct Quest {
        Node node;
        Bounds known;
        Bounds asked;
        u64 other_nodes = 0;  // of other threads

        int lower() const { return std::max(known.lower, asked.lower); }
        int upper() const { return std::min(known.upper, asked.upper); }
        bool settled() const { return lower() >= upper(); }
        /// The question nearest to `alpha` that is still open.
        int open_near(int alpha) const { return std::clamp(alpha, lower(), upper() - 1); }
        void learn(int alpha, int value) {
            if (value > alpha)
                known.lower = value;
            else
                known.upper = value;
        }
    };

    std::unique_ptr<ShapeSearch> take() {
        const std::lock_guard<std::mutex> guard(mutex_);
        if (idle_.empty()) return std::make_unique<ShapeSearch>(shape_, table_, features_);
        auto search = std::move(idle_.back());
        idle_.pop_back();
        return search;
    }
    void give_back(std::unique_ptr<ShapeSearch> search) {
        const std::lock_guard<std::mutex> guard(mutex_);
        idle_.push_back(std::move(search));
    }

    Answer answer(const Question& question, Watch& watch, ShapeSearch& search);
    void try_extremes(Quest& quest, ShapeSearch& search) const;
    void step_from_zero(Quest& quest, ShapeSearch& search, int threads);
    bool search_together(Quest& quest, int alpha, ShapeSearch& search, int threads);

    Shape shape_;
    Features features_;
    Table<Slot> table_;
    std::mutex mutex_;
    std::mutex turn_;
    std::vector<std::unique_ptr<ShapeSearch>> idle_;
};

template <class Shape>
Answer ShapeEngine<Shape>::answer(const Question& question, Watch& watch, ShapeSearch& search) {
    const auto mover = static_cast<Bits>(question.mover);
    const auto mask = static_cast<Bits>(question.mask);
    const int ply = popcount(mask);
    const Node root{mover, mask, winning_squares(shape_, mover, mask),
                    winning_squares(shape_, mover ^ mask, mask), ply};
    if ((root.mover_wins & playable(shape_, mask)) != 0) {
        const int score = win_score(shape_.cells(), ply + 1);
        return {score, score, 1, true};
    }
    search.run = {};
    search.nodes = 0;
    const auto [node, sign, score] = search.settle(root, 1);
    if (sign == 0) return {score, score, 1, true};

    search.run.watch = &watch;
    search.run.node_limit = question.node_limit;
    Quest quest{node, search.known(node), {question.lower, question.upper}};
    if (sign < 0) quest.asked = {-question.upper, -question.lower};
    if (features_.schedule && !quest.settled()) try_extremes(quest, search);
    if (!quest.settled()) step_from_zero(quest, search, question.threads);
    const Bounds found = sign > 0 ? quest.known : Bounds{-quest.known.upper, -quest.known.lower};
    return {found.lower, found.upper, search.nodes + quest.other_nodes, quest.settled()};
}

/// Many positions are decided by a quick win, and asking for that first is then a matter of a few nodes.
/// Where it is not, the attempt must not cost much.
template <class Shape>
void ShapeEngine<Shape>::try_extremes(Quest& quest, ShapeSearch& search) const {
    const int empties = shape_.cells() - quest.node.ply;
    if (empties <= 14) return;  // there is hardly anything to save
    const u64 budget = 8000U >> (std::max(0, 32 - empties) / 2);
    const u64 limit = search.run.node_limit;
    search.run.node_limit = std::min(limit, search.nodes + budget);
    while (!quest.settled()) {
        // The question that is farther from a draw: the quicker the win, the easier to find or to rule
        // out.
        const int high = quest.upper() - 1;
        const int alpha = high > -quest.lower() ? high : quest.lower();
        const int value = search.search(quest.node, alpha);
        if (search.stopped()) break;
        quest.learn(alpha, value);
    }
    search.run.node_limit = limit;
}

/// Win, draw or loss first, then further out in single steps: each step finds much of its work done.
template <class Shape>
void ShapeEngine<Shape>::step_from_zero(Quest& quest, ShapeSearch& search, int threads) {
    while (!quest.settled()) {
        const int alpha = quest.open_near(quest.known.upper <= 0 ? quest.known.upper - 1 : 0);
        if (threads > 1 && Slot::shareable()) {
            if (!search_together(quest, alpha, search, threads)) return;
        } else {
            const int value = search.search(quest.node, alpha);
            if (search.stopped()) return;
            quest.learn(alpha, value);
        }
    }
}

/// Every thread looks for the same answer, all through one table, each where the others are not.
template <class Shape>
bool ShapeEngine<Shape>::search_together(Quest& quest, int alpha, ShapeSearch& search, int threads) {
    const u64 limit = search.run.node_limit;
    const u64 share = limit == ~u64{0} ? limit : (limit - search.nodes) / static_cast<u64>(threads);
    Whereabouts whereabouts;
    std::atomic<bool> done{false};
    std::mutex mutex;
    bool answered = false;
    int answer = 0;
    const auto search_with = [&](ShapeSearch& own) {
        const u64 before = own.nodes;
        own.run.done = &done;
        own.run.whereabouts = &whereabouts;
        own.run.node_limit = share == ~u64{0} ? share : before + share;
        const int value = own.search(quest.node, alpha);
        done = true;
        const std::lock_guard<std::mutex> guard(mutex);
        if (!own.stopped()) {
            answered = true;
            answer = value;
        }
        if (&own != &search) quest.other_nodes += own.nodes - before;
    };
    run_in_parallel(
        threads,
        [&](int index) {
            if (index == 0) return search_with(search);
            const Lease lease(*this);
            ShapeSearch& helper = *lease;
            helper.run = {};
            helper.nodes = 0;
            search_with(helper);
        },
        done);
    search.run.done = nullptr;
    search.run.whereabouts = nullptr;
    search.run.node_limit = limit;
    if (answered) quest.learn(alpha, answer);
    return answered;
}

}  // namespace

}  // namespace FOURCAST_KERNEL

std::unique_ptr<Engine> FOURCAST_MAKE_ENGINE(const EngineOptions& options) {
    const int bits = options.width * (options.height + 1);
    if (options.width == StandardShape::width() && options.height == StandardShape::height())
        return std::make_unique<ShapeEngine<StandardShape>>(StandardShape{}, options);
    if (bits <= NarrowSlot::key_bits)
        return std::make_unique<ShapeEngine<AnyShape<u64>>>(AnyShape<u64>(options.width, options.height),
                                                            options);
    return std::make_unique<ShapeEngine<AnyShape<u128>>>(AnyShape<u128>(options.width, options.height),
                                                         options);
}

}  // namespace fourcast
