// The engine and the solver: exact whatever is switched off, however small the table, however many
// threads.
#include "solver/solver.hpp"

#if !defined(_WIN32)
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>
#endif

#include <array>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <optional>
#include <thread>

#include "board/moves_text.hpp"
#include "oracle.hpp"
#include "search/feature_names.hpp"
#include "search/kernels.hpp"
#include "system/errors.hpp"
#include "system/text.hpp"
#include "system/thread.hpp"
#include "testing.hpp"

namespace fourcast {
namespace {

using testing::Board;

class Patience final : public StopCondition {
    bool should_stop() override { return false; }
};

struct Asked {
    Board<u128> board;
    int score;
};

template <class Shape>
Board<u128> widened(const Board<typename Shape::Bits>& board) {
    return {board.mover, board.mask, board.ply};
}

Question exactly(const Board<u128>& board, int threads = 1, u64 node_limit = ~u64{0}) {
    return {board.mover, board.mask, -99, 99, node_limit, threads};
}

/// Random positions with their scores by minimax.
template <class Shape>
std::vector<Asked> random_asked(const Shape& shape, int least, int most, int count, unsigned seed) {
    std::mt19937 random(seed);
    std::vector<Asked> result;
    for (int i = 0; i < count; ++i) {
        const int empties = least + static_cast<int>(random() % static_cast<unsigned>(most - least + 1));
        const auto board = testing::random_board(shape, empties, random, i % 2 == 0);
        result.push_back({widened<Shape>(board), testing::minimax(shape, board)});
    }
    return result;
}

void check_scores(Engine& engine, const std::vector<Asked>& all, const std::string& what,
                  int threads = 1) {
    Patience patience;
    for (const Asked& asked : all) {
        const Answer answer = engine.open()->solve(exactly(asked.board, threads), patience);
        if (!answer.complete || answer.lower != asked.score || answer.upper != asked.score) {
            testing::fail(__FILE__, __LINE__)
                << what << ": " << answer.lower << " .. " << answer.upper << " instead of "
                << asked.score << " for " << decimal(asked.board.mover) << ", "
                << decimal(asked.board.mask) << "\n";
        }
    }
}

struct Variant {
    std::string name;
    Features features;
};

/// All features, each of them off in turn, and none at all.
std::vector<Variant> variants() {
    std::vector<Variant> result{{"all features", {}}};
    Features none;
    for (const auto& [name, member] : all_features) {
        Features features;
        features.*member = none.*member = false;
        result.push_back({text("without ", name), features});
    }
    result.push_back({"no features", none});
    return result;
}

template <class Shape>
void check_variants(const Shape& shape, int most, int count, unsigned seed) {
    const auto asked = random_asked(shape, 0, most, count, seed);
    for (const Variant& variant : variants()) {
        const auto engine =
            make_engine({shape.width(), shape.height(), std::size_t{4} << 20, variant.features});
        check_scores(*engine, asked, variant.name);
    }
}

TEST("10,000 positions near the end have the scores of minimax, with each feature off in turn") {
    check_variants(StandardShape{}, 12, 10'000, 1);
}

TEST("Positions near the end of other boards have the scores of minimax, likewise") {
    for (const auto& [width, height] :
         {std::pair{4, 4}, {5, 5}, {6, 5}, {5, 6}, {4, 7}, {9, 4}, {8, 6}, {6, 7}})
        check_variants(AnyShape<u64>(width, height), 11, 1000, 2);
    check_variants(AnyShape<u128>(9, 7), 9, 500, 3);
}

/// All sizes of 57 to 64 bits: one word, which their keys take whole.
constexpr std::pair<int, int> word_sizes[] = {{4, 14}, {4, 15}, {5, 11}, {6, 9}, {7, 8},
                                              {8, 7},  {9, 6},  {10, 5}, {12, 4}};

TEST("Positions near the end of boards that take a whole word have the scores of minimax, likewise") {
    for (const auto& [width, height] : word_sizes)
        check_variants(AnyShape<u64>(width, height), 11, 500, 4);
}

TEST("Symmetric positions, and positions and their mirror images, have the scores of minimax") {
    std::mt19937 random(14);
    for (const auto& [width, height] : word_sizes) {
        const AnyShape<u64> shape(width, height);
        std::vector<Asked> asked;
        const auto add = [&](const Board<u64>& board, int score) {
            asked.push_back({widened<AnyShape<u64>>(board), score});
        };
        for (int i = 0; i < 300; ++i) {
            const int empties = 8 + static_cast<int>(random() % 4);
            const auto symmetric = testing::symmetric_board(shape, empties, random);
            CHECK(shape.mirror(symmetric.mover) == symmetric.mover);
            add(symmetric, testing::minimax(shape, symmetric));
            const auto board = testing::random_board(shape, empties, random, true);
            const int score = testing::minimax(shape, board);
            add(board, score);
            add({shape.mirror(board.mover), shape.mirror(board.mask), board.ply}, score);
        }
        for (const std::size_t bytes : {std::size_t{256}, std::size_t{4} << 20}) {
            const auto engine = make_engine({width, height, bytes, {}});
            check_scores(*engine, asked, "symmetric");
        }
    }
}

/// The search without anything that proves or guesses.
Features plain_features() {
    Features features;
    features.proofs = features.child_proofs = features.hold = features.dead_discs = false;
    features.endgame = features.local_games = false;
    return features;
}

TEST("The search of the endgame has the scores of the plain search on every kind of narrow board") {
    Patience patience;
    std::mt19937 random(12);
    std::vector<std::pair<int, int>> sizes{{7, 6},  {7, 7},  {8, 6},  {9, 5}, {6, 7}, {11, 4},
                                           {4, 13}, {5, 10}, {10, 4}, {6, 8}, {4, 6}};
    sizes.insert(sizes.end(), std::begin(word_sizes), std::end(word_sizes));
    for (const auto& [width, height] : sizes) {
        const AnyShape<u64> shape(width, height);
        const std::size_t bytes = std::size_t{4} << 20;
        const auto plain = make_engine({width, height, bytes, plain_features()});
        const auto engine = make_engine({width, height, bytes, {}});
        std::vector<Asked> asked;
        for (int i = 0; i < 300; ++i) {
            const int empties = 13 + static_cast<int>(random() % 9);
            const auto board = widened<AnyShape<u64>>(
                testing::random_board(shape, std::min(empties, width * height - 4), random, i % 4 != 0));
            asked.push_back({board, plain->open()->solve(exactly(board), patience).lower});
        }
        check_scores(*engine, asked, "endgame");
    }
}

TEST("Positions that refuted an earlier static proof have the right scores") {
    Solver solver({1, 1, {}});
    const auto score = [&](std::u32string_view moves) {
        return solver.score(play_text(Position(), moves), nullptr);
    };
    CHECK_EQUAL(score(U"4674124315136524424176276"), 1);
    CHECK_EQUAL(score(U"11651346744471545127266"), -2);
}

/// Middle-game positions with the score that a full engine gives.
std::vector<Asked> middle_game(int least, int most, int count, unsigned seed) {
    std::mt19937 random(seed);
    std::vector<Asked> result;
    const auto engine = make_engine({7, 6, std::size_t{32} << 20, {}});
    Patience patience;
    const StandardShape shape;
    for (int i = 0; i < count; ++i) {
        const int empties = least + static_cast<int>(random() % static_cast<unsigned>(most - least + 1));
        const auto board =
            widened<StandardShape>(testing::random_board(shape, empties, random, i % 4 != 0));
        result.push_back({board, engine->open()->solve(exactly(board), patience).lower});
    }
    return result;
}

TEST("The smallest tables give the scores of a large one") {
    const auto asked = middle_game(14, 24, 300, 4);
    for (const std::size_t entries : {1U, 64U, 1024U}) {
        const auto engine = make_engine({7, 6, entries * 16, {}});
        check_scores(*engine, asked, "tiny table");
    }
}

void choose_kernel(const char* name) {
#if defined(_WIN32)
    _putenv_s("FOURCAST_KERNEL", name);
#else
    setenv("FOURCAST_KERNEL", name, 1);
#endif
}

TEST("Every kernel that this processor runs gives the same scores by the same nodes") {
    const auto names = kernel_names();
    CHECK(!names.empty());
    const char* const asked_for = std::getenv("FOURCAST_KERNEL");
    const std::string before = asked_for == nullptr ? "" : asked_for;
    std::vector<std::unique_ptr<Engine>> engines;
    for (const char* const name : names) {
        choose_kernel(name);
        CHECK_EQUAL(std::string(kernel_name()), std::string(name));
        engines.push_back(make_engine({7, 6, std::size_t{8} << 20, {}}));
    }
    choose_kernel(before.c_str());
    Patience patience;
    for (const Asked& asked : middle_game(14, 26, 300, 5)) {
        std::optional<u64> nodes;
        for (const auto& engine : engines) {
            const Answer answer = engine->open()->solve(exactly(asked.board), patience);
            CHECK_EQUAL(answer.lower, asked.score);
            CHECK_EQUAL(answer.upper, asked.score);
            CHECK_EQUAL(answer.nodes, nodes.value_or(answer.nodes));
            nodes = answer.nodes;
        }
    }
}

TEST("A node limit is kept, and what is proven by then is true") {
    const auto asked = middle_game(16, 28, 200, 6);
    Patience patience;
    int incomplete = 0;
    for (const int threads : {1, 2, 4}) {
        for (const u64 limit : {u64{1}, u64{30}, u64{300}, u64{3000}}) {
            const auto engine = make_engine({7, 6, std::size_t{1} << 20, {}});
            for (const Asked& each : asked) {
                const Answer answer =
                    engine->open()->solve(exactly(each.board, threads, limit), patience);
                CHECK(answer.nodes <= limit + static_cast<u64>(threads) + 1);
                CHECK(answer.lower <= each.score && each.score <= answer.upper);
                CHECK_EQUAL(answer.complete, answer.lower == answer.upper);
                incomplete += answer.complete ? 0 : 1;
            }
        }
    }
    CHECK(incomplete > 300);
}

TEST("A node limit is kept and used up by any number of threads") {
    Patience patience;
    const Position hard[] = {Position(), play_text(Position(), U"44"),
                             play_text(Position(), U"2221172654"), Position(8, 8), Position(6, 7)};
    int stopped = 0;
    for (const Position& position : hard) {
        for (const int threads : {1, 2, 4, 7, 32}) {
            for (const u64 limit : {1U, 2U, 10U, 100U, 1'000U, 1'024U, 5'000U, 20'000U, 100'000U}) {
                const auto engine =
                    make_engine({position.width(), position.height(), std::size_t{1} << 20, {}});
                const Answer answer = engine->open()->solve(
                    {position.discs(position.turn()), position.mask(), -99, 99, limit, threads},
                    patience);
                CHECK(answer.nodes <= limit + static_cast<u64>(threads) + 1);
                CHECK(answer.complete || answer.nodes >= limit);
                stopped += answer.complete ? 0 : 1;
            }
        }
    }
    CHECK(stopped > 100);
}

TEST("A narrow question is answered as far as it was asked") {
    const auto engine = make_engine({7, 6, std::size_t{4} << 20, {}});
    Patience patience;
    for (const Asked& each : middle_game(12, 24, 200, 7)) {
        for (int low = -3; low <= 3; ++low) {
            const Answer answer = engine->open()->solve(
                {each.board.mover, each.board.mask, low, low + 1, ~u64{0}, 1}, patience);
            CHECK(answer.complete);
            CHECK(answer.lower <= each.score && each.score <= answer.upper);
            CHECK(answer.upper <= low || answer.lower > low);
        }
    }
}

Position position_of(const Asked& asked) {
    const u128 other = asked.board.mover ^ asked.board.mask;
    const bool first_moves = asked.board.ply % 2 == 0;
    return Position::from_discs(first_moves ? asked.board.mover : other,
                                first_moves ? other : asked.board.mover, 7, 6);
}

TEST("8 threads ask one solver 1,000 times each, and every answer is right") {
    const auto asked = middle_game(10, 20, 1000, 8);
    Solver solver({1, 1, {}});
    std::atomic<int> wrong{0};
    std::vector<std::thread> threads;
    for (std::size_t t = 0; t < 8; ++t) {
        threads.emplace_back([&, t] {
            for (std::size_t i = 0; i < asked.size(); ++i) {
                const Asked& each = asked[(i * (2 * t + 1) + 125 * t) % asked.size()];
                if (solver.score(position_of(each), nullptr) != each.score) ++wrong;
            }
        });
    }
    for (auto& thread : threads) thread.join();
    CHECK_EQUAL(wrong.load(), 0);
}

TEST("Several threads on one position find the score that one thread finds") {
    const auto asked = middle_game(18, 27, 40, 9);
    for (const int threads : {2, 3, 4}) {
        const auto engine = make_engine({7, 6, std::size_t{1} << 20, {}});
        check_scores(*engine, asked, "several threads", threads);
    }
    // Boards of more than 56 and of more than 64 bits, whose slots are of other kinds.
    for (const auto& [width, height] : {std::pair{9, 6}, {9, 7}}) {
        const auto engine = make_engine({width, height, std::size_t{1} << 20, {}});
        const auto near_end = random_asked(AnyShape<u128>(width, height), 6, 10, 300, 10);
        check_scores(*engine, near_end, "several threads, wide", 2);
    }
}

TEST("Many threads on one hard position prove only what is true, whatever ends them") {
    struct Known {
        const char32_t* moves;
        int score;
    };
    // Of tests/data/begin-hard.txt: there is much to share.
    for (const auto& [moves, score] :
         {Known{U"2562427646", 0}, {U"423516236317", 1}, {U"7772562272", -2}}) {
        const Position position = play_text(Position(), moves);
        const Board<u128> board{position.discs(position.turn()), position.mask(), position.ply()};
        Patience patience;
        for (const int threads : {2, 8, 32}) {
            const auto engine = make_engine({7, 6, std::size_t{1} << 20, {}});
            check_scores(*engine, {{board, score}}, "many threads", threads);
            for (const u64 limit : {u64{500}, u64{5'000}, u64{50'000}}) {
                const auto limited = make_engine({7, 6, std::size_t{1} << 20, {}});
                const Answer part = limited->open()->solve(exactly(board, threads, limit), patience);
                CHECK(part.lower <= score && score <= part.upper);
                // What the table holds by then is proven, too.
                check_scores(*limited, {{board, score}}, "many threads, again", threads);
            }
        }
    }
}

class StopAfter final : public StopCondition {
  public:
    explicit StopAfter(std::chrono::milliseconds time) : end_(Clock::now() + time) {}
    bool should_stop() override { return Clock::now() >= end_; }

  private:
    using Clock = std::chrono::steady_clock;
    Clock::time_point end_;
};

TEST("Many threads stop soon when they are told to") {
    using Clock = std::chrono::steady_clock;
    for (const auto& [width, height] : {std::pair{7, 6}, {8, 8}}) {
        for (const int threads : {2, 8, 32}) {
            const auto engine = make_engine({width, height, std::size_t{1} << 20, {}});
            const auto start = Clock::now();
            StopAfter stop(std::chrono::milliseconds(50));
            const Answer answer = engine->open()->solve({0, 0, -99, 99, ~u64{0}, threads}, stop);
            CHECK(!answer.complete);
            CHECK(answer.lower <= 1 && answer.upper >= 0);
            // Not how soon: this may run on a busy machine.
            CHECK(Clock::now() - start < std::chrono::seconds(10));
        }
    }
}

TEST("threads of several calls, each with threads of its own, stop and clear do not meet badly") {
    const auto asked = middle_game(20, 26, 60, 11);
    Solver solver({1, 2, {}});
    std::atomic<int> wrong{0};
    std::atomic<bool> done{false};
    std::vector<std::thread> threads;
    for (std::size_t t = 0; t < 3; ++t) {
        threads.emplace_back([&, t] {
            for (std::size_t i = 0; i < asked.size(); ++i) {
                const Asked& each = asked[(i + 20 * t) % asked.size()];
                const Result result = solver.solve(position_of(each), {}, Goal::score, true, nullptr);
                if (result.lower > each.score || result.upper < each.score) ++wrong;
                if (result.complete && result.score() != each.score) ++wrong;
            }
        });
    }
    std::thread meddler([&] {
        for (int i = 0; !done; ++i) {
            std::this_thread::sleep_for(std::chrono::milliseconds(3));
            if (i % 3 == 0)
                solver.clear();
            else
                solver.stop();
        }
    });
    for (auto& thread : threads) thread.join();
    done = true;
    meddler.join();
    CHECK_EQUAL(wrong.load(), 0);
}

#if !defined(_WIN32)

/// True if the child ends by itself, with status 0, before long.
bool ends_well(pid_t child) {
    int status = 0;
    for (int waited_ms = 0; waited_ms < 60'000; waited_ms += 5) {
        if (waitpid(child, &status, WNOHANG) == child)
            return WIFEXITED(status) && WEXITSTATUS(status) == 0;
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    kill(child, SIGKILL);
    waitpid(child, &status, 0);
    return false;
}

class Flag final : public StopCondition {
  public:
    bool should_stop() override { return flag; }
    std::atomic<bool> flag{false};
};

TEST("A child process can use an engine that was busy when it was forked") {
    for (const int size : {7, 8}) {  // narrow slots and wide ones
        // So few slots that the child needs those that somebody was writing to.
        const auto engine = make_engine({size, size == 7 ? 6 : 8, 256, {}});
        const Question question{0, 0, -99, 99, 3'000, 1};
        Flag stop;
        std::vector<std::thread> others;
        for (int i = 0; i < 3; ++i) {
            others.emplace_back([&] {
                while (!stop.flag) engine->open()->solve(question, stop);
            });
        }
        int hung = 0;
        for (int i = 0; i < 100 && hung == 0; ++i) {
            std::this_thread::sleep_for(std::chrono::microseconds(100));
            const pid_t child = fork();
            if (child == 0) {
                Patience patience;
                const Answer answer = engine->open()->solve(question, patience);
                _exit(answer.nodes >= question.node_limit ? 0 : 1);
            }
            if (!ends_well(child)) ++hung;
        }
        stop.flag = true;
        for (auto& thread : others) thread.join();
        CHECK_EQUAL(hung, 0);
    }
}

#endif

/// Runs `body` on a thread with a stack of this size.
template <class Body>
void run_with_stack(std::size_t bytes, Body body) {
    Thread(bytes, [](void* given) { (*static_cast<Body*>(given))(); }, &body).join();
}

TEST("The deepest searches take less than 1 MB of stack") {
    // As much as Python gives its threads where the system gives them less. Sanitizers need more.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    constexpr std::size_t stack_bytes = std::size_t{8} << 20;
#else
    constexpr std::size_t stack_bytes = std::size_t{1} << 20;
#endif
    // Without proofs and the table it goes down to the last discs.
    Features features;
    features.proofs = features.child_proofs = features.table = features.schedule = false;
    features.hold = features.local_games = features.endgame = false;
    for (const auto& size : {std::pair{25, 4}, {4, 31}, {11, 10}, {16, 7}, {7, 6}, {11, 4}}) {
        run_with_stack(stack_bytes, [&] {
            Patience patience;
            const auto engine = make_engine({size.first, size.second, 256, features});
            const Answer answer = engine->open()->solve({0, 0, -99, 99, 200'000, 1}, patience);
            CHECK(answer.nodes > 0);
        });
    }
}

TEST("A finished game is refused") {
    Solver solver({1, 1, {}});
    const Position won = play_text(Position(), U"1212121");
    const Position full = play_text(Position(), U"111111222222333333544444455555666666777777");
    for (const Position& position : {won, full}) {
        const char* const code = position.is_draw() ? "error.solve_drawn" : "error.solve_won";
        CHECK_THROWS(solver.score(position, nullptr), FinishedGameError, code);
        CHECK_THROWS(solver.analyze(position, {}, true, nullptr), FinishedGameError, code);
    }
}

TEST("The last discs of a game are scored as what they are") {
    Solver solver({1, 1, {}});
    const auto score = [&](std::u32string_view moves) {
        return solver.score(play_text(Position(), moves), nullptr);
    };
    CHECK_EQUAL(score(U"21113141657234567765432765432234567765432"), 1);  // a win with disc 42
    CHECK_EQUAL(score(U"11111122222233333354444445555566666677777"), 0);  // a draw
    CHECK_EQUAL(score(U"4455"), 18);
    CHECK_EQUAL(score(U"44455554221"), -15);
    CHECK_EQUAL(score(U"76461241141"), -1);
}

}  // namespace
}  // namespace fourcast
