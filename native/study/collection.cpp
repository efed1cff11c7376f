#include "collection.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>
#include <set>
#include <string>

#include "system/errors.hpp"

namespace fourcast::study {
namespace {

constexpr std::string_view heading = "# fourcast puzzles 1 ";
constexpr long long week_step = 7919;  // puzzles of a weekday from one week to the next
constexpr int first_day = 719'162;     // 1970-01-01, counted from the first day of year 1, a Monday
constexpr int storm_rating = 200;      // of the first puzzle of a storm
constexpr int storm_step = 15;         // how much harder the next one is
constexpr std::size_t storm_solution =
    5;  // columns of its longest solution: three moves and two replies

std::vector<std::string_view> lines_in(std::string_view text) {
    if (text.ends_with('\n')) text.remove_suffix(1);
    std::vector<std::string_view> lines;
    for (std::size_t from = 0; from <= text.size();) {
        const std::size_t end = std::min(text.find('\n', from), text.size());
        lines.push_back(text.substr(from, end - from));
        from = end + 1;
    }
    return lines;
}

/// Takes a number of at most three digits from the beginning of a text; -1 if there is none.
int take_number(std::string_view& text) {
    int number = -1;
    const auto [end, error] =
        std::from_chars(text.data(), text.data() + std::min<std::size_t>(text.size(), 3), number);
    if (error != std::errc() || number < 0) return -1;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return number;
}

/// What stands in a line after this many spaces, up to the next one.
std::string_view part_of(std::string_view line, int number) {
    for (; number > 0; --number) line.remove_prefix(std::min(line.find(' ') + 1, line.size()));
    return line.substr(0, line.find(' '));
}

std::size_t solution_length(std::string_view line) { return part_of(line, 2).size(); }

int rating_of(std::string_view line) {
    line = part_of(line, 4);
    int rating = 0;
    std::from_chars(line.data(), line.data() + line.size(), rating);
    return rating;
}

/// The lines by how far their ratings are from this one; the order of those as far stays.
void sort_by_distance(std::vector<std::string_view>& lines, double rating) {
    std::ranges::stable_sort(lines, {},
                             [&](std::string_view line) { return std::abs(rating_of(line) - rating); });
}

Value puzzles_value(const std::vector<Puzzle>& puzzles) { return array_of(puzzles, puzzle_value); }

std::string_view theme_in(const Value& request) {
    const Value& theme = request.get("theme");
    return theme.is_null() ? std::string_view() : std::string_view(theme.text("theme"));
}

Collection collection_in(const Value& request) { return Collection(request.at("text").text("text")); }

Value header(const Value& request, const Context&) {
    const Collection collection = collection_in(request);
    return object({{"width", collection.width()},
                   {"height", collection.height()},
                   {"note", collection.note()},
                   {"count", collection.lines().size()}});
}

/// The puzzles of a file. The OptionError for a line that is none names it, the header being 1.
Value read_file(const Value& request, const Context&) {
    const Collection collection = collection_in(request);
    Value::Array puzzles;
    try {
        for (const std::string_view line : collection.lines())
            puzzles.push_back(puzzle_value(collection.puzzle(line)));
    } catch (const Error& error) {
        throw OptionError("error.in_line", {{"line", puzzles.size() + 2}, {"why", error.said()}});
    }
    return puzzles;
}

/// Those with a theme, and with ratings from "lowest" to "highest".
Value select(const Value& request, const Context&) {
    const Collection collection = collection_in(request);
    const Value &lowest = request.get("lowest"), &highest = request.get("highest");
    std::vector<Puzzle> found;
    for (const std::string_view line : collection.lines_of(theme_in(request)))
        if ((lowest.is_null() || rating_of(line) >= lowest.number("lowest")) &&
            (highest.is_null() || rating_of(line) <= highest.number("highest")))
            found.push_back(collection.puzzle(line));
    return puzzles_value(found);
}

/// Puzzles of these lines about as hard as a rating, the nearest first; none with an id of "without" if
/// there are others.
std::vector<Puzzle> nearest_in_rating(const Value& request, const Collection& collection,
                                      std::vector<std::string_view> lines, double rating) {
    const std::size_t most = std::max<std::size_t>(10, lines.size() / 50);
    sort_by_distance(lines, rating);
    std::set<std::string> without;
    for (const Value& id : request.at("without").array("without")) without.insert(id.text("an id"));
    std::vector<Puzzle> found, known;
    for (const std::string_view line : lines) {
        if (found.size() == most) break;
        Puzzle puzzle = collection.puzzle(line);
        if (!without.contains(puzzle.id()))
            found.push_back(std::move(puzzle));
        else if (known.size() < most)
            known.push_back(std::move(puzzle));
    }
    return found.empty() ? known : found;
}

/// Those of the theme, if there is one, about as hard as "rating".
std::vector<Puzzle> nearest_in_rating(const Value& request) {
    const Collection collection = collection_in(request);
    return nearest_in_rating(request, collection, collection.lines_of(theme_in(request)),
                             request.at("rating").number("rating"));
}

/// One of these by "chance", from 0 to 1; null if there is none.
Value picked(const Value& request, const std::vector<Puzzle>& found) {
    if (found.empty()) return nullptr;
    const double chance = std::clamp(request.at("chance").number("chance"), 0.0, 1.0);
    const auto place = static_cast<std::size_t>(chance * static_cast<double>(found.size()));
    return puzzle_value(found[std::min(place, found.size() - 1)]);
}

Value near(const Value& request, const Context&) { return puzzles_value(nearest_in_rating(request)); }

Value pick(const Value& request, const Context&) { return picked(request, nearest_in_rating(request)); }

/// The next puzzle of a storm: a quick win, harder with each that is "solved".
Value storm(const Value& request, const Context&) {
    const Collection collection = collection_in(request);
    auto lines = collection.lines();
    std::erase_if(lines, [](std::string_view line) {
        return !part_of(line, 1).starts_with('w') || solution_length(line) > storm_solution;
    });
    const auto solved = request.at("solved").integer("solved", 0, 10'000);
    return picked(request, nearest_in_rating(request, collection, lines,
                                             storm_rating + storm_step * static_cast<double>(solved)));
}

/// The puzzle of a day, counted from 1970-01-01.
Value daily(const Value& request, const Context&) {
    const Collection collection = collection_in(request);
    return puzzle_value(DailyPuzzles(collection).of(day_in(request)));
}

/// The puzzle with an id; null if there is none.
Value find(const Value& request, const Context&) {
    const Collection collection = collection_in(request);
    const std::string& id = request.at("id").text("id");
    for (const std::string_view line : collection.lines())
        if (const Puzzle puzzle = collection.puzzle(line); puzzle.id() == id)
            return puzzle_value(puzzle);
    return nullptr;
}

}  // namespace

Collection::Collection(std::string_view text) : lines_(lines_in(text)) {
    std::string_view header = lines_.front();
    if (header.starts_with(heading)) {
        header.remove_prefix(heading.size());
        width_ = take_number(header);
        if (header.starts_with('x')) {
            header.remove_prefix(1);
            height_ = take_number(header);
        }
    }
    if (width_ <= 0 || height_ <= 0 || (!header.empty() && header.front() != ' '))
        throw OptionError("error.in_line", {{"line", 1}, {"why", Error("error.puzzle_file").said()}});
    note_ = header.substr(std::min<std::size_t>(1, header.size()));
    lines_.erase(lines_.begin());
}

std::vector<std::string_view> Collection::lines_of(std::string_view theme) const {
    if (theme.empty()) return lines_;
    const auto letter = theme_letter(theme);
    if (!letter) throw OptionError("error.no_theme", {{"name", theme}});
    std::vector<std::string_view> found;
    std::ranges::copy_if(lines_, std::back_inserter(found), [&](std::string_view line) {
        return line.substr(line.rfind(' ') + 1).find(*letter) != std::string_view::npos;
    });
    return found;
}

std::vector<Puzzle> Collection::alike(const Puzzle& puzzle, std::string_view theme,
                                      std::size_t most) const {
    auto lines = lines_of(theme);
    sort_by_distance(lines, puzzle.rating);
    const std::string id = puzzle.id();
    std::vector<Puzzle> found;
    for (const std::string_view line : lines) {
        if (found.size() == most) break;
        if (Puzzle other = this->puzzle(line); other.id() != id) found.push_back(std::move(other));
    }
    return found;
}

DailyPuzzles::DailyPuzzles(const Collection& collection)
    : collection_(collection), lines_(collection.lines()) {
    std::erase_if(lines_, [](std::string_view line) { return solution_length(line) < 3; });
    if (lines_.size() < 7) throw OptionError("error.no_puzzles");
    std::ranges::stable_sort(lines_, {}, rating_of);
}

Puzzle DailyPuzzles::of(long long day) const {
    const long long number = day + first_day, week = number / 7, weekday = number % 7;
    const auto count = static_cast<long long>(lines_.size());
    const long long begin = count * weekday / 7, size = count * (weekday + 1) / 7 - begin;
    long long step = week_step;
    while (std::gcd(step, size) > 1) ++step;
    return collection_.puzzle(lines_[static_cast<std::size_t>(begin + week * step % size)]);
}

long long day_in(const Value& request) {
    return request.at("day").integer("day", -first_day, 10'000'000);
}

std::span<const Question> collection_questions() {
    static constexpr Question questions[] = {{"puzzles.header", header}, {"puzzles.read", read_file},
                                             {"puzzles.select", select}, {"puzzles.near", near},
                                             {"puzzles.pick", pick},     {"puzzles.storm", storm},
                                             {"puzzles.daily", daily},   {"puzzles.find", find}};
    return questions;
}

}  // namespace fourcast::study
