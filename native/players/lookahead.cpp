#include "lookahead.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>

#include "board/center.hpp"
#include "board/score.hpp"
#include "board/threats.hpp"
#include "by_rules.hpp"
#include "system/mutex.hpp"
#include "system/parallel.hpp"

namespace fourcast {
namespace {

constexpr Estimate infinite = std::numeric_limits<Estimate>::max();

/// When to stop, for all threads of a search.
class Clock {
  public:
    Clock(double time_s, const Check& check)
        : limited_(time_s < 1e9),
          end_(Time::now() + std::chrono::duration_cast<Time::duration>(
                                 std::chrono::duration<double>(limited_ ? time_s : 0))),
          poll_(check) {}

    bool is_over() const { return stopped || (limited_ && Time::now() >= end_); }
    /// For the thread that the search was called in.
    void poll() { poll_(); }

    std::atomic<bool> stopped{false};  // a thread has failed

  private:
    using Time = std::chrono::steady_clock;
    bool limited_;
    Time::time_point end_;
    Poll poll_;
};

struct TimeIsOver {};

/// One thread's part of a search.
template <class Shape, class Evaluator>
class Searcher {
  public:
    using Bits = typename Shape::Bits;

    Searcher(const Shape& shape, const Evaluator& evaluator, const std::vector<int>& order, Clock& clock,
             bool polls)
        : shape_(shape), evaluator_(evaluator), order_(order), clock_(clock), polls_(polls) {}

    /// The value of a position for its side to move. Nobody has a four yet. It is
    /// - exact if it lies between alpha and beta,
    /// - at most what is returned if that is alpha or less,
    /// - at least what is returned if that is beta or more.
    Estimate negamax(Bits mover, Bits other, int ply, int depth, Estimate alpha, Estimate beta) {
        ++nodes_;
        if (nodes_ % 512 == 0) look_at_clock();
        const Bits mask = mover | other;
        const Bits open = playable(shape_, mask);
        if (open == 0) return 0;
        if (depth == 0) return evaluator_(mover, other);
        // Nothing is better than a win at once.
        if ((threats(shape_, mover, mask) & open) != 0)
            return Evaluator::win_base + win_score(shape_.cells(), ply + 1);
        Estimate best = -infinite;
        for (const int column : order_) {
            const Bits move = open & shape_.column(column);
            if (move == 0) continue;
            const Estimate value =
                -negamax(other, static_cast<Bits>(mover | move), ply + 1, depth - 1, -beta, -alpha);
            best = std::max(best, value);
            alpha = std::max(alpha, value);
            if (alpha >= beta) break;
        }
        return best;
    }

    u64 nodes() const { return nodes_; }
    /// Without a limit it is not stopped at all, not by the clock either.
    void limit_nodes(u64 nodes) {
        stoppable_ = true;
        node_limit_ = nodes;
    }

  private:
    void look_at_clock() {
        if (polls_) clock_.poll();
        if (stoppable_ && (nodes_ >= node_limit_ || clock_.is_over())) throw TimeIsOver{};
    }

    const Shape& shape_;
    const Evaluator& evaluator_;
    const std::vector<int>& order_;
    Clock& clock_;
    bool polls_;
    bool stoppable_ = false;
    u64 node_limit_ = 0;
    u64 nodes_ = 0;
};

/// One ply more at a time, the columns of each round in the order of the round before.
template <class Shape, class Evaluator>
class Rounds {
  public:
    using Bits = typename Shape::Bits;

    Rounds(const Shape& shape, const Position& position, const LookAheadOptions& options,
           const Check& check)
        : shape_(shape),
          evaluator_(shape),
          position_(position),
          options_(options),
          order_(columns_from_center(shape.width())),
          check_(check),
          clock_(options.time_s, check) {
        for (const int column : order_) {
            if (position.can_play(column)) columns_.push_back(column);
        }
    }

    LookAhead run() {
        LookAhead result;
        result.win_base = Evaluator::win_base;
        const int deepest = std::min(options_.depth, position_.cells() - position_.ply());
        for (int depth = 1; depth <= deepest; ++depth) {
            if (!round(depth)) break;
            result.depth = depth;
            result.values.assign(static_cast<std::size_t>(shape_.width()), std::nullopt);
            result.best = 0;
            for (const auto& [column, value] : values_) {
                if (options_.every_column || value == best_) {
                    result.values[static_cast<std::size_t>(column)] = value;
                }
                if (value == best_) result.best |= ColumnSet{1} << column;
            }
            if (std::abs(best_) > Evaluator::win_base) break;
            std::stable_sort(values_.begin(), values_.end(),
                             [](const auto& a, const auto& b) { return a.second > b.second; });
            for (std::size_t i = 0; i < values_.size(); ++i) columns_[i] = values_[i].first;
        }
        result.nodes = nodes_;
        return result;
    }

  private:
    /// Searches all columns to a depth; false if the time was over before.
    bool round(int depth) {
        values_.clear();
        best_ = -infinite;
        next_ = 0;
        complete_ = true;
        nodes_before_ = nodes_;
        const auto work = [this, depth](int index) { search_columns(depth, index == 0); };
        const auto wanted = std::min(options_.threads, static_cast<int>(columns_.size()));
        run_in_parallel(depth > 1 ? wanted : 1, work, clock_.stopped, &check_);
        return complete_;
    }

    void search_columns(int depth, bool polls) {
        Searcher<Shape, Evaluator> searcher(shape_, evaluator_, order_, clock_, polls);
        if (depth > 1) searcher.limit_nodes(options_.nodes - std::min(options_.nodes, nodes_before_));
        const auto mover = static_cast<Bits>(position_.discs(position_.turn()));
        const auto other = static_cast<Bits>(position_.discs(3 - position_.turn()));
        const Bits open = playable(shape_, static_cast<Bits>(mover | other));
        try {
            for (;;) {
                const std::size_t index = next_++;
                if (index >= columns_.size()) break;
                const Bits after = mover | (open & shape_.column(columns_[index]));
                Estimate value = Evaluator::win_base + win_score(shape_.cells(), position_.ply() + 1);
                if (!has_four(shape_, after)) {
                    // One less than the best so far: columns that are just as good have to be found.
                    const Estimate alpha = options_.every_column ? -infinite : alpha_now();
                    value = -searcher.negamax(other, after, position_.ply() + 1, depth - 1, -infinite,
                                              -alpha);
                }
                const std::lock_guard lock(mutex_);
                values_.emplace_back(columns_[index], value);
                best_ = std::max(best_, value);
            }
        } catch (const TimeIsOver&) {
            complete_ = false;
        }
        const std::lock_guard lock(mutex_);
        nodes_ += searcher.nodes();
    }

    Estimate alpha_now() {
        const std::lock_guard lock(mutex_);
        return best_ == -infinite ? best_ : best_ - 1;
    }

    const Shape shape_;
    const Evaluator evaluator_;
    const Position& position_;
    const LookAheadOptions& options_;
    const std::vector<int> order_;
    const Check& check_;
    Clock clock_;
    std::vector<int> columns_;  // the open ones, the most promising first

    Mutex mutex_;
    std::vector<std::pair<int, Estimate>> values_;
    Estimate best_ = -infinite;
    u64 nodes_ = 0;
    u64 nodes_before_ = 0;  // this round
    std::atomic<std::size_t> next_{0};
    std::atomic<bool> complete_{true};
};

/// Calls `visitor` with the evaluator's type as a template argument.
template <class Shape, class Visitor>
auto with_evaluator(Evaluation evaluation, Visitor&& visitor) {
    switch (evaluation) {
        case Evaluation::winsets:
            return visitor.template operator()<WinSets<Shape>>();
        case Evaluation::streaks:
            return visitor.template operator()<Streaks<Shape>>();
        default:
            return visitor.template operator()<NoEvaluation<Shape>>();
    }
}

}  // namespace

LookAhead look_ahead(const Position& position, const LookAheadOptions& options, const Check& check) {
    if (position.is_over()) throw FinishedGameError("error.over_in", {{"position", position.repr()}});
    if (!position.rules().is_standard()) return look_ahead_by_rules(position, options, check);
    return with_shape(position.width(), position.height(), [&](const auto& shape) {
        using Shape = std::decay_t<decltype(shape)>;
        return with_evaluator<Shape>(options.evaluation, [&]<class Evaluator>() {
            return Rounds<Shape, Evaluator>(shape, position, options, check).run();
        });
    });
}

Estimate evaluate(const Position& position, Evaluation evaluation) {
    refuse_other_rules(position);
    return with_shape(position.width(), position.height(), [&](const auto& shape) {
        using Shape = std::decay_t<decltype(shape)>;
        using Bits = typename Shape::Bits;
        return with_evaluator<Shape>(evaluation, [&]<class Evaluator>() -> Estimate {
            if (position.winner() != 0) {
                const Estimate win = Evaluator::win_base + win_score(position.cells(), position.ply());
                return position.winner() == position.turn() ? win : -win;
            }
            return Evaluator(shape)(static_cast<Bits>(position.discs(position.turn())),
                                    static_cast<Bits>(position.discs(3 - position.turn())));
        });
    });
}

std::vector<u128> win_sets(const Position& position, int player) {
    refuse_other_rules(position);
    if (position.winner() == player) return {0};  // the empty set is part of every other
    std::vector<u128> sets;
    with_shape(position.width(), position.height(), [&](const auto& shape) {
        using Shape = std::decay_t<decltype(shape)>;
        using Bits = typename Shape::Bits;
        WinSets<Shape>(shape).for_each_set(static_cast<Bits>(position.discs(player)),
                                           static_cast<Bits>(position.discs(3 - player)),
                                           [&](Bits set, int) { sets.push_back(u128{set}); });
    });
    return sets;
}

StreakCounts count_streaks(const Position& position, int player) {
    refuse_other_rules(position);
    return with_shape(position.width(), position.height(), [&](const auto& shape) {
        using Shape = std::decay_t<decltype(shape)>;
        using Bits = typename Shape::Bits;
        return Streaks<Shape>(shape).counts(static_cast<Bits>(position.discs(player)),
                                            static_cast<Bits>(position.discs(3 - player)));
    });
}

}  // namespace fourcast
