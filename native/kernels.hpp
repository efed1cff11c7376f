// The kernels: the search compiled for processors of different age, each with a maker of its own.
#pragma once

#include <vector>

#include "engine.hpp"

namespace fourcast {

/// Calls work(context, i) for each i below `threads` at the same time, 0 on the caller's own thread.
/// Kernels leave this to code outside of them: whatever of the standard library they use that is not
/// inlined would be compiled for their processor and might be linked in for all (a test looks for it).
void run_on_threads(int threads, void (*work)(void* context, int index), void* context);

/// The names of the kernels that this processor runs, the quickest first.
std::vector<const char*> kernel_names();

#if defined(FOURCAST_KERNELS_X86)
std::unique_ptr<Engine> make_engine_x86_64_v2(const EngineOptions& options);
std::unique_ptr<Engine> make_engine_x86_64_v3(const EngineOptions& options);
std::unique_ptr<Engine> make_engine_x86_64_v4(const EngineOptions& options);
#else
std::unique_ptr<Engine> make_engine_portable(const EngineOptions& options);
#endif

}  // namespace fourcast
