#include "choices.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>

#include "board/center.hpp"
#include "board/columns.hpp"
#include "by_rules.hpp"
#include "solver/popout.hpp"

namespace fourcast {
namespace {

using Seconds = std::chrono::duration<double>;
using Clock = std::chrono::steady_clock;

int any_of(const std::vector<int>& columns, Chance& chance) {
    return columns[static_cast<std::size_t>(chance.below(static_cast<int>(columns.size())))];
}

/// The columns with the highest of these values.
template <class Worth>
std::vector<int> columns_with_most(const std::map<int, Worth>& worths) {
    const auto less = [](const auto& one, const auto& other) { return one.second < other.second; };
    const Worth most = std::ranges::max_element(worths, less)->second;
    std::vector<int> columns;
    for (const auto& [column, worth] : worths)
        if (worth == most) columns.push_back(column);
    return columns;
}

/// What a column looks like: its value, or a glance at the board if the value is overlooked.
double judge(const Position& position, const Strength& strength, int column, Estimate value,
             Estimate win_base, Chance& chance) {
    if (std::abs(value) <= win_base) return static_cast<double>(value) + chance.gauss(strength.noise);
    const int beyond = plies_to_end(position, value, win_base) - strength.certain;
    if (beyond <= 0 || chance.uniform() < std::pow(strength.sight, beyond))
        return static_cast<double>(value);
    const Position after = position.play(column);
    const Estimate glance = after.is_over() ? 0 : -evaluate(after, Evaluation::streaks);
    return static_cast<double>(glance) + chance.gauss(strength.noise);
}

/// How many replies cost the opponent the win or the draw, and how many cost any score; none if that is
/// not known in time.
std::pair<int, int> ways_to_go_wrong(const Position& position, Solver& solver, Clock::time_point end,
                                     const Check& check) {
    if (position.is_over()) return {0, 0};
    const double left_s = Seconds(end - Clock::now()).count();
    const Limit limit{.time_s = std::max(left_s, 0.001)};
    const std::vector<Line> lines = solver.analyze(position, limit, false, check).lines;
    if (!std::ranges::all_of(lines, &Line::is_exact)) return {0, 0};
    const int best = std::ranges::max_element(lines, {}, &Line::lower)->lower;
    const auto sign = [](int score) { return (score > 0) - (score < 0); };
    std::pair<int, int> ways;
    for (const Line& line : lines) {
        ways.first += sign(line.lower) != sign(best);
        ways.second += line.lower != best;
    }
    return ways;
}

/// The columns with the best proven bounds.
ColumnSet most_promising(const std::vector<Line>& lines) {
    const auto bounds = [](const Line& line) { return std::pair(line.lower, line.upper); };
    const auto most = bounds(*std::ranges::max_element(lines, {}, bounds));
    ColumnSet columns = 0;
    for (const Line& line : lines)
        if (bounds(line) == most) columns |= ColumnSet{1} << line.column;
    return columns;
}

}  // namespace

int one_of(ColumnSet columns, const Position& position, Chance* chance) {
    if (chance == nullptr) {
        for (const int column : columns_from_center(position.width()))
            if ((columns >> column & 1) != 0) return column;
        if (columns != 0) return lowest_bit(columns);  // in PopOut
        throw OptionError("error.no_choice");
    }
    const std::vector<int> choice = columns_in(columns);
    if (choice.empty()) throw OptionError("error.no_choice");
    const auto weight = [last = position.width() - 1](int move) {
        const int column = move % (last + 1);
        const int distance = 1 + std::min(column, last - column);
        return distance * distance;
    };
    int sum = 0;
    for (const int column : choice) sum += weight(column);
    const double aim = chance->uniform() * sum;
    int passed = 0;
    for (const int column : choice)
        if (aim < (passed += weight(column))) return column;
    return choice.back();
}

u64 exact_nodes(const Position& position, const Strength& strength) {
    // On a larger board a node takes longer, and the end is further away.
    const double smaller = std::pow(std::min(1.0, 42.0 / position.cells()), 2);
    const double nodes = std::nearbyint(static_cast<double>(strength.exact_nodes) * smaller);
    return std::max(static_cast<u64>(nodes), u64{1});
}

int plies_to_end(const Position& position, Estimate value, Estimate win_base) {
    const auto score = static_cast<int>(std::abs(value) - win_base);
    return final_ply(position.cells(), position.ply(), value > 0 ? score : -score) - position.ply();
}

Sight see(const Position& position, const Strength& strength, Solver* solver, double time_s,
          const Check& check) {
    refuse_other_rules(position);
    // Out of reach at these levels; strong players open in the center.
    if (strength.exact_nodes != 0 && position.ply() == 0)
        return std::vector<int>{(position.width() - 1) / 2, position.width() / 2};
    if (strength.exact_nodes != 0 && solver != nullptr) {
        const Limit limit{.time_s = time_s * 0.45, .nodes = exact_nodes(position, strength)};
        const auto best = solver->solve(position, limit, Goal::score, true, check).best_columns;
        if (best) return columns_in(*best);
    }
    LookAheadOptions options;
    options.depth = strength.depth;
    options.evaluation = Evaluation::streaks;
    options.time_s = time_s * 0.5;
    options.nodes = level_nodes;
    options.every_column = true;
    return look_ahead(position, options, check);
}

int decide(const Position& position, const Strength& strength, const Sight& sight, Chance& chance) {
    if (const auto* const exact = std::get_if<std::vector<int>>(&sight)) return any_of(*exact, chance);
    const LookAhead& ahead = std::get<LookAhead>(sight);
    std::map<int, double> judged;
    for (int column = 0; column < position.width(); ++column)
        if (const auto value = ahead.values[static_cast<std::size_t>(column)])
            judged[column] = judge(position, strength, column, *value, ahead.win_base, chance);
    return any_of(columns_with_most(judged), chance);
}

int choose_perfectly(const Position& position, Solver& solver, Ties ties, double time_s, Chance& chance,
                     const Check& check) {
    const double longest_s = 1e9;  // that the clock can count
    const auto end =
        Clock::now() + std::chrono::duration_cast<Clock::duration>(Seconds(std::min(time_s, longest_s)));
    if (position.rules().pop) {
        const PopOutAnswer found = solve_popout(position, 40, {.time_s = time_s}, {}, check);
        if (found.winner != 0) return any_of(columns_in(found.best), chance);
        // Not decided: nothing that loses soon.
        return any_of(columns_in(look_ahead(position, {.depth = 4}, check).best), chance);
    }
    // Which columns are best is found sooner than what the others are worth.
    const auto best =
        solver.solve(position, {.time_s = time_s / 2}, Goal::score, true, check).best_columns;
    if (!best) {
        const double left_s = Seconds(end - Clock::now()).count();
        const Limit limit{.time_s = std::max(left_s, 0.001)};
        return one_of(most_promising(solver.analyze(position, limit, false, check).lines), position,
                      nullptr);
    }
    const std::vector<int> columns = columns_in(*best);
    if (columns.size() == 1 || ties == Ties::first) return columns.front();
    if (ties == Ties::center) return one_of(*best, position, nullptr);
    if (ties == Ties::random) return any_of(columns, chance);
    std::map<int, std::pair<int, int>> tests;
    for (const int column : columns)
        tests[column] = ways_to_go_wrong(position.play(column), solver, end, check);
    return any_of(columns_with_most(tests), chance);
}

}  // namespace fourcast
