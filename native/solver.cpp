#include "solver.hpp"

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <thread>

#include "center.hpp"
#include "errors.hpp"
#include "fork.hpp"
#include "text.hpp"

namespace fourcast {

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

void refuse_finished(const Position& position) {
    if (!position.is_over()) return;
    throw FinishedGameError(text("the game is over, there is nothing to solve: ",
                                 position.is_draw() ? "a draw" : "somebody has won", "\n",
                                 position.diagram()));
}

/// The open columns, nearest to the center first.
std::vector<int> from_the_center(const Position& position) {
    auto columns = columns_from_center(position.width());
    std::erase_if(columns, [&](int column) { return !position.can_play(column); });
    return columns;
}

/// The open columns from the edges inwards: the last one, which may follow from the others, is most
/// likely the best.
std::vector<int> towards_the_center(const Position& position) {
    auto columns = from_the_center(position);
    std::reverse(columns.begin(), columns.end());
    return columns;
}

/// The range in which a search looks for a score: no score of a board lies beyond it.
int score_bound(const Position& position) { return (position.cells() + 1) / 2; }

}  // namespace

/// Where a thread asks its questions: the session of the board it works on, kept from one to the next.
class Solver::Desk {
  public:
    explicit Desk(Solver& solver) : solver_(solver) {}
    Engine::Session& session_for(const Position& position) {
        if (!session_ || position.width() != width_ || position.height() != height_) {
            width_ = position.width();
            height_ = position.height();
            session_.reset();
            engine_ = solver_.engine_for(position);
            session_ = engine_->open();
        }
        return *session_;
    }

  private:
    Solver& solver_;
    int width_ = 0;
    int height_ = 0;
    std::shared_ptr<Engine> engine_;  // outlives the session, whatever `clear` does
    std::unique_ptr<Engine::Session> session_;
};

/// One call of the solver's: its limits, its count, and the way out of it.
class Solver::Call final : public StopCondition {
  public:
    Call(const Solver& solver, Desk& desk_of_thread, const Limit& limit, Check check)
        : Call(solver, desk_of_thread, limit, check, solver.epoch_.load()) {}
    /// Part of a longer call that began when the epoch was `epoch`.
    Call(const Solver& solver, Desk& desk_of_thread, const Limit& limit, Check check, u64 epoch)
        : desk(desk_of_thread), solver_(solver), limit_(limit), check_(check), epoch_(epoch) {}

    bool should_stop() override {
        if (stopped_) return true;
        stopped_ = solver_.epoch_.load(std::memory_order_relaxed) != epoch_ || out_of_time() ||
                   is_interrupted();
        return stopped_;
    }
    u64 nodes_left() const { return limit_.nodes - std::min(limit_.nodes, nodes); }
    double time_s() const { return seconds_since(start_); }
    /// Throw what the check threw, if it did.
    void finish() const {
        if (interruption_) std::rethrow_exception(interruption_);
    }

    Desk& desk;
    u64 nodes = 0;

  private:
    bool out_of_time() const {
        return limit_.time_s != std::numeric_limits<double>::infinity() && time_s() >= limit_.time_s;
    }
    bool is_interrupted() {
        if (check_ == nullptr || Clock::now() < next_check_) return false;
        next_check_ = Clock::now() + std::chrono::milliseconds(50);
        try {
            check_();
        } catch (...) {
            // Not thrown through the search: other threads may be at work on the same question.
            interruption_ = std::current_exception();
            return true;
        }
        return false;
    }

    const Solver& solver_;
    Limit limit_;
    Check check_;
    u64 epoch_;
    Clock::time_point start_ = Clock::now();
    Clock::time_point next_check_ = start_ + std::chrono::milliseconds(50);
    bool stopped_ = false;
    std::exception_ptr interruption_;
};

Solver::Solver(const Options& options) : options_(options) {}

std::shared_ptr<Engine> Solver::engine_for(const Position& position) {
    const ForkLock lock;
    auto& engine = engines_[{position.width(), position.height()}];
    if (!engine) {
        engine = make_engine(
            {position.width(), position.height(), options_.table_mb << 20, options_.features});
    }
    return engine;
}

std::optional<int> Solver::look_up(const Position& position) const {
    for (const auto& book : options_.books)
        if (book->covers(position)) return book->score(position);
    return std::nullopt;
}

Answer Solver::ask(const Position& position, int lower, int upper, int threads, Call& call) {
    if (const auto score = look_up(position)) return {*score, *score, 0, true};
    const Question question{
        position.stones(position.turn()), position.mask(), lower, upper, call.nodes_left(), threads};
    const Answer answer = call.desk.session_for(position).solve(question, call);
    call.nodes += answer.nodes;
    return answer;
}

Result Solver::solve(const Position& position, const Limit& limit, Goal goal, bool with_best_columns,
                     Check check) {
    refuse_finished(position);
    Desk desk(*this);
    Call call(*this, desk, limit, check);
    const int bound = goal == Goal::score ? score_bound(position) : 1;
    const Answer answer = ask(position, -bound, bound, options_.threads, call);
    Result result(position, answer.lower, answer.upper, answer.complete);
    if (with_best_columns && answer.complete && goal == Goal::score)
        result.best_columns = best_columns(position, answer.lower, call);
    call.finish();
    result.nodes = call.nodes;
    result.time_s = call.time_s();
    return result;
}

int Solver::score(const Position& position, Check check) {
    const Result result = solve(position, {}, Goal::score, false, check);
    if (!result.complete) throw StoppedError("the solver was stopped before it knew the score");
    return result.lower;
}

/// The moves that keep `score`, the exact score of the position; nothing if the limit is reached.
std::optional<ColumnSet> Solver::best_columns(const Position& position, int score, Call& call) {
    ColumnSet best = 0;
    const auto columns = towards_the_center(position);
    for (const int column : columns) {
        // One of them keeps it: the last, if none before it does.
        if (best == 0 && column == columns.back()) return ColumnSet{1} << column;
        const Position child = position.play(column);
        if (child.is_over()) {
            if (-final_score(child) == score) best |= ColumnSet{1} << column;
            continue;
        }
        const Answer answer = ask(child, -score, -score + 1, options_.threads, call);
        if (!answer.complete) return std::nullopt;
        if (answer.upper <= -score) best |= ColumnSet{1} << column;
    }
    return best;
}

/// Best play from a position with this exact score to the end of the game, or as far as the limit lets.
std::vector<int> Solver::variation(Position position, int score, Call& call) {
    std::vector<int> columns;
    while (!position.is_over()) {
        std::optional<int> best;
        for (const int column : from_the_center(position)) {
            const Position child = position.play(column);
            if (child.is_over()) {
                if (-final_score(child) == score) best = column;
            } else {
                const Answer answer = ask(child, -score, -score + 1, options_.threads, call);
                if (!answer.complete) return columns;
                if (answer.upper <= -score) best = column;
            }
            if (best) break;
        }
        if (!best) break;
        columns.push_back(*best);
        position = position.play(*best);
        score = -score;
    }
    return columns;
}

Analysis Solver::analyze(const Position& position, const Limit& limit, bool variations, Check check) {
    refuse_finished(position);
    Desk desk(*this);
    Call call(*this, desk, limit, check);
    auto lines = root_lines(position, call);
    for (Line& line : lines) {
        if (!variations || !line.is_exact()) continue;
        const auto rest = variation(position.play(line.column), -line.lower, call);
        line.variation.insert(line.variation.end(), rest.begin(), rest.end());
    }
    call.finish();
    Analysis analysis = Analysis::of(position, std::move(lines));
    analysis.result.nodes = call.nodes;
    analysis.result.time_s = call.time_s();
    return analysis;
}

/// What each open column is worth.
std::vector<Line> Solver::root_lines(const Position& position, Call& call) {
    const int bound = score_bound(position);
    // If the book has the position, no column is worth more, and one is worth as much.
    const std::optional<int> score = look_up(position);
    const int most = score.value_or(bound);
    const auto columns = score ? towards_the_center(position) : from_the_center(position);
    int best_upper = -bound;
    std::vector<Line> lines;
    for (const int column : columns) {
        const Position child = position.play(column);
        Line line(position, column, 0, 0);
        if (child.is_over()) {
            line.lower = line.upper = -final_score(child);
        } else if (column == columns.back() && score && best_upper < *score) {
            line.lower = line.upper = *score;
        } else {
            const Answer answer = ask(child, -most, bound, options_.threads, call);
            const Result reply(child, answer.lower, answer.upper, answer.complete);
            line.lower = -reply.upper;
            line.upper = std::min(-reply.lower, most);
        }
        best_upper = std::max(best_upper, line.upper);
        lines.push_back(std::move(line));
    }
    return lines;
}

std::vector<Result> Solver::solve_many(const std::vector<Position>& positions, const Limit& limit,
                                       Goal goal, int threads, Progress& progress, Check check) {
    for (const Position& position : positions) refuse_finished(position);
    std::vector<Result> results;
    results.reserve(positions.size());
    for (const Position& position : positions) results.push_back(Result::unknown(position));
    const u64 epoch = epoch_.load();
    // Easy positions take less time than handing out a number: many get some at once, few one at a time.
    const std::size_t block =
        std::clamp<std::size_t>(positions.size() / (32 * static_cast<std::size_t>(threads)), 1, 32);
    alignas(64) std::atomic<std::size_t> next{0};
    alignas(64) std::atomic<std::size_t> done{0};
    std::atomic<bool> give_up{false};
    std::exception_ptr failure;
    std::mutex mutex;
    std::condition_variable finished;
    int running = threads;

    const auto solve_blocks = [&] {
        Desk desk(*this);
        for (std::size_t start; (start = next.fetch_add(block)) < positions.size();) {
            for (std::size_t i = start; i < std::min(start + block, positions.size()); ++i) {
                if (give_up || epoch_.load() != epoch) return;
                const Position& position = positions[i];
                Call call(*this, desk, limit, nullptr, epoch);
                const int bound = goal == Goal::score ? score_bound(position) : 1;
                const Answer answer = ask(position, -bound, bound, 1, call);
                results[i] = Result(position, answer.lower, answer.upper, answer.complete);
                results[i].nodes = call.nodes;
                results[i].time_s = call.time_s();
                done.fetch_add(1, std::memory_order_relaxed);
            }
        }
    };
    const auto work = [&] {
        try {
            solve_blocks();
        } catch (...) {
            const std::lock_guard<std::mutex> guard(mutex);
            failure = std::current_exception();
            give_up = true;
        }
        const std::lock_guard<std::mutex> guard(mutex);
        --running;
        finished.notify_one();
    };

    std::vector<std::thread> workers;
    for (int i = 0; i < threads; ++i) workers.emplace_back(work);
    {
        std::unique_lock<std::mutex> lock(mutex);
        while (!finished.wait_for(lock, std::chrono::milliseconds(50), [&] { return running == 0; })) {
            if (give_up) continue;
            lock.unlock();
            std::exception_ptr interruption;
            try {
                if (check != nullptr) check();
                progress.report(done.load());
            } catch (...) {
                interruption = std::current_exception();
            }
            lock.lock();
            if (interruption) {
                failure = interruption;
                give_up = true;
                stop();
            }
        }
    }
    for (auto& worker : workers) worker.join();
    if (failure) std::rethrow_exception(failure);
    progress.report(done.load());
    return results;
}

void Solver::clear() {
    const ForkLock lock;
    engines_.clear();
}

}  // namespace fourcast
