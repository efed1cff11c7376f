// perft, playouts, and how good a move was.
#include "board/perft.hpp"
#include "board/playout.hpp"
#include "study/review.hpp"
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
    Class<PlayoutCounts> counts(module, "Playouts",
                                [](Games first_wins, Games second_wins, Games draws, Count<0> moves) {
                                    return PlayoutCounts{first_wins, second_wins, draws, moves};
                                });
    counts.gets<&PlayoutCounts::first_wins, &PlayoutCounts::second_wins, &PlayoutCounts::draws,
                &PlayoutCounts::moves, &PlayoutCounts::games>("first_wins", "second_wins", "draws",
                                                              "moves", "games");
    add_value(counts);

    Module(module)
        .work("perft", [](const Position& position,
                          Int<0, max_bits> depth) { return perft(position, depth, check_signals); })
        .work("playouts",
              [](const Position& position, Games n, Count<0> seed, Int<1, 1024> threads) {
                  return playouts(position, n, seed, threads, check_signals);
              })
        .def("verdict_of", [](Score before, Score after) { return name_of(verdict_of(before, after)); });
}

}  // namespace fourcast::bindings
