// The errors of the core as those of fourcast.errors, with their data.
#pragma once

#include <nanobind/nanobind.h>

#include "system/errors.hpp"

namespace fourcast::bindings {

namespace nb = nanobind;

/// From now on, each C++ error is raised as the Python error of that name.
void translate_errors();

/// The Python error for an illegal move, to be returned rather than raised.
nb::object to_python(const IllegalMoveError& error);

/// The IllegalMoveError for a column off the board that needs more than 64 bits.
nb::object huge_column_error(const Error& error, nb::handle column, int ply);

/// Raises a Python error.
[[noreturn]] void raise(nb::handle error);

}  // namespace fourcast::bindings
