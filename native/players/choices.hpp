// What players make of their searches: one of several equal columns, the moves of the levels, and those
// of the player `perfect`.
#pragma once

#include <array>
#include <limits>
#include <variant>
#include <vector>

#include "chance.hpp"
#include "lookahead.hpp"
#include "solver/solver.hpp"

namespace fourcast {

/// One of several equal columns: by chance, without it (nullptr) the one nearest to the center. By
/// chance, too, the center is preferred: more fours lead through it, and a player that looks only a few
/// moves ahead would give the game away in the opening.
int one_of(ColumnSet columns, const Position& position, Chance* chance);

/// What a level can do.
struct Strength {
    int depth;     // plies that it reads ahead
    int certain;   // plies within which it overlooks nothing: 1 is a win at once, 2 the opponent's next
    double sight;  // the chance to see a tactic one ply beyond that, multiplied for each ply more
    double noise;  // how much its judgment of quiet positions varies, as a standard deviation
    u64 exact_nodes = 0;  // effort to solve the game exactly, in nodes of the solver on 7x6; 0 for none

    bool operator==(const Strength&) const = default;
};

/// The levels, weakest first: found by the tournaments of tools/make/levels.toml.
inline constexpr std::array<Strength, 10> levels{{
    {2, 0, 0.45, 600},
    {2, 0, 0.83, 320},
    {2, 1, 0.9, 250},
    {3, 2, 0.35, 300},
    {4, 3, 0.8, 140},
    {6, 4, 0.85, 80},
    {7, 6, 0.89, 62},
    {8, 8, 0.9, 45, 12'000},
    {8, 8, 1, 25, 80'000},
    {8, 8, 1, 5, 450'000},
}};

/// Positions that a level looks at before a move; where they do not suffice for its depth, it reads less
/// deep.
inline constexpr u64 level_nodes = 60'000;
/// The table of a level's solver. It has no book, which would play the opening for the level: that is
/// where the upper ones err.
inline constexpr std::size_t level_table_mb = 16;

/// With how many nodes a level solves a position.
u64 exact_nodes(const Position& position, const Strength& strength);

/// After how many plies the win or loss ends the game that a value of look_ahead stands for.
int plies_to_end(const Position& position, Estimate value, Estimate win_base);

/// What a level sees of a position, before chance comes in: the best columns if it can solve it, else
/// what it finds by looking ahead.
using Sight = std::variant<std::vector<int>, LookAhead>;
/// `solver` may be nullptr for a level that solves nothing.
Sight see(const Position& position, const Strength& strength, Solver* solver, double time_s,
          const Check& check = {});

/// The column that looks best to a level at this moment.
int decide(const Position& position, const Strength& strength, const Sight& sight, Chance& chance);

/// How `perfect` chooses among best columns: the one after which the opponent has the most ways to go
/// wrong, the leftmost, the one nearest to the center, or any. Chance decides what that leaves open.
enum class Ties { testing, first, center, random };

/// A column that keeps the score; if that is not found in time, the one with the best proven bounds.
int choose_perfectly(const Position& position, Solver& solver, Ties ties, double time_s, Chance& chance,
                     const Check& check = {});

}  // namespace fourcast
