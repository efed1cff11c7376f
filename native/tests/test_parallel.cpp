// Threads: the work is done with as many as there are, errors come back, and a refusal is no disaster.
#include "system/parallel.hpp"

#if !defined(_WIN32)
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#endif

#include <mutex>
#include <set>
#include <stdexcept>
#include <system_error>
#include <thread>

#include "board/moves_text.hpp"
#include "board/playout.hpp"
#include "players/lookahead.hpp"
#include "solver/solver.hpp"
#include "testing.hpp"

namespace fourcast {
namespace {

constexpr int items = 1000;

/// Counts each of `items` items once, whatever the number of threads.
struct Counting {
    std::atomic<int> next{0};
    std::atomic<int> done{0};
    std::atomic<bool> stop{false};

    void operator()(int) {
        while (!stop && next++ < items) ++done;
    }
};

void nap() { std::this_thread::sleep_for(std::chrono::milliseconds(1)); }

TEST("Work on threads is done once, by the caller too or without it") {
    for (const Caller caller : {Caller::works, Caller::waits}) {
        for (const int threads : {1, 2, 4, 16}) {
            Counting counting;
            std::mutex mutex;
            std::set<int> indices;
            std::set<std::thread::id> ids;
            const auto work = [&](int index) {
                {
                    const std::lock_guard guard(mutex);
                    indices.insert(index);
                    ids.insert(std::this_thread::get_id());
                }
                counting(index);
            };
            run_in_parallel(threads, work, counting.stop, nullptr, caller);
            CHECK_EQUAL(counting.done.load(), items);
            CHECK_EQUAL(static_cast<int>(indices.size()), threads);
            CHECK_EQUAL(ids.contains(std::this_thread::get_id()), caller == Caller::works);
            CHECK(!counting.stop);
        }
    }
}

TEST("The first exception of one of the threads ends the work and is thrown to the caller") {
    for (const Caller caller : {Caller::works, Caller::waits}) {
        for (const int guilty : {0, 1, 3}) {
            std::atomic<bool> stop{false};
            const auto work = [&](int index) {
                if (index == guilty) throw std::runtime_error("it was me");
                while (!stop) nap();
            };
            CHECK_THROWS(run_in_parallel(4, work, stop, nullptr, caller), std::runtime_error,
                         "it was me");
            CHECK(stop);
        }
    }
}

TEST("The caller checks while other threads work, and an exception of the check ends them") {
    for (const Caller caller : {Caller::works, Caller::waits}) {
        std::atomic<bool> stop{false};
        std::atomic<int> ended{0};
        const auto work = [&](int index) {
            if (index == 0 && caller == Caller::works) return;
            while (!stop) nap();
            ++ended;
        };
        int calls = 0;
        std::thread::id id;
        const Check check = [&] {
            id = std::this_thread::get_id();
            if (++calls == 3) throw std::runtime_error("enough");
        };
        CHECK_THROWS(run_in_parallel(3, work, stop, &check, caller), std::runtime_error, "enough");
        CHECK_EQUAL(calls, 3);
        CHECK(id == std::this_thread::get_id());
        CHECK_EQUAL(ended.load(), caller == Caller::works ? 2 : 3);
    }
}

TEST("Threads that the core starts have room for the deepest search") {
    std::atomic<bool> stop{false};
    std::atomic<int> sum{0};
    const auto work = [&](int) {
        volatile char room[thread_stack_bytes / 2];
        for (std::size_t i = 0; i < sizeof room; i += 1024) room[i] = 1;
        sum += room[sizeof room - 1024];
    };
    run_in_parallel(2, work, stop, nullptr, Caller::waits);
    CHECK_EQUAL(sum.load(), 2);
}

#if !defined(_WIN32)  // which has neither fork nor a limit of threads

/// Runs `body` in a child process that cannot start a thread, and returns its exit status: 0 if it
/// returned true; -1 if a signal ended it.
template <class Body>
int without_threads(Body body) {
    const pid_t child = fork();
    if (child == 0) {
        // The limit does not bind root.
        const bool bound = geteuid() != 0 || setuid(65534) == 0;
        const rlimit none{0, 0};
        if (!bound || setrlimit(RLIMIT_NPROC, &none) != 0) _exit(3);
        try {
            std::thread([] {}).join();
            _exit(4);  // the limit does not hold
        } catch (const std::system_error&) {
        }
        _exit(body() ? 0 : 1);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST("If no thread can be started the caller does the work alone") {
    const int status = without_threads([] {
        Counting counting;
        const auto work = [&](int index) { counting(index); };
        run_in_parallel(4, work, counting.stop);
        return counting.done == items;
    });
    CHECK_EQUAL(status, 0);
}

TEST("If no thread can be started and the caller only waits, that is an error") {
    const int status = without_threads([] {
        Counting counting;
        const auto work = [&](int index) { counting(index); };
        try {
            run_in_parallel(4, work, counting.stop, nullptr, Caller::waits);
        } catch (const std::system_error& error) {
            return std::string(error.what()).find("cannot start a thread") != std::string::npos;
        }
        return false;
    });
    CHECK_EQUAL(status, 0);
}

TEST("If no thread can be started, searches for several threads give the same answers") {
    const Position position = play_text(Position(), U"2221172654");
    LookAheadOptions options;
    options.depth = 6;
    const ColumnSet best = look_ahead(position, options).best;
    const PlayoutCounts counts = playouts(position, 1000, 1);
    const int score = Solver({.table_mb = 1}).score(position, nullptr);
    const int status = without_threads([&] {
        options.threads = 4;
        Solver solver({.table_mb = 1, .threads = 4});
        return look_ahead(position, options).best == best && playouts(position, 1000, 1, 4) == counts &&
               solver.score(position, nullptr) == score;
    });
    CHECK_EQUAL(status, 0);
}

#endif

}  // namespace
}  // namespace fourcast
