#include "by_rules.hpp"

#include <algorithm>
#include <chrono>

#include "board/playout.hpp"
#include "ucb.hpp"

namespace fourcast {
namespace {

using Time = std::chrono::steady_clock;

double seconds_since(Time::time_point start) {
    return std::chrono::duration<double>(Time::now() - start).count();
}

/// The moves of a position: one for each column, in PopOut also those that take a disc out, and a claim.
std::size_t move_count(const Position& position) {
    return static_cast<std::size_t>(position.rules().pop ? 2 * position.width() + 1 : position.width());
}

/// What a game that is over after `plies` is worth to the side that would move.
Estimate worth(const Position& end, int plies) {
    if (!end.rules().pop) return final_score(end);
    if (end.winner() == 0) return 0;
    return end.winner() == end.turn() ? 100 - plies : plies - 100;
}

struct TimeIsOver {};

class Deepening {
  public:
    Deepening(const LookAheadOptions& options, const Check& check) : options_(options), poll_(check) {}

    Estimate negamax(const Position& position, int plies, int depth, Estimate alpha, Estimate beta) {
        if (position.is_over()) return worth(position, plies);
        if (depth == 0) return 0;
        if (++nodes % 256 == 0) {
            poll_();
            if (stoppable && (nodes >= options_.nodes || seconds_since(start_) >= options_.time_s))
                throw TimeIsOver{};
        }
        Estimate best = -infinite;
        for (const int move : each(position.legal_columns())) {
            best = std::max(best, -negamax(position.play(move), plies + 1, depth - 1, -beta, -alpha));
            alpha = std::max(alpha, best);
            if (alpha >= beta) break;
        }
        return best;
    }

    static constexpr Estimate infinite = 1'000'000;
    u64 nodes = 0;
    bool stoppable = false;

  private:
    const LookAheadOptions& options_;
    Poll poll_;
    Time::time_point start_ = Time::now();
};

}  // namespace

void refuse_other_rules(const Position& position) {
    if (!position.rules().is_standard())
        throw OptionError("error.player_rules", {{"rules", position.rules().text()}});
}

LookAhead look_ahead_by_rules(const Position& position, const LookAheadOptions& options,
                              const Check& check) {
    if (options.evaluation != Evaluation::none) refuse_other_rules(position);
    LookAhead result;
    Deepening search(options, check);
    // A game of PopOut has no last disc.
    const int longest = position.rules().pop ? max_bits : position.cells() - position.ply();
    for (int depth = 1; depth <= std::min(options.depth, longest); ++depth) {
        search.stoppable = depth > 1;
        std::vector<std::optional<Estimate>> values(move_count(position));
        Estimate best = -Deepening::infinite;
        try {
            for (const int move : each(position.legal_columns())) {
                // One less than the best so far: moves that are just as good have to be found.
                const Estimate alpha = options.every_column || best == -Deepening::infinite
                                           ? -Deepening::infinite
                                           : best - 1;
                const Estimate value =
                    -search.negamax(position.play(move), 1, depth - 1, -Deepening::infinite, -alpha);
                values[static_cast<std::size_t>(move)] = value;
                best = std::max(best, value);
            }
        } catch (const TimeIsOver&) {
            break;
        }
        result.best = 0;
        for (std::size_t move = 0; move < values.size(); ++move) {
            if (values[move] == best) result.best |= ColumnSet{1} << move;
            if (values[move] != best && !options.every_column) values[move].reset();
        }
        result.values = std::move(values);
        result.depth = depth;
        if (best != 0) break;
    }
    result.nodes = search.nodes;
    return result;
}

namespace {

struct TreeNode {
    std::uint32_t first_child = 0;
    std::uint8_t child_count = 0;
    std::uint8_t move = 0;  // that led here
    std::uint32_t visits = 0;
    double losses = 0;  // of the side to move, and so wins of the opponent, who chooses this node
};

class RuledTree {
  public:
    static constexpr u64 games_between_polls = 32;

    RuledTree(const Position& position, const TreeSearchOptions& options)
        : root_(position), exploration_(options.exploration), random_(options.seed, 0) {
        nodes_.emplace_back();
    }

    bool is_proven() const { return false; }

    /// From the root to a leaf, a random game, and back.
    void grow() {
        path_.assign(1, 0);
        Position at = root_;
        while (!at.is_over() && nodes_[path_.back()].visits > 0) {
            if (nodes_[path_.back()].child_count == 0) {
                if (nodes_.size() > most_nodes) break;
                expand(path_.back(), at);
            }
            path_.push_back(select_child(nodes_, nodes_[path_.back()], exploration_, random_,
                                         [](const TreeNode&) { return true; }));
            at = at.play(nodes_[path_.back()].move);
        }
        const int mover = at.turn();
        for (int moves = 0; !at.is_over() && moves < most_random_moves; ++moves)
            at = at.play(random_move(at, random_));
        double won = at.winner() == 0 ? 0.5 : at.winner() == mover ? 1 : 0;
        for (std::size_t i = path_.size(); i-- > 0; won = 1 - won) {
            ++nodes_[path_[i]].visits;
            nodes_[path_[i]].losses += 1 - won;
        }
    }

    TreeSearch result() const {
        TreeSearch found;
        found.visits.assign(move_count(root_), 0);
        found.means.assign(move_count(root_), 0);
        u64 most = 0;
        for (std::size_t i = 0; i < nodes_[0].child_count; ++i) {
            const TreeNode& child = nodes_[nodes_[0].first_child + i];
            found.visits[child.move] = child.visits;
            found.means[child.move] = child.visits == 0 ? 0.5 : child.losses / child.visits;
            if (child.visits > most) found.best = 0;
            most = std::max<u64>(most, child.visits);
            if (child.visits == most) found.best |= ColumnSet{1} << child.move;
        }
        // Nothing is better than a win at once, however the random games went.
        if (const ColumnSet wins = root_.winning_columns(root_.turn())) found.best = wins;
        return found;
    }

  private:
    static constexpr std::size_t most_nodes = 2'000'000;

    void expand(std::size_t index, const Position& at) {
        nodes_[index].first_child = static_cast<std::uint32_t>(nodes_.size());
        for (const int move : each(at.legal_columns())) {
            nodes_.push_back({.move = static_cast<std::uint8_t>(move)});
            ++nodes_[index].child_count;
        }
    }

    const Position root_;
    const double exploration_;
    Random random_;
    std::vector<TreeNode> nodes_;
    std::vector<std::size_t> path_;
};

}  // namespace

TreeSearch search_tree_by_rules(const Position& position, const TreeSearchOptions& options,
                                const Check& check) {
    RuledTree tree(position, options);
    tree.grow();  // the root itself
    const u64 playouts = grow_tree(tree, options, check);
    TreeSearch found = tree.result();
    found.playouts = playouts;
    return found;
}

}  // namespace fourcast
