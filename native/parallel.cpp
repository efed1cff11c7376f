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
#include <system_error>
#include <vector>

#if __has_include(<pthread.h>)
#include <pthread.h>
#define FOURCAST_PTHREADS
#else
#include <thread>
#endif

namespace fourcast {
namespace {

/// A thread with a stack of `thread_stack_bytes`. Its function must not throw.
class Thread {
  public:
    /// Throws std::system_error if the system does not start one.
    Thread(void* (*function)(void*), void* argument);
    void join();

  private:
#if defined(FOURCAST_PTHREADS)
    pthread_t thread_;
#else
    std::thread thread_;
#endif
};

#if defined(FOURCAST_PTHREADS)

Thread::Thread(void* (*function)(void*), void* argument) {
    pthread_attr_t attributes;
    int error = pthread_attr_init(&attributes);
    if (error == 0) {
        error = pthread_attr_setstacksize(&attributes, thread_stack_bytes);
        if (error == 0) error = pthread_create(&thread_, &attributes, function, argument);
        pthread_attr_destroy(&attributes);
    }
    if (error != 0) throw std::system_error(error, std::generic_category(), "cannot start a thread");
}

void Thread::join() { pthread_join(thread_, nullptr); }

#else

Thread::Thread(void* (*function)(void*), void* argument) : thread_(function, argument) {}
void Thread::join() { thread_.join(); }

#endif

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
                threads_.emplace_back(&run, &members_.back());
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

    static void* run(void* argument) {
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
        return nullptr;
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
