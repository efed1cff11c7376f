// Known counts: how many games and positions there are.
#include <algorithm>
#include <array>
#include <bit>
#include <vector>

#include "board/perft.hpp"
#include "board/playout.hpp"
#include "testing.hpp"

namespace fourcast {
namespace {

struct Layer {
    u64 positions = 0;
    u64 won = 0;
};

/// The position with this key: the reverse of Position::key.
Position from_key(u64 key, int width, int height) {
    const int stride = height + 1;
    u64 first = 0;
    u64 second = 0;
    for (int column = 0; column < width; ++column) {
        const u64 field = key >> (column * stride) & ((u64{1} << stride) - 1);
        const u64 top = std::bit_floor(field);
        first |= (field ^ top) << (column * stride);
        second |= (field ^ top ^ (top - 1)) << (column * stride);
    }
    return Position::from_discs(first, second, width, height);
}

/// The distinct positions by number of discs, from the empty board to `last_ply` discs.
///
/// They are kept as keys and made again from their discs, so the count would be too low if two shared
/// a key, and end with an error if a position that does arise were taken for one that cannot.
std::vector<Layer> count_positions(int width, int height, int last_ply) {
    std::vector<Layer> layers;
    std::vector<u64> keys{static_cast<u64>(Position(width, height).key())};
    for (int ply = 0; ply <= last_ply; ++ply) {
        Layer layer{keys.size(), 0};
        std::vector<u64> next;
        for (const u64 key : keys) {
            const Position position = from_key(key, width, height);
            if (position.winner() != 0) ++layer.won;
            if (ply == last_ply) continue;
            for (ColumnSet rest = position.legal_columns(); rest != 0; rest &= rest - 1) {
                next.push_back(static_cast<u64>(position.play(std::countr_zero(rest)).key()));
            }
        }
        layers.push_back(layer);
        std::sort(next.begin(), next.end());
        next.erase(std::unique(next.begin(), next.end()), next.end());
        keys = std::move(next);
    }
    return layers;
}

u64 total_positions(int width, int height) {
    u64 total = 0;
    for (const Layer& layer : count_positions(width, height, width * height)) total += layer.positions;
    return total;
}

TEST("There are as many move sequences as is known") {
    const std::array<u64, 10> known{1, 7, 49, 343, 2401, 16807, 117649, 823536, 5673234, 39394572};
    for (std::size_t depth = 0; depth < known.size(); ++depth) {
        CHECK_EQUAL(perft(Position(), static_cast<int>(depth)), known[depth]);
    }
}

TEST("There are as many distinct positions on 7x6 as is known, up to 9 discs") {
    const std::array<u64, 10> known{1, 7, 49, 238, 1120, 4263, 16422, 54859, 184275, 558186};
    const std::array<u64, 10> known_won{0, 0, 0, 0, 0, 0, 0, 728, 1892, 19412};
    const auto layers = count_positions(7, 6, 9);
    for (std::size_t ply = 0; ply < known.size(); ++ply) {
        CHECK_EQUAL(layers[ply].positions, known[ply]);
        CHECK_EQUAL(layers[ply].won, known_won[ply]);
    }
}

TEST("There are as many distinct positions in all as is known on small boards") {
    CHECK_EQUAL(total_positions(4, 4), u64{161029});
    CHECK_EQUAL(total_positions(4, 5), u64{1706255});
    CHECK_EQUAL(total_positions(5, 4), u64{3945711});
}

TEST("A finished game has no sequels and one way to stand still") {
    const Position won = Position().play(0).play(1).play(0).play(1).play(0).play(1).play(0);
    CHECK_EQUAL(perft(won, 0), u64{1});
    CHECK_EQUAL(perft(won, 1), u64{0});
    CHECK_EQUAL(perft(won, 5), u64{0});
}

TEST("Playouts depend on the seed and not on the threads") {
    for (const Position& start : {Position(), Position(4, 4), Position(12, 9)}) {
        const PlayoutCounts alone = playouts(start, 1000, 7);
        CHECK_EQUAL(alone.games(), u64{1000});
        CHECK(playouts(start, 1000, 7, 3) == alone);
        CHECK(!(playouts(start, 1000, 8) == alone));
    }
}

TEST("A poll that throws ends playouts and perft") {
    struct Stop {};
    const auto stop = [] { throw Stop{}; };
    bool stopped = false;
    try {
        static_cast<void>(playouts(Position(), u64{1} << 62, 0, 2, stop));
    } catch (const Stop&) {
        stopped = true;
    }
    CHECK(stopped);
    stopped = false;
    try {
        static_cast<void>(perft(Position(), 42, stop));
    } catch (const Stop&) {
        stopped = true;
    }
    CHECK(stopped);
}

}  // namespace
}  // namespace fourcast
