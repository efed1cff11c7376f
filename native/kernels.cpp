// Which kernel this processor runs.
#include "kernels.hpp"

#include <thread>
#include <vector>

namespace fourcast {

// Here and not in the header, so that no kernel brings its own copy for the linker to choose.
Engine::Engine() = default;
Engine::~Engine() = default;
Engine::Session::Session() = default;
Engine::Session::~Session() = default;

namespace {

struct Kernel {
    const char* name;
    std::unique_ptr<Engine> (*make)(const EngineOptions& options);
};

Kernel best_kernel() {
#if defined(FOURCAST_KERNELS_X86)
    // By the features that matter and not by the names of the levels, which not every compiler knows. No
    // processor has these and lacks the rest of its level.
    __builtin_cpu_init();
    const bool v3 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2") &&
                    __builtin_cpu_supports("fma");
    const bool v4 = v3 && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw") &&
                    __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512cd") &&
                    __builtin_cpu_supports("avx512vpopcntdq");
    if (v4) return {"x86-64-v4", &make_engine_x86_64_v4};
    if (v3) return {"x86-64-v3", &make_engine_x86_64_v3};
    return {"x86-64-v2", &make_engine_x86_64_v2};
#else
    return {"portable", &make_engine_portable};
#endif
}

}  // namespace

void run_on_threads(int threads, void (*work)(void* context, int index), void* context) {
    std::vector<std::thread> others;
    others.reserve(static_cast<std::size_t>(threads));
    for (int i = 1; i < threads; ++i) others.emplace_back(work, context, i);
    work(context, 0);
    for (auto& thread : others) thread.join();
}

std::unique_ptr<Engine> make_engine(const EngineOptions& options) { return best_kernel().make(options); }

const char* kernel_name() { return best_kernel().name; }

}  // namespace fourcast
