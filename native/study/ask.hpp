// The questions that Python and the page both ask: one door, with values both ways.
//
// Each room that answers some has a table of them; `ask` finds the one of that name. So what is known of
// a game (why a position is won, what a move cost, whether a puzzle's answer counts) is written once,
// and a home only converts, stores and draws.
#pragma once

#include <span>
#include <string_view>

#include "solver/solver.hpp"
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

/// Answers a question. Throws OptionError if there is none of that name, and what its answer throws.
Value ask(std::string_view question, const Value& request, const Context& context);

}  // namespace fourcast::study
