#include "tactics.hpp"

#include <algorithm>

#include "force.hpp"
#include "solver/said.hpp"

namespace fourcast::reasons {
namespace {

using Bits = u128;
using Shape = AnyShape<Bits>;
using Facts = std::initializer_list<Value::Member>;

/// Discs of a forcing line that a reader can be expected to see.
constexpr int short_force = 2;
constexpr int long_force = 5;
constexpr int danger_discs = 4;
/// What is good about a quiet move, the most telling first, and what stands for it in the patterns of
/// answers.
constexpr std::pair<std::string_view, const char*> quiet_merits[] = {
    {"does_threaten", "_threat"},
    {"does_prevent", "_prevent"},
    {"does_prevent_force", "_prevent_force"},
    {"does_prepare", "_prepare"},
    {"does_prepare_force", "_prepare_force"},
    {"does_deny", "_deny"},
    {"does_most", "_most"}};
/// Open lines through a square that make it worth taking for them alone.
constexpr int many_lines = 7;
constexpr std::uint64_t force_steps = 20'000;

Shape shape_of(const Position& position) { return {position.width(), position.height()}; }

Value about(int player, std::string_view pattern, Facts facts) {
    Value::Object all{{"player", said_player(player)}, {"opponent", said_player(3 - player)}};
    all.insert(all.end(), facts);
    return object({{"pattern", pattern}, {"facts", std::move(all)}});
}

Value with_line(std::string_view pattern, const Position& position, int player, int column, int owner,
                Bits square) {
    const int height = position.height();
    const Bits line = line_through(position, position.discs(owner), square);
    return about(player, pattern,
                 {{"column", said_column(column)},
                  {"square", said_square(square_of(square, height))},
                  {"line", said_line(line, height)},
                  {"where", said_where(line, height)}});
}

/// Whether some move other than `column` leaves the opponent no forced win of so many discs.
bool is_avoidable(const Position& position, int column, int discs) {
    for (const int other : each(position.legal_columns())) {
        if (other == column) continue;
        const Position next = position.play(other);
        if (next.is_over() || forcing_line(next, discs).empty()) return true;
    }
    return false;
}

/// What the opponent's winning line after a move is.
Value said_of_force(const Position& position, int column, const std::vector<int>& line) {
    const int player = position.turn();
    const Position next = position.play(column);
    const int height = position.height();
    const Value square = said_square(landing(next, line[0]));
    if (line.size() > 3)
        return about(player, "let_force", {{"column", said_column(column)}, {"square", square}});
    const Position after = next.play(line[0]);
    const Bits threats = fours_now(after, 3 - player);
    if (more_than_one(threats))
        return about(player, "let_double",
                     {{"column", said_column(column)},
                      {"square", square},
                      {"both", said_both(squares_of(threats, height))}});
    return about(player, "let_stack",
                 {{"column", said_column(column)},
                  {"square", square},
                  {"other", said_square(square_of(threats, height))},
                  {"above", said_square(square_of(threats << 1, height))}});
}

/// A disc after which two squares cannot both be blocked, neither of which is threatened before.
struct Fork {
    Bits disc;
    Bits squares;
};

/// The squares on which a player with these discs completes a four, of which only one can be blocked,
/// the second perhaps because it is on top of the first; 0 if all can be blocked.
Bits left_open(const Shape& shape, Bits mine, Bits theirs) {
    const Bits wins = threats(shape, mine, mine | theirs);
    const Bits now = wins & playable(shape, mine | theirs);
    if (more_than_one(now)) return now;
    return (wins & now << 1) != 0 ? now | now << 1 : 0;
}

/// The disc of a player's that would win so, if it were that player's turn.
std::optional<Fork> fork_of(const Shape& shape, Bits mine, Bits theirs) {
    const Bits mask = mine | theirs;
    if ((threats(shape, mine, mask) & playable(shape, mask)) != 0) return std::nullopt;
    Budget budget(force_steps);
    ForceSearch<Shape> search(shape, budget);
    const std::vector<Bits> line = search.find({mine, theirs}, short_force);
    if (line.size() != 3) return std::nullopt;
    return Fork{line[0], left_open(shape, mine | line[0], theirs)};
}

/// The squares of a forcing line's discs, what stands in it before the last disc that can be blocked,
/// and what that disc leaves open.
Value::Object facts_of(const Shape& shape, Bits mine, Bits theirs, const std::vector<Bits>& line) {
    const std::size_t key = line.size() - 3;
    std::vector<Square> moves;
    for (std::size_t i = 0; i < key; ++i) {
        moves.push_back(square_of(line[i], shape.height()));
        (i % 2 == 0 ? mine : theirs) |= line[i];
    }
    const Bits open = left_open(shape, mine | line[key], theirs);
    Value::Object facts{{"square", said_square(square_of(line[key], shape.height()))},
                        {"both", said_both(squares_of(open, shape.height()))}};
    if (key > 0) facts.emplace_back("moves", said_moves(moves, false, key));
    return facts;
}

/// The forcing line that the side which is not on turn would win by; empty if there is none, or somebody
/// can complete a four.
std::vector<Bits> danger_of(const Position& position) {
    if ((fours_now(position, 1) | fours_now(position, 2)) != 0) return {};
    const Shape shape = shape_of(position);
    const int player = 3 - position.turn();
    Budget budget(force_steps);
    ForceSearch<Shape> search(shape, budget);
    return search.find({position.discs(player), position.discs(3 - player)}, danger_discs);
}

/// Lines of four through a square that no disc of either side, or only discs of one, stand in.
int open_lines_through(const Position& position, Bits square) {
    const Shape shape = shape_of(position);
    int count = 0;
    for (const int step : directions(shape))
        for (int back = 0; back < 4; ++back) {
            const Bits start = square >> back * step;
            const Bits four = start | start << step | start << 2 * step | start << 3 * step;
            const bool is_line =
                (four & square) != 0 && start << back * step == square && (four & ~shape.board()) == 0;
            count += is_line && ((four & position.discs(1)) == 0 || (four & position.discs(2)) == 0);
        }
    return count;
}

/// Whether more lines run through the square of a column than through any other that can be played.
bool takes_most_lines(const Position& position, int column, int count) {
    if (count < many_lines) return false;
    for (const int other : each(position.legal_columns()))
        if (other != column && open_lines_through(position, landing_bit(position, other)) >= count)
            return false;
    return true;
}

/// That a threat has come about, in the position after the move.
Value said_of_new_threat(std::string_view pattern, const Position& next, int player, int column,
                         Bits threat) {
    const int height = next.height();
    const Square square = square_of(threat, height);
    return about(player, pattern,
                 {{"column", said_column(column)},
                  {"threat", said_parity(square)},
                  {"square", said_square(square)},
                  {"line", said_line(line_through(next, next.discs(player), threat), height)}});
}

Value said_of_fork(int player, std::string_view pattern, int column, const Fork& fork, int height) {
    return about(player, pattern,
                 {{"column", said_column(column)},
                  {"square", said_square(square_of(fork.disc, height))},
                  {"both", said_both(squares_of(fork.squares, height))}});
}

Value said_of_series(int player, std::string_view pattern, int column, Value::Object facts) {
    facts.emplace_back("player", said_player(player));
    facts.emplace_back("opponent", said_player(3 - player));
    facts.emplace_back("column", said_column(column));
    return object({{"pattern", pattern}, {"facts", std::move(facts)}});
}

}  // namespace

Square square_of(Bits bit, int height) {
    const int index = lowest_bit(bit);
    return {index / (height + 1), index % (height + 1)};
}

std::vector<Square> squares_of(Bits bits, int height) {
    std::vector<Square> squares;
    for (const Bits bit : each_square(bits)) squares.push_back(square_of(bit, height));
    return squares;
}

Square landing(const Position& position, int column) { return {column, position.column_height(column)}; }

std::vector<Square> landings(const Position& position, ColumnSet columns) {
    std::vector<Square> squares;
    for (const int column : each(columns)) squares.push_back(landing(position, column));
    return squares;
}

Bits landing_bit(const Position& position, int column) {
    return shape_of(position).square(column, position.column_height(column));
}

Bits fours_now(const Position& position, int player) {
    return position.threats(player) & playable(shape_of(position), position.mask());
}

Bits line_through(const Position& position, Bits discs, Bits square) {
    const Shape shape = shape_of(position);
    const Bits all = (discs | square) & shape.board();
    for (const int step : directions(shape))
        for (const Bits start : each_square(fours_from(shape, all, step))) {
            const Bits four = start | (start << step) | (start << (2 * step)) | (start << (3 * step));
            if ((four & square) != 0) return four;
        }
    return 0;
}

Value said_line(Bits line, int height) {
    const std::vector<Square> squares = squares_of(line, height);
    const Square& from = squares.front();
    const Square& to = squares.back();
    if (from.column == to.column) return say("named_column", {{"column", said_column(from.column)}});
    if (from.row == to.row) return say("named_row", {{"row", from.row + 1}});
    return say("named_diagonal", {{"from", said_square(from)}, {"to", said_square(to)}});
}

Value said_where(Bits line, int height) {
    const Value said = said_line(line, height);
    const bool is_diagonal = pattern_of(said) == "named_diagonal";
    return say(is_diagonal ? "where_diagonal" : "where_straight", {{"line", said}});
}

Value said_parity(const Square& square) {
    return say(square.row % 2 == 0 ? "threat_odd" : "threat_even");
}

std::vector<int> forcing_line(const Position& position, int discs) {
    std::vector<int> columns;
    if (position.is_over()) return columns;
    const Shape shape = shape_of(position);
    const int turn = position.turn();
    Budget budget(force_steps);
    ForceSearch<Shape> search(shape, budget);
    for (const Bits square : search.find({position.discs(turn), position.discs(3 - turn)}, discs))
        columns.push_back(shape.column_of(lowest_bit(square)));
    return columns;
}

Value said_of_tactics(const Position& position, int column) {
    const int player = position.turn();
    const Bits played = landing_bit(position, column);
    if (const Bits fours = fours_now(position, player); fours != 0) {
        if ((fours & played) != 0) return nullptr;
        return with_line("missed_four", position, player, column, player, lowest(fours));
    }
    const Bits threats = fours_now(position, 3 - player);
    if (more_than_one(threats)) return nullptr;
    if (threats != 0 && (threats & played) == 0) {
        const Position blocked = position.play(square_of(threats, position.height()).column);
        if (!blocked.is_over() && fours_now(blocked, 3 - player) != 0) return nullptr;
        return with_line("missed_block", position, player, column, 3 - player, threats);
    }
    const Position next = position.play(column);
    if (next.is_over()) return nullptr;
    if (fours_now(next, 3 - player) != 0) {
        if (!is_avoidable(position, column, 1)) return nullptr;
        return with_line("gave_above", position, player, column, 3 - player, played << 1);
    }
    const std::vector<int> line = forcing_line(next, long_force);
    if (line.empty()) return nullptr;
    const int discs = static_cast<int>(line.size() + 1) / 2;
    if (!is_avoidable(position, column, std::max(discs, short_force))) return nullptr;
    return said_of_force(position, column, line);
}

Value said_of_lasting_threat(const Position& position, int column) {
    const int player = position.turn();
    const Position next = position.play(column);
    if (next.is_over()) return nullptr;
    const Bits made =
        next.threats(player) & ~position.threats(player) & ~playable(shape_of(next), next.mask());
    if (made == 0) return nullptr;
    return said_of_new_threat("does_threaten", next, player, column, lowest(made));
}

Value said_of_danger(const Position& position) {
    const std::vector<Bits> line = danger_of(position);
    if (line.empty()) return nullptr;
    const int player = 3 - position.turn();
    Value::Object facts =
        facts_of(shape_of(position), position.discs(player), position.discs(3 - player), line);
    facts.emplace_back("player", said_player(player));
    facts.emplace_back("opponent", said_player(3 - player));
    return object({{"pattern", line.size() == 3 ? "idea_danger_two" : "idea_danger_force"},
                   {"facts", std::move(facts)}});
}

Danger danger_after(const Position& position) {
    const std::vector<Bits> line = danger_of(position);
    if (line.empty()) return {};
    const Shape shape = shape_of(position);
    const int turn = position.turn();
    const int player = 3 - turn;
    const Bits open = left_open(shape, position.discs(player) | line[0], position.discs(turn));
    const int first = square_of(line[0], position.height()).column;
    ColumnSet columns = 0;
    for (const int column : each(position.legal_columns())) {
        const Position next = position.play(column);
        if (next.is_over() || landing_bit(next, first) != line[0]) continue;
        if ((fours_now(next, turn) & ~line[0]) != 0 || fours_now(next, player) != 0) continue;
        const Position after = next.play(first);
        const Bits threatened = fours_now(after, player);
        if (threatened == 0 || fours_now(after, turn) != 0) continue;
        // One disc has to leave the same squares open; a longer series may go on in any way.
        if (line.size() == 3) {
            if (left_open(shape, after.discs(player), after.discs(turn)) == open)
                columns |= only<ColumnSet>(column);
            continue;
        }
        const Position blocked = after.play(square_of(threatened, position.height()).column);
        if (!blocked.is_over() && !forcing_line(blocked, danger_discs - 1).empty())
            columns |= only<ColumnSet>(column);
    }
    return {line[0], columns};
}

Value said_moves(const std::vector<Square>& squares, bool begins_with_reply, std::size_t most) {
    std::vector<Value> parts;
    bool is_reply = begins_with_reply;
    for (const Square& each : squares) {
        if (parts.size() == most) {
            parts.push_back(say("moves_more"));
            break;
        }
        const Value square = said_square(each);
        parts.push_back(is_reply ? say("moves_reply", {{"square", square}}) : square);
        is_reply = !is_reply;
    }
    Value said = parts.back();
    for (std::size_t i = parts.size() - 1; i-- > 0;) {
        const bool is_after_reply = pattern_of(parts[i]) == "moves_reply";
        said = say(is_after_reply ? "moves_next" : "moves_both", {{"first", parts[i]}, {"rest", said}});
    }
    return said;
}

Value::Object series_facts(const Position& position, const std::vector<int>& columns) {
    std::vector<Bits> line;
    Position at = position;
    for (const int column : columns) {
        line.push_back(landing_bit(at, column));
        at = at.play(column);
    }
    const int player = position.turn();
    return facts_of(shape_of(position), position.discs(player), position.discs(3 - player), line);
}

Value said_of_merit(const Position& position, int column) {
    const int player = position.turn();
    const int height = position.height();
    const Bits played = landing_bit(position, column);
    const Value name = said_column(column);
    const Position next = position.play(column);
    if (next.winner() != 0) return with_line("does_win", position, player, column, player, played);
    if (const Bits threats = fours_now(position, 3 - player); threats == played)
        return with_line("does_block", position, player, column, 3 - player, played);
    if (next.is_over()) return nullptr;
    if (const Bits two = fours_now(next, player); more_than_one(two))
        return about(player, "does_double",
                     {{"column", name}, {"both", said_both(squares_of(two, height))}});
    const Shape shape = shape_of(position);
    const Bits mine = position.discs(player);
    const Bits theirs = position.discs(3 - player);
    const Bits now = fours_now(next, player);
    if (fours_now(position, 3 - player) == 0 && now == 0)
        if (const auto fork = fork_of(shape, theirs, mine);
            fork && fours_now(next, 3 - player) == 0 && !fork_of(shape, theirs, mine | played))
            return said_of_fork(player, "does_prevent", column, *fork, height);
    if (const auto line = danger_of(position); line.size() > 3 && now == 0 &&
                                               fours_now(next, 3 - player) == 0 &&
                                               forcing_line(next, danger_discs).empty())
        return said_of_series(player, "does_prevent_force", column, facts_of(shape, theirs, mine, line));
    const Bits made = next.threats(player) & ~position.threats(player);
    if ((made & ~now) != 0) return said_of_lasting_threat(position, column);
    if (made != 0) return said_of_new_threat("does_threaten_now", next, player, column, lowest(made));
    if (!fork_of(shape, mine, theirs))
        if (const auto fork = fork_of(shape, mine | played, theirs); fork && now == 0)
            return said_of_fork(player, "does_prepare", column, *fork, height);
    if (const auto line = danger_of(next);
        line.size() > 3 && forcing_line(position, danger_discs).empty())
        return said_of_series(player, "does_prepare_force", column,
                              facts_of(shape, mine | played, theirs, line));
    // What the opponent would threaten with a disc there.
    const Bits mask = position.mask() | played;
    const Bits denied =
        threats(shape, theirs | played, mask) & ~position.threats(3 - player) & ~playable(shape, mask);
    if (denied == 0) {
        const int count = open_lines_through(position, played);
        if (!takes_most_lines(position, column, count)) return nullptr;
        return about(
            player, "does_most",
            {{"column", name}, {"square", said_square(square_of(played, height))}, {"count", count}});
    }
    const Square square = square_of(lowest(denied), height);
    const Bits line = line_through(position, theirs | played, lowest(denied));
    return about(player, "does_deny",
                 {{"column", name},
                  {"threat", said_parity(square)},
                  {"square", said_square(square)},
                  {"line", said_line(line, height)}});
}

Value does(std::string_view pattern, const Value& merit) {
    return say(pattern, {{"column", merit.at("facts").at("column")}, {"what", merit}});
}

std::optional<Answer> answer_of(const Position& position, int column) {
    const Value merit = said_of_merit(position, column);
    if (merit.is_null()) return std::nullopt;
    const auto found = std::ranges::find(quiet_merits, pattern_of(merit),
                                         &std::pair<std::string_view, const char*>::first);
    if (found == std::end(quiet_merits)) return std::nullopt;
    const Value& more = merit.at("facts");
    const Value square = said_square(landing(position, column));
    // The answer that stops a disc by taking its square is said in other words.
    const bool is_there = found->first == "does_prevent" && more.at("square") == square;
    Value::Object facts{{"player", said_player(position.turn())},
                        {"opponent", said_player(3 - position.turn())},
                        {"square", square},
                        {"other", more.at("square")}};
    for (const char* const fact : {"threat", "line", "both", "count", "moves"})
        if (more.has(fact)) facts.emplace_back(fact, more.at(fact));
    const std::string pattern = std::string("brief_answer") + found->second + (is_there ? "_there" : "");
    return Answer{static_cast<int>(found - std::begin(quiet_merits)),
                  found + 1 != std::end(quiet_merits),
                  object({{"pattern", pattern}, {"facts", std::move(facts)}})};
}

}  // namespace fourcast::reasons
