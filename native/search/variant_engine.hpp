#pragma once

#include "engine.hpp"

namespace fourcast {

/// An engine for any number in a row, on a flat board or a cylinder.
std::unique_ptr<Engine> make_variant_engine(const EngineOptions& options);

}  // namespace fourcast
