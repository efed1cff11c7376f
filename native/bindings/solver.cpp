// The solver.
#include "solver/solver.hpp"

#include <nanobind/stl/shared_ptr.h>

#include "arrays.hpp"
#include "arrays/arrays.hpp"
#include "search/feature_names.hpp"
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
    static Progress from(nb::handle value, const char* what) {
        if (!value.is_none() && PyCallable_Check(value.ptr()) == 0)
            wrong_type(what, "a function", value);
        return {value};
    }
};

namespace {

using Workers = Int<1, 256>;

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
template <bool of_columns>
nb::object label(Solver& self, nb::handle given_positions, nb::handle layout, const Limit* limit,
                 Workers threads, Progress progress, Invalid invalid, const Board& empty,
                 const StopToken* stop) {
    numpy();  // before the work, not after it
    Rows rows = run_python([&] { return rows_from(given_positions, layout, empty, invalid); });
    rows.require_size(empty);

    const auto columns = of_columns ? static_cast<std::size_t>(empty.width()) : 1;
    std::vector<std::size_t> shape{rows.count};
    if constexpr (of_columns) shape.push_back(columns);
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
    if constexpr (of_columns)
        self.score_columns_of_each(rows.positions, bulk, take);
    else
        self.score_each(rows.positions, bulk, [&](std::size_t i, int score) { take(i, 0, score); });
    return array.object;
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
    for_each_item(names, "without", "an iterable of strs", [&](nb::handle item) {
        if (!PyUnicode_Check(item.ptr())) wrong_type("a feature", "a str", item);
        const std::string name = utf8_of(item);
        const auto* const found =
            std::ranges::find(all_features, name, [](const auto& each) { return each.first; });
        if (found != std::end(all_features)) {
            features.*found->second = false;
            return;
        }
        std::string all;
        for (const auto& each : all_features) all += text(all.empty() ? "" : ", ", each.first);
        throw OptionError("error.no_feature", {{"name", name}, {"names", all}});
    });
    return features;
}

}  // namespace

void add_solver(nb::module_& module) {
    Class<StopToken>(module, "StopToken")
        .def("stop", plain<&StopToken::stop>)
        .get("is_stopped", plain<&StopToken::is_stopped>)
        .def("__repr__", [](const StopToken& self) {
            return std::string(self.is_stopped() ? "<StopToken, stopped>" : "<StopToken>");
        });

    nb::class_<Solver> core(module, "SolverCore", doc_of("SolverCore"));
    using nb::literals::operator""_a;
    core.def(
        "__init__",
        [](Solver* self, nb::handle book, nb::handle table_mb, nb::handle threads, nb::handle without) {
            new (self)
                Solver({.table_mb = Reads<Int<1, 1 << 20, std::size_t>>::from(table_mb, "table_mb"),
                        .threads = Reads<Workers>::from(threads, "threads"),
                        .features = features_without(without),
                        .books = books_from(book)});
        },
        nb::kw_only(), "book"_a = nb::none(), "table_mb"_a.none() = 8, "threads"_a.none() = 1,
        "without"_a.none() = nb::make_tuple());
    Class<Solver>(std::move(core))
        .get("table_mb", [](const Solver& self) { return self.options().table_mb; })
        .get("threads", [](const Solver& self) { return self.options().threads; })
        .work("solve",
              [](Solver& self, const Position& position, const Limit* limit, bool outcome_only,
                 bool best_columns, const StopToken* stop) {
                  return self.solve(position, or_default(limit), goal_of(outcome_only), best_columns,
                                    check_signals, or_default(stop));
              })
        .work("score",
              [](Solver& self, const Position& position) { return self.score(position, check_signals); })
        .work("bound",
              [](Solver& self, const Position& position, Score alpha, const Limit* limit,
                 const StopToken* stop) {
                  return self.bound(position, alpha, or_default(limit), check_signals, or_default(stop));
              })
        .work("analyze",
              [](Solver& self, const Position& position, const Limit* limit, bool variations,
                 const StopToken* stop) {
                  return self.analyze(position, or_default(limit), variations, check_signals,
                                      or_default(stop));
              })
        .def("solve_many",
             [](Solver& self, nb::handle positions, const Limit* limit, Workers threads,
                Progress progress, bool outcome_only, const Board& empty, const StopToken* stop) {
                 return in_bulk(positions, empty, limit, threads, progress, stop,
                                [&](const auto& all, const Solver::Bulk& bulk) {
                                    return self.solve_many(all, goal_of(outcome_only), bulk);
                                });
             })
        .def("analyze_many",
             [](Solver& self, nb::handle positions, const Limit* limit, Workers threads,
                Progress progress, bool variations, const Board& empty, const StopToken* stop) {
                 return in_bulk(positions, empty, limit, threads, progress, stop,
                                [&](const auto& all, const Solver::Bulk& bulk) {
                                    return self.analyze_many(all, variations, bulk);
                                });
             })
        .def("column_scores", plain<&label<true>>)
        .def("values", plain<&label<false>>)
        .def("make_token", plain<&Solver::make_token>)
        .def("stop", plain<&Solver::stop>)
        .def("clear", plain<&Solver::clear>);

    Module(module)
        .def("search_order", [](const Position& position,
                                Score score) { return tuple_of(LineOrder().columns(position, score)); })
        .def("feature_names",
             [] { return tuple_of(all_features, [](const auto& each) { return each.first; }); })
        .def("kernel_name", plain<&kernel_name>)
        .def("kernel_names", [] { return tuple_of(kernel_names()); });
}

}  // namespace fourcast::bindings
