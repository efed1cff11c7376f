#include "thread.hpp"

#include <memory>
#include <system_error>

#if defined(_WIN32)
#include <process.h>
#include <windows.h>

#include <cerrno>
#endif

namespace fourcast {
namespace {

[[noreturn]] void refuse(int error) {
    throw std::system_error(error, std::generic_category(), "cannot start a thread");
}

struct Start {
    void (*function)(void*);
    void* argument;
};

/// What the new thread runs, in the form that the system wants.
template <class Result>
Result run(void* given) {
    const Start start = *std::unique_ptr<Start>(static_cast<Start*>(given));
    start.function(start.argument);
    return Result{};
}

}  // namespace

#if defined(_WIN32)

Thread::Thread(std::size_t stack_bytes, void (*function)(void*), void* argument) {
    auto start = std::make_unique<Start>(function, argument);
    const auto handle = _beginthreadex(nullptr, static_cast<unsigned>(stack_bytes), &run<unsigned>,
                                       start.get(), STACK_SIZE_PARAM_IS_A_RESERVATION, nullptr);
    if (handle == 0) refuse(errno);
    start.release();
    handle_ = reinterpret_cast<void*>(handle);
}

void Thread::join() {
    WaitForSingleObject(handle_, INFINITE);
    CloseHandle(handle_);
}

#else

Thread::Thread(std::size_t stack_bytes, void (*function)(void*), void* argument) {
    auto start = std::make_unique<Start>(function, argument);
    pthread_attr_t attributes;
    int error = pthread_attr_init(&attributes);
    if (error == 0) {
        error = pthread_attr_setstacksize(&attributes, stack_bytes);
        if (error == 0) error = pthread_create(&thread_, &attributes, &run<void*>, start.get());
        pthread_attr_destroy(&attributes);
    }
    if (error != 0) refuse(error);
    start.release();
}

void Thread::join() { pthread_join(thread_, nullptr); }

#endif

}  // namespace fourcast
