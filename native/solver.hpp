// The solver: owns the engines, keeps limits, can be stopped, and turns scores into answers.
#pragma once

#include <atomic>
#include <chrono>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "book.hpp"
#include "engine.hpp"
#include "poll.hpp"
#include "position.hpp"

namespace fourcast {

/// When to give up. Whatever was proven by then is the answer.
struct Limit {
    double time_s = std::numeric_limits<double>::infinity();
    u64 nodes = std::numeric_limits<u64>::max();
};

/// How much is wanted: the exact score, or only who wins.
enum class Goal { score, outcome };

/// What is proven of a position, for the side to move.
struct Result {
    int lower = 0;
    int upper = 0;
    bool complete = false;                  // all that was asked for is known
    std::optional<ColumnSet> best_columns;  // the moves that keep the score, if they were asked for
    u64 nodes = 0;
    double time_s = 0;
    int ply = 0;
    int cells = 0;

    std::optional<int> score() const { return lower == upper ? std::optional(lower) : std::nullopt; }
    /// Stones from here to the end of the game, if both sides play best.
    std::optional<int> plies_to_end() const;
};

/// One move of an analysis.
struct Line {
    int column;
    int lower;
    int upper;
    std::vector<int> variation;  // this move and the best play after it, to the end of the game

    std::optional<int> score() const { return lower == upper ? std::optional(lower) : std::nullopt; }
};

struct Analysis {
    Result result;
    std::vector<Line> lines;  // one for each open column, from left to right
};

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
    std::vector<int> variation(Position position, int score, Call& call);

    Options options_;
    std::atomic<u64> epoch_{0};
    std::map<std::pair<int, int>, std::shared_ptr<Engine>> engines_;  // by width and height
};

}  // namespace fourcast
