// What a reason is: claims with proofs. The searches find them, and replay.hpp checks them.
#pragma once

#include <variant>
#include <vector>

#include "board/position.hpp"

namespace fourcast::reasons {

/// What a player does, in the game or in a group of columns.
enum class Role { hold, win };

/// When F may have to move in a group without having been asked there.
enum class FreeMove {
    never,
    any_even,  // at any even state, and again later
    one_odd,   // once, at some odd state: another odd group was filled by O
    one,       // once, at any state of the group that wins
};

/// A forcing line, by its columns: the attacker's disc, the forced reply, ..., the disc that completes
/// the four.
struct ForceLine {
    std::vector<int> columns;
};

/// A plan; see plan.hpp.
template <class Bits>
struct AnswerPlan {
    struct Answer {
        Bits disc;
        std::vector<Bits> squares;
    };
    std::vector<Answer> answers;  // those that are not just "on top"
    int takes = 1;                // discs of a forced win that F sees
    int latest = 0;               // discs on the board when F has won at the latest; 0 for a hold
    int positions = 0;            // positions of the replay
};

/// F's answer once the squares `theirs` and `mine` have been filled since the proof began. In a group, a
/// free move is an answer with as many discs of both sides before it.
template <class Bits>
struct LocalAnswer {
    Bits theirs;
    Bits mine;
    Bits answer;
};

template <class Bits>
struct LocalGroup {
    ColumnSet columns = 0;
    Role role = Role::hold;
    FreeMove free = FreeMove::never;
    std::vector<Bits> needs;                 // sets of squares of which O gets at most a part
    std::vector<LocalAnswer<Bits>> answers;  // states that are not listed need no particular answer
};

/// Local games; see groups.hpp.
template <class Bits>
struct LocalProof {
    std::vector<LocalGroup<Bits>> groups;
    int latest = 0;  // the number of discs on the board when F has won at the latest; 0 for a hold
};

/// Case by case; see cases.hpp.
template <class Bits>
struct CaseProof {
    using Ending = std::variant<AnswerPlan<Bits>, LocalProof<Bits>>;
    /// A position with O to move that has a proof of its own. Squares are those filled since the proof
    /// began.
    struct End {
        Bits theirs;
        Bits mine;
        Ending proof;
    };
    std::vector<LocalAnswer<Bits>> answers;  // F to move, after O's disc
    std::vector<End> ends;
    int latest = 0;  // the number of discs on the board when F has won at the latest; 0 for a hold
};

using Proof = std::variant<ForceLine, AnswerPlan<u128>, LocalProof<u128>, CaseProof<u128>>;

/// `player` reaches `goal` against any defense.
struct Claim {
    int player = 1;
    Role goal = Role::win;
    /// Columns from the position to where the proof begins: moves of the player's, and forced replies.
    std::vector<int> start;
    Proof proof;
};

}  // namespace fourcast::reasons
