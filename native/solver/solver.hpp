// The solver: owns the engines, keeps limits, can be stopped, and turns scores into answers.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "answers.hpp"
#include "board/limit.hpp"
#include "board/position.hpp"
#include "book/book.hpp"
#include "search/engine.hpp"
#include "system/poll.hpp"

namespace fourcast {

/// How much is wanted: the exact score, or only who wins.
enum class Goal { score, outcome };

/// Stops searches. Copies belong together: one is given to the search, one kept to stop it.
class StopToken {
  public:
    /// A token that stops nothing.
    StopToken() = default;

    /// End the calls that were given this token, now or when they begin; they answer with what is
    /// proven.
    void stop() const {
        if (own_) *own_ = true;
    }
    bool is_stopped() const {
        return own_ && (own_->load(std::memory_order_relaxed) ||
                        stops_->load(std::memory_order_relaxed) != stops_before_);
    }

  private:
    friend class Solver;

    std::shared_ptr<std::atomic<bool>> own_;
    std::shared_ptr<const std::atomic<u64>> stops_;  // how often all calls of the solver were stopped
    u64 stops_before_ = 0;                           // ... when the token was made
};

class Solver {
  public:
    struct Options {
        std::size_t table_mb = 8;  // more hardly saves nodes, and less of it is in the processor's cache
        int threads = 1;
        Features features{};
        std::vector<std::shared_ptr<const Book>> books{};  // for boards of different sizes
    };
    /// Board sizes whose tables a solver keeps: those used last. Others are freed once no call uses
    /// them.
    static constexpr std::size_t kept_engines = 4;
    using Progress = std::function<void(std::size_t done)>;

    explicit Solver(const Options& options);

    const Options& options() const { return options_; }

    /// Throws FinishedGameError if the game is over, and so do the others.
    Result solve(const Position& position, const Limit& limit, Goal goal, bool best_columns,
                 const Check& check, const StopToken& token = {});
    /// The exact score and nothing else, however long it takes. Throws StoppedError if stopped.
    int score(const Position& position, const Check& check, const StopToken& token = {});
    /// Is the score more than `alpha`? If the result is complete, its lower bound is more than alpha or
    /// its upper bound is not. That is the question that the search itself asks, and costs less than
    /// the score.
    Result bound(const Position& position, int alpha, const Limit& limit, const Check& check,
                 const StopToken& token = {});
    /// `known`, an earlier analysis of the same position that a limit cut short, is gone on with: what
    /// it has proven, and the variations as far as they go, are not searched again.
    Analysis analyze(const Position& position, const Limit& limit, bool variations, const Check& check,
                     const StopToken& token = {}, const Analysis* known = nullptr);

    /// The terms of a call about many positions. Each of them is solved on one of `threads` threads,
    /// with a limit of its own. Progress and the check are called on the calling thread; an exception
    /// from either ends this call and no other.
    struct Bulk {
        Limit limit{};
        int threads = 1;
        Progress progress{};
        Check check{};
        StopToken token{};
    };
    using Positions = std::vector<Position>;
    std::vector<Result> solve_many(const Positions& positions, Goal goal, const Bulk& bulk);
    std::vector<Analysis> analyze_many(const Positions& positions, bool variations, const Bulk& bulk);

    /// The exact scores of many positions without the rest of a result. `take` is called on any of the
    /// threads, and not at all for a score that a limit or a stop leaves open.
    using TakeScore = std::function<void(std::size_t index, int score)>;
    void score_each(const Positions& positions, const Bulk& bulk, const TakeScore& take);
    /// The same for every open column of them.
    using TakeColumn = std::function<void(std::size_t index, int column, int score)>;
    void score_columns_of_each(const Positions& positions, const Bulk& bulk, const TakeColumn& take);

    /// A token that stops the calls that it is given to; `stop` of the solver stops them, too.
    StopToken make_token() const;
    /// End every call that is under way or has a token already; each answers with what it has proven.
    /// Later calls are not affected.
    void stop() { ++*stops_; }
    /// Forget what was found. Calls that are under way go on with what they have.
    void clear();

  private:
    class CallState;
    class SessionCache;
    /// The size and the rules that an engine is made for.
    struct BoardKind {
        int width = 0;
        int height = 0;
        Rules rules{};

        BoardKind() = default;
        BoardKind(const Position& position)
            : width(position.width()), height(position.height()), rules(position.rules()) {}
        bool is_of(const Position& position) const {
            return width == position.width() && height == position.height() && rules == position.rules();
        }
    };
    struct SizedEngine {
        BoardKind board;
        std::shared_ptr<Engine> engine;
    };

    std::shared_ptr<Engine> engine_for(const Position& position);
    std::optional<int> look_up(const Position& position) const;
    const LineBook* line_book_for(const Position& root) const;
    Answer ask(const Position& position, int lower, int upper, CallState& call);
    Result solve_position(const Position& position, Goal goal, bool best_columns, CallState& call);
    Analysis analyze_position(const Position& position, bool variations, CallState& call,
                              const Analysis* known = nullptr);
    std::optional<ColumnSet> best_columns(const Position& position, int score, CallState& call);
    std::vector<Line> root_lines(const Position& position, CallState& call, const Analysis* known);
    void extend_variation(Line& line, CallState& call);
    std::optional<int> first_to_keep(const Position& position, const std::vector<int>& columns,
                                     int score, CallState& call);
    template <class Work>
    void for_each(const Positions& positions, const Bulk& bulk, const Work& work);

    Options options_;
    std::shared_ptr<std::atomic<u64>> stops_ = std::make_shared<std::atomic<u64>>(0);
    // Those used last come first. Changed under the lock that a fork waits for (fork.hpp).
    std::vector<SizedEngine> engines_;
};

}  // namespace fourcast
