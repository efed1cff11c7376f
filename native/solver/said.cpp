#include "said.hpp"

#include "board/position.hpp"

namespace fourcast {
namespace {

Value joined(std::string_view pattern, const std::vector<Square>& squares) {
    if (squares.size() == 1) return said_square(squares[0]);
    Value::Array list;
    for (std::size_t i = 0; i + 1 < squares.size(); ++i) list.push_back(said_square(squares[i]));
    return say(pattern, {{"list", list}, {"last", said_square(squares.back())}});
}

}  // namespace

Value say(std::string_view pattern, std::initializer_list<Value::Member> facts) {
    return object({{"pattern", pattern}, {"facts", Value::Object(facts)}});
}

const std::string& pattern_of(const Value& sentence) {
    static const std::string none;
    return sentence.is_null() ? none : sentence.at("pattern").text("pattern");
}

Value said_player(int player) { return object({{"player", player}}); }

std::string said_column(int column) { return {column_name(column)}; }

Value said_columns(const std::vector<int>& columns) {
    if (columns.size() == 1) return say("columns.one", {{"column", said_column(columns[0])}});
    std::string list;
    for (std::size_t i = 0; i + 1 < columns.size(); ++i)
        list += (i == 0 ? "" : ", ") + said_column(columns[i]);
    return say("columns.some", {{"list", list}, {"last", said_column(columns.back())}});
}

Value said_square(const Square& square) {
    return say("square", {{"column", said_column(square.column)}, {"row", square.row + 1}});
}

Value said_both(const std::vector<Square>& squares) { return joined("and", squares); }
Value said_either(const std::vector<Square>& squares) { return joined("or", squares); }

Value said_bounds(int cells, int ply, int lower, int upper, bool misere) {
    const auto count = [&](int score) { return winner_moves(cells, ply, score, misere); };
    if (lower == 0 && upper == 0) return say("score.draws");
    if (lower > 0)
        return say(lower == upper ? "score.wins" : "score.wins_by", {{"count", count(lower)}});
    if (upper < 0)
        return say(lower == upper ? "score.loses" : "score.loses_by", {{"count", count(upper)}});
    if (lower == 0) return say("score.at_least_draws");
    return say(upper == 0 ? "score.at_most_draws" : "score.open");
}

Value said_bounds(const Proven& proven) {
    return said_bounds(proven.position.cells(), proven.position.ply(), proven.lower, proven.upper,
                       proven.position.rules().misere);
}

}  // namespace fourcast
