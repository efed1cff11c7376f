// The values of JSON between C++ and Python.
#pragma once

#include "define.hpp"
#include "system/value.hpp"

namespace fourcast::bindings {

/// None, bools, ints, floats, strs, lists, tuples and dicts with strs as keys; raises TypeError for
/// anything else, or what is nested more than 64 levels.
Value value_from(nb::handle object, int depth = 0);

nb::object value_to(const Value& value);

}  // namespace fourcast::bindings
