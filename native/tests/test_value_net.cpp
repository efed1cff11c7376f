// The value net: what it says after a move is what it says of the position after it, and of its mirror
// image.
#include "search/value_net.hpp"

#include <vector>

#include "oracle.hpp"
#include "testing.hpp"

namespace fourcast {
namespace {

/// A net of random weights, in the form of a file; none so large that sums would not fit.
std::vector<unsigned char> random_net(int width, int height, int units, std::mt19937& random) {
    const ValueInputs inputs(width, height);
    std::vector<unsigned char> bytes(ValueNet::bytes_of_unit(inputs.count()) * units);
    for (unsigned char& byte : bytes) byte = static_cast<unsigned char>(random());
    for (int i = 0; i < units; ++i) bytes[inputs.count() * units + 2 * i + 1] = 0;
    for (int i = 0; i < ValueNet::other_bytes; ++i) bytes.push_back(i % 4 == 0 ? random() % 256 : 0);
    return bytes;
}

void check_moves(const ValueNet& net, int width, int height, std::mt19937& random) {
    const AnyShape<u64> shape(width, height);
    for (int empties = shape.cells(); empties > 8; --empties) {
        const auto board = testing::random_board(shape, empties, random, true);
        const bool is_first = board.ply % 2 == 0;
        const u64 first = is_first ? board.mover : board.mover ^ board.mask;
        const ValueSums sums(net, first, board.mask);
        CHECK_EQUAL(ValueSums(net, shape.mirror(first), shape.mirror(board.mask)).log_odds(0),
                    sums.log_odds(0));
        testing::for_each_move(shape, board, [&](u64 square, bool wins) {
            if (wins) return;
            const ValueSums after(net, is_first ? first | square : first, board.mask | square);
            for (const int t : {-6, 0, 5})
                CHECK_EQUAL(sums.log_odds_after(lowest_bit(square), is_first, t), after.log_odds(t));
        });
    }
}

TEST("A net of any size follows the moves, and knows the mirror image") {
    std::mt19937 random(1);
    for (const auto& [width, height] :
         {std::pair(4, 4), {5, 5}, {7, 6}, {8, 6}, {7, 7}, {8, 7}, {7, 8}, {9, 6}, {10, 5}, {12, 4}}) {
        for (const int units : {32, 128}) {
            const auto bytes = random_net(width, height, units, random);
            const ValueNet net({width, height, static_cast<int>(bytes.size()), bytes.data()});
            CHECK_EQUAL(net.units, units);
            check_moves(net, width, height, random);
        }
    }
}

TEST("Each net of the program is as long as its size says") {
    CHECK(find_value_net(7, 6) != nullptr);
    CHECK(find_value_net(4, 4) == nullptr);
    for (int i = 0; i < value_net_file_count; ++i) {
        const ValueNetFile& file = value_net_files[i];
        const ValueNet net(file);
        CHECK_EQUAL(net.units % 32, 0);
        CHECK_EQUAL(ValueNet::bytes_of_unit(net.inputs.count()) * net.units + ValueNet::other_bytes,
                    file.size);
    }
}

}  // namespace
}  // namespace fourcast
