#include "follow.hpp"

#include "force.hpp"
#include "strategy.hpp"

namespace fourcast::reasons {
namespace {

using Bits = u128;
using Shape = AnyShape<Bits>;

class Game {
  public:
    Game(const Position& position, const Claim& claim)
        : claim_(claim), strategy_(position, claim), state_(strategy_.begin()), position_(position) {
        if (const auto first = strategy_.first()) play(*first);
    }

    std::string_view state() const {
        if (position_.winner() == claim_.player) return "won";
        const Shape& shape = strategy_.shape();
        const bool has_line_left =
            !position_.is_over() && has_four(shape, shape.board() & ~position_.discs(claim_.player));
        return claim_.goal == Role::win || has_line_left ? "open" : "held";
    }

    /// Plays the opponent's disc in a column, and answers it.
    void reply(long long column) {
        if (state() != "open") throw OptionError("error.claim_reached");
        const Position next = position_.play(column);
        const Bits disc = next.mask() & ~position_.mask();
        position_ = next;
        columns_.push_back(static_cast<int>(column));
        why_ = {};
        state_.theirs |= disc;
        if (state() != "open") return;
        const Strategy::Move move = strategy_.answer(state_, disc);
        state_ = strategy_.after(state_, move.square);
        play(move);
    }

    Followed result() const { return {position_, columns_, why_, state()}; }

  private:
    void play(const Strategy::Move& move) {
        const int column = strategy_.shape().column_of(lowest_bit(move.square));
        position_ = position_.play(column);
        columns_.push_back(column);
        why_ = position_.winner() == claim_.player ? "four" : move.why;
    }

    const Claim& claim_;
    Strategy strategy_;
    Strategy::State state_;
    Position position_;
    std::vector<int> columns_;
    std::string_view why_;
};

}  // namespace

Followed follow(const Position& position, const Claim& claim, const std::vector<long long>& replies) {
    Game game(position, claim);
    for (const long long column : replies) game.reply(column);
    return game.result();
}

std::optional<int> forced_win(const Position& position, int discs) {
    if (position.is_over()) return std::nullopt;
    const Shape shape(position.width(), position.height());
    const int turn = position.turn();
    Budget budget = Budget::unlimited();
    ForceSearch<Shape> search(shape, budget);
    const auto line = search.find({position.discs(turn), position.discs(3 - turn)}, discs);
    if (line.empty()) return std::nullopt;
    return shape.column_of(lowest_bit(line[0]));
}

}  // namespace fourcast::reasons
