// The solver.
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

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
