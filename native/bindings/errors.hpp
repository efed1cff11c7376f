// The errors of the core as those of fourcast.errors, with their data.
#pragma once

#include "define.hpp"
#include "system/errors.hpp"

namespace fourcast::bindings {

/// The Python error for one of the core. `column` is that of an illegal move which needs more than 64
/// bits.
nb::object to_python(const Error& error, nb::handle column = {});

/// Raises a Python error.
[[noreturn]] void raise(nb::handle error);

/// From now on, nanobind raises them, too.
void translate_errors();

}  // namespace fourcast::bindings
