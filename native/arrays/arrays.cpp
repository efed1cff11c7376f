#include "arrays.hpp"

#include <functional>
#include <unordered_set>
#include <utility>

#include "board/random.hpp"
#include "system/text.hpp"

namespace fourcast {

std::vector<std::size_t> Layout::shape(int width, int height) const {
    std::vector<std::size_t> lengths;
    for (const char axis : axes)
        lengths.push_back(static_cast<std::size_t>(axis == 'c'   ? width
                                                   : axis == 'r' ? height
                                                                 : planes()));
    return lengths;
}

const std::vector<Layout>& layouts() {
    using Kind = Layout::Kind;
    static const auto marks = [](std::string_view name, std::string_view axes, bool top_first) {
        return Layout{.name = name,
                      .axes = axes,
                      .is_flat = false,
                      .top_first = top_first,
                      .mover_first = false,
                      .own = 1,
                      .other = 2,
                      .empty = 0,
                      .kind = Kind::int8};
    };
    static const auto planes = [](std::string_view name, Kind kind) {
        return Layout{.name = name,
                      .axes = "rcp",
                      .is_flat = false,
                      .top_first = true,
                      .mover_first = true,
                      .own = 0,
                      .other = 1,
                      .empty = -1,
                      .kind = kind};
    };
    static const std::vector<Layout> all = [] {
        Layout kaggle = marks("kaggle", "rc", true);
        kaggle.is_flat = true;
        Layout open_spiel = planes("open_spiel", Kind::float32);
        open_spiel.axes = "prc";
        open_spiel.top_first = false;
        open_spiel.mover_first = false;
        open_spiel.empty = 2;
        Layout uci = marks("uci", "cr", false);
        uci.is_flat = true;
        uci.own = 'x';
        uci.other = 'o';
        uci.empty = 'b';
        uci.kind = Kind::text;
        return std::vector<Layout>{marks("rows", "rc", true),
                                   marks("rows-bottom-first", "rc", false),
                                   marks("columns", "cr", true),
                                   marks("columns-bottom-first", "cr", false),
                                   planes("pettingzoo", Kind::int8),
                                   planes("pgx", Kind::boolean),
                                   open_spiel,
                                   kaggle,
                                   uci};
    }();
    return all;
}

const Layout& find_layout(std::string_view name) {
    std::string names;
    for (const Layout& layout : layouts()) {
        if (layout.name == name) return layout;
        names += text(names.empty() ? "" : ", ", std::string(layout.name));
    }
    throw OptionError("error.no_layout", {{"name", name}, {"names", names}});
}

ArrayMap::ArrayMap(const Layout& layout, int width, int height)
    : layout_(&layout), width_(width), height_(height), size_(1) {
    const auto lengths = layout.shape(width, height);
    for (std::size_t axis = lengths.size(); axis-- > 0;) {
        (layout.axes[axis] == 'c'   ? column_step_
         : layout.axes[axis] == 'r' ? row_step_
                                    : plane_step_) = size_;
        size_ *= lengths[axis];
    }
}

void ArrayMap::refuse(const char* code, int column, int row) const {
    throw InvalidPositionError(code, {{"column", std::string{column_name(column)}}, {"row", row + 1}},
                               Square{column, row});
}

namespace {

/// Games that are tried for one position, and draws without a new one, before a plan is given up. About
/// one random game in 500 fills the standard board but for one square.
constexpr int most_attempts = 1 << 20;
constexpr int most_repeats = 1 << 16;

struct HashOfKey {
    std::size_t operator()(u128 key) const {
        return std::hash<u64>{}((static_cast<u64>(key) * 0x9e3779b97f4a7c15U) ^
                                (static_cast<u64>(key >> 64) * 0xc2b2ae3d27d4eb4fU));
    }
};

/// Random games, every open column equally likely.
class RandomGames {
  public:
    RandomGames(u64 seed, u64 stream, const SamplePlan& plan) : random_(seed, stream), plan_(plan) {}

    /// A position that fits the plan; false if none is found.
    bool draw(SampledPosition& drawn, Poll& poll) {
        const int wanted =
            plan_.uniform_ply ? plan_.fewest + random_.below(plan_.most - plan_.fewest + 1) : plan_.most;
        const int needed = plan_.uniform_ply ? wanted : plan_.fewest;
        for (int attempt = 0; attempt < most_attempts; ++attempt) {
            poll();
            if (play(wanted) < needed) continue;
            moves_.resize(static_cast<std::size_t>(needed + random_.below(reached_ - needed + 1)));
            drawn.position = Position(plan_.width, plan_.height);
            for (const int move : moves_) drawn.position = drawn.position.play(move);
            drawn.moves = std::move(moves_);
            return true;
        }
        return false;
    }

  private:
    /// Plays up to `plies` moves, and returns how many discs the last position has that is not over.
    int play(int plies) {
        moves_.clear();
        with_shape(plan_.width, plan_.height, [&](const auto& shape) {
            using Bits = typename std::decay_t<decltype(shape)>::Bits;
            Bits mover = 0;
            Bits other = 0;
            for (reached_ = 0; reached_ < plies; ++reached_) {
                Bits squares = playable(shape, static_cast<Bits>(mover | other));
                for (int skip = random_.below(popcount(squares)); skip > 0; --skip)
                    squares = without_lowest(squares);
                mover |= lowest(squares);
                moves_.push_back(shape.column_of(lowest_bit(squares)));
                if (has_four(shape, mover) || (mover | other) == shape.board()) return;
                std::swap(mover, other);
            }
        });
        return reached_;
    }

    Random random_;
    const SamplePlan& plan_;
    std::vector<int> moves_;
    int reached_ = 0;
};

}  // namespace

std::vector<SampledPosition> sample_positions(std::size_t count, u64 seed, const SamplePlan& plan,
                                              const Check& check) {
    std::vector<SampledPosition> sample;
    std::unordered_set<u128, HashOfKey> seen;
    Poll poll(check);
    int repeats = 0;
    for (u64 stream = 0; sample.size() < count; ++stream) {
        SampledPosition drawn;
        if (repeats > most_repeats || !RandomGames(seed, stream, plan).draw(drawn, poll))
            throw OptionError(plan.unique ? "error.few_unique_positions" : "error.few_positions",
                              {{"found", sample.size()},
                               {"wanted", count},
                               {"fewest", plan.fewest},
                               {"most", plan.most}});
        if (plan.unique && !seen.insert(drawn.position.canonical_key()).second) {
            ++repeats;
            continue;
        }
        repeats = 0;
        sample.push_back(std::move(drawn));
    }
    return sample;
}

}  // namespace fourcast
