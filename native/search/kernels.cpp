// Which kernel this processor runs; FOURCAST_KERNEL names another one, for tests and measurements.
#include "kernels.hpp"

#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "system/errors.hpp"
#include "system/fork.hpp"
#include "system/processor.hpp"
#include "system/text.hpp"
#include "variant_engine.hpp"

namespace fourcast {

// Here and not in the header, so that no kernel brings its own copy for the linker to choose.
Engine::Engine() = default;
Engine::~Engine() = default;
Engine::Session::Session() = default;
Engine::Session::~Session() = default;

Engine::Lease Engine::open() {
    std::unique_ptr<Session> session;
    {
        const ForkLock lock;
        session = std::move(idle_);
        if (session) idle_ = std::move(session->next_);
    }
    if (!session) session = make_session();
    return {session.release(), {this}};
}

void Engine::GiveBack::operator()(Session* session) const {
    const ForkLock lock;
    session->next_ = std::move(engine->idle_);
    engine->idle_.reset(session);
}

namespace {

struct Kernel {
    const char* name;
    std::unique_ptr<Engine> (*make)(const EngineOptions& options);
};

/// The kernels that this build has (by CMake) and this processor runs, the quickest first.
std::vector<Kernel> usable_kernels() {
    std::vector<Kernel> kernels;
#if defined(FOURCAST_HAS_x86_64_v4)
    if (processor.x86_64_v4) kernels.push_back({"x86-64-v4", &make_engine_x86_64_v4});
#endif
#if defined(FOURCAST_HAS_x86_64_v3)
    if (processor.x86_64_v3) kernels.push_back({"x86-64-v3", &make_engine_x86_64_v3});
#endif
#if defined(FOURCAST_HAS_x86_64_v2)
    kernels.push_back({"x86-64-v2", &make_engine_x86_64_v2});
#endif
#if defined(FOURCAST_HAS_portable)
    kernels.push_back({"portable", &make_engine_portable});
#endif
    return kernels;
}

Kernel chosen_kernel() {
    const auto kernels = usable_kernels();
    if (kernels.empty()) throw SettingsError("error.no_kernel");
    const char* const wanted = std::getenv("FOURCAST_KERNEL");
    if (wanted == nullptr || *wanted == '\0') return kernels.front();
    for (const Kernel& kernel : kernels)
        if (std::string_view(kernel.name) == wanted) return kernel;
    std::string names;
    for (const Kernel& kernel : kernels) names += text(names.empty() ? "" : ", ", kernel.name);
    throw SettingsError("error.kernel", {{"given", wanted}, {"names", names}});
}

}  // namespace

std::unique_ptr<Engine> make_engine(const EngineOptions& options) {
    if (!options.rules.is_standard()) return make_variant_engine(options);
    return chosen_kernel().make(options);
}

const char* kernel_name() { return chosen_kernel().name; }

std::vector<const char*> kernel_names() {
    std::vector<const char*> names;
    for (const Kernel& kernel : usable_kernels()) names.push_back(kernel.name);
    return names;
}

}  // namespace fourcast
