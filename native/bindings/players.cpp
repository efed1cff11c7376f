// The searches of the players, and what they make of them.
#include "columns.hpp"
#include "players/choices.hpp"
#include "players/lookahead.hpp"
#include "players/mcts.hpp"

namespace fourcast::bindings {

template <>
inline constexpr Choice choice<Evaluation>{"error.no_evaluation", {"none", "winsets", "streaks"}};
template <>
inline constexpr Choice choice<Ties>{"error.no_ties", {"testing", "first", "center", "random"}};
template <>
inline constexpr const char* called<Strength> = "a Strength";

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

Sight sight_from(nb::handle value) {
    LookAhead ahead;
    if (nb::try_cast<LookAhead>(value, ahead, false)) return ahead;
    std::vector<int> exact;
    if (!nb::try_cast<std::vector<int>>(value, exact) || exact.empty())
        wrong_type("sight", "a LookAhead or a tuple of columns", value);
    return exact;
}

void add_searches(nb::module_& module) {
    Class<LookAhead>(module, "LookAhead")
        .get("values", [](const LookAhead& self) { return tuple_of(self.values); })
        .get("best_columns", [](const LookAhead& self) { return Columns{self.best}; })
        .gets<&LookAhead::depth, &LookAhead::nodes, &LookAhead::win_base>("depth", "nodes", "win_base")
        .def("__repr__", [](const LookAhead& self) {
            return text("<LookAhead depth=", self.depth, ", nodes=", self.nodes, ">");
        });

    Class<TreeSearch>(module, "TreeSearch")
        .get("visits", [](const TreeSearch& self) { return tuple_of(self.visits); })
        .get("means", [](const TreeSearch& self) { return tuple_of(self.means); })
        .get("best_columns", [](const TreeSearch& self) { return Columns{self.best}; })
        .get("playouts", plain<&TreeSearch::playouts>)
        .def("__repr__",
             [](const TreeSearch& self) { return text("<TreeSearch playouts=", self.playouts, ">"); });

    Module(module)
        .work("look_ahead",
              [](const Position& position, Int<1, max_bits> depth, Evaluation evaluation, Seconds time_s,
                 std::optional<Count<1>> nodes, Int<1, 1024> threads, bool every_column) {
                  const LookAheadOptions options{
                      .depth = depth,
                      .evaluation = evaluation,
                      .time_s = or_endless(time_s),
                      .nodes = nodes ? u64{*nodes} : LookAheadOptions{}.nodes,
                      .threads = threads,
                      .every_column = every_column,
                  };
                  return look_ahead(position, options, check_signals);
              })
        .def("evaluate",
             [](const Position& position, Evaluation how) { return evaluate(position, how); })
        .def("win_sets",
             [](const Position& position, std::optional<Player> player) {
                 const std::vector<u128> sets = win_sets(position, player ? *player : position.turn());
                 return tuple_of(sets, [&](u128 set) { return squares_of(position, set); });
             })
        .def("count_streaks",
             [](const Position& position, std::optional<Player> player) {
                 const StreakCounts found = count_streaks(position, player ? *player : position.turn());
                 return std::tuple(found.twos_one_end, found.twos_two_ends, found.threes_one_end,
                                   found.threes_two_ends, found.split_twos, found.split_threes,
                                   found.fours);
             })
        .work("search_tree", [](const Position& position, Count<1> playouts, Seconds time_s,
                                Count<0> seed, Number<Zero::allowed> exploration) {
            const TreeSearchOptions options{.playouts = playouts,
                                            .time_s = or_endless(time_s),
                                            .seed = seed,
                                            .exploration = exploration};
            return search_tree(position, options, check_signals);
        });
}

void add_levels(nb::module_& module) {
    Class<Strength>(module, "Strength",
                    [](int depth, int certain, double sight, double noise, Count<0> exact_nodes) {
                        return Strength{depth, certain, sight, noise, exact_nodes};
                    })
        .gets<&Strength::depth, &Strength::certain, &Strength::sight, &Strength::noise,
              &Strength::exact_nodes>("depth", "certain", "sight", "noise", "exact_nodes")
        .def("__repr__", [](const Strength& self) {
            return text("Strength(", self.depth, ", ", self.certain, ", ", self.sight, ", ", self.noise,
                        ", ", self.exact_nodes, ")");
        });

    module.attr("LEVEL_NODES") = level_nodes;
    module.attr("LEVEL_TABLE_MB") = level_table_mb;
    Module(module)
        .def("level_strengths", [] { return tuple_of(levels); })
        .def("exact_nodes", plain<&exact_nodes>)
        .def("plies_to_end",
             [](const Position& position, Int<-most_integer, most_integer, Estimate> value,
                Int<0, most_integer, Estimate> win_base) {
                 return plies_to_end(position, value, win_base);
             })
        .def("see",
             [](const Position& position, const Strength& strength, Solver* solver, Seconds time_s) {
                 const Sight sight = [&] {
                     const WithoutGil no_gil;
                     return see(position, strength, solver, or_endless(time_s), check_signals);
                 }();
                 const auto* const exact = std::get_if<std::vector<int>>(&sight);
                 return exact ? tuple_of(*exact) : nb::cast(std::get<LookAhead>(sight));
             })
        .def(
            "decide",
            [](const Position& position, const Strength& strength, nb::handle sight, nb::handle chance) {
                PythonChance random(chance);
                return decide(position, strength, sight_from(sight), random);
            })
        .def("one_of",
             [](Columns columns, const Position& position, nb::handle chance) {
                 PythonChance random(chance);
                 return one_of(columns.set, position, chance.is_none() ? nullptr : &random);
             })
        .work("choose_perfectly", [](const Position& position, Solver& solver, Ties ties,
                                     Number<Zero::refused> time_s, nb::handle chance) {
            PythonChance random(chance);
            return choose_perfectly(position, solver, ties, time_s, random, check_signals);
        });
}

}  // namespace

void add_players(nb::module_& module) {
    add_searches(module);
    add_levels(module);
}

}  // namespace fourcast::bindings
