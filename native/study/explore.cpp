#include "explore.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "board/center.hpp"
#include "board/position_value.hpp"
#include "outcomes.hpp"
#include "solver/said.hpp"

namespace fourcast::study {
namespace {

constexpr int most_discs = 16;  // orders of the moves of fuller positions are not counted

struct ExploredMove {
    int column;
    int score;  // of the side that moves
    std::vector<int> replies;
    std::vector<int> keeping;  // the replies that keep what the opponent then has

    int traps() const { return static_cast<int>(replies.size() - keeping.size()); }
    double share() const {
        return replies.empty() ? 0.0
                               : static_cast<double>(traps()) / static_cast<double>(replies.size());
    }
    const char* outcome() const { return outcome_of(score, score); }
};

/// How easily the opponent goes wrong; null if the move ends the game.
Value said_replies(const ExploredMove& move) {
    if (move.replies.empty()) return nullptr;
    if (move.score > 0) return say("explore.no_reply");
    if (move.traps() == 0) return say("explore.every_reply");
    return say(move.score == 0 ? "explore.traps_lose" : "explore.traps_win",
               {{"count", move.traps()},
                {"replies", move.replies.size()},
                {"columns", said_columns(move.keeping)}});
}

/// The move "column" with its "score", and the replies; {"needs"} if the scores of those are not known.
Value explore_move(const Value& request, const Context& context) {
    const Outcomes outcomes(request, context, position_from(request));
    ExploredMove move{static_cast<int>(request.at("column").integer("column", 0, max_bits)),
                      static_cast<int>(request.at("score").integer("score", -max_bits, max_bits)),
                      {},
                      {}};
    return or_needs([&] {
        if (!outcomes.after({move.column}).is_over()) {
            const ColumnScores scores = outcomes.scores({move.column});
            for (const auto& [column, score] : scores.all()) move.replies.push_back(column);
            move.keeping = scores.keeping();
        }
        return object({{"column", move.column},
                       {"outcome", move.outcome()},
                       {"score", move.score},
                       {"replies", move.replies},
                       {"keeping", move.keeping},
                       {"said", said_replies(move)}});
    });
}

/// Of explored "moves", those that keep the outcome, and the one of them after which most replies go
/// wrong: of several the one with the better score, then the one nearest the center.
Value testing(const Value& request, const Context&) {
    const int width = static_cast<int>(request.at("width").integer("width", 1, max_bits));
    std::vector<ExploredMove> moves;
    for (const Value& each : request.at("moves").array("moves"))
        moves.push_back({static_cast<int>(each.at("column").integer("column", 0, width - 1)),
                         static_cast<int>(each.at("score").integer("score", -max_bits, max_bits)),
                         each.at("replies").integers("replies", 0, width - 1),
                         each.at("keeping").integers("keeping", 0, width - 1)});
    if (moves.empty()) throw OptionError("error.cannot_be", {{"what", "moves"}, {"given", "[]"}});
    std::vector<std::pair<int, int>> scores;
    for (const ExploredMove& move : moves) scores.emplace_back(move.column, move.score);
    const std::vector<int> keeping = ColumnScores(scores).keeping();
    std::erase_if(moves, [&](const ExploredMove& move) {
        return std::ranges::find(keeping, move.column) == keeping.end();
    });
    const std::vector<int> order = columns_from_center(width);
    const auto best = std::ranges::max(moves, {}, [&](const ExploredMove& move) {
        return std::tuple(move.share(), move.score, order.end() - std::ranges::find(order, move.column));
    });
    return object({{"keeping", keeping}, {"most_testing", best.column}});
}

/// The columns that keep the outcome, by "scores": [[column, score], ...].
Value keeping(const Value& request, const Context& context) {
    const Value known = object({{"columns", Value::Array{}}, {"scores", request.at("scores")}});
    const Value asked = object({{"known", Value::Array{known}}});
    return Outcomes(asked, context, Position()).scores({}).keeping();
}

/// The orders of moves that lead to a position.
class Orders {
  public:
    explicit Orders(const Position& goal) : goal_(goal) {}

    /// How many go on from here.
    long long count(const Position& here) {
        if (here == goal_) return 1;
        const auto [known, is_new] = counts_.try_emplace(here.key(), 0);
        if (is_new) {
            long long sum = 0;
            for (const int column : next(here)) sum += count(here.play(column));
            counts_[here.key()] = sum;
        }
        return counts_[here.key()];
    }
    /// Adds orders other than `without`, until there are `most`.
    void find(const Position& here, const std::string& played, std::string_view without,
              std::size_t most, std::vector<std::string>& found) {
        if (found.size() == most || count(here) == 0) return;
        if (here == goal_ && played != without) found.push_back(played);
        for (const int column : next(here))
            find(here.play(column), played + column_name(column), without, most, found);
    }

  private:
    /// The columns where the next disc can lie as in the goal, without an end of the game on the way.
    std::vector<int> next(const Position& here) const {
        std::vector<int> columns;
        for (int column = 0; column < goal_.width(); ++column) {
            const int row = here.column_height(column);
            if (row == goal_.column_height(column) || goal_.at(column, row) != here.turn()) continue;
            const Position after = here.play(column);
            if (after == goal_ || !after.is_over()) columns.push_back(column);
        }
        return columns;
    }

    Position goal_;
    std::map<u128, long long> counts_;
};

/// How many orders of moves lead to a position, and at most "most" others than "order"; null for a
/// position with too many discs.
Value orders(const Value& request, const Context&) {
    const Position goal = position_from(request);
    if (goal.ply() > most_discs) return nullptr;
    const Position start(goal.width(), goal.height());
    Orders orders(goal);
    std::vector<std::string> others;
    const auto most = static_cast<std::size_t>(request.at("most").integer("most", 0, 1'000'000));
    orders.find(start, "", request.at("order").text("order"), most, others);
    std::ranges::sort(others);
    return object({{"count", orders.count(start)}, {"others", others}});
}

/// The discs of each column from the bottom up, 1 and 2, with commas between the columns.
std::string columns_text(const Position& position) {
    std::string text;
    for (int column = 0; column < position.width(); ++column) {
        if (column != 0) text += ',';
        for (int row = 0; row < position.column_height(column); ++row)
            text += static_cast<char>('0' + position.at(column, row));
    }
    return text;
}

/// The name of a position in the file, the same for its mirror image.
std::string place_text(const Position& position) {
    return std::min(columns_text(position), columns_text(position.mirror()));
}

Value place(const Value& request, const Context&) {
    const Position position = position_from(request);
    const std::string name = place_text(position);
    return object({{"name", name}, {"is_mirrored", name != columns_text(position)}});
}

int digit_of(char character) {
    if (character >= '0' && character <= '9') return character - '0';
    if (character >= 'a' && character <= 'z') return character - 'a' + 10;
    throw OptionError("error.levels_file");
}

/// The share of a level's choices that are not among the columns `keeping`.
double wrong_share(const std::vector<int>& counts, const std::vector<int>& keeping, long long asked) {
    int kept = 0;
    for (const int column : keeping) kept += counts.at(static_cast<std::size_t>(column));
    return 1 - kept / static_cast<double>(asked);
}

Value wrong(const Value& request, const Context&) {
    const auto asked = request.at("asked").integer("asked", 1, 1'000'000);
    const auto keeping = request.at("keeping").integers("keeping", 0, max_bits);
    return array_of(request.at("counts").array("counts"), [&](const Value& row) -> Value {
        return wrong_share(row.integers("counts", 0, 1'000'000), keeping, asked);
    });
}

/// What the levels play in a position by their file, "text": how often each chose each column, and the
/// one that it chose most often. Null if hardly one of their games came there.
Value levels(const Value& request, const Context&) {
    const Position position = position_from(request);
    const Value file = Value::from_json(request.at("text").text("text"));
    const auto number = [&](const char* name) { return file.at(name).integer(name, 1, 1'000'000); };
    if (number("width") != position.width() || number("height") != position.height()) return nullptr;
    const std::string name = place_text(position);
    const Value& row = file.at("positions").get(name);
    if (row.is_null()) return nullptr;
    const bool is_mirrored = name != columns_text(position);
    const auto& parts = row.array("a position");
    if (parts.size() != 2) throw OptionError("error.levels_file");
    const std::string& digits = parts[1].text("choices");
    const auto width = static_cast<std::size_t>(position.width());
    const std::vector<int> order = columns_from_center(position.width());
    Value::Array counts, plays;
    for (std::size_t at = 0; at + width <= digits.size(); at += width) {
        std::vector<int> choices;
        for (const char digit : digits.substr(at, width)) choices.push_back(digit_of(digit));
        if (is_mirrored) std::ranges::reverse(choices);
        plays.push_back(std::ranges::max(
            order, {}, [&](int column) { return choices[static_cast<std::size_t>(column)]; }));
        counts.push_back(choices);
    }
    return object(
        {{"games", parts[0]}, {"asked", number("asked")}, {"counts", counts}, {"plays", plays}});
}

}  // namespace

std::span<const Question> explore_questions() {
    static constexpr Question questions[] = {
        {"explore.move", explore_move}, {"explore.testing", testing}, {"explore.keeping", keeping},
        {"explore.orders", orders},     {"explore.levels", levels},   {"explore.wrong", wrong},
        {"explore.place", place}};
    return questions;
}

}  // namespace fourcast::study
