#include "ideas.hpp"

#include <algorithm>

#include "board/center.hpp"
#include "force.hpp"
#include "played_out.hpp"
#include "proof_value.hpp"
#include "rules.hpp"
#include "sentences.hpp"
#include "solver/said.hpp"
#include "strategy.hpp"
#include "tactics.hpp"

namespace fourcast::reasons {
namespace {

using Bits = u128;
using Shape = AnyShape<Bits>;
using Facts = std::initializer_list<Value::Member>;

constexpr int verdict_words = 8;
constexpr std::size_t most_exchanges = 4;
constexpr std::size_t most_named_moves = 4;
constexpr std::size_t most_named_squares = 3;
constexpr std::size_t longest_example = 40;
constexpr std::size_t far_moves = 3;
constexpr int soon = 3;

Position played(Position position, const std::vector<int>& columns) {
    for (const int column : columns) position = position.play(column);
    return position;
}

/// The moves that a player makes from a position on, and the replies.
Value moves_from(Position position, int player, const std::vector<int>& columns, std::size_t most) {
    const bool begins_with_reply = position.turn() != player;
    std::vector<Square> squares;
    for (const int column : columns) {
        squares.push_back(landing(position, column));
        position = position.play(column);
    }
    return said_moves(squares, begins_with_reply, most);
}

/// The first moves of a line of play: "O 5/3, X 4/1".
Value::Array line_of_play(Position position, const std::vector<int>& columns) {
    Value::Array moves;
    for (const int column : columns) {
        if (moves.size() == most_named_moves) {
            moves.push_back(say("moves_more"));
            break;
        }
        moves.push_back(say("move_of", {{"player", said_player(position.turn())},
                                        {"square", said_square(landing(position, column))}}));
        position = position.play(column);
    }
    return moves;
}

/// A four's squares in every line through `square` that `mine` holds but for it.
std::vector<Bits> lines_through(const Shape& shape, Bits mine, Bits square) {
    std::vector<Bits> lines;
    const Bits all = mine | square;
    for (const int step : directions(shape))
        for (const Bits start : each_square(fours_from(shape, all, step))) {
            const Bits four = start | (start << step) | (start << (2 * step)) | (start << (3 * step));
            if ((four & square) != 0) lines.push_back(four);
        }
    return lines;
}

class IdeaOf {
  public:
    IdeaOf(const Explanation& explanation, const BestPlay& best_play)
        : found_(explanation),
          best_play_(best_play),
          root_(explanation.verdict.position),
          start_(played(root_, explanation.line)),
          shape_(root_.width(), root_.height()),
          height_(root_.height()) {}

    Value make() {
        const Result& verdict = found_.verdict;
        if (verdict.lower > 0)
            player_ = root_.turn();
        else if (verdict.upper < 0)
            player_ = 3 - root_.turn();
        if (verdict.complete) {
            say_block();
            if (player_ == 0 || player_ == root_.turn()) {
                spoiled_ = spoiled_columns();
                shared_ = shared_answer();
            }
            if (player_ != 0)
                say_win();
            else if (verdict.lower == 0 && verdict.upper == 0)
                say_draw();
        }
        if (kind_ == "none") add(0, say(found_.complete ? "no_reason" : "no_time"));
        return value();
    }

  private:
    // ---- Sentences -------------------------------------------------------------------------------

    /// A sentence about the winner, or about any player.
    Value told(std::string_view pattern, Facts facts = {}) const {
        return told(player_, pattern, facts);
    }
    static Value told(int player, std::string_view pattern, Facts facts = {}) {
        Value::Object all{{"player", said_player(player)}, {"opponent", said_player(3 - player)}};
        all.insert(all.end(), facts);
        return object({{"pattern", pattern}, {"facts", std::move(all)}});
    }
    void add(int rank, Value sentence) { text_.add(rank, std::move(sentence)); }

    Square square(Bits bit) const { return square_of(bit, height_); }
    Value both(Bits bits) const { return said_both(squares_of(bits, height_)); }
    Value either(Bits bits) const { return said_either(squares_of(bits, height_)); }
    Value one(Bits bit) const { return said_square(square(bit)); }

    Value value() {
        const auto line = [&](Bits each) { return squares_value(each, height_); };
        return object({{"kind", kind_},
                       {"tier", tier_ ? std::optional(static_cast<int>(*tier_)) : std::nullopt},
                       {"player", player_ == 0 ? std::nullopt : std::optional(player_)},
                       {"squares", squares_value(squares_, height_)},
                       {"lines", array_of(lines_, line)},
                       {"count", count_},
                       {"after", found_.line.size()},
                       {"line", example_},
                       {"threats", lasting_value()},
                       {"said", text_.take()},
                       {"brief", brief_}});
    }

    // ---- What is on the board --------------------------------------------------------------------

    /// The squares on which a player wins once they can be played, which they cannot now.
    Bits lasting(int player) const { return root_.threats(player) & ~fours_now(root_, player); }

    Value lasting_value() const {
        Value::Array found;
        for (const int player : {1, 2})
            for (const Bits each : each_square(lasting(player)))
                found.push_back(object(
                    {{"player", player},
                     {"square", square_value(each, height_)},
                     {"line", squares_value(line_through(root_, root_.discs(player), each), height_)}}));
        return found;
    }

    void say_block() {
        const int turn = root_.turn();
        const Bits threat = fours_now(root_, 3 - turn);
        if (threat == 0 || more_than_one(threat) || fours_now(root_, turn) != 0) return;
        if ((root_.threats(3 - turn) & threat << 1) != 0) return;
        must_block_ = threat;
        add(0, told(turn, "idea_block", {{"square", one(threat)}}));
    }

    // ---- Wins ------------------------------------------------------------------------------------

    void say_win() {
        const std::size_t begin = text_.size();
        if (found_.claims.empty()) {
            say_example();
            const std::size_t middle = text_.size();
            say_danger(2);
            say_choice();
            say_next();
            text_.put_first(begin, middle);
            return;
        }
        const Claim& claim = found_.claims[0];
        const auto* const force = std::get_if<ForceLine>(&claim.proof);
        std::vector<int> columns = claim.start;
        if (force != nullptr)
            columns.insert(columns.end(), force->columns.begin(), force->columns.end());
        Position at = start_;
        if (found_.line.empty() && must_block_ != 0 && !columns.empty()) {
            // The block has been said, but for one that asks for a reply.
            const Position next = at.play(columns[0]);
            if (next.turn() == player_ || columns.size() == 1) {
                at = next;
                columns.erase(columns.begin());
            }
        }
        if (force != nullptr)
            say_force(at, columns);
        else if (const auto end = end_at(start_, player_); end && end->kind != End::Kind::zug)
            say_force(start_, {});
        else if (!say_whatever())
            say_ends(at, columns, claim);
        const bool is_quiet = kind_ == "zugzwang" || kind_ == "threats" || kind_ == "mixed";
        const std::size_t middle = text_.size();
        if (is_quiet || kind_ == "example") say_danger(2);
        if (is_quiet) say_merit(found_.line.empty() ? claim.start : found_.line);
        say_choice();
        if (!found_.line.empty() || kind_ == "mixed") say_next();
        if (is_quiet) say_beware();
        // What comes after many moves is said after what there is to see now.
        if (found_.line.size() >= far_moves) text_.put_first(begin, middle);
        if (!rule_.empty()) add(4, say(rule_));
    }

    /// That best play comes before the reason: as a sentence, or as the beginning of one.
    Value said_later(const std::string& pattern) const {
        return say(pattern + "_later",
                   {{"count", found_.line.size()}, {"moves", line_of_play(root_, found_.line)}});
    }
    void say_later() {
        if (!found_.line.empty()) add(0, said_later("idea"));
    }
    Value::Member lead() const {
        return {"lead", found_.line.empty() ? say("lead_zugzwang") : said_later("lead")};
    }

    /// Where the winner must not play: below lasting threats of the loser's that the plan is not about.
    void say_beware() {
        const Position at = now_at();
        const Bits open = at.turn() == player_ ? playable(shape_, at.mask()) : 0;
        const Bits own = squares_ | at.threats(player_);
        const Bits below = (lasting(3 - player_) & ~squares_) >> 1 & ~at.mask() & ~open & ~own;
        if (below == 0 || popcount(below) > static_cast<int>(most_named_squares)) return;
        add(rank_of_extras, told("idea_beware", {{"either", either(below)}}));
    }

    /// What is good about the first move of the side that keeps its result, after those that only force
    /// a reply.
    void say_merit(const std::vector<int>& columns) {
        if (columns.empty() || must_block_ != 0 || (player_ != 0 && player_ != root_.turn())) return;
        Position at = root_;
        std::size_t i = 0;
        while (i + 2 < columns.size() && fours_now(at.play(columns[i]), at.turn()) != 0) {
            at = at.play(columns[i]).play(columns[i + 1]);
            i += 2;
        }
        const Value merit = said_of_merit(at, columns[i]);
        const std::string& pattern = pattern_of(merit);
        const bool is_telling = is_news(merit);
        // The moves of best play that come first are said with the idea.
        if (!is_telling && !found_.line.empty() && player_ != 0)
            add(rank_of_extras, told("do_first", {{"column", said_column(columns[0])}}));
        if (is_telling || pattern == "does_most")
            add(is_telling ? 3 : rank_of_extras, does("does", merit));
    }

    /// Whether what is good about a move is more than that it takes the busiest square, and no other
    /// sentence says it.
    bool is_news(const Value& merit) const {
        if (merit.is_null()) return false;
        const std::string& pattern = pattern_of(merit);
        const Value& facts = merit.at("facts");
        if (pattern == "does_threaten_now" || pattern == "does_most") return false;
        if (pattern.starts_with("does_prevent")) return fails_ == 0;
        // The threat that the idea is about.
        if (pattern == "does_threaten")
            return std::ranges::none_of(squares_of(squares_, height_), [&](const Square& each) {
                return facts.at("square") == said_square(each);
            });
        // The key square is said with the threat that the opponent would make there.
        const Value key = shared_.wins ? said_column(square(shared_.answer).column) : Value();
        return pattern != "does_deny" || facts.at("column") != key ||
               common_threat(shared_.columns, shared_.answer).is_null();
    }

    /// A series of threats from a position on, up to the four.
    void say_force(Position at, const std::vector<int>& columns) {
        say_threats_at_once(at, columns);
        say_later();
    }
    void say_threats_at_once(Position at, const std::vector<int>& columns) {
        const Position begin = at;
        std::vector<int> before;
        std::size_t i = 0;
        if (at.turn() == player_ && !columns.empty()) {
            if (const Bits four = fours_now(at, player_); four != 0) {
                const Bits here = landing_bit(at, columns[0]);
                const Bits line = line_through(at, at.discs(player_), here);
                kind_ = "four";
                squares_ = here;
                lines_ = {line};
                add(0, told("idea_four", {{"square", one(here)}, {"line", said_line(line, height_)}}));
                brief_ = told("brief_four", {{"square", one(here)}});
                return;
            }
        }
        // To the disc after which nothing can be blocked any more.
        while (!end_at(at, player_) && i < columns.size()) {
            before.push_back(columns[i]);
            at = at.play(columns[i++]);
        }
        const auto end = end_at(at, player_);
        if (!end) return;
        const bool is_two = end->kind == End::Kind::two;
        squares_ = end->squares;
        kind_ = is_two ? "two" : "stack";
        rule_ = is_two ? "rule_two" : "rule_stack";
        for (const Bits each : each_square(squares_))
            lines_.push_back(line_through(at, at.discs(player_), each));
        const Bits lower = lowest(squares_);
        const auto with_end = [&](const std::string& pattern, Value::Object facts) {
            if (is_two) {
                facts.emplace_back("both", both(squares_));
            } else {
                facts.emplace_back("other", one(lower));
                facts.emplace_back("above", one(squares_ & ~lower));
            }
            Value::Object all{{"player", said_player(player_)}, {"opponent", said_player(3 - player_)}};
            all.insert(all.end(), facts.begin(), facts.end());
            return object(
                {{"pattern", pattern + (is_two ? "_two" : "_stack")}, {"facts", std::move(all)}});
        };
        if (before.empty()) {
            if (const Bits three = open_three(at); three != 0) {
                rule_ = "rule_open_three";
                add(0, told("idea_open_three",
                            {{"where", said_where(line_through(at, at.discs(player_), lower), height_)},
                             {"both", both(squares_)}}));
            } else {
                add(0, with_end("idea_now", {}));
            }
            brief_ = with_end("brief_now", {});
            return;
        }
        const int key = before.back();
        before.pop_back();
        const Value key_square = said_square(landing(played(begin, before), key));
        if (before.empty()) {
            add(0, with_end("idea_play", {{"square", key_square}}));
            brief_ = with_end("brief_play", {{"square", key_square}});
            return;
        }
        kind_ = "force";
        const Value moves = moves_from(begin, player_, before, 2 * most_exchanges);
        add(0, with_end("idea_force", {{"moves", moves}, {"square", key_square}}));
        brief_ =
            told("brief_force", {{"moves", moves}, {"square", key_square}, {"both", both(squares_)}});
    }

    /// That every reply which does not lose at once has the same answer, with which a few threats win.
    bool say_whatever() {
        if (root_.turn() == player_ || must_block_ != 0 || !found_.line.empty()) return false;
        Bits answer = 0;
        std::optional<End> last;
        for (const int column : each(root_.legal_columns())) {
            Position at = root_.play(column);
            if (at.is_over()) return false;
            if (fours_now(at, player_) != 0) continue;
            const std::vector<int> line = forcing_line(at, short_discs);
            if (line.empty() || (answer != 0 && answer != landing_bit(at, line[0]))) return false;
            answer = landing_bit(at, line[0]);
            std::optional<End> end;
            for (const int next : line) {
                at = at.play(next);
                if ((end = end_at(at, player_))) break;
            }
            if (!end || (last && (last->squares != end->squares || last->kind != end->kind)))
                return false;
            last = end;
        }
        if (!last) return false;
        kind_ = "force";
        squares_ = last->squares;
        rule_ = last->kind == End::Kind::two ? "rule_two" : "rule_stack";
        const Value::Member square{"square", one(answer)};
        add(0, told("idea_whatever", {square, {"both", both(squares_)}}));
        brief_ = told("brief_whatever", {square});
        return true;
    }

    /// The three discs of an open three: both threatened squares complete a four with them.
    Bits open_three(const Position& at) const {
        const Bits mine = at.discs(player_);
        const Bits first = lowest(squares_);
        const Bits other = squares_ & ~first;
        if (popcount(squares_) != 2) return 0;
        for (const Bits line : lines_through(shape_, mine, first))
            for (const Bits second : lines_through(shape_, mine, other))
                if ((line & ~first) == (second & ~other)) return line & ~first;
        return 0;
    }

    /// What a claim leads to.
    void say_ends(const Position& at, const std::vector<int>& columns, const Claim& claim) {
        const Ends ends = play_ends(start_, claim, best_play_);
        if (is_follow_up(claim) && (ends.ends.empty() || ends.tier >= Tier::longest)) {
            add(0, told("idea_follow"));
            rule_ = "rule_follow";
        }
        if (ends.ends.empty()) {
            say_example();
        } else if (ends.tier == Tier::mixed) {
            say_mixed(ends.ends);
        } else if (ends.is_zug) {
            tier_ = ends.tier;
            say_zugzwang(ends);
        } else {
            tier_ = ends.tier;
            say_threats(ends);
            say_later();
        }
        if (kind_ != "example") say_sooner(claim);
        say_what_to_do(at, columns, claim);
    }

    /// How exact it is, as the end of a sentence, and of a reason in brief.
    Value::Member unless() const { return unless("unless_"); }
    Value::Member unless_in_brief() const { return unless("brief_unless_"); }
    Value::Member unless(const std::string& name) const {
        const int tier = static_cast<int>(*tier_);
        // What comes after one line of best play says nothing of other defenses.
        const std::string pattern = found_.line.empty() ? name : "brief_unless_";
        return {"unless", tier == 1 ? Value("") : told(pattern + std::to_string(tier))};
    }

    void say_zugzwang(const Ends& ends) {
        kind_ = "zugzwang";
        const End& first = ends.ends[0];
        const bool is_one_rest =
            std::ranges::all_of(ends.ends, [&](const End& end) { return end.empty == first.empty; });
        Bits all = 0, always = first.squares;
        for (const End& end : ends.ends) {
            all |= end.squares;
            always &= end.squares;
        }
        const bool is_one_set = all == always;
        // One square that all games have says most, then all squares of all games, then some of them.
        const bool is_among = !is_one_set && always != 0 && !more_than_one(always);
        const bool is_few =
            is_one_set || (!is_among && popcount(all) <= static_cast<int>(most_named_squares));
        squares_ = is_among ? always : is_few ? all : most_common(ends.ends);
        const auto squares = squares_of(squares_, height_);
        const Bits below = squares_ >> 1;
        find_lines(ends.ends);
        // Squares of one and the same line are never threatened at once.
        const bool is_one_line = squares.size() > 1 && lines_.size() == squares.size() &&
                                 std::ranges::count(lines_, lines_[0]) == std::ssize(lines_);
        if ((is_few && !is_one_set) || is_one_line)
            add(0, told("idea_gets_either", {lead(), {"either", with_lines(either(squares_))}}));
        else if (const Bits there = squares_ & now_at().threats(player_);
                 !is_few && !is_among && there != squares_)
            say_threat_of_most_games(there);
        else
            say_threat(squares);
        const Value blow = either(below);
        brief_ = told(is_few ? "brief_zugzwang" : "brief_zugzwang_often",
                      {{"either", blow}, unless_in_brief()});
        if (is_one_set && is_one_rest) {
            const Bits empty = shape_.board() & ~start_.mask();
            const int count = popcount(empty) - popcount(first.empty);
            count_ = count;
            const int turn = start_.turn();
            const Value::Member starts{"first", said_player(turn)};
            const Value::Member last{"last", said_player(player_)};
            const Value::Member number{"count", count};
            const Value::Member under{"under", both(below)};
            // Squares that are left after many moves are of no use to anybody.
            const bool is_far = found_.line.size() >= far_moves;
            if (count == 0)
                add(0, told("idea_count_none", {{"either", blow}, unless()}));
            else if (is_far)
                add(0, told("idea_waits", {{"either", blow}, unless()}));
            else if (turn == player_)
                add(0, told(count == 1 ? "idea_count_one" : "idea_count_same",
                            {under, number, starts, last}));
            else
                add(0, told("idea_count_other", {under, number, starts, last}));
            if (!is_far && count > 0) add(0, told("idea_then", {{"either", blow}, unless()}));
        } else {
            add(0, told(is_few     ? "idea_waits"
                        : is_among ? "idea_waits_among"
                                   : "idea_waits_often",
                        {{"either", blow}, unless()}));
        }
        if (*tier_ > Tier::longest) return;
        if (height_ % 2 == 0 && squares_ == always && squares.size() == 1) {
            const bool is_odd = squares[0].row % 2 == 0;
            if (player_ == 1 && is_odd) rule_ = "rule_odd";
            if (player_ == 2 && !is_odd) rule_ = "rule_even";
        } else if (is_one_rest && is_one_set) {
            rule_ = "rule_count";
        }
    }

    /// Says so if the winner takes more moves this way than the verdict has: by the first move, or by
    /// the number of squares that are filled before the end.
    void say_sooner(const Claim& claim) {
        const int discs = static_cast<int>(found_.line.size()) + count_.value_or(0) + 2;
        const int moves = root_.turn() == player_ ? (discs + 1) / 2 : discs / 2;
        is_slow_ = found_.line.empty() && root_.turn() == player_ && !claim.start.empty() &&
                   !contains(found_.verdict.best_columns.value_or(0), claim.start[0]);
        const bool is_far = found_.line.size() >= far_moves;
        if (is_slow_ || (!is_far && count_ && moves > least_moves()))
            add(0, told("idea_sooner", {{"count", least_moves()}}));
    }

    /// Moves of the winner's to the quickest win.
    int least_moves() const {
        const Result& verdict = found_.verdict;
        return winner_moves(root_.cells(), root_.ply(),
                            verdict.lower > 0 ? verdict.lower : verdict.upper);
    }

    /// Squares with the lines of all of them in brackets, if those are the same in all games.
    Value with_lines(const Value& squares) const {
        Value::Array lines;
        for (const Bits line : lines_)
            if (const Value said = said_line(line, height_); std::ranges::count(lines, said) == 0)
                lines.push_back(said);
        const bool has_all = static_cast<int>(lines_.size()) == popcount(squares_);
        return has_all ? say("by_lines", {{"squares", squares}, {"lines", lines}}) : squares;
    }

    /// The same of squares that only most games end with: of one that is there now, else as examples.
    void say_threat_of_most_games(Bits there) {
        if (there == 0 || more_than_one(there)) {
            add(0, told("idea_gets_often", {lead(), {"either", with_lines(either(squares_))}}));
            return;
        }
        const Position at = now_at();
        const Bits line = line_through(at, at.discs(player_), there);
        add(0, told("idea_has", {lead(),
                                 {"threat", said_parity(square(there))},
                                 {"square", one(there)},
                                 {"line", said_line(line, height_)}}));
    }

    /// "X has an odd threat at 3/3 (row 3)", or will get it.
    void say_threat(const std::vector<Square>& squares) {
        const Position at = now_at();
        const Bits now = at.threats(player_);
        const bool has = (squares_ & ~now) == 0;
        if (squares.size() == 2 && !has && (squares_ & now) != 0 && lines_.size() == 2) {
            const std::size_t there = square(squares_ & now) == squares[0] ? 0 : 1;
            add(0, told("idea_has_and_gets", {lead(),
                                              {"square", said_square(squares[there])},
                                              {"line", said_line(lines_[there], height_)},
                                              {"other", said_square(squares[1 - there])},
                                              {"more", said_line(lines_[1 - there], height_)}}));
            return;
        }
        if (squares.size() > 1) {
            add(0, told(has ? "idea_has_some" : "idea_gets_some",
                        {lead(), {"both", with_lines(both(squares_))}}));
            return;
        }
        const Value::Member threat{"threat", said_parity(squares[0])};
        const Value::Member where{"square", said_square(squares[0])};
        if (lines_.empty()) {
            add(0, told("idea_gets_bare", {lead(), threat, where}));
            return;
        }
        const Value::Member line{"line", said_line(lines_[0], height_)};
        if (has) {
            add(0, told("idea_has", {lead(), threat, where, line}));
            return;
        }
        const Bits missing = lines_[0] & ~at.discs(player_) & ~squares_;
        add(0, told("idea_gets", {lead(), threat, where, line, {"missing", both(missing)}}));
    }

    /// The squares that most games end with, as many as can be named.
    Bits most_common(const std::vector<End>& ends) const {
        std::vector<std::pair<double, Bits>> counted;
        Bits all = 0;
        for (const End& end : ends) all |= end.squares;
        for (const Bits each : each_square(all)) {
            double share = 0;
            for (const End& end : ends)
                if ((end.squares & each) != 0) share += end.share;
            counted.emplace_back(share, each);
        }
        std::ranges::stable_sort(counted, std::greater{}, &std::pair<double, Bits>::first);
        Bits named = 0;
        for (const auto& [share, each] : counted)
            if (popcount(named) < 1 || (popcount(named) < 2 && share * 2 > counted[0].first))
                named |= each;
        return named;
    }

    /// The position as a reader sees it: now, after a block that has been said.
    Position now_at() const {
        const bool is_block_said = must_block_ != 0 && found_.line.empty();
        return is_block_said ? root_.play(square(must_block_).column) : root_;
    }

    /// The lines of all squares that have one: of a threat that is there now its own.
    void find_lines(const std::vector<End>& ends) {
        const Position at = now_at();
        for (const Bits each : each_square(squares_)) {
            const bool is_there = (each & at.threats(player_)) != 0;
            const Bits line =
                is_there ? line_through(at, at.discs(player_), each) : common_line(ends, each);
            if (line != 0) lines_.push_back(line);
        }
    }

    /// A line that completes a four on `square` at every end that has it; 0 if there is none.
    Bits common_line(const std::vector<End>& ends, Bits square) const {
        std::optional<std::vector<Bits>> common;
        for (const End& end : ends) {
            if ((end.squares & square) == 0) continue;
            const std::vector<Bits> lines = lines_through(shape_, end.mine, square);
            if (!common) {
                common = lines;
                continue;
            }
            std::erase_if(*common, [&](Bits each) { return std::ranges::count(lines, each) == 0; });
        }
        return common && !common->empty() ? common->front() : 0;
    }

    void say_threats(const Ends& ends) {
        kind_ = "threats";
        const End& first = ends.ends[0];
        const bool is_one = std::ranges::all_of(ends.ends, [&](const End& end) {
            return end.squares == first.squares && end.kind == first.kind;
        });
        squares_ = is_one ? first.squares : most_common_pair(ends.ends);
        const bool is_stack = first.kind == End::Kind::stack;
        find_lines(ends.ends);
        const Value pair = both(squares_);
        if (is_one && is_stack) {
            const Bits lower = lowest(squares_);
            if (*tier_ <= Tier::longest) rule_ = "rule_stack";
            const bool has = found_.line.empty() && (squares_ & ~now_at().threats(player_)) == 0;
            add(0, told(has ? "idea_stacked" : "idea_stacked_gets", {{"both", with_lines(pair)},
                                                                     {"other", one(lower)},
                                                                     {"above", one(lower << 1)},
                                                                     unless()}));
            brief_ = told("brief_stacked", {{"both", pair}, unless_in_brief()});
            return;
        }
        if (*tier_ <= Tier::longest) rule_ = "rule_two";
        if (is_one)
            add(0, told("idea_twice", {{"both", with_lines(pair)}, unless()}));
        else if (!say_short_line() && !say_second_threat())
            add(0, told("idea_threats", {{"both", with_lines(pair)}, unless()}));
        brief_ = told(is_one ? "brief_twice" : "brief_threats",
                      {{"both", both(squares_)}, unless_in_brief()});
    }

    /// If one of the two threats is there already: that, and which one comes.
    bool say_second_threat() {
        const Position at = now_at();
        const Bits there = squares_ & at.threats(player_);
        if (there == 0 || more_than_one(there)) return false;
        const Bits line = line_through(at, at.discs(player_), there);
        add(0, told("idea_threats_second", {{"square", one(there)},
                                            {"line", said_line(line, height_)},
                                            {"either", either(squares_ & ~there)},
                                            unless()}));
        return true;
    }

    /// How a short line of best play ends with two threats.
    bool say_short_line() {
        if (!best_play_ || !found_.line.empty()) return false;
        const auto [columns, end, last] = best_line(start_, player_);
        if (!end || end->kind == End::Kind::zug || columns.empty() || columns.size() > most_named_moves)
            return false;
        squares_ = end->squares;
        lines_.clear();
        for (const Bits each : each_square(squares_))
            lines_.push_back(line_through(last, end->mine, each));
        example_ = columns;
        add(0, told("idea_threats_line", {{"moves", line_of_play(start_, columns)},
                                          {"both", with_lines(both(squares_))},
                                          unless()}));
        return true;
    }

    /// That some games end with two threats and others in zugzwang: by the square that all of them have,
    /// else by an example.
    void say_mixed(const std::vector<End>& ends) {
        kind_ = "mixed";
        tier_ = Tier::longest;
        const auto is_zug = [](const End& end) { return end.kind == End::Kind::zug; };
        std::vector<End> threats, zugzwangs;
        std::ranges::partition_copy(ends, std::back_inserter(zugzwangs), std::back_inserter(threats),
                                    is_zug);
        const Bits pair = most_common_pair(threats);
        const Bits above = most_common_pair(zugzwangs);
        Bits always = pair & above;
        for (const End& end : ends) always &= end.squares;
        if (always != 0 && !more_than_one(always)) {
            say_target(ends, zugzwangs, always, pair);
            return;
        }
        say_example();
    }

    /// That one square is among those of every end, whatever comes of it.
    void say_target(const std::vector<End>& ends, const std::vector<End>& zugzwangs, Bits target,
                    Bits pair) {
        squares_ = target;
        find_lines(ends);
        const bool has = (target & now_at().threats(player_)) != 0;
        const Value::Member aim{"aim", told(has ? "aim_has" : "aim_plans")};
        const bool is_alone =
            std::ranges::all_of(zugzwangs, [&](const End& end) { return end.squares == target; });
        const Value::Member where{"either", either(target)};
        add(0,
            told(is_alone ? "idea_target" : "idea_target_among", {aim,
                                                                  {"either", with_lines(either(target))},
                                                                  {"under", one(target >> 1)},
                                                                  {"both", both(pair & ~target)},
                                                                  unless()}));
        brief_ = told("brief_target", {where, unless_in_brief()});
        say_later();
    }

    Bits most_common_pair(const std::vector<End>& ends) const {
        std::vector<std::pair<Bits, double>> counted;
        for (const End& end : ends) {
            const auto known = std::ranges::find(counted, end.squares, &std::pair<Bits, double>::first);
            if (known == counted.end())
                counted.emplace_back(end.squares, end.share);
            else
                known->second += end.share;
        }
        return std::ranges::max_element(counted, {}, &std::pair<Bits, double>::second)->first;
    }

    /// Best play of both sides from a position on, to an end with `player` as the winner; no columns if
    /// there is none.
    struct Line {
        std::vector<int> columns{};
        std::optional<End> end{};
        Position last;
    };
    Line best_line(Position at, int player) const {
        Line line{{}, {}, at};
        while (!(line.end = end_at(line.last, player)) && line.columns.size() < longest_example) {
            line.columns.push_back(central(best_play_(line.last).columns));
            line.last = line.last.play(line.columns.back());
            if (line.last.is_over()) break;
        }
        return line;
    }

    /// Of some columns the one nearest to the center.
    int central(ColumnSet columns) const {
        for (const int column : columns_from_center(root_.width()))
            if (contains(columns, column)) return column;
        return 0;
    }

    /// What either side does next by best play that the board shows: a threat, or what stops one; after
    /// a block also who takes the busiest square.
    void say_next() {
        if (!best_play_) return;
        std::vector<int> columns;
        Value next;
        for (Position at = root_; columns.size() < most_named_moves && !at.is_over();) {
            const int column = central(best_play_(at).columns);
            // Not what the loser is said to have to open in the end.
            const bool is_waiting =
                kind_ == "zugzwang" && (squares_ >> 1 & landing_bit(at, column)) != 0;
            const auto answer = columns.empty() || is_waiting ? std::nullopt : answer_of(at, column);
            if (answer && (answer->is_telling || (must_block_ != 0 && next.is_null())))
                next = say("idea_next", {{"count", columns.size()},
                                         {"moves", line_of_play(root_, columns)},
                                         {"reason", answer->said}});
            if (answer && answer->is_telling) break;
            columns.push_back(column);
            at = at.play(column);
        }
        add(rank_of_extras, next);
    }

    /// How best play of both sides ends.
    void say_example() {
        if (!best_play_) return;
        const auto [rest, end, last] = best_line(start_, player_);
        if (!end) return;
        kind_ = "example";
        squares_ = end->squares;
        for (const Bits each : each_square(squares_))
            lines_.push_back(line_through(last, end->mine, each));
        example_ = found_.line;
        example_.insert(example_.end(), rest.begin(), rest.end());
        const Value::Member moves{"moves", line_of_play(root_, example_)};
        const Value::Member number{"number", example_.size()};
        const Value::Member pair{"both", both(squares_)};
        const Bits below = squares_ >> 1;
        const bool is_zug = end->kind == End::Kind::zug;
        if (is_zug)
            add(0,
                told(
                    "idea_example_zugzwang",
                    {number, moves, {"either", either(below)}, {"with", with_lines(either(squares_))}}));
        else
            add(0, told("idea_example_threats", {number, moves, {"both", with_lines(both(squares_))}}));
        brief_ = is_zug ? told("brief_example_zugzwang", {{"either", either(below)}})
                        : told("brief_example_threats", {pair});
    }

    // ---- What to do ------------------------------------------------------------------------------

    void say_what_to_do(const Position& at, const std::vector<int>& columns, const Claim& claim) {
        const auto how = follow_up(claim);
        if (kind_ == "example" && !how) return;  // the line says what to do
        if (columns.empty() || !found_.line.empty() || kind_ == "example") {
            // What comes after a line of best play is too far away for advice on single moves, and what
            // is won soon needs no plan.
            if (how && rule_ != "rule_follow" && columns.empty() && least_moves() > soon)
                add(3, told("do", {{"what", *how}}));
            return;
        }
        const Value moves = moves_from(at, player_, columns, 2 * most_exchanges);
        const Value begin = told("do_begin", {{"moves", moves}});
        if (how && least_moves() > soon)
            text_.add(3, told("do_begin_then", {{"moves", moves}, {"what", *how}}), begin);
        else
            add(0, begin);
    }

    static bool is_follow_up(const Claim& claim) {
        const auto* const plan = std::get_if<AnswerPlan<Bits>>(&claim.proof);
        return plan != nullptr && plan->answers.empty() && plan->takes == 1 && claim.start.empty();
    }

    /// The answers of a claim as exceptions to "on top"; nothing if there are too many.
    std::optional<Value> follow_up(const Claim& claim) const {
        std::optional<Rules> rules;
        int takes = 1;
        if (const auto* const plan = std::get_if<AnswerPlan<Bits>>(&claim.proof)) {
            rules = rules_of(*plan, height_);
            takes = plan->takes;
        } else if (const auto* const local = std::get_if<LocalProof<Bits>>(&claim.proof)) {
            rules = Rules{};
            const Position begin = played(start_, claim.start);
            for (const auto& group : local->groups) {
                if (group.free != FreeMove::never) return std::nullopt;
                const Games games = play_group(group, begin, claim.player);
                const auto more = rules_of(games, height_);
                const bool fills_column =
                    std::ranges::any_of(squares_of(games.settled, height_),
                                        [&](const Square& each) { return each.row + 1 == height_; });
                if (!more || (more_than_one(group.columns) && fills_column)) return std::nullopt;
                rules->pairs.insert(rules->pairs.end(), more->pairs.begin(), more->pairs.end());
                rules->filled.insert(rules->filled.end(), more->filled.begin(), more->filled.end());
                rules->others.insert(rules->others.end(), more->others.begin(), more->others.end());
            }
        }
        if (!rules || rules->count() > 2) return std::nullopt;
        if (rules->count() == 0) return say(takes > 1 ? "do_follow_or_force" : "do_follow");
        Value::Array exceptions;
        for (const AnswerRule& rule : rules->others) {
            if (rule.discs.size() * rule.squares.size() > most_answers) return std::nullopt;
            const auto squares = [&](const std::vector<Bits>& bits) {
                Bits all = 0;
                for (const Bits each : bits) all |= each;
                return either(all);
            };
            exceptions.push_back(
                say("but_answer", {{"either", squares(rule.discs)}, {"with", squares(rule.squares)}}));
        }
        if (const auto& pairs = rules->pairs; pairs.size() == 2)
            exceptions.push_back(told(claim.player, "but_shares",
                                      {{"square", one(pairs[0].first)},
                                       {"other", one(pairs[0].second)},
                                       {"third", one(pairs[1].first)},
                                       {"fourth", one(pairs[1].second)}}));
        else
            for (const auto& [first, second] : pairs)
                exceptions.push_back(
                    told(claim.player, "but_share", {{"square", one(first)}, {"other", one(second)}}));
        for (const auto& [first, second] : rules->filled)
            exceptions.push_back(say("but_fill", {{"columns", said_columns({first, second})}}));
        return say(takes > 1 ? "do_follow_or_force_but" : "do_follow_but", {{"exceptions", exceptions}});
    }

    /// What the opponent threatens to do next, and which columns stop that, or do not.
    void say_danger(int rank) {
        if (must_block_ != 0 || (player_ != 0 && player_ != root_.turn())) return;
        const Value danger = said_of_danger(root_);
        if (danger.is_null()) return;
        const auto [disc, fails] = danger_after(root_);
        // What is said of the answer says the rest.
        const bool is_shared =
            disc == shared_.answer && std::ranges::all_of(columns_of(fails), [&](int c) {
                return std::ranges::count(shared_.columns, c) != 0;
            });
        fails_ = fails;
        if (fails == 0 || is_shared) {
            if (fails != 0) add(rank, danger);
            return;
        }
        std::erase_if(spoiled_, [&](const Spoiled& each) { return contains(fails, each.column); });
        shared_ = shared_answer();
        const ColumnSet stops = root_.legal_columns() & ~fails;
        const bool is_only = stops == found_.verdict.best_columns.value_or(0);
        const ColumnSet named = is_only ? stops : fails;
        const std::string pattern =
            std::string(is_only ? "stops" : "stops_not") + (more_than_one(named) ? "_some" : "_one");
        Value::Object facts = *danger.at("facts").object();
        facts.emplace_back("stop", say(pattern, {{"columns", said_columns(columns_of(named))}}));
        const bool is_series = pattern_of(danger) == "idea_danger_force";
        add(rank,
            object({{"pattern", is_series ? "stop_force" : "stop_two"}, {"facts", std::move(facts)}}));
    }

    /// What the side to move should not play, or what holds out longest.
    void say_choice() {
        const ColumnSet best = found_.verdict.best_columns.value_or(0);
        const int turn = root_.turn();
        if (must_block_ != 0 || fours_now(root_, turn) != 0) return;
        if (player_ != 0 && player_ != turn) {
            say_longest(columns_of(best));
            return;
        }
        std::vector<int> above;
        Value worst;
        int refuted = -1;
        std::size_t shortest = ~std::size_t{0};
        for (const int column : each(root_.legal_columns() & ~best & ~fails_)) {
            const Position next = root_.play(column);
            if (next.is_over()) continue;
            if (fours_now(next, next.turn()) != 0) {
                above.push_back(column);
                continue;
            }
            const std::vector<int> line = forcing_line(next, refuting_discs);
            if (line.empty() || line.size() >= shortest) continue;
            shortest = line.size();
            refuted = column;
            worst = said_of_refutation(column, next, line);
        }
        const bool is_explained = std::ranges::count(shared_.columns, refuted) != 0;
        // Each column is named once.
        if (is_explained && shared_.columns.size() > 2) std::erase(shared_.columns, refuted);
        say_shared_answer(is_explained);
        if (worst.is_null()) worst = quiet_refutation();
        if (!worst.is_null() && !is_shared(worst))
            add(5, std::move(worst));
        else if (!above.empty() && !(player_ == 0 && above.size() > 1 &&
                                     all_open_above(columns_of(root_.legal_columns() & ~best))))
            add(5, told(turn, "not_above", {{"columns", said_columns(above)}}));
    }

    /// The best answer that several columns have in common, none if there is none, whether it wins, and
    /// whether the threat that it makes, or how best play then ends, has been said.
    struct Shared {
        Bits answer = 0;
        bool wins = false;
        std::vector<int> columns{};
        bool has_threat = false;
        bool has_end = false;
    };

    /// Whether a refutation has no more to say than the answer that several columns share.
    bool is_shared(const Value& refutation) const {
        if (shared_.answer == 0) return false;
        const auto has_answer = [&](const Value& sentence) {
            return sentence.at("facts").get("square") == one(shared_.answer);
        };
        const std::string& pattern = pattern_of(refutation);
        if (pattern == "then_does")
            return shared_.has_threat &&
                   pattern_of(refutation.at("facts").at("what")) == "does_threaten";
        const bool is_plain = pattern == "not_takes" || pattern == "not_quiet" || pattern == "not_draws";
        return is_plain && has_answer(refutation);
    }

    /// What the loser, who is to move, can do.
    void say_longest(const std::vector<int>& columns) {
        const bool all_lose_at_once =
            (playable(shape_, root_.mask()) & ~(root_.threats(player_) >> 1)) == 0;
        const bool is_one = columns.size() == 1 && root_.legal_columns() != only<ColumnSet>(columns[0]);
        const Value merit = is_one ? said_of_merit(root_, columns[0]) : Value();
        // What stops a danger names it.
        const bool is_danger_named = pattern_of(merit).starts_with("does_prevent");
        if (!all_lose_at_once && kind_ != "force" && !is_danger_named) add(2, said_of_danger(root_));
        if (all_lose_at_once || fours_now(root_, player_) != 0 || columns.empty() ||
            columns.size() > most_drawing || columns == columns_of(root_.legal_columns()))
            return;
        if (columns.size() > 1) {
            add(5, say("idea_longest_some", {{"columns", said_columns(columns)}}));
            return;
        }
        const Value longest = say("idea_longest", {{"column", said_column(columns[0])}});
        if (merit.is_null() || pattern_of(merit) == "does_threaten_now")
            add(1, longest);
        else
            text_.add(is_danger_named ? 2 : 5, does("idea_longest_does", merit), longest);
    }

    /// A column that gives the result away, the position after it, and the best replies there.
    struct Spoiled {
        int column;
        Position next;
        Best best;
    };

    /// All of them from the center, but those after which somebody completes a four at once; none
    /// without the solver.
    std::vector<Spoiled> spoiled_columns() const {
        std::vector<Spoiled> spoiled;
        if (!best_play_ || must_block_ != 0 || fours_now(root_, root_.turn()) != 0) return spoiled;
        const ColumnSet best = found_.verdict.best_columns.value_or(0);
        for (const int column : columns_from_center(root_.width())) {
            if (!contains(root_.legal_columns() & ~best, column)) continue;
            const Position next = root_.play(column);
            const bool is_over = next.is_over() || (fours_now(next, 1) | fours_now(next, 2)) != 0;
            if (is_over) continue;
            const Best replies = best_play_(next);
            const bool keeps = replies.outcome < 0 || (replies.outcome == 0 && player_ == 0);
            if (!keeps) spoiled.push_back({column, next, replies});
        }
        return spoiled;
    }

    static bool can_take(const Position& at, ColumnSet columns, Bits square) {
        for (const int column : each(columns))
            if (landing_bit(at, column) == square) return true;
        return false;
    }

    /// The lasting threat that the answer on a square makes after each of the columns; null if it is not
    /// the same.
    Value common_threat(const std::vector<int>& columns, Bits answer) const {
        Value common;
        for (const int column : columns) {
            const Value made =
                said_of_lasting_threat(root_.play(column), square_of(answer, height_).column);
            if (made.is_null() || (!common.is_null() && common != made)) return nullptr;
            common = made;
        }
        return common;
    }

    Shared shared_answer() const {
        Shared shared;
        for (const Bits square : each_square(playable(shape_, root_.mask())))
            for (const bool is_win : {true, false}) {
                std::vector<int> same;
                for (const auto& [column, next, best] : spoiled_)
                    if ((best.outcome > 0) == is_win && can_take(next, best.columns, square))
                        same.push_back(column);
                if (same.size() >= 2 && same.size() > shared.columns.size())
                    shared = {square, is_win, same};
            }
        std::ranges::sort(shared.columns);
        return shared;
    }

    /// That several columns have the same best answer, or that its square is the one to take; and how
    /// that ends, unless one of them is explained anyway.
    void say_shared_answer(bool is_explained) {
        if (shared_.columns.empty()) return;
        const ColumnSet best = found_.verdict.best_columns.value_or(0);
        const bool is_key = !is_slow_ && !more_than_one(best) && can_take(root_, best, shared_.answer);
        const bool is_all =
            is_key && columns_of(root_.legal_columns()).size() == shared_.columns.size() + 1;
        const std::string pattern = is_all ? "not_else" : is_key ? "not_taken" : "not_any";
        const Value threat = shared_.wins ? common_threat(shared_.columns, shared_.answer) : Value();
        const std::string result = !threat.is_null() ? "_threat" : shared_.wins ? "_wins" : "_draws";
        Value::Object facts{{"player", said_player(root_.turn())},
                            {"opponent", said_player(3 - root_.turn())},
                            {"square", one(shared_.answer)}};
        if (!is_all) facts.emplace_back("columns", said_columns(shared_.columns));
        if (!threat.is_null()) {
            const Value& made = threat.at("facts");
            facts.emplace_back("threat", made.at("threat"));
            facts.emplace_back("other", made.at("square"));
            facts.emplace_back("line", made.at("line"));
        }
        // What is the key is what to begin with.
        if (is_key) text_.remove(told("do_begin", {{"moves", one(shared_.answer)}}));
        add(is_key ? 1 : 3, object({{"pattern", pattern + result}, {"facts", std::move(facts)}}));
        shared_.has_threat = !threat.is_null();
        if (threat.is_null()) {
            if (shared_.wins && !is_explained) {
                const Value end = said_of_shared_end();
                shared_.has_end = !end.is_null();
                add(rank_of_extras, end);
            }
            return;
        }
    }

    Value said_of_refutation(int column, const Position& next, const std::vector<int>& line) const {
        const int turn = root_.turn();
        const Value::Member name{"column", said_column(column)};
        const Value::Member square{"square", said_square(landing(next, line[0]))};
        const auto end = end_at(next.play(line[0]), 3 - turn);
        if (end) return told(turn, "not_two", {name, square, {"both", both(end->squares)}});
        Value::Object facts = series_facts(next, line);
        facts.push_back(name);
        facts.emplace_back("player", said_player(turn));
        facts.emplace_back("opponent", said_player(3 - turn));
        return object({{"pattern", "not_force"}, {"facts", std::move(facts)}});
    }

    /// What the opponent gains by a quiet answer to a column, the most telling first: what can be seen
    /// on the board, a square of the four that the side to move plays for, how best play ends.
    Value quiet_refutation() const {
        const int turn = root_.turn();
        Bits needed = 0;
        if (player_ == turn && kind_ != "example")
            for (const Bits line : lines_) needed |= line & ~squares_;
        Value telling, plain;
        int rank = 0;
        std::optional<std::pair<int, int>> only;
        for (const auto& [column, next, replies] : spoiled_) {
            if (contains(fails_, column)) continue;
            const auto [best, outcome] = replies;
            const Value::Member name{"column", said_column(column)};
            for (const int reply : each(best)) {
                const Value::Member square{"square", said_square(landing(next, reply))};
                const Bits taken = landing_bit(next, reply);
                // Of a column with the shared answer, no other one is said.
                if (std::ranges::count(shared_.columns, column) != 0 && taken != shared_.answer)
                    continue;
                const auto answer = answer_of(next, reply);
                const bool takes = (taken & needed) != 0 && (!answer || answer->rank > 0);
                const bool is_telling = takes || (answer && answer->is_telling);
                const int own_rank = takes ? 1 : answer ? answer->rank : 0;
                if (is_telling && (telling.is_null() || own_rank < rank)) {
                    rank = own_rank;
                    const bool is_said =
                        taken == shared_.answer && std::ranges::count(shared_.columns, column) != 0;
                    telling = takes ? told(turn, "not_takes", {name, square})
                              : is_said
                                  ? told(turn, "then_does", {name, {"what", said_of_merit(next, reply)}})
                                  : told(turn, "not_answer", {name, {"reason", answer->said}});
                }
                if (more_than_one(best) || only) continue;
                if (outcome > 0) only.emplace(column, reply);
                if (outcome > 0 || plain.is_null())
                    plain = told(turn, outcome > 0 ? "not_quiet" : "not_draws", {name, square});
            }
        }
        if (!telling.is_null()) return telling;
        if (!only || shared_.has_end) return plain;
        const auto& [column, reply] = *only;
        const Value end = said_of_end("not_ends", column, reply, line_after(column, reply));
        return end.is_null() ? plain : end;
    }

    /// Best play after a column and the reply to it, to an end that the other side wins.
    Line line_after(int column, int reply) const {
        return best_line(root_.play(column).play(reply), 3 - root_.turn());
    }

    /// How best play ends after a column and the reply to it; null if it has no such end.
    Value said_of_end(const std::string& name, int column, int reply, const Line& line) const {
        if (!line.end || line.columns.empty()) return nullptr;
        const End& end = *line.end;
        const Value::Member name_of{"column", said_column(column)};
        const Value::Member square{"square", said_square(landing(root_.play(column), reply))};
        if (end.kind == End::Kind::zug)
            return told(root_.turn(), name + "_zugzwang",
                        {name_of, square, {"either", either(end.squares >> 1)}});
        return told(root_.turn(), name + "_threats", {name_of, square, {"both", both(end.squares)}});
    }

    /// The same after one of the columns with a shared answer: the one that ends soonest.
    Value said_of_shared_end() const {
        const int reply = square(shared_.answer).column;
        std::optional<Line> soonest;
        int column = 0;
        for (const int each : shared_.columns) {
            Line line = line_after(each, reply);
            if (!line.end || (soonest && soonest->columns.size() <= line.columns.size())) continue;
            soonest = std::move(line);
            column = each;
        }
        return soonest ? said_of_end("then_ends", column, reply, *soonest) : Value();
    }

    // ---- Draws -----------------------------------------------------------------------------------

    void say_draw() {
        kind_ = "draw";
        bool has_content = false;
        say_vain();
        has_content |= said_threats_ > 0;
        if (found_.line.empty())
            for (const Claim* const each_claim : own_first(found_.claims))
                if (const auto how = follow_up(*each_claim)) {
                    const Claim& claim = *each_claim;
                    const bool is_said = must_block_ != 0 && !claim.start.empty();
                    const std::vector<int> start(claim.start.begin() + (is_said ? 1 : 0),
                                                 claim.start.end());
                    const Position at = is_said ? root_.play(claim.start[0]) : root_;
                    if (start.empty())
                        add(2, told(claim.player, "idea_holds", {{"what", *how}}));
                    else
                        add(2, told(claim.player, "idea_holds_begin",
                                    {{"moves", moves_from(at, claim.player, start, 2 * most_exchanges)},
                                     {"what", *how}}));
                    has_content = true;
                }
        for (const int player : {root_.turn(), 3 - root_.turn()})
            if (const Value needs = said_of_needs(player); !needs.is_null()) {
                add(4, needs);
                has_content = true;
            }
        const ColumnSet best = found_.verdict.best_columns.value_or(0);
        const ColumnSet legal = root_.legal_columns();
        const std::vector<int> drawing = columns_of(best), losing = columns_of(legal & ~best);
        std::size_t before = text_.size();
        say_danger(1);
        has_content |= text_.size() > before;
        if (must_block_ == 0 && !drawing.empty() && !losing.empty()) {
            if (drawing.size() == 1)
                has_content |= say_only_draw(drawing[0]);
            else if (losing.size() > drawing.size())
                add(2, say("idea_some_draw", {{"columns", said_columns(drawing)}}));
            else if (losing.size() > 1 && losing != shared_.columns)
                add(2, told(root_.turn(),
                            all_open_above(losing) ? "idea_some_lose_above" : "idea_some_lose",
                            {{"columns", said_columns(losing)}}));
        }
        before = text_.size();
        say_choice();
        say_next();
        has_content |= text_.size() > before;
        if (losing.empty() && drawing.size() > 1) add(0, say("idea_all_draw"));
        if (text_.size() == 0)
            add(0, say("no_reason"));
        else if (!has_content)
            add(1, say("idea_no_reason"));
        if (said_threats_ > 0) add(3, say("rule_below"));
    }

    /// Of the claims of a draw that of the side to move first.
    std::vector<const Claim*> own_first(const std::vector<Claim>& claims) const {
        std::vector<const Claim*> ordered;
        for (const int player : {root_.turn(), 3 - root_.turn()})
            for (const Claim& claim : claims)
                if (claim.player == player) ordered.push_back(&claim);
        return ordered;
    }

    /// Whether the opponent wins right on top after each of these columns.
    bool all_open_above(const std::vector<int>& columns) const {
        return std::ranges::all_of(columns, [&](int column) {
            return (fours_now(root_.play(column), 3 - root_.turn()) & landing_bit(root_, column) << 1) !=
                   0;
        });
    }

    /// That one column draws, and what is good about it, if anything is, which it returns.
    bool say_only_draw(int column) {
        const Value only = say("idea_only_draw", {{"column", said_column(column)}});
        const Value merit = said_of_merit(root_, column);
        const bool is_telling = is_news(merit);
        if (is_telling || pattern_of(merit) == "does_most")
            text_.add(is_telling ? 3 : rank_of_extras, does("idea_only_draw_does", merit), only);
        else
            add(0, only);
        return is_telling;
    }

    /// A few squares of which every line needs one that a player can still complete; null if it takes
    /// more of them.
    Value said_of_needs(int player) const {
        const std::vector<Bits> lines =
            open_lines<Shape>(shape_, root_.discs(player), root_.discs(3 - player));
        if (lines.empty()) return told(player, "idea_no_line");
        const Bits needed = needed_by(lines, most_needed);
        return needed == 0 ? Value() : told(player, "idea_needs", {{"either", either(needed)}});
    }

    /// The fewest squares that stop all of these lines, at most so many; 0 if it takes more.
    static Bits needed_by(const std::vector<Bits>& lines, int most) {
        for (int count = 1; count <= most; ++count)
            for (const Bits square : each_square(lines[0])) {
                std::vector<Bits> rest;
                for (const Bits line : lines)
                    if ((line & square) == 0) rest.push_back(line);
                if (rest.empty()) return square;
                const Bits others = count > 1 ? needed_by(rest, count - 1) : 0;
                if (others != 0) return square | others;
            }
        return 0;
    }

    /// Why lasting threats win nothing, of two at most; as one sentence if both have the same reason.
    void say_vain() {
        Value::Array said;
        Bits below = 0;
        for (const int player : {root_.turn(), 3 - root_.turn()})
            for (const Bits each : each_square(lasting(player)))
                if (said_threats_ < 2)
                    if (const Value vain = said_of_vain(player, each); !vain.is_null()) {
                        said.push_back(vain);
                        below |= each >> 1;
                        ++said_threats_;
                    }
        const auto is_below = [](const Value& vain) { return pattern_of(vain) == "vain_below"; };
        for (std::size_t i = 0; i < said.size() && said.size() == 2; ++i) {
            const Value &above = said[i], &below_it = said[1 - i];
            if (pattern_of(above) == "vain_on_top" && is_below(below_it) &&
                above.at("facts").at("below") == below_it.at("facts").at("square"))
                return add(1, said_of_vain_pair("vain_above", above.at("facts"), below_it.at("facts")));
        }
        if (said.size() < 2 || !std::ranges::all_of(said, is_below)) {
            for (const Value& vain : said) add(1, vain);
            return;
        }
        const Value &one = said[0].at("facts"), &other = said[1].at("facts");
        if (one.at("player") != other.at("player"))
            return add(1, said_of_vain_pair("vain_below_each", one, other));
        Value::Array lines{one.at("line")};
        if (other.at("line") != one.at("line")) lines.push_back(other.at("line"));
        add(1, object({{"pattern", "vain_below_both"},
                       {"facts", object({{"player", one.at("player")},
                                         {"opponent", one.at("opponent")},
                                         {"both", both(below << 1)},
                                         {"lines", lines},
                                         {"either", either(below)}})}}));
    }

    /// Of a threat of each side as one sentence.
    static Value said_of_vain_pair(std::string_view pattern, const Value& one, const Value& other) {
        return object({{"pattern", pattern},
                       {"facts", object({{"player", one.at("player")},
                                         {"opponent", other.at("player")},
                                         {"square", one.at("square")},
                                         {"line", one.at("line")},
                                         {"other", other.at("square")},
                                         {"more", other.at("line")},
                                         {"below", other.at("below")}})}});
    }

    Value said_of_vain(int player, Bits threat) const {
        const Square at = square(threat);
        const Value::Member name{"threat", said_parity(at)};
        const Value::Member where{"square", said_square(at)};
        const Value::Member line{"line",
                                 said_line(line_through(root_, root_.discs(player), threat), height_)};
        if ((root_.threats(3 - player) & threat >> 1) != 0) {
            return told(player, "vain_on_top", {name, where, line, {"below", one(threat >> 1)}});
        }
        if ((root_.threats(3 - player) & threat) != 0)
            return told(player, "vain_shared", {name, where, line});
        if (!found_.line.empty()) return nullptr;
        const auto claim = std::ranges::find(found_.claims, 3 - player, &Claim::player);
        if (claim == found_.claims.end() || !is_never_below(*claim, threat >> 1)) return nullptr;
        return told(player, "vain_below", {name, where, line, {"below", one(threat >> 1)}});
    }

    /// Whether the player of a claim that holds never has to take `square`: they follow it against all
    /// replies until no line is left or the board is full.
    bool is_never_below(const Claim& claim, Bits square) const {
        const Strategy strategy(start_, claim);
        std::vector<Strategy::State> waiting{strategy.begin()};
        std::unordered_map<Strategy::State, bool, Strategy::Hash> seen;
        while (!waiting.empty()) {
            const Strategy::State state = waiting.back();
            waiting.pop_back();
            if ((state.mine & square) != 0) return false;
            if (!seen.try_emplace(state, true).second) continue;
            if (seen.size() > most_hold_states) return false;
            if (!has_four(shape_, shape_.board() & ~state.mine)) continue;
            for (const Bits disc : each_square(playable(shape_, state.mine | state.theirs))) {
                Strategy::State next = state;
                next.theirs |= disc;
                const Bits mask = next.mine | next.theirs;
                if (mask == shape_.board()) continue;
                if ((threats(shape_, next.mine, mask) & playable(shape_, mask)) != 0) continue;
                if (!has_four(shape_, shape_.board() & ~next.mine)) continue;
                waiting.push_back(strategy.after(next, strategy.answer(next, disc).square));
            }
        }
        return true;
    }

    static std::vector<int> columns_of(ColumnSet set) {
        std::vector<int> columns;
        for (const int column : each(set)) columns.push_back(column);
        return columns;
    }

    static constexpr int refuting_discs = 4;
    static constexpr int short_discs = 3;
    static constexpr std::size_t most_drawing = 3;
    static constexpr int most_needed = 3;
    static constexpr std::size_t most_answers = 2;
    static constexpr std::size_t most_hold_states = 5'000;

    const Explanation& found_;
    const BestPlay& best_play_;
    Position root_;
    Position start_;  // which the claims are about
    Shape shape_;
    int height_;
    int player_ = 0;  // who wins
    Bits must_block_ = 0;
    std::string kind_ = "none";
    std::optional<Tier> tier_;
    Bits squares_ = 0;
    std::vector<Bits> lines_;
    std::optional<int> count_;
    std::vector<int> example_;
    std::string_view rule_;
    int said_threats_ = 0;
    std::vector<Spoiled> spoiled_{};
    Shared shared_{};
    ColumnSet fails_ = 0;   // columns that do not stop what the opponent threatens
    bool is_slow_ = false;  // what is said begins with another move than the quickest win
    Value brief_;
    Sentences text_{most_words - verdict_words};
};

}  // namespace

Value idea_of(const Explanation& explanation, const BestPlay& best_play) {
    return IdeaOf(explanation, best_play).make();
}

Tier tier_of(const Value& idea) {
    const Value& tier = idea.get("tier");
    const std::string& kind = idea.at("kind").text("kind");
    if (kind == "four" || kind == "two" || kind == "stack" || kind == "force") return Tier::all;
    if (kind == "mixed") return Tier::mixed;
    return tier.is_null() ? Tier::mixed : static_cast<Tier>(tier.integer("tier", 1, 4));
}

}  // namespace fourcast::reasons
