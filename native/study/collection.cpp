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
constexpr int day_step = 7919;      // lines from one day to the next
constexpr int first_day = 719'163;  // 1970-01-01, counted from the first day of year 1

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

int rating_of(std::string_view line) {
    for (int part = 0; part < 4; ++part) line.remove_prefix(std::min(line.find(' ') + 1, line.size()));
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

/// Puzzles about as hard as "rating", the nearest first; none with an id of "without" if there are
/// others.
std::vector<Puzzle> nearest(const Value& request) {
    const Collection collection = collection_in(request);
    auto lines = collection.lines_of(theme_in(request));
    const std::size_t most = std::max<std::size_t>(10, lines.size() / 50);
    sort_by_distance(lines, request.at("rating").number("rating"));
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

Value near(const Value& request, const Context&) { return puzzles_value(nearest(request)); }

/// One of them by "chance", from 0 to 1; null if no puzzle has the theme.
Value pick(const Value& request, const Context&) {
    const std::vector<Puzzle> found = nearest(request);
    if (found.empty()) return nullptr;
    const double chance = std::clamp(request.at("chance").number("chance"), 0.0, 1.0);
    const auto place = static_cast<std::size_t>(chance * static_cast<double>(found.size()));
    return puzzle_value(found[std::min(place, found.size() - 1)]);
}

/// The puzzle of a day, counted from 1970-01-01: none comes again before all have come.
Value daily(const Value& request, const Context&) {
    const Collection collection = collection_in(request);
    const auto count = static_cast<long long>(collection.lines().size());
    if (count == 0) throw OptionError("error.no_puzzles");
    long long step = day_step;
    while (std::gcd(step, count) > 1) ++step;
    const long long day = request.at("day").integer("day", -first_day, 10'000'000) + first_day;
    return puzzle_value(
        collection.puzzle(collection.lines()[static_cast<std::size_t>(day * step % count)]));
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

std::span<const Question> collection_questions() {
    static constexpr Question questions[] = {{"puzzles.header", header}, {"puzzles.read", read_file},
                                             {"puzzles.select", select}, {"puzzles.near", near},
                                             {"puzzles.pick", pick},     {"puzzles.daily", daily},
                                             {"puzzles.find", find}};
    return questions;
}

}  // namespace fourcast::study
