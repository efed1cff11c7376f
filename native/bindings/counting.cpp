// perft and playouts.
#include "board/perft.hpp"
#include "board/playout.hpp"
#include "interpreter.hpp"
#include "module.hpp"
#include "value.hpp"

namespace fourcast {

/// A quarter of what fits, so that the sum of three fits, too.
constexpr long long most_games = bindings::most_integer / 4;

Value to_value(const PlayoutCounts& counts) {
    return object({{"first_wins", counts.first_wins},
                   {"second_wins", counts.second_wins},
                   {"draws", counts.draws},
                   {"moves", counts.moves}});
}

template <>
PlayoutCounts from_value<PlayoutCounts>(const Value& json) {
    const auto count = [&](const char* name, long long most) {
        return static_cast<u64>(json.at(name).integer(name, 0, most));
    };
    return {count("first_wins", most_games), count("second_wins", most_games),
            count("draws", most_games), count("moves", bindings::most_integer)};
}

}  // namespace fourcast

namespace fourcast::bindings {
namespace {

using Games = Int<0, most_games, u64>;

}  // namespace

void add_counting(nb::module_& module) {
    Class<PlayoutCounts> counts(module, "Playouts", "How random games ended; see `playouts`.");
    counts
        .init("first_wins"_a = 0, "second_wins"_a = 0, "draws"_a = 0, "moves"_a = 0,
              [](Games first_wins, Games second_wins, Games draws, Count<0> moves) {
                  return PlayoutCounts{first_wins, second_wins, draws, moves};
              })
        .def_ro("first_wins", &PlayoutCounts::first_wins, "Games won by the first player.")
        .def_ro("second_wins", &PlayoutCounts::second_wins, "Games won by the second player.")
        .def_ro("draws", &PlayoutCounts::draws, "Games that nobody won.")
        .def_ro("moves", &PlayoutCounts::moves, "Discs dropped in all games together.")
        .def_prop_ro("games", &PlayoutCounts::games, "Number of games.");
    add_value(counts);

    Module(module)
        .def("perft", "position"_a, "depth"_a,
             R"(Count the sequences of *depth* legal moves; finished games are not continued.

>>> [perft(Position(), depth) for depth in range(5)]
[1, 7, 49, 343, 2401])",
             [](const Position& position, Int<0, max_bits> depth) {
                 const WithoutGil no_gil;
                 return perft(position, depth, check_signals);
             })
        .def("playouts", "position"_a, "n"_a, "seed"_a = 0, "threads"_a = 1,
             R"(Play *n* random games from *position* to the end and count how they end.

The same *seed* gives the same result with any number of *threads*. Other Python threads keep running
meanwhile.

>>> playouts(Position("121212"), 1000).games
1000)",
             [](const Position& position, Games n, Count<0> seed, Int<1, 1024> threads) {
                 const WithoutGil no_gil;
                 return playouts(position, n, seed, threads, check_signals);
             });
}

}  // namespace fourcast::bindings
