// What the player of a claim answers, from any position that the proof leads to.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "board.hpp"
#include "proof.hpp"

namespace fourcast::reasons {

/// The claim must outlive it.
class Strategy {
  public:
    using Bits = u128;

    Strategy(const Position& position, const Claim& claim);
    ~Strategy();

    /// How a game stands, seen from the claim's player. Games with equal states go on alike.
    struct State {
        Bits mine = 0;
        Bits theirs = 0;
        /// Which of the proofs at the ends of a proof case by case is followed; -1 for none of them.
        int end = -1;

        bool operator==(const State&) const = default;
    };
    struct Hash {
        std::size_t operator()(const State& state) const {
            return hash_of(state.mine + static_cast<unsigned>(state.end + 1), state.theirs);
        }
    };
    /// A disc of the claim's player, and why it is played (see Followed::why).
    struct Move {
        std::string_view why;
        Bits square = 0;
    };

    /// The position that the claim is about; if it is the turn of the claim's player, after their first
    /// disc, which `first` is.
    State begin() const;
    std::optional<Move> first() const;
    /// The answer to the disc that the opponent has just played, which `state` has already. Throws
    /// ProofError if the claim, which then is not proven, has none.
    Move answer(const State& state, Bits disc) const;
    /// The state after a disc of the claim's player.
    State after(State state, Bits square) const;

    const AnyShape<Bits>& shape() const { return shape_; }

  private:
    struct Part;

    Bits square_in(int column, Bits mask) const {
        return playable(shape_, mask) & shape_.column(column);
    }
    int column_of(Bits square) const { return shape_.column_of(lowest_bit(square)); }
    std::size_t played(const State& state) const;
    const Part& part_at(const State& state) const;
    Move by_case(const State& state, Bits disc) const;
    Move planned(const Part& part, const State& state, Bits disc) const;
    Move grouped(const Part& part, const State& state, Bits disc) const;
    Bits square_of_group(const Part& part, std::size_t number, const State& state, Bits disc) const;

    const Claim& claim_;
    AnyShape<Bits> shape_;
    State position_;
    bool is_first_;                 // whether it is the turn of the claim's player
    std::vector<int> script_;       // the claim's start and forcing line
    Bits proof_mask_;               // discs of the position that the proof begins with
    const CaseProof<Bits>* cases_;  // nullptr if the proof is another one
    using Table = std::unordered_map<std::pair<Bits, Bits>, Bits, PairHash>;
    Table listed_;                                                   // answers case by case
    std::unordered_map<std::pair<Bits, Bits>, int, PairHash> ends_;  // by squares taken
    mutable std::map<int, std::unique_ptr<const Part>> parts_;       // read once each
};

}  // namespace fourcast::reasons
