#include "game_file.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <utility>

#include "board/moves_text.hpp"
#include "board/notation.hpp"
#include "moment.hpp"
#include "system/errors.hpp"
#include "system/reading.hpp"
#include "system/text.hpp"

namespace fourcast::study {
namespace {

using Characters = std::u32string_view;

/// No game needs a tenth of it.
constexpr std::size_t max_file = 65'536;
constexpr std::string_view format = "fourcast 1";

/// Something that a file says, and where, for an error message: a text or a sentence.
struct Said {
    Value where;
    std::u32string what;
};

/// A move as a file has it: where it stands, the name of its column, and its time stamp.
struct WrittenMove {
    Value where;
    std::u32string name;
    Value stamp_s;
};

/// What a file says besides its start and its moves, by name.
using Texts = std::map<std::string_view, Said>;

/// Says in every error where it is, unless that is null.
template <class Call>
auto at(const Value& where, const Call& call, const char* code = "error.at") {
    try {
        return call();
    } catch (const Error& error) {
        if (where.is_null()) throw GameFileError(error.code(), error.facts());
        throw GameFileError(code, {{"where", where}, {"why", error.said()}});
    }
}

void check_length(Characters given) {
    if (given.size() > max_file) throw GameFileError("error.file_long", {{"most", max_file}});
}

/// The one of `known` that a file means.
std::string_view known_name(const std::string& given, std::span<const std::string_view> known) {
    if (const auto found = std::find(known.begin(), known.end(), given); found != known.end())
        return *found;
    std::string names;
    for (const std::string_view each : known) names += text(names.empty() ? "" : ", ", each);
    const auto meant = nearest(given, known);
    if (meant)
        throw GameFileError("error.unknown_meant", {{"name", quoted(utf32(given))}, {"meant", *meant}});
    throw GameFileError("error.unknown_name", {{"name", quoted(utf32(given))}, {"names", names}});
}

SavedGame assemble(const Position& start, const Texts& texts, const std::vector<WrittenMove>& moves,
                   const std::vector<WrittenMove>& undone) {
    SavedGame saved{Game(start)};
    /// Calls `use` with what the file says under a name, unless that is nothing.
    const auto each = [&](std::string_view name, const auto& use) {
        if (const auto found = texts.find(name); found != texts.end() && !found->second.what.empty())
            at(found->second.where, [&] { use(Characters(found->second.what)); });
    };
    each("format", [](Characters said) {
        if (utf8(said) != format)
            throw GameFileError("error.file_format", {{"name", quoted(said)}, {"format", format}});
    });
    const auto read_name = [](std::string& name) {
        return [&name](Characters said) {
            check_name(said);
            name = utf8(said);
        };
    };
    each("first", read_name(saved.first));
    each("second", read_name(saved.second));
    each("started", [&](Characters said) { saved.started = utc_moment(said); });
    for (const auto* const part : {&moves, &undone})
        for (const WrittenMove& move : *part)
            at(move.where, [&] {
                const auto stamp_s = stamp_from(move.stamp_s);
                saved.game.play({parse_move(move.name, start), stamp_s});
            });
    for (std::size_t i = 0; i < undone.size(); ++i) saved.game.undo();
    each("result", [&](Characters said) { saved.game.end(parse_outcome(utf8(said))); });
    return saved;
}

// ---- Text ----------------------------------------------------------------------------------------

constexpr std::array<std::string_view, 9> header_names{"format", "first",   "second", "board", "rules",
                                                       "start",  "started", "result", "undone"};

/// How many characters the name of the first of some moves has: `p3` takes a disc out, in PopOut.
std::size_t name_length(Characters moves, bool pop) {
    return pop && lower(moves[0]) == U'p' && moves.size() > 1 && column_of_character(moves[1]) >= 0 ? 2
                                                                                                    : 1;
}

/// The name of a header and what follows it: `First: Ada`; nothing if a line is none.
std::optional<std::pair<std::string, Characters>> header_of(Characters line) {
    const std::size_t colon = line.find(U':');
    if (colon == Characters::npos) return std::nullopt;
    std::string name;
    const Characters words = stripped(line.substr(0, colon));
    if (words.empty() || !std::all_of(words.begin(), words.end(), is_letter)) return std::nullopt;
    for (const char32_t letter : words) name += static_cast<char>(lower(letter));
    return std::pair(std::move(name), line.substr(colon + 1));
}

Characters uncommented(Characters line) { return line.substr(0, line.find(U'#')); }

/// The number after the `@` of a word such as `4@12.5`: digits, perhaps with a point and an exponent.
std::optional<double> stamp_of(Characters digits) {
    const auto skip_digits = [&digits] {
        const std::size_t end = std::min(digits.find_first_not_of(U"0123456789"), digits.size());
        digits.remove_prefix(end);
        return end > 0;
    };
    const std::string all = utf8(digits);
    if (!skip_digits()) return std::nullopt;
    if (digits.starts_with(U'.')) {
        digits.remove_prefix(1);
        if (!skip_digits()) return std::nullopt;
    }
    if (digits.starts_with(U'e')) {
        digits.remove_prefix(1);
        if (digits.starts_with(U'+') || digits.starts_with(U'-')) digits.remove_prefix(1);
        if (!skip_digits()) return std::nullopt;
    }
    return digits.empty() ? std::optional(std::strtod(all.c_str(), nullptr)) : std::nullopt;
}

/// Adds the moves of a line such as `3. 4 5@12.5  # a comment`.
void add_moves(std::vector<WrittenMove>& moves, Characters line, const Value& where, bool pop) {
    for (const Characters word : words_of(uncommented(line))) {
        const auto number =
            word.ends_with(U'.') ? number_of(word.substr(0, word.size() - 1), 3) : std::nullopt;
        const std::size_t at_sign = name_length(word, pop);
        const auto stamp = word.size() > at_sign + 1 && word[at_sign] == U'@'
                               ? stamp_of(word.substr(at_sign + 1))
                               : std::nullopt;
        if (number) {
            if (*number * 2 - 2 != static_cast<int>(moves.size()))
                throw GameFileError("error.move_number",
                                    {{"word", quoted(word)}, {"count", moves.size()}});
        } else if (stamp) {
            moves.push_back({where, std::u32string(word.substr(0, at_sign)), *stamp});
        } else {
            const Value place = Error("error.at", {{"where", where}, {"why", quoted(word)}}).said();
            for (Characters rest = word; !rest.empty(); rest.remove_prefix(name_length(rest, pop)))
                moves.push_back(
                    {place, std::u32string(rest.substr(0, name_length(rest, pop))), nullptr});
        }
    }
}

Position start_of(const Texts& headers, int width, int height) {
    Rules rules;
    int turn = 0;
    if (const auto said = headers.find("rules"); said != headers.end())
        at(said->second.where, [&] {
            Characters by = said->second.what;
            if (by.ends_with(U",second")) {
                by.remove_suffix(7);
                turn = 2;
            }
            rules = Rules::parse(by);
            if (rules.pop && turn == 0) turn = 1;
        });
    const auto start_at = headers.find("start");
    std::optional<Position> start;
    if (start_at != headers.end())
        start = at(start_at->second.where,
                   [&] { return parse_diagram(start_at->second.what, rules, turn); });
    const auto board = headers.find("board");
    const auto size_of = [&](Characters said) {
        const std::size_t cross = std::min(said.find_first_of(U"xX"), said.size());
        const auto side = [](Characters part, bool is_left) {
            if (is_left && part.ends_with(U' ')) part.remove_suffix(1);
            if (!is_left && part.starts_with(U' ')) part.remove_prefix(1);
            return number_of(part, 3);
        };
        const auto left = side(said.substr(0, cross), true);
        const auto right = side(said.substr(std::min(cross + 1, said.size())), false);
        if (!left || !right) throw GameFileError("error.size_text", {{"size", quoted(said)}});
        if (start && (start->width() != *left || start->height() != *right))
            throw GameFileError(
                "error.start_size",
                {{"width", start->width()}, {"height", start->height()}, {"size", quoted(said)}});
        width = *left;
        height = *right;
    };
    return at(board == headers.end() ? Value() : board->second.where, [&] {
        if (board != headers.end()) size_of(board->second.what);
        return start ? *start : Position(width, height, rules);
    });
}

std::string written(const Position& start, const Move& move) {
    const std::string name = start.move_name(move.column);
    return move.stamp_s ? text(name, "@", shortest(*move.stamp_s)) : name;
}

// ---- JSON ----------------------------------------------------------------------------------------

/// The keys of texts come first.
constexpr std::array<std::string_view, 13> json_keys{
    "format", "first", "second", "started", "result",   "moves",          "undone",
    "rules",  "width", "height", "start",   "stamps_s", "undone_stamps_s"};
constexpr std::span<const std::string_view> json_texts(json_keys.data(), 8);

Position json_start(const Value& content) {
    Value::Object size;
    for (const char* const side : {"width", "height"})
        if (const Value& said = content.get(side); !said.is_null()) size.emplace_back(side, said);
    if (content.get("start").is_null()) {
        size.emplace_back("moves", "");
        if (content.has("rules")) size.emplace_back("rules", content.get("rules"));
        return position_from_json(size);
    }
    const Position start = position_from_json(content.get("start"));
    for (const auto& [side, said] : size) {
        const int actual = side == "width" ? start.width() : start.height();
        if (said != Value(actual))
            throw GameFileError("error.start_side",
                                {{"key", side}, {"given", shown(said)}, {"actual", actual}});
    }
    return start;
}

std::vector<WrittenMove> json_moves(const Said& names, const Value& given, bool pop) {
    static const Value::Array none;
    const auto* const stamps = given.is_null() ? &none : given.array();
    std::vector<WrittenMove> moves;
    for (Characters rest = names.what; !rest.empty(); rest.remove_prefix(name_length(rest, pop)))
        moves.push_back(
            {Error("error.key_move", {{"key", names.where}, {"number", moves.size() + 1}}).said(),
             std::u32string(rest.substr(0, name_length(rest, pop))),
             stamps == nullptr || stamps->size() <= moves.size() ? Value() : (*stamps)[moves.size()]});
    if (stamps == nullptr || (!stamps->empty() && stamps->size() != moves.size()))
        throw GameFileError("error.stamps_count", {{"key", names.where}});
    return moves;
}

SavedGame from_json_content(const Value& content) {
    if (content.object() == nullptr) throw GameFileError("error.no_object", {{"given", shown(content)}});
    for (const auto& [key, value] : *content.object())
        if (!value.is_null()) known_name(key, json_keys);
    Texts texts;
    for (const std::string_view key : json_texts) {
        const Value& said = content.get(key);
        if (!said.is_null() && said.text() == nullptr)
            throw GameFileError("error.not_text",
                                {{"what", text("'", key, "'")}, {"given", shown(said)}});
        texts[key] = {text("'", key, "'"), said.is_null() ? U"" : utf32(*said.text())};
    }
    const Position start = json_start(content);
    const bool pop = start.rules().pop;
    return assemble(start, texts, json_moves(texts["moves"], content.get("stamps_s"), pop),
                    json_moves(texts["undone"], content.get("undone_stamps_s"), pop));
}

// ---- Anything that can be read -------------------------------------------------------------------

/// The columns of a text such as `d1 d2 c1`, which names where discs land; nothing if it is none. On
/// boards where letters are names of columns, a text whose rows do not fit is none.
std::optional<std::u32string> moves_of_squares(Characters given, int width) {
    std::u32string spaced(given);
    for (char32_t& each : spaced)
        if (each == U',' || each == U';') each = U' ';
    std::array<int, 26> heights{};
    std::u32string moves;
    const char last = static_cast<char>('a' + width - 1);
    for (const Characters word : words_of(spaced)) {
        Characters square = word;
        // A number such as `12.` or `12...` before it.
        const std::size_t digits = std::min(word.find_first_not_of(U"0123456789"), word.size());
        if (digits > 0) {
            const std::size_t dots = std::min(word.find_first_not_of(U'.', digits), word.size());
            if (digits > 3 || dots == digits) return std::nullopt;
            square.remove_prefix(dots);
            if (square.empty()) continue;
        }
        const auto row = square.empty() ? std::nullopt : number_of(square.substr(1), 2);
        if (!row || !is_letter(square[0])) return std::nullopt;
        const char letter = static_cast<char>(lower(square[0]));
        if (letter > last && width <= 9)
            throw GameFileError("error.square_off_board",
                                {{"name", quoted(word)}, {"last", std::string(1, last)}});
        const int lands = ++heights[static_cast<std::size_t>(letter - 'a')];
        moves += static_cast<char32_t>(column_name(letter - 'a'));
        if (*row == lands) continue;
        if (width > 9) return std::nullopt;
        throw GameFileError("error.lands_elsewhere",
                            {{"name", quoted(word)}, {"square", text(letter, lands)}});
    }
    return moves.empty() ? std::nullopt : std::optional(moves);
}

/// A part of an address, with its characters as they are meant.
std::u32string decoded(std::string_view part) {
    std::string bytes;
    for (std::size_t i = 0; i < part.size(); ++i) {
        static constexpr std::string_view digits = "0123456789abcdef";
        const auto digit = [&](std::size_t place) {
            return place < part.size()
                       ? digits.find(static_cast<char>(lower(static_cast<unsigned char>(part[place]))))
                       : std::string_view::npos;
        };
        const bool is_code = part[i] == '%' && digit(i + 1) < 16 && digit(i + 2) < 16;
        if (is_code) {
            bytes += static_cast<char>(digit(i + 1) * 16 + digit(i + 2));
            i += 2;
        } else {
            bytes += part[i] == '+' ? ' ' : part[i];
        }
    }
    return utf32(bytes);
}

bool is_address(Characters given) {
    return given.starts_with(U"http://") || given.starts_with(U"https://");
}

/// The game of the address of a board: /board?start=...&moves=...&width=...&height=...
SavedGame from_address(Characters given) {
    const std::string address = utf8(given.substr(0, given.find(U'#')));
    std::map<std::string_view, std::u32string> said;
    const std::size_t question = std::min(address.find('?'), address.size());
    std::string_view query = std::string_view(address).substr(std::min(question + 1, address.size()));
    constexpr int most_fields = 10;
    const bool is_open =
        address.find('[') != std::string::npos && address.find(']') == std::string::npos;
    if (is_open || std::count(query.begin(), query.end(), '&') >= most_fields)
        throw GameFileError("error.not_address", {{"text", quoted(given)}});
    while (!query.empty()) {
        const std::string_view field = query.substr(0, query.find('&'));
        query.remove_prefix(std::min(field.size() + 1, query.size()));
        const std::size_t equals = std::min(field.find('='), field.size());
        for (const std::string_view name : {"moves", "start", "width", "height", "rules"})
            if (field.substr(0, equals) == name && equals + 1 < field.size())
                said.try_emplace(name, decoded(field.substr(equals + 1)));
    }
    if (said.empty()) throw GameFileError("error.address_empty", {{"text", quoted(given)}});
    const auto side = [&](std::string_view name, int usual) {
        const auto found = said.find(name);
        const auto number = found == said.end() ? usual : number_of(found->second, 2);
        if (!number) throw GameFileError("error.address_size", {{"text", quoted(given)}});
        return *number;
    };
    const int width = side("width", 7), height = side("height", 6);
    const std::u32string& rows = said["start"];
    return at(nullptr, [&] {
        SavedGame saved{Game(rows.empty() ? Position(width, height, Rules::parse(said["rules"]))
                                          : parse_rows(rows))};
        for (const Step& step : play_steps(saved.game.start(), said["moves"]))
            saved.game.play({step.column});
        return saved;
    });
}

// ---- Questions -----------------------------------------------------------------------------------

Value read_game(const Value& request, const Context&) {
    const std::u32string given = utf32(request.at("text").text("text"));
    const auto side = [&](const char* name, int usual) {
        const Value& said = request.get(name);
        return said.is_null() ? usual : static_cast<int>(said.integer(name, 0, 999));
    };
    const int width = side("width", 7), height = side("height", 6);
    const Value& kind = request.get("as");
    if (kind == Value("text")) return value_of(from_text(given, width, height));
    if (kind == Value("json")) return value_of(from_json(given));
    return value_of(recognize(given, width, height));
}

Value write_game(const Value& request, const Context&) {
    const SavedGame saved = saved_game_from(request.at("game"));
    return request.get("as") == Value("json") ? to_json(saved) : to_text(saved);
}

Value write_outcome(const Value& request, const Context&) { return to_text(outcome_from(request)); }

Value read_outcome(const Value& request, const Context&) {
    return value_of(parse_outcome(request.text("an outcome")));
}

Value stamps_of(const std::vector<Move>& moves) {
    return array_of(moves, [](const Move& move) { return Value(move.stamp_s); });
}

std::string names_of(const Position& start, const std::vector<Move>& moves) {
    std::string names;
    for (const Move& move : moves) names += start.move_name(move.column);
    return names;
}

}  // namespace

SavedGame from_text(Characters given, int width, int height) {
    check_length(given);
    Texts headers;
    std::vector<WrittenMove> moves;
    const auto is_popout = [&headers] {
        const auto rules = headers.find("rules");
        return rules != headers.end() && rules->second.what.find(U"pop") != Characters::npos;
    };
    bool in_diagram = false;  // below `Start:`, up to an empty line or a header
    int number = 0;
    for (const Characters line : lines_of(given)) {
        const Value where = Error("error.line", {{"line", ++number}}).said();
        const auto header = header_of(line);
        if (stripped(line).starts_with(U'#')) continue;
        if (in_diagram && !header && !stripped(line).empty()) {
            headers["start"].what += U'\n';
            headers["start"].what += line;
            continue;
        }
        in_diagram = false;
        at(where, [&] {
            if (!header) return add_moves(moves, line, where, is_popout());
            const std::string_view name = known_name(header->first, header_names);
            if (headers.contains(name) || !moves.empty())
                throw GameFileError("error.header_twice", {{"name", name}});
            headers[name] = {where, std::u32string(stripped(header->second))};
            in_diagram = name == "start";
        });
    }
    std::vector<WrittenMove> undone;
    if (const auto found = headers.find("undone"); found != headers.end())
        at(found->second.where,
           [&] { add_moves(undone, found->second.what, found->second.where, is_popout()); });
    return assemble(start_of(headers, width, height), headers, moves, undone);
}

SavedGame from_json(Characters given) {
    check_length(given);
    return at("JSON", [&] { return from_json_content(Value::from_json(utf8(given))); });
}

SavedGame recognize(Characters given, int width, int height) {
    check_length(given);
    if (given.starts_with(U'\ufeff')) given.remove_prefix(1);
    if (is_address(stripped(given))) return from_address(stripped(given));
    std::u32string bare;
    bool has_header = false;
    for (const Characters line : lines_of(given)) {
        if (!bare.empty()) bare += U'\n';
        bare += uncommented(line);
        has_header = has_header || header_of(uncommented(line)).has_value();
    }
    const Characters content = stripped(bare);
    if (content.empty()) throw GameFileError("error.nothing_to_read");
    if (content.starts_with(U'{')) {
        return at("JSON", [&] {
            const Value json = Value::from_json(utf8(given));
            return json.has("grid") ? SavedGame{Game(position_from_json(json))}
                                    : from_json_content(json);
        });
    }
    if (has_header) return from_text(given, width, height);
    if (const auto moves = moves_of_squares(bare, width)) return from_text(*moves, width, height);
    if (looks_like_diagram(bare))
        return at("diagram", [&] { return SavedGame{Game(parse_rows(bare))}; }, "error.read_as_diagram");
    if (!std::any_of(bare.begin(), bare.end(), is_digit))
        throw GameFileError("error.not_a_game", {{"text", quoted(stripped(given))}});
    std::u32string plain(given);
    std::replace(plain.begin(), plain.end(), U',', U' ');
    return from_text(plain, width, height);
}

std::string to_text(const SavedGame& saved) {
    const Game& game = saved.game;
    std::string result;
    const auto header = [&](const char* name, const std::string& said) {
        if (!said.empty()) result += text(name, said.starts_with('\n') ? ":" : ": ", said, "\n");
    };
    header("Format", std::string(format));
    header("First", saved.first);
    header("Second", saved.second);
    const Position& start = game.start();
    if (start.ply() == 0) {
        header("Board", text(start.width(), "x", start.height()));
    } else {
        std::string diagram;
        const std::u32string rows = utf32(start.diagram());
        for (const Characters row : lines_of(rows)) diagram += text("\n  ", utf8(row));
        header("Start", diagram);
    }
    if (const std::string rows = start.rows(); rows.find(':') != rows.npos)
        header("Rules", rows.substr(rows.find(':') + 1));
    header("Started", saved.started);
    if (const auto outcome = game.result()) header("Result", to_text(*outcome));
    std::string undone;
    for (const Move& move : game.undone())
        undone += text(undone.empty() ? "" : " ", written(start, move));
    header("Undone", undone);
    const auto& moves = game.moves();
    for (std::size_t i = 0; i < moves.size(); ++i) {
        const auto number = [&] { return text(i == 0 ? "\n" : "", i / 2 + 1, ". "); };
        const bool ends_line = i % 2 == 1 || i + 1 == moves.size();
        result += text(i % 2 == 0 ? number() : " ", written(start, moves[i]), ends_line ? "\n" : "");
    }
    return result;
}

std::string to_json(const SavedGame& saved) {
    const Game& game = saved.game;
    const Position& start = game.start();
    const auto outcome = game.result();
    Value json = object({{"format", format},
                         {"first", saved.first},
                         {"second", saved.second},
                         {"width", start.width()},
                         {"height", start.height()},
                         {"start", start.ply() == 0 ? Value() : position_json(start)},
                         {"started", saved.started},
                         {"moves", names_of(start, game.moves())},
                         {"stamps_s", stamps_of(game.moves())},
                         {"undone", names_of(start, game.undone())},
                         {"undone_stamps_s", stamps_of(game.undone())},
                         {"result", outcome ? to_text(*outcome) : ""}});
    if (!start.rules().is_standard()) json.add("rules", start.rules().text());
    return json.json() + "\n";
}

Value value_of(const SavedGame& saved) {
    const Game& game = saved.game;
    const Position& start = game.start();
    return object({{"first", saved.first},
                   {"second", saved.second},
                   {"start", start.ply() == 0 ? "" : start.rows()},
                   {"rules", start.rules().text()},
                   {"width", start.width()},
                   {"height", start.height()},
                   {"started", saved.started},
                   {"moves", names_of(start, game.moves())},
                   {"stamps_s", stamps_of(game.moves())},
                   {"undone", names_of(start, game.undone())},
                   {"undone_stamps_s", stamps_of(game.undone())},
                   {"result", value_of(game.result())}});
}

SavedGame saved_game_from(const Value& value) {
    const auto said = [&](const char* name) {
        const Value& found = value.get(name);
        return found.is_null() ? std::u32string() : utf32(found.text(name));
    };
    const auto side = [&](const char* name) {
        return static_cast<int>(value.at(name).integer(name, 0, max_bits));
    };
    const std::u32string rows = said("start");
    const Position start = rows.empty()
                               ? Position(side("width"), side("height"), Rules::parse(said("rules")))
                               : Position::from_rows(rows);
    Texts texts;
    for (const char* const name : {"first", "second", "started"}) texts[name] = {name, said(name)};
    SavedGame saved = assemble(
        start, texts, json_moves({"'moves'", said("moves")}, value.get("stamps_s"), start.rules().pop),
        json_moves({"'undone'", said("undone")}, value.get("undone_stamps_s"), start.rules().pop));
    if (!value.get("result").is_null()) saved.game.end(outcome_from(value.get("result")));
    return saved;
}

std::span<const Question> game_file_questions() {
    static constexpr std::array<Question, 4> questions{{{"game.read", read_game},
                                                        {"game.write", write_game},
                                                        {"outcome.read", read_outcome},
                                                        {"outcome.write", write_outcome}}};
    return questions;
}

}  // namespace fourcast::study
