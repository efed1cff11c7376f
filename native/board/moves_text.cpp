#include "moves_text.hpp"

#include <algorithm>

#include "system/errors.hpp"
#include "system/reading.hpp"
#include "system/text.hpp"

namespace fourcast {
namespace {

/// The move whose name begins at `index`, which is then that of its last character.
int move_at(std::u32string_view moves, std::size_t& index, int width, bool pop) {
    if (pop && moves[index] == U'=') return 2 * width;
    if (pop && lower(moves[index]) == U'p' && index + 1 < moves.size())
        return width + move_at(moves, ++index, width, false);
    const int column = column_of_character(moves[index]);
    if (column < 0 || column >= width) {
        throw InvalidNotationError("error.move_name", {{"name", quoted(moves.substr(index, 1))},
                                                       {"place", index + 1},
                                                       {"moves", quoted(moves)},
                                                       {"last", std::string{column_name(width - 1)}}});
    }
    return column;
}

}  // namespace

std::vector<int> parse_moves(std::u32string_view moves, int width, bool pop) {
    std::vector<int> columns;
    columns.reserve(moves.size());
    for (std::size_t index = 0; index < moves.size(); ++index)
        if (!is_space(moves[index])) columns.push_back(move_at(moves, index, width, pop));
    return columns;
}

std::vector<Step> play_steps(const Position& start, std::u32string_view moves) {
    std::vector<Step> steps;
    steps.reserve(std::min<std::size_t>(moves.size(), max_bits));
    for (std::size_t index = 0; index < moves.size(); ++index) {
        if (is_space(moves[index])) continue;
        const Position& position = steps.empty() ? start : steps.back().position;
        const int column = move_at(moves, index, start.width(), start.rules().pop);
        if (const auto error = position.refusal(column)) {
            const Error said(
                "error.move_of",
                {{"number", steps.size() + 1}, {"moves", quoted(moves)}, {"why", error->said()}});
            throw IllegalMoveError(said, error->reason, column, error->ply);
        }
        steps.push_back({column, position.play(column)});
    }
    return steps;
}

Position play_text(const Position& start, std::u32string_view moves) {
    const auto steps = play_steps(start, moves);
    return steps.empty() ? start : steps.back().position;
}

}  // namespace fourcast
