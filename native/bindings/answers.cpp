// What a solver answers: Limit, Result, Line and Analysis.
#include "solver/answers.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <bit>
#include <cmath>
#include <string>

#include "board/limit.hpp"
#include "board/moves_text.hpp"
#include "columns.hpp"
#include "convert.hpp"
#include "module.hpp"
#include "value.hpp"

namespace fourcast::bindings {
namespace {

using namespace nb::literals;

constexpr auto most_nodes = std::numeric_limits<long long>::max();

// ---- Limits --------------------------------------------------------------------------------------

std::optional<double> time_of(const Limit& limit) {
    return std::isinf(limit.time_s) ? std::nullopt : std::optional(limit.time_s);
}

std::optional<u64> nodes_of(const Limit& limit) {
    return limit.nodes == std::numeric_limits<u64>::max() ? std::nullopt : std::optional(limit.nodes);
}

Limit make_limit(nb::handle time_s, nb::handle nodes) {
    Limit limit;
    if (!time_s.is_none()) limit.time_s = number_from(time_s, "time_s", Zero::refused);
    if (!nodes.is_none()) limit.nodes = static_cast<u64>(bounded(nodes, "nodes", 1, most_nodes));
    return limit;
}

nb::dict limit_to_json(const Limit& limit) {
    nb::dict json;
    json["time_s"] = time_of(limit);
    json["nodes"] = nodes_of(limit);
    return json;
}

Limit limit_from_json(nb::handle value) {
    const JsonObject json(value, "a Limit");
    return make_limit(json.get("time_s"), json.get("nodes"));
}

std::string repr(const Limit& limit) {
    std::string arguments;
    if (const auto time_s = time_of(limit)) arguments = text("time_s=", repr_of(nb::float_(*time_s)));
    if (const auto nodes = nodes_of(limit))
        arguments += text(arguments.empty() ? "" : ", ", "nodes=", *nodes);
    return text("Limit(", arguments, ")");
}

// ---- Making answers, with checks -----------------------------------------------------------------

/// A bound of a score: whether it is possible in its position is for `validate` to say.
int bound_from(nb::handle value, const char* what) {
    return static_cast<int>(bounded(value, what, -max_bits, max_bits));
}

int upper_from(nb::handle value, int lower) {
    return value.is_none() ? lower : bound_from(value, "upper");
}

std::optional<bool> complete_from(nb::handle value) {
    return value.is_none() ? std::nullopt : std::optional(bool_from(value, "complete"));
}

void set_effort(Result& result, nb::handle nodes, nb::handle time_s) {
    result.nodes = static_cast<u64>(bounded(nodes, "nodes", 0, most_nodes));
    result.time_s = number_from(time_s, "time_s", Zero::allowed);
    if (std::isinf(result.time_s)) throw OptionError("error.time_infinite");
}

Result make_result(const Position& position, nb::handle lower, nb::handle upper, nb::handle complete,
                   nb::handle best_columns, nb::handle nodes, nb::handle time_s) {
    Result result;
    result.position = position;
    result.lower = bound_from(lower, "lower");
    result.upper = upper_from(upper, result.lower);
    result.complete = complete_from(complete).value_or(result.is_exact());
    if (!best_columns.is_none()) result.best_columns = columns_from(best_columns, "best_columns").set;
    set_effort(result, nodes, time_s);
    result.validate();
    return result;
}

Line make_line(const Position& position, nb::handle column, nb::handle lower, nb::handle upper,
               nb::handle variation) {
    const nb::object integer = as_integer(column, "column");
    const auto move = small_integer(integer);
    if (!move) throw OptionError("error.column_off", {{"column", show(integer)}});
    (void)position.play(*move);  // raises IllegalMoveError
    Line line;
    line.position = position;
    line.column = static_cast<int>(*move);
    line.lower = bound_from(lower, "lower");
    line.upper = upper_from(upper, line.lower);
    if (PyUnicode_Check(variation.ptr())) wrong_type("variation", "a sequence of ints", variation);
    for (const nb::handle value : nb::iter(variation)) {
        line.variation.push_back(
            static_cast<int>(bounded(value, "a column of variation", 0, position.width() - 1)));
        if (line.variation.size() > static_cast<std::size_t>(position.cells() - position.ply()))
            throw OptionError("error.variation_long");
    }
    if (line.variation.empty()) line.variation.push_back(line.column);
    line.validate();
    return line;
}

Analysis make_analysis(const Position& position, nb::handle lines, nb::handle complete, nb::handle nodes,
                       nb::handle time_s) {
    std::vector<Line> all;
    for (const nb::handle item : nb::iter(lines)) {
        const Line* line = nullptr;
        if (!nb::try_cast<const Line*>(item, line, false) || line == nullptr)
            wrong_type("a line of an analysis", "a Line", item);
        all.push_back(*line);
        if (all.size() > static_cast<std::size_t>(position.width()))
            throw OptionError("error.lines_many");
    }
    Analysis analysis = Analysis::of(position, std::move(all), complete_from(complete));
    set_effort(analysis.result, nodes, time_s);
    analysis.validate();
    return analysis;
}

// ---- JSON ----------------------------------------------------------------------------------------

nb::object outcome_of(const Proven& proven) {
    const char* name = proven.outcome();
    return name == nullptr ? nb::none() : nb::object(nb::str(name));
}

std::optional<int> winner_of(const Proven& proven) {
    return proven.winner() == 0 ? std::nullopt : std::optional(proven.winner());
}

nb::object columns_of(const std::optional<ColumnSet>& columns) {
    if (!columns) return nb::none();
    return columns_to_list(Columns{*columns});
}

nb::tuple tuple_of(const std::vector<int>& columns) {
    nb::list list;
    for (const int column : columns) list.append(column);
    return nb::tuple(list);
}

void put_position(nb::dict& json, const Position& position) {
    json["first"] = bits_to(position.first());
    json["second"] = bits_to(position.second());
    json["width"] = position.width();
    json["height"] = position.height();
}

void put_meaning(nb::dict& json, const Proven& proven) {
    json["score"] = proven.score();
    json["lower"] = proven.lower;
    json["upper"] = proven.upper;
    json["outcome"] = outcome_of(proven);
    json["winner"] = winner_of(proven);
    json["plies_to_end"] = proven.plies_to_end();
    json["moves_to_end"] = proven.moves_to_end();
}

void put_effort(nb::dict& json, const Result& result) {
    json["complete"] = result.complete;
    json["nodes"] = result.nodes;
    json["time_s"] = result.time_s;
}

void put_column(nb::dict& json, const Line& line) {
    json["column"] = line.column;
    json["name"] = std::string(1, column_name(line.column));
    put_meaning(json, line);
    json["variation"] = nb::list(tuple_of(line.variation));
}

nb::dict result_to_json(const Result& result) {
    nb::dict json;
    put_position(json, result.position);
    put_meaning(json, result);
    json["best_columns"] = columns_of(result.best_columns);
    put_effort(json, result);
    return json;
}

nb::dict line_to_json(const Line& line) {
    nb::dict json;
    put_position(json, line.position);
    put_column(json, line);
    return json;
}

nb::dict analysis_to_json(const Analysis& analysis) {
    nb::dict json = result_to_json(analysis.result);
    nb::list columns;
    for (const Line& line : analysis.lines) {
        nb::dict column;
        put_column(column, line);
        columns.append(column);
    }
    json["columns"] = columns;
    return json;
}

/// The position of an answer: bitboards as `to_json` gives them, or a move string.
Position position_from(const JsonObject& json) {
    const Position empty = board_of(json.require("width"), json.require("height"));
    if (json.has("first") || json.has("second"))
        return position_from_bitboards(json.require("first"), json.require("second"), empty);
    const nb::object moves = json.require("moves");
    if (!PyUnicode_Check(moves.ptr())) wrong_type("moves", "a str", moves);
    return play_moves(empty, moves);
}

/// Fields that follow from the bounds: one that says something else shows that the JSON is damaged.
void check_meaning(const JsonObject& json, const Proven& proven) {
    nb::dict meaning;
    put_meaning(meaning, proven);
    for (const auto& [key, value] : meaning) json.agree(nb::cast<std::string>(key).c_str(), value);
}

nb::object or_zero(const nb::object& value) { return value.is_none() ? nb::int_(0) : value; }

Result result_from_json(nb::handle value) {
    const JsonObject json(value, "a Result");
    const Result result = make_result(position_from(json), json.require("lower"), json.require("upper"),
                                      json.get("complete"), json.get("best_columns"),
                                      or_zero(json.get("nodes")), or_zero(json.get("time_s")));
    check_meaning(json, result);
    return result;
}

Line column_from_json(const JsonObject& json, const Position& position) {
    nb::object variation = json.get("variation");
    if (variation.is_none()) variation = nb::make_tuple();
    Line line = make_line(position, json.require("column"), json.require("lower"), json.require("upper"),
                          variation);
    check_meaning(json, line);
    return line;
}

Line line_from_json(nb::handle value) {
    const JsonObject json(value, "a Line");
    return column_from_json(json, position_from(json));
}

Analysis analysis_from_json(nb::handle value) {
    const JsonObject json(value, "an Analysis");
    const Position position = position_from(json);
    const nb::object columns = json.require("columns");
    if (!PyList_Check(columns.ptr())) wrong_type("columns", "a list", columns);
    nb::list lines;
    for (const nb::handle item : nb::iter(columns))
        lines.append(column_from_json(JsonObject(item, "a column of an Analysis"), position));
    Analysis analysis = make_analysis(position, lines, json.get("complete"), or_zero(json.get("nodes")),
                                      or_zero(json.get("time_s")));
    check_meaning(json, analysis.result);
    json.agree("best_columns", columns_of(analysis.result.best_columns));
    return analysis;
}

// ---- Showing -------------------------------------------------------------------------------------

std::string as_text(const std::vector<int>& columns) {
    std::string shown;
    for (const int column : columns) shown += text(shown.empty() ? "" : ", ", column);
    return text("[", shown, "]");
}

std::string as_text(ColumnSet columns) {
    std::vector<int> each;
    for (; columns != 0; columns &= columns - 1) each.push_back(std::countr_zero(columns));
    return as_text(each);
}

std::string bounds_text(const Proven& proven) {
    if (proven.is_exact()) return text(proven.lower);
    return text(proven.lower, ", ", proven.upper);
}

std::string repr(const Result& result) {
    std::string shown = text("Result(", result.position.repr(), ", ", bounds_text(result));
    if (result.complete != result.is_exact())
        shown += result.complete ? ", complete=True" : ", complete=False";
    if (result.best_columns) shown += text(", best_columns=", as_text(*result.best_columns));
    return shown + ")";
}

std::string repr(const Line& line) {
    std::string shown = text("Line(", line.position.repr(), ", ", line.column, ", ", bounds_text(line));
    if (line.variation.size() > 1) shown += text(", variation=", as_text(line.variation));
    return shown + ")";
}

std::string repr(const Analysis& analysis) {
    const Result& result = analysis.result;
    std::string shown = text("<Analysis of ", result.position.repr(), ": ");
    shown += result.is_exact() ? text("score ", result.lower)
                               : text("score from ", result.lower, " to ", result.upper);
    if (result.best_columns) shown += text(", best columns ", as_text(*result.best_columns));
    return shown + ">";
}

// ---- The classes ---------------------------------------------------------------------------------

/// Adds what a score means; `part` is where T has it.
template <class T, class Part>
void add_meaning(nb::class_<T>& cls, Part part) {
    cls.def_prop_ro(
           "position", [part](const T& self) { return part(self).position; },
           nb::sig("def position(self) -> Position"), "The position that it is about.")
        .def_prop_ro(
            "score", [part](const T& self) { return part(self).score(); },
            "The exact score, or None if it is not known exactly.")
        .def_prop_ro(
            "lower", [part](const T& self) { return part(self).lower; },
            "Proven: the score is at least this.")
        .def_prop_ro(
            "upper", [part](const T& self) { return part(self).upper; },
            "Proven: the score is at most this.")
        .def_prop_ro(
            "outcome", [part](const T& self) { return outcome_of(part(self)); },
            nb::sig("def outcome(self) -> typing.Literal['win', 'draw', 'loss'] | None"),
            "What the side to move gets with best play; None if that is not known.")
        .def_prop_ro(
            "winner", [part](const T& self) { return winner_of(part(self)); },
            "The player who wins with best play, 1 or 2; None for a draw or if that is not known.")
        .def_prop_ro(
            "final_ply", [part](const T& self) { return part(self).final_ply(); },
            "Discs on the board when the game ends with best play; None if the score is not known.")
        .def_prop_ro(
            "plies_to_end", [part](const T& self) { return part(self).plies_to_end(); },
            "Discs from the position to the end of the game with best play; None if the score is not "
            "known.")
        .def_prop_ro(
            "moves_to_end", [part](const T& self) { return part(self).moves_to_end(); },
            "Discs that the winner still has to play: 1 wins with the next one. None for a draw or if "
            "the\nscore is not known.")
        .def_prop_ro(
            "share", [part](const T& self) { return part(self).share(); },
            "The first player's share of an evaluation bar, from 0.0 to 1.0: 0.5 for a draw, 0.7 and "
            "more for\na win. Half way between the bounds if the score is not known exactly.");
}

/// Adds what the search for an answer took, and the answer's other properties.
template <class T, class Part>
void add_effort(nb::class_<T>& cls, Part part) {
    cls.def_prop_ro(
           "complete", [part](const T& self) { return part(self).complete; },
           "True if all that was asked for is known.")
        .def_prop_ro(
            "best_columns",
            [part](const T& self) -> std::optional<Columns> {
                const auto& columns = part(self).best_columns;
                return columns ? std::optional(Columns{*columns}) : std::nullopt;
            },
            "The columns that keep the score; None if they were not asked for or not found in time.")
        .def_prop_ro(
            "nodes", [part](const T& self) { return part(self).nodes; }, "Nodes searched.")
        .def_prop_ro("time_s", [part](const T& self) { return part(self).time_s; }, "Seconds taken.");
}

template <class T>
void add_mirrored(nb::class_<T>& cls) {
    cls.def("mirrored", &T::mirrored, "Return the same about the mirror image of the position.")
        .def("__hash__", &T::hash)
        .def("__repr__", [](const T& self) { return repr(self); });
}

constexpr auto itself = [](const auto& value) -> const auto& { return value; };
constexpr auto its_result = [](const Analysis& analysis) -> const Result& { return analysis.result; };

void add_limit(nb::module_& module) {
    nb::class_<Limit> limit(
        module, "Limit", nb::is_final(), nb::sig("@typing.final\nclass Limit(object)"),
        R"(When a solver gives up: after a time, a number of nodes, or whichever comes first.

>>> Limit(time_s=0.5, nodes=1000000)
Limit(time_s=0.5, nodes=1000000))");
    limit
        .def(
            "__init__",
            [](Limit* self, nb::handle time_s, nb::handle nodes) {
                new (self) Limit(make_limit(time_s, nodes));
            },
            given("time_s") = nb::none(), given("nodes") = nb::none(),
            nb::sig("def __init__(self, time_s: float | None = None, nodes: int | None = None) -> None"))
        .def_prop_ro("time_s", &time_of, "Seconds, or None.")
        .def_prop_ro("nodes", &nodes_of, "Nodes, or None.")
        .def("__hash__",
             [](const Limit& self) { return nb::hash(nb::make_tuple(self.time_s, self.nodes)); })
        .def("__repr__", [](const Limit& self) { return repr(self); });
    add_value(limit, json_object_type, &limit_to_json, &limit_from_json);
}

void add_result(nb::module_& module) {
    nb::class_<Result> result(module, "Result", nb::is_final(),
                              nb::sig("@typing.final\nclass Result(object)"),
                              R"(What is proven of a position, for the side to move.

An immutable value: two results are equal if they say the same of the same position, whatever effort it
took to find. *upper* is *lower* if it is not given.

>>> result = Result(Position("4455"), 18)
>>> result.outcome, result.winner, result.moves_to_end, result.plies_to_end
('win', 1, 2, 3)
>>> Result(Position(), -2, 5).outcome is None
True)");
    result
        .def(
            "__init__",
            [](Result* self, const Position& position, nb::handle lower, nb::handle upper,
               nb::handle complete, nb::handle best_columns, nb::handle nodes, nb::handle time_s) {
                new (self)
                    Result(make_result(position, lower, upper, complete, best_columns, nodes, time_s));
            },
            "position"_a, given("lower"), given("upper") = nb::none(), nb::kw_only(),
            given("complete") = nb::none(), given("best_columns") = nb::none(), given("nodes") = 0,
            given("time_s") = 0.0,
            nb::sig("def __init__(self, position: Position, lower: int, upper: int | None = None, *, "
                    "complete: bool | None = None, "
                    "best_columns: collections.abc.Iterable[int] | None = None, nodes: int = 0, "
                    "time_s: float = 0.0) -> None"),
            "Raises ValueError if the position cannot have such a result. Without *complete* it is "
            "complete if\nthe score is exact.")
        .def_static("of_finished", &Result::of_finished, "position"_a,
                    R"(Return the result of a finished game. Raises ValueError if it is not over.

>>> Result.of_finished(Position("1212121")).winner
1)");
    add_meaning(result, itself);
    add_effort(result, itself);
    add_mirrored(result);
    add_value(result, json_object_type, &result_to_json, &result_from_json);
}

void add_line(nb::module_& module) {
    nb::class_<Line> line(module, "Line", nb::is_final(), nb::sig("@typing.final\nclass Line(object)"),
                          R"(One move of an analysis: what it is worth, and the best play after it.

*position* is the position before the move, and the score is that of the side that moves.

>>> line = Line(Position("4455"), 2, 18, variation=(2, 1, 5))
>>> line.moves_to_end, line.mirrored().variation
(2, (4, 5, 1)))");
    line.def(
            "__init__",
            [](Line* self, const Position& position, nb::handle column, nb::handle lower,
               nb::handle upper, nb::handle variation) {
                new (self) Line(make_line(position, column, lower, upper, variation));
            },
            "position"_a, given("column"), given("lower"), given("upper") = nb::none(),
            given("variation") = nb::make_tuple(),
            nb::sig("def __init__(self, position: Position, column: int, lower: int, "
                    "upper: int | None = None, variation: collections.abc.Iterable[int] = ()) -> None"),
            "Raises ValueError if the move cannot be played or cannot be worth that.")
        .def_prop_ro(
            "column", [](const Line& self) { return self.column; }, "The column, 0-based.")
        .def_prop_ro(
            "variation", [](const Line& self) { return tuple_of(self.variation); },
            nb::sig("def variation(self) -> tuple[int, ...]"),
            "This column and best play after it, to the end of the game as far as it is known.");
    add_meaning(line, itself);
    add_mirrored(line);
    add_value(line, json_object_type, &line_to_json, &line_from_json);
}

void add_analysis(nb::module_& module) {
    nb::class_<Analysis> analysis(
        module, "Analysis", nb::is_final(), nb::sig("@typing.final\nclass Analysis(object)"),
        R"(What is proven of every open column of a position; iterates over the lines.

>>> analysis = Solver().analyze(Position("4455"))
>>> analysis.score, list(analysis.best_columns), len(analysis), analysis.best_line.column
(18, [2, 5], 7, 2)
>>> Analysis.from_json(analysis.to_json()) == analysis
True)");
    analysis.def("_repr_html_", drawn_by("analysis_html"), nb::sig("def _repr_html_(self) -> str"))
        .def(
            "__init__",
            [](Analysis* self, const Position& position, nb::handle lines, nb::handle complete,
               nb::handle nodes, nb::handle time_s) {
                new (self) Analysis(make_analysis(position, lines, complete, nodes, time_s));
            },
            "position"_a, given("lines"), nb::kw_only(), given("complete") = nb::none(),
            given("nodes") = 0, given("time_s") = 0.0,
            nb::sig("def __init__(self, position: Position, lines: collections.abc.Iterable[Line], *, "
                    "complete: bool | None = None, nodes: int = 0, time_s: float = 0.0) -> None"),
            "*lines* must be one for each open column, in any order, and none for a finished game. "
            "Without\n*complete* it is complete if all of them are exact.")
        .def_prop_ro(
            "result", [](const Analysis& self) { return self.result; }, "The position itself.")
        .def_prop_ro(
            "lines",
            [](const Analysis& self) {
                nb::list lines;
                for (const Line& line : self.lines) lines.append(line);
                return nb::tuple(lines);
            },
            nb::sig("def lines(self) -> tuple[Line, ...]"),
            "One for each open column, from left to right.")
        .def_prop_ro(
            "best_line",
            [](const Analysis& self) {
                const Line* line = self.best_line();
                return line == nullptr ? std::nullopt : std::optional(*line);
            },
            "The line of the best column nearest to the center; None if the best columns are not known.")
        .def_prop_ro(
            "proven_best_columns",
            [](const Analysis& self) { return Columns{self.proven_best_columns()}; },
            "The columns that are proven to be at least as good as any other. Those of an analysis that "
            "is\nnot complete may be some of the best or none at all.")
        .def(
            "__iter__", [](nb::handle self) { return nb::iter(self.attr("lines")); },
            nb::sig("def __iter__(self) -> collections.abc.Iterator[Line]"))
        .def("__len__", [](const Analysis& self) { return self.lines.size(); });
    add_meaning(analysis, its_result);
    add_effort(analysis, its_result);
    add_mirrored(analysis);
    add_value(analysis, json_object_type, &analysis_to_json, &analysis_from_json);
}

}  // namespace

void add_answers(nb::module_& module) {
    add_limit(module);
    add_result(module);
    add_line(module);
    add_analysis(module);
}

}  // namespace fourcast::bindings
