#include "notation.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include "moves_text.hpp"
#include "system/errors.hpp"
#include "system/reading.hpp"
#include "system/text.hpp"

namespace fourcast {
namespace {

using Characters = std::u32string_view;

constexpr char32_t red = U'\U0001F534', yellow = U'\U0001F7E1';

bool is_among(char32_t character, Characters set) { return set.find(character) != Characters::npos; }

/// Without the colors of a terminal.
std::u32string uncolored(Characters given) {
    std::u32string result;
    for (std::size_t at = 0; at < given.size(); ++at) {
        if (given.substr(at).starts_with(U"\x1b[")) {
            const std::size_t end = given.find_first_not_of(U"0123456789;", at + 2);
            if (end != Characters::npos && given[end] == U'm') {
                at = end;
                continue;
            }
        }
        result += given[at];
    }
    return result;
}

/// With spaces for the sides of a board, and for the marks of the last move and of a four.
std::u32string unframed(Characters given) {
    std::u32string result(given);
    for (char32_t& each : result)
        if (is_among(each, U"()[]|*")) each = U' ';
    return result;
}

/// A line drawn above or below the board.
bool is_rule(Characters line) { return line.find_first_not_of(U"+-=_|/\\ ") == Characters::npos; }

/// How many columns a line of names has, 0 if it is none.
std::size_t names_in(Characters line) {
    std::u32string names;
    for (const char32_t each : line)
        if (!is_space(each)) names += lower(each);
    static constexpr Characters by_number = U"123456789abcdefghijklmnopqrstuvwxyz";
    return by_number.starts_with(names) || by_number.substr(9).starts_with(names) ? names.size() : 0;
}

/// The parts of a line between spaces, without a row's number at its beginning or its end.
std::vector<Characters> parts_of(Characters line) {
    auto parts = words_of(line);
    const auto is_number = [](Characters part) { return number_of(part, 2).has_value(); };
    const bool leads =
        !parts.empty() && is_number(parts.front()) && (parts.size() > 1 || is_space(line.back()));
    if (leads) parts.erase(parts.begin());
    if (!parts.empty() && is_number(parts.back()) &&
        (parts.size() > 1 || (!leads && is_space(line.front()))))
        parts.pop_back();
    return parts;
}

/// 0, 1 or 2 for a square; nothing if it is none.
std::optional<int> cell_of(Characters square) {
    if (square == U"." || square == U"..") return 0;
    if (square.size() != 1) return std::nullopt;
    if (is_among(square[0], U"XxRr") || square[0] == red) return 1;
    if (is_among(square[0], U"OoYy") || square[0] == yellow) return 2;
    return std::nullopt;
}

std::vector<int> parse_row(Characters line, const Value::Object& where) {
    std::vector<int> row;
    for (Characters part : parts_of(line)) {
        // Beside discs, or alone, two dots are one empty square as wide as a disc; else each is a
        // square.
        const bool wide = part == U".." || is_among(red, part) || is_among(yellow, part);
        while (!part.empty()) {
            const Characters square = part.substr(0, wide && part.starts_with(U"..") ? 2 : 1);
            const auto cell = cell_of(square);
            if (!cell) {
                Value::Object facts = where;
                facts.emplace_back("name", quoted(square));
                throw InvalidNotationError("error.diagram_square", std::move(facts));
            }
            row.push_back(*cell);
            part.remove_prefix(square.size());
        }
    }
    return row;
}

/// The empty board of this size, however large the numbers are.
Position board_of(long long width, long long height, const Rules& rules = {}) {
    const auto fits = [](long long side) { return side >= 0 && side <= max_bits; };
    if (!fits(width) || !fits(height)) throw size_error(std::to_string(width), std::to_string(height));
    return Position(static_cast<int>(width), static_cast<int>(height), rules);
}

/// The rules of a position in JSON.
Rules rules_in(const Value& content) {
    const Value& rules = content.get("rules");
    return rules.is_null() ? Rules{} : Rules::parse(utf32(rules.text("rules")));
}

bool is_empty_line(Characters line) {
    std::size_t at = line.find_first_not_of(U" \t");
    if (at == Characters::npos) return false;
    if (is_digit(line[at])) {  // a row's number
        const std::size_t end = line.find_first_not_of(U"0123456789", at);
        const std::size_t next = line.find_first_not_of(U" \t", end);
        if (end > at + 2 || next == end || next == Characters::npos) return false;
        at = next;
    }
    return is_among(line[at], U"xory.") && line.find_first_not_of(U" \txory.", at) == Characters::npos;
}

long long whole(const Value& content, const char* key, long long usual) {
    const Value& found = content.get(key);
    if (found.is_null()) return usual;
    if (const auto* const number = found.whole()) return *number;
    throw InvalidNotationError("error.json_whole", {{"key", key}, {"given", shown(found)}});
}

Position position_from_grid(const Value& content, int player) {
    const Value& grid = content.get("grid");
    const auto* const columns = grid.array();
    const auto is_list = [](const Value& each) { return each.array() != nullptr; };
    if (columns == nullptr || !std::all_of(columns->begin(), columns->end(), is_list))
        throw InvalidNotationError("error.json_grid", {{"given", shown(grid)}});
    const auto width = static_cast<long long>(columns->size());
    const auto height = columns->empty() ? 0 : static_cast<long long>(columns->front().array()->size());
    for (const auto& [key, actual] : {std::pair("width", width), std::pair("height", height)})
        if (const long long said = whole(content, key, actual); said != actual)
            throw InvalidNotationError("error.json_side",
                                       {{"key", key}, {"said", said}, {"actual", actual}});
    const long long mover = whole(content, "player", player);
    if (mover != 1 && mover != 2)
        throw InvalidNotationError("error.json_player", {{"given", shown(content)}});
    for (std::size_t column = 0; column < columns->size(); ++column)
        for (const Value& cell : *(*columns)[column].array()) {
            const auto* const disc = cell.whole();
            if (disc == nullptr || *disc < 0 || *disc > 2)
                throw InvalidNotationError("error.json_cell",
                                           {{"given", shown(cell)}, {"column", column + 1}});
        }
    const Position empty = board_of(width, height, rules_in(content));
    u128 discs[3] = {0, 0, 0};
    for (int column = 0; column < width; ++column) {
        const auto& cells = *(*columns)[static_cast<std::size_t>(column)].array();
        if (static_cast<long long>(cells.size()) != height)
            throw InvalidPositionError(
                "error.grid_column",
                {{"line", column + 1}, {"squares", cells.size()}, {"wanted", height}});
        u128 square = u128{1} << (column * (empty.height() + 1) + empty.height());
        for (const Value& cell : cells) discs[*cell.whole()] |= square >>= 1;
    }
    return Position::from_numbered_discs(discs[1], discs[2], static_cast<int>(mover), empty.width(),
                                         empty.height(), empty.rules());
}

}  // namespace

int parse_column(Characters given, int width) {
    const Characters name = stripped(given);
    if (name.size() == 1) {
        const int column = column_of_character(name[0]);
        if (column >= 0 && column < width) return column;
    }
    const auto number = number_of(name, 2);
    if (number && *number >= 10 && *number <= width) return *number - 1;
    const bool is_number = !name.empty() && std::all_of(name.begin(), name.end(), is_digit);
    throw InvalidNotationError(
        is_number ? "error.no_column" : "error.not_column",
        {{"column", quoted(name)}, {"last", std::string(1, column_name(width - 1))}});
}

int parse_move(Characters given, const Position& position) {
    if (!position.rules().pop) return parse_column(given, position.width());
    const auto moves = parse_moves(given, position.width(), true);
    if (moves.size() == 1) return moves[0];
    throw InvalidNotationError(
        "error.not_column",
        {{"column", quoted(given)}, {"last", std::string(1, column_name(position.width() - 1))}});
}

Position parse_diagram(Characters diagram, const Rules& rules, int turn) {
    std::vector<std::vector<int>> rows;
    std::size_t names = 0;
    Value::Object names_where;
    int number = 0;
    const std::u32string plain = uncolored(diagram);
    for (const Characters line : lines_of(plain)) {
        const Value::Object where{{"line", ++number}, {"text", quoted(line)}};
        if (is_rule(line)) continue;
        const std::u32string bare = unframed(line);
        if (const std::size_t found = names_in(bare); found > 0) {
            names = found;
            names_where = where;
            continue;
        }
        auto row = parse_row(bare, where);
        if (!rows.empty() && row.size() != rows[0].size()) {
            Value::Object facts = where;
            facts.insert(facts.end(), {{"squares", row.size()}, {"above", rows[0].size()}});
            throw InvalidNotationError("error.diagram_ragged", std::move(facts));
        }
        rows.push_back(std::move(row));
    }
    if (rows.empty()) throw InvalidNotationError("error.no_board", {{"text", quoted(diagram)}});
    const std::size_t width = rows[0].size();
    if (names != 0 && names != width) {
        names_where.insert(names_where.end(), {{"columns", names}, {"squares", width}});
        throw InvalidNotationError("error.diagram_names", std::move(names_where));
    }
    const Position empty =
        board_of(static_cast<long long>(width), static_cast<long long>(rows.size()), rules);
    u128 discs[3] = {0, 0, 0};
    for (int row = 0; row < empty.height(); ++row)
        for (int column = 0; column < empty.width(); ++column)
            discs[rows[static_cast<std::size_t>(empty.height() - 1 - row)]
                      [static_cast<std::size_t>(column)]] |= u128{1}
                                                             << (column * (empty.height() + 1) + row);
    return Position::from_discs(discs[1], discs[2], empty.width(), empty.height(), rules, turn);
}

Position parse_rows(Characters rows) {
    if (rows.find(U':') != Characters::npos) return Position::from_rows(stripped(rows));
    std::u32string lines(rows);
    std::replace(lines.begin(), lines.end(), U'/', U'\n');
    return parse_diagram(lines);
}

bool looks_like_diagram(Characters given) {
    const std::u32string bare = unframed(uncolored(given));
    if (bare.find_first_of(U"XORY/\U0001F534\U0001F7E1") != std::u32string::npos) return true;
    const auto lines = lines_of(bare);
    return std::any_of(lines.begin(), lines.end(), is_empty_line);
}

Position position_from_json(const Value& content, int player) {
    if (content.object() == nullptr)
        throw InvalidNotationError("error.json_object", {{"given", shown(content)}});
    if (content.has("grid")) return position_from_grid(content, player);
    if (!content.has("moves"))
        throw InvalidNotationError("error.json_neither", {{"given", shown(content)}});
    const Value& moves = content.get("moves");
    if (moves.text() == nullptr)
        throw InvalidNotationError("error.json_moves", {{"given", shown(moves)}});
    return play_text(
        board_of(whole(content, "width", 7), whole(content, "height", 6), rules_in(content)),
        utf32(*moves.text()));
}

Value position_json(const Position& position) {
    Value::Array grid;
    for (int column = 0; column < position.width(); ++column) {
        Value::Array cells;
        for (int row = position.height() - 1; row >= 0; --row) cells.push_back(position.at(column, row));
        grid.push_back(std::move(cells));
    }
    Value json = object({{"grid", std::move(grid)},
                         {"height", position.height()},
                         {"player", position.turn()},
                         {"width", position.width()}});
    if (!position.rules().is_standard()) json.add("rules", position.rules().text());
    return json;
}

}  // namespace fourcast
