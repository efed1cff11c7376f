// What a solver answers: Limit, Result, Line and Analysis.
#include "columns.hpp"
#include "solver/answer_value.hpp"
#include "value.hpp"

namespace fourcast::bindings {

template <>
inline constexpr const char* called<Line> = "a Line";
template <>
inline constexpr bool is_base<Proven> = true;
template <>
inline constexpr bool is_base<Result> = true;

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

Line make_line(const Position& position, nb::handle column, Score lower, std::optional<Score> upper,
               nb::handle variation) {
    const nb::object integer = as_integer(column, "column");
    const auto move = small_integer(integer);
    if (!move) throw OptionError("error.column_off", {{"column", show(integer)}});
    (void)position.play(*move);  // raises IllegalMoveError
    Line line(position, static_cast<int>(*move), lower, upper.value_or(lower));
    std::vector<int> columns;
    for_each_item(variation, "variation", "a sequence of ints", [&](nb::handle value) {
        columns.push_back(
            static_cast<int>(bounded(value, "a column of variation", 0, position.width() - 1)));
        if (columns.size() > static_cast<std::size_t>(position.cells() - position.ply()))
            throw OptionError("error.variation_long");
    });
    if (!columns.empty()) line.variation = std::move(columns);
    line.validate();
    return line;
}

Analysis make_analysis(const Position& position, nb::handle lines, std::optional<bool> complete,
                       Count<0> nodes, Time time_s) {
    std::vector<Line> all;
    for_each_item(lines, "lines", "an iterable of Lines", [&](nb::handle item) {
        all.push_back(Reads<Line>::from(item, "a line of an analysis"));
        if (all.size() > static_cast<std::size_t>(position.width()))
            throw OptionError("error.lines_many");
    });
    Analysis analysis = Analysis::of(position, std::move(all), complete);
    set_effort(analysis, nodes, time_s);
    analysis.validate();
    return analysis;
}

// ---- The classes ---------------------------------------------------------------------------------

/// Adds what a class of answers has for itself, because it is about the whole value.
template <class T, class Base>
void add_answer(Class<T, Base>& cls) {
    cls.def("mirrored", plain<&T::mirrored>);
    add_value(cls);
}

}  // namespace

void add_answers(nb::module_& module) {
    Class<Limit> limit(module, "Limit", [](Seconds time_s, std::optional<Count<1>> nodes) {
        Limit made;
        if (time_s) made.time_s = *time_s;
        if (nodes) made.nodes = *nodes;
        return made;
    });
    limit
        .get("time_s",
             [](const Limit& self) {
                 return self.time_s == Limit{}.time_s ? std::nullopt : std::optional(self.time_s);
             })
        .get("nodes", [](const Limit& self) {
            return self.nodes == Limit{}.nodes ? std::nullopt : std::optional(self.nodes);
        });
    add_value(limit);

    Class<Proven>(module, "Proven")
        .gets<&Proven::position, &Proven::score, &Proven::lower, &Proven::upper, &Proven::outcome>(
            "position", "score", "lower", "upper", "outcome")
        .gets<&Proven::final_ply, &Proven::plies_to_end, &Proven::moves_to_end, &Proven::share>(
            "final_ply", "plies_to_end", "moves_to_end", "share")
        .get("winner", [](const Proven& self) { return somebody(self.winner()); });

    Class<Result, Proven> result(module, "Result", plain<&make_result>);
    result.def_static("of_finished", plain<&Result::of_finished>)
        .gets<&Result::complete, &Result::nodes, &Result::time_s>("complete", "nodes", "time_s")
        .get("best_columns",
             [](const Result& self) {
                 return self.best_columns ? std::optional(Columns{*self.best_columns}) : std::nullopt;
             })
        .def("__str__",
             [](nb::handle self) { return drawn_by("result_text", self, "fourcast.render.analysis"); });
    add_answer(result);

    Class<Line, Proven> line(module, "Line", plain<&make_line>);
    line.get("column", plain<&Line::column>)
        .get("variation", [](const Line& self) { return tuple_of(self.variation); })
        .def("__str__",
             [](nb::handle self) { return drawn_by("line_text", self, "fourcast.render.analysis"); });
    add_answer(line);

    Class<Analysis, Result> analysis(module, "Analysis", plain<&make_analysis>);
    analysis.get("result", [](const Analysis& self) { return Result(self); })
        .get("lines", [](const Analysis& self) { return tuple_of(self.lines); })
        .get("scores",
             [](const Analysis& self) {
                 std::vector<std::optional<int>> scores(static_cast<std::size_t>(self.position.width()));
                 for (const Line& each : self.lines)
                     scores[static_cast<std::size_t>(each.column)] = each.score();
                 return tuple_of(scores);
             })
        .get("best_line",
             [](const Analysis& self) {
                 const Line* const best = self.best_line();
                 return best == nullptr ? std::nullopt : std::optional(*best);
             })
        .get("proven_best_columns",
             [](const Analysis& self) { return Columns{self.proven_best_columns()}; })
        .def("__iter__", [](nb::handle self) { return nb::iter(self.attr("lines")); })
        .def("__len__", [](const Analysis& self) { return self.lines.size(); })
        .def("__str__",
             [](nb::handle self) { return drawn_by("analysis_text", self, "fourcast.render.analysis"); })
        .def("_repr_html_", [](nb::handle self) { return drawn_by("analysis_html", self); });
    add_answer(analysis);
}

}  // namespace fourcast::bindings
