// Static proofs and table keys, held against scores that were found without them.
#include "search/proofs.hpp"

#include <memory>
#include <string_view>

#include "oracle.hpp"
#include "search/engine.hpp"
#include "search/key.hpp"
#include "search/local_games.hpp"
#include "testing.hpp"

namespace fourcast {
namespace {

using testing::AllScores;
using testing::Board;

struct Tally {
    u64 nodes = 0;
    u64 proofs = 0;
    u64 holds = 0;
    u64 games = 0;
    u64 merged = 0;
};

/// The endgame search asks once for all moves what F may hold after each of them.
template <class Shape, class Bits = typename Shape::Bits>
void check_hold_of_children(const Shape& shape, const Proofs<Shape>& proofs, const Board<Bits>& board,
                            Bits theirs) {
    const Bits opponent = board.mover ^ board.mask;
    const Bits safe = playable(shape, board.mask) & ~(theirs >> 1);
    const auto first = proofs.hold_plan(opponent, board.mask | lowest(safe), theirs, board.ply + 1);
    for (const Bits move : each_square(safe)) {
        const auto plan = proofs.hold_plan(opponent, board.mask | move, theirs, board.ply + 1);
        CHECK_EQUAL(plan.bound, first.bound);
        CHECK(plan.reach == ((first.reach | lowest(safe)) & ~move));
    }
}

/// What a game in two columns proves of the children of a node: all claims, one by one.
/// `score_of(board)` is the true score.
template <class Shape, class ScoreOf>
void check_local_games(const LocalGames<Shape>& games, const Shape& shape,
                       const Board<typename Shape::Bits>& board, ScoreOf score_of, Tally& tally) {
    using Bits = typename Shape::Bits;
    if (!testing::is_node(shape, board)) return;
    const Bits theirs = threats(shape, board.mover ^ board.mask, board.mask);
    std::array<Bits, 16> square{};
    std::array<Bits, 16> wins{};
    int count = 0;
    for (const Bits move : each_square(playable(shape, board.mask) & ~(theirs >> 1))) {
        square[count] = move;
        wins[count] = threats(shape, board.mover | move, board.mask | move);
        if ((wins[count] & playable(shape, board.mask | move)) == 0) ++count;
    }
    const auto bound_of = [&](int alpha, std::uint32_t moves) {
        return games.upper_bound(alpha, board.mover, board.mask, moves, square, wins, board.ply);
    };
    for (const int alpha : {-4, -2, -1, 0}) {
        const int any = bound_of(alpha, (1U << count) - 1);
        bool found = false;
        for (int i = 0; any != games.unproven && i < count; ++i) {
            const int bound = bound_of(alpha, 1U << i);
            if (bound == games.unproven) continue;
            found = true;
            ++tally.games;
            const auto child = testing::after<Shape>(board, square[i]);
            const int score = score_of(child);
            if (bound > alpha || score > bound) {
                testing::fail(__FILE__, __LINE__)
                    << shape.width() << "x" << shape.height() << ": a local game claims at most "
                    << bound << " for X, to move, but it is " << score << "\n"
                    << testing::diagram(shape, child);
            }
        }
        CHECK_EQUAL(found, any != games.unproven);
    }
}

/// Nothing that is proven of a node may contradict its score.
template <class Shape>
void check_proofs(const Shape& shape, const Proofs<Shape>& proofs,
                  const Board<typename Shape::Bits>& board, int score, Tally& tally) {
    const auto own = threats(shape, board.mover, board.mask);
    const auto theirs = threats(shape, board.mover ^ board.mask, board.mask);
    const auto open = playable(shape, board.mask);
    if (((own | theirs) & open) != 0) return;
    const bool pairs_up = popcount(proofs.follow_up(board.mask).shared) % 2 == 0;
    if (proofs.fours_left(board.mover, board.mask) == 0 && pairs_up) {
        ++tally.proofs;
        if (score > 0) {
            testing::fail(__FILE__, __LINE__)
                << shape.width() << "x" << shape.height() << ": `fours_left` says that X, to move, "
                << " never wins, but the score is " << score << "\n"
                << testing::diagram(shape, board);
        }
    }
    const int held = proofs.hold(99, board.mover, board.mask, own, board.ply);
    if (held != proofs.unproven) {
        ++tally.holds;
        if (score > held) {
            testing::fail(__FILE__, __LINE__)
                << shape.width() << "x" << shape.height() << ": `hold` claims a score of at most "
                << held << " for X, to move, but it is " << score << "\n"
                << testing::diagram(shape, board);
        }
    }
    if (!testing::is_node(shape, board)) return;
    ++tally.nodes;
    check_hold_of_children(shape, proofs, board, theirs);
    const int empties = shape.cells() - board.ply;
    for (int alpha = worst_score(empties); alpha < best_score(empties); ++alpha) {
        const int bound = proofs.upper_bound(alpha, board.mover, board.mask, theirs, board.ply);
        if (bound == proofs.unproven) continue;
        ++tally.proofs;
        if (bound > alpha || score > bound) {
            testing::fail(__FILE__, __LINE__)
                << shape.width() << "x" << shape.height() << ": `upper_bound` claims a score of at most "
                << bound << " for X, to move, but it is " << score << "\n"
                << testing::diagram(shape, board);
        }
    }
}

/// Positions of one key have one score, and so have their mirror images.
template <class Shape>
class KeyCheck {
  public:
    using Bits = typename Shape::Bits;
    explicit KeyCheck(const Shape& shape) : shape_(shape) {}

    void add(const Board<Bits>& board, int score, Tally& tally) {
        if (!testing::is_node(shape_, board)) return;
        const auto name = [&](Bits mover, Bits mask) {
            return canonical(shape_, make_key(shape_, mover, mask, threats(shape_, mover, mask),
                                              threats(shape_, mover ^ mask, mask)));
        };
        const auto key = name(board.mover, board.mask);
        const auto [found, is_new] = known_.try_emplace({key.first, key.second}, Known{board, score});
        if (is_new) return;
        ++tally.merged;
        if (found->second.score != score) {
            testing::fail(__FILE__, __LINE__)
                << shape_.width() << "x" << shape_.height() << ": one key, but scores "
                << found->second.score << " and " << score << " for X, to move\n"
                << testing::diagram(shape_, found->second.board) << "and\n"
                << testing::diagram(shape_, board);
        }
    }

  private:
    struct Known {
        Board<Bits> board;
        int score;
    };
    Shape shape_;
    std::unordered_map<std::pair<Bits, Bits>, Known, testing::Mix> known_;
};

/// Boards of more than one word have no local games.
struct NoGames {
    template <class Shape>
    explicit NoGames(const Shape& /*shape*/) {}
};
template <class Shape>
using GamesOf = std::conditional_t<sizeof(typename Shape::Bits) == 8, LocalGames<Shape>, NoGames>;

/// Every position of a small board.
void check_all_positions(int width, int height) {
    const AnyShape<u64> shape(width, height);
    const Proofs<AnyShape<u64>> proofs(shape);
    AllScores<AnyShape<u64>> all(shape);
    KeyCheck<AnyShape<u64>> keys(shape);
    static_cast<void>(all.score({0, 0, 0}));
    const LocalGames<AnyShape<u64>> games(shape);
    Tally tally;
    all.for_each([&](const Board<u64>& board, int score) {
        check_proofs(shape, proofs, board, score, tally);
        check_local_games(
            games, shape, board, [&](const Board<u64>& child) { return all.score(child); }, tally);
        keys.add(board, score, tally);
    });
    CHECK(tally.games > 1000);
    CHECK(tally.proofs > 1000);
    CHECK(tally.holds > 1000);
    CHECK(tally.merged > 1000);
}

/// Every position that follows some random ones with `empties` empty squares.
template <class Shape>
void check_subtrees(const Shape& shape, int empties, int starts, unsigned seed, Tally& tally) {
    std::mt19937 random(seed);
    const Proofs<Shape> proofs(shape);
    const GamesOf<Shape> games(shape);
    for (int i = 0; i < starts; ++i) {
        AllScores<Shape> all(shape);
        KeyCheck<Shape> keys(shape);
        static_cast<void>(all.score(testing::random_board(shape, empties, random, i % 2 == 0)));
        all.for_each([&](const Board<typename Shape::Bits>& board, int score) {
            check_proofs(shape, proofs, board, score, tally);
            if constexpr (sizeof(typename Shape::Bits) == 8)
                check_local_games(
                    games, shape, board, [&](const auto& child) { return all.score(child); }, tally);
            keys.add(board, score, tally);
        });
    }
}

class Patience final : public StopCondition {
    bool should_stop() override { return false; }
};

/// The engine without what is tested, for positions with more empty squares than minimax can do.
template <class Shape>
std::unique_ptr<Engine> plain_engine(const Shape& shape) {
    EngineOptions options{shape.width(), shape.height(), std::size_t{32} << 20, {}};
    Features& features = options.features;
    features.proofs = features.child_proofs = features.hold = features.dead_discs = false;
    features.endgame = features.local_games = false;
    return make_engine(options);
}

struct ScoreOf {
    Engine& engine;

    template <class Bits>
    int operator()(const Board<Bits>& board) const {
        Patience patience;
        const Answer answer =
            engine.open()->solve(Question{board.mover, board.mask, -99, 99, ~u64{0}, 1}, patience);
        CHECK(answer.complete && answer.lower == answer.upper);
        return answer.lower;
    }
};

/// Random positions, by the plain engine.
template <class Shape>
void check_with_engine(const Shape& shape, int least, int most, int count, unsigned seed, Tally& tally) {
    const auto engine = plain_engine(shape);
    const ScoreOf score_of{*engine};
    std::mt19937 random(seed);
    const Proofs<Shape> proofs(shape);
    KeyCheck<Shape> keys(shape);
    const GamesOf<Shape> games(shape);
    for (int i = 0; i < count; ++i) {
        const int empties = least + static_cast<int>(random() % static_cast<unsigned>(most - least + 1));
        const auto board = testing::random_board(shape, empties, random, i % 4 != 0);
        if (!testing::is_node(shape, board)) continue;
        const int score = score_of(board);
        check_proofs(shape, proofs, board, score, tally);
        if constexpr (sizeof(typename Shape::Bits) == 8)
            check_local_games(games, shape, board, score_of, tally);
        keys.add(board, score, tally);
    }
}

TEST("The table of lines that can be kept from a player is what the games in two columns say") {
    for (int first = 1; first <= PairGame::max_size; ++first) {
        for (int second = 1; second <= PairGame::max_size; ++second) {
            PairGame::LineSet kept = 0;
            for (int i = 0; i <= first; ++i) {
                for (int j = 0; j <= second; ++j) {
                    const auto line = PairGame::line(i, j);
                    if (i + j > 0 && PairGame({first, 0}, {second, 0}, false).holds(line, 0))
                        kept |= line;
                }
            }
            CHECK_EQUAL(kept, preventable_lines[first - 1][second - 1]);
        }
    }
}

TEST("Local games are right around the positions that refuted an earlier version") {
    const StandardShape shape;
    const LocalGames<StandardShape> games(shape);
    Tally tally;
    const auto engine = plain_engine(shape);
    const ScoreOf score_of{*engine};
    for (const std::string_view moves : {"4674124315136524424176276", "11651346744471545127266"}) {
        Board<u64> board{0, 0, 0};
        for (const char move : moves) {
            board = testing::after<StandardShape>(
                board, playable(shape, board.mask) & shape.column(move - '1'));
            if (shape.cells() - board.ply <= 24) check_local_games(games, shape, board, score_of, tally);
        }
        testing::for_each_move(shape, board, [&](u64 square, bool wins) {
            const auto child = testing::after<StandardShape>(board, square);
            if (wins) return;
            check_local_games(games, shape, child, score_of, tally);
            testing::for_each_move(shape, child, [&](u64 reply, bool replied) {
                if (!replied)
                    check_local_games(games, shape, testing::after<StandardShape>(child, reply),
                                      score_of, tally);
            });
        });
    }
    CHECK(tally.games > 10);
}

TEST("Proofs and keys are right in every position of 4x4 and 4x5") {
    check_all_positions(4, 4);
    check_all_positions(4, 5);
}

SLOW_TEST("Proofs and keys are right in every position of 5x4") { check_all_positions(5, 4); }

TEST("Proofs and keys are right in all positions that follow random ones") {
    Tally tally;
    check_subtrees(StandardShape{}, 14, 40, 1, tally);
    for (const auto& [width, height] :
         {std::pair{5, 5}, {6, 5}, {5, 6}, {7, 5}, {4, 7}, {8, 4}, {6, 6}, {6, 7}, {8, 6}})
        check_subtrees(AnyShape<u64>(width, height), 13, 20, 2, tally);
    for (const auto& [width, height] : {std::pair{8, 7}, {9, 6}, {10, 5}, {4, 15}})
        check_subtrees(AnyShape<u64>(width, height), 12, 10, 9, tally);
    check_subtrees(AnyShape<u128>(9, 7), 13, 10, 3, tally);
    CHECK(tally.nodes > 100'000);
    CHECK(tally.proofs > 100'000);
    CHECK(tally.holds > 100'000);
    CHECK(tally.games > 100'000);
    CHECK(tally.merged > 10'000);
}

TEST("Proofs are right in random positions that are further from the end") {
    Tally tally;
    check_with_engine(StandardShape{}, 14, 22, 20'000, 4, tally);
    for (const auto& [width, height] :
         {std::pair{5, 5}, {6, 5}, {5, 6}, {7, 5}, {4, 8}, {8, 4}, {6, 6}, {6, 7}, {8, 5}})
        check_with_engine(AnyShape<u64>(width, height), 12, 19, 3'000, 5, tally);
    CHECK(tally.proofs > 20'000);
    CHECK(tally.games > 20'000);
}

SLOW_TEST("Proofs and keys are right in a great many positions") {
    Tally tally;
    check_with_engine(StandardShape{}, 12, 27, 100'000, 6, tally);
    check_subtrees(StandardShape{}, 16, 30, 7, tally);
    for (int width = 4; width <= 9; ++width) {
        for (int height = 4; height <= 8; ++height) {
            if (width * (height + 1) > 64 || width * height < 20) continue;
            const AnyShape<u64> shape(width, height);
            const unsigned seed = static_cast<unsigned>(100 * width + height);
            check_with_engine(shape, 10, std::min(22, width * height - 4), 10'000, seed, tally);
            check_subtrees(shape, 14, 10, seed, tally);
        }
    }
    check_with_engine(AnyShape<u128>(10, 6), 10, 20, 20'000, 8, tally);
    CHECK(tally.proofs + tally.holds + tally.games > 1'000'000);
    std::cout << "  successes checked in " << tally.nodes << " nodes: " << tally.proofs << " proofs, "
              << tally.holds << " times held, " << tally.games << " local games; " << tally.merged
              << " positions with the key of another\n";
}

}  // namespace
}  // namespace fourcast
