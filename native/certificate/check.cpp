#include "check.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "board/rules.hpp"
#include "board/threats.hpp"

namespace fourcast::certificate {
namespace {

constexpr int forced_discs = 10;
constexpr std::size_t most_positions_of_a_certificate = 1'000'000;
constexpr std::size_t most_bytes = 1'000'000;
constexpr std::size_t most_states = 100'000'000;  // of local games

void require(bool condition, const char* otherwise) {
    if (!condition) throw CertificateError(otherwise);
}

/// The digits of one large number, the least first.
class Symbols {
  public:
    explicit Symbols(std::span<const unsigned char> data) {
        require(!data.empty() && data.back() != 0, "the file does not end with its last symbol");
        words_.assign((data.size() + 3) / 4, 0);
        for (std::size_t i = 0; i < data.size(); ++i)
            words_[i / 4] |= static_cast<std::uint32_t>(data[i]) << (8 * (i % 4));
    }
    std::size_t read(std::size_t values) {
        std::uint64_t rest = 0;
        for (std::size_t i = words_.size(); i-- > 0;) {
            const std::uint64_t part = rest << 32 | words_[i];
            words_[i] = static_cast<std::uint32_t>(part / values);
            rest = part % values;
        }
        while (!words_.empty() && words_.back() == 0) words_.pop_back();
        require(!words_.empty(), "the file ends too early");
        return rest;
    }
    void end() const {
        require(words_.size() == 1 && words_[0] == 1, "the file goes on after its last symbol");
    }

  private:
    std::vector<std::uint32_t> words_;
};

inline std::uint64_t mix(std::uint64_t x) {
    x ^= x >> 31;
    x *= 0x9E3779B97F4A7C15ULL;
    x ^= x >> 29;
    x *= 0xBF58476D1CE4E5B9ULL;
    return x ^ (x >> 32);
}
inline std::uint64_t folded(u64 bits) { return bits; }
inline std::uint64_t folded(u128 bits) {
    return mix(static_cast<u64>(bits)) + static_cast<u64>(bits >> 64);
}

/// The discs of F, the player that the certificate is for, and of O.
template <class Bits>
struct Pair {
    Bits mine;
    Bits theirs;
    auto operator<=>(const Pair&) const = default;
};
struct PairHash {
    template <class Bits>
    std::size_t operator()(const Pair<Bits>& pair) const {
        return mix(folded(pair.mine) + mix(folded(pair.theirs)));
    }
};

/// The rules, with the names of the plain checker.
template <class Shape>
class Board {
  public:
    using Bits = typename Shape::Bits;
    using Place = Pair<Bits>;

    explicit Board(const Shape& shape) : shape_(shape) {
        for (const int step : directions(shape))
            for (const Bits first : each_square(fours_from(shape.board(), step))) {
                const Bits pair = first | first << step;
                lines_.push_back(pair | pair << (2 * step));
            }
    }

    const Shape& shape() const { return shape_; }
    const std::vector<Bits>& lines() const { return lines_; }
    Bits squares() const { return shape_.board(); }
    Bits open(Bits mask) const { return playable(shape_, mask); }
    bool has(Bits discs) const { return has_four(shape_, discs); }
    Bits wins(Bits discs, Bits other) const {
        return threats(shape_, discs, static_cast<Bits>(discs | other)) &
               open(static_cast<Bits>(discs | other));
    }
    Place one_of_mirrors(const Place& place) const {
        return std::min(place, Place{shape_.mirror(place.mine), shape_.mirror(place.theirs)});
    }
    bool forces(Bits mine, Bits theirs, int count) const {
        Failed failed;
        for (int number = 1; number <= count; ++number)
            if (forces_in(number, mine, theirs, failed)) return true;
        return false;
    }
    /// The move that begins the shortest forced win of at most `count` discs; 0 if there is none.
    Bits forcing_move(Bits mine, Bits theirs, int count) const {
        for (int number = 1; number <= count; ++number) {
            if (const Bits four = wins(mine, theirs); four != 0) return lowest(four);
            const Bits block = wins(theirs, mine);
            if (more_than_one(block)) return 0;
            for (const Bits move : each_square(block != 0 ? block : open(mine | theirs))) {
                const Bits found = wins(mine | move, theirs);
                if (found == 0 || wins(theirs, mine | move) != 0) continue;
                if (forces(mine | move, theirs | lowest(found), number - 1)) return move;
            }
        }
        return 0;
    }
    std::vector<Bits> sensible_moves(Bits mine, Bits theirs) const {
        std::vector<Bits> moves;
        const Bits mask = mine | theirs;
        const Bits block = wins(theirs, mine);
        if (more_than_one(block)) return moves;
        for (const Bits move : each_square(block != 0 ? block : open(mask))) {
            const Bits above = (move << 1) & squares();
            if (above == 0 || !has(theirs | above)) moves.push_back(move);
        }
        return moves;
    }

  private:
    using Failed = std::unordered_map<Place, int, PairHash>;

    bool forces_in(int count, Bits mine, Bits theirs, Failed& failed) const {
        if (wins(mine, theirs) != 0) return true;
        if (int& known = failed[{mine, theirs}]; known >= count)
            return false;
        else
            known = count;
        const Bits block = wins(theirs, mine);
        if (count == 1 || more_than_one(block)) return false;
        for (const Bits move : each_square(block != 0 ? block : open(mine | theirs))) {
            const Bits found = wins(mine | move, theirs);
            if (found == 0 || wins(theirs, mine | move) != 0) continue;
            if (forces_in(count - 1, mine | move, theirs | lowest(found), failed)) return true;
        }
        return false;
    }

    Shape shape_;
    std::vector<Bits> lines_;
};

/// When F may have to move in a group without having been asked.
enum class Free { never, once, once_odd, even };

/// One group of columns, solved.
template <class Shape>
class LocalGame {
  public:
    using Bits = typename Shape::Bits;

    LocalGame(const Board<Shape>& board, const Pair<Bits>& start, Bits squares, std::vector<Bits> needs,
              bool win, Free free, std::size_t& states)
        : board_(board),
          mask_(start.mine | start.theirs),
          squares_(squares),
          win_(win),
          free_(free),
          states_(states) {
        std::ranges::sort(needs);
        needs.erase(std::unique(needs.begin(), needs.end()), needs.end());
        for (const Bits need : needs)
            if (std::ranges::none_of(needs,
                                     [&](Bits other) { return (other & ~need) == 0 && other != need; }))
                needs_.push_back(need);
        for (const Bits line : board.lines())
            if ((line & start.theirs) == 0)
                if (const Bits goal = line & ~start.mine; (goal & ~squares) == 0) goals_.push_back(goal);
        require(needs_.size() <= 64 && goals_.size() <= 64, "a local game has too many lines");
    }

    /// A state of the group: its squares that are filled, the needs that F has no disc in, the goals
    /// that O has none in, and whether F may still have to make a free move.
    struct State {
        Bits filled{0};
        u64 needs = 0;
        u64 goals = 0;
        bool free = false;
        bool operator==(const State&) const = default;
    };

    State start() const { return {0, ones(needs_.size()), ones(goals_.size()), free_ != Free::never}; }
    bool is_won() { return reply(start()); }
    Free free() const { return free_; }
    Bits squares() const { return squares_; }
    bool is_open(const State& state) const { return open(state.filled) != 0; }

    State after_theirs(const State& state, Bits move) const {
        return {state.filled | move, state.needs, alive(goals_, state.goals, move), state.free};
    }
    State after_mine(const State& state, Bits move) const {
        return {state.filled | move, alive(needs_, state.needs, move), state.goals, state.free};
    }
    bool must_move(const State& state) const {
        const bool odd = popcount(static_cast<Bits>(squares_ & ~state.filled)) % 2 != 0;
        return state.free && (free_ == Free::once || odd == (free_ == Free::once_odd));
    }
    State before_free_move(State state) const {
        state.free = state.free && free_ == Free::even;
        return state;
    }

    /// F's move in a state with F to move: 0 if there is none that reaches the goal.
    Bits choose(const State& state, Bits on_top) {
        const Bits moves = open(state.filled);
        if (const Bits four = last_squares(goals_, state.goals, state.filled) & moves; four != 0)
            return lowest(four);
        if (!win_ && state.needs == 0) return lowest((on_top & moves) != 0 ? on_top & moves : moves);
        const Bits lost = last_squares(needs_, state.needs, state.filled);
        const Bits urgent = lost & moves;
        if (more_than_one(urgent)) return 0;
        Bits choices = urgent != 0 ? urgent : moves & ~(lost >> 1);
        if (const Bits first = choices & on_top; first != 0) {
            if (reply(after_mine(state, first))) return first;
            choices &= ~first;
        }
        while (choices != 0) {
            Bits best{0};
            int most = -1;
            for (const Bits square : each_square(choices)) {
                int stopped = 0;
                for (const int i : each(state.needs)) stopped += (needs_[at(i)] & square) != 0;
                if (stopped > most) best = square, most = stopped;
            }
            if (reply(after_mine(state, best))) return best;
            choices &= ~best;
        }
        return 0;
    }

  private:
    struct StateHash {
        std::size_t operator()(const State& state) const {
            return mix(folded(state.filled) + mix(state.needs + mix(state.goals * 2 + state.free)));
        }
    };

    static std::size_t at(int i) { return static_cast<std::size_t>(i); }
    static u64 ones(std::size_t count) { return count == 64 ? ~u64{0} : (u64{1} << count) - 1; }
    Bits open(Bits filled) const { return board_.open(mask_ | filled) & squares_; }
    static u64 alive(const std::vector<Bits>& sets, u64 numbers, Bits move) {
        for (const int i : each(numbers))
            if ((sets[at(i)] & move) != 0) numbers &= ~(u64{1} << i);
        return numbers;
    }
    static Bits last_squares(const std::vector<Bits>& sets, u64 numbers, Bits filled) {
        Bits found{0};
        for (const int i : each(numbers)) {
            const Bits missing = sets[at(i)] & ~filled;
            if (!more_than_one(missing)) found |= missing;
        }
        return found;
    }

    /// Whether F reaches the goal with O to move.
    bool reply(const State& state) {
        if (!win_ && state.needs == 0) return true;
        const Bits moves = open(state.filled);
        if (moves == 0) return !win_;
        if ((win_ && state.goals == 0) || (last_squares(needs_, state.needs, state.filled) & moves) != 0)
            return false;
        const Bits fours = last_squares(goals_, state.goals, state.filled) & moves;
        if (more_than_one(fours)) return true;
        if (const auto known = known_.find(state); known != known_.end()) return known->second;
        require(++states_ < most_states, "the local games have too many states");
        bool result = true;
        for (const Bits move : each_square(fours != 0 ? fours : moves)) {
            if (!result) break;
            const State after = after_theirs(state, move);
            result = open(after.filled) == 0 ? !win_ : choose(after, move << 1) != 0;
        }
        if (result && fours == 0 && must_move(state))
            result = choose(before_free_move(state), Bits{0}) != 0;
        return known_[state] = result;
    }

    const Board<Shape>& board_;
    Bits mask_;
    Bits squares_;
    bool win_;
    Free free_;
    std::vector<Bits> needs_;
    std::vector<Bits> goals_;
    std::unordered_map<State, bool, StateHash> known_;
    std::size_t& states_;
};

template <class Shape>
class Checker {
  public:
    using Bits = typename Shape::Bits;
    using Place = Pair<Bits>;

    /// With `verify` everything is checked; without it, the certificate is only read, which takes no
    /// time, by those who know that it is one.
    Checker(const Shape& shape, const Checked& header, Symbols& symbols, bool verify)
        : board_(shape), result_(header), symbols_(symbols), verify_(verify) {}

    Checked run() {
        Bits sides[2] = {0, 0};
        for (std::size_t ply = 0; ply < result_.start.size(); ++ply) {
            const int column = result_.start[ply];
            const Bits landing = column < board_.shape().width()
                                     ? board_.open(sides[0] | sides[1]) & board_.shape().column(column)
                                     : Bits{0};
            require(landing != 0 && !board_.has(sides[0]) && !board_.has(sides[1]),
                    "a first move is not possible");
            sides[ply % 2] |= landing;
        }
        require(!board_.has(sides[0]) && !board_.has(sides[1]),
                "the game is over before the proof begins");
        begin_ = {sides[result_.player - 1], sides[2 - result_.player]};
        player_begins_ = static_cast<int>(result_.start.size()) % 2 == result_.player - 1;
        if (player_begins_)
            wait(begin_);
        else
            reply(begin_);
        while (!waiting_.empty()) {
            const Place place = waiting_.back();
            waiting_.pop_back();
            move(place);
        }
        symbols_.end();
        return result_;
    }

    /// After `run`: the moves of F in every position, in the order of a walk that takes the newest
    /// position first and the replies from the right.
    std::vector<std::uint8_t> unfold(std::size_t most) {
        std::vector<std::uint8_t> columns;
        std::unordered_set<Place, PairHash> seen;
        std::vector<Walked> stack;
        const auto add_replies = [&](const Walked& from) {
            for (const Bits disc : each_square(board_.open(from.place.mine | from.place.theirs))) {
                Walked next = after_reply(from, disc);
                if (board_.wins(next.place.mine, next.place.theirs) == 0)
                    stack.push_back(std::move(next));
            }
        };
        if (player_begins_)
            stack.push_back({begin_, nullptr, {}, Bits{0}});
        else
            add_replies({begin_, nullptr, {}, Bits{0}});
        while (!stack.empty()) {
            Walked at = std::move(stack.back());
            stack.pop_back();
            if (!seen.insert(at.place).second) continue;
            require(seen.size() <= most, "the strategy has too many positions");
            const Bits square = answer(at);
            columns.push_back(static_cast<std::uint8_t>(board_.shape().column_of(lowest_bit(square))));
            at.place.mine |= square;
            add_replies(at);
        }
        return columns;
    }

  public:
    /// Plays the certificate against these replies.
    Followed follow(const std::vector<int>& replies) {
        Followed result;
        Walked at{begin_, nullptr, {}, Bits{0}};
        bool to_move = player_begins_;
        std::size_t next = 0;
        for (;;) {
            if (to_move) {
                const Bits square = followed_move(at, result);
                at.place.mine |= square;
                result.columns.push_back(board_.shape().column_of(lowest_bit(square)));
                if (board_.has(at.place.mine)) break;
            } else {
                if (next == replies.size()) return result;
                const int column = replies[next++];
                const Bits open = board_.open(at.place.mine | at.place.theirs);
                const Bits disc = column >= 0 && column < board_.shape().width()
                                      ? open & board_.shape().column(column)
                                      : Bits{0};
                require(disc != 0, "a reply is not possible");
                at = after_reply(at, disc);
                result.columns.push_back(column);
            }
            if (board_.open(at.place.mine | at.place.theirs) == 0) break;
            to_move = !to_move;
        }
        require(next == replies.size(), "a reply comes after the end of the game");
        result.is_over = true;
        result.why.clear();
        return result;
    }

  private:
    struct Plan {
        int takes = 1;
        std::map<Bits, std::vector<Bits>> answers;
    };
    struct Leaf {
        Place place;
        std::optional<Plan> plan;
        std::vector<LocalGame<Shape>> games;
    };
    using State = typename LocalGame<Shape>::State;

    /// A position of the plain strategy, with the leaf that it belongs to and the states of its games.
    struct Walked {
        Place place;
        Leaf* leaf;
        std::vector<State> states;
        Bits disc;  // O's last
        bool mirrored = false;
        bool is_forced = false;  // in the middle of a forced win
    };

    bool is_safe(Bits mine) const { return !result_.win && !board_.has(board_.squares() & ~mine); }

    void wait(const Place& place) {
        const Place one = board_.one_of_mirrors(place);
        if (!seen_.insert(one).second) return;
        require(seen_.size() < most_positions_of_a_certificate, "there are too many positions");
        waiting_.push_back(one);
    }

    void move(const Place& place) {
        const auto [mine, theirs] = place;
        if (board_.wins(mine, theirs) != 0 || is_safe(mine)) return;
        ++result_.positions;
        const auto moves = board_.sensible_moves(mine, theirs);
        require(!moves.empty(), "the opponent completes a four");
        const std::size_t symbol = symbols_.read(moves.size() + (result_.win ? 1 : 0));
        if (symbol == moves.size()) {
            ++result_.forced;
            require(!verify_ || board_.forces(mine, theirs, forced_discs), "a forced win is not there");
            moves_[place] = Bits{0};
            return;
        }
        moves_[place] = moves[symbol];
        const Place after = board_.one_of_mirrors({mine | moves[symbol], theirs});
        const auto [leaf, is_new] = after_.try_emplace(after);
        if (!is_new) return;
        switch (symbols_.read(3)) {
            case 0:
                ++result_.inner;
                reply(after);
                break;
            case 1:
                ++result_.plans;
                leaf->second = read_plan(after);
                if (verify_) check_plan(*leaf->second);
                break;
            default:
                ++result_.local_games;
                leaf->second = read_local_games(after);
                for (auto& game : leaf->second->games)
                    require(!verify_ || game.is_won(), "a local game is not won");
        }
    }

    void reply(const Place& place) {
        const auto [mine, theirs] = place;
        require(board_.wins(theirs, mine) == 0, "the opponent completes a four");
        const Bits replies = board_.open(mine | theirs);
        require(replies != 0 || !result_.win, "the board is full and nobody has won");
        for (const Bits disc : each_square(replies))
            if (result_.win || board_.open(mine | theirs | disc) != 0) wait({mine, theirs | disc});
    }

    std::unique_ptr<Leaf> read_plan(const Place& place) {
        auto leaf = std::make_unique<Leaf>(Leaf{place, Plan{}, {}});
        std::vector<Bits> empty;
        for (const Bits square : each_square(board_.squares() & ~(place.mine | place.theirs)))
            empty.push_back(square);
        leaf->plan->takes = 1 + static_cast<int>(symbols_.read(2));
        for (std::size_t count = symbols_.read(64); count > 0; --count) {
            const Bits disc = empty[symbols_.read(empty.size())];
            std::vector<Bits> squares(1 + symbols_.read(3));
            for (Bits& square : squares) square = empty[symbols_.read(empty.size())];
            leaf->plan->answers[disc] = squares;
        }
        return leaf;
    }

    void check_plan(const Leaf& leaf) {
        std::unordered_set<Place, PairHash> seen{leaf.place};
        std::vector<Place> waiting{leaf.place};
        while (!waiting.empty()) {
            const auto [mine, theirs] = waiting.back();
            waiting.pop_back();
            require(board_.wins(theirs, mine) == 0, "a plan lets the opponent complete a four");
            const Bits replies = board_.open(mine | theirs);
            require(replies != 0 || !result_.win, "a plan fills the board and nobody has won");
            if (is_safe(mine)) continue;
            for (const Bits disc : each_square(replies)) {
                const Bits now = theirs | disc;
                if (board_.forces(mine, now, leaf.plan->takes)) continue;
                if (board_.open(mine | now) == 0 && !result_.win) continue;
                const Place after{mine | planned(*leaf.plan, mine, now, disc), now};
                if (seen.insert(after).second) waiting.push_back(after);
            }
            require(seen.size() < most_positions_of_a_certificate, "a plan has too many positions");
        }
    }
    Bits planned(const Plan& plan, Bits mine, Bits theirs, Bits disc) const {
        const auto moves = board_.sensible_moves(mine, theirs);
        if (!moves.empty() && board_.wins(theirs, mine) != 0) return moves[0];
        const auto known = plan.answers.find(disc);
        const auto choices = known == plan.answers.end() ? std::vector<Bits>{disc << 1} : known->second;
        const auto answer = std::ranges::find_if(
            choices, [&](Bits square) { return std::ranges::find(moves, square) != moves.end(); });
        require(answer != choices.end(), "a plan has no answer");
        return *answer;
    }

    std::unique_ptr<Leaf> read_local_games(const Place& place) {
        const auto [mine, theirs] = place;
        std::vector<Bits> groups;
        for (int column = 0; column < board_.shape().width(); ++column)
            if (const Bits free = board_.shape().column(column) & ~(mine | theirs); free != 0) {
                const std::size_t number = symbols_.read(groups.size() + 1);
                if (number == groups.size()) groups.push_back(0);
                groups[number] |= free;
            }
        const std::size_t winner = result_.win ? symbols_.read(groups.size()) : groups.size();
        const auto needs = read_needs(place, groups);
        std::vector<std::size_t> odd;
        for (std::size_t i = 0; i < groups.size(); ++i)
            if (i != winner && popcount(groups[i]) % 2 != 0) odd.push_back(i);
        require(odd.size() <= 2, "the local games do not leave the last move to the player");
        auto leaf = std::make_unique<Leaf>(Leaf{place, {}, {}});
        for (std::size_t i = 0; i < groups.size(); ++i) {
            Free free = Free::never;
            if (odd.size() == 2 && std::ranges::find(odd, i) != odd.end())
                free = Free::once_odd;
            else if (odd.size() == 1 && (!result_.win || i == winner))
                free = result_.win ? Free::once : Free::even;
            leaf->games.emplace_back(board_, place, groups[i], needs[i], i == winner, free,
                                     result_.states);
        }
        return leaf;
    }

    std::vector<std::vector<Bits>> read_needs(const Place& place, const std::vector<Bits>& groups) {
        std::vector<Bits> found, lines;
        for (const Bits line : board_.lines())
            if ((line & place.mine) == 0) found.push_back(line & ~place.theirs);
        for (const Bits line : found)
            if (std::ranges::none_of(found,
                                     [&](Bits other) { return (other & ~line) == 0 && other != line; }))
                lines.push_back(line);
        std::vector<std::vector<Bits>> needs(groups.size());
        const auto stopped = [&](Bits line) {
            return std::ranges::any_of(needs, [&](const auto& own) {
                return std::ranges::any_of(own, [&](Bits need) { return (need & ~line) == 0; });
            });
        };
        const auto touched = [&](Bits line) {
            std::vector<std::size_t> numbers;
            for (std::size_t i = 0; i < groups.size(); ++i)
                if ((line & groups[i]) != 0) numbers.push_back(i);
            return numbers;
        };
        for (const Bits line : lines)
            if (const auto numbers = touched(line); numbers.size() == 1 && !stopped(line))
                needs[numbers[0]].push_back(line & groups[numbers[0]]);
        for (const Bits line : lines)
            if (!stopped(line)) {
                const auto numbers = touched(line);
                const std::size_t number = numbers[symbols_.read(numbers.size())];
                needs[number].push_back(line & groups[number]);
            }
        return needs;
    }

    // ---- The plain strategy ----

    /// F's move against replies, with what it rests on.
    Bits followed_move(Walked& at, Followed& result) {
        const auto [mine, theirs] = at.place;
        if (const Bits four = board_.wins(mine, theirs); four != 0) {
            result.why = "four";
            return lowest(four);
        }
        if (is_safe(mine)) {
            result.why = "safe";
            const auto moves = board_.sensible_moves(mine, theirs);
            return moves.empty() ? lowest(board_.open(mine | theirs)) : moves[0];
        }
        const Bits square = answer(at);
        require(square != 0, "the certificate has no answer");
        result.why = at.is_forced ? "force" : at.leaf == nullptr ? "move" : "leaf";
        result.groups.clear();
        if (at.leaf == nullptr) return square;
        result.why = at.leaf->plan ? "plan" : "local";
        for (const auto& game : at.leaf->games) {
            ColumnSet columns = 0;
            const Bits squares = at.mirrored ? mirror(game.squares()) : game.squares();
            for (int column = 0; column < board_.shape().width(); ++column)
                if ((squares & board_.shape().column(column)) != 0) columns |= only<ColumnSet>(column);
            result.groups.push_back(columns);
        }
        return square;
    }

    Bits mirror(Bits squares) const { return board_.shape().mirror(squares); }

    Walked after_reply(const Walked& from, Bits disc) {
        Walked next = from;
        next.place.theirs |= disc;
        next.disc = disc;
        if (next.leaf != nullptr && !next.leaf->games.empty()) {
            const Bits own = next.mirrored ? mirror(disc) : disc;
            for (std::size_t i = 0; i < next.states.size(); ++i)
                if ((next.leaf->games[i].squares() & own) != 0)
                    next.states[i] = next.leaf->games[i].after_theirs(next.states[i], own);
        }
        return next;
    }

    /// F's move, and what it leads to; F has no four at once.
    Bits answer(Walked& at) {
        if (at.leaf != nullptr) return at.leaf->plan ? by_plan(at) : by_games(at);
        const Place one = board_.one_of_mirrors(at.place);
        const bool mirrored = one != at.place;
        const Bits move = at.is_forced ? Bits{0} : moves_.at(one);
        at.is_forced = move == 0;
        if (at.is_forced) return board_.forcing_move(at.place.mine, at.place.theirs, forced_discs);
        const Place after{one.mine | move, one.theirs};
        const Place canonical = board_.one_of_mirrors(after);
        if (Leaf* const leaf = after_.at(canonical).get(); leaf != nullptr) {
            at.leaf = leaf;
            at.mirrored = mirrored != (canonical != after);
            for (auto& game : leaf->games) at.states.push_back(game.start());
        }
        return mirrored ? mirror(move) : move;
    }
    Bits by_plan(const Walked& at) {
        const auto [mine, theirs] = at.place;
        const Plan& plan = *at.leaf->plan;
        if (const Bits force = board_.forcing_move(mine, theirs, plan.takes); force != 0) return force;
        if (!at.mirrored) return planned(plan, mine, theirs, at.disc);
        return mirror(planned(plan, mirror(mine), mirror(theirs), mirror(at.disc)));
    }
    Bits by_games(Walked& at) {
        const Bits disc = at.mirrored ? mirror(at.disc) : at.disc;
        auto& games = at.leaf->games;
        Bits square{0};
        for (std::size_t i = 0; i < games.size() && square == 0; ++i)
            if ((games[i].squares() & disc) != 0 && games[i].is_open(at.states[i]))
                square = play_in(games[i], at.states[i], disc << 1);
        for (std::size_t i = 0; i < games.size() && square == 0; ++i)
            if (games[i].is_open(at.states[i]) && games[i].must_move(at.states[i])) {
                at.states[i] = games[i].before_free_move(at.states[i]);
                square = play_in(games[i], at.states[i], Bits{0});
            }
        require(square != 0, "the local games have no answer");
        return at.mirrored ? mirror(square) : square;
    }
    Bits play_in(LocalGame<Shape>& game, State& state, Bits on_top) {
        const Bits square = game.choose(state, on_top);
        if (square != 0) state = game.after_mine(state, square);
        return square;
    }

    Board<Shape> board_;
    Checked result_;
    Symbols& symbols_;
    bool verify_;
    Place begin_{};
    bool player_begins_ = true;
    std::vector<Place> waiting_;
    std::unordered_set<Place, PairHash> seen_;
    std::unordered_map<Place, Bits, PairHash> moves_;  // 0: a forced win
    std::unordered_map<Place, std::unique_ptr<Leaf>, PairHash> after_;
};

template <class Visitor>
auto with_checker(std::span<const unsigned char> data, bool verify, const Visitor& visitor) {
    static constexpr unsigned char magic[] = {'C', '4', 'W', 'N', 1};
    require(data.size() <= most_bytes, "the file is too long");
    require(data.size() > 10 && std::ranges::equal(data.first(5), magic),
            "this is not a certificate of version 1");
    Checked header;
    header.width = data[5];
    header.height = data[6];
    header.player = data[7];
    header.win = data[8] == 1;
    const std::size_t count = data[9];
    require(is_supported(header.width, header.height), "no board has this size");
    require((header.player == 1 || header.player == 2) && data[8] <= 1,
            "the header names no player or no goal");
    require(data.size() > 10 + count, "the file ends too early");
    header.start.assign(data.begin() + 10, data.begin() + 10 + static_cast<std::ptrdiff_t>(count));
    Symbols symbols(data.subspan(10 + count));
    return with_shape(header.width, header.height, [&]<class Shape>(const Shape& shape) {
        Checker<Shape> checker(shape, header, symbols, verify);
        return visitor(checker);
    });
}

}  // namespace

Checked check(std::span<const unsigned char> data) {
    return with_checker(data, true, [](auto& checker) { return checker.run(); });
}

Followed follow(std::span<const unsigned char> data, const std::vector<int>& replies) {
    return with_checker(data, false, [&](auto& checker) {
        checker.run();
        return checker.follow(replies);
    });
}

Unfolded unfold(std::span<const unsigned char> data, std::size_t most_positions) {
    return with_checker(data, true, [&](auto& checker) {
        Unfolded result{checker.run(), {}};
        require(result.checked.win, "only a win is unfolded");
        result.columns = checker.unfold(most_positions);
        return result;
    });
}

}  // namespace fourcast::certificate
