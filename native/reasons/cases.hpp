// Case by case: a proof for the positions that have no single plan.
//
// F, who is not to move, always does the first of these that applies:
//   1. complete a four;
//   2. stop a four that O would complete with the next disc;
//   3. play the answer that the table has for the position;
//   4. play on top of O's disc.
// The positions that arise are followed until F has won, or until one has a plan or local games of its
// own. To hold, they are followed no further than until O has no line of four left.
//
// The search looks for the smallest such tree by proof numbers: estimates of how many positions are left
// to be proven. The solver says which answers reach the goal, so no time is spent on the others.
#pragma once

#include <algorithm>
#include <functional>
#include <optional>
#include <unordered_set>
#include <utility>
#include <variant>
#include <vector>

#include "force.hpp"
#include "groups.hpp"
#include "plan.hpp"

namespace fourcast::reasons {

template <class Shape>
class CaseSearch {
  public:
    using Bits = typename Shape::Bits;
    /// Whether F, who has just moved, still reaches the goal.
    using Keeps = std::function<bool(Bits mine, Bits theirs)>;
    struct Limits {
        std::size_t nodes;    // that may be looked at
        u64 end_steps;        // for each search for a proof of one position
        std::size_t answers;  // of the whole proof
    };

    CaseSearch(const Shape& shape, Role goal, const Keeps& keeps, const Limits& limits,
               const Budget::Pulse* pulse)
        : shape_(shape), goal_(goal), keeps_(keeps), limits_(limits), pulse_(pulse) {}

    /// A proof for one of `starts`, boards seen from F, who has just moved, with its number.
    std::optional<std::pair<std::size_t, CaseProof<Bits>>> find(const std::vector<Board<Bits>>& starts) {
        std::vector<std::size_t> roots;
        for (const Board<Bits>& board : starts) roots.push_back(node_for(board));
        const auto open = [&](std::size_t root) { return nodes_[root].open; };
        for (std::size_t visited = 0; visited <= limits_.nodes; ++visited) {
            const auto easiest = std::ranges::min_element(roots, {}, open);
            if (open(*easiest) == 0) {
                auto proof = write(*easiest);
                if (!proof) return std::nullopt;
                return std::pair{static_cast<std::size_t>(easiest - roots.begin()), std::move(*proof)};
            }
            if (open(*easiest) > limits_.nodes) break;
            visit(most_proving(*easiest));
        }
        return std::nullopt;
    }

  private:
    using Ending = typename CaseProof<Bits>::Ending;
    /// O's disc, and the positions after F's answers to it, of which one has to be proven.
    struct Reply {
        Bits disc;
        std::vector<std::pair<Bits, std::size_t>> answers;  // F's square, and the node after it
    };
    /// A position with O to move.
    struct Node {
        Board<Bits> board;
        std::size_t open;  // an estimate of the positions to be proven; 0 if none is left
        bool is_expanded = false;
        std::optional<Ending> proof{};
        std::vector<Reply> replies{};
        std::vector<std::size_t> parents{};
    };
    static constexpr std::size_t most_answers_to_a_disc = 3;
    static constexpr int largest_group = 4;
    static constexpr int force_discs = 6;
    static constexpr u64 force_steps = 1'000;

    Bits now(Bits discs, Bits mask) const {
        return threats(shape_, discs, mask) & playable(shape_, mask);
    }

    /// O's discs that F has to answer: those after which F cannot complete a four at once.
    Bits real_replies(const Board<Bits>& board) const {
        const Bits mask = board.mask();
        const Bits open = playable(shape_, mask);
        const Bits fours = threats(shape_, board.mine, mask);
        const Bits at_once = fours & open;
        if (more_than_one(at_once)) return Bits{0};
        if (goal_ == Role::hold && !has_four(shape_, shape_.board() & ~board.mine)) return Bits{0};
        return (at_once != 0 ? at_once : open) & ~(fours >> 1);
    }

    std::size_t node_for(const Board<Bits>& board) {
        const auto [number, is_new] = numbers_.try_add({board.mine, board.theirs}, nodes_.size());
        if (is_new) nodes_.push_back({board, static_cast<std::size_t>(popcount(real_replies(board)))});
        return *number;
    }

    static std::size_t open_of(const std::vector<Node>& nodes, const Reply& reply) {
        std::size_t least = ~std::size_t{0};
        for (const auto& [square, node] : reply.answers) least = std::min(least, nodes[node].open);
        return least;
    }

    std::size_t most_proving(std::size_t at) const {
        while (nodes_[at].is_expanded) {
            const Reply* hardest = nullptr;
            for (const Reply& reply : nodes_[at].replies) {
                const std::size_t open = open_of(nodes_, reply);
                if (open > 0 && (hardest == nullptr || open > open_of(nodes_, *hardest)))
                    hardest = &reply;
            }
            for (const auto& [square, node] : hardest->answers)
                if (nodes_[node].open == open_of(nodes_, *hardest)) {
                    at = node;
                    break;
                }
        }
        return at;
    }

    void visit(std::size_t number) {
        if (auto proof = proof_of(nodes_[number].board)) {
            nodes_[number].proof = std::move(proof);
            nodes_[number].is_expanded = true;
            nodes_[number].open = 0;
        } else {
            expand(number);
            refresh(number);
        }
        std::vector<std::size_t> waiting = nodes_[number].parents;
        while (!waiting.empty()) {
            const std::size_t parent = waiting.back();
            waiting.pop_back();
            if (refresh(parent))
                waiting.insert(waiting.end(), nodes_[parent].parents.begin(),
                               nodes_[parent].parents.end());
        }
    }

    /// Computes what is open at a node from its answers; true if that has changed.
    bool refresh(std::size_t number) {
        Node& node = nodes_[number];
        if (node.proof) return false;
        std::size_t open = 0;
        for (const Reply& reply : node.replies)
            open = std::min(open + open_of(nodes_, reply), std::size_t{1} << 30);
        return std::exchange(node.open, open) != open;
    }

    std::optional<Ending> proof_of(const Board<Bits>& board) {
        const u64 steps = limits_.end_steps;
        Budget planning(steps / 10, pulse_);
        if (auto plan = find_plan(shape_, board, goal_, 1, 1, planning)) return Ending(std::move(*plan));
        GroupSearch<Shape> games(shape_, board);
        for (int size = 1; size <= largest_group; ++size) {
            Budget budget(steps, pulse_);
            if (auto local = games.find(goal_, {size, limits_.answers / 4, std::nullopt}, budget))
                return Ending(std::move(*local));
        }
        return std::nullopt;
    }

    void expand(std::size_t number) {
        const Board<Bits> board = nodes_[number].board;
        std::vector<Reply> replies;
        for (const Bits disc : each_square(real_replies(board))) {
            const Board<Bits> after{board.mine, board.theirs | disc};
            if (after.mask() == shape_.board()) continue;
            Reply reply{disc, {}};
            for (const Bits square : answers_to(after, disc)) {
                const std::size_t child = node_for({after.mine | square, after.theirs});
                reply.answers.push_back({square, child});
                nodes_[child].parents.push_back(number);
            }
            replies.push_back(std::move(reply));
        }
        nodes_[number].replies = std::move(replies);
        nodes_[number].is_expanded = true;
    }

    /// F's answers that reach the goal, at most a few: those that leave O the fewest replies first.
    std::vector<Bits> answers_to(const Board<Bits>& board, Bits disc) {
        const Bits mask = board.mask();
        if (const Bits block = now(board.theirs, mask); block != 0) return {block};
        if (goal_ == Role::win) {
            Budget budget(force_steps, pulse_);
            ForceSearch<Shape> search(shape_, budget);
            if (const auto line = search.find(board, force_discs); !line.empty()) return {line[0]};
        }
        std::vector<std::pair<int, Bits>> choices;
        for (const Bits square : each_square(playable(shape_, mask))) {
            const Board<Bits> after{board.mine | square, board.theirs};
            const int cost = 2 * popcount(real_replies(after)) - (square == disc << 1 ? 3 : 0);
            choices.insert(
                std::ranges::upper_bound(choices, cost, {}, [](const auto& each) { return each.first; }),
                {cost, square});
        }
        std::vector<Bits> answers;
        for (const auto& [cost, square] : choices) {
            // One of them reaches the goal: the last, if none before it does.
            const bool is_known = answers.empty() && square == choices.back().second;
            if (!is_known && !keeps_(board.mine | square, board.theirs)) continue;
            answers.push_back(square);
            if (answers.size() == most_answers_to_a_disc) break;
        }
        return answers;
    }

    /// What was found, from a node down; nothing if it is too long.
    std::optional<CaseProof<Bits>> write(std::size_t root) const {
        CaseProof<Bits> proof;
        const Board<Bits> start = nodes_[root].board;
        std::vector<std::size_t> waiting{root};
        std::unordered_set<std::size_t> seen{root};
        struct Asked {
            Bits square;
            bool is_listed = false;
        };
        Memo<std::pair<Bits, Bits>, Asked> asked;
        std::size_t size = 0;
        while (!waiting.empty()) {
            const Node& node = nodes_[waiting.back()];
            waiting.pop_back();
            const Bits theirs = node.board.theirs & ~start.theirs;
            const Bits mine = node.board.mine & ~start.mine;
            const Bits mask = node.board.mask();
            if (node.proof) {
                size += size_of(*node.proof);
                proof.latest = std::max(
                    proof.latest, std::visit([](const auto& each) { return each.latest; }, *node.proof));
                proof.ends.push_back({theirs, mine, *node.proof});
                continue;
            }
            if (goal_ == Role::win && real_replies(node.board) != playable(shape_, mask))
                proof.latest = std::max(proof.latest, popcount(mask) + 2);
            for (const Reply& reply : node.replies) {
                const auto proven = std::ranges::find_if(
                    reply.answers, [&](const auto& each) { return nodes_[each.second].open == 0; });
                // O may have come here in another order, with another last disc: the same answer then.
                const auto [answer, is_new] =
                    asked.try_add({theirs | reply.disc, mine}, Asked{proven->first});
                const bool is_block = now(node.board.theirs | reply.disc, mask | reply.disc) != 0;
                const bool is_default = is_block || answer->square == reply.disc << 1;
                if (!is_default && !std::exchange(answer->is_listed, true))
                    proof.answers.push_back({theirs | reply.disc, mine, answer->square});
                if (is_new && seen.insert(proven->second).second) waiting.push_back(proven->second);
            }
        }
        if (size + proof.answers.size() > limits_.answers) return std::nullopt;
        return proof;
    }
    static std::size_t size_of(const Ending& proof) {
        if (const auto* plan = std::get_if<AnswerPlan<Bits>>(&proof))
            return static_cast<std::size_t>(plan->positions);
        std::size_t size = 0;
        for (const auto& group : std::get<LocalProof<Bits>>(proof).groups) size += group.answers.size();
        return size;
    }

    const Shape& shape_;
    Role goal_;
    const Keeps& keeps_;
    Limits limits_;
    const Budget::Pulse* pulse_;
    std::vector<Node> nodes_;
    Memo<std::pair<Bits, Bits>, std::size_t> numbers_;
};

}  // namespace fourcast::reasons
