#include "moves_text.hpp"

#include <algorithm>

#include "system/errors.hpp"
#include "system/text.hpp"

namespace fourcast {
namespace {

/// The column that the character at `index` names.
int column_at(std::u32string_view moves, std::size_t index, int width) {
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

std::vector<int> parse_moves(std::u32string_view moves, int width) {
    std::vector<int> columns;
    columns.reserve(moves.size());
    for (std::size_t index = 0; index < moves.size(); ++index)
        if (moves[index] != U' ') columns.push_back(column_at(moves, index, width));
    return columns;
}

std::vector<Step> play_steps(const Position& start, std::u32string_view moves) {
    std::vector<Step> steps;
    steps.reserve(std::min<std::size_t>(moves.size(), max_bits));
    for (std::size_t index = 0; index < moves.size(); ++index) {
        if (moves[index] == U' ') continue;
        const Position& position = steps.empty() ? start : steps.back().position;
        const int column = column_at(moves, index, start.width());
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
