// perft and playouts.
#include <nanobind/stl/string.h>

#include <limits>

#include "board/perft.hpp"
#include "board/playout.hpp"
#include "convert.hpp"
#include "interpreter.hpp"
#include "module.hpp"
#include "system/text.hpp"
#include "value.hpp"

namespace fourcast::bindings {
namespace {

using namespace nb::literals;

u64 count_sequences(nb::handle position, nb::handle depth) {
    const Position start = position_from(position);
    const auto plies = static_cast<int>(bounded(depth, "depth", 0, max_bits));
    const WithoutGil no_gil;
    return perft(start, plies, check_signals);
}

constexpr auto most = std::numeric_limits<long long>::max();

PlayoutCounts make_counts(nb::handle first_wins, nb::handle second_wins, nb::handle draws,
                          nb::handle moves) {
    // A quarter of what fits for each, so that the number of games fits, too.
    const auto count = [](nb::handle value, const char* what) {
        return static_cast<u64>(bounded(value, what, 0, most / 4));
    };
    return {.first_wins = count(first_wins, "first_wins"),
            .second_wins = count(second_wins, "second_wins"),
            .draws = count(draws, "draws"),
            .moves = static_cast<u64>(bounded(moves, "moves", 0, most))};
}

nb::dict counts_to_json(const PlayoutCounts& counts) {
    nb::dict json;
    json["first_wins"] = counts.first_wins;
    json["second_wins"] = counts.second_wins;
    json["draws"] = counts.draws;
    json["moves"] = counts.moves;
    return json;
}

PlayoutCounts counts_from_json(nb::handle value) {
    const JsonObject json(value, "Playouts");
    return make_counts(json.require("first_wins"), json.require("second_wins"), json.require("draws"),
                       json.require("moves"));
}

PlayoutCounts play_games(nb::handle position, nb::handle n, nb::handle seed, nb::handle threads) {
    const Position from = position_from(position);
    const auto games = static_cast<u64>(bounded(n, "n", 0, most / 4));
    const auto start = static_cast<u64>(bounded(seed, "seed", 0, most));
    const auto helpers = static_cast<int>(bounded(threads, "threads", 1, 1024));
    const WithoutGil no_gil;
    return playouts(from, games, start, helpers, check_signals);
}

std::string repr(const PlayoutCounts& counts) {
    return text("Playouts(first_wins=", counts.first_wins, ", second_wins=", counts.second_wins,
                ", draws=", counts.draws, ", moves=", counts.moves, ")");
}

}  // namespace

void add_counting(nb::module_& module) {
    nb::class_<PlayoutCounts> counts(module, "Playouts", nb::is_final(),
                                     nb::sig("@typing.final\nclass Playouts(object)"),
                                     "How random games ended; see `playouts`.");
    counts
        .def(
            "__init__",
            [](PlayoutCounts* self, nb::handle first_wins, nb::handle second_wins, nb::handle draws,
               nb::handle moves) {
                new (self) PlayoutCounts(make_counts(first_wins, second_wins, draws, moves));
            },
            given("first_wins") = 0, given("second_wins") = 0, given("draws") = 0, given("moves") = 0,
            nb::sig("def __init__(self, first_wins: int = 0, second_wins: int = 0, draws: int = 0, "
                    "moves: int = 0) -> None"))
        .def_ro("first_wins", &PlayoutCounts::first_wins, "Games won by the first player.")
        .def_ro("second_wins", &PlayoutCounts::second_wins, "Games won by the second player.")
        .def_ro("draws", &PlayoutCounts::draws, "Games that nobody won.")
        .def_ro("moves", &PlayoutCounts::moves, "Discs dropped in all the games together.")
        .def_prop_ro("games", &PlayoutCounts::games, "Number of games.")
        .def("__hash__",
             [](const PlayoutCounts& self) {
                 return nb::hash(
                     nb::make_tuple(self.first_wins, self.second_wins, self.draws, self.moves));
             })
        .def("__repr__", &repr);
    add_value(counts, json_object_type, &counts_to_json, &counts_from_json);

    module.def("perft", &count_sequences, given("position"), given("depth"),
               nb::sig("def perft(position: Position, depth: int) -> int"),
               R"(Count the sequences of *depth* legal moves; finished games are not continued.

>>> [perft(Position(), depth) for depth in range(5)]
[1, 7, 49, 343, 2401])");
    module.def(
        "playouts", &play_games, given("position"), given("n"), given("seed") = 0, given("threads") = 1,
        nb::sig("def playouts(position: Position, n: int, seed: int = 0, threads: int = 1) -> Playouts"),
        R"(Play *n* random games from *position* to the end and count how they end.

The same *seed* gives the same result, whatever the number of *threads*. Other Python threads run on
meanwhile.

>>> playouts(Position("121212"), 1000).games
1000)");
}

}  // namespace fourcast::bindings
