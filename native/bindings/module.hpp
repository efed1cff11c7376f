// What each file of bindings adds to the module.
#pragma once

#include <nanobind/nanobind.h>

namespace fourcast::bindings {

namespace nb = nanobind;

void add_answers(nb::module_& module);
void add_arrays(nb::module_& module);
void add_ask(nb::module_& module);
void add_batch(nb::module_& module);
void add_book(nb::module_& module);
void add_columns(nb::module_& module);
void add_position(nb::module_& module);
void add_counting(nb::module_& module);
void add_notation(nb::module_& module);
void add_players(nb::module_& module);
void add_solver(nb::module_& module);

}  // namespace fourcast::bindings
