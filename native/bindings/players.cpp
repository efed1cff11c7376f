// The searches of the players, and what they make of them.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include "columns.hpp"
#include "interpreter.hpp"
#include "module.hpp"
#include "players/choices.hpp"
#include "players/lookahead.hpp"
#include "players/mcts.hpp"

namespace fourcast::bindings {

template <>
inline constexpr Choice choice<Evaluation>{"error.no_evaluation", {"none", "winsets", "streaks"}};
template <>
inline constexpr Choice choice<Ties>{"error.no_ties", {"testing", "first", "center", "random"}};
template <>
inline constexpr Bound bound<Strength>{"Strength", "a Strength"};

namespace {

/// Chances from a random.Random of Python's.
class PythonChance final : public Chance {
  public:
    explicit PythonChance(nb::handle random) : random_(random) {}

    double uniform() override { return ask<double>("random"); }
    double gauss(double deviation) override { return ask<double>("gauss", 0, deviation); }
    int below(int bound) override { return ask<int>("randrange", bound); }

  private:
    template <class Number, class... Args>
    Number ask(const char* method, Args... args) {
        const WithGil gil;
        return run_python([&] { return nb::cast<Number>(random_.attr(method)(args...)); });
    }

    nb::handle random_;
};
using Random = Any<"random.Random">;

Sight sight_from(nb::handle value) {
    LookAhead ahead;
    if (nb::try_cast<LookAhead>(value, ahead, false)) return ahead;
    std::vector<int> exact;
    if (!nb::try_cast<std::vector<int>>(value, exact) || exact.empty())
        wrong_type("sight", "a LookAhead or a tuple of columns", value);
    return exact;
}

void add_searches(nb::module_& module) {
    Class<LookAhead>(module, "LookAhead", "What a search of fixed depth has found; see `look_ahead`.")
        .get("values",
             R"(For each column its value to the side to move, or None.

A win that was seen is `win_base` plus its score, a loss the negative of that; any other value is the
evaluation that best play leads to. None for a full column, and for one that is only known not to be the
best.)",
             [](const LookAhead& self) { return Tuple(self.values); })
        .get("best_columns", "All columns that are as good as the best one.",
             [](const LookAhead& self) { return Columns{self.best}; })
        .def("__repr__",
             [](const LookAhead& self) {
                 return text("<LookAhead depth=", self.depth, ", nodes=", self.nodes, ">");
             })
        .def_ro("depth", &LookAhead::depth, "Plies that were searched in full.")
        .def_ro("nodes", &LookAhead::nodes, "Positions visited.")
        .def_ro("win_base", &LookAhead::win_base, "More than any evaluation; see `values`.");

    Class<TreeSearch>(module, "TreeSearch",
                      "What a Monte Carlo tree search has found; see `search_tree`.")
        .get("visits", "How often each column was tried.",
             [](const TreeSearch& self) { return Tuple(self.visits); })
        .get("means", "The mean result of each column for the side to move: 0 all lost, 1 all won.",
             [](const TreeSearch& self) { return Tuple(self.means); })
        .get("best_columns",
             "Proven wins if there are any, else the column tried most that is not a proven loss.",
             [](const TreeSearch& self) { return Columns{self.best}; })
        .def("__repr__",
             [](const TreeSearch& self) { return text("<TreeSearch playouts=", self.playouts, ">"); })
        .def_ro("playouts", &TreeSearch::playouts, "Random games played.");

    Module(module)
        .def(
            "look_ahead", "position"_a, "depth"_a, "evaluation"_a = "none", nb::kw_only(),
            "time_s"_a = nb::none(), "nodes"_a = nb::none(), "threads"_a = 1, "every_column"_a = false,
            R"(Search *position* to *depth* plies by negamax with alpha-beta; *evaluation* judges the leaves.

The search deepens ply by ply until *depth*, until it finds a win or only losses, or until *time_s* or
*nodes* are used up, but it always looks one ply ahead. The root columns are shared among *threads*, which
does not change the answer. Raises FinishedGameError.

>>> list(look_ahead(Position("445566"), 1).best_columns)
[2, 6])",
            [](const Position& position, Int<1, max_bits> depth, Evaluation evaluation, Seconds time_s,
               std::optional<Count<1>> nodes, Int<1, 1024> threads, bool every_column) {
                LookAheadOptions options;
                options.depth = depth;
                options.evaluation = evaluation;
                options.time_s = or_endless(time_s);
                if (nodes) options.nodes = *nodes;
                options.threads = threads;
                options.every_column = every_column;
                const WithoutGil no_gil;
                return look_ahead(position, options, check_signals);
            })
        .def("evaluate", "position"_a, "evaluation"_a,
             R"(Return what *position* looks like to the side to move, without search.

More is better, 0 is even. `streaks` counts runs of discs that can still become four, see
`fourcast.streaks`; `winsets` counts the sets of squares that are still missing for a four. A game that
is won is worth 10**12 plus its score, with the sign of the winner.

>>> evaluate(Position("4"), "winsets"), evaluate(Position("4151"), "streaks")
(-30000, 90))",
             [](const Position& position, Evaluation evaluation) {
                 return evaluate(position, evaluation);
             })
        .def("count_streaks", "position"_a, "player"_a = nb::none(),
             "Return the fields of `fourcast.streaks`.",
             [](const Position& position, std::optional<Player> player) {
                 const StreakCounts found = count_streaks(position, player ? *player : position.turn());
                 return std::tuple(found.twos_one_end, found.twos_two_ends, found.threes_one_end,
                                   found.threes_two_ends, found.split_twos, found.split_threes,
                                   found.fours);
             })
        .def("search_tree", "position"_a, nb::kw_only(), "playouts"_a = 10000, "time_s"_a = nb::none(),
             "seed"_a = 0, "exploration"_a = 1.0,
             R"(Search *position* by UCT with this number of random games, or until the time is over.

The same *seed* and number of playouts give the same result. Raises FinishedGameError.

>>> list(search_tree(Position("445566"), playouts=10).best_columns)
[2, 6])",
             [](const Position& position, Count<1> playouts, Seconds time_s, Count<0> seed,
                Number<Zero::allowed> exploration) {
                 TreeSearchOptions options;
                 options.playouts = playouts;
                 options.time_s = or_endless(time_s);
                 options.seed = seed;
                 options.exploration = exploration;
                 const WithoutGil no_gil;
                 return search_tree(position, options, check_signals);
             });
}

void add_levels(nb::module_& module) {
    Class<Strength>(module, "Strength", "What a level can do.")
        .def_ro("depth", &Strength::depth, "Plies that it looks ahead.")
        .def_ro("certain", &Strength::certain,
                "Plies within which it misses nothing: 1 is an immediate win, 2 the opponent's next.")
        .def_ro("sight", &Strength::sight,
                "The chance to see a tactic one ply beyond that, multiplied for each further ply.")
        .def_ro("noise", &Strength::noise,
                "How much its judgment of quiet positions varies, as a standard deviation.")
        .def_ro("exact_nodes", &Strength::exact_nodes,
                "Effort to solve the game exactly, in nodes of the solver on 7x6; 0 for none.")
        .def(nb::init<int, int, double, double, u64>(), "depth"_a, "certain"_a, "sight"_a, "noise"_a,
             "exact_nodes"_a = 0);

    module.attr("LEVEL_NODES") = level_nodes;
    module.attr("LEVEL_TABLE_MB") = level_table_mb;
    Module(module)
        .def("level_strengths", "Return what the levels can do, from level 1 on.",
             [] { return Tuple<Strength>(levels, std::identity()); })
        .def("exact_nodes", "position"_a, "strength"_a,
             "Return how many nodes a level may use to solve a position.",
             [](const Position& position, const Strength& strength) {
                 return exact_nodes(position, strength);
             })
        .def("plies_to_end", "position"_a, "value"_a, "win_base"_a,
             R"(Return after how many plies the win or loss that *value* stands for ends the game.

>>> plies_to_end(Position("445566"), 100 + 18, 100)
1)",
             &plies_to_end)
        .def("see", "position"_a, "strength"_a, "solver"_a, "time_s"_a = nb::none(),
             R"(Return what a level sees in a position, before chance comes in.

These are the best columns if the level can solve it with *solver*, else what it finds by looking ahead.)",
             [](const Position& position, const Strength& strength, Solver* solver,
                Seconds time_s) -> std::variant<Tuple<int>, LookAhead> {
                 const WithoutGil no_gil;
                 const Sight sight = see(position, strength, solver, or_endless(time_s), check_signals);
                 if (const auto* const exact = std::get_if<std::vector<int>>(&sight)) return *exact;
                 return std::get<LookAhead>(sight);
             })
        .def("decide", "position"_a, "strength"_a, "sight"_a, "chance"_a,
             "Return the column that looks best to a level at this moment, given what `see` has found.",
             [](const Position& position, const Strength& strength,
                Any<"tuple[int, ...] | LookAhead"> sight, Random chance) {
                 PythonChance random(chance);
                 return decide(position, strength, sight_from(sight), random);
             })
        .def(
            "one_of", "columns"_a, "position"_a, "chance"_a,
            R"(Return one of several equal columns: a random one or, without *chance*, the most central one.

Random choices prefer the center, too: more fours pass through it, and a player that looks only a few
moves ahead would give the game away in the opening.

>>> one_of([0, 2, 6], Position(), None)
2)",
            [](Columns columns, const Position& position, Any<"random.Random | None"> chance) {
                PythonChance random(chance);
                return one_of(columns.set, position, chance.is_none() ? nullptr : &random);
            })
        .def("choose_perfectly", "position"_a, "solver"_a, "ties"_a, "time_s"_a, "chance"_a,
             "Return the choice of the player `perfect`; see `fourcast.players.perfect_player`.",
             [](const Position& position, Solver& solver, Ties ties, Number<Zero::refused> time_s,
                Random chance) {
                 PythonChance random(chance);
                 const WithoutGil no_gil;
                 return choose_perfectly(position, solver, ties, time_s, random, check_signals);
             });
}

}  // namespace

void add_players(nb::module_& module) {
    add_searches(module);
    add_levels(module);
}

}  // namespace fourcast::bindings
