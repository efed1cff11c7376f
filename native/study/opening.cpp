#include "opening.hpp"

#include <cstdlib>
#include <vector>

#include "board/moves_text.hpp"
#include "board/position_value.hpp"
#include "solver/said.hpp"
#include "system/text.hpp"

namespace fourcast::study {
namespace {

/// Twice the distance from the middle; boards of even width have two central columns.
int distance(int width, int column) { return std::abs(2 * column - (width - 1)); }

const char* first_disc(int width, int column) {
    const int away = distance(width, column);
    if (away <= 1) return "opening.center";
    if (away <= 3) return "opening.beside";
    return away == width - 1 ? "opening.edge" : "opening.wing";
}

Value with_reply(const Value& first, int width, int column, int reply) {
    if (reply == column) return say("opening.on_top", {{"first", first}});
    if (reply == width - 1 - column) return say("opening.mirror", {{"first", first}});
    if (std::abs(reply - column) == 1) return say("opening.next", {{"first", first}});
    return say("opening.reply", {{"first", first}, {"column", said_column(reply)}});
}

Value ask_opening(const Value& request, const Context&) {
    const Position start = position_from(request);
    std::vector<int> columns;
    for (const auto& step : play_steps(start, utf32(request.at("game").text("game"))))
        columns.push_back(step.column);
    return said_opening(start, columns);
}

}  // namespace

Value said_opening(const Position& start, std::span<const int> columns) {
    if (start.ply() != 0 || columns.empty() || !start.rules().is_standard()) return nullptr;
    const int width = start.width();
    const Value first = say(first_disc(width, columns[0]));
    return say(
        "opening.said",
        {{"name", columns.size() < 2 ? first : with_reply(first, width, columns[0], columns[1])}});
}

std::span<const Question> opening_questions() {
    static constexpr Question questions[] = {{"opening", ask_opening}};
    return questions;
}

}  // namespace fourcast::study
