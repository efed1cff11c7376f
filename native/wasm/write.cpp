#include "write.hpp"

#include <new>

#include "board/moves_text.hpp"
#include "system/errors.hpp"

namespace fourcast::wasm {
namespace {

Value squares_of(u128 bits, int height) {
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
Value told(const Game& game, const Result& result, Value best_columns) {
    Value json = object({{"position", to_value(game)}});
    json.join(meaning_of(result));
    json.join(object({{"best_columns", std::move(best_columns)}, {"share", result.share()}}));
    json.join(effort_of(result));
    return json;
}

}  // namespace

Game::Game(const Position& from, std::u32string_view moves) : start(from), position(from) {
    for (const Step& step : play_steps(from, moves)) {
        columns.push_back(step.column);
        position = step.position;
    }
}

Value to_value(const Game& game) {
    const Position& position = game.position;
    Value last;
    // A disc that was taken out lies nowhere.
    if (!game.columns.empty() && position.has_column(game.columns.back())) {
        const int column = game.columns.back();
        last = std::pair(column, position.column_height(column) - 1);
    }
    Value cells = Value::Array();
    for (int row = 0; row < position.height(); ++row) {
        Value squares = Value::Array();
        for (int column = 0; column < position.width(); ++column) squares.add(position.at(column, row));
        cells.add(std::move(squares));
    }
    const auto squares = [&](u128 bits) { return squares_of(bits, position.height()); };
    const int winner = position.winner();
    return object({{"width", position.width()},
                   {"height", position.height()},
                   {"start", game.start.start_rows()},
                   {"moves", moves_of(game.start, game.columns)},
                   {"ply", position.ply()},
                   {"next_ply", game.start.ply() + static_cast<int>(game.columns.size())},
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

Value to_value(const Game& game, const Result& result) {
    return told(game, result, result.best_columns ? to_value(*result.best_columns) : Value());
}

Value to_value(const Game& game, const Analysis& analysis) {
    const ColumnSet best = analysis.proven_best_columns();
    Value json = told(game, analysis, to_value(best));
    json.add("columns", array_of(analysis.lines, [&](const Line& line) {
                 return told_column(line, (best >> line.column & 1) != 0);
             }));
    return json;
}

Value to_value(const LookAhead& look_ahead) {
    return object({{"values", look_ahead.values},
                   {"best_columns", to_value(look_ahead.best)},
                   {"depth", look_ahead.depth},
                   {"nodes", look_ahead.nodes},
                   {"win_base", look_ahead.win_base}});
}

Value to_value(const TreeSearch& tree_search) {
    return object({{"visits", tree_search.visits},
                   {"means", tree_search.means},
                   {"best_columns", to_value(tree_search.best)},
                   {"playouts", tree_search.playouts}});
}

Value error_value(const std::exception_ptr& pointer) {
    const auto told = [](const char* name, const Error& error) {
        return object({{"name", name}, {"code", error.code()}, {"facts", error.facts()}});
    };
    try {
        std::rethrow_exception(pointer);
    } catch (const Error& error) {
        Value json = told(error.name(), error);
        json.join(error.data());
        return json;
    } catch (const std::bad_alloc&) {
        return told("OutOfMemoryError", Error("error.out_of_memory"));
    } catch (const std::exception& error) {
        return told("Error", Error("error.unforeseen", {{"what", error.what()}}));
    }
}

}  // namespace fourcast::wasm
