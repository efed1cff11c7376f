// Checks certificates of version 3: the same as src/fourcast/certificate/levels.py.
#pragma once

#include "levels.hpp"
#include "reader.hpp"

namespace fourcast::certificate {

template <class Shape>
class LevelChecker final : public Walker<Shape> {
    using Base = Walker<Shape>;
    using Base::board_, Base::result_, Base::symbols_, Base::begin_, Base::player_begins_, Base::starts_;
    using Base::mirror, Base::reply, Base::verify_;

  public:
    using Bits = typename Base::Bits;
    using Place = typename Base::Place;
    using Base::Base;

    Checked run(Symbols& symbols) override {
        require(result_.win, "error.certificate.only_wins");
        Base::run(symbols);
        result_.diagrams = diagrams_.size();
        return result_;
    }

    std::optional<Answer> answer_in(const Position& position) const override {
        const Place place = seen_from<Bits>(result_.player, position);
        const Place one = board_.one_of_mirrors(place);
        const bool mirrored = one != place;
        if (const Bits four = board_.wins(place.mine, place.theirs); four != 0)
            return plays(lowest(four), "four");
        if (const auto found = starts_.find(one); found != starts_.end())
            return plays(mirrored ? mirror(found->second) : found->second, "start");
        const auto forces = [&]() -> std::optional<Answer> {
            const Bits move = board_.forcing_move(place.mine, place.theirs, forced_by_level);
            return move != 0 ? std::optional(plays(move, "force")) : std::nullopt;
        };
        if (const auto found = moves_.find(one); found != moves_.end()) {
            if (found->second == 0) return forces();
            const Place after{one.mine | found->second, one.theirs};
            const Place key = board_.one_of_mirrors(after);
            const Bits move = mirrored ? mirror(found->second) : found->second;
            const auto leaf = leaves_.find(key);
            if (leaf == leaves_.end()) return plays(move, "move");
            return plays(move, "levels", seen(leaf->second, mirrored != (key != after)));
        }
        if (const auto found = forces()) return found;
        const bool blocks = board_.wins(place.theirs, place.mine) != 0;
        for (const auto& [start, levels] : leaves_)
            for (const bool turned : {false, true}) {
                const Place from = turned ? Place{mirror(start.mine), mirror(start.theirs)} : start;
                if ((from.mine & ~place.mine) != 0 || (from.theirs & ~place.theirs) != 0) continue;
                const auto own = seen(levels, turned);
                const Bits move = move_by(own, board_, place);
                const Place after{place.mine | move, place.theirs};
                if (move != 0 && won_positions(own, board_, after, most_states) != 0)
                    return plays(move, blocks ? "block" : "levels", own);
            }
        return std::nullopt;
    }

    /// There are no leaves: what a diagram plays is written out as well.
    Unfolded unfold() override {
        Unfolded result{result_, {}, {}};
        Met met;
        if (player_begins_)
            unfold_move(begin_, nullptr, met, result);
        else
            unfold_replies(begin_, nullptr, met, result);
        return result;
    }

  private:
    using Met = std::unordered_set<Place, PairHash>;  // with F to move

    void unfold_replies(const Place& place, const Levels<Bits>* levels, Met& met, Unfolded& result) {
        for (const Bits disc : each_square(board_.open(place.mine | place.theirs)))
            unfold_move({place.mine, place.theirs | disc}, levels, met, result);
    }
    /// Writes F's moves from a position on; `levels` is the diagram that wins there, if one does.
    void unfold_move(Place place, const Levels<Bits>* levels, Met& met, Unfolded& result) {
        if (board_.wins(place.mine, place.theirs) != 0 || !met.insert(place).second) return;
        Levels<Bits> own;
        const Place one = board_.one_of_mirrors(place);
        const auto known = levels == nullptr ? moves_.find(one) : moves_.end();
        Bits move = 0;
        if (known != moves_.end() && known->second != 0) {
            move = one == place ? known->second : mirror(known->second);
            const Place after{place.mine | move, place.theirs};
            const Place key = board_.one_of_mirrors(after);
            if (const auto leaf = leaves_.find(key); leaf != leaves_.end()) {
                own = seen(leaf->second, key != after);
                levels = &own;
            }
        } else {
            move = board_.forcing_move(place.mine, place.theirs, forced_by_level);
            if (move == 0 && levels != nullptr) move = move_by(*levels, board_, place);
        }
        require(move != 0, "error.certificate.no_answer");
        result.columns.push_back(static_cast<std::uint8_t>(column_of(move)));
        result.columns.push_back(0);
        unfold_replies({place.mine | move, place.theirs}, levels, met, result);
    }
    int column_of(Bits square) const { return board_.shape().column_of(lowest_bit(square)); }

    Levels<Bits> seen(Levels<Bits> levels, bool mirrored) const {
        if (mirrored)
            for (Bits& level : levels) level = mirror(level);
        return levels;
    }
    Answer plays(Bits square, std::string_view why, const Levels<Bits>& levels = {}) const {
        Answer answer{column_of(square), why};
        answer.levels.assign(levels.begin(), levels.end());
        answer.header = result_;
        return answer;
    }

    void move(const Place& place) override {
        const auto [mine, theirs] = place;
        if (board_.wins(mine, theirs) != 0) return;
        ++result_.positions;
        const Bits open = board_.open(mine | theirs);
        require(open != 0, "error.proof.full_without_winner");
        const auto count = static_cast<std::size_t>(popcount(open));
        const std::size_t number = symbols_->read(count + 1);
        if (number == count) {
            ++result_.forced;
            require(verify_ == Verify::none || board_.forces(mine, theirs, forced_by_level),
                    "error.certificate.force");
            moves_[place] = Bits{0};
            return;
        }
        Bits move = open;
        for (std::size_t skip = number; skip > 0; --skip) move = without_lowest(move);
        move = lowest(move);
        moves_[place] = move;
        const Place after = board_.one_of_mirrors({mine | move, theirs});
        if (!seen_after_.insert(after).second) return;
        const std::size_t symbol = symbols_->read(2 * diagrams_.size() + 2);
        if (symbol == 0) {
            ++result_.inner;
            reply(after);
            return;
        }
        ++result_.by_level;
        if (symbol == 1) diagrams_.push_back(read_levels());
        const auto levels =
            symbol == 1 ? diagrams_.back() : seen(diagrams_[symbol / 2 - 1], symbol % 2 == 1);
        leaves_[after] = levels;
        if (verify_ == Verify::none) return;
        const std::size_t states = won_positions(levels, board_, after, most_states - result_.states);
        require(states != 0, "error.certificate.diagram");
        result_.states += states;
    }
    Levels<Bits> read_levels() const {
        Levels<Bits> levels(symbols_->read(most_levels) + 1, 0);
        for (const Bits square : each_square(board_.squares()))
            if (const std::size_t level = symbols_->read(levels.size() + 1); level != 0)
                levels[level - 1] |= square;
        return levels;
    }

    std::unordered_set<Place, PairHash> seen_after_;
    std::vector<Levels<Bits>> diagrams_;
    MovesOf<Bits> moves_;
    std::unordered_map<Place, Levels<Bits>, PairHash> leaves_;
};

}  // namespace fourcast::certificate
