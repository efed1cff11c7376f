// The questions that Python and the page both ask: one door, with values both ways.
//
// A question is called after what it is about: a noun alone asks for the thing ("review", "themes"), and
// a noun with a verb for something about it ("game.act", "position.explain").
//
// Each room that answers some has a table of them; `ask` finds the one of that name. So what is known of
// a game (why a position is won, what a move cost, whether a puzzle's answer counts) is written once,
// and a home only converts, stores and draws.
#pragma once

#include <string_view>

#include "solver/question.hpp"

namespace fourcast::study {

/// Answers a question. Throws OptionError if there is none of that name, and what its answer throws.
Value ask(std::string_view question, const Value& request, const Context& context);

}  // namespace fourcast::study
