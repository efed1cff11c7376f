#include "write.hpp"

#include <new>

#include "board/moves_text.hpp"
#include "solver/answer_value.hpp"
#include "system/errors.hpp"

namespace fourcast::wasm {
namespace {

using Squares = std::vector<std::pair<int, int>>;

std::pair<int, int> square_of(int index, int height) {
    return {index / (height + 1), index % (height + 1)};
}

Squares squares_of(u128 bits, int height) {
    Squares squares;
    for (const int index : each(bits)) squares.push_back(square_of(index, height));
    return squares;
}

std::vector<int> columns_of(ColumnSet set) {
    std::vector<int> columns;
    for (const int column : each(set)) columns.push_back(column);
    return columns;
}

std::string moves_of(const std::vector<int>& columns) {
    std::string moves;
    for (const int column : columns) moves += column_name(column);
    return moves;
}

/// 0 is nobody in the core.
std::optional<int> somebody(int player) { return player == 0 ? std::nullopt : std::optional(player); }

void put_column(Json& json, const Line& line, bool is_best) {
    Squares squares;
    Position position = line.position;
    for (const int column : line.variation) {
        squares.emplace_back(column, position.column_height(column));
        position = position.play(column);
    }
    json.object([&] {
        json.member("column", line.column).member("name", std::string(1, column_name(line.column)));
        json.members(meaning_of(line))
            .member("is_best", is_best)
            .member("variation", line.variation)
            .member("moves", moves_of(line.variation))
            .member("squares", squares);
    });
}

}  // namespace

Game::Game(const Position& from, std::u32string_view moves) : start(from), position(from) {
    for (const Step& step : play_steps(from, moves)) {
        columns.push_back(step.column);
        position = step.position;
    }
}

std::string Game::moves() const { return moves_of(columns); }

void write(Json& json, const Game& game) {
    const Position& position = game.position;
    std::optional<std::pair<int, int>> last;
    if (!game.columns.empty()) {
        const int column = game.columns.back();
        last.emplace(column, position.column_height(column) - 1);
    }
    std::vector<std::vector<int>> cells;
    for (int row = 0; row < position.height(); ++row) {
        auto& squares = cells.emplace_back();
        for (int column = 0; column < position.width(); ++column)
            squares.push_back(position.at(column, row));
    }
    const auto squares = [&](u128 bits) { return squares_of(bits, position.height()); };
    json.object([&] {
        json.member("width", position.width())
            .member("height", position.height())
            .member("start", game.start.ply() == 0 ? std::string() : game.start.rows())
            .member("moves", game.moves())
            .member("ply", position.ply())
            .member("turn", position.turn())
            .member("cells", cells)
            .member("legal_columns", columns_of(position.legal_columns()))
            .member("last_move", last)
            .member("winner", somebody(position.winner()))
            .member("is_over", position.is_over())
            .member("is_draw", position.is_draw())
            .member("winning_squares", squares(position.winning_squares()))
            .member("threats_first", squares(position.threats(1)))
            .member("threats_second", squares(position.threats(2)))
            .member("diagram", position.diagram());
    });
}

void write(Json& json, const Game& game, const Result& result) {
    const auto best = result.best_columns;
    json.object([&] {
        json.member("position", [&] { write(json, game); });
        json.members(meaning_of(result))
            .member("best_columns", best ? std::optional(columns_of(*best)) : std::nullopt)
            .member("share", result.share())
            .members(effort_of(result));
    });
}

void write(Json& json, const Game& game, const Analysis& analysis) {
    const ColumnSet best = analysis.proven_best_columns();
    const auto put_columns = [&] {
        for (const Line& line : analysis.lines) put_column(json, line, (best >> line.column & 1) != 0);
    };
    json.object([&] {
        json.member("position", [&] { write(json, game); });
        json.members(meaning_of(analysis))
            .member("best_columns", columns_of(best))
            .member("share", analysis.share())
            .members(effort_of(analysis))
            .member("columns", [&] { json.array(put_columns); });
    });
}

void write(Json& json, const LookAhead& look_ahead) {
    json.object([&] {
        json.member("values", look_ahead.values)
            .member("best_columns", columns_of(look_ahead.best))
            .member("depth", look_ahead.depth)
            .member("nodes", look_ahead.nodes)
            .member("win_base", look_ahead.win_base);
    });
}

void write(Json& json, const TreeSearch& tree_search) {
    json.object([&] {
        json.member("visits", tree_search.visits)
            .member("means", tree_search.means)
            .member("best_columns", columns_of(tree_search.best))
            .member("playouts", tree_search.playouts);
    });
}

void write(Json& json, const std::exception_ptr& pointer) {
    const auto put = [&](const char* name, const Error& error) {
        json.member("name", name).member("code", error.code()).member("facts", [&] {
            json.raw(Value(error.facts()).json());
        });
    };
    json.object([&] {
        try {
            std::rethrow_exception(pointer);
        } catch (const Error& error) {
            put(error.name(), error);
            json.members(error.data());
        } catch (const std::bad_alloc&) {
            put("OutOfMemoryError", Error("error.out_of_memory"));
        } catch (const std::exception& error) {
            put("Error", Error("error.unforeseen", {{"what", error.what()}}));
        }
    });
}

}  // namespace fourcast::wasm
