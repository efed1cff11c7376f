// What a solver answers: Limit, Result, Line and Analysis.
#include <nanobind/stl/optional.h>

#include "columns.hpp"
#include "module.hpp"
#include "solver/answer_value.hpp"
#include "value.hpp"

namespace fourcast::bindings {

template <>
inline constexpr Bound bound<Line>{"Line", "a Line"};

namespace {

// ---- Making answers, with checks -----------------------------------------------------------------

using Time = Number<Zero::allowed>;

void set_effort(Result& result, u64 nodes, double time_s) {
    result.nodes = nodes;
    result.time_s = checked_time(time_s);
}

Result make_result(const Position& position, Score lower, std::optional<Score> upper,
                   std::optional<bool> complete, std::optional<Columns> best_columns, Count<0> nodes,
                   Time time_s) {
    Result result;
    result.position = position;
    result.lower = lower;
    result.upper = upper.value_or(lower);
    result.complete = complete.value_or(result.is_exact());
    if (best_columns) result.best_columns = best_columns->set;
    set_effort(result, nodes, time_s);
    result.validate();
    return result;
}

Line make_line(const Position& position, Any<"int"> column, Score lower, std::optional<Score> upper,
               Any<"collections.abc.Iterable[int]"> variation) {
    const nb::object integer = as_integer(column, "column");
    const auto move = small_integer(integer);
    if (!move) throw OptionError("error.column_off", {{"column", show(integer)}});
    (void)position.play(*move);  // raises IllegalMoveError
    Line line(position, static_cast<int>(*move), lower, upper.value_or(lower));
    if (PyUnicode_Check(variation.ptr())) wrong_type("variation", "a sequence of ints", variation);
    std::vector<int> columns;
    for_each_item(variation, [&](nb::handle value) {
        columns.push_back(
            static_cast<int>(bounded(value, "a column of variation", 0, position.width() - 1)));
        if (columns.size() > static_cast<std::size_t>(position.cells() - position.ply()))
            throw OptionError("error.variation_long");
    });
    if (!columns.empty()) line.variation = std::move(columns);
    line.validate();
    return line;
}

Analysis make_analysis(const Position& position, Any<"collections.abc.Iterable[Line]"> lines,
                       std::optional<bool> complete, Count<0> nodes, Time time_s) {
    std::vector<Line> all;
    for_each_item(lines, [&](nb::handle item) {
        all.push_back(Reads<Line>::from(item, "a line of an analysis"));
        if (all.size() > static_cast<std::size_t>(position.width()))
            throw OptionError("error.lines_many");
    });
    Analysis analysis = Analysis::of(position, std::move(all), complete);
    set_effort(analysis.result, nodes, time_s);
    analysis.validate();
    return analysis;
}

// ---- The classes ---------------------------------------------------------------------------------

const Proven& proven_of(const Proven& value) { return value; }
const Proven& proven_of(const Analysis& analysis) { return analysis.result; }
const Result& result_of(const Result& result) { return result; }
const Result& result_of(const Analysis& analysis) { return analysis.result; }

/// Adds what all answers have: the meaning of the score, the mirror image, and what every value has.
template <class T>
void add_answer(Class<T>& cls) {
    const auto get = [&](const char* name, const char* doc, auto function) {
        cls.get(name, doc, [function](const T& self) { return function(proven_of(self)); });
    };
    get("position", "The position that it is about.", [](const Proven& of) { return of.position; });
    get("score", "The exact score, or None if it is not known exactly.",
        [](const Proven& of) { return of.score(); });
    get("lower", "Proven: the score is at least this.", [](const Proven& of) { return of.lower; });
    get("upper", "Proven: the score is at most this.", [](const Proven& of) { return of.upper; });
    get(
        "outcome", "What the side to move gets with best play; None if that is not known.",
        [](const Proven& of)->Object<"typing.Literal['win', 'draw', 'loss'] | None"> {
            if (of.outcome() == nullptr) return {nb::none()};
            return {nb::str(of.outcome())};
        });
    get("winner", "The player who wins with best play, 1 or 2; None for a draw or if that is not known.",
        [](const Proven& of) { return somebody(of.winner()); });
    get("final_ply",
        "Discs on the board when the game ends with best play; None if the score is not known.",
        [](const Proven& of) { return of.final_ply(); });
    get("plies_to_end",
        "Plies from the position to the end of the game with best play; None if the score is not known.",
        [](const Proven& of) { return of.plies_to_end(); });
    get("moves_to_end",
        R"(Discs that the winner still has to play: 1 wins with the next one.

None for a draw or if the score is not known.)",
        [](const Proven& of) { return of.moves_to_end(); });
    get("share",
        R"(The first player's share of an evaluation bar, from 0.0 to 1.0.

0.5 is a draw, 0.7 and more a win; halfway between the bounds if the score is not known exactly.)",
        [](const Proven& of) { return of.share(); });
    cls.def("mirrored", "Return the same answer for the mirror image of the position.", &T::mirrored);
    add_value(cls);
}

/// Adds what a search has that was to answer for a whole position.
template <class T>
void add_search(Class<T>& cls) {
    cls.get("complete", "True if everything that was asked for is known.",
            [](const T& self) { return result_of(self).complete; })
        .get("best_columns",
             "The columns that keep the score; None if they were not asked for or not found in time.",
             [](const T& self) -> std::optional<Columns> {
                 const auto& columns = result_of(self).best_columns;
                 return columns ? std::optional(Columns{*columns}) : std::nullopt;
             })
        .get("nodes", "Nodes searched.", [](const T& self) { return result_of(self).nodes; })
        .get("time_s", "Seconds taken.", [](const T& self) { return result_of(self).time_s; });
}

void add_limit(nb::module_& module) {
    Class<Limit> limit(module, "Limit",
                       R"(When a search ends: after a time, a number of nodes, or whichever comes first.

>>> Limit(time_s=0.5, nodes=1000000)
Limit(time_s=0.5, nodes=1000000))");
    limit
        .init("time_s"_a = nb::none(), "nodes"_a = nb::none(),
              [](Seconds time_s, std::optional<Count<1>> nodes) {
                  Limit made;
                  if (time_s) made.time_s = *time_s;
                  if (nodes) made.nodes = *nodes;
                  return made;
              })
        .get("time_s", "Seconds, or None.",
             [](const Limit& self) {
                 return self.time_s == Limit{}.time_s ? std::nullopt : std::optional(self.time_s);
             })
        .get("nodes", "Nodes, or None.", [](const Limit& self) {
            return self.nodes == Limit{}.nodes ? std::nullopt : std::optional(self.nodes);
        });
    add_value(limit);
}

void add_result(nb::module_& module) {
    Class<Result> result(module, "Result", R"(What is proven about a position, for the side to move.

An immutable value: two results are equal if they say the same about the same position, whatever it took
to find out. *upper* is *lower* if it is not given.

>>> result = Result(Position("4455"), 18)
>>> result.outcome, result.winner, result.moves_to_end, result.plies_to_end
('win', 1, 2, 3)
>>> Result(Position(), -2, 5).outcome is None
True)");
    result
        .init("position"_a, "lower"_a, "upper"_a = nb::none(), nb::kw_only(), "complete"_a = nb::none(),
              "best_columns"_a = nb::none(), "nodes"_a = 0, "time_s"_a = 0.0,
              R"(Raises ValueError if the position cannot have such a result.

Without *complete* it is complete if the score is exact.)",
              &make_result)
        .def_static("of_finished", "position"_a,
                    R"(Return the result of a finished game. Raises ValueError if it is not over.

>>> Result.of_finished(Position("1212121")).winner
1)",
                    &Result::of_finished);
    add_search(result);
    add_answer(result);
}

void add_line(nb::module_& module) {
    Class<Line> line(module, "Line", R"(One move of an analysis: its score, and the best play after it.

*position* is the position before the move, and the score is that of the side that moves.

>>> line = Line(Position("4455"), 2, 18, variation=(2, 1, 5))
>>> line.moves_to_end, line.mirrored().variation
(2, (4, 5, 1)))");
    line.init("position"_a, "column"_a, "lower"_a, "upper"_a = nb::none(),
              "variation"_a = nb::make_tuple(),
              "Raises ValueError if the move cannot be played or cannot have such a score.", &make_line)
        .get("column", "The column, 0-based.", [](const Line& self) { return self.column; })
        .get("variation",
             "This column and best play after it, to the end of the game as far as it is known.",
             [](const Line& self) { return Tuple(self.variation); });
    add_answer(line);
}

void add_analysis(nb::module_& module) {
    Class<Analysis> analysis(
        module, "Analysis",
        R"(What is proven about every open column of a position; iterates over the lines.

>>> analysis = Solver().analyze(Position("4455"))
>>> analysis.score, list(analysis.best_columns), len(analysis), analysis.best_line.column
(18, [2, 5], 7, 2)
>>> Analysis.from_json(analysis.to_json()) == analysis
True)");
    analysis
        .init("position"_a, "lines"_a, nb::kw_only(), "complete"_a = nb::none(), "nodes"_a = 0,
              "time_s"_a = 0.0,
              R"(*lines* must be one for each open column, in any order, and none for a finished game.

Without *complete* it is complete if all of them are exact.)",
              &make_analysis)
        .get("result", "The result for the position itself.",
             [](const Analysis& self) { return self.result; })
        .get("lines", "One for each open column, from left to right.",
             [](const Analysis& self) { return Tuple(self.lines); })
        .get(
            "best_line",
            "The line of the best column nearest to the center; None if the best columns are not known.",
            [](const Analysis& self) {
                const Line* line = self.best_line();
                return line == nullptr ? std::nullopt : std::optional(*line);
            })
        .get("proven_best_columns",
             R"(The columns that are proven to be at least as good as any other.

In an analysis that is not complete these may be some of the best columns or none at all.)",
             [](const Analysis& self) { return Columns{self.proven_best_columns()}; })
        .def(
            "__iter__", [](nb::handle self)->Object<"collections.abc.Iterator[Line]"> {
                return {nb::iter(self.attr("lines"))};
            })
        .def("__len__", [](const Analysis& self) { return self.lines.size(); })
        .def("_repr_html_", drawn_by("analysis_html"));
    add_search(analysis);
    add_answer(analysis);
}

}  // namespace

void add_answers(nb::module_& module) {
    add_limit(module);
    add_result(module);
    add_line(module);
    add_analysis(module);
}

}  // namespace fourcast::bindings
