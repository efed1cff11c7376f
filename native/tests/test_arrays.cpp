// Positions in arrays, samples of them, and many games at once.
#include "arrays/arrays.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "arrays/batch.hpp"
#include "arrays/sampling.hpp"
#include "board/random.hpp"
#include "testing.hpp"

namespace fourcast {
namespace {

const std::vector<std::pair<int, int>> sizes{{7, 6}, {4, 4}, {8, 7}, {17, 6}, {4, 31}};

/// Some positions of random games, finished ones too.
std::vector<Position> some_positions(int width, int height) {
    std::vector<Position> positions;
    Random random(18, 0);
    for (int game = 0; game < 5; ++game) {
        Position position(width, height);
        positions.push_back(position);
        while (!position.is_over()) {
            const int column = random.below(width);
            if (!position.can_play(column)) continue;
            position = position.play(column);
            positions.push_back(position);
        }
    }
    return positions;
}

TEST("every layout is read back") {
    for (const auto& [width, height] : sizes) {
        for (const Layout& layout : layouts()) {
            const ArrayMap map(layout, width, height);
            for (const Position& position : some_positions(width, height)) {
                std::vector<long long> array(map.size());
                map.write(position, [&](std::size_t element, int value) { array.at(element) = value; });
                const Position read = map.read([&](std::size_t element) { return array.at(element); });
                CHECK(read == position);
            }
        }
    }
}

/// What `sample_positions` writes: positions, and their move strings.
std::vector<std::pair<Position, std::string>> sampled(std::size_t count, u64 seed,
                                                      const SamplePlan& plan, int threads) {
    const auto cells = static_cast<std::size_t>(plan.width * plan.height);
    const bool is_wide = plan.width * (plan.height + 1) > 64;
    std::vector<u64> discs(count * (is_wide ? 4 : 2));
    std::vector<std::uint8_t> moves(count * cells);
    sample_positions(count, seed, plan, threads, {discs.data(), moves.data()}, {});
    std::vector<std::pair<Position, std::string>> found;
    for (std::size_t i = 0; i < count; ++i) {
        const u64* const row = discs.data() + i * (is_wide ? 4 : 2);
        const u128 first = is_wide ? u128{row[1]} << 64 | row[0] : u128{row[0]};
        const u128 second = is_wide ? u128{row[3]} << 64 | row[2] : u128{row[1]};
        std::string text;
        for (std::size_t ply = 0; ply < cells && moves[i * cells + ply] != 0; ++ply)
            text += static_cast<char>(moves[i * cells + ply]);
        found.emplace_back(Position::from_discs(first, second, plan.width, plan.height), text);
    }
    return found;
}

TEST("a sample is what was planned, on any number of threads") {
    for (const auto& [width, height] : sizes) {
        const SamplePlan plan{.width = width,
                              .height = height,
                              .fewest = 3,
                              .most = 12,
                              .uniform_ply = width != 8,
                              .unique = width != 4};
        const auto sample = sampled(200, 7, plan, 3);
        CHECK(sample == sampled(200, 7, plan, 1));
        std::vector<u128> keys;
        for (const auto& [position, moves] : sample) {
            CHECK(!position.is_over());
            CHECK(position.ply() >= 3 && position.ply() <= 12);
            Position played(width, height);
            for (const char name : moves)
                played = played.play(name <= '9' ? name - '1' : name - 'a' + 9);
            CHECK(played == position);
            keys.push_back(position.canonical_key());
        }
        std::sort(keys.begin(), keys.end());
        if (plan.unique) CHECK(std::adjacent_find(keys.begin(), keys.end()) == keys.end());
    }
}

TEST("games in vectors are those that are played one by one") {
    CHECK(games_at_once() == 1 || games_at_once() == 4 || games_at_once() == 8);
    for (const auto& [fewest, most] : {std::pair{0, 3}, {0, 41}, {38, 41}}) {
        SamplePlan plan{.fewest = fewest, .most = most, .games_at_once = 1};
        const auto sample = sampled(500, 3, plan, 1);
        for (const int at_once : {4, 8}) {
            plan.games_at_once = at_once;
            CHECK(sampled(500, 3, plan, 2) == sample);
        }
    }
}

/// Arrays of exactly the size that a batch writes to.
struct Arrays {
    Arrays(std::size_t boards, int width, int height)
        : observations(boards * static_cast<std::size_t>(2 * width * height)),
          masks(boards * static_cast<std::size_t>(width)),
          rewards(boards),
          terminations(new bool[boards]) {}
    Batch::View view() { return {observations.data(), masks.data()}; }

    std::vector<std::int8_t> observations;
    std::vector<std::int8_t> masks;
    std::vector<double> rewards;
    std::unique_ptr<bool[]> terminations;
};

TEST("many games at once are played by the rules") {
    constexpr std::size_t boards = 9;
    for (const auto& [width, height] : sizes) {
        const auto batch = Batch::make({.boards = boards, .width = width, .height = height});
        Arrays arrays(boards, width, height);
        batch->reset(1, arrays.view());
        std::vector<Position> positions(boards, Position(width, height));
        const ArrayMap map(find_layout("pettingzoo"), width, height);
        Random random(18, 1);
        for (int step = 0; step < 60; ++step) {
            std::vector<std::int64_t> actions;
            for (Position& position : positions) {
                if (position.is_over()) {
                    actions.push_back(0);
                    position = Position(width, height);
                    continue;
                }
                int column = random.below(width);
                while (!position.can_play(column)) column = random.below(width);
                actions.push_back(column);
                position = position.play(column);
            }
            batch->step(actions.data(), arrays.view(), arrays.rewards.data(), arrays.terminations.get());
            std::vector<std::int8_t> expected(boards * map.size());
            for (std::size_t i = 0; i < boards; ++i) {
                map.write(positions[i], [&](std::size_t element, int value) {
                    expected[i * map.size() + element] = static_cast<std::int8_t>(value);
                });
                CHECK(arrays.terminations[i] == positions[i].is_over());
                CHECK(arrays.rewards[i] == (positions[i].winner() != 0 ? 1 : 0));
                for (int column = 0; column < width; ++column)
                    CHECK((arrays.masks[i * static_cast<std::size_t>(width) +
                                        static_cast<std::size_t>(column)] != 0) ==
                          positions[i].can_play(column));
            }
            CHECK(arrays.observations == expected);
        }
    }
}

}  // namespace
}  // namespace fourcast
