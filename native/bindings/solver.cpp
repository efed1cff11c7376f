// The solver.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <string>

#include "arrays.hpp"
#include "arrays/arrays.hpp"
#include "columns.hpp"
#include "convert.hpp"
#include "interpreter.hpp"
#include "module.hpp"
#include "search/kernels.hpp"
#include "search/line_order.hpp"
#include "solver/solver.hpp"
#include "system/errors.hpp"
#include "system/text.hpp"

namespace fourcast::bindings {
namespace {

Limit limit_from(nb::handle value) {
    Limit limit;
    if (!value.is_none() && !nb::try_cast<Limit>(value, limit, false))
        wrong_type("limit", "a Limit or None", value);
    return limit;
}

StopToken token_from(nb::handle value) {
    StopToken token;
    if (!value.is_none() && !nb::try_cast<StopToken>(value, token, false))
        wrong_type("stop", "a StopToken or None", value);
    return token;
}

Goal goal_from(nb::handle outcome_only) {
    return bool_from(outcome_only, "outcome_only") ? Goal::outcome : Goal::score;
}

void require_progress(nb::handle function) {
    if (!function.is_none() && PyCallable_Check(function.ptr()) == 0)
        wrong_type("progress", "a function", function);
}

/// Reports progress to a Python function, which is called with what is done and what there is to do.
Solver::Progress progress_to(nb::handle function, std::size_t total) {
    if (function.is_none()) return {};
    return [function, total](std::size_t done) {
        const WithGil gil;
        run_python([&] { function(done, total); });
    };
}

/// The arguments of a bulk call.
struct Bulk {
    Bulk(nb::handle given_positions, nb::handle given_threads, nb::handle given_progress,
         nb::handle width, nb::handle height)
        : threads(static_cast<int>(bounded(given_threads, "threads", 1, 256))) {
        require_progress(given_progress);
        const Position empty = board_of(width, height);
        positions = run_python(
            [&] { return rows_from(given_positions, nb::none(), empty, Invalid::raise).positions; });
        progress = progress_to(given_progress, positions.size());
    }

    int threads;
    std::vector<Position> positions;
    Solver::Progress progress;
};

/// The labels of many positions: of each, or of each of its columns.
enum class Labels { values, scores };

nb::object label(Solver& solver, Labels labels, nb::handle given_positions, nb::handle layout,
                 nb::handle given_limit, nb::handle given_threads, nb::handle given_progress,
                 nb::handle invalid, nb::handle width, nb::handle height, nb::handle stop) {
    const Invalid how = invalid_from(invalid);
    const Limit limit = limit_from(given_limit);
    const StopToken token = token_from(stop);
    const Position empty = board_of(width, height);
    const auto threads = static_cast<int>(bounded(given_threads, "threads", 1, 256));
    require_progress(given_progress);
    numpy();  // before the work, not after it
    Rows rows = run_python([&] { return rows_from(given_positions, layout, empty, how); });
    require_size(rows, empty);

    const auto columns = labels == Labels::scores ? static_cast<std::size_t>(empty.width()) : 1;
    std::vector<std::size_t> shape{rows.count};
    if (labels == Labels::scores) shape.push_back(columns);
    const auto array = new_array<signed char>(shape, label::impossible);
    const auto fill = [&](std::size_t row, signed char value) {
        std::fill_n(array.data + row * columns, columns, value);
    };
    rows.remove_finished(how, [&](std::size_t row) { fill(row, label::finished); });
    for (std::size_t i = 0; i < rows.positions.size(); ++i) {
        fill(rows.indices[i], label::unknown);
        if (labels == Labels::values) continue;
        for (int column = 0; column < empty.width(); ++column)
            if (rows.positions[i].is_column_full(column))
                array.data[rows.indices[i] * columns + static_cast<std::size_t>(column)] = label::full;
    }

    const Solver::Progress progress = progress_to(given_progress, rows.positions.size());
    const WithoutGil no_gil;
    if (labels == Labels::values) {
        solver.score_each(rows.positions, limit, threads, progress, check_signals, token,
                          [&](std::size_t i, int score) {
                              array.data[rows.indices[i]] = static_cast<signed char>(score);
                          });
    } else {
        solver.score_columns_of_each(
            rows.positions, limit, threads, progress, check_signals, token,
            [&](std::size_t i, int column, int score) {
                array.data[rows.indices[i] * columns + static_cast<std::size_t>(column)] =
                    static_cast<signed char>(score);
            });
    }
    return array.object;
}

/// The opening books that are meant: none, one, or several.
std::vector<std::shared_ptr<const Book>> books_from(nb::handle given_books) {
    const auto book_from = [](nb::handle item) {
        std::shared_ptr<const Book> book;
        if (item.is_none() || !nb::try_cast(item, book, false) || !book)
            wrong_type("book", "a Book, a sequence of Books, or None", item);
        return book;
    };
    if (given_books.is_none()) return {};
    if (!PyList_Check(given_books.ptr()) && !PyTuple_Check(given_books.ptr()))
        return {book_from(given_books)};
    std::vector<std::shared_ptr<const Book>> books;
    for (const nb::handle item : nb::iter(given_books)) books.push_back(book_from(item));
    return books;
}

Features features_without(nb::handle names) {
    Features features;
    const std::pair<const char*, bool Features::*> known[] = {
        {"table", &Features::table},
        {"mirror", &Features::mirror},
        {"dead_discs", &Features::dead_discs},
        {"lookahead", &Features::lookahead},
        {"proofs", &Features::proofs},
        {"child_proofs", &Features::child_proofs},
        {"local_games", &Features::local_games},
        {"hold", &Features::hold},
        {"learned_order", &Features::learned_order},
        {"order_net", &Features::order_net},
        {"endgame", &Features::endgame},
        {"schedule", &Features::schedule},
    };
    u64 number = 0;
    for (nb::handle item : nb::iter(names)) {
        // The iterable may be endless; Ctrl-C must end it.
        if (++number % 1024 == 0 && PyErr_CheckSignals() != 0) throw nb::python_error();
        if (!PyUnicode_Check(item.ptr())) wrong_type("a feature", "a str", item);
        const std::string name = utf8_of(item);
        std::string all;
        bool found = false;
        for (const auto& [feature, member] : known) {
            all += text(all.empty() ? "" : ", ", feature);
            if (name != feature) continue;
            features.*member = false;
            found = true;
        }
        if (!found) throw OptionError("error.no_feature", {{"name", name}, {"names", all}});
    }
    return features;
}

}  // namespace

void add_solver(nb::module_& module) {
    nb::class_<StopToken>(module, "StopToken", nb::is_final(),
                          nb::sig("@typing.final\nclass StopToken(object)"),
                          "Stops the calls that it is given to; see `SolverCore.make_token`.")
        .def(
            "stop", &StopToken::stop,
            "End the calls that were given this token, now or when they begin. They answer with what is "
            "proven.")
        .def_prop_ro("is_stopped", &StopToken::is_stopped, "Whether it has been stopped.");

    nb::class_<Solver>(module, "SolverCore",
                       "The compiled part of `fourcast.Solver`, which adds the default books.")
        .def(
            "__init__",
            [](Solver* self, nb::handle book, nb::handle table_mb, nb::handle threads,
               nb::handle without) {
                new (self) Solver(
                    {.table_mb = static_cast<std::size_t>(bounded(table_mb, "table_mb", 1, 1 << 20)),
                     .threads = static_cast<int>(bounded(threads, "threads", 1, 256)),
                     .features = features_without(without),
                     .books = books_from(book)});
            },
            nb::kw_only(), given("book") = nb::none(), given("table_mb") = 8, given("threads") = 1,
            given("without") = nb::make_tuple(),
            nb::sig("def __init__(self, *, book: Book | collections.abc.Sequence[Book] | None = None, "
                    "table_mb: int = 8, threads: int = 1, "
                    "without: collections.abc.Iterable[str] = ()) -> None"),
            "Make a solver with these books; see `fourcast.Solver`.")
        .def_prop_ro(
            "table_mb", [](const Solver& self) { return self.options().table_mb; },
            "The size of the table.")
        .def_prop_ro(
            "threads", [](const Solver& self) { return self.options().threads; },
            "How many threads search one position.")
        .def(
            "solve",
            [](Solver& self, nb::handle position, nb::handle limit, nb::handle outcome_only,
               nb::handle best_columns, nb::handle stop) {
                const Position start = position_from(position);
                const Limit until = limit_from(limit);
                const Goal goal = goal_from(outcome_only);
                const bool best = bool_from(best_columns, "best_columns");
                const StopToken token = token_from(stop);
                const WithoutGil no_gil;
                return self.solve(start, until, goal, best, check_signals, token);
            },
            given("position"), given("limit") = nb::none(), nb::kw_only(), given("outcome_only") = false,
            given("best_columns") = true, given("stop") = nb::none(),
            nb::sig("def solve(self, position: Position, limit: Limit | None = None, *, "
                    "outcome_only: bool = False, best_columns: bool = True, "
                    "stop: StopToken | None = None) -> Result"),
            R"(Return the exact value of *position* for the side to move.

If *limit* is reached or the call is stopped first, `complete` is false and `lower` and `upper` are proven
bounds. With *outcome_only* the search ends as soon as the winner is known, which is much cheaper. Finding
the best columns takes a little more work than the score; they can be left out.)")
        .def(
            "score",
            [](Solver& self, nb::handle position) {
                const Position start = position_from(position);
                const WithoutGil no_gil;
                return self.score(start, check_signals);
            },
            given("position"), nb::sig("def score(self, position: Position) -> int"),
            R"(Return the exact score of *position* and nothing else: the quickest call.

Raises StoppedError if `stop` is called meanwhile.)")
        .def(
            "bound",
            [](Solver& self, nb::handle position, nb::handle alpha, nb::handle limit, nb::handle stop) {
                const Position start = position_from(position);
                const auto least = static_cast<int>(bounded(alpha, "alpha", -max_bits, max_bits));
                const Limit until = limit_from(limit);
                const StopToken token = token_from(stop);
                const WithoutGil no_gil;
                return self.bound(start, least, until, check_signals, token);
            },
            given("position"), given("alpha"), given("limit") = nb::none(), nb::kw_only(),
            given("stop") = nb::none(),
            nb::sig("def bound(self, position: Position, alpha: int, limit: Limit | None = None, *, "
                    "stop: StopToken | None = None) -> Result"),
            R"(Find out whether the score of *position* is more than *alpha*, which costs less than the score.

If the result is complete, its `lower` is more than *alpha*, or its `upper` is not.)")
        .def(
            "analyze",
            [](Solver& self, nb::handle position, nb::handle limit, nb::handle variations,
               nb::handle stop) {
                const Position start = position_from(position);
                const Limit until = limit_from(limit);
                const bool wanted = bool_from(variations, "variations");
                const StopToken token = token_from(stop);
                const WithoutGil no_gil;
                return self.analyze(start, until, wanted, check_signals, token);
            },
            given("position"), given("limit") = nb::none(), nb::kw_only(), given("variations") = true,
            given("stop") = nb::none(),
            nb::sig("def analyze(self, position: Position, limit: Limit | None = None, *, "
                    "variations: bool = True, stop: StopToken | None = None) -> Analysis"),
            R"(Return the exact value of every open column, and best play after each of them.

Each move of a line keeps the score. Which of several best moves it takes depends on the position alone.
What is not known when *limit* is reached has bounds. Without *variations* each line is only its first
move.)")
        .def(
            "solve_many",
            [](Solver& self, nb::handle positions, nb::handle limit, nb::handle threads,
               nb::handle progress, nb::handle outcome_only, nb::handle width, nb::handle height,
               nb::handle stop) {
                const Goal goal = goal_from(outcome_only);
                const Limit until = limit_from(limit);
                const StopToken token = token_from(stop);
                const Bulk bulk(positions, threads, progress, width, height);
                const WithoutGil no_gil;
                return self.solve_many(bulk.positions, until, goal, bulk.threads, bulk.progress,
                                       check_signals, token);
            },
            given("positions"), given("limit") = nb::none(), nb::kw_only(), given("threads") = 1,
            given("progress") = nb::none(), given("outcome_only") = false, given("width") = 7,
            given("height") = 6, given("stop") = nb::none(),
            nb::sig(
                "def solve_many(self, positions: collections.abc.Iterable[Position | str] | typing.Any, "
                "limit: Limit | None = None, *, threads: int = 1, "
                "progress: collections.abc.Callable[[int, int], object] | None = None, "
                "outcome_only: bool = False, width: int = 7, height: int = 6, "
                "stop: StopToken | None = None) -> list[Result]"),
            R"(Solve many positions, each on one of *threads* threads, and return the results in order.

*positions* are Positions, move strings, or an array of bitboards (uint64, one row (first, second) for
each position), at most 1,048,576 in one call; *width* and *height* are those of strings and bitboards.
*limit* holds for each position. *progress* is called now and then with the number done and the number of
all; an exception in it ends the call.)")
        .def(
            "analyze_many",
            [](Solver& self, nb::handle positions, nb::handle limit, nb::handle threads,
               nb::handle progress, nb::handle variations, nb::handle width, nb::handle height,
               nb::handle stop) {
                const bool wanted = bool_from(variations, "variations");
                const Limit until = limit_from(limit);
                const StopToken token = token_from(stop);
                const Bulk bulk(positions, threads, progress, width, height);
                const WithoutGil no_gil;
                return self.analyze_many(bulk.positions, until, wanted, bulk.threads, bulk.progress,
                                         check_signals, token);
            },
            given("positions"), given("limit") = nb::none(), nb::kw_only(), given("threads") = 1,
            given("progress") = nb::none(), given("variations") = true, given("width") = 7,
            given("height") = 6, given("stop") = nb::none(),
            nb::sig("def analyze_many(self, positions: collections.abc.Iterable[Position | str] | "
                    "typing.Any, limit: Limit | None = None, *, threads: int = 1, "
                    "progress: collections.abc.Callable[[int, int], object] | None = None, "
                    "variations: bool = True, width: int = 7, height: int = 6, "
                    "stop: StopToken | None = None) -> list[Analysis]"),
            "Analyze many positions, each on one of *threads* threads, and return the analyses in "
            "order.\n"
            "The arguments are those of `solve_many` and `analyze`.")
        .def(
            "label",
            [](Solver& self, nb::handle positions, nb::handle columns, nb::handle layout,
               nb::handle limit, nb::handle threads, nb::handle progress, nb::handle invalid,
               nb::handle width, nb::handle height, nb::handle stop) {
                const Labels labels = bool_from(columns, "columns") ? Labels::scores : Labels::values;
                return label(self, labels, positions, layout, limit, threads, progress, invalid, width,
                             height, stop);
            },
            given("positions"), nb::kw_only(), given("columns"), given("layout") = nb::none(),
            given("limit") = nb::none(), given("threads") = 1, given("progress") = nb::none(),
            given("invalid") = "raise", given("width") = 7, given("height") = 6,
            given("stop") = nb::none(),
            nb::sig("def label(self, positions: typing.Any, *, columns: bool, layout: str | None = "
                    "None, limit: Limit | None = None, threads: int = 1, "
                    "progress: collections.abc.Callable[[int, int], object] | None = None, "
                    "invalid: str = 'raise', width: int = 7, height: int = 6, "
                    "stop: StopToken | None = None) -> typing.Any"),
            "Return exact scores as an array of int8; see `fourcast.Solver.scores` and `values`.")
        .def("make_token", &Solver::make_token,
             R"(Return a token for one call or several: its `stop` ends those and no others.

`stop` of the solver ends them, too, also if they begin only later.)")
        .def("stop", &Solver::stop,
             "End every call that is under way; each returns what it has proven. For another thread to "
             "call.")
        .def("clear", &Solver::clear, "Forget everything that was found.");

    module.def(
        "search_order",
        [](nb::handle position, nb::handle score) {
            const Position start = position_from(position);
            const auto wanted = static_cast<int>(bounded(score, "score", -max_bits, max_bits));
            nb::list columns;
            for (const int column : LineOrder().columns(start, wanted)) columns.append(column);
            return nb::tuple(columns);
        },
        given("position"), given("score"),
        nb::sig("def search_order(position: Position, score: int) -> tuple[int, ...]"),
        R"(The open columns in the order in which a line of best play tries them for this *score*.

It depends on the position alone; `Solver.analyze` breaks ties by it. The search tries them in an order
much like it.)");
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
