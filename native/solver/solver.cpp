#include "solver.hpp"

#include <algorithm>
#include <chrono>
#include <exception>
#include <limits>

#include "board/center.hpp"
#include "search/line_order.hpp"
#include "system/errors.hpp"
#include "system/fork.hpp"
#include "system/parallel.hpp"

namespace fourcast {

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

void refuse_finished(const Position& position) {
    if (position.rules().pop) throw OptionError("error.pop_score");
    if (!position.is_over()) return;
    throw FinishedGameError(position.is_draw() ? "error.solve_drawn" : "error.solve_won",
                            {{"diagram", position.diagram()}});
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

/// Per-thread cache of the engine session for the current board size.
class Solver::SessionCache {
  public:
    explicit SessionCache(Solver& solver) : solver_(solver) {}
    Engine::Session& session_for(const Position& position) {
        if (!session_ || !board_.is_of(position)) {
            board_ = position;
            session_.reset();
            engine_ = solver_.engine_for(position);
            session_ = engine_->open();
        }
        return *session_;
    }

  private:
    Solver& solver_;
    BoardKind board_;
    std::shared_ptr<Engine> engine_;  // outlives the session, whatever `clear` does
    Engine::Lease session_;
};

/// State of one solver call, or of one position of a bulk call: limits, node count, stop condition.
class Solver::CallState final : public StopCondition {
  public:
    /// `team_stop` is set when another thread of a bulk call has failed, which began when the solver had
    /// been stopped `stops_before` times.
    CallState(const Solver& solver, SessionCache& sessions_of_thread, const Limit& limit,
              const StopToken& token, const Check& check, int search_threads, u64 stops_before,
              const std::atomic<bool>* team_stop = nullptr)
        : sessions(sessions_of_thread),
          threads(search_threads),
          limit_(limit),
          token_(token),
          check_(check),
          stops_(*solver.stops_),
          stops_before_(stops_before),
          team_stop_(team_stop) {}

    bool should_stop() override {
        if (!stopped_) stopped_ = is_told_to_stop() || out_of_time() || is_interrupted();
        return stopped_;
    }
    bool is_told_to_stop() const {
        return stops_.load(std::memory_order_relaxed) != stops_before_ || token_.is_stopped() ||
               (team_stop_ != nullptr && *team_stop_);
    }
    u64 nodes_left() const { return limit_.nodes - std::min(limit_.nodes, nodes); }
    /// For calls with a time limit, and those that tell how long they took. Not for the others: reading
    /// the clock takes as long as an easy question.
    void start_clock() { start_ = Clock::now(); }
    /// Throws what the check threw, if it did.
    void rethrow_interruption() const {
        if (interruption_) std::rethrow_exception(interruption_);
    }
    /// Puts the effort into the result of the call.
    void finish(Result& result) const {
        rethrow_interruption();
        result.nodes = nodes;
        result.time_s = time_s();
    }

    SessionCache& sessions;
    const int threads;  // for each question
    u64 nodes = 0;

  private:
    double time_s() const { return seconds_since(*start_); }
    bool out_of_time() const {
        return limit_.time_s != std::numeric_limits<double>::infinity() && time_s() >= limit_.time_s;
    }
    bool is_interrupted() {
        if (!check_) return false;
        const auto now = Clock::now();
        if (!next_check_) next_check_ = now + check_interval;
        if (now < *next_check_) return false;
        try {
            check_();
        } catch (...) {
            // Not thrown through the search: other threads may be at work on the same question.
            interruption_ = std::current_exception();
            return true;
        }
        next_check_ = Clock::now() + check_interval;
        return false;
    }

    const Limit& limit_;
    const StopToken& token_;
    const Check& check_;
    const std::atomic<u64>& stops_;
    u64 stops_before_;
    const std::atomic<bool>* team_stop_;
    std::optional<Clock::time_point> start_;
    std::optional<Clock::time_point> next_check_;
    bool stopped_ = false;
    std::exception_ptr interruption_;
};

Solver::Solver(const Options& options) : options_(options) {}

StopToken Solver::make_token() const {
    StopToken token;
    token.own_ = std::make_shared<std::atomic<bool>>(false);
    token.stops_ = stops_;
    token.stops_before_ = *stops_;
    return token;
}

std::shared_ptr<Engine> Solver::engine_for(const Position& position) {
    std::shared_ptr<Engine> dropped;  // and freed when the lock is not held any more
    const ForkLock lock;
    auto found = std::find_if(engines_.begin(), engines_.end(),
                              [&](const SizedEngine& each) { return each.board.is_of(position); });
    if (found == engines_.end()) {
        auto engine = make_engine({.width = position.width(),
                                   .height = position.height(),
                                   .table_bytes = options_.table_mb << 20,
                                   .features = options_.features,
                                   .rules = position.rules()});
        if (engines_.size() == kept_engines) {
            dropped = std::move(engines_.back().engine);
            engines_.pop_back();
        }
        engines_.push_back({position, std::move(engine)});
        found = engines_.end() - 1;
    }
    std::rotate(engines_.begin(), found, found + 1);
    return engines_.front().engine;
}

void Solver::clear() {
    std::vector<SizedEngine> dropped;
    const ForkLock lock;
    engines_.swap(dropped);
}

std::optional<int> Solver::look_up(const Position& position) const {
    for (const auto& book : options_.books)
        if (book->covers(position)) return book->score(position);
    return std::nullopt;
}

/// The line book that has the lines of this position, or nullptr.
const LineBook* Solver::line_book_for(const Position& root) const {
    for (const auto& book : options_.books)
        if (book->lines() != nullptr && book->lines()->has_lines_of(root)) return book->lines();
    return nullptr;
}

Answer Solver::ask(const Position& position, int lower, int upper, CallState& call) {
    if (const auto score = look_up(position))
        return {.lower = *score, .upper = *score, .nodes = 0, .complete = true};
    if (call.is_told_to_stop()) {
        const int bound = score_bound(position);
        return {.lower = -bound, .upper = bound, .nodes = 0, .complete = false};
    }
    const Question question{.mover = position.discs(position.turn()),
                            .mask = position.mask(),
                            .lower = lower,
                            .upper = upper,
                            .node_limit = call.nodes_left(),
                            .threads = call.threads};
    const Answer answer = call.sessions.session_for(position).solve(question, call);
    call.nodes += answer.nodes;
    return answer;
}

Result Solver::solve(const Position& position, const Limit& limit, Goal goal, bool with_best_columns,
                     const Check& check, const StopToken& token) {
    refuse_finished(position);
    SessionCache sessions(*this);
    CallState call(*this, sessions, limit, token, check, options_.threads, *stops_);
    return solve_position(position, goal, with_best_columns, call);
}

int Solver::score(const Position& position, const Check& check, const StopToken& token) {
    refuse_finished(position);
    const Limit no_limit;
    SessionCache sessions(*this);
    CallState call(*this, sessions, no_limit, token, check, options_.threads, *stops_);
    const int bound = score_bound(position);
    const Answer answer = ask(position, -bound, bound, call);
    call.rethrow_interruption();
    if (!answer.complete) throw StoppedError("error.stopped");
    return answer.lower;
}

Result Solver::bound(const Position& position, int alpha, const Limit& limit, const Check& check,
                     const StopToken& token) {
    refuse_finished(position);
    SessionCache sessions(*this);
    CallState call(*this, sessions, limit, token, check, options_.threads, *stops_);
    call.start_clock();
    const int bound = score_bound(position);
    const int lower = std::clamp(alpha, -bound, bound - 1);
    const Answer answer = ask(position, lower, lower + 1, call);
    Result result(position, answer.lower, answer.upper, answer.complete);
    call.finish(result);
    return result;
}

Analysis Solver::analyze(const Position& position, const Limit& limit, bool variations,
                         const Check& check, const StopToken& token, const Analysis* known) {
    refuse_finished(position);
    SessionCache sessions(*this);
    CallState call(*this, sessions, limit, token, check, options_.threads, *stops_);
    return analyze_position(position, variations, call, known);
}

Result Solver::solve_position(const Position& position, Goal goal, bool with_best_columns,
                              CallState& call) {
    call.start_clock();
    const int bound = goal == Goal::score ? score_bound(position) : 1;
    const Answer answer = ask(position, -bound, bound, call);
    Result result(position, answer.lower, answer.upper, answer.complete);
    if (with_best_columns && answer.complete && goal == Goal::score)
        result.best_columns = best_columns(position, answer.lower, call);
    call.finish(result);
    return result;
}

Analysis Solver::analyze_position(const Position& position, bool variations, CallState& call,
                                  const Analysis* known) {
    call.start_clock();
    auto lines = root_lines(position, call, known);
    for (Line& line : lines)
        if (variations && line.is_exact()) extend_variation(line, call);
    Analysis analysis = Analysis::of(position, std::move(lines));
    call.finish(analysis);
    return analysis;
}

/// The moves that keep `score`, the exact score of the position; nothing if the limit is reached.
std::optional<ColumnSet> Solver::best_columns(const Position& position, int score, CallState& call) {
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
        const Answer answer = ask(child, -score, -score + 1, call);
        if (!answer.complete) return std::nullopt;
        if (answer.upper <= -score) best |= ColumnSet{1} << column;
    }
    return best;
}

/// Extends the variation of a line whose score is exact by best play to the end of the game, or as far
/// as the limit lets.
void Solver::extend_variation(Line& line, CallState& call) {
    Position position = line.position.play(line.column);
    int score = -line.lower;
    const LineBook* const known = line_book_for(line.position);
    LineOrder order;
    for (std::size_t next = 1; !position.is_over(); ++next) {
        // Asked also about the moves that are there: the order depends on those before.
        const auto columns = order.columns(position, score);
        if (next == line.variation.size()) {
            const auto best = known != nullptr && known->covers(position)
                                  ? columns[known->choice(position, columns.size() - 1)]
                                  : first_to_keep(position, columns, score, call);
            if (!best) return;
            line.variation.push_back(*best);
        }
        position = position.play(line.variation[next]);
        score = -score;
    }
}

/// The first of these columns, which are all open ones, that keeps the exact score of the position;
/// nothing if the limit is reached.
std::optional<int> Solver::first_to_keep(const Position& position, const std::vector<int>& columns,
                                         int score, CallState& call) {
    for (const int column : columns) {
        // One of them keeps it: the last, if none before it does.
        if (column == columns.back()) break;
        const Position child = position.play(column);
        if (child.is_over()) {
            if (-final_score(child) == score) return column;
            continue;
        }
        const Answer answer = ask(child, -score, -score + 1, call);
        if (!answer.complete) return std::nullopt;
        if (answer.upper <= -score) return column;
    }
    return columns.back();
}

/// What each open column is worth.
std::vector<Line> Solver::root_lines(const Position& position, CallState& call, const Analysis* known) {
    const int bound = score_bound(position);
    // If the book has the position, no column is worth more, and one is worth as much.
    const std::optional<int> score = look_up(position);
    const int most = score.value_or(bound);
    const auto columns = score ? towards_the_center(position) : from_the_center(position);
    int best_upper = -bound;
    std::vector<Line> lines;
    for (const int column : columns) {
        const Position child = position.play(column);
        Line line(position, column, -bound, bound);
        if (known != nullptr)
            line =
                *std::ranges::find(known->lines, column, [](const Line& each) { return each.column; });
        if (line.is_exact()) {
            // There is nothing to find.
        } else if (child.is_over()) {
            line.lower = line.upper = -final_score(child);
        } else if (column == columns.back() && score && best_upper < *score) {
            line.lower = line.upper = *score;
        } else {
            const Answer answer = ask(child, -std::min(line.upper, most), -line.lower, call);
            const Result reply(child, answer.lower, answer.upper, answer.complete);
            line.lower = std::max(line.lower, -reply.upper);
            line.upper = std::min({line.upper, -reply.lower, most});
        }
        best_upper = std::max(best_upper, line.upper);
        lines.push_back(std::move(line));
    }
    return lines;
}

/// Calls work(i, call) for each position, on several threads of which the caller's is one.
template <class Work>
void Solver::for_each(const Positions& positions, const Bulk& bulk, const Work& work) {
    for (const Position& position : positions) refuse_finished(position);
    const u64 stops_before = *stops_;
    // Easy positions take less time than handing out a number: many get some at once, few one at a time.
    const std::size_t block =
        std::clamp<std::size_t>(positions.size() / (32 * static_cast<std::size_t>(bulk.threads)), 1, 32);
    alignas(64) std::atomic<std::size_t> next{0};
    alignas(64) std::atomic<std::size_t> done{0};
    alignas(64) std::atomic<bool> stop{false};  // not on a line that others write to
    const Check no_check;
    const Check check_and_report = [&] {
        if (bulk.check) bulk.check();
        if (bulk.progress) bulk.progress(done);
    };
    const auto solve_blocks = [&](int index) {
        const Check& own_check = index == 0 ? check_and_report : no_check;
        Poll poll(own_check);
        SessionCache sessions(*this);
        for (std::size_t start; (start = next.fetch_add(block)) < positions.size();) {
            poll();
            const std::size_t end = std::min(start + block, positions.size());
            for (std::size_t i = start; i < end; ++i) {
                CallState call(*this, sessions, bulk.limit, bulk.token, own_check, 1, stops_before,
                               &stop);
                if (call.is_told_to_stop()) return;
                work(i, call);
            }
            done.fetch_add(end - start, std::memory_order_relaxed);
        }
    };
    run_in_parallel(bulk.threads, solve_blocks, stop, &check_and_report);
    if (bulk.progress) bulk.progress(done);
}

std::vector<Result> Solver::solve_many(const Positions& positions, Goal goal, const Bulk& bulk) {
    // Those that a stop keeps from beginning have the bounds that hold for every position.
    std::vector<Result> results;
    results.reserve(positions.size());
    for (const Position& position : positions) results.push_back(Result::unknown(position));
    for_each(positions, bulk, [&](std::size_t i, CallState& call) {
        results[i] = solve_position(positions[i], goal, false, call);
    });
    return results;
}

std::vector<Analysis> Solver::analyze_many(const Positions& positions, bool variations,
                                           const Bulk& bulk) {
    std::vector<Analysis> analyses(positions.size());
    for_each(positions, bulk, [&](std::size_t i, CallState& call) {
        analyses[i] = analyze_position(positions[i], variations, call);
    });
    for (std::size_t i = 0; i < positions.size(); ++i)
        if (analyses[i].lines.empty()) analyses[i] = Analysis::unknown(positions[i]);
    return analyses;
}

void Solver::score_each(const Positions& positions, const Bulk& bulk, const TakeScore& take) {
    for_each(positions, bulk, [&](std::size_t i, CallState& call) {
        const Result result = solve_position(positions[i], Goal::score, false, call);
        if (const auto score = result.score()) take(i, *score);
    });
}

void Solver::score_columns_of_each(const Positions& positions, const Bulk& bulk,
                                   const TakeColumn& take) {
    for_each(positions, bulk, [&](std::size_t i, CallState& call) {
        call.start_clock();
        for (const Line& line : root_lines(positions[i], call, nullptr))
            if (const auto score = line.score()) take(i, line.column, *score);
        call.rethrow_interruption();
    });
}

}  // namespace fourcast
