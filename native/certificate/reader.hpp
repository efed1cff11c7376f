// How certificates are read, of either version.
#pragma once

#include <memory>
#include <span>
#include <unordered_set>

#include "board.hpp"
#include "check.hpp"

namespace fourcast::certificate {

constexpr std::size_t most_positions_of_a_certificate = 1'000'000;
constexpr std::size_t most_bytes = 1'000'000;
constexpr std::size_t most_states = 10'000'000;  // of all leaves

[[noreturn, gnu::noinline]] inline void refuse(const char* code) { throw CertificateError(code); }
inline void require(bool condition, const char* otherwise) {
    if (!condition) refuse(otherwise);
}

/// The digits of one large number, the least first.
class Symbols {
  public:
    explicit Symbols(std::span<const unsigned char> data) {
        require(!data.empty() && data.back() != 0, "error.certificate.end");
        words_.assign((data.size() + 3) / 4, 0);
        for (std::size_t i = 0; i < data.size(); ++i)
            words_[i / 4] |= static_cast<std::uint32_t>(data[i]) << (8 * (i % 4));
    }
    std::size_t read(std::size_t values) {
        std::uint64_t rest = 0;
        for (std::size_t i = words_.size(); i-- > 0;) {
            const std::uint64_t part = rest << 32 | words_[i];
            words_[i] = static_cast<std::uint32_t>(part / values);
            rest = part % values;
        }
        while (!words_.empty() && words_.back() == 0) words_.pop_back();
        require(!words_.empty(), "error.certificate.short");
        return rest;
    }
    void end() const { require(words_.size() == 1 && words_[0] == 1, "error.certificate.long"); }

  private:
    std::vector<std::uint32_t> words_;
};

/// The beginning of a file, and its symbols.
struct Header {
    int version = 0;
    Checked claim{};
    std::span<const unsigned char> symbols{};
};
inline Header read_header(std::span<const unsigned char> data) {
    static constexpr unsigned char magic[] = {'C', '4', 'W', 'N'};
    require(data.size() <= most_bytes, "error.certificate.bytes");
    require(
        data.size() > 10 && std::ranges::equal(data.first(4), magic) && (data[4] == 2 || data[4] == 3),
        "error.certificate.version");
    Header header;
    header.version = data[4];
    Checked& claim = header.claim;
    claim.width = data[5];
    claim.height = data[6];
    claim.player = data[7];
    claim.win = data[8] == 1;
    const std::size_t count = data[9];
    require(is_supported(claim.width, claim.height), "error.certificate.size");
    require((claim.player == 1 || claim.player == 2) && data[8] <= 1, "error.certificate.header");
    require(data.size() > 10 + count, "error.certificate.short");
    claim.start.assign(data.begin() + 10, data.begin() + 10 + static_cast<std::ptrdiff_t>(count));
    header.symbols = data.subspan(10 + count);
    return header;
}

/// The moves of F in positions, which stand for their mirror images, too.
template <class Bits>
using MovesOf = std::unordered_map<Pair<Bits>, Bits, PairHash>;

/// Where a proof begins, and F's moves on the way there.
template <class Bits>
struct Start {
    Pair<Bits> place{};
    MovesOf<Bits> moves{};
};
template <class Shape, class Bits = typename Shape::Bits>
Start<Bits> played(const Board<Shape>& board, const Checked& claim) {
    Start<Bits> start;
    Bits sides[2] = {0, 0};
    for (std::size_t ply = 0; ply < claim.start.size(); ++ply) {
        const int column = claim.start[ply];
        const Bits landing = column < board.shape().width()
                                 ? board.open(sides[0] | sides[1]) & board.shape().column(column)
                                 : Bits{0};
        require(landing != 0 && !board.has(sides[0]) && !board.has(sides[1]), "error.certificate.start");
        if (static_cast<int>(ply) % 2 == claim.player - 1) {
            const Pair<Bits> place{sides[ply % 2], sides[1 - ply % 2]};
            const Pair<Bits> one = board.one_of_mirrors(place);
            start.moves[one] = one == place ? landing : board.shape().mirror(landing);
        }
        sides[ply % 2] |= landing;
    }
    require(!board.has(sides[0]) && !board.has(sides[1]), "error.certificate.over");
    start.place = {sides[claim.player - 1], sides[2 - claim.player]};
    return start;
}

/// Whether a position lies before or after the one that these columns lead to, or its mirror image.
inline bool is_on_the_way(const std::vector<int>& start, const Position& position) {
    const auto lies_on = [&](bool mirrored) {
        Position at(position.width(), position.height());
        const auto is_part = [](const Position& one, const Position& other) {
            return (one.discs(1) & ~other.discs(1)) == 0 && (one.discs(2) & ~other.discs(2)) == 0;
        };
        for (const int column : start) {
            if (column >= at.width()) return true;  // refused when it is read
            at = at.play(mirrored ? at.width() - 1 - column : column);
        }
        return is_part(at, position) || is_part(position, at);
    };
    return lies_on(false) || lies_on(true);
}

/// A position as its players see it: the discs of one, and those of the other.
template <class Bits>
Pair<Bits> seen_from(int player, const Position& position) {
    return {static_cast<Bits>(position.discs(player)), static_cast<Bits>(position.discs(3 - player))};
}

/// Whether everything is checked. `none` only reads the certificate, which takes no time, for those who
/// know that it is one; `and_keep` keeps the states of all local games.
enum class Verify { none, all, and_keep };

/// A certificate that is read symbol by symbol.
class Reader {
  public:
    virtual ~Reader() = default;
    /// Reads all of it, once. Throws CertificateError if it is not a proof, as far as it is checked.
    virtual Checked run(Symbols& symbols) = 0;
    /// After `run`: what is played in a position of its board, with its player to move.
    virtual std::optional<Answer> answer_in(const Position& position) const = 0;
    /// After `run` of a win: every answer, see `Unfolded`.
    virtual Unfolded unfold() = 0;
};

/// The walk through a proof, which both versions make: a position with F to move once, and its mirror
/// image with it.
template <class Shape>
class Walker : public Reader {
  public:
    using Bits = typename Shape::Bits;
    using Place = Pair<Bits>;

    Walker(const Shape& shape, const Checked& claim, Verify verify)
        : board_(shape), result_(claim), verify_(verify) {}

    Checked run(Symbols& symbols) override {
        symbols_ = &symbols;
        const Start<Bits> start = played(board_, result_);
        begin_ = start.place;
        starts_ = start.moves;
        player_begins_ = static_cast<int>(result_.start.size()) % 2 == result_.player - 1;
        if (player_begins_)
            wait(begin_);
        else
            reply(begin_);
        while (!waiting_.empty()) {
            const Place place = waiting_.back();
            waiting_.pop_back();
            move(place);
        }
        symbols.end();
        symbols_ = nullptr;
        return result_;
    }

  protected:
    /// Reads F's move in a position.
    virtual void move(const Place& place) = 0;

    void reply(const Place& place) {
        const auto [mine, theirs] = place;
        require(board_.wins(theirs, mine) == 0, "error.proof.opponent_completes_four");
        const Bits replies = board_.open(mine | theirs);
        require(replies != 0 || !result_.win, "error.proof.full_without_winner");
        for (const Bits disc : each_square(replies))
            if (result_.win || board_.open(mine | theirs | disc) != 0) wait({mine, theirs | disc});
    }
    Bits mirror(Bits squares) const { return board_.shape().mirror(squares); }

    Board<Shape> board_;
    Checked result_;
    Verify verify_;
    Symbols* symbols_ = nullptr;  // while it runs
    Place begin_{};
    bool player_begins_ = true;
    MovesOf<Bits> starts_;  // moves to where the proof begins

  private:
    void wait(const Place& place) {
        const Place one = board_.one_of_mirrors(place);
        if (!seen_.insert(one).second) return;
        require(seen_.size() < most_positions_of_a_certificate, "error.certificate.positions");
        waiting_.push_back(one);
    }

    std::vector<Place> waiting_;
    std::unordered_set<Place, PairHash> seen_;  // with F to move
};

}  // namespace fourcast::certificate
