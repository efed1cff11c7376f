// Local games: groups of columns that the checker of certificates solves.
#pragma once

#include <array>
#include <bit>
#include <span>
#include <utility>

#include "reader.hpp"

namespace fourcast::certificate {

constexpr int most_compared = 8;  // states that may imply what a new one is

/// When F may have to move in a group without having been asked.
enum class Free { never, once, once_odd, even };

/// One group of columns, solved. The order in which moves are tried is that of the plain checker: both
/// meet the same states.
template <class Shape>
class LocalGame {
  public:
    using Bits = typename Shape::Bits;

    LocalGame(const Board<Shape>& board, const Pair<Bits>& start, Bits squares, std::vector<Bits> needs,
              bool win, Free free, int player, std::size_t& states)
        : board_(board),
          mask_(start.mine | start.theirs),
          squares_(squares),
          // The rows where F seldom gets a square that nobody wants to play below.
          wrong_((board.shape().bottom() << (player == 1 ? 1 : 0)) * every_other_row(board.shape())),
          win_(win),
          free_(free),
          states_(states) {
        std::ranges::sort(needs);
        needs.erase(std::unique(needs.begin(), needs.end()), needs.end());
        std::vector<Bits> goals;
        for (const Bits line : board.lines())
            if ((line & start.theirs) == 0)
                if (const Bits goal = line & ~start.mine; (goal & ~squares) == 0) goals.push_back(goal);
        std::ranges::sort(goals);
        goals.erase(std::unique(goals.begin(), goals.end()), goals.end());
        for (const Bits need : needs)
            if (std::ranges::none_of(needs,
                                     [&](Bits other) { return (other & ~need) == 0 && other != need; }))
                needs_.add(need);
        for (const Bits goal : goals) goals_.add(goal);
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

    State start() const { return {0, needs_.all(), goals_.all(), free_ != Free::never}; }
    bool is_won() { return reply(start()); }
    /// Frees what is known of states; it is found again if need be.
    void forget() {
        std::vector<Entry>().swap(entries_);
        std::vector<std::uint32_t>().swap(buckets_);
        std::vector<std::uint32_t>().swap(filled_buckets_);
    }
    Bits squares() const { return squares_; }
    const std::vector<Bits>& needs() const { return needs_.all_sets(); }
    bool wins() const { return win_; }
    Bits open(Bits filled) const { return board_.open(mask_ | filled) & squares_; }
    bool is_open(const State& state) const { return open(state.filled) != 0; }
    /// Whether F's move completes a four of the group.
    bool is_four(const State& state, Bits move) const {
        return (goals_.last_squares(state.goals, state.filled) & move) != 0;
    }
    /// Whether F may have to move here because another group is full.
    bool takes_free_moves() const { return free_ == Free::once || free_ == Free::once_odd; }

    State after_theirs(const State& state, Bits move) const {
        return {state.filled | move, state.needs, state.goals & ~goals_.with(move), state.free};
    }
    State after_mine(const State& state, Bits move) const {
        return {state.filled | move, state.needs & ~needs_.with(move), state.goals, state.free};
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
        if (const Bits four = goals_.last_squares(state.goals, state.filled) & moves; four != 0)
            return lowest(four);
        if (!win_ && state.needs == 0) return lowest((on_top & moves) != 0 ? on_top & moves : moves);
        const Bits lost = needs_.last_squares(state.needs, state.filled);
        const Bits urgent = lost & moves;
        if (more_than_one(urgent)) return 0;
        Choices choices;
        for (const Bits move : each_square(urgent != 0 ? urgent : moves & ~(lost >> 1))) {
            const Entry* const known = find(after_mine(state, move));
            if (known != nullptr && known->won) return move;
            if (known == nullptr) choices.add(move, promise(state, move));
        }
        for (const Bits move : choices.in_order())
            if (reply(after_mine(state, move))) return move;
        return 0;
    }

  private:
    /// Sets of squares; bit i of a number stands for set i.
    class Sets {
      public:
        void add(Bits set) {
            require(sets_.size() < 64, "error.certificate.lines");
            for (const Bits square : each_square(set))
                with_[static_cast<std::size_t>(lowest_bit(square))] |= u64{1} << sets_.size();
            sets_.push_back(set);
        }
        const std::vector<Bits>& all_sets() const { return sets_; }
        u64 all() const { return sets_.size() == 64 ? ~u64{0} : (u64{1} << sets_.size()) - 1; }
        u64 with(Bits square) const { return with_[static_cast<std::size_t>(lowest_bit(square))]; }
        /// The squares that are all that is missing of a set.
        Bits last_squares(u64 numbers, Bits filled) const {
            Bits found{0};
            for (const int i : each(numbers)) {
                const Bits missing = missing_of(i, filled);
                if (!more_than_one(missing)) found |= missing;
            }
            return found;
        }
        Bits missing_of(int i, Bits filled) const {
            return sets_[static_cast<std::size_t>(i)] & ~filled;
        }

      private:
        std::vector<Bits> sets_;
        std::array<u64, max_bits> with_{};
    };

    /// Moves by what they promise, the most first.
    class Choices {
      public:
        void add(Bits move, int promise) {
            std::size_t place = count_++;
            for (; place > 0 && promises_[place - 1] < promise; --place) {
                moves_[place] = moves_[place - 1];
                promises_[place] = promises_[place - 1];
            }
            moves_[place] = move;
            promises_[place] = promise;
        }
        std::span<const Bits> in_order() const { return {moves_.data(), count_}; }

      private:
        std::array<Bits, max_bits / 4> moves_;
        std::array<int, max_bits / 4> promises_;
        std::size_t count_ = 0;
    };

    struct Entry {
        State state;
        bool won;
        std::uint32_t next;         // in the same bucket of states; 0: none
        std::uint32_t next_filled;  // in the same bucket of filled squares
    };

    static Bits every_other_row(const Shape& shape) {
        Bits rows{0};
        for (int row = 0; row < shape.height(); row += 2) rows |= only<Bits>(row);
        return rows;
    }

    /// How many needs a move stops, and how much it adds to goals.
    int promise(const State& state, Bits move) const {
        static constexpr std::array weights{9, 9, 3, 1};
        int sum = std::popcount(state.needs & needs_.with(move));
        for (const int i : each(state.goals & goals_.with(move))) {
            const Bits rest = goals_.missing_of(i, state.filled | move);
            sum += weights[static_cast<std::size_t>(popcount(rest))] * ((rest & wrong_) != 0 ? 1 : 2);
        }
        return sum;
    }

    /// Whether F reaches the goal with O to move.
    bool reply(const State& state) {
        if (win_ ? state.goals == 0 : state.needs == 0) return !win_;
        const Bits moves = open(state.filled);
        if (moves == 0) return !win_;
        if (const Entry* const known = find(state); known != nullptr) return known->won;
        if ((needs_.last_squares(state.needs, state.filled) & moves) != 0) return false;
        const Bits fours = goals_.last_squares(state.goals, state.filled) & moves;
        if (more_than_one(fours)) return true;
        if (const Entry* const other = find_implying(state); other != nullptr) return other->won;
        require(++states_ < most_states, "error.certificate.states");
        Choices discs;
        for (const Bits disc : each_square(fours != 0 ? fours : moves))
            discs.add(disc, std::popcount(state.needs & needs_.with(disc)) +
                                std::popcount(state.goals & goals_.with(disc)));
        bool result = true;
        for (const Bits disc : discs.in_order()) {
            const State after = after_theirs(state, disc);
            result = open(after.filled) == 0 ? !win_ : choose(after, disc << 1) != 0;
            if (!result) break;
        }
        if (result && fours == 0 && must_move(state))
            result = choose(before_free_move(state), Bits{0}) != 0;
        remember(state, result);
        return result;
    }

    // ---- What is known of states ----

    static std::size_t hash_of_filled(const State& state) { return mix(folded(state.filled)); }
    static std::size_t hash_of(const State& state) {
        return mix(folded(state.filled) + mix(state.needs + mix(state.goals * 2 + state.free)));
    }
    const Entry* find(const State& state) const {
        if (entries_.empty()) return nullptr;
        for (auto i = buckets_[hash_of(state) & (buckets_.size() - 1)]; i != 0; i = entries_[i].next)
            if (entries_[i].state == state) return &entries_[i];
        return nullptr;
    }
    /// Of the newest states with the same squares filled: a won one in which F has no fewer needs to
    /// stop and no more goals, or a lost one in which it is the other way round.
    const Entry* find_implying(const State& state) const {
        if (entries_.empty()) return nullptr;
        int left = most_compared;
        for (auto i = filled_buckets_[hash_of_filled(state) & (buckets_.size() - 1)]; i != 0;
             i = entries_[i].next_filled) {
            const auto& [other, won, next, next_filled] = entries_[i];
            if (other.filled != state.filled || other.free != state.free) continue;
            if (left-- == 0) break;
            const State& harder = won ? other : state;
            const State& easier = won ? state : other;
            if ((easier.needs & ~harder.needs) == 0 && (harder.goals & ~easier.goals) == 0)
                return &entries_[i];
        }
        return nullptr;
    }
    void remember(const State& state, bool won) {
        if (entries_.size() >= buckets_.size()) grow();
        entries_.push_back({state, won, 0, 0});
        link(entries_.size() - 1);
    }
    void grow() {
        if (entries_.empty()) entries_.push_back({});  // number 0 stands for none
        buckets_.assign(std::max<std::size_t>(64, 4 * buckets_.size()), 0);
        filled_buckets_.assign(buckets_.size(), 0);
        for (std::size_t i = 1; i < entries_.size(); ++i) link(i);
    }
    void link(std::size_t i) {
        Entry& entry = entries_[i];
        auto& first = buckets_[hash_of(entry.state) & (buckets_.size() - 1)];
        auto& first_filled = filled_buckets_[hash_of_filled(entry.state) & (buckets_.size() - 1)];
        entry.next = std::exchange(first, static_cast<std::uint32_t>(i));
        entry.next_filled = std::exchange(first_filled, static_cast<std::uint32_t>(i));
    }

    const Board<Shape>& board_;
    Bits mask_;
    Bits squares_;
    Bits wrong_;
    bool win_;
    Free free_;
    Sets needs_;
    Sets goals_;
    std::vector<Entry> entries_;
    std::vector<std::uint32_t> buckets_;
    std::vector<std::uint32_t> filled_buckets_;
    std::size_t& states_;
};

/// The games of these groups; `winner` is the number of the one in which F wins, if F is to win.
template <class Shape, class Bits = typename Shape::Bits>
std::vector<LocalGame<Shape>> local_games(const Board<Shape>& board, const Pair<Bits>& place,
                                          const std::vector<Bits>& groups,
                                          const std::vector<std::vector<Bits>>& needs,
                                          std::size_t winner, bool win, int player,
                                          std::size_t& states) {
    std::vector<std::size_t> odd;
    for (std::size_t i = 0; i < groups.size(); ++i)
        if (!(win && i == winner) && popcount(groups[i]) % 2 != 0) odd.push_back(i);
    require(odd.size() <= 2, "error.certificate.last_move");
    std::vector<LocalGame<Shape>> games;
    for (std::size_t i = 0; i < groups.size(); ++i) {
        const bool wins = win && i == winner;
        Free free = Free::never;
        if (odd.size() == 2 && std::ranges::find(odd, i) != odd.end())
            free = Free::once_odd;
        else if (odd.size() == 1 && (!win || wins))
            free = win ? Free::once : Free::even;
        games.emplace_back(board, place, groups[i], needs[i], wins, free, player, states);
    }
    return games;
}

}  // namespace fourcast::certificate
