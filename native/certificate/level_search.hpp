// The search for level diagrams.
//
// A diagram is found as an order of the empty squares in which some may share a place. The formula has
// two variables for each pair of squares (one comes before the other, or neither: they share a level),
// one for each first move to choose from, one for each move that is played where a set of squares is
// open, and one for each position that is met. A solution of it is played through. Where it leaves the
// positions that are won, which the solver knows, the way there is added to the formula, and it is
// solved again: what is found in the end wins every game. If there is no solution, there is no diagram,
// with any number of levels.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <unordered_map>

#include "levels.hpp"
#include "reasons/board.hpp"
#include "sat.hpp"

namespace fourcast::certificate {

/// How hard a diagram is searched for.
struct LevelEffort {
    int tries = 1;                    // with different first orders
    std::uint64_t conflicts = 2'000;  // of the formula, in each of them
    int defeats = 10;                 // that are added in a round
    std::size_t most = 20'000;        // positions that a diagram may meet
    /// Called now and then; throws to end the search.
    reasons::Budget::Pulse pulse{};
};

template <class Shape>
class LevelSearch {
  public:
    using Bits = typename Shape::Bits;
    using Place = Pair<Bits>;
    /// Whether F wins, with O to move.
    using IsWon = std::function<bool(const Place&)>;

    /// O is to move in all `starts`, which F wins: F may choose one of them. The search begins with a
    /// diagram `like` this one, which may have no levels; what it leaves open differs from one `number`
    /// to the next.
    LevelSearch(const Board<Shape>& board, const std::vector<Place>& starts, const LevelEffort& effort,
                const IsWon& is_won, const Levels<Bits>& like, int number)
        : board_(board), effort_(effort), is_won_(is_won) {
        Bits filled = board.squares();  // in all of them
        for (const Place& start : starts) filled &= start.mine | start.theirs;
        for (const Bits square : each_square(board.squares() & ~filled)) {
            number_[static_cast<std::size_t>(lowest_bit(square))] = squares_.size();
            squares_.push_back(square);
        }
        const std::size_t count = squares_.size();
        before_.assign(count, std::vector<Literal>(count));
        tied_.assign(count, std::vector<std::optional<Literal>>(count));
        for (std::size_t b = 0; b < count; ++b)
            for (std::size_t a = 0; a < b; ++a) {
                const auto first = rank_in(like, a, number), second = rank_in(like, b, number);
                before_[a][b] = sat_.choice(first < second);
                before_[b][a] = sat_.choice(second < first);
                sat_.add({~before_[a][b], ~before_[b][a]});
            }
        for (std::size_t a = 0; a < count; ++a)
            for (std::size_t b = 0; b < count; ++b)
                for (std::size_t c = 0; c < count; ++c)
                    if (a != b && b != c && a != c)
                        sat_.add({~before_[a][b], before_[a][c], before_[c][b]});
        std::vector<Literal> clause;
        for (const Place& start : starts) {
            const Literal chosen = sat_.choice(clause.empty());
            starts_.emplace_back(start, chosen);
            clause.push_back(chosen);
            for (const Place& each : free_after(start)) sat_.add({~chosen, is_met(each)});
        }
        sat_.add(clause);
    }

    enum class Answer { found, none, unknown };

    /// Looks for a diagram that wins every game from `start`, one of those given.
    Answer find(Place& start, Levels<Bits>& levels) {
        while (true) {
            if (effort_.pulse) effort_.pulse();
            const auto answer = sat_.solve(effort_.conflicts);
            if (!answer) return Answer::unknown;
            if (!*answer) return Answer::none;
            levels = solution();
            const auto is_chosen = [&](const auto& each) { return sat_.is_true(each.second); };
            start = start_ = std::ranges::find_if(starts_, is_chosen)->first;
            if (!wins(levels)) continue;
            simplify(levels);
            return levels.size() <= most_levels && won(levels) ? Answer::found : Answer::unknown;
        }
    }

  private:
    using Moves = std::vector<Bits>;

    /// Where a square is tried first: squares that have no level come after all others.
    int rank_in(const Levels<Bits>& like, std::size_t i, int number) const {
        const auto has = [&](Bits level) { return (level & squares_[i]) != 0; };
        const auto level = std::ranges::find_if(like, has);
        return level != like.end() ? static_cast<int>(level - like.begin()) : 1000 - promise(i, number);
    }
    /// Squares that come early in the order: rows in which answers on top land; the rest is luck, and
    /// more of it from one number to the next.
    int promise(std::size_t i, int number) const {
        const int bit = lowest_bit(squares_[i]);
        const int row = board_.shape().row_of(bit);
        const auto tries = static_cast<std::uint64_t>(number);
        const auto luck = mix(static_cast<std::uint64_t>(bit) + 1000 * tries) % (10 + 50 * tries);
        return ((board_.shape().height() - row) % 2 != 0 ? 100 : 0) - row + static_cast<int>(luck);
    }
    Levels<Bits> solution() const {
        Levels<Bits> result(squares_.size(), 0);
        for (std::size_t a = 0; a < squares_.size(); ++a) {
            std::size_t rank = 0;
            for (std::size_t b = 0; b < squares_.size(); ++b)
                if (a != b && sat_.is_true(before_[b][a])) ++rank;
            result[rank] |= squares_[a];
        }
        std::erase(result, Bits{0});
        return result;
    }
    std::size_t number(Bits square) const {
        return number_[static_cast<std::size_t>(lowest_bit(square))];
    }

    /// Where F is free to choose next: after discs of O that neither let F win by force nor threaten a
    /// four, and after those that do threaten one and are blocked.
    std::vector<Place> free_after(const Place& place) const {
        std::vector<Place> result, waiting{place};
        while (!waiting.empty()) {
            const auto [mine, theirs] = waiting.back();
            waiting.pop_back();
            for (const Bits disc : each_square(board_.open(mine | theirs))) {
                const Bits after = theirs | disc;
                if (board_.forces(mine, after, forced_by_level)) continue;
                if (const Bits block = board_.wins(after, mine); block != 0)
                    waiting.push_back({mine | block, after});
                else
                    result.push_back({mine, after});
            }
        }
        return result;
    }
    /// F's moves that win.
    const Moves& winning(const Place& place) {
        const auto [found, is_new] = winning_.try_emplace(place);
        if (is_new)
            for (const Bits move : each_square(board_.open(place.mine | place.theirs)))
                if (keeps_the_win(place, move)) found->second.push_back(move);
        return found->second;
    }
    bool keeps_the_win(const Place& place, Bits move) {
        const Place after{place.mine | move, place.theirs};
        const auto [found, is_new] = won_.try_emplace(after);
        if (is_new) found->second = board_.wins(after.theirs, after.mine) == 0 && is_won_(after);
        return found->second;
    }

    // ---- The formula ----

    Literal is_met(const Place& place) {
        const auto [found, is_new] = met_.try_emplace(place);
        if (is_new) found->second = sat_.variable();
        return found->second;
    }
    Literal is_tied(std::size_t a, std::size_t b) {
        if (a > b) std::swap(a, b);
        auto& known = tied_[a][b];
        if (!known) {
            known = sat_.variable();
            sat_.add({~*known, ~before_[a][b]});
            sat_.add({~*known, ~before_[b][a]});
        }
        return *known;
    }
    /// Whether a square shares its level with another open one.
    Literal is_shared(Bits open, Bits square) {
        const auto [found, is_new] = shared_.try_emplace({open, square});
        if (is_new) {
            found->second = sat_.variable();
            std::vector<Literal> clause{~found->second};
            for (const Bits other : each_square(open ^ square))
                clause.push_back(is_tied(number(square), number(other)));
            sat_.add(clause);
        }
        return found->second;
    }
    /// Whether the diagram plays `move` where these squares are open.
    Literal is_played(Bits open, Bits move) {
        const auto [found, is_new] = played_.try_emplace({open, move});
        if (is_new) {
            const Literal played = found->second = sat_.variable();
            for (const Bits other : each_square(open ^ move)) {
                const Literal first = before_[number(move)][number(other)];
                sat_.add({~played, first, is_shared(open, other)});
                sat_.add({~played, first, before_[number(other)][number(move)]});
            }
        }
        return found->second;
    }
    void encode(const Place& place) {
        if (!encoded_.insert(place).second) return;
        const Literal met = is_met(place);
        const Bits open = board_.open(place.mine | place.theirs);
        std::vector<Literal> clause{~met};
        for (const Bits move : winning(place)) {
            const Literal played = is_played(open, move);
            clause.push_back(played);
            for (const Place& next : free_after({place.mine | move, place.theirs}))
                sat_.add({~met, ~played, is_met(next)});
        }
        sat_.add(clause);
    }

    /// Whether a diagram wins every game; if not, the ways to the first defeats are encoded.
    bool wins(const Levels<Bits>& levels) {
        std::unordered_map<Place, Place, PairHash> seen;  // with what came before
        std::vector<Place> waiting;
        for (const Place& each : free_after(start_))
            if (seen.try_emplace(each, each).second) waiting.push_back(each);
        int defeats = 0;
        for (std::size_t i = 0; i < waiting.size() && defeats < effort_.defeats; ++i) {
            const Place place = waiting[i];
            const Bits move = move_by(levels, board_, place);
            if (move == 0 || !keeps_the_win(place, move)) {
                ++defeats;
                for (Place at = place;; at = seen.at(at)) {
                    encode(at);
                    if (at == seen.at(at)) break;
                }
                continue;
            }
            for (const Place& next : free_after({place.mine | move, place.theirs}))
                if (seen.try_emplace(next, place).second) waiting.push_back(next);
        }
        return defeats == 0;
    }

    // ---- What is found, made simple ----

    bool won(const Levels<Bits>& levels) const {
        return play_through(levels, board_, start_, effort_.most).wins;
    }
    /// Takes away the levels of squares that need none, then joins levels that need not differ.
    void simplify(Levels<Bits>& levels) const {
        if (!won(levels)) return;
        for (std::size_t i = squares_.size(); i-- > 0;) {
            Levels<Bits> fewer = levels;
            for (Bits& level : fewer) level &= ~squares_[i];
            if (won(fewer)) levels = fewer;
        }
        std::erase(levels, Bits{0});
        for (std::size_t i = 0; i + 1 < levels.size();) {
            Levels<Bits> fewer = levels;
            fewer[i] |= fewer[i + 1];
            fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i) + 1);
            if (won(fewer))
                levels = fewer;
            else
                ++i;
        }
        for (std::size_t i = levels.size(); i-- > 0 && levels.size() > most_levels;) dissolve(levels, i);
    }
    /// Moves the squares of a level to others, if they all can be.
    void dissolve(Levels<Bits>& levels, std::size_t level) const {
        Levels<Bits> fewer = levels;
        for (const Bits square : each_square(levels[level])) {
            const auto can_join = [&](std::size_t other) {
                if (other == level) return false;
                fewer[level] ^= square;
                fewer[other] |= square;
                if (won(fewer)) return true;
                fewer[level] ^= square;
                fewer[other] ^= square;
                return false;
            };
            bool joined = false;
            for (std::size_t i = 0; i < levels.size() && !joined; ++i) joined = can_join(i);
            if (!joined) return;
        }
        levels = fewer;
        levels.erase(levels.begin() + static_cast<std::ptrdiff_t>(level));
    }

    const Board<Shape>& board_;
    Place start_{};  // the one that is chosen
    LevelEffort effort_;
    const IsWon& is_won_;
    Sat sat_;
    std::vector<Bits> squares_;
    std::array<std::size_t, max_bits> number_{};
    std::vector<std::vector<Literal>> before_;
    std::vector<std::vector<std::optional<Literal>>> tied_;
    std::vector<std::pair<Place, Literal>> starts_;
    std::unordered_map<Place, Literal, PairHash> met_;
    std::unordered_map<Place, Literal, PairHash> shared_;  // by the open squares and one of them
    std::unordered_map<Place, Literal, PairHash> played_;  // the same
    std::unordered_map<Place, Moves, PairHash> winning_;
    std::unordered_map<Place, bool, PairHash> won_;  // with O to move
    std::unordered_set<Place, PairHash> encoded_;
};

}  // namespace fourcast::certificate
