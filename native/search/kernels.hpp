// The kernels: the search compiled for processors of different age, each with a maker of its own.
//
// What a kernel uses of the standard library has to be inlined: anything else would be compiled for its
// processor, and the linker might keep that copy for the whole program (a test looks for such symbols).
// So kernels leave threads and the like to code outside of them.
#pragma once

#include <vector>

#include "engine.hpp"

namespace fourcast {

/// The names of the kernels that this build has and this processor runs, the quickest first.
std::vector<const char*> kernel_names();

// A build has all of its processors or one of them (FOURCAST_KERNELS in CMakeLists.txt).
std::unique_ptr<Engine> make_engine_x86_64_v2(const EngineOptions& options);
std::unique_ptr<Engine> make_engine_x86_64_v3(const EngineOptions& options);
std::unique_ptr<Engine> make_engine_x86_64_v4(const EngineOptions& options);
std::unique_ptr<Engine> make_engine_portable(const EngineOptions& options);

}  // namespace fourcast
