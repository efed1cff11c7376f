// The solver.
#include "solver/solver.hpp"

#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "arrays.hpp"
#include "arrays/arrays.hpp"
#include "interpreter.hpp"
#include "module.hpp"
#include "search/kernels.hpp"
#include "search/line_order.hpp"

namespace fourcast::bindings {

/// A function that is told how far a call is, or None.
struct Progress {
    nb::handle function;

    /// It is called with what is done and what there is to do.
    Solver::Progress with(std::size_t total) const {
        if (function.is_none()) return {};
        return [function = function, total](std::size_t done) {
            const WithGil gil;
            run_python([&] { function(done, total); });
        };
    }
};
template <>
struct Reads<Progress> {
    static std::string type() { return "collections.abc.Callable[[int, int], object] | None"; }
    static Progress from(nb::handle value, const char* what) {
        if (!value.is_none() && PyCallable_Check(value.ptr()) == 0)
            wrong_type(what, "a function", value);
        return {value};
    }
};

namespace {

using Workers = Int<1, 256>;
using Positions = Any<"collections.abc.Iterable[Position | str] | typing.Any">;

Goal goal_of(bool outcome_only) { return outcome_only ? Goal::outcome : Goal::score; }

/// A bulk call about positions of a size that is known for strings and bitboards.
template <class Call>
auto in_bulk(nb::handle given_positions, const Position& empty, const Limit* limit, int threads,
             const Progress& progress, const StopToken* stop, const Call& call) {
    const Rows rows =
        run_python([&] { return rows_from(given_positions, nb::none(), empty, Invalid::raise); });
    const Solver::Bulk bulk{or_default(limit), threads, progress.with(rows.positions.size()),
                            check_signals, or_default(stop)};
    const WithoutGil no_gil;
    return call(rows.positions, bulk);
}

/// The scores of many positions, or of all columns of each, as an array.
Object<"typing.Any"> label(Solver& self, Any<> given_positions, bool of_columns,
                           Any<"str | None"> layout, const Limit* limit, Workers threads,
                           Progress progress, Invalid invalid, const Side& width, const Side& height,
                           const StopToken* stop) {
    const Position empty = board_of(width, height);
    numpy();  // before the work, not after it
    Rows rows = run_python([&] { return rows_from(given_positions, layout, empty, invalid); });
    rows.require_size(empty);

    const auto columns = of_columns ? static_cast<std::size_t>(empty.width()) : 1;
    std::vector<std::size_t> shape{rows.count};
    if (of_columns) shape.push_back(columns);
    const auto array = new_array<signed char>(shape, label::impossible);
    const auto row_of = [&](std::size_t row) { return array.data + row * columns; };
    rows.remove_finished(invalid,
                         [&](std::size_t row) { std::fill_n(row_of(row), columns, label::finished); });
    for (std::size_t i = 0; i < rows.positions.size(); ++i) {
        signed char* const row = row_of(rows.indices[i]);
        for (int column = 0; column < static_cast<int>(columns); ++column)
            row[column] =
                of_columns && rows.positions[i].is_column_full(column) ? label::full : label::unknown;
    }

    const Solver::Bulk bulk{or_default(limit), threads, progress.with(rows.positions.size()),
                            check_signals, or_default(stop)};
    const auto take = [&](std::size_t i, int column, int score) {
        row_of(rows.indices[i])[column] = static_cast<signed char>(score);
    };
    const WithoutGil no_gil;
    if (of_columns)
        self.score_columns_of_each(rows.positions, bulk, take);
    else
        self.score_each(rows.positions, bulk, [&](std::size_t i, int score) { take(i, 0, score); });
    return {array.object};
}

/// The opening books that are meant: none, one, or several.
std::vector<std::shared_ptr<const Book>> books_from(nb::handle given_books) {
    std::vector<std::shared_ptr<const Book>> books;
    const auto add = [&](nb::handle item) {
        if (item.is_none() || !nb::try_cast(item, books.emplace_back(), false) || !books.back())
            wrong_type("book", "a Book, a sequence of Books, or None", item);
    };
    if (PyList_Check(given_books.ptr()) || PyTuple_Check(given_books.ptr()))
        for (const nb::handle item : nb::iter(given_books)) add(item);
    else if (!given_books.is_none())
        add(given_books);
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
    for_each_item(names, [&](nb::handle item) {
        if (!PyUnicode_Check(item.ptr())) wrong_type("a feature", "a str", item);
        const std::string name = utf8_of(item);
        const auto* const found =
            std::ranges::find(known, name, [](const auto& each) { return each.first; });
        if (found != std::end(known)) {
            features.*found->second = false;
            return;
        }
        std::string all;
        for (const auto& each : known) all += text(all.empty() ? "" : ", ", each.first);
        throw OptionError("error.no_feature", {{"name", name}, {"names", all}});
    });
    return features;
}

}  // namespace

void add_solver(nb::module_& module) {
    Class<StopToken>(module, "StopToken",
                     "Stops the calls that it is given to; see `SolverCore.make_token`.")
        .def("stop",
             R"(End the calls that were given this token, now or when they begin.

They answer with what is proven by then.)",
             &StopToken::stop)
        .get("is_stopped", "Whether it has been stopped.", &StopToken::is_stopped);

    Class<Solver> solver(nb::class_<Solver>(
        module, "SolverCore", "The compiled part of `fourcast.Solver`, which adds the default books."));
    solver
        .def("__init__", nb::kw_only(), "book"_a = nb::none(), "table_mb"_a = 8, "threads"_a = 1,
             "without"_a = nb::make_tuple(), "Make a solver with these books; see `fourcast.Solver`.",
             [](Solver* self, Any<"Book | collections.abc.Sequence[Book] | None"> book,
                Int<1, 1 << 20, std::size_t> table_mb, Workers threads,
                Any<"collections.abc.Iterable[str]"> without) {
                 new (self) Solver({.table_mb = table_mb,
                                    .threads = threads,
                                    .features = features_without(without),
                                    .books = books_from(book)});
             })
        .get("table_mb", "The size of the table.",
             [](const Solver& self) { return self.options().table_mb; })
        .get("threads", "How many threads search one position.",
             [](const Solver& self) { return self.options().threads; })
        .def("solve", "position"_a, "limit"_a = nb::none(), nb::kw_only(), "outcome_only"_a = false,
             "best_columns"_a = true, "stop"_a = nb::none(),
             R"(Return the exact value of *position* for the side to move.

If *limit* is reached or the call is stopped first, `complete` is false and `lower` and `upper` are proven
bounds. With *outcome_only* the search ends as soon as the winner is known, which is much cheaper. Finding
the best columns takes a little more work than the score; they can be left out.)",
             [](Solver& self, const Position& position, const Limit* limit, bool outcome_only,
                bool best_columns, const StopToken* stop) {
                 const WithoutGil no_gil;
                 return self.solve(position, or_default(limit), goal_of(outcome_only), best_columns,
                                   check_signals, or_default(stop));
             })
        .def("score", "position"_a,
             R"(Return the exact score of *position* and nothing else: the quickest call.

Raises StoppedError if `stop` is called meanwhile.)",
             [](Solver& self, const Position& position) {
                 const WithoutGil no_gil;
                 return self.score(position, check_signals);
             })
        .def(
            "bound", "position"_a, "alpha"_a, "limit"_a = nb::none(), nb::kw_only(),
            "stop"_a = nb::none(),
            R"(Find out whether the score of *position* is more than *alpha*, which costs less than the score.

If the result is complete, its `lower` is more than *alpha*, or its `upper` is not.)",
            [](Solver& self, const Position& position, Score alpha, const Limit* limit,
               const StopToken* stop) {
                const WithoutGil no_gil;
                return self.bound(position, alpha, or_default(limit), check_signals, or_default(stop));
            })
        .def("analyze", "position"_a, "limit"_a = nb::none(), nb::kw_only(), "variations"_a = true,
             "stop"_a = nb::none(),
             R"(Return the exact value of every open column, and best play after each of them.

Each move of a line keeps the score; which of several best moves it takes depends on the position alone.
What is not known when *limit* is reached has bounds. Without *variations* each line is only its first
move.)",
             [](Solver& self, const Position& position, const Limit* limit, bool variations,
                const StopToken* stop) {
                 const WithoutGil no_gil;
                 return self.analyze(position, or_default(limit), variations, check_signals,
                                     or_default(stop));
             })
        .def(
            "solve_many", "positions"_a, "limit"_a = nb::none(), nb::kw_only(), "threads"_a = 1,
            "progress"_a = nb::none(), "outcome_only"_a = false, "width"_a = 7, "height"_a = 6,
            "stop"_a = nb::none(),
            R"(Solve many positions, each on one of *threads* threads, and return the results in order.

*positions* are Positions, move strings, or an array of bitboards (uint64, one row (first, second) for
each position), at most 1,048,576 in one call; *width* and *height* are those of strings and bitboards.
*limit* holds for each position. *progress* is called now and then with the number done and the total;
an exception in it ends the call.)",
            [](Solver& self, Positions positions, const Limit* limit, Workers threads, Progress progress,
               bool outcome_only, const Side& width, const Side& height, const StopToken* stop) {
                return in_bulk(positions, board_of(width, height), limit, threads, progress, stop,
                               [&](const auto& all, const Solver::Bulk& bulk) {
                                   return self.solve_many(all, goal_of(outcome_only), bulk);
                               });
            })
        .def(
            "analyze_many", "positions"_a, "limit"_a = nb::none(), nb::kw_only(), "threads"_a = 1,
            "progress"_a = nb::none(), "variations"_a = true, "width"_a = 7, "height"_a = 6,
            "stop"_a = nb::none(),
            R"(Analyze many positions, each on one of *threads* threads, and return the analyses in order.

The arguments are those of `solve_many` and `analyze`.)",
            [](Solver& self, Positions positions, const Limit* limit, Workers threads, Progress progress,
               bool variations, const Side& width, const Side& height, const StopToken* stop) {
                return in_bulk(positions, board_of(width, height), limit, threads, progress, stop,
                               [&](const auto& all, const Solver::Bulk& bulk) {
                                   return self.analyze_many(all, variations, bulk);
                               });
            })
        .def(
            "label", "positions"_a, nb::kw_only(), "columns"_a, "layout"_a = nb::none(),
            "limit"_a = nb::none(), "threads"_a = 1, "progress"_a = nb::none(), "invalid"_a = "raise",
            "width"_a = 7, "height"_a = 6, "stop"_a = nb::none(),
            "Return exact scores as an array of int8; see `fourcast.Solver.column_scores` and `values`.",
            &label)
        .def("make_token",
             R"(Return a token for one call or several: its `stop` ends those and no others.

The solver's `stop` ends them, too, even those that begin later.)",
             &Solver::make_token)
        .def("stop",
             R"(End every call that is in progress; each returns what it has proven.

To be called from another thread.)",
             &Solver::stop)
        .def("clear", "Forget everything that was found.", &Solver::clear);

    Module(module)
        .def(
            "search_order", "position"_a, "score"_a,
            R"(Return the open columns in the order in which a line of best play tries them for this *score*.

It depends on the position alone; `Solver.analyze` breaks ties by it. The search uses a similar order.)",
            [](const Position& position, Score score) {
                return Tuple<int>(LineOrder().columns(position, score), std::identity());
            })
        .def("kernel_name",
             R"(Return the kind of processor that the search in use was compiled for.

It is the first of `kernel_names()` unless the environment variable FOURCAST_KERNEL names another one.)",
             &kernel_name)
        .def("kernel_names", "Return the kinds that this processor can run, fastest first.",
             [] { return Tuple<std::string>(kernel_names(), std::identity()); });
}

}  // namespace fourcast::bindings
