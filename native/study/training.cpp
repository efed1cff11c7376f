#include "training.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <set>
#include <tuple>

#include "collection.hpp"
#include "moment.hpp"
#include "solver/said.hpp"
#include "system/text.hpp"

namespace fourcast::study {
namespace {

constexpr std::string_view history_heading = R"({"format":"fourcast training 1"})";
constexpr long long day_ms = 86'400'000;
constexpr std::array intervals{1, 3, 7, 16, 35, 90};  // days that a card rests in each box
constexpr int same_position = 2;        // passes until a card asks another puzzle of its theme
constexpr std::size_t most_alike = 20;  // puzzles that it may ask then
constexpr int fewest_of_a_theme = 3;    // attempts that it takes to say something about a theme
constexpr int most_hints = 1000;
constexpr int most_steps = 100;  // of a lesson
constexpr std::size_t longest_id = 40;
constexpr double per_deviation = 1.96;  // of the half width of a 95% interval

/// The time of an entry, in milliseconds since 1970.
long long time_of(const Value& entry) {
    using namespace std::chrono;
    const auto time = moment_from(utf32(entry.at("when").text("when")));
    return floor<milliseconds>(time).time_since_epoch().count();
}

std::string time_text(long long ms) {
    return utc_text(Microseconds(std::chrono::milliseconds(ms))) + "+00:00";
}

Answered attempt_from(const Value& value) {
    const Value& card = value.get("card");
    Answered each{.when = time_of(value),
                  .solved = value.at("solved").truth("solved"),
                  .hints = static_cast<int>(value.at("hints").integer("hints", 0, most_hints)),
                  .card = std::nullopt,
                  .puzzle = puzzle_from(value.at("puzzle")),
                  .id = {}};
    if (!card.is_null()) each.card = card.text("card");
    if (each.card && each.card->size() > longest_id)
        throw OptionError("error.cannot_be", {{"what", "card"}, {"given", *each.card}});
    each.id = each.puzzle.id();
    return each;
}

std::string attempt_line(const Answered& each) {
    return object({{"when", time_text(each.when)},
                   {"solved", each.solved},
                   {"hints", each.hints},
                   {"card", each.card},
                   {"puzzle", puzzle_value(each.puzzle)}})
        .json();
}

Learned learned_from(const Value& value) {
    const Value& lesson = value.get("lesson");
    Learned each{.when = time_of(value), .lesson = std::nullopt};
    if (lesson.is_null()) return each;
    each.lesson = lesson.text("lesson");
    each.step = static_cast<int>(value.at("step").integer("step", 1, most_steps));
    if (each.lesson->size() > longest_id)
        throw OptionError("error.cannot_be", {{"what", "lesson"}, {"given", *each.lesson}});
    return each;
}

std::string learned_line(const Learned& each) {
    Value line = object({{"when", time_text(each.when)}, {"lesson", each.lesson}});
    if (each.lesson) line.add("step", each.step);
    return line.json();
}

/// The objects of a file, line by line. A last line that is incomplete, or that a crash has filled with
/// something else, is left out.
Value::Array lines_of(std::string_view text) {
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        if (end == std::string_view::npos && !lines.empty()) break;
        lines.push_back(text.substr(0, end));
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
    Value::Array entries;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        try {
            entries.push_back(Value::from_json(lines[i]));
            entries.back().object("a line of a history");
        } catch (const Error& error) {
            if (i == 0 || i + 1 != lines.size()) throw UnreadableLine{i + 1, error.said()};
            entries.resize(i);
        }
    }
    if (!entries.empty()) {
        if (entries[0].json() != history_heading) throw UnreadableLine{1, Error("error.history").said()};
        entries.erase(entries.begin());
    }
    return entries;
}

std::vector<Skill> skills_of(const std::vector<Answered>& answered) {
    std::vector<Skill> skills{Skill()};
    for (const Answered& each : answered) {
        if (!each.is_rated()) continue;
        const RatedResult result{static_cast<double>(each.puzzle.rating),
                                 each.puzzle.error / per_deviation, each.solved ? 1.0 : 0.0};
        skills.push_back(updated(skills.back(), {&result, 1}));
    }
    return skills;
}

/// How hard the next puzzle should be: as strong as somebody is for certain, so that the first are easy.
double level_of(const Skill& skill) { return skill.rating - skill.deviation; }

/// How many puzzles were solved in a row, without hints, up to the last one.
auto streak_of(const std::vector<Answered>& answered) {
    return std::find_if(answered.rbegin(), answered.rend(),
                        [](const Answered& each) { return !each.is_passed(); }) -
           answered.rbegin();
}

struct ThemeRecord {
    std::string theme;
    int tried = 0;
    int solved = 0;
};

/// Of the themes tried often enough to tell, the weakest first.
std::vector<ThemeRecord> theme_records(const std::vector<Answered>& answered) {
    std::map<std::string, ThemeRecord> records;
    for (const Answered& each : answered)
        for (const std::string& theme : each.puzzle.themes) {
            ThemeRecord& record = records[theme];
            record.theme = theme;
            ++record.tried;
            record.solved += each.is_passed() ? 1 : 0;
        }
    std::vector<ThemeRecord> found;
    for (const auto& [theme, record] : records)
        if (record.tried >= fewest_of_a_theme) found.push_back(record);
    std::ranges::stable_sort(found, {}, [](const ThemeRecord& record) {
        return std::pair(static_cast<double>(record.solved) / record.tried, -record.tried);
    });
    return found;
}

Value card_value(const Card& card, const std::vector<Answered>& answered) {
    return object({{"id", card.name},
                   {"attempt", card.attempt},
                   {"puzzle", puzzle_value(answered[card.attempt].puzzle)},
                   {"due", card.due},
                   {"box", card.box},
                   {"is_known", card.is_known()}});
}

Value unreadable(const UnreadableLine& found) {
    return object({{"line", found.line}, {"problem", found.problem}});
}

/// All that follows from attempts at the time "now", in milliseconds since 1970; {"line", "problem"} if
/// one of them cannot be read.
Value training(const Value& request, const Context&) try {
    const auto [answered, learned] = history_from(request);
    const auto now = request.at("now").integer("now", -(1LL << 52), 1LL << 52);
    const auto cards = cards_of(answered);
    long long next = 0;
    std::set<std::string> seen, tried;
    for (const Answered& each : answered) {
        seen.insert(each.name());
        tried.insert(each.id);
    }
    for (const Card& card : cards)
        if (!card.is_known() && (next == 0 || card.due < next)) next = card.due;
    const auto written = [&](const Card& card) { return card_value(card, answered); };
    return object({{"answered", array_of(answered,
                                         [](const Answered& each) {
                                             return object({{"when", each.when},
                                                            {"solved", each.solved},
                                                            {"hints", each.hints},
                                                            {"card", each.card},
                                                            {"puzzle", puzzle_value(each.puzzle)}});
                                         })},
                   {"learned", array_of(learned,
                                        [](const Learned& each) {
                                            return object({{"when", each.when},
                                                           {"lesson", each.lesson},
                                                           {"step", each.step}});
                                        })},
                   {"strengths", array_of(skills_of(answered), skill_value)},
                   {"error", per_deviation * skills_of(answered).back().deviation},
                   {"level", level_of(skills_of(answered).back())},
                   {"streak", streak_of(answered)},
                   {"cards", array_of(cards, written)},
                   {"due", array_of(due_cards(answered, now), written)},
                   {"intervals", std::vector<int>(intervals.begin(), intervals.end())},
                   {"next_due", next == 0 ? Value() : Value(next)},
                   {"themes", array_of(theme_records(answered),
                                       [](const ThemeRecord& record) {
                                           return object({{"theme", record.theme},
                                                          {"tried", record.tried},
                                                          {"solved", record.solved}});
                                       })},
                   {"seen", Value::Array(seen.begin(), seen.end())},
                   {"tried", Value::Array(tried.begin(), tried.end())}});
} catch (const UnreadableLine& found) {
    return unreadable(found);
}

/// The file "text" with the lines of another one, "other", that are not in it yet, and their number.
Value merge(const Value& request, const Context&) try {
    std::vector<std::pair<long long, std::string>> lines;
    std::set<std::string> known;
    const auto add = [&](const History& history, bool is_own) {
        const auto add_line = [&](long long when, const std::string& line) {
            if (known.insert(line).second || is_own) lines.emplace_back(when, line);
        };
        for (const Answered& each : history.answered) add_line(each.when, attempt_line(each));
        for (const Learned& each : history.learned) add_line(each.when, learned_line(each));
    };
    add(history_from(request), true);
    const std::size_t before = lines.size();
    add(history_from(object({{"text", request.at("other")}})), false);
    const std::size_t added = lines.size() - before;
    std::ranges::stable_sort(lines, {}, &std::pair<long long, std::string>::first);
    std::string text(history_heading);
    for (const auto& [when, line] : lines) text += '\n' + line;
    return object({{"text", text + '\n'}, {"added", added}});
} catch (const UnreadableLine& found) {
    return unreadable(found);
}

/// How somebody does with the puzzles of the days up to "day", of the collection "puzzles": whether this
/// day's is solved (null if it was not tried), how many days in a row were, and a text to share.
Value daily_record(const Value& request, const Context&) try {
    const auto answered = history_from(request).answered;
    const Collection collection(request.at("puzzles").text("puzzles"));
    const DailyPuzzles puzzles(collection);
    const long long today = day_in(request);
    const auto solved_on = [&](long long day) {
        const std::string id = puzzles.of(day).id();
        const auto first = std::ranges::find_if(
            answered, [&](const Answered& each) { return each.id == id && each.when / day_ms == day; });
        return first == answered.end() ? std::nullopt : std::optional(first->is_passed());
    };
    const std::optional<bool> solved = solved_on(today);
    int streak = solved.value_or(false) ? 1 : 0;
    if (solved.value_or(true))
        for (long long day = today - 1; solved_on(day).value_or(false); --day) ++streak;
    Value share;
    if (solved)
        share = say(*solved ? "puzzle.share_solved" : "puzzle.share_failed",
                    {{"date", time_text(today * day_ms).substr(0, 10)},
                     {"rating", puzzles.of(today).rating},
                     {"count", streak}});
    return object({{"solved", solved ? Value(*solved) : Value()}, {"streak", streak}, {"share", share}});
} catch (const UnreadableLine& found) {
    return unreadable(found);
}

/// What a card asks: its puzzle or the mirror image, after some passes another one of its theme in the
/// collection "text" (null if there is none for that board). "chances" are two numbers from 0 to 1.
Value card_question(const Value& request, const Context&) {
    const auto& chances = request.at("chances").array("chances");
    if (chances.size() != 2)
        throw OptionError("error.cannot_be",
                          {{"what", "chances"}, {"given", request.at("chances").json()}});
    const auto chance = [&](std::size_t which) { return chances[which].number("chances"); };
    Puzzle asked = puzzle_from(request.at("puzzle"));
    const Value& text = request.at("text");
    const bool is_later = request.at("box").integer("box", 0, 1000) >= same_position;
    if (is_later && !asked.themes.empty() && !text.is_null() && theme_letter(asked.themes[0])) {
        const auto others = Collection(text.text("text")).alike(asked, asked.themes[0], most_alike);
        const auto place = static_cast<std::size_t>(chance(0) * static_cast<double>(others.size()));
        if (place < others.size()) asked = others[place];
    }
    return puzzle_value(chance(1) < 0.5 ? asked.mirrored() : asked);
}

}  // namespace

bool Card::is_known() const { return box >= static_cast<int>(intervals.size()); }

std::vector<Card> cards_of(const std::vector<Answered>& answered) {
    std::vector<Card> cards;
    for (std::size_t i = 0; i < answered.size(); ++i) {
        const Answered& each = answered[i];
        const auto card = std::ranges::find(cards, each.name(), &Card::name);
        const auto due_after = [&](std::size_t box) {
            return each.when + intervals[std::min(box, intervals.size() - 1)] * day_ms;
        };
        if (card == cards.end()) {
            if (!each.is_passed()) cards.push_back({each.name(), i, due_after(0)});
        } else if (!each.is_passed()) {
            card->box = 0;
            card->due = due_after(0);
        } else if (each.when >= card->due && !card->is_known()) {
            card->due = due_after(static_cast<std::size_t>(++card->box));
        }
    }
    return cards;
}

std::vector<Card> due_cards(const std::vector<Answered>& answered, long long now) {
    auto cards = cards_of(answered);
    std::erase_if(cards, [&](const Card& card) { return card.is_known() || card.due > now; });
    std::ranges::stable_sort(
        cards, {}, [&](const Card& card) { return std::pair(card.due, answered[card.attempt].id); });
    return cards;
}

History history_from(const Value& request) {
    const Value& given = request.get("answered");
    const Value::Array entries =
        given.is_null() ? lines_of(request.at("text").text("text")) : given.array("answered");
    History history;
    for (std::size_t i = 0; i < entries.size(); ++i) {
        try {
            if (entries[i].has("lesson"))
                history.learned.push_back(learned_from(entries[i]));
            else
                history.answered.push_back(attempt_from(entries[i]));
        } catch (const Error& error) {
            throw UnreadableLine{i + 2, error.said()};
        }
    }
    std::ranges::stable_sort(history.answered, {}, &Answered::when);
    std::ranges::stable_sort(history.learned, {}, &Learned::when);
    return history;
}

std::span<const Question> training_questions() {
    static constexpr Question questions[] = {{"training", training},
                                             {"training.merge", merge},
                                             {"daily.record", daily_record},
                                             {"card.question", card_question}};
    return questions;
}

}  // namespace fourcast::study
