#include "puzzle.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include "board/moves_text.hpp"
#include "digest.hpp"
#include "solver/said.hpp"
#include "system/text.hpp"

namespace fourcast::study {
namespace {

constexpr int most_rating = 1'000'000;
constexpr std::size_t most_themes = 40;
constexpr std::size_t longest_theme = 40;

/// A name with its letter in files.
struct Named {
    std::string_view name;
    char letter;
};
constexpr std::array<Named, 5> goals{
    {{"win", 'w'}, {"keep win", 'k'}, {"keep draw", 'd'}, {"better", 'b'}, {"break", 'x'}}};
constexpr std::array<Named, 3> endings{{{"four", '4'}, {"plan", 'p'}, {"choice", 'c'}}};
constexpr std::array<Named, 15> themes{{{"double threat", 'd'},
                                        {"stacked threats", 's'},
                                        {"forcing line", 'f'},
                                        {"odd threat", 'o'},
                                        {"even threat", 'e'},
                                        {"do not play below", 'b'},
                                        {"defuse", 'u'},
                                        {"sacrifice", 'c'},
                                        {"block with tempo", 't'},
                                        {"quiet move", 'q'},
                                        {"zugzwang", 'z'},
                                        {"only-move draw", 'w'},
                                        {"opening trap", 'p'},
                                        {"key square", 'k'},
                                        {"break the plan", 'x'}}};

template <class Table, class Wanted, class Member>
std::size_t place_in(const Table& table, const Wanted& wanted, Member member, std::string_view what) {
    const auto found = std::ranges::find(table, wanted, member);
    if (found == table.end())
        throw OptionError("error.puzzle_name", {{"what", what}, {"name", text(wanted)}});
    return static_cast<std::size_t>(found - table.begin());
}

std::string moves_text(const std::vector<int>& columns) {
    std::string moves;
    for (const int column : columns) moves += column_name(column);
    return moves;
}

int mirrored_column(int column, int width) { return width - 1 - column; }

int number_from(std::string_view digits) {
    int number = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (error != std::errc() || end != digits.data() + digits.size())
        throw OptionError("error.no_number", {{"given", digits}});
    return number;
}

/// What is asked for, as a sentence.
Value said_task(const Puzzle& puzzle) {
    const Value who = said_player(puzzle.player());
    const int count = puzzle.moves_to_find();
    switch (puzzle.goal) {
        case PuzzleGoal::win:
            return say("puzzle.ask_win", {{"who", who}, {"count", count}});
        case PuzzleGoal::keep_win:
            return say("puzzle.ask_keep_win", {{"who", who}, {"count", count}});
        case PuzzleGoal::keep_draw:
            return say("puzzle.ask_keep_draw", {{"who", who}, {"count", count}});
        case PuzzleGoal::break_plan:
            return say("puzzle.ask_break", {{"who", who}, {"other", said_player(3 - puzzle.player())}});
        case PuzzleGoal::better:
            break;
    }
    if (!puzzle.tempting) return say("puzzle.ask_better", {{"who", who}});
    return say("puzzle.ask_better_than", {{"who", who}, {"column", said_column(*puzzle.tempting)}});
}

/// What there is to say where the solution ends; null if it is nothing.
Value said_end(const Puzzle& puzzle) {
    if (puzzle.ending == PuzzleEnding::plan)
        return say("puzzle.end_plan", {{"who", said_player(puzzle.player())}});
    const bool goes_on = puzzle.ending == PuzzleEnding::choice && puzzle.keeps();
    return goes_on ? say("puzzle.end_choice") : Value();
}

/// All that is known of a puzzle.
Value describe(const Value& request, const Context&) {
    const Puzzle puzzle = puzzle_from(request);
    return object({{"puzzle", puzzle_value(puzzle)},
                   {"player", puzzle.player()},
                   {"moves_to_find", puzzle.moves_to_find()},
                   {"task", said_task(puzzle)},
                   {"end", said_end(puzzle)},
                   {"mirrored", puzzle_value(puzzle.mirrored())}});
}

Value parse(const Value& request, const Context&) {
    const auto side = [&](const char* name) {
        return static_cast<int>(request.at(name).integer(name, 0, max_bits));
    };
    return puzzle_value(
        puzzle_from_line(request.at("line").text("line"), side("width"), side("height")));
}

Value format_line(const Value& request, const Context&) { return puzzle_line(puzzle_from(request)); }

Value list_themes(const Value&, const Context&) {
    return array_of(themes, [](const Named& theme) {
        return object({{"name", theme.name}, {"letter", std::string(1, theme.letter)}});
    });
}

}  // namespace

PuzzleGoal goal_from(const Value& name) {
    return static_cast<PuzzleGoal>(place_in(goals, name.text("goal"), &Named::name, "goal"));
}

void Puzzle::validate() const {
    Position here = position();
    const Position start = here;
    for (const int column : solution) here = here.play(column);
    if (start.is_over() || solution.size() % 2 == 0) throw OptionError("error.puzzle_open");
    if (tempting && (*tempting == solution[0] || !start.can_play(*tempting)))
        throw OptionError("error.puzzle_tempting",
                          {{"column", said_column(*tempting)}, {"moves", moves}});
}

Position Puzzle::position() const { return play_text(Position(width, height), utf32(moves)); }

std::string Puzzle::id() const {
    constexpr std::string_view letters = "abcdefghijkmnpqrstuvwxyz23456789";
    const std::string name = text(width, "x", height, " ", decimal(position().canonical_key()));
    const auto words = digest(name);
    const u64 number = u64{words[0]} << 8 | words[1] >> 24;  // 40 bits, five for a letter
    std::string id;
    for (int i = 0; i < 8; ++i) id += letters[number >> 5 * i & 31];
    return id;
}

Puzzle Puzzle::mirrored() const {
    Puzzle image = *this;
    for (char& character : image.moves)
        character = column_name(
            mirrored_column(column_of_character(static_cast<unsigned char>(character)), width));
    for (int& column : image.solution) column = mirrored_column(column, width);
    if (tempting) image.tempting = mirrored_column(*tempting, width);
    return image;
}

Puzzle puzzle_from(const Value& value) {
    try {
        const auto integer = [&](const char* name, int low, int high) {
            return static_cast<int>(value.at(name).integer(name, low, high));
        };
        Puzzle puzzle{.moves = value.at("moves").text("moves"),
                      .goal = goal_from(value.at("goal")),
                      .solution = value.at("solution").integers("solution", 0, max_bits),
                      .ending = static_cast<PuzzleEnding>(
                          place_in(endings, value.at("ending").text("ending"), &Named::name, "ending")),
                      .rating = integer("rating", -most_rating, most_rating),
                      .error = integer("error", 0, most_rating),
                      .width = integer("width", 0, max_bits),
                      .height = integer("height", 0, max_bits)};
        if (!value.get("tempting").is_null()) puzzle.tempting = integer("tempting", 0, max_bits);
        for (const Value& theme : value.at("themes").array("themes")) {
            puzzle.themes.push_back(theme.text("a theme"));
            if (puzzle.themes.size() > most_themes || puzzle.themes.back().size() > longest_theme)
                throw OptionError("error.puzzle_themes");
        }
        puzzle.validate();
        return puzzle;
    } catch (const Error& error) {
        throw OptionError("error.puzzle", {{"why", error.said()}});
    }
}

Value puzzle_value(const Puzzle& puzzle) {
    return object({{"id", puzzle.id()},
                   {"width", puzzle.width},
                   {"height", puzzle.height},
                   {"moves", puzzle.moves},
                   {"goal", goals[static_cast<std::size_t>(puzzle.goal)].name},
                   {"solution", puzzle.solution},
                   {"ending", endings[static_cast<std::size_t>(puzzle.ending)].name},
                   {"tempting", puzzle.tempting},
                   {"rating", puzzle.rating},
                   {"error", puzzle.error},
                   {"themes", puzzle.themes}});
}

Puzzle puzzle_from_line(std::string_view line, int width, int height) {
    try {
        std::vector<std::string_view> parts;
        for (std::size_t from = 0; from <= line.size();) {
            const std::size_t end = std::min(line.find(' ', from), line.size());
            parts.push_back(line.substr(from, end - from));
            from = end + 1;
        }
        if (parts.size() != 7 || parts[1].size() != 2) throw OptionError("error.puzzle_parts");
        const auto columns = [&](std::string_view part) { return parse_moves(utf32(part), width); };
        Puzzle puzzle{
            .moves = std::string(parts[0]),
            .goal = static_cast<PuzzleGoal>(place_in(goals, parts[1][0], &Named::letter, "goal")),
            .solution = columns(parts[2]),
            .ending =
                static_cast<PuzzleEnding>(place_in(endings, parts[1][1], &Named::letter, "ending")),
            .rating = number_from(parts[4]),
            .error = number_from(parts[5]),
            .width = width,
            .height = height};
        if (parts[3] != "-") {
            const auto tempting = columns(parts[3]);
            if (tempting.size() != 1) throw OptionError("error.puzzle_parts");
            puzzle.tempting = tempting[0];
        }
        if (parts[6] != "-")
            for (const char letter : parts[6])
                puzzle.themes.emplace_back(
                    themes[place_in(themes, letter, &Named::letter, "theme")].name);
        puzzle.validate();
        return puzzle;
    } catch (const Error& error) {
        throw OptionError("error.puzzle_line", {{"line", quoted(utf32(line))}, {"why", error.said()}});
    }
}

std::string puzzle_line(const Puzzle& puzzle) {
    std::string letters;
    for (const std::string& theme : puzzle.themes)
        letters += themes[place_in(themes, theme, &Named::name, "theme")].letter;
    return text(puzzle.moves, " ", goals[static_cast<std::size_t>(puzzle.goal)].letter,
                endings[static_cast<std::size_t>(puzzle.ending)].letter, " ",
                moves_text(puzzle.solution), " ", puzzle.tempting ? moves_text({*puzzle.tempting}) : "-",
                " ", puzzle.rating, " ", puzzle.error, " ", letters.empty() ? "-" : letters);
}

std::optional<char> theme_letter(std::string_view name) {
    const auto found = std::ranges::find(themes, name, &Named::name);
    return found == themes.end() ? std::nullopt : std::optional(found->letter);
}

std::span<const Question> puzzle_questions() {
    static constexpr Question questions[] = {{"puzzle", describe},
                                             {"puzzle.parse", parse},
                                             {"puzzle.format", format_line},
                                             {"themes", list_themes}};
    return questions;
}

}  // namespace fourcast::study
