// The solver and its answers.
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cmath>
#include <string>

#include "../kernels.hpp"
#include "../solver.hpp"
#include "../text.hpp"
#include "columns.hpp"
#include "convert.hpp"
#include "module.hpp"

namespace fourcast::bindings {
namespace {

using namespace nb::literals;

const char* outcome_of(int lower, int upper) {
    if (lower > 0) return "win";
    if (upper < 0) return "loss";
    return lower == 0 && upper == 0 ? "draw" : nullptr;
}

nb::object outcome_name(int lower, int upper) {
    const char* name = outcome_of(lower, upper);
    return name == nullptr ? nb::none() : nb::object(nb::str(name));
}

Limit make_limit(nb::handle time_s, nb::handle nodes) {
    Limit limit;
    if (!time_s.is_none()) {
        if (PyBool_Check(time_s.ptr()) || PyNumber_Check(time_s.ptr()) == 0 ||
            PyUnicode_Check(time_s.ptr()))
            wrong_type("time_s", "a number of seconds", time_s);
        limit.time_s = nb::cast<double>(nb::float_(time_s));
        if (!(limit.time_s > 0)) {
            throw nb::value_error(
                text("time_s must be more than 0 seconds, not ", nb::repr(time_s).c_str()).c_str());
        }
    }
    if (!nodes.is_none())
        limit.nodes =
            static_cast<u64>(bounded(nodes, "nodes", 1, std::numeric_limits<long long>::max()));
    return limit;
}

std::string repr(const Limit& limit) {
    std::string arguments;
    if (!std::isinf(limit.time_s)) arguments = text("time_s=", limit.time_s);
    if (limit.nodes != std::numeric_limits<u64>::max())
        arguments += text(arguments.empty() ? "" : ", ", "nodes=", limit.nodes);
    return text("Limit(", arguments, ")");
}

std::string score_text(int lower, int upper) {
    if (lower == upper) return text("score=", lower);
    return text("lower=", lower, ", upper=", upper);
}

std::string repr(const Result& result) {
    return text("<Result ", score_text(result.lower, result.upper),
                result.complete ? "" : ", incomplete", ", nodes=", result.nodes, ">");
}

Limit limit_from(const std::optional<Limit>& limit) { return limit.value_or(Limit{}); }

Goal goal_from(nb::handle outcome_only) {
    return bool_from(outcome_only, "outcome_only") ? Goal::outcome : Goal::score;
}

/// Positions as they come: Position objects or move strings, or bitboards in an array of two columns.
std::vector<Position> positions_from(nb::handle given_positions, const Position& empty) {
    std::vector<Position> positions;
    using Bitboards = nb::ndarray<const u64, nb::shape<-1, 2>, nb::device::cpu>;
    Bitboards boards;
    if (!PyList_Check(given_positions.ptr()) &&
        nb::try_cast<Bitboards>(given_positions, boards, false)) {
        const auto view = boards.view();
        positions.reserve(view.shape(0));
        for (std::size_t i = 0; i < view.shape(0); ++i)
            positions.push_back(
                Position::from_stones(view(i, 0), view(i, 1), empty.width(), empty.height()));
        return positions;
    }
    if (nb::hasattr(given_positions, "dtype"))
        throw nb::type_error(
            "an array of bitboards must be of shape (n, 2) and of unsigned 64-bit integers");
    if (PyUnicode_Check(given_positions.ptr()))
        wrong_type("positions", "an iterable of positions, not one string", given_positions);
    for (nb::handle item : nb::iter(given_positions)) {
        if (Position position; nb::try_cast<Position>(item, position, false)) {
            positions.push_back(position);
        } else if (PyUnicode_Check(item.ptr())) {
            positions.push_back(play_moves(empty, item));
        } else {
            wrong_type("a position", "a Position or a move string", item);
        }
    }
    return positions;
}

/// Reports progress to a Python function, which is called with what is done and what there is to do.
class PythonProgress final : public Solver::Progress {
  public:
    PythonProgress(nb::handle function, std::size_t total) : function_(function), total_(total) {}
    void report(std::size_t done) override {
        if (function_.is_none()) return;
        const nb::gil_scoped_acquire gil;
        function_(done, total_);
    }

  private:
    nb::handle function_;
    std::size_t total_;
};

/// The opening books that are meant: a given one, the default ones (True), or none (False).
std::vector<std::shared_ptr<const Book>> books_from(nb::handle book) {
    if (book.ptr() == Py_False) return {};
    if (book.ptr() == Py_True) {
        const nb::object books = nb::module_::import_("fourcast.book.shelf").attr("default_books")();
        return nb::cast<std::vector<std::shared_ptr<const Book>>>(books);
    }
    std::shared_ptr<const Book> given;
    if (!nb::try_cast(book, given, false)) wrong_type("book", "a Book or a bool", book);
    return {given};
}

Features features_without(nb::handle names) {
    Features features;
    const std::pair<const char*, bool Features::*> known[] = {
        {"table", &Features::table},
        {"mirror", &Features::mirror},
        {"dead_stones", &Features::dead_stones},
        {"lookahead", &Features::lookahead},
        {"proofs", &Features::proofs},
        {"child_proofs", &Features::child_proofs},
        {"learned_order", &Features::learned_order},
        {"schedule", &Features::schedule},
    };
    for (nb::handle item : nb::iter(names)) {
        const std::string name = nb::cast<std::string>(nb::str(item));
        std::string all;
        bool found = false;
        for (const auto& [feature, member] : known) {
            all += text(all.empty() ? "" : ", ", feature);
            if (name != feature) continue;
            features.*member = false;
            found = true;
        }
        if (!found)
            throw nb::value_error(text("no feature is called '", name, "'; there are ", all).c_str());
    }
    return features;
}

}  // namespace

void add_solver(nb::module_& module) {
    nb::class_<Limit>(
        module, "Limit", nb::is_final(), nb::sig("@typing.final\nclass Limit(object)"),
        R"(When a solver gives up: after a time, a number of nodes, or whichever comes first.

>>> Limit(time_s=0.5, nodes=1000000)
Limit(time_s=0.5, nodes=1000000))")
        .def(
            "__init__",
            [](Limit* self, nb::handle time_s, nb::handle nodes) {
                new (self) Limit(make_limit(time_s, nodes));
            },
            given("time_s") = nb::none(), given("nodes") = nb::none(),
            nb::sig("def __init__(self, time_s: float | None = None, nodes: int | None = None) -> None"))
        .def_prop_ro(
            "time_s",
            [](const Limit& self) {
                return std::isinf(self.time_s) ? std::nullopt : std::optional(self.time_s);
            },
            "Seconds, or None.")
        .def_prop_ro(
            "nodes",
            [](const Limit& self) {
                return self.nodes == std::numeric_limits<u64>::max() ? std::nullopt
                                                                     : std::optional(self.nodes);
            },
            "Nodes, or None.")
        .def("__repr__", [](const Limit& self) { return repr(self); });

    nb::class_<Result>(module, "Result", nb::is_final(), nb::sig("@typing.final\nclass Result(object)"),
                       "What a solver has proven of a position, for the side to move.")
        .def_prop_ro("score", &Result::score, "The exact score, or None if it is not known exactly.")
        .def_ro("lower", &Result::lower, "Proven: the score is at least this.")
        .def_ro("upper", &Result::upper, "Proven: the score is at most this.")
        .def_ro("complete", &Result::complete, "True if all that was asked for is known.")
        .def_prop_ro(
            "outcome", [](const Result& self) { return outcome_name(self.lower, self.upper); },
            nb::sig("def outcome(self) -> typing.Literal['win', 'draw', 'loss'] | None"),
            "What the side to move gets with best play; None if that is not known.")
        .def_prop_ro(
            "plies_to_end", &Result::plies_to_end,
            "Stones from here to the end of the game with best play; None if the score is not known.")
        .def_prop_ro(
            "best_columns",
            [](const Result& self) -> std::optional<Columns> {
                if (!self.best_columns) return std::nullopt;
                return Columns{*self.best_columns};
            },
            "The columns that keep the score; None if they were not asked for or not found in time.")
        .def_ro("nodes", &Result::nodes, "Nodes searched.")
        .def_ro("time_s", &Result::time_s, "Seconds taken.")
        .def("__repr__", [](const Result& self) { return repr(self); });

    nb::class_<Line>(module, "Line", nb::is_final(), nb::sig("@typing.final\nclass Line(object)"),
                     "One move of an analysis: what it is worth, and the best play after it.")
        .def_ro("column", &Line::column, "The column, 0-based.")
        .def_prop_ro("score", &Line::score,
                     "The exact score of the move, or None if it is not known exactly.")
        .def_ro("lower", &Line::lower, "Proven: the score is at least this.")
        .def_ro("upper", &Line::upper, "Proven: the score is at most this.")
        .def_prop_ro(
            "outcome", [](const Line& self) { return outcome_name(self.lower, self.upper); },
            nb::sig("def outcome(self) -> typing.Literal['win', 'draw', 'loss'] | None"),
            "What the move leads to with best play; None if that is not known.")
        .def_prop_ro(
            "variation",
            [](const Line& self) {
                nb::list columns;
                for (const int column : self.variation) columns.append(column);
                return nb::tuple(columns);
            },
            nb::sig("def variation(self) -> tuple[int, ...]"),
            "This column and best play after it, to the end of the game.")
        .def("__repr__", [](const Line& self) {
            return text("<Line column=", self.column, ", ", score_text(self.lower, self.upper), ">");
        });

    nb::class_<Analysis>(module, "Analysis", nb::is_final(),
                         nb::sig("@typing.final\nclass Analysis(object)"),
                         "What a solver has proven of every open column; iterates over the lines.")
        .def_ro("result", &Analysis::result, "The position itself.")
        .def_prop_ro(
            "lines",
            [](const Analysis& self) {
                nb::list lines;
                for (const Line& line : self.lines) lines.append(line);
                return nb::tuple(lines);
            },
            nb::sig("def lines(self) -> tuple[Line, ...]"),
            "One for each open column, from left to right.")
        .def(
            "__iter__", [](nb::handle self) { return nb::iter(self.attr("lines")); },
            nb::sig("def __iter__(self) -> collections.abc.Iterator[Line]"))
        .def("__len__", [](const Analysis& self) { return self.lines.size(); })
        .def("__repr__", [](const Analysis& self) {
            return text("<Analysis ", score_text(self.result.lower, self.result.upper), ", ",
                        self.lines.size(), " columns>");
        });

    nb::class_<Solver>(module, "Solver", nb::is_final(), nb::sig("@typing.final\nclass Solver(object)"),
                       R"(Solves positions exactly, and remembers what it has found.

One solver may be used from several Python threads at once; all its methods let other threads run, and
Ctrl-C interrupts them.

>>> Solver().solve(Position("44455554221")).score
-15)")
        .def(
            "__init__",
            [](Solver* self, nb::handle book, nb::handle table_mb, nb::handle threads,
               nb::handle without) {
                Solver::Options options;
                options.table_mb = static_cast<std::size_t>(bounded(table_mb, "table_mb", 1, 1 << 20));
                options.threads = static_cast<int>(bounded(threads, "threads", 1, 256));
                options.features = features_without(without);
                options.books = books_from(book);
                new (self) Solver(options);
            },
            nb::kw_only(), given("book") = true, given("table_mb") = 8, given("threads") = 1,
            given("without") = nb::make_tuple(),
            nb::sig(
                "def __init__(self, *, book: Book | bool = True, table_mb: int = 8, threads: int = 1, "
                "without: collections.abc.Iterable[str] = ()) -> None"),
            R"(Make a solver with a table of *table_mb* MB that searches with *threads* threads.

The opening book is the one that came with fourcast or a deeper one in the data folder; another can be
given, and with *book* false everything is searched. A file in there that is no book is passed over with a
BookWarning.
*without* names parts of the search to switch off, for measurements: no score depends on them.)")
        .def_prop_ro(
            "table_mb", [](const Solver& self) { return self.options().table_mb; },
            "The size of the table.")
        .def_prop_ro(
            "threads", [](const Solver& self) { return self.options().threads; },
            "How many threads search one position.")
        .def(
            "solve",
            [](Solver& self, const Position& position, const std::optional<Limit>& limit,
               nb::handle outcome_only, nb::handle best_columns) {
                const Goal goal = goal_from(outcome_only);
                const bool best = bool_from(best_columns, "best_columns");
                const nb::gil_scoped_release no_gil;
                return self.solve(position, limit_from(limit), goal, best, check_signals);
            },
            "position"_a, "limit"_a = nb::none(), nb::kw_only(), given("outcome_only") = false,
            given("best_columns") = true,
            nb::sig("def solve(self, position: Position, limit: Limit | None = None, *, "
                    "outcome_only: bool = False, best_columns: bool = True) -> Result"),
            R"(Return the exact value of *position* for the side to move.

If *limit* is reached or `stop` is called first, `complete` is false and `lower` and `upper` are proven
bounds. With *outcome_only* no more is found out than who wins, which is much cheaper. Finding the best
columns takes a little more work than the score; they can be left out.)")
        .def(
            "score",
            [](Solver& self, const Position& position) {
                const nb::gil_scoped_release no_gil;
                return self.score(position, check_signals);
            },
            "position"_a,
            R"(Return the exact score of *position* and nothing else: the quickest call there is.

Raises StoppedError if `stop` is called meanwhile.)")
        .def(
            "analyze",
            [](Solver& self, const Position& position, const std::optional<Limit>& limit,
               nb::handle variations) {
                const bool wanted = bool_from(variations, "variations");
                const nb::gil_scoped_release no_gil;
                return self.analyze(position, limit_from(limit), wanted, check_signals);
            },
            "position"_a, "limit"_a = nb::none(), nb::kw_only(), given("variations") = true,
            nb::sig("def analyze(self, position: Position, limit: Limit | None = None, *, "
                    "variations: bool = True) -> Analysis"),
            R"(Return the exact value of every open column, and best play after each of them.

What is not known when *limit* is reached is told by bounds. Without *variations* each line is only its
first move.)")
        .def(
            "solve_many",
            [](Solver& self, nb::handle positions, const std::optional<Limit>& limit, nb::handle threads,
               nb::handle progress, nb::handle outcome_only, nb::handle width, nb::handle height) {
                const Goal goal = goal_from(outcome_only);
                const auto workers = static_cast<int>(bounded(threads, "threads", 1, 256));
                const auto all = positions_from(positions, board_of(width, height));
                PythonProgress report(progress, all.size());
                const nb::gil_scoped_release no_gil;
                return self.solve_many(all, limit_from(limit), goal, workers, report, check_signals);
            },
            given("positions"), "limit"_a = nb::none(), nb::kw_only(), given("threads") = 1,
            given("progress") = nb::none(), given("outcome_only") = false, given("width") = 7,
            given("height") = 6,
            nb::sig(
                "def solve_many(self, positions: collections.abc.Iterable[Position | str] | typing.Any, "
                "limit: Limit | None = None, *, threads: int = 1, "
                "progress: collections.abc.Callable[[int, int], object] | None = None, "
                "outcome_only: bool = False, width: int = 7, height: int = 6) -> list[Result]"),
            R"(Solve many positions, each on one of *threads* threads, and return the results in order.

*positions* are Positions, move strings, or an array of bitboards (uint64, one row (first, second) for
each position); *width* and *height* are those of strings and bitboards. *limit* holds for each position.
*progress* is called now and then with the number done and the number of all.

>>> [result.score for result in Solver().solve_many(["4455", "44455554221"])]
[18, -15])")
        .def("stop", &Solver::stop,
             "End every call that is under way; each returns what it has proven. For another thread to "
             "call.")
        .def("clear", &Solver::clear, "Forget everything that was found.");

    module.def("kernel_name", &kernel_name,
               R"(The kind of processor that the search in use was compiled for.

It is the first of `kernel_names()` unless the environment's FOURCAST_KERNEL names another one.)");
    module.def(
        "kernel_names",
        [] {
            nb::list names;
            for (const char* name : kernel_names()) names.append(name);
            return nb::tuple(names);
        },
        nb::sig("def kernel_names() -> tuple[str, ...]"),
        "The kinds that this processor runs, the quickest first.");
}

}  // namespace fourcast::bindings
