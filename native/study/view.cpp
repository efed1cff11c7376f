#include "view.hpp"

#include <string>
#include <utility>

#include "board/moves_text.hpp"
#include "solver/said.hpp"

namespace fourcast::study {
namespace {

Value places_of(u128 bits, int height) {
    return array_of(each(bits),
                    [&](int index) { return std::pair(index / (height + 1), index % (height + 1)); });
}

std::string moves_of(const Position& start, const std::vector<int>& moves) {
    std::string names;
    for (const int move : moves) names += start.move_name(move);
    return names;
}

/// What `column_of` says, and where the discs of its line come to lie.
Value told_column(const Line& line, bool is_best) {
    Value squares = Value::Array();
    Position position = line.position;
    for (const int column : line.variation) {
        squares.add(std::pair(column, position.column_height(column)));
        position = position.play(column);
    }
    Value json = column_of(line);
    json.join(object({{"is_best", is_best},
                      {"moves", moves_of(line.position, line.variation)},
                      {"squares", std::move(squares)}}));
    return json;
}

/// The beginning of an answer about a game.
Value told(const Shown& shown, const Result& result, Value best_columns) {
    Value json = object({{"position", to_value(shown)}});
    json.join(meaning_of(result));
    json.join(object({{"best_columns", std::move(best_columns)}, {"share", result.share()}}));
    json.join(effort_of(result));
    return json;
}

}  // namespace

Shown::Shown(const Position& from, std::u32string_view moves) : start(from), position(from) {
    for (const Step& step : play_steps(from, moves)) {
        columns.push_back(step.column);
        position = step.position;
    }
}

void Shown::play(long long column) {
    position = position.play(column);
    columns.push_back(static_cast<int>(column));
}

Value to_value(const Shown& shown) {
    const Position& position = shown.position;
    Value last;
    // A disc that was taken out lies nowhere.
    if (!shown.columns.empty() && position.has_column(shown.columns.back())) {
        const int column = shown.columns.back();
        last = std::pair(column, position.column_height(column) - 1);
    }
    Value cells = Value::Array();
    for (int row = 0; row < position.height(); ++row) {
        Value squares = Value::Array();
        for (int column = 0; column < position.width(); ++column) squares.add(position.at(column, row));
        cells.add(std::move(squares));
    }
    const auto squares = [&](u128 bits) { return places_of(bits, position.height()); };
    const int winner = position.winner();
    return object({{"width", position.width()},
                   {"height", position.height()},
                   {"start", shown.start.start_rows()},
                   {"moves", moves_of(shown.start, shown.columns)},
                   {"ply", position.ply()},
                   {"next_ply", shown.start.ply() + static_cast<int>(shown.columns.size())},
                   {"turn", position.turn()},
                   {"cells", std::move(cells)},
                   {"legal_columns", to_value(position.legal_columns())},
                   {"last_move", std::move(last)},
                   {"winner", winner == 0 ? Value() : Value(winner)},
                   {"is_over", position.is_over()},
                   {"is_draw", position.is_draw()},
                   {"winning_squares", squares(position.winning_squares())},
                   {"threats_first", squares(position.threats(1))},
                   {"threats_second", squares(position.threats(2))},
                   {"diagram", position.rules().is_standard() ? position.diagram() : position.rows()}});
}

Value to_value(const Shown& shown, const Result& result) {
    return told(shown, result, result.best_columns ? to_value(*result.best_columns) : Value());
}

Value to_value(const Shown& shown, const Analysis& analysis, bool is_said) {
    const ColumnSet best = analysis.proven_best_columns();
    Value json = told(shown, analysis, to_value(best));
    json.add("columns", array_of(analysis.lines, [&](const Line& line) {
                 Value column = told_column(line, (best >> line.column & 1) != 0);
                 if (is_said) column.add("said", said_bounds(line));
                 return column;
             }));
    const char* const end = shown.position.winner() != 0 ? "score.lost" : "score.drawn";
    if (is_said) json.add("said", shown.position.is_over() ? say(end) : said_bounds(analysis));
    return json;
}

}  // namespace fourcast::study
