// A question that Python and the page both ask, as the table of a room lists it; study/ask.hpp is the
// door to all of them.
#pragma once

#include <string_view>

#include "solver.hpp"
#include "system/value.hpp"

namespace fourcast::study {

/// What a question may use.
struct Context {
    Solver* solver = nullptr;  // of the home; nullptr if it gave none
    Check check{};             // called now and then by long work; throws to end it
    StopToken token{};
};

/// One of the questions of a room.
struct Question {
    std::string_view name;
    Value (*answer)(const Value& request, const Context& context);
};

}  // namespace fourcast::study
