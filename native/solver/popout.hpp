// PopOut: who wins, and in how many plies. Games have no last disc, so that there are no scores: a
// search one ply deeper at a time says "won in n", "lost in n", or "not decided within n plies". That a
// position is drawn it never says, but of one whose side to move claims that.
#pragma once

#include <span>
#include <vector>

#include "board/limit.hpp"
#include "board/position.hpp"
#include "question.hpp"
#include "system/poll.hpp"

namespace fourcast {

struct PopOutAnswer {
    int winner = 0;      // 1 or 2; 0 if nobody is known to win
    int plies = 0;       // to the end of the game, if somebody wins
    int searched = 0;    // nobody forces a win within this many plies
    ColumnSet best = 0;  // the moves that keep this
    u64 nodes = 0;
    double time_s = 0;
};

/// Looks up to `most_plies` ahead, and answers with what is known when it is stopped. Throws
/// FinishedGameError, and OptionError by other rules.
PopOutAnswer solve_popout(const Position& position, int most_plies, const Limit& limit,
                          const StopToken& token = {}, const Check& check = {});

/// What a move leads to; plies count it, too.
struct PopOutMove {
    int move = 0;
    int winner = 0;  // 1 or 2; 0 if nobody is known to win
    int plies = 0;
    bool draws = false;  // it claims the draw
};

struct PopOutAnalysis {
    std::vector<PopOutMove> moves;
    ColumnSet best = 0;  // the moves proven to be as good as any other
    u64 nodes = 0;
    double time_s = 0;

    bool complete() const;
};

/// The same of every move.
PopOutAnalysis analyze_popout(const Position& position, int most_plies, const Limit& limit,
                              const StopToken& token = {}, const Check& check = {});

namespace study {
/// "popout.solve": {"rows": ..., "plies": 30, "time_s": 10} -> winner, plies, searched, best, nodes.
/// "popout.analyze": the same request -> an analysis with the members of docs/json.md. There are no
/// scores: of the bounds only the signs mean something, and where somebody wins, the number of moves.
/// What is known of the position and of each move is "said" as well.
std::span<const Question> popout_questions();
}  // namespace study

}  // namespace fourcast
