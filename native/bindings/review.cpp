// How good the moves of a game were.
#include "study/review.hpp"

#include "module.hpp"

namespace fourcast::bindings {

void add_review(nb::module_& module) {
    using namespace nb::literals;
    module.def(
        "verdict_of", [](int before, int after) { return name_of(verdict_of(before, after)); },
        "before"_a, "after"_a, nb::sig("def verdict_of(before: int, after: int) -> str"),
        R"(Return how good a move was, by the scores of its player before and after it.

>>> verdict_of(3, 3), verdict_of(3, 1), verdict_of(1, -1)
('best', 'good', 'blunder'))");
}

}  // namespace fourcast::bindings
