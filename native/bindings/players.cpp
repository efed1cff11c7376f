// The searches of the players, and what they make of them.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cmath>
#include <limits>

#include "columns.hpp"
#include "convert.hpp"
#include "interpreter.hpp"
#include "module.hpp"
#include "players/choices.hpp"
#include "players/lookahead.hpp"
#include "players/mcts.hpp"
#include "system/text.hpp"

namespace fourcast::bindings {
namespace {

using namespace nb::literals;

double time_from(nb::handle time_s) {
    return time_s.is_none() ? std::numeric_limits<double>::infinity()
                            : number_from(time_s, "time_s", Zero::refused);
}

Evaluation evaluation_from(nb::handle name) {
    if (!PyUnicode_Check(name.ptr())) wrong_type("evaluation", "a str", name);
    if (nb::str("none").equal(name)) return Evaluation::none;
    if (nb::str("winsets").equal(name)) return Evaluation::winsets;
    if (nb::str("streaks").equal(name)) return Evaluation::streaks;
    throw OptionError("error.no_evaluation", {{"given", quote(name)}});
}

LookAhead look(nb::handle position, nb::handle depth, nb::handle evaluation, nb::handle time_s,
               nb::handle nodes, nb::handle threads, nb::handle every_column) {
    const Position start = position_from(position);
    LookAheadOptions options;
    options.depth = static_cast<int>(bounded(depth, "depth", 1, max_bits));
    options.evaluation = evaluation_from(evaluation);
    options.time_s = time_from(time_s);
    if (!nodes.is_none())
        options.nodes =
            static_cast<u64>(bounded(nodes, "nodes", 1, std::numeric_limits<long long>::max()));
    options.threads = static_cast<int>(bounded(threads, "threads", 1, 1024));
    options.every_column = bool_from(every_column, "every_column");
    const WithoutGil no_gil;
    return look_ahead(start, options, check_signals);
}

TreeSearch grow_tree(nb::handle position, nb::handle playouts, nb::handle time_s, nb::handle seed,
                     nb::handle exploration) {
    const Position start = position_from(position);
    TreeSearchOptions options;
    const auto most = std::numeric_limits<long long>::max();
    options.playouts = static_cast<u64>(bounded(playouts, "playouts", 1, most));
    options.time_s = time_from(time_s);
    options.seed = static_cast<u64>(bounded(seed, "seed", 0, most));
    options.exploration = number_from(exploration, "exploration", Zero::allowed);
    const WithoutGil no_gil;
    return search_tree(start, options, check_signals);
}

Estimate guess(nb::handle position, nb::handle evaluation) {
    return evaluate(position_from(position), evaluation_from(evaluation));
}

/// Chances from a random.Random of Python's.
class PythonChance final : public Chance {
  public:
    explicit PythonChance(nb::handle random) : random_(random) {}

    double uniform() override {
        const WithGil gil;
        return run_python([&] { return nb::cast<double>(random_.attr("random")()); });
    }
    double gauss(double deviation) override {
        const WithGil gil;
        return run_python([&] { return nb::cast<double>(random_.attr("gauss")(0, deviation)); });
    }
    int below(int bound) override {
        const WithGil gil;
        return run_python([&] { return nb::cast<int>(random_.attr("randrange")(bound)); });
    }

  private:
    nb::handle random_;
};

Sight sight_from(nb::handle value) {
    LookAhead ahead;
    if (nb::try_cast<LookAhead>(value, ahead, false)) return ahead;
    std::vector<int> exact;
    if (!nb::try_cast<std::vector<int>>(value, exact) || exact.empty())
        wrong_type("sight", "a LookAhead or a tuple of columns", value);
    return exact;
}

Ties ties_from(nb::handle name) {
    constexpr std::pair<const char*, Ties> known[] = {{"testing", Ties::testing},
                                                      {"first", Ties::first},
                                                      {"center", Ties::center},
                                                      {"random", Ties::random}};
    for (const auto& [each, ties] : known)
        if (nb::str(each).equal(name)) return ties;
    throw OptionError("error.no_ties", {{"given", repr_of(name)}});
}

nb::tuple values_of(const LookAhead& look_ahead) {
    nb::list values;
    for (const auto& value : look_ahead.values)
        values.append(value ? nb::object(nb::int_(*value)) : nb::none());
    return nb::tuple(values);
}

template <class Number>
nb::tuple tuple_of(const std::vector<Number>& numbers) {
    nb::list list;
    for (const Number number : numbers) list.append(number);
    return nb::tuple(list);
}

void add_levels(nb::module_& module) {
    nb::class_<Strength>(module, "Strength", nb::is_final(),
                         nb::sig("@typing.final\nclass Strength(object)"), "What a level can do.")
        .def(nb::init<int, int, double, double, u64>(), "depth"_a, "certain"_a, "sight"_a, "noise"_a,
             "exact_nodes"_a = 0)
        .def_ro("depth", &Strength::depth, "Plies that it reads ahead.")
        .def_ro("certain", &Strength::certain,
                "Plies within which it overlooks nothing: 1 is a win at once, 2 the opponent's next.")
        .def_ro("sight", &Strength::sight,
                "The chance to see a tactic one ply beyond that, to be multiplied for each ply more.")
        .def_ro("noise", &Strength::noise,
                "How much its judgment of quiet positions varies, as a standard deviation.")
        .def_ro("exact_nodes", &Strength::exact_nodes,
                "Effort to solve the game exactly, in nodes of the solver on 7x6; 0 for none.");

    module.attr("LEVEL_NODES") = level_nodes;
    module.attr("LEVEL_TABLE_MB") = level_table_mb;
    module.def(
        "level_strengths",
        [] {
            nb::list strengths;
            for (const Strength& strength : levels) strengths.append(strength);
            return nb::tuple(strengths);
        },
        nb::sig("def level_strengths() -> tuple[Strength, ...]"), "What the levels can do, from 1 on.");
    module.def("exact_nodes", &exact_nodes, "position"_a, "strength"_a,
               "Return how many nodes a level solves a position with.");
    module.def("plies_to_end", &plies_to_end, "position"_a, "value"_a, "win_base"_a,
               R"(Return after how many plies the win or loss ends the game that *value* stands for.

>>> plies_to_end(Position("445566"), 100 + 18, 100)
1)");
    module.def(
        "see",
        [](const Position& position, const Strength& strength, Solver* solver, nb::handle time_s) {
            const double most_s = time_from(time_s);
            const Sight sight = [&] {
                const WithoutGil no_gil;
                return see(position, strength, solver, most_s, check_signals);
            }();
            if (const auto* const exact = std::get_if<std::vector<int>>(&sight))
                return nb::object(tuple_of(*exact));
            return nb::cast(std::get<LookAhead>(sight));
        },
        "position"_a, "strength"_a, "solver"_a.none(), given("time_s") = nb::none(),
        nb::sig("def see(position: Position, strength: Strength, solver: SolverCore | None, "
                "time_s: float | None = None) -> tuple[int, ...] | LookAhead"),
        R"(Return what a level sees of a position, before chance comes in.

These are the best columns if the level can solve it with *solver*, else what it finds by looking ahead.)");
    module.def(
        "decide",
        [](const Position& position, const Strength& strength, nb::handle sight, nb::handle chance) {
            PythonChance random(chance);
            return decide(position, strength, sight_from(sight), random);
        },
        "position"_a, "strength"_a, given("sight"), given("chance"),
        nb::sig("def decide(position: Position, strength: Strength, "
                "sight: tuple[int, ...] | LookAhead, chance: random.Random) -> int"),
        "Return the column that looks best to a level at this moment, from what `see` has found.");
}

}  // namespace

void add_players(nb::module_& module) {
    nb::class_<LookAhead>(module, "LookAhead", nb::is_final(),
                          nb::sig("@typing.final\nclass LookAhead(object)"),
                          "What looking some moves ahead has found; see `look_ahead`.")
        .def_prop_ro("values", &values_of, nb::sig("def values(self) -> tuple[int | None, ...]"),
                     R"(For each column its value to the side to move, or None.

A win that was seen is `win_base` plus its score, a loss the negative of that; else it is the evaluation of
what best play leads to. None for a full column, and for one that is only known not to be the best.)")
        .def_prop_ro(
            "best_columns", [](const LookAhead& self) { return Columns{self.best}; },
            "All columns that are as good as the best one.")
        .def_ro("depth", &LookAhead::depth, "Plies that were looked ahead in full.")
        .def_ro("nodes", &LookAhead::nodes, "Positions looked at.")
        .def_ro("win_base", &LookAhead::win_base, "More than any evaluation; see `values`.")
        .def("__repr__", [](const LookAhead& self) {
            return text("<LookAhead depth=", self.depth, ", nodes=", self.nodes, ">");
        });

    nb::class_<TreeSearch>(module, "TreeSearch", nb::is_final(),
                           nb::sig("@typing.final\nclass TreeSearch(object)"),
                           "What a Monte Carlo tree search has found; see `search_tree`.")
        .def_prop_ro(
            "visits", [](const TreeSearch& self) { return tuple_of(self.visits); },
            nb::sig("def visits(self) -> tuple[int, ...]"), "How often each column was tried.")
        .def_prop_ro(
            "means", [](const TreeSearch& self) { return tuple_of(self.means); },
            nb::sig("def means(self) -> tuple[float, ...]"),
            "What came of each column for the side to move: 0 all lost, 1 all won.")
        .def_prop_ro(
            "best_columns", [](const TreeSearch& self) { return Columns{self.best}; },
            "Proven wins if there are any, else the column tried most that is no proven loss.")
        .def_ro("playouts", &TreeSearch::playouts, "Random games played.")
        .def("__repr__",
             [](const TreeSearch& self) { return text("<TreeSearch playouts=", self.playouts, ">"); });

    module.def(
        "look_ahead", &look, given("position"), given("depth"), given("evaluation") = "none",
        nb::kw_only(), given("time_s") = nb::none(), given("nodes") = nb::none(), given("threads") = 1,
        given("every_column") = false,
        nb::sig("def look_ahead(position: Position, depth: int, evaluation: Literal['none', "
                "'winsets', 'streaks'] = 'none', *, time_s: float | None = None, "
                "nodes: int | None = None, threads: int = 1, "
                "every_column: bool = False) -> LookAhead"),
        R"(Search *position* to *depth* plies by negamax with alpha-beta; *evaluation* is what to go by there.

It goes deeper ply by ply until *depth*, a win or nothing but losses, or the end of *time_s* or of
*nodes*, but looks one ply ahead in any case. The root columns are shared among *threads*, which changes
nothing of the answer. Raises FinishedGameError.

>>> list(look_ahead(Position("445566"), 1).best_columns)
[2, 6])");

    module.def("evaluate", &guess, given("position"), given("evaluation"),
               nb::sig("def evaluate(position: Position, evaluation: Literal['none', 'winsets', "
                       "'streaks']) -> int"),
               R"(Return what *position* looks like to the side to move, without looking ahead.

More is better, 0 is even. `streaks` counts runs of discs that can still become four, see
`fourcast.streaks`; `winsets` counts the sets of squares that are still missing for a four. A game that
is won is worth 10**12 plus its score, with the sign of the winner.

>>> evaluate(Position("4"), "winsets"), evaluate(Position("4151"), "streaks")
(-30000, 90))");

    module.def(
        "count_streaks",
        [](nb::handle position, nb::handle player) {
            const Position at = position_from(position);
            const StreakCounts found = count_streaks(at, player_from(player, at));
            return nb::make_tuple(found.twos_one_end, found.twos_two_ends, found.threes_one_end,
                                  found.threes_two_ends, found.split_twos, found.split_threes,
                                  found.fours);
        },
        given("position"), given("player") = nb::none(),
        nb::sig("def count_streaks(position: Position, player: int | None = None) -> "
                "tuple[int, int, int, int, int, int, int]"),
        "Return the fields of `fourcast.streaks`.");

    module.def("search_tree", &grow_tree, given("position"), nb::kw_only(), given("playouts") = 10000,
               given("time_s") = nb::none(), given("seed") = 0, given("exploration") = 1.0,
               nb::sig("def search_tree(position: Position, *, playouts: int = 10000, "
                       "time_s: float | None = None, seed: int = 0, exploration: float = 1.0) -> "
                       "TreeSearch"),
               R"(Search *position* by UCT with this number of random games, or until the time is over.

The same *seed* and number of playouts give the same result. Raises FinishedGameError.

>>> list(search_tree(Position("445566"), playouts=10).best_columns)
[2, 6])");

    module.def(
        "one_of",
        [](nb::handle columns, const Position& position, nb::handle chance) {
            const Columns choice = columns_from(columns, "columns");
            PythonChance random(chance);
            return one_of(choice.set, position, chance.is_none() ? nullptr : &random);
        },
        given("columns"), "position"_a, given("chance"),
        nb::sig("def one_of(columns: collections.abc.Iterable[int], position: Position, "
                "chance: random.Random | None) -> int"),
        R"(Return one of several equal columns: by *chance*, without it the one nearest the center.

By chance, too, the center is preferred: more fours lead through it, and a player that looks only a few
moves ahead would give the game away in the opening.

>>> one_of([0, 2, 6], Position(), None)
2)");
    add_levels(module);
    module.def(
        "choose_perfectly",
        [](const Position& position, Solver& solver, nb::handle ties, double time_s, nb::handle chance) {
            const Ties how = ties_from(ties);
            PythonChance random(chance);
            const WithoutGil no_gil;
            return choose_perfectly(position, solver, how, time_s, random, check_signals);
        },
        "position"_a, "solver"_a, given("ties"), "time_s"_a, given("chance"),
        nb::sig("def choose_perfectly(position: Position, solver: SolverCore, ties: str, "
                "time_s: float, chance: random.Random) -> int"),
        "Return the choice of the player `perfect`; see `fourcast.players.perfect_player`.");
}

}  // namespace fourcast::bindings
