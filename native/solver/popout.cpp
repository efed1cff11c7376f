#include "popout.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <limits>
#include <vector>

#include "answer_value.hpp"
#include "board/center.hpp"
#include "board/position_value.hpp"
#include "board/threats.hpp"
#include "said.hpp"
#include "search/key.hpp"

namespace fourcast {
namespace {

struct Stopped {};

constexpr int deepest = 250;

template <class Shape>
class PopOutSearch {
  public:
    using Bits = typename Shape::Bits;

    PopOutSearch(const Shape& shape, const Limit& limit, const StopToken& token, const Check& check)
        : shape_(shape), limit_(limit), token_(token), check_(check), slots_(slot_count) {}

    /// The board after a move: `own` is the side that has moved.
    struct Board {
        Bits own;
        Bits other;
    };

    /// Calls `f(move, board)` for each move but a claim, until it says true; returns whether it did.
    template <class Function>
    bool any_move(Bits own, Bits other, Function f) const {
        const Bits open = playable(shape_, static_cast<Bits>(own | other));
        for (const int column : order_)
            if (const Bits square = open & shape_.column(column); square != 0)
                if (f(column, Board{own | square, other})) return true;
        for (const int column : order_)
            if ((own & shape_.square(column, 0)) != 0)
                if (f(shape_.width() + column, Board{fallen(own, column), fallen(other, column)}))
                    return true;
        return false;
    }

    /// True if the side to move wins with its next move.
    bool wins_at_once(Bits own, Bits other) const {
        const Bits mask = own | other;
        if ((threats(shape_, own, mask) & playable(shape_, mask)) != 0) return true;
        for (const Bits bottom : each_square(static_cast<Bits>(own & shape_.bottom())))
            if (has_four(shape_, fallen(own, shape_.column_of(lowest_bit(bottom))))) return true;
        return false;
    }

    /// True if the side to move can force a win within this many plies.
    bool wins(Bits own, Bits other, int plies) {
        if (wins_at_once(own, other)) return true;
        return plies >= 3 && wins_later(own, other, plies);
    }

    /// True if the side to move, which does not win at once, loses within this many plies.
    bool loses(Bits own, Bits other, int plies) {
        if ((own | other) == shape_.board()) return false;  // it may claim the draw
        std::array<Board, 2 * max_pop_width> replies;
        int count = 0;
        const bool holds = any_move(own, other, [&](int, const Board& board) {
            // What gives only the opponent a line loses as well.
            if (has_four(shape_, board.other) || wins_at_once(board.other, board.own)) return false;
            replies[static_cast<std::size_t>(count++)] = board;
            return plies < 4;
        });
        if (holds) return false;
        // What the table knows to hold first.
        for (int i = 0; i < count; ++i) {
            const Board& reply = replies[static_cast<std::size_t>(i)];
            const Slot& slot = slot_of(key_of(reply.other, reply.own));
            if (slot.key == key_of(reply.other, reply.own) && slot.refuted >= plies - 1) return false;
        }
        for (int i = 0; i < count; ++i) {
            const Board& reply = replies[static_cast<std::size_t>(i)];
            if (!wins_later(reply.other, reply.own, plies - 1)) return false;
        }
        return true;
    }

    u64 nodes = 0;

  private:
    static constexpr std::size_t slot_count =
        sizeof(Bits) == 8 ? std::size_t{1} << 22 : std::size_t{1} << 20;

    struct Slot {
        Key<Bits> key{0, 0};
        std::uint8_t won = 255;    // within this many plies
        std::uint8_t refuted = 0;  // no win within this many plies
    };

    Bits fallen(Bits discs, int column) const {
        const Bits squares = shape_.column(column);
        return (discs & ~squares) | (((discs & squares) >> 1) & squares);
    }

    Key<Bits> key_of(Bits own, Bits other) const {
        return canonical(shape_, make_plain_key(shape_, own, static_cast<Bits>(own | other)));
    }
    Slot& slot_of(const Key<Bits>& key) {
        const auto fold = [](Bits word) {
            if constexpr (sizeof(Bits) == 8)
                return word;
            else
                return static_cast<u64>(word) ^ static_cast<u64>(word >> 64) * 0xD6E8FEB86659FD93U;
        };
        const u64 hash =
            (fold(key.first) * 0x9E3779B97F4A7C15U ^ fold(key.second)) * 0xD1342543DE82EF95U;
        return slots_[hash >> 32 & (slot_count - 1)];
    }

    /// The same if it does not win at once, and neither does the opponent have to be looked at.
    bool wins_later(Bits own, Bits other, int plies) {
        count_node();
        const Key<Bits> key = key_of(own, other);
        if (const Slot& slot = slot_of(key); slot.key == key) {
            if (slot.won <= plies) return true;
            if (slot.refuted >= plies) return false;
        }
        struct Candidate {
            Board board;
            int rating;
        };
        std::array<Candidate, 2 * max_pop_width> candidates;
        int count = 0;
        any_move(own, other, [&](int, const Board& board) {
            if (has_four(shape_, board.other) || wins_at_once(board.other, board.own)) return false;
            const Bits mask = board.own | board.other;
            const Bits won = threats(shape_, board.own, mask);
            const Bits open = playable(shape_, mask);
            const int rating = 8 * popcount(static_cast<Bits>(won & open)) + 2 * popcount(won) -
                               popcount(threats(shape_, board.other, mask));
            candidates[static_cast<std::size_t>(count++)] = {board, rating};
            return false;
        });
        bool found = false;
        for (int i = 0; i < count && !found; ++i) {
            int next = i;
            for (int j = i + 1; j < count; ++j)
                if (candidates[static_cast<std::size_t>(j)].rating >
                    candidates[static_cast<std::size_t>(next)].rating)
                    next = j;
            std::swap(candidates[static_cast<std::size_t>(i)],
                      candidates[static_cast<std::size_t>(next)]);
            const Board& board = candidates[static_cast<std::size_t>(i)].board;
            found = loses(board.other, board.own, plies - 1);
        }
        Slot& slot = slot_of(key);
        if (slot.key != key) slot = {key};
        if (found)
            slot.won = static_cast<std::uint8_t>(std::min<int>(slot.won, plies));
        else
            slot.refuted = static_cast<std::uint8_t>(std::max<int>(slot.refuted, plies));
        return found;
    }

    void count_node() {
        if (++nodes > limit_.nodes) throw Stopped{};
        if (nodes % 1024 != 0) return;
        if (token_.is_stopped()) throw Stopped{};
        if (check_ && nodes % 65536 == 0) check_();
        if (limit_.time_s != std::numeric_limits<double>::infinity() &&
            std::chrono::duration<double>(Clock::now() - start_).count() >= limit_.time_s)
            throw Stopped{};
    }

    using Clock = std::chrono::steady_clock;
    const Shape shape_;
    const Limit& limit_;
    const StopToken& token_;
    const Check& check_;
    const Clock::time_point start_ = Clock::now();
    const std::vector<int> order_ = columns_from_center(shape_.width());
    std::vector<Slot> slots_;
};

template <class Shape>
void search(const Shape& shape, const Position& position, int most_plies, const Limit& limit,
            const StopToken& token, const Check& check, PopOutAnswer& answer) {
    using Bits = typename Shape::Bits;
    PopOutSearch<Shape> search(shape, limit, token, check);
    const auto own = static_cast<Bits>(position.discs(position.turn()));
    const auto other = static_cast<Bits>(position.discs(3 - position.turn()));
    const bool at_once = search.wins_at_once(own, other);
    try {
        for (int plies = 1; plies <= most_plies && answer.winner == 0; ++plies) {
            if (plies % 2 != 0 ? search.wins(own, other, plies)
                               : !at_once && search.loses(own, other, plies)) {
                answer.winner = plies % 2 != 0 ? position.turn() : 3 - position.turn();
                answer.plies = plies;
            } else {
                answer.searched = plies;
            }
        }
        // The moves that win in time, or lose as late as that.
        if (answer.winner == position.turn())
            search.any_move(own, other, [&](int move, const auto& board) {
                const bool wins = answer.plies == 1
                                      ? has_four(shape, board.own)
                                      : !has_four(shape, board.other) &&
                                            !search.wins_at_once(board.other, board.own) &&
                                            search.loses(board.other, board.own, answer.plies - 1);
                if (wins) answer.best |= ColumnSet{1} << move;
                return false;
            });
        else if (answer.winner != 0)
            search.any_move(own, other, [&](int move, const auto& board) {
                const bool sooner =
                    has_four(shape, board.other) ||
                    (answer.plies > 2 && search.wins(board.other, board.own, answer.plies - 3));
                if (!sooner) answer.best |= ColumnSet{1} << move;
                return false;
            });
    } catch (const Stopped&) {
        // What is known so far is the answer.
    }
    answer.nodes = search.nodes;
}

template <class Shape>
void search(const Shape& shape, const Position& position, int most_plies, const Limit& limit,
            const StopToken& token, const Check& check, PopOutAnalysis& analysis) {
    using Search = PopOutSearch<Shape>;
    using Bits = typename Shape::Bits;
    Search search(shape, limit, token, check);
    const int turn = position.turn();
    std::vector<typename Search::Board> boards;
    search.any_move(static_cast<Bits>(position.discs(turn)), static_cast<Bits>(position.discs(3 - turn)),
                    [&](int move, const auto& board) {
                        analysis.moves.push_back({.move = move});
                        boards.push_back(board);
                        return false;
                    });
    /// Who wins by a move, after exactly this many plies; 0 for nobody.
    const auto winner = [&](const auto& board, int plies) {
        if (plies == 1)
            return has_four(shape, board.own) ? turn : has_four(shape, board.other) ? 3 - turn : 0;
        if (plies % 2 == 0) return search.wins(board.other, board.own, plies - 1) ? 3 - turn : 0;
        const bool wins = !search.wins_at_once(board.other, board.own) &&
                          search.loses(board.other, board.own, plies - 1);
        return wins ? turn : 0;
    };
    try {
        for (int plies = 1; plies <= most_plies; ++plies)
            for (std::size_t i = 0; i < boards.size(); ++i) {
                PopOutMove& move = analysis.moves[i];
                if (move.winner != 0) continue;
                move.winner = winner(boards[i], plies);
                if (move.winner != 0) move.plies = plies;
            }
    } catch (const Stopped&) {
        // What is known so far is the answer.
    }
    analysis.nodes = search.nodes;
}

/// Searches a position that is not over; `answer` says what for.
template <class Answer>
Answer searched(const Position& position, int most_plies, const Limit& limit, const StopToken& token,
                const Check& check) {
    if (!position.rules().pop) throw OptionError("error.not_popout");
    if (position.is_over()) throw FinishedGameError("error.solve_over");
    const auto start = std::chrono::steady_clock::now();
    Answer answer;
    const int plies = std::min(most_plies, deepest);
    const int width = position.width(), height = position.height();
    if (position.rules().has_standard_lines() && width * (height + 1) <= 64)
        search(AnyShape<u64>(width, height), position, plies, limit, token, check, answer);
    else
        search(VariantShape<u128>(width, height, position.rules().connect, position.rules().wrap),
               position, plies, limit, token, check, answer);
    answer.time_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return answer;
}

}  // namespace

PopOutAnswer solve_popout(const Position& position, int most_plies, const Limit& limit,
                          const StopToken& token, const Check& check) {
    auto answer = searched<PopOutAnswer>(position, most_plies, limit, token, check);
    if (answer.best == 0) answer.best = position.legal_columns();
    return answer;
}

bool PopOutAnalysis::complete() const {
    return std::ranges::all_of(moves,
                               [](const PopOutMove& move) { return move.winner != 0 || move.draws; });
}

PopOutAnalysis analyze_popout(const Position& position, int most_plies, const Limit& limit,
                              const StopToken& token, const Check& check) {
    auto analysis = searched<PopOutAnalysis>(position, most_plies, limit, token, check);
    if (const int claim = 2 * position.width(); position.can_play(claim))
        analysis.moves.push_back({.move = claim, .draws = true});
    std::ranges::sort(analysis.moves, {}, &PopOutMove::move);
    // A win is found no later than longer ones; nothing else is best before all moves are known.
    const int turn = position.turn();
    const auto rank = [&](const PopOutMove& move) {
        if (move.winner == 0) return 0;
        return move.winner == turn ? deepest + 1 - move.plies : move.plies - deepest - 1;
    };
    const int most = rank(std::ranges::max(analysis.moves, {}, rank));
    for (const PopOutMove& move : analysis.moves)
        if (rank(move) == most && (most > 0 || analysis.complete()))
            analysis.best |= ColumnSet{1} << move.move;
    return analysis;
}

namespace study {
namespace {

int plies_from(const Value& request) {
    const Value& plies = request.get("plies");
    return plies.is_null() ? deepest : static_cast<int>(plies.integer("plies", 1, deepest));
}

/// The members of something won, lost, drawn or open, after this number of plies if somebody wins.
Value meaning_of(int winner, int plies, bool draws, int turn) {
    const int sign = winner == 0 ? 0 : winner == turn ? 1 : -1;
    const int moves = winner == 0 ? 0 : (plies + (sign > 0 ? 1 : 0)) / 2;
    const bool known = winner != 0 || draws;
    Value said = say(draws ? "score.draws" : "score.open");
    if (winner != 0) said = say(sign > 0 ? "score.wins" : "score.loses", {{"count", moves}});
    if (winner != 0 && moves == 0) said = say("score.loses_now");
    return object({{"score", Value()},
                   {"lower", known ? sign : -1},
                   {"upper", known ? sign : 1},
                   {"outcome", known ? Value(sign > 0   ? "win"
                                             : sign < 0 ? "loss"
                                                        : "draw")
                                     : Value()},
                   {"winner", winner == 0 ? Value() : Value(winner)},
                   {"plies_to_end", winner == 0 ? Value() : Value(plies)},
                   {"moves_to_end", winner == 0 ? Value() : Value(moves)},
                   {"said", std::move(said)}});
}

Value analyze(const Value& request, const Context& context) {
    const Position position = ruled_position_from(request);
    const int turn = position.turn();
    const PopOutAnalysis found = analyze_popout(
        position, plies_from(request), from_value<Limit>(request), context.token, context.check);
    const auto told = [&](const PopOutMove& move) {
        const std::string name = position.move_name(move.move);
        Value squares = Value::Array();
        if (position.has_column(move.move))
            squares.add(std::pair(move.move, position.column_height(move.move)));
        Value json = object({{"column", move.move}, {"name", name}});
        json.join(meaning_of(move.winner, move.plies, move.draws, turn));
        json.join(object({{"is_best", (found.best >> move.move & 1) != 0},
                          {"variation", Value::Array{move.move}},
                          {"moves", name},
                          {"squares", std::move(squares)}}));
        return json;
    };
    PopOutMove best;
    for (const PopOutMove& move : found.moves)
        if ((found.best >> move.move & 1) != 0) best = move;
    Value json = meaning_of(best.winner, best.plies, best.draws, turn);
    const double share = best.winner == 0 ? 0.5 : best.winner == 1 ? 1 : 0;
    json.join(object({{"best_columns", to_value(found.best)},
                      {"share", share},
                      {"complete", found.complete()},
                      {"nodes", found.nodes},
                      {"time_s", found.time_s},
                      {"columns", array_of(found.moves, told)}}));
    return json;
}

Value answer_popout(const Value& request, const Context& context) {
    const Position position = ruled_position_from(request);
    const PopOutAnswer found = solve_popout(position, plies_from(request), from_value<Limit>(request),
                                            context.token, context.check);
    Value::Array best;
    for (const int move : each(found.best)) best.push_back(move);
    return object({{"winner", found.winner == 0 ? Value() : Value(found.winner)},
                   {"plies", found.winner == 0 ? Value() : Value(found.plies)},
                   {"searched", found.searched},
                   {"best", std::move(best)},
                   {"nodes", found.nodes},
                   {"time_s", found.time_s}});
}

}  // namespace

std::span<const Question> popout_questions() {
    static constexpr std::array<Question, 2> questions{
        {{"popout.solve", answer_popout}, {"popout.analyze", analyze}}};
    return questions;
}

}  // namespace study
}  // namespace fourcast
