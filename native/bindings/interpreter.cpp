#include "interpreter.hpp"

#include <atomic>
#include <chrono>
#include <thread>

#include "system/errors.hpp"
#include "system/fork.hpp"

namespace fourcast::bindings {
namespace {

using namespace std::chrono_literals;

/// Threads that have released the GIL inside a call of this module. Changed with the GIL only.
std::atomic<int> threads_inside{0};
void count_inside(int change) {
    threads_inside.store(threads_inside.load(std::memory_order_relaxed) + change,
                         std::memory_order_relaxed);
}

/// The interpreter is about to end: all work is to end.
std::atomic<bool> is_ending{false};
/// The interpreter may have ended: nobody takes the GIL any more.
std::atomic<bool> has_ended{false};
/// Threads that are about to take the GIL although the interpreter is about to end.
std::atomic<int> threads_returning{0};

/// Takes the GIL by `take`, unless the interpreter may have ended.
template <class Take>
auto take_gil(const Take& take) {
    // A thread that has come this far before the end gets the GIL while `prepare_for_end` waits.
    if (!is_ending) return take();
    ++threads_returning;  // before the question, or `prepare_for_end` might overlook this thread
    if (has_ended) {
        --threads_returning;
        sleep_for_good();
    }
    struct Done {
        ~Done() { --threads_returning; }
    } done;
    return take();
}

void wait_until_zero(const std::atomic<int>& count, std::chrono::milliseconds most) {
    for (auto waited = 0ms; count > 0 && waited < most; waited += 1ms) std::this_thread::sleep_for(1ms);
}

/// Called by `atexit`, when daemon threads still run and Python is still whole.
void prepare_for_end() {
    is_ending = true;
    PyThreadState* const state = PyEval_SaveThread();
    wait_until_zero(threads_inside, 1000ms);
    has_ended = true;
    wait_until_zero(threads_returning, 1000ms);
    PyEval_RestoreThread(state);
}

/// The threads of the parent are not those of the child.
void forget_threads() {
    threads_inside = 0;
    threads_returning = 0;
}

bool is_main_thread() {
    const WithGil gil;
    const nb::module_ threading = nb::module_::import_("threading");
    return threading.attr("current_thread")().is(threading.attr("main_thread")());
}

}  // namespace

void sleep_for_good() {
    for (;;) std::this_thread::sleep_for(1h);
}

WithoutGil::WithoutGil() {
    count_inside(1);
    state_ = PyEval_SaveThread();
}

WithoutGil::~WithoutGil() {
    take_gil([this] { PyEval_RestoreThread(state_); });
    count_inside(-1);
}

WithGil::WithGil() : state_(take_gil([] { return PyGILState_Ensure(); })) {}

WithGil::~WithGil() { PyGILState_Release(state_); }

void check_signals() {
    // Signals are the main thread's. The others must not wait for the lock for nothing, nor hold it when
    // they have a lower priority and are set aside: all of Python would wait with them. After a fork the
    // thread that called it is the main one, whatever it was before.
    thread_local int generation = -1;
    thread_local bool is_main = false;
    if (generation != fork_generation()) {
        generation = fork_generation();
        is_main = is_main_thread();
    }
    if (!is_main) {
        if (is_ending) throw StoppedError("error.shutting_down");
        return;
    }
    const WithGil gil;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
}

void add_interpreter(nb::module_&) {
    nb::module_::import_("atexit").attr("register")(nb::cpp_function(&prepare_for_end));
    const nb::module_ os = nb::module_::import_("os");
    if (nb::hasattr(os, "register_at_fork"))
        os.attr("register_at_fork")(nb::arg("after_in_child") = nb::cpp_function(&forget_threads));
}

}  // namespace fourcast::bindings
