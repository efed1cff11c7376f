#include "batch.hpp"

#include <array>
#include <bit>
#include <cstring>
#include <utility>
#include <vector>

#include "board/random.hpp"

namespace fourcast {
namespace {

/// Shows boards of any size, square by square.
template <class Shape>
class Painter {
  public:
    using Bits = typename Shape::Bits;

    explicit Painter(const Shape& shape) : shape_(shape) {}

    void paint(Bits own, Bits other, std::int8_t* out) const {
        for (int row = shape_.height() - 1; row >= 0; --row) {
            for (int column = 0; column < shape_.width(); ++column) {
                const Bits square = shape_.square(column, row);
                *out++ = (own & square) != 0;
                *out++ = (other & square) != 0;
            }
        }
    }
    /// The same for a board that is not over: which columns are open.
    void paint_mask(Bits mask, std::int8_t* out) const {
        for (int column = 0; column < shape_.width(); ++column)
            out[column] = (mask & shape_.square(column, shape_.height() - 1)) == 0;
    }

  private:
    Shape shape_;
};

/// Seven bits as seven bytes of 0 and 1, `distance` bits from one to the next.
template <class Word>
constexpr std::array<Word, 128> spread_bits(unsigned distance) {
    std::array<Word, 128> table{};
    for (unsigned bits = 0; bits < 128; ++bits)
        for (unsigned i = 0; i < 7; ++i) table[bits] |= Word{bits >> i & 1} << (distance * i);
    return table;
}

/// Shows boards of 7x6 a row at a time: the squares of a row are gathered into seven bits, which pick
/// the bytes of the row from a table.
template <>
class Painter<StandardShape> {
  public:
    explicit Painter(const StandardShape&) {}

    void paint(u64 own, u64 other, std::int8_t* out) const {
        for (int row = 5; row > 0; --row, out += row_bytes) {
            const u128 bytes = row_of(own, other, row);
            std::memcpy(out, &bytes, sizeof(bytes));  // two bytes of the next row, which comes later
        }
        const u128 bytes = row_of(own, other, 0);
        std::memcpy(out, &bytes, row_bytes);
    }
    void paint_mask(u64 mask, std::int8_t* out) const {
        const u64 bytes = spread_[0x7f ^ gather(mask >> 5)];
        std::memcpy(out, &bytes, 7);
    }

  private:
    static constexpr std::size_t row_bytes = 14;

    /// The bits 0, 7, ..., 42, one beside the other. Each of the seven copies that the product adds up
    /// puts one of them in its place, and no two of all the others meet.
    static unsigned gather(u64 bits) {
        constexpr u64 copies = u64{1} << 48 | u64{1} << 42 | u64{1} << 36 | u64{1} << 30 | u64{1} << 24 |
                               u64{1} << 18 | u64{1} << 12;
        return static_cast<unsigned>((bits & StandardShape::bottom()) * copies >> 48 & 0x7f);
    }
    static u128 row_of(u64 own, u64 other, int row) {
        return interleaved_[gather(own >> row)] | interleaved_[gather(other >> row)] << 8;
    }

    static constexpr auto spread_ = spread_bits<u64>(8);
    static constexpr auto interleaved_ = spread_bits<u128>(16);
    static_assert(std::endian::native == std::endian::little);
};

template <class Shape>
class Games final : public Batch {
  public:
    using Bits = typename Shape::Bits;

    Games(const Options& options, const Shape& shape)
        : Batch(options), shape_(shape), painter_(shape), games_(options.boards) {}

    void reset(u64 seed, const View& view) override {
        random_ = Random(seed, 0);
        for (std::size_t i = 0; i < games_.size(); ++i) {
            begin(games_[i]);
            show(games_[i], i, view);
        }
    }

    void step(const std::int64_t* actions, const View& view, double* rewards,
              bool* terminations) override {
        for (std::size_t i = 0; i < games_.size(); ++i) {
            Game& game = games_[i];
            rewards[i] = 0;
            if (game.is_over)
                begin(game);
            else
                rewards[i] = play(game, actions[i]);
            terminations[i] = game.is_over;
            show(game, i, view);
        }
    }

  private:
    /// Seen from the side to act, which against an opponent is always the agent's.
    struct Game {
        Bits own = 0;
        Bits other = 0;
        bool is_over = false;
    };

    void begin(Game& game) {
        game = {};
        if (options_.opponent == Opponent::none) return;
        if (options_.start == Start::agent) return;
        if (options_.start == Start::any && random_.below(2) == 0) return;
        reply(game);
    }

    /// Returns the reward.
    double play(Game& game, std::int64_t action) {
        const Bits open = playable(shape_, static_cast<Bits>(game.own | game.other));
        const bool is_column = action >= 0 && action < shape_.width();
        const Bits square = is_column ? open & shape_.column(static_cast<int>(action)) : Bits{0};
        if (square == 0) {
            game.is_over = true;
            return -1;
        }
        game.own |= square;
        const bool has_won = has_four(shape_, game.own);
        game.is_over = has_won || (game.own | game.other) == shape_.board();
        if (options_.opponent == Opponent::none)
            std::swap(game.own, game.other);
        else if (!game.is_over)
            return reply(game);
        return has_won ? 1 : 0;
    }

    /// The opponent's move.
    double reply(Game& game) {
        Bits open = playable(shape_, static_cast<Bits>(game.own | game.other));
        for (int skip = random_.below(popcount(open)); skip > 0; --skip) open = without_lowest(open);
        game.other |= lowest(open);
        const bool has_won = has_four(shape_, game.other);
        game.is_over = has_won || (game.own | game.other) == shape_.board();
        return has_won ? -1 : 0;
    }

    void show(const Game& game, std::size_t index, const View& view) const {
        const auto width = static_cast<std::size_t>(shape_.width());
        const auto cells = static_cast<std::size_t>(shape_.cells());
        painter_.paint(game.own, game.other, view.observations + index * cells * 2);
        if (game.is_over)
            std::memset(view.masks + index * width, 0, width);
        else
            painter_.paint_mask(static_cast<Bits>(game.own | game.other), view.masks + index * width);
    }

    Shape shape_;
    Painter<Shape> painter_;
    std::vector<Game> games_;
    Random random_{0, 0};
};

}  // namespace

std::unique_ptr<Batch> Batch::make(const Options& options) {
    return with_shape(options.width, options.height,
                      [&]<class Shape>(const Shape& shape) -> std::unique_ptr<Batch> {
                          return std::make_unique<Games<Shape>>(options, shape);
                      });
}

}  // namespace fourcast
