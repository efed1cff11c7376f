// The search for level diagrams.
//
// What is looked for is an order of the empty squares: F plays the first of them that is open. The
// formula has a variable for each pair of squares (which comes first), for what is played where a set of
// squares is open, and for each position that has been encoded: it is won. At first it says nothing of
// the game. A solution of it is played through; the positions on the way to the first defeats are
// encoded, and it is solved again: what is found in the end wins every game.
#pragma once

#include <array>
#include <optional>
#include <unordered_map>

#include "levels.hpp"
#include "reasons/board.hpp"
#include "sat.hpp"

namespace fourcast::certificate {

/// How hard a diagram is searched for.
struct LevelEffort {
    int tries = 1;              // with different first orders
    int rounds = 80;            // of solving and playing through
    int defeats = 20;           // that are encoded in a round
    std::size_t most = 20'000;  // positions that a diagram may meet
    /// Called now and then; throws to end the search.
    reasons::Budget::Pulse pulse{};
};

template <class Shape>
class LevelSearch {
  public:
    using Bits = typename Shape::Bits;
    using Place = Pair<Bits>;

    /// O is to move in `start`.
    LevelSearch(const Board<Shape>& board, const Place& start, const LevelEffort& effort, int number)
        : board_(board), start_(start), effort_(effort) {
        for (const Bits square : each_square(board.squares() & ~(start.mine | start.theirs))) {
            number_[static_cast<std::size_t>(lowest_bit(square))] = squares_.size();
            squares_.push_back(square);
        }
        const std::size_t count = squares_.size();
        before_.assign(count, std::vector<Literal>(count));
        for (std::size_t b = 0; b < count; ++b)
            for (std::size_t a = 0; a < b; ++a) {
                before_[a][b] = sat_.choice(promise(a, number) >= promise(b, number));
                before_[b][a] = ~before_[a][b];
            }
        for (std::size_t c = 0; c < count; ++c)
            for (std::size_t b = 0; b < c; ++b)
                for (std::size_t a = 0; a < b; ++a) {
                    sat_.add({~before_[a][b], ~before_[b][c], before_[a][c]});
                    sat_.add({before_[a][b], before_[b][c], ~before_[a][c]});
                }
        sat_.add({is_won(start_)});
    }

    /// A diagram that wins every game, with as few levels as its order allows.
    std::optional<Levels<Bits>> find() {
        for (int round = 0; round < effort_.rounds; ++round) {
            if (effort_.pulse) effort_.pulse();
            const auto answer = sat_.solve(most_conflicts);
            if (!answer.value_or(false)) return std::nullopt;
            const auto order = solution();
            if (wins(order)) return levels_of(order);
        }
        return std::nullopt;
    }

  private:
    static constexpr std::uint64_t most_conflicts = 2'000;

    using Order = std::vector<Bits>;
    using Seen = std::unordered_map<Place, Place, PairHash>;  // with what came before

    /// Squares that are tried early in the order: rows in which answers on top land; the rest is luck.
    int promise(std::size_t i, int number) const {
        const int bit = lowest_bit(squares_[i]);
        const int row = board_.shape().row_of(bit);
        const auto luck = mix(static_cast<std::uint64_t>(bit + 1000 * number)) % 120;
        return ((board_.shape().height() - row) % 2 != 0 ? 100 : 0) - row + static_cast<int>(luck);
    }
    Order solution() const {
        Order result(squares_.size());
        for (std::size_t a = 0; a < squares_.size(); ++a) {
            std::size_t rank = 0;
            for (std::size_t b = 0; b < squares_.size(); ++b)
                if (a != b && sat_.is_true(before_[b][a])) ++rank;
            result[rank] = squares_[a];
        }
        return result;
    }
    std::size_t number(Bits square) const {
        return number_[static_cast<std::size_t>(lowest_bit(square))];
    }
    static Bits first_open(const Order& order, Bits open) {
        return *std::ranges::find_if(order, [&](Bits square) { return (square & open) != 0; });
    }

    /// What O's discs lead to: positions after F's block, and positions in which F is free to choose.
    struct Replies {
        bool lost = false;
        std::vector<Place> blocked;
        std::vector<Place> free;
    };
    Replies replies(const Place& place) const {
        Replies next;
        const auto [mine, theirs] = place;
        const Bits open = board_.open(mine | theirs);
        const bool can_win = board_.has(board_.squares() & ~theirs);
        next.lost = open == 0 || board_.wins(theirs, mine) != 0 || !can_win;
        if (next.lost) return next;
        for (const Bits disc : each_square(open)) {
            const Bits after = theirs | disc;
            if (board_.wins(mine, after) != 0) continue;
            const Bits block = board_.wins(after, mine);
            next.lost = next.lost || more_than_one(block) || board_.open(mine | after) == 0;
            if (block != 0)
                next.blocked.push_back({mine | block, after});
            else
                next.free.push_back({mine, after});
        }
        return next;
    }

    // ---- The formula ----

    Literal is_won(const Place& place) {
        const auto [found, is_new] = won_.try_emplace(place);
        if (is_new) found->second = sat_.variable();
        return found->second;
    }
    /// Whether the order plays `move` where these squares are open.
    Literal is_played(Bits open, Bits move) {
        const auto [found, is_new] = played_.try_emplace({open, move});
        if (is_new) {
            found->second = sat_.variable();
            std::vector<Literal> clause{found->second};
            for (const Bits other : each_square(open ^ move)) {
                const Literal before = before_[number(move)][number(other)];
                sat_.add({~found->second, before});
                clause.push_back(~before);
            }
            sat_.add(clause);
        }
        return found->second;
    }
    void encode(const Place& place) {
        if (!encoded_.insert(place).second) return;
        const Literal won = is_won(place);
        const Replies next = replies(place);
        if (next.lost) {
            sat_.add({~won});
            return;
        }
        for (const Place& each : next.blocked) sat_.add({~won, is_won(each)});
        for (const auto& [mine, theirs] : next.free) {
            const Bits open = board_.open(mine | theirs);
            std::vector<Literal> clause{~won};
            for (const Bits move : each_square(open)) {
                if (board_.wins(theirs, mine | move) != 0) continue;
                const Literal played = is_played(open, move);
                sat_.add({~won, ~played, is_won({mine | move, theirs})});
                clause.push_back(played);
            }
            sat_.add(clause);
        }
    }

    /// Whether an order wins every game; if not, the first defeats are encoded.
    bool wins(const Order& order) {
        Seen seen{{start_, start_}};
        std::vector<Place> waiting{start_};
        int defeats = 0;
        for (std::size_t i = 0; i < waiting.size() && defeats < effort_.defeats; ++i) {
            const Place place = waiting[i];
            const Replies next = replies(place);
            if (next.lost) {
                ++defeats;
                Place at = place;
                for (; at != start_; at = seen.at(at)) encode(at);
                encode(at);
                continue;
            }
            const auto go_to = [&](const Place& after) {
                if (seen.try_emplace(after, place).second) waiting.push_back(after);
            };
            for (const Place& each : next.blocked) go_to(each);
            for (const auto& [mine, theirs] : next.free)
                go_to({mine | first_open(order, board_.open(mine | theirs)), theirs});
        }
        return defeats == 0;
    }

    /// An order that wins, as levels: squares that F never chooses have none, and of the others only
    /// those that are open at once are told apart.
    std::optional<Levels<Bits>> levels_of(const Order& order) const {
        std::vector<Bits> with(squares_.size(), 0);  // squares that are open when this one is chosen
        Bits chosen{0};
        std::unordered_set<Place, PairHash> seen{start_};
        std::vector<Place> waiting{start_};
        while (!waiting.empty()) {
            const Replies next = replies(waiting.back());
            waiting.pop_back();
            const auto go_to = [&](const Place& after) {
                if (seen.insert(after).second) waiting.push_back(after);
            };
            for (const Place& each : next.blocked) go_to(each);
            for (const auto& [mine, theirs] : next.free) {
                const Bits open = board_.open(mine | theirs);
                const Bits move = first_open(order, open);
                chosen |= move;
                with[number(move)] |= open ^ move;
                go_to({mine | move, theirs});
            }
        }
        Levels<Bits> levels;
        for (const Bits square : order) {
            if ((chosen & square) == 0) continue;
            std::size_t level = 0;
            for (std::size_t i = 0; i < levels.size(); ++i)
                for (const Bits earlier : each_square(levels[i]))
                    if ((with[number(earlier)] & square) != 0) level = i + 1;
            if (level == levels.size()) levels.push_back(0);
            levels[level] |= square;
        }
        const bool fits = levels.size() <= most_levels && seen.size() <= effort_.most;
        return fits && won_positions(levels, board_, start_, effort_.most) != 0
                   ? std::optional(std::move(levels))
                   : std::nullopt;
    }

    const Board<Shape>& board_;
    Place start_;
    LevelEffort effort_;
    Sat sat_;
    std::vector<Bits> squares_;
    std::array<std::size_t, max_bits> number_{};
    std::vector<std::vector<Literal>> before_;
    std::unordered_map<Place, Literal, PairHash> won_;
    std::unordered_map<Place, Literal, PairHash> played_;  // by the open squares and the move
    std::unordered_set<Place, PairHash> encoded_;
};

}  // namespace fourcast::certificate
