#include "web_game.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>

#include "board/moves_text.hpp"
#include "board/notation.hpp"
#include "game.hpp"
#include "system/errors.hpp"
#include "system/text.hpp"

namespace fourcast::study {
namespace {

/// A request that does not fit the game; see web_game_questions.
struct Refused {
    int status;
    std::string code;
    Value::Object facts{};
};
constexpr int impossible = 400, not_theirs = 403, conflict = 409;

constexpr long long longest_time_s = 14 * 86'400, longest_increment_s = 3'600;
/// Seconds after which an opponent who has left may be said to have lost.
constexpr double away_limit_s = 60;

struct Chair {
    std::string kind, player, holder;
};

/// A clock runs for the side to move, from `began_s` on.
struct Clock {
    bool is_per_move;
    double time_s, increment_s;
    std::optional<double> began_s;
};

struct Record {
    Game game;
    std::array<Chair, 2> chairs;
    long long seq, rewound;
    std::string opening;
    int draw_by, takeback_by, rematch_by;
    bool has_rematch;
    std::optional<Clock> clock{};
    std::array<double, 2> points{};

    const Chair& chair(int side) const { return chairs[static_cast<std::size_t>(side - 1)]; }
    /// Which side makes move number `index`, from 0.
    int mover(std::size_t index) const {
        return 1 + static_cast<int>((static_cast<std::size_t>(game.start().turn() - 1) + index) % 2);
    }
    /// The number of the next move: discs on the board, but in PopOut those that were taken out count.
    std::size_t next_ply() const {
        return static_cast<std::size_t>(game.start().ply()) + game.moves().size();
    }
    /// Whether one screen has every chair that is not the computer's.
    bool is_local() const {
        const auto& [one, other] = chairs;
        if (one.kind == "open" || other.kind == "open") return false;
        return one.kind != "person" || other.kind != "person" || one.holder == other.holder;
    }
};

// ---- Records as values ---------------------------------------------------------------------------

std::string text_of(const Value& value, const char* name) {
    const Value& found = value.get(name);
    return found.is_null() ? "" : found.text(name);
}

long long number_in(const Value& value, const char* name, long long high) {
    const Value& found = value.get(name);
    return found.is_null() ? 0 : found.integer(name, 0, high);
}

Position start_from(const Value& record) {
    const std::string rows = text_of(record, "start");
    if (!rows.empty()) return parse_rows(utf32(rows));
    const auto side = [&](const char* name) {
        return static_cast<int>(record.at(name).integer(name, 0, 999));
    };
    return Position(side("width"), side("height"), Rules::parse(utf32(text_of(record, "rules"))));
}

std::vector<Move> moves_from(const Value& value, const char* name, const Position& start) {
    std::vector<Move> moves;
    for (const Value& move : value.at(name).array(name))
        moves.push_back({parse_move(utf32(move.at("name").text("the name of a move")), start),
                         stamp_from(move.get("stamp_s"))});
    return moves;
}

std::optional<Clock> clock_from(const Value& value) {
    if (value.is_null()) return std::nullopt;
    const std::string& kind = value.at("kind").text("kind");
    if (kind != "move" && kind != "game")
        throw OptionError("error.clock_kind", {{"kind", quoted(utf32(kind))}});
    const auto seconds = [&](const char* name, long long low, long long high) {
        return static_cast<double>(value.at(name).integer(name, low, high));
    };
    return Clock{kind == "move", seconds("time_s", 1, longest_time_s),
                 seconds("increment_s", 0, longest_increment_s), stamp_from(value.get("began_s"))};
}

Record record_from(const Value& value) {
    constexpr long long most = 1LL << 53;
    Record record{Game(start_from(value)),
                  {},
                  number_in(value, "seq", most),
                  number_in(value, "rewound", most),
                  text_of(value, "opening"),
                  static_cast<int>(number_in(value, "draw_by", 2)),
                  static_cast<int>(number_in(value, "takeback_by", 2)),
                  static_cast<int>(number_in(value, "rematch_by", 2)),
                  !value.get("rematch").is_null()};
    const auto& chairs = value.at("chairs").array("chairs");
    if (chairs.size() != 2) throw OptionError("error.two_chairs");
    for (std::size_t i = 0; i < 2; ++i)
        record.chairs[i] = {text_of(chairs[i], "kind"), text_of(chairs[i], "player"),
                            text_of(chairs[i], "holder")};
    const auto undone = moves_from(value, "undone", record.game.start());
    for (const Move& move : moves_from(value, "moves", record.game.start())) record.game.play(move);
    for (auto move = undone.rbegin(); move != undone.rend(); ++move) record.game.play(*move);
    for (std::size_t i = 0; i < undone.size(); ++i) record.game.undo();
    if (!value.get("end").is_null()) record.game.end(outcome_from(value.get("end")));
    record.clock = clock_from(value.get("clock"));
    if (const Value& points = value.get("points"); !points.is_null()) {
        const auto& both = points.array("points");
        for (std::size_t i = 0; i < std::min<std::size_t>(both.size(), 2); ++i)
            record.points[i] = both[i].number("points");
    }
    return record;
}

// ---- Clocks ----------------------------------------------------------------------------------------

/// What the clocks showed after the last move, and when that was.
struct Times {
    std::array<double, 2> left_s;
    double since_s;
    int running;  // the side whose clock runs, 0 for none

    double left_at(double now_s) const {
        return left_s[static_cast<std::size_t>(running - 1)] - std::max(0.0, now_s - since_s);
    }
};

Times times_of(const Record& record) {
    const Clock& clock = *record.clock;
    const Game& game = record.game;
    const bool is_running = clock.began_s && !game.result();
    Times times{{clock.time_s, clock.time_s},
                clock.began_s.value_or(0.0),
                is_running ? game.position().turn() : 0};
    const std::size_t opening = play_steps(game.start(), utf32(record.opening)).size();
    for (std::size_t i = opening; i < game.moves().size(); ++i) {
        const double stamp_s = game.moves()[i].stamp_s.value_or(times.since_s);
        double& left_s = times.left_s[static_cast<std::size_t>(record.mover(i) - 1)];
        if (!clock.is_per_move) left_s += clock.increment_s - std::max(0.0, stamp_s - times.since_s);
        times.since_s = std::max(times.since_s, stamp_s);
    }
    if (const auto result = game.result(); result && result->termination == Termination::time)
        times.left_s[static_cast<std::size_t>(game.position().turn() - 1)] = 0.0;
    return times;
}

/// Whether a side could still make a line if the other one helped: the squares of some line have no disc
/// of the other one, and it has enough moves left to fill them. What lies below them is not looked at.
/// In misere the other one has to be able to, and in PopOut nothing stays where it is.
bool can_still_win(const Position& position, int side) {
    const Rules& rules = position.rules();
    if (rules.pop) return true;
    if (rules.misere) side = 3 - side;
    const int line = rules.connect;
    const int empty = position.cells() - position.ply();
    const int moves = (empty + (position.turn() == side ? 1 : 0)) / 2;
    const auto missing = [&](int column, int row, int right, int up) {
        int count = 0;
        for (int i = 0; i < line; ++i) {
            const int across = column + i * right, y = row + i * up;
            const int x = rules.wrap ? across % position.width() : across;
            if (x >= position.width() || y < 0 || y >= position.height()) return line + 1;
            const int disc = position.at(x, y);
            if (disc == 3 - side) return line + 1;
            count += disc == 0 ? 1 : 0;
        }
        return count;
    };
    for (int column = 0; column < position.width(); ++column)
        for (int row = 0; row < position.height(); ++row)
            for (const auto& [right, up] : {std::pair{1, 0}, {0, 1}, {1, 1}, {1, -1}})
                if ((up != 0 || position.width() >= line) &&
                    missing(column, row, right, up) <= std::min(line, moves))
                    return true;
    return false;
}

/// The end of a game that a side has lost outside of the board: drawn if the other one cannot win.
Outcome lost_by(const Record& record, int loser, Termination why) {
    const int winner = 3 - loser;
    return {can_still_win(record.game.position(), winner) ? winner : 0, why};
}

/// Ends the game if the time of the side to move is over. Whether it has.
bool ends_by_time(Record& record, const Value& stamp) {
    const auto now_s = stamp_from(stamp);
    if (!record.clock || !now_s) return false;
    const Times times = times_of(record);
    if (times.running == 0 || times.left_at(*now_s) > 0) return false;
    record.game.end(lost_by(record, times.running, Termination::time));
    return true;
}

Value clock_value(const Clock& clock, std::optional<double> began_s) {
    return object({{"kind", clock.is_per_move ? "move" : "game"},
                   {"time_s", static_cast<long long>(clock.time_s)},
                   {"increment_s", static_cast<long long>(clock.increment_s)},
                   {"began_s", began_s ? Value(*began_s) : Value()}});
}

/// The points of both sides with this game: a win is one, a draw half of one for each.
std::array<double, 2> points_after(const Record& record) {
    auto [first, second] = record.points;
    if (const auto result = record.game.result()) {
        first += result->winner == 1 ? 1 : result->winner == 2 ? 0 : 0.5;
        second += result->winner == 2 ? 1 : result->winner == 1 ? 0 : 0.5;
    }
    return {first, second};
}

Value standing_of(const Record& record) {
    const auto result = record.game.result();
    const Chair& chair = record.chair(record.game.position().turn());
    const bool is_computer = !result && chair.kind == "computer";
    Value clock;
    if (record.clock) {
        const Times times = times_of(record);
        const Value left = Value::Array{times.left_s[0], times.left_s[1]};
        clock = object({{"left_s", left}, {"since_s", times.since_s}, {"running", times.running}});
    }
    Value points;
    if (record.points[0] + record.points[1] > 0) {
        const auto [first, second] = points_after(record);
        points = Value::Array{first, second};
    }
    return object({{"result", value_of(result)},
                   {"computer", is_computer ? Value(chair.player) : Value()},
                   {"is_local", record.is_local()},
                   {"clock", clock},
                   {"points", points}});
}

// ---- Changes ---------------------------------------------------------------------------------------

Value moves_value(const Position& start, const std::vector<Move>& moves) {
    return array_of(moves, [&](const Move& move) {
        return object({{"name", start.move_name(move.column)}, {"stamp_s", move.stamp_s}});
    });
}

/// The members of a record after its game has changed. Offers made before the change lapse.
Value changed_game(const Record& record, bool rewinds = false) {
    const Game& game = record.game;
    auto undone = game.undone();
    std::reverse(undone.begin(), undone.end());
    const bool on_board = game.position().is_over();
    return object({{"seq", record.seq + 1},
                   {"moves", moves_value(game.start(), game.moves())},
                   {"undone", moves_value(game.start(), undone)},
                   {"rewound", rewinds ? record.seq + 1 : record.rewound},
                   {"end", on_board ? Value() : value_of(game.result())},
                   {"draw_by", 0},
                   {"takeback_by", 0},
                   {"rematch_by", 0}});
}

/// The members of a record that begins at a position with some moves.
Value fresh(const Position& start, std::string_view opening) {
    Record record{Game(start), {}, 0, 0, {}, 0, 0, 0, false};
    for (const Step& step : play_steps(start, utf32(opening))) record.game.play({step.column, 0.0});
    Value members = changed_game(record);
    members.add("start", start.start_rows());
    members.add("width", start.width());
    members.add("height", start.height());
    members.add("opening", opening);
    members.add("rematch", nullptr);
    return members;
}

// ---- What may happen -----------------------------------------------------------------------------

void need_no_end(const Record& record) {
    if (const auto result = record.game.result())
        throw Refused{conflict, "error.over_by", {{"result", to_text(*result)}}};
}

void need_no_rematch(const Record& record) {
    if (record.has_rematch) throw Refused{conflict, "error.rematch_begun"};
}

void need_no_clock(const Record& record) {
    if (record.clock) throw Refused{conflict, "error.clock_takeback"};
}

void need_opponent(const Record& record, int side) {
    if (record.chair(3 - side).kind == "open") throw Refused{conflict, "error.nobody_there"};
}

/// The change, with how things stand after it if the home asks for that.
Value with_standing(const Value& request, const Record& record, Value members) {
    if (!request.get("standing").is_null()) members.add("standing", standing_of(record));
    return members;
}

Value play_disc(const Value& request) {
    Record record = record_from(request.at("record"));
    Game& game = record.game;
    const auto sides = request.at("sides").integers("sides", 1, 2);
    const int column = static_cast<int>(request.at("column").integer("column", 0, 99));
    const auto ply = static_cast<std::size_t>(request.at("ply").integer("ply", 0, 1'000'000));
    const auto begin = static_cast<std::size_t>(game.start().ply());
    const int side = record.mover(ply - std::min(ply, begin));
    const bool is_theirs = std::find(sides.begin(), sides.end(), side) != sides.end();
    const Value& seq = request.get("seq");
    if (seq.whole() != nullptr && *seq.whole() < record.rewound)
        throw Refused{conflict, "error.taken_back"};
    if (ply >= begin && ply < record.next_ply()) {
        if (game.moves()[ply - begin].column == column && is_theirs) return nullptr;
        throw Refused{conflict, "error.already_played"};
    }
    if (ply != record.next_ply())
        throw Refused{conflict, "error.next_disc", {{"number", record.next_ply() + 1}}};
    need_no_end(record);
    if (ends_by_time(record, request.get("stamp_s")))
        return with_standing(request, record, changed_game(record));
    if (!is_theirs) throw Refused{conflict, "error.other_turn"};
    if (const auto error = game.position().refusal(column)) {
        if (error->reason != Refusal::off_the_board)
            throw Refused{impossible, error->code(), error->facts()};
        throw Refused{
            impossible, "error.no_such_column", {{"column", std::string{column_name(column)}}}};
    }
    game.play({column, stamp_from(request.get("stamp_s"))});
    return with_standing(request, record, changed_game(record));
}

/// The side for which the holder of these sides acts.
int acting_side(const Record& record, const std::vector<int>& sides, const Value& said) {
    const auto holds = [&](long long side) {
        return std::find(sides.begin(), sides.end(), side) != sides.end();
    };
    if (sides.empty()) throw Refused{not_theirs, "error.players_only"};
    if (said.is_null())
        return holds(record.game.position().turn()) ? record.game.position().turn() : sides[0];
    const long long side = said.integer("side", 1, 2);
    if (!holds(side)) throw Refused{not_theirs, "error.other_player"};
    return static_cast<int>(side);
}

Value resign(Record& record, int side) {
    const Outcome resigned{3 - side, Termination::resignation};
    if (record.game.result() == resigned) return nullptr;
    need_no_end(record);
    record.game.end(resigned);
    return changed_game(record);
}

/// Ends a game whose other player has left.
Value claim(Record& record, int side, const Value& away) {
    need_no_end(record);
    need_opponent(record, side);
    if (record.is_local()) throw Refused{conflict, "error.nobody_left"};
    if (away.is_null() || away.number("away_s") < away_limit_s)
        throw Refused{
            conflict, "error.still_there", {{"seconds", static_cast<long long>(away_limit_s)}}};
    record.game.end(lost_by(record, 3 - side, Termination::abandoned));
    return changed_game(record);
}

/// Takes back up to the last move of a person: the computer's go with it.
Value undo(Record& record) {
    need_no_clock(record);
    if (!record.is_local()) throw Refused{conflict, "error.must_agree"};
    need_no_rematch(record);
    std::size_t left = record.game.moves().size();
    while (left > 0 && record.chair(record.mover(left - 1)).kind != "person") --left;
    if (left == 0) throw Refused{conflict, "error.no_takeback"};
    while (record.game.moves().size() >= left) record.game.undo();
    return changed_game(record, true);
}

/// Plays again what was taken back last, with the computer's answer to it.
Value redo(Record& record) {
    need_no_clock(record);
    if (!record.is_local()) throw Refused{conflict, "error.play_again"};
    need_no_rematch(record);
    need_no_end(record);
    Game& game = record.game;
    if (game.undone().empty()) throw Refused{conflict, "error.no_redo"};
    do {
        game.redo();
    } while (!game.undone().empty() && !game.is_over() &&
             record.chair(game.position().turn()).kind == "computer");
    return changed_game(record, true);
}

enum class Verb { offer, accept, decline };

/// Whether both want it now. Refuses an answer to what was not offered.
bool is_agreed(const Record& record, int offered_by, int side, Verb verb, const char* missing) {
    if (verb == Verb::offer) return record.is_local() || offered_by == 3 - side;
    if (offered_by == 3 - side) return verb == Verb::accept;
    if (verb == Verb::decline && offered_by == side) return false;  // withdraws the own offer
    throw Refused{conflict, missing};
}

/// The change of who offers something.
Value offered(const Record& record, const char* member, int offered_by, int side, Verb verb) {
    const int now = verb == Verb::offer ? side : 0;
    if (now == offered_by) return nullptr;
    return object({{"seq", record.seq + 1}, {member, now}});
}

Value draw(Record& record, int side, Verb verb) {
    const Outcome agreed{0, Termination::agreement};
    if (record.game.result() == agreed && verb != Verb::decline) return nullptr;
    need_no_end(record);
    need_opponent(record, side);
    if (record.chair(3 - side).kind == "computer") throw Refused{conflict, "error.computer_plays_on"};
    if (!is_agreed(record, record.draw_by, side, verb, "error.no_draw_offer"))
        return offered(record, "draw_by", record.draw_by, side, verb);
    record.game.end(agreed);
    return changed_game(record);
}

Value take_back(Record& record, int side, Verb verb) {
    need_no_clock(record);
    need_opponent(record, side);
    need_no_rematch(record);
    const bool is_wanted = is_agreed(record, record.takeback_by, side, verb, "error.no_takeback_offer");
    // So many discs have to go that it is their turn to choose again.
    const int chooser = is_wanted && record.takeback_by != 0 ? record.takeback_by : side;
    const std::size_t plies = record.game.position().turn() == chooser ? 2 : 1;
    if ((is_wanted || verb == Verb::offer) && plies > record.game.moves().size())
        throw Refused{conflict, "error.no_takeback"};
    if (!is_wanted) return offered(record, "takeback_by", record.takeback_by, side, verb);
    for (std::size_t i = 0; i < plies; ++i) record.game.undo();
    return changed_game(record, true);
}

Value offer_rematch(Record& record, int side, Verb verb) {
    if (record.has_rematch && verb != Verb::decline) return nullptr;
    need_no_rematch(record);
    need_opponent(record, side);
    if (!record.game.is_over()) throw Refused{conflict, "error.not_over"};
    if (!is_agreed(record, record.rematch_by, side, verb, "error.no_rematch_offer"))
        return offered(record, "rematch_by", record.rematch_by, side, verb);
    return object({{"seq", record.seq + 1}, {"rematch_by", 0}, {"rematch", true}});
}

Value act(const Value& request) {
    Record record = record_from(request.at("record"));
    const Value& seq = request.get("seq");
    if (!seq.is_null() && seq != Value(record.seq)) throw Refused{conflict, "error.game_changed"};
    const int side =
        acting_side(record, request.at("sides").integers("sides", 1, 2), request.get("side"));
    const std::string& kind = request.at("kind").text("kind");
    if (ends_by_time(record, request.get("stamp_s"))) return changed_game(record);
    const bool asks_nobody = kind == "offer-takeback" && record.is_local();
    if (kind == "claim") return claim(record, side, request.get("away_s"));
    if (kind == "resign") return resign(record, side);
    if (kind == "undo" || asks_nobody) return undo(record);
    if (kind == "redo") return redo(record);
    static constexpr std::array<std::string_view, 3> verbs{"offer-", "accept-", "decline-"};
    for (std::size_t i = 0; i < verbs.size(); ++i) {
        if (!kind.starts_with(verbs[i])) continue;
        const auto verb = static_cast<Verb>(i);
        const std::string what = kind.substr(verbs[i].size());
        if (what == "draw") return draw(record, side, verb);
        if (what == "takeback") return take_back(record, side, verb);
        if (what == "rematch") return offer_rematch(record, side, verb);
    }
    throw OptionError("error.no_action", {{"kind", quoted(utf32(kind))}});
}

Value new_game(const Value& request) {
    const Position start = start_from(request);
    Value members = fresh(start, text_of(request, "moves"));
    if (play_text(start, utf32(text_of(request, "moves"))).is_over())
        throw Refused{impossible, "error.over_before"};
    return members;
}

Value standing(const Value& request) { return standing_of(record_from(request.at("record"))); }

Value time_out(const Value& request) {
    Record record = record_from(request.at("record"));
    return ends_by_time(record, request.at("stamp_s")) ? changed_game(record) : Value();
}

Value rematch(const Value& request) {
    const Value& given = request.at("record");
    const Record record = record_from(given);
    Value members = fresh(record.game.start(), record.opening);
    const auto& chairs = given.at("chairs").array("chairs");
    members.add("chairs", Value::Array{chairs[1], chairs[0]});
    const auto [first, second] = points_after(record);
    members.add("points", Value::Array{second, first});
    if (record.clock) members.add("clock", clock_value(*record.clock, 0.0));
    return members;
}

/// The answer of a rule, or why it refuses.
template <Value (*rule)(const Value& request)>
Value ruled(const Value& request, const Context&) {
    try {
        return rule(request);
    } catch (const Refused& refused) {
        return object(
            {{"refused",
              object({{"status", refused.status}, {"code", refused.code}, {"facts", refused.facts}})}});
    }
}

}  // namespace

std::span<const Question> web_game_questions() {
    static constexpr std::array<Question, 6> questions{{{"game.new", ruled<new_game>},
                                                        {"game.standing", ruled<standing>},
                                                        {"game.play", ruled<play_disc>},
                                                        {"game.time", ruled<time_out>},
                                                        {"game.act", ruled<act>},
                                                        {"game.rematch", ruled<rematch>}}};
    return questions;
}

bool is_game_rule(std::string_view question) {
    const auto questions = web_game_questions();
    return std::any_of(questions.begin(), questions.end(),
                       [&](const Question& each) { return each.name == question; });
}

}  // namespace fourcast::study
