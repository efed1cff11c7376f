#include "answers.hpp"

#include <algorithm>
#include <bit>

#include "board/center.hpp"
#include "board/moves_text.hpp"
#include "said.hpp"
#include "system/errors.hpp"
#include "system/text.hpp"

namespace fourcast {
namespace {

std::size_t combined(std::size_t hash, u64 value) {
    return (hash ^ static_cast<std::size_t>(value)) * 0x9E3779B97F4A7C15U + (hash >> 29);
}

/// The scores that are possible in a position, finished or not.
ScoreRange range_of(const Position& position) {
    if (!position.is_over()) {
        const Rules& rules = position.rules();
        const ScoreRange range = possible_scores(position.cells(), position.ply(), rules.connect);
        // The same discs end the game, but it is the other side that wins.
        return rules.misere ? ScoreRange{-range.upper, -range.lower} : range;
    }
    const int score = final_score(position);
    return {score, score};
}

/// `of_what` is a part of the sentence: where the score is not possible.
void check_bounds(const Proven& proven, const ScoreRange& range, const Error& of_what) {
    Value::Object facts{{"lower", proven.lower}, {"upper", proven.upper}};
    if (proven.lower > proven.upper) throw OptionError("error.crossed_bounds", facts);
    if (proven.lower >= range.lower && proven.upper <= range.upper) return;
    facts.insert(facts.end(),
                 {{"where", of_what.said()}, {"least", range.lower}, {"most", range.upper}});
    throw OptionError("error.impossible_bounds", facts);
}

ColumnSet mirrored_columns(ColumnSet columns, int width) {
    ColumnSet result = 0;
    for (; columns != 0; columns &= columns - 1)
        result |= ColumnSet{1} << (width - 1 - std::countr_zero(columns));
    return result;
}

template <class Columns>
std::string listed(const Columns& columns) {
    std::string shown;
    for (const int column : columns) shown += text(shown.empty() ? "" : ", ", column);
    return text("[", shown, "]");
}

std::string bounds_text(const Proven& proven) {
    return proven.is_exact() ? text(proven.lower) : text(proven.lower, ", ", proven.upper);
}

}  // namespace

int Proven::winner() const {
    if (lower > 0) return position.turn();
    return upper < 0 ? 3 - position.turn() : 0;
}

std::optional<int> Proven::final_ply() const {
    if (!is_exact()) return std::nullopt;
    return fourcast::final_ply(position.cells(), position.ply(), lower, position.rules().misere);
}

std::optional<int> Proven::plies_to_end() const {
    const auto end = final_ply();
    return end ? std::optional(*end - position.ply()) : std::nullopt;
}

std::optional<int> Proven::moves_to_end() const {
    if (!is_exact() || lower == 0) return std::nullopt;
    return winner_moves(position.cells(), position.ply(), lower, position.rules().misere);
}

double Proven::share() const {
    double mover = 0;
    if (position.is_over()) {
        mover = position.is_draw() ? 0.5 : 0;
    } else {
        const auto share = [this](int score) {
            return share_of_mover(position.cells(), position.ply(), score);
        };
        mover = (share(lower) + share(upper)) / 2;
    }
    return position.turn() == 1 ? mover : 1 - mover;
}

std::size_t Proven::hash() const {
    return combined(combined(position.hash(), static_cast<u64>(lower + 256)),
                    static_cast<u64>(upper + 256));
}

Result::Result(const Position& of, int at_least, int at_most, bool is_complete)
    : Proven(of, at_least, at_most), complete(is_complete) {
    const ScoreRange range = range_of(of);
    lower = std::max(lower, range.lower);
    upper = std::min(upper, range.upper);
    complete |= is_exact();
}

Result Result::unknown(const Position& position) {
    const ScoreRange range = range_of(position);
    return {position, range.lower, range.upper, false};
}

Result Result::of_finished(const Position& position) {
    const int score = final_score(position);
    return {position, score, score, true};
}

Result Result::mirrored() const {
    Result result = *this;
    result.position = position.mirror();
    if (best_columns) result.best_columns = mirrored_columns(*best_columns, position.width());
    return result;
}

void Result::validate() const {
    check_bounds(*this, range_of(position), Error("error.here"));
    if (!best_columns) return;
    if ((*best_columns & ~position.legal_columns()) != 0) throw OptionError("error.best_columns_closed");
    if (*best_columns == 0 && !position.is_over()) throw OptionError("error.best_columns_empty");
}

bool Result::operator==(const Result& other) const {
    return Proven::operator==(other) && complete == other.complete && best_columns == other.best_columns;
}

std::size_t Result::hash() const {
    return combined(Proven::hash(), u64{best_columns.value_or(0)} << 1 | u64{complete});
}

Line Line::mirrored() const {
    Line result = *this;
    const auto mirror = [this](int move) { return position.width() - 1 - move; };
    result.position = position.mirror();
    result.column = mirror(column);
    std::transform(variation.begin(), variation.end(), result.variation.begin(), mirror);
    return result;
}

void Line::validate() const {
    if (variation.empty() || variation.front() != column)
        throw OptionError("error.variation_beginning", {{"column", said_column(column)}});
    Position end = position;
    for (const int move : variation) end = end.play(move);
    const ScoreRange after = range_of(position.play(column));
    check_bounds(*this, {-after.upper, -after.lower},
                 Error("error.after_column", {{"column", said_column(column)}}));
}

std::size_t Line::hash() const {
    std::size_t result = Proven::hash();
    for (const int move : variation) result = combined(result, static_cast<u64>(move));
    return result;
}

Analysis Analysis::of(const Position& position, std::vector<Line> lines, std::optional<bool> complete) {
    std::sort(lines.begin(), lines.end(),
              [](const Line& a, const Line& b) { return a.column < b.column; });
    Analysis analysis{Result::unknown(position), std::move(lines)};
    Result& result = analysis;
    if (!analysis.lines.empty()) {
        // Some line is the best: the score is at least the best lower bound, at most the best upper one.
        result.lower = result.upper = -highest_score(position.cells(), position.rules().connect);
        result.complete = true;
        for (const Line& line : analysis.lines) {
            result.lower = std::max(result.lower, line.lower);
            result.upper = std::max(result.upper, line.upper);
            result.complete &= line.is_exact();
        }
    }
    if (complete) result.complete = *complete;
    if (result.complete && result.is_exact()) {
        ColumnSet best = 0;
        for (const Line& line : analysis.lines)
            if (line.lower == result.lower) best |= ColumnSet{1} << line.column;
        result.best_columns = best;
    }
    return analysis;
}

Analysis Analysis::unknown(const Position& position) {
    std::vector<Line> lines;
    for (int column = 0; column < position.width(); ++column) {
        if (!position.can_play(column)) continue;
        const ScoreRange after = range_of(position.play(column));
        lines.emplace_back(position, column, -after.upper, -after.lower);
    }
    return of(position, std::move(lines));
}

ColumnSet Analysis::proven_best_columns() const {
    ColumnSet columns = 0;
    for (const Line& line : lines) {
        const bool is_best = std::all_of(lines.begin(), lines.end(), [&](const Line& other) {
            return &other == &line || line.lower >= other.upper;
        });
        if (is_best) columns |= ColumnSet{1} << line.column;
    }
    return columns;
}

const Line* Analysis::best_line() const {
    if (!best_columns) return nullptr;
    for (const int column : columns_from_center(position.width())) {
        if ((*best_columns >> column & 1) == 0) continue;
        for (const Line& line : lines)
            if (line.column == column) return &line;
    }
    return nullptr;
}

Analysis Analysis::mirrored() const {
    Analysis analysis{Result::mirrored(), {}};
    for (auto line = lines.rbegin(); line != lines.rend(); ++line)
        analysis.lines.push_back(line->mirrored());
    return analysis;
}

void Analysis::validate() const {
    ColumnSet columns = 0;
    for (const Line& line : lines) {
        if (line.position != position)
            throw OptionError("error.line_elsewhere", {{"column", said_column(line.column)}});
        if ((columns >> line.column & 1) != 0)
            throw OptionError("error.line_twice", {{"column", said_column(line.column)}});
        columns |= ColumnSet{1} << line.column;
    }
    if (columns != position.legal_columns()) throw OptionError("error.lines_missing");
}

std::size_t Analysis::hash() const {
    std::size_t hash = Result::hash();
    for (const Line& line : lines) hash = combined(hash, line.hash());
    return hash;
}

std::string Result::repr() const {
    std::string shown = text("Result(", position.repr(), ", ", bounds_text(*this));
    if (complete != is_exact()) shown += complete ? ", complete=True" : ", complete=False";
    if (best_columns) shown += text(", best_columns=", listed(each(*best_columns)));
    return shown + ")";
}

std::string Line::repr() const {
    std::string shown = text("Line(", position.repr(), ", ", column, ", ", bounds_text(*this));
    if (variation.size() > 1) shown += text(", variation=", listed(variation));
    return shown + ")";
}

std::string Analysis::repr() const {
    std::string shown = text("<Analysis of ", position.repr(), ": ");
    shown += is_exact() ? text("score ", lower) : text("score from ", lower, " to ", upper);
    if (best_columns) shown += text(", best columns ", listed(each(*best_columns)));
    return shown + ">";
}

}  // namespace fourcast
