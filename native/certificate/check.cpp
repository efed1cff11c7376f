#include "check.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <unordered_set>

#include "level_check.hpp"
#include "local_game.hpp"
#include "reader.hpp"
#include "system/mutex.hpp"

namespace fourcast::certificate {
namespace {

template <class Shape>
class Checker final : public Walker<Shape> {
    using Base = Walker<Shape>;
    using Base::board_, Base::result_, Base::symbols_, Base::begin_, Base::player_begins_, Base::starts_;
    using Base::mirror, Base::reply, Base::verify_;

  public:
    using Bits = typename Base::Bits;
    using Place = typename Base::Place;

    Checker(const Shape& shape, const Checked& claim, Verify verify) : Base(shape, claim, verify) {}

    Unfolded unfold() override {
        Unfolded result{result_, {}, {}};
        Seen seen;
        if (player_begins_)
            unfold_move({begin_}, seen, result);
        else
            unfold_replies({begin_}, seen, result);
        return result;
    }

    std::optional<Answer> answer_in(const Position& position) const override {
        auto found = answer_at(seen_from<Bits>(result_.player, position));
        if (found) found->header = result_;
        return found;
    }

  private:
    struct Leaf {
        Place place;
        std::vector<LocalGame<Shape>> games;
    };
    using State = typename LocalGame<Shape>::State;

    /// A position of the plain strategy, with the leaf that F's move leads to.
    struct Walked {
        Place place;
        Leaf* leaf = nullptr;
        bool mirrored = false;   // as seen from the leaf
        bool is_forced = false;  // in the middle of a forced win
    };

    bool is_safe(Bits mine) const { return !result_.win && !board_.has(board_.squares() & ~mine); }

    void move(const Place& place) override {
        const auto [mine, theirs] = place;
        if (board_.wins(mine, theirs) != 0 || is_safe(mine)) return;
        ++result_.positions;
        const auto moves = board_.sensible_moves(mine, theirs);
        require(!moves.empty(), "error.proof.opponent_completes_four");
        const std::size_t symbol = symbols_->read(moves.size() + (result_.win ? 1 : 0));
        if (symbol == moves.size()) {
            ++result_.forced;
            require(verify_ == Verify::none || board_.forces(mine, theirs, forced_discs),
                    "error.certificate.force");
            moves_[place] = Bits{0};
            return;
        }
        moves_[place] = moves[symbol];
        const Place after = board_.one_of_mirrors({mine | moves[symbol], theirs});
        const auto [leaf, is_new] = after_.try_emplace(after);
        if (!is_new) return;
        if (symbols_->read(2) == 0) {
            ++result_.inner;
            reply(after);
            return;
        }
        ++result_.local_games;
        leaf->second = read_local_games(after);
        leaves_.push_back(leaf->second.get());
        if (verify_ == Verify::none) return;
        for (auto& game : leaf->second->games) {
            require(game.is_won(), "error.certificate.local");
            if (verify_ == Verify::all) game.forget();
        }
    }

    std::unique_ptr<Leaf> read_local_games(const Place& place) {
        const auto [mine, theirs] = place;
        std::vector<Bits> groups;
        for (int column = 0; column < board_.shape().width(); ++column)
            if (const Bits free = board_.shape().column(column) & ~(mine | theirs); free != 0) {
                const std::size_t number = symbols_->read(groups.size() + 1);
                if (number == groups.size()) groups.push_back(0);
                groups[number] |= free;
            }
        const std::size_t winner = result_.win ? symbols_->read(groups.size()) : groups.size();
        const auto needs = read_needs(place, groups);
        auto leaf = std::make_unique<Leaf>(Leaf{place, {}});
        leaf->games = local_games(board_, place, groups, needs, winner, result_.win, result_.player,
                                  result_.states);
        return leaf;
    }

    std::vector<std::vector<Bits>> read_needs(const Place& place, const std::vector<Bits>& groups) {
        std::vector<Bits> found, lines;
        for (const Bits line : board_.lines())
            if ((line & place.mine) == 0) found.push_back(line & ~place.theirs);
        for (const Bits line : found)
            if (std::ranges::none_of(found,
                                     [&](Bits other) { return (other & ~line) == 0 && other != line; }))
                lines.push_back(line);
        std::vector<std::vector<Bits>> needs(groups.size());
        const auto stopped = [&](Bits line) {
            return std::ranges::any_of(needs, [&](const auto& own) {
                return std::ranges::any_of(own, [&](Bits need) { return (need & ~line) == 0; });
            });
        };
        const auto touched = [&](Bits line) {
            std::vector<std::size_t> numbers;
            for (std::size_t i = 0; i < groups.size(); ++i)
                if ((line & groups[i]) != 0) numbers.push_back(i);
            return numbers;
        };
        for (const Bits line : lines)
            if (const auto numbers = touched(line); numbers.size() == 1 && !stopped(line))
                needs[numbers[0]].push_back(line & groups[numbers[0]]);
        for (const Bits line : lines)
            if (!stopped(line)) {
                const auto numbers = touched(line);
                const std::size_t number = numbers[symbols_->read(numbers.size())];
                needs[number].push_back(line & groups[number]);
            }
        return needs;
    }

    // ---- As a theorem ----

    using Seen = std::unordered_set<Place, PairHash>;

    void unfold_replies(const Walked& from, Seen& seen, Unfolded& result) {
        for (const Bits disc : each_square(board_.open(from.place.mine | from.place.theirs)))
            unfold_move(after_reply(from, disc), seen, result);
    }
    void unfold_move(Walked at, Seen& seen, Unfolded& result) {
        if (board_.wins(at.place.mine, at.place.theirs) != 0 || !seen.insert(at.place).second) return;
        const Bits square = answer(at);
        result.columns.push_back(column_of(square));
        at.place.mine |= square;
        result.columns.push_back(at.leaf != nullptr ? 1 : 0);
        if (at.leaf == nullptr)
            unfold_replies(at, seen, result);
        else
            unfold_leaf(at, result);
    }
    void unfold_leaf(const Walked& at, Unfolded& result) {
        const auto seen_from = [&](int column) {
            return at.mirrored ? board_.shape().width() - 1 - column : column;
        };
        const Place& place = at.leaf->place;
        Claim& claim = result.claims.emplace_back();
        const auto add_group = [&](Bits squares) -> ClaimedGroup& {
            ClaimedGroup& group = claim.emplace_back();
            for (int column = 0; column < board_.shape().width(); ++column)
                if ((squares & board_.shape().column(column)) != 0)
                    group.columns.push_back(seen_from(column));
            return group;
        };
        const auto passes = [](const auto& game) {
            return !game.wins() && popcount(game.squares()) % 2 != 0;
        };
        std::vector<LocalGame<Shape>*> games;
        for (auto& game : at.leaf->games) games.push_back(&game);
        std::ranges::stable_partition(
            games, [&](const auto* game) { return passes(*game) || game->takes_free_moves(); });
        Bits full = board_.squares();  // columns without an empty square: they go with the first group
        for (const Bits square : each_square(board_.squares() & ~(place.mine | place.theirs)))
            full &= ~board_.shape().column(board_.shape().column_of(lowest_bit(square)));
        const auto needs = needs_between(place, games);
        for (std::size_t i = 0; i < games.size(); ++i) {
            ClaimedGroup& group = add_group(games[i]->squares() | (i == 0 ? full : Bits{0}));
            group.wins = games[i]->wins();
            group.passes = passes(*games[i]);
            group.takes = games[i]->takes_free_moves();
            for (const Bits need : needs[i]) group.needs.push_back(at.mirrored ? mirror(need) : need);
            Seen seen[2];
            unfold_game(*games[i], games[i]->start(), {0, 0}, seen, seen_from, result);
        }
    }
    /// The needs of each game that stop lines which are not in one group alone.
    std::vector<std::vector<Bits>> needs_between(const Place& place,
                                                 const std::vector<LocalGame<Shape>*>& games) const {
        std::vector<std::vector<Bits>> kept(games.size());
        for (const Bits line : board_.lines()) {
            const auto is_stopped = [&](const std::vector<Bits>& needs) {
                return std::ranges::any_of(needs, [&](Bits need) { return (need & ~line) == 0; });
            };
            if ((line & place.mine) != 0 || std::ranges::any_of(kept, is_stopped) ||
                std::ranges::any_of(games, [&](const auto* game) {
                    return (line & ~place.theirs & ~game->squares()) == 0;
                }))
                continue;
            for (std::size_t i = 0; i < games.size(); ++i) {
                const auto& needs = games[i]->needs();
                const auto found =
                    std::ranges::find_if(needs, [&](Bits need) { return (need & ~line) == 0; });
                if (found == needs.end()) continue;
                kept[i].push_back(*found);
                break;
            }
        }
        return kept;
    }
    void unfold_game(LocalGame<Shape>& game, const State& state, const Place& place, auto& seen,
                     const auto& seen_from, Unfolded& result) {
        if (!seen[state.free ? 1 : 0].insert(place).second) return;
        const auto play = [&](const State& from, Bits on_top, Bits theirs) {
            const Bits square = game.choose(from, on_top);
            require(square != 0, "error.certificate.no_answer");
            result.columns.push_back(static_cast<std::uint8_t>(seen_from(column_of(square))));
            if (!game.is_four(from, square))
                unfold_game(game, game.after_mine(from, square), {place.mine | square, theirs}, seen,
                            seen_from, result);
        };
        for (const Bits disc : each_square(game.open(state.filled)))
            if (const State after = game.after_theirs(state, disc); game.is_open(after))
                play(after, disc << 1, place.theirs | disc);
        if (state.free && game.takes_free_moves())
            play(game.before_free_move(state), Bits{0}, place.theirs);
    }
    std::uint8_t column_of(Bits square) const {
        return static_cast<std::uint8_t>(board_.shape().column_of(lowest_bit(square)));
    }

    // ---- The plain strategy ----

    Walked after_reply(const Walked& from, Bits disc) const {
        return {{from.place.mine, from.place.theirs | disc}, from.leaf, from.mirrored, from.is_forced};
    }

    /// F's move, and what it leads to; F has no four at once.
    Bits answer(Walked& at) const {
        const Place one = board_.one_of_mirrors(at.place);
        const bool mirrored = one != at.place;
        const Bits move = at.is_forced ? Bits{0} : moves_.at(one);
        at.is_forced = move == 0;
        if (at.is_forced) return board_.forcing_move(at.place.mine, at.place.theirs, forced_discs);
        const Place after{one.mine | move, one.theirs};
        const Place canonical = board_.one_of_mirrors(after);
        at.leaf = after_.at(canonical).get();
        at.mirrored = mirrored != (canonical != after);
        return mirrored ? mirror(move) : move;
    }

    /// F's move in any position, with what it rests on; nothing if nothing is known of it.
    std::optional<Answer> answer_at(const Place& place) const {
        const auto [mine, theirs] = place;
        const auto plays = [&](Bits square, std::string_view why) {
            return Answer{column_of(square), why};
        };
        if (const Bits four = board_.wins(mine, theirs); four != 0) return plays(lowest(four), "four");
        const Place one = board_.one_of_mirrors(place);
        if (const auto found = starts_.find(one); found != starts_.end())
            return plays(one == place ? found->second : mirror(found->second), "start");
        if (moves_.contains(one)) {
            Walked at{place};
            const Bits square = answer(at);
            require(square != 0, "error.certificate.force");
            if (at.leaf == nullptr) return plays(square, at.is_forced ? "force" : "move");
            return with_groups(plays(square, "local"), *at.leaf, at.mirrored);
        }
        for (Leaf* const leaf : leaves_)
            for (const bool mirrored : {false, true})
                if (const Bits square =
                        move_in(*leaf, mirrored ? Place{mirror(mine), mirror(theirs)} : place);
                    square != 0)
                    return with_groups(plays(mirrored ? mirror(square) : square, "local"), *leaf,
                                       mirrored);
        if (is_safe(mine)) {
            const auto moves = board_.sensible_moves(mine, theirs);
            return plays(moves.empty() ? lowest(board_.open(mine | theirs)) : moves[0], "safe");
        }
        if (const Bits move = result_.win ? board_.forcing_move(mine, theirs, forced_discs) : Bits{0};
            move != 0)
            return plays(move, "force");
        return std::nullopt;
    }

    Answer with_groups(Answer answer, const Leaf& leaf, bool mirrored) const {
        for (const auto& game : leaf.games) {
            ColumnSet columns = 0;
            const Bits squares = mirrored ? mirror(game.squares()) : game.squares();
            for (int column = 0; column < board_.shape().width(); ++column)
                if ((squares & board_.shape().column(column)) != 0) columns |= only<ColumnSet>(column);
            if (game.wins()) answer.winner = answer.groups.size();
            answer.groups.push_back(columns);
        }
        return answer;
    }

    /// F's move after which the local games of a leaf are won from here; 0 if there is none. Nothing is
    /// remembered of how the position came about: they are solved again.
    Bits move_in(const Leaf& leaf, const Place& place) const {
        const auto [mine, theirs] = place;
        if ((leaf.place.mine & ~mine) != 0 || (leaf.place.theirs & ~theirs) != 0) return 0;
        const auto owed = [&](Bits move) {  // first where O has played, and F has not answered
            for (const auto& game : leaf.games)
                if ((game.squares() & move) != 0)
                    return popcount(static_cast<Bits>(theirs & game.squares())) -
                           popcount(static_cast<Bits>(mine & game.squares()));
            return 0;
        };
        auto moves = board_.sensible_moves(mine, theirs);
        std::ranges::stable_sort(moves, std::ranges::greater{}, owed);
        const auto found = std::ranges::find_if(
            moves, [&](Bits move) { return is_won_in(leaf, {mine | move, theirs}); });
        return found == moves.end() ? Bits{0} : *found;
    }
    bool is_won_in(const Leaf& leaf, const Place& place) const {
        const Bits filled = place.mine | place.theirs;
        std::vector<Bits> groups;
        std::vector<std::vector<Bits>> needs;
        std::size_t winner = leaf.games.size();
        for (const auto& game : leaf.games) {
            std::vector<Bits> left;
            for (const Bits need : game.needs()) {
                if ((need & place.mine) != 0) continue;
                // O has all of it already: nothing stops the rest of the line, in another group.
                if ((need & ~place.theirs) == 0) return false;
                left.push_back(need & ~place.theirs);
            }
            if ((game.squares() & ~filled) == 0) continue;
            if (game.wins()) winner = groups.size();
            groups.push_back(game.squares() & ~filled);
            needs.push_back(std::move(left));
        }
        if (result_.win && winner == leaf.games.size()) return false;
        try {
            std::size_t states = 0;
            auto games =
                local_games(board_, place, groups, needs, winner, result_.win, result_.player, states);
            return std::ranges::all_of(games, [](auto& game) { return game.is_won(); });
        } catch (const CertificateError&) {
            return false;
        }
    }

    MovesOf<Bits> moves_;        // 0: a forced win
    std::vector<Leaf*> leaves_;  // in the order in which they are read
    std::unordered_map<Place, std::unique_ptr<Leaf>, PairHash> after_;
};

template <class Shape>
std::unique_ptr<Reader> reader_of(const Shape& shape, const Header& header, Verify verify) {
    if (header.version == 3) return std::make_unique<LevelChecker<Shape>>(shape, header.claim, verify);
    return std::make_unique<Checker<Shape>>(shape, header.claim, verify);
}

/// The certificate, read; `run` has not been called.
std::unique_ptr<Reader> opened(const Header& header, Verify verify) {
    return with_either_shape(header.claim.width, header.claim.height,
                             [&](const auto& shape) { return reader_of(shape, header, verify); });
}

/// Certificates that moves were asked of: to read one takes up to half a second, and a game asks again.
class Known {
  public:
    std::shared_ptr<const Reader> get(std::span<const unsigned char> data) {
        const std::lock_guard lock(mutex_);
        const std::string bytes(data.begin(), data.end());
        if (const auto found = read_.find(bytes); found != read_.end()) return found->second;
        const Header header = read_header(data);
        auto reader = opened(header, Verify::none);
        Symbols symbols(header.symbols);
        reader->run(symbols);
        if (read_.size() == most) read_.clear();
        return read_[bytes] = std::move(reader);
    }

  private:
    static constexpr std::size_t most = 16;
    Mutex mutex_;
    std::map<std::string, std::shared_ptr<const Reader>> read_;
};

}  // namespace

Checked check(std::span<const unsigned char> data) {
    const Header header = read_header(data);
    Symbols symbols(header.symbols);
    return opened(header, Verify::all)->run(symbols);
}

std::optional<Answer> answer(std::span<const unsigned char> data, const Position& position) {
    static Known known;
    const Checked claim = read_header(data).claim;
    const bool is_about = claim.width == position.width() && claim.height == position.height() &&
                          claim.player == position.turn() && is_on_the_way(claim.start, position);
    return is_about ? known.get(data)->answer_in(position) : std::nullopt;
}

Unfolded unfold(std::span<const unsigned char> data, std::size_t most_positions) {
    const Header header = read_header(data);
    require(header.claim.win, "error.certificate.unfold");
    const auto reader = opened(header, Verify::and_keep);
    Symbols symbols(header.symbols);
    reader->run(symbols);
    Unfolded result = reader->unfold();
    require(result.columns.size() <= most_positions, "error.certificate.strategy");
    return result;
}

}  // namespace fourcast::certificate
