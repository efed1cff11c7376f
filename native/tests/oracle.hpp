// What the search is held against: plain minimax, and positions to ask about.
//
// Nothing here is clever. Of the code under test it shares the rules alone, which have an oracle of
// their own in test_rules.cpp.
#pragma once

#include <algorithm>
#include <random>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "board/score.hpp"
#include "board/threats.hpp"

namespace fourcast::testing {

/// A position in a form that any shape and any engine can read; the game is not over.
template <class Bits>
struct Board {
    Bits mover;
    Bits mask;
    int ply;
};

/// A move that can be told from others by its square.
template <class Shape, class Function>
void for_each_move(const Shape& shape, const Board<typename Shape::Bits>& board, Function f) {
    for (const auto square : each_square(playable(shape, board.mask)))
        f(square, has_four(shape, board.mover | square));
}

template <class Shape>
Board<typename Shape::Bits> after(const Board<typename Shape::Bits>& board,
                                  typename Shape::Bits square) {
    return {board.mover ^ board.mask, board.mask | square, board.ply + 1};
}

/// The exact score by trying everything, cut short only where alpha-beta does.
template <class Shape>
int minimax(const Shape& shape, const Board<typename Shape::Bits>& board, int alpha = -100,
            int beta = 100) {
    if (board.ply == shape.cells()) return 0;
    int best = -100;
    for_each_move(shape, board, [&](auto square, bool wins) {
        if (best >= beta) return;
        const int value = wins ? win_score(shape.cells(), board.ply + 1)
                               : -minimax(shape, after<Shape>(board, square), -beta, -alpha);
        best = std::max(best, value);
        alpha = std::max(alpha, best);
    });
    return best;
}

/// A random position with `empties` empty squares in which the game is not over. With `careful` players
/// who take a win, stop one, and do not give one away while they can: such games have more threats.
template <class Shape>
Board<typename Shape::Bits> random_board(const Shape& shape, int empties, std::mt19937& random,
                                         bool careful) {
    using Bits = typename Shape::Bits;
    for (;;) {
        Board<Bits> board{0, 0, 0};
        bool over = false;
        while (!over && shape.cells() - board.ply > empties) {
            const Bits open = playable(shape, board.mask);
            Bits choices = open;
            if (careful) {
                const Bits theirs = threats(shape, board.mover ^ board.mask, board.mask);
                const Bits safe = open & ~(theirs >> 1);
                if ((open & theirs) != 0)
                    choices = open & theirs;
                else if (safe != 0)
                    choices = safe;
            }
            std::vector<Bits> squares;
            for (const Bits choice : each_square(choices)) squares.push_back(choice);
            const Bits square = squares[random() % squares.size()];
            over = has_four(shape, board.mover | square);
            board = after<Shape>(board, square);
        }
        if (!over) return board;
    }
}

/// A random position that is its own mirror image, with at most `most_empties` empty squares, in which
/// the game is not over: two moves, and the same two on the other side.
template <class Shape>
Board<typename Shape::Bits> symmetric_board(const Shape& shape, int most_empties, std::mt19937& random) {
    using Bits = typename Shape::Bits;
    for (;;) {
        Board<Bits> board{0, 0, 0};
        bool over = false;
        const auto play = [&](int column) {
            const Bits square = playable(shape, board.mask) & shape.column(column);
            over = over || square == 0 || has_four(shape, board.mover | square);
            board = after<Shape>(board, square);
        };
        while (!over && shape.cells() - board.ply > most_empties) {
            const int first = static_cast<int>(random() % static_cast<unsigned>(shape.width()));
            const int second = static_cast<int>(random() % static_cast<unsigned>(shape.width()));
            const int last = shape.width() - 1;
            if (first == last - first) {
                play(first);
                play(first);
            } else if (second != last - second && first != second && first != last - second) {
                for (const int column : {first, second, last - first, last - second}) play(column);
            }
        }
        if (!over) return board;
    }
}

/// True if the search would branch here: the mover cannot win at once, need not stop a win, and has a
/// move that does not lose at once. Static proofs and keys are about such positions only.
template <class Shape>
bool is_node(const Shape& shape, const Board<typename Shape::Bits>& board) {
    const auto open = playable(shape, board.mask);
    const auto own = threats(shape, board.mover, board.mask);
    const auto theirs = threats(shape, board.mover ^ board.mask, board.mask);
    return ((own | theirs) & open) == 0 && (open & ~(theirs >> 1)) != 0;
}

/// A diagram for failure reports: X is the mover.
template <class Shape>
std::string diagram(const Shape& shape, const Board<typename Shape::Bits>& board) {
    std::string text;
    for (int row = shape.height() - 1; row >= 0; --row) {
        for (int column = 0; column < shape.width(); ++column) {
            const auto square = shape.square(column, row);
            text += (board.mover & square) != 0 ? 'X' : (board.mask & square) != 0 ? 'O' : '.';
        }
        text += '\n';
    }
    return text;
}

/// A hash for words of either width.
struct Mix {
    std::size_t operator()(u64 word) const { return (word * 0x9E3779B97F4A7C15U) ^ (word >> 29); }
    std::size_t operator()(u128 word) const {
        return (*this)(static_cast<u64>(word)) * 31 + (*this)(static_cast<u64>(word >> 64));
    }
    template <class Word>
    std::size_t operator()(const std::pair<Word, Word>& words) const {
        return (*this)(words.first) * 17 + (*this)(words.second);
    }
};

/// The scores of every position that can be reached from some start, each found from its children.
template <class Shape>
class AllScores {
  public:
    using Bits = typename Shape::Bits;

    explicit AllScores(const Shape& shape) : shape_(shape) {}

    int score(const Board<Bits>& board) {
        if (board.ply == shape_.cells()) return 0;
        const Bits key = board.mover + board.mask + shape_.bottom();
        if (const auto found = scores_.find(key); found != scores_.end()) return found->second.score;
        int best = -100;
        for_each_move(shape_, board, [&](Bits square, bool wins) {
            best = std::max(best, wins ? win_score(shape_.cells(), board.ply + 1)
                                       : -score(after<Shape>(board, square)));
        });
        scores_.emplace(key, Entry{board.mover, board.mask, static_cast<signed char>(board.ply),
                                   static_cast<signed char>(best)});
        return best;
    }

    std::size_t size() const { return scores_.size(); }
    void reserve(std::size_t count) { scores_.reserve(count); }

    /// Calls f(board, score) for all that are known.
    template <class Function>
    void for_each(Function f) const {
        for (const auto& [key, entry] : scores_)
            f(Board<Bits>{entry.mover, entry.mask, entry.ply}, static_cast<int>(entry.score));
    }

  private:
    struct Entry {
        Bits mover;
        Bits mask;
        signed char ply;
        signed char score;
    };
    Shape shape_;
    std::unordered_map<Bits, Entry, Mix> scores_;
};

}  // namespace fourcast::testing
