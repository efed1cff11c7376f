// How good the moves of a game were.
#include "study/review.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

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
    module.def("accuracy_of", &accuracy_of, "before"_a, "after"_a, "most"_a,
               R"(Return how much of what there was a move kept, in percent; 100 for a best one.

*most* is the highest score of the board. See `fourcast.study.review.MoveReview.accuracy`.)");
    module.def(
        "summarize_moves",
        [](const std::vector<std::tuple<int, std::optional<int>, std::optional<int>>>& given, int most) {
            std::vector<JudgedMove> moves;
            for (const auto& [player, before, after] : given) moves.push_back({player, before, after});
            const ReviewSummary summary = summarize(moves, most);
            return std::tuple(summary.accuracy[0], summary.accuracy[1], summary.decisive);
        },
        "moves"_a, "most"_a,
        nb::sig(
            "def summarize_moves(moves: collections.abc.Sequence[tuple[int, int | None, int | None]], "
            "most: int) -> tuple[float | None, float | None, int | None]"),
        R"(Return the mean accuracy of the first and the second player, and the index of the decisive move.

A move is its player, 1 or 2, with the scores before and after it, None where they are not known.)");
}

}  // namespace fourcast::bindings
