// The solver: owns the engines, keeps limits, can be stopped, and turns scores into answers.
#pragma once

#include <atomic>
#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "answers.hpp"
#include "book.hpp"
#include "engine.hpp"
#include "limit.hpp"
#include "poll.hpp"
#include "position.hpp"

namespace fourcast {

/// How much is wanted: the exact score, or only who wins.
enum class Goal { score, outcome };

class Solver {
  public:
    struct Options {
        std::size_t table_mb = 8;  // more hardly saves nodes, and less of it is in the processor's cache
        int threads = 1;
        Features features{};
        std::vector<std::shared_ptr<const Book>> books{};  // for boards of different sizes
    };
    explicit Solver(const Options& options);

    const Options& options() const { return options_; }

    /// Throws FinishedGameError if the game is over, and so do the others.
    Result solve(const Position& position, const Limit& limit, Goal goal, bool best_columns,
                 Check check);
    /// The exact score and nothing else, however long it takes. Throws StoppedError if stopped.
    int score(const Position& position, Check check);
    Analysis analyze(const Position& position, const Limit& limit, bool variations, Check check);

    class Progress {
      public:
        virtual void report(std::size_t done) = 0;

      protected:
        ~Progress() = default;
    };
    /// Each position on one of `threads` threads, with a limit of its own.
    std::vector<Result> solve_many(const std::vector<Position>& positions, const Limit& limit, Goal goal,
                                   int threads, Progress& progress, Check check);

    /// End every call that is under way; each answers with what it has proven. Later calls are not
    /// affected.
    void stop() { epoch_.fetch_add(1); }
    /// Forget what was found. Calls that are under way go on with what they have.
    void clear();

  private:
    class Call;
    class Desk;

    std::shared_ptr<Engine> engine_for(const Position& position);
    std::optional<int> look_up(const Position& position) const;
    Answer ask(const Position& position, int lower, int upper, int threads, Call& call);
    std::optional<ColumnSet> best_columns(const Position& position, int score, Call& call);
    std::vector<Line> root_lines(const Position& position, Call& call);
    std::vector<int> variation(Position position, int score, Call& call);

    Options options_;
    std::atomic<u64> epoch_{0};
    std::map<std::pair<int, int>, std::shared_ptr<Engine>> engines_;  // by width and height
};

}  // namespace fourcast
