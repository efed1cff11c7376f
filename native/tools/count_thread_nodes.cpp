// Counts the nodes that several threads take for one position as if each had a processor of its own.
//
//     count_thread_nodes THREADS... < POSITIONS
//
// A position is a line with moves of 7x6 and the score. Threads of the system would get a processor for
// some milliseconds each, which is the whole search of many positions: hardly two of them would be at
// work at the same time. Here they take turns, 32 nodes each, on one processor, so that the numbers are
// the same on every machine, however busy it is. The last number is that of the nodes one after the
// other, which stands for the time: those that one thread searches alone, before the others help, and
// for each round of turns those of the longest turn.
#include <ucontext.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "search/shape_engine.hpp"

namespace fourcast {
namespace {

struct Worker {
    explicit Worker(std::size_t stack_bytes) : stack(stack_bytes) {}

    ucontext_t context{};
    std::vector<char> stack;
    bool done = false;
};

/// Those that take turns, and whose turn it is.
struct Workers {
    std::vector<std::unique_ptr<Worker>> all;
    std::size_t current = 0;
    ucontext_t caller{};
    const WorkRef* work = nullptr;
    u64 nodes_in_turn = 0;
    u64 nodes_in_sequence = 0;

    void end_turn() { swapcontext(&all[current]->context, &caller); }
};
Workers workers;

void run_worker() {
    (*workers.work)(static_cast<int>(workers.current));
    workers.all[workers.current]->done = true;
    workers.end_turn();
}

}  // namespace

/// In place of the one that starts threads.
void run_in_parallel(int threads, WorkRef work, std::atomic<bool>& /*stop*/, const Check* /*check*/,
                     Caller /*caller*/) {
    workers.work = &work;
    for (int i = 0; i < threads; ++i) {
        Worker& worker = *workers.all.emplace_back(std::make_unique<Worker>(std::size_t{1} << 20));
        getcontext(&worker.context);
        worker.context.uc_stack.ss_sp = worker.stack.data();
        worker.context.uc_stack.ss_size = worker.stack.size();
        makecontext(&worker.context, run_worker, 0);
    }
    for (bool any = true; any;) {
        any = false;
        u64 longest = 0;
        for (workers.current = 0; workers.current < workers.all.size(); ++workers.current) {
            Worker& worker = *workers.all[workers.current];
            if (worker.done) continue;
            any = true;
            workers.nodes_in_turn = 0;
            swapcontext(&workers.caller, &worker.context);
            longest = std::max(longest, workers.nodes_in_turn);
        }
        workers.nodes_in_sequence += longest;
    }
    workers.all.clear();
}

inline namespace FOURCAST_KERNEL {
void after_node() {
    constexpr u64 nodes_of_a_turn = 32;
    if (workers.all.empty())
        ++workers.nodes_in_sequence;
    else if (++workers.nodes_in_turn == nodes_of_a_turn)
        workers.end_turn();
}
}  // namespace FOURCAST_KERNEL

namespace {

struct NeverStop final : StopCondition {
    bool should_stop() override { return false; }
};

/// The nodes that a position takes. Ends the program if the score is not the known one.
u64 count_nodes(const std::string& line, int threads) {
    constexpr StandardShape shape;
    const auto space = line.find(' ');
    u64 mover = 0;
    u64 mask = 0;
    for (const char digit : line.substr(0, space)) {
        const u64 square = playable(shape, mask) & shape.column(digit - '1');
        mover = mask ^ mover;
        mask |= square;
    }
    EngineOptions options{shape.width(), shape.height(), std::size_t{8} << 20, {}};
    ShapeEngine<StandardShape> engine(shape, options);
    NeverStop never;
    const int most = shape.cells() / 2;
    const Answer answer =
        engine.open()->solve({mover, mask, -most, most, no_node_limit, threads}, never);
    if (answer.lower != std::atoi(line.c_str() + space)) {
        std::fprintf(stderr, "wrong: %s and not %d\n", line.c_str(), answer.lower);
        std::exit(1);
    }
    return answer.nodes;
}

}  // namespace
}  // namespace fourcast

int main(int argc, char** argv) {
    if (argc < 2) {
        std::fprintf(stderr, "usage: count_thread_nodes THREADS... < POSITIONS\n");
        return 2;
    }
    std::vector<std::string> lines;
    for (std::string line; std::getline(std::cin, line);) lines.push_back(line);
    for (int i = 1; i < argc; ++i) {
        const int threads = std::atoi(argv[i]);
        fourcast::u64 nodes = 0;
        fourcast::workers.nodes_in_sequence = 0;
        for (const std::string& line : lines) nodes += fourcast::count_nodes(line, threads);
        std::printf("%d threads: %llu nodes, %llu one after the other\n", threads,
                    static_cast<unsigned long long>(nodes),
                    static_cast<unsigned long long>(fourcast::workers.nodes_in_sequence));
        std::fflush(stdout);
    }
}
