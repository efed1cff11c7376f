#include "parallel.hpp"

#if defined(__wasm__)

namespace fourcast {

// There are no threads, and one worker does the work of all.
void run_in_parallel(int, WorkRef work, std::atomic<bool>&, const Check*, Caller) { work(0); }

}  // namespace fourcast

#else

#include <condition_variable>
#include <exception>
#include <mutex>
#include <vector>

#include "thread.hpp"

namespace fourcast {
namespace {

/// The threads of one call. They are told to stop and waited for when it is left, however it is left.
class Team {
  public:
    Team(WorkRef work, std::atomic<bool>& stop) : work_(work), stop_(stop) {}
    ~Team() {
        if (!finished_) stop_ = true;
        for (Thread& thread : threads_) thread.join();
    }
    Team(const Team&) = delete;
    Team& operator=(const Team&) = delete;

    /// Start workers `first` .. `end` - 1, or as many of them as the system lets.
    void start(int first, int end) {
        const auto count = static_cast<std::size_t>(end - first);
        members_.reserve(count);  // a thread has the address of its own
        threads_.reserve(count);
        for (int index = first; index < end; ++index) {
            members_.push_back({this, index});
            running_ += 1;  // before it runs: it may be done at once
            try {
                threads_.emplace_back(thread_stack_bytes, &run, &members_.back());
            } catch (const std::exception&) {
                running_ -= 1;
                if (threads_.empty() && first == 0) throw;  // nobody would do the work
                return;
            }
        }
    }

    /// Wait until all workers have returned, calling the check meanwhile.
    void wait(const Check* check) {
        std::unique_lock<std::mutex> lock(mutex_);
        const auto is_done = [this] { return running_ == 0; };
        if (check == nullptr || !*check) {
            changed_.wait(lock, is_done);
        } else {
            while (!changed_.wait_for(lock, check_interval, is_done)) {
                lock.unlock();
                (*check)();
                lock.lock();
            }
        }
        finished_ = true;
        if (failure_) std::rethrow_exception(failure_);
    }

  private:
    struct Member {
        Team* team;
        int index;
    };

    static void run(void* argument) {
        const auto [team, index] = *static_cast<Member*>(argument);
        std::exception_ptr failure;
        try {
            team->work_(index);
        } catch (...) {
            failure = std::current_exception();
            team->stop_ = true;
        }
        const std::lock_guard<std::mutex> guard(team->mutex_);
        if (!team->failure_) team->failure_ = failure;
        if (--team->running_ == 0) team->changed_.notify_one();
    }

    WorkRef work_;
    std::atomic<bool>& stop_;
    std::vector<Member> members_;
    std::vector<Thread> threads_;
    bool finished_ = false;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::atomic<int> running_{0};
    std::exception_ptr failure_;
};

}  // namespace

void run_in_parallel(int threads, WorkRef work, std::atomic<bool>& stop, const Check* check,
                     Caller caller) {
    if (threads == 1 && caller == Caller::works) return work(0);
    Team team(work, stop);
    team.start(caller == Caller::works ? 1 : 0, threads);
    if (caller == Caller::works) work(0);
    team.wait(check);
}

}  // namespace fourcast

#endif
