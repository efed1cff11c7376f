// A net that says how likely the first player's score is greater than a number. It helps to put moves in
// order near the root, where a wrong first move costs more than a closer look at all of them.
//
// Its inputs are the discs of each column, what one player alone holds of each of the lines of four, and
// the number of discs. Each is on or off and has a row of weights; the first layer is the sum of the
// rows that are on. A move changes few of them, so the sums after each move come from those before it.
//
// A position and its mirror image get the same answer: the first layer is summed up for both, and the
// second one looks at the two in either order. Everything is an integer, so that all processors agree.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "board/threats.hpp"

namespace fourcast {

/// The file of the net for 7x6, which is linked into the program (CMakeLists.txt).
extern const unsigned char value_net_data[];

inline namespace FOURCAST_KERNEL {

/// Which inputs are on in a position of 7x6.
class ValueInputs {
  public:
    using Shape = StandardShape;
    static constexpr int lines = 69;
    static constexpr int line_states = 29;  // empty; 14 sets of squares of either player
    static constexpr int column_states = 128;
    static constexpr int first_column = lines * line_states;
    static constexpr int first_ply = first_column + Shape::width() * column_states;
    static constexpr int count = first_ply + Shape().cells() + 1;

    struct Line {
        int from;    // the bit of its first square
        int step;    // from each to the next
        int mirror;  // the number of its mirror image, whose squares have the same order
    };
    static constexpr std::array<Line, lines> all_lines = [] {
        constexpr int width = Shape::width();
        constexpr int height = Shape::height();
        constexpr int stride = height + 1;
        std::array<Line, lines> result{};
        int at = 0;
        const auto add = [&](int column, int row, int across, int up) {
            const int end_column = column + 3 * across;
            const int end_row = row + 3 * up;
            if (end_column < 0 || end_column >= width || end_row < 0 || end_row >= height) return;
            result[at++] = {column * stride + row, across * stride + up, 0};
        };
        for (int column = 0; column < width; ++column) {
            for (int row = 0; row < height; ++row) {
                add(column, row, 0, 1);
                for (int up = -1; up <= 1; ++up) add(column, row, 1, up);
            }
        }
        for (Line& line : result) {
            const auto flip = [](int bit) { return (width - 1 - bit / stride) * stride + bit % stride; };
            for (int other = 0; other < lines; ++other) {
                const Line& image = result[other];
                if (image.from == flip(line.from) && line.step == 1 && image.step == 1)
                    line.mirror = other;
                if (line.step != 1 && image.from == flip(line.from + 3 * line.step) &&
                    image.from + 3 * image.step == flip(line.from))
                    line.mirror = other;
            }
        }
        return result;
    }();
    struct Gather {
        u64 squares;
        u64 factor;
        int from;
        int shift;
    };
    static constexpr std::array<Gather, lines> gathers = [] {
        std::array<Gather, lines> result{};
        for (int line = 0; line < lines; ++line) {
            const auto [from, step, mirror] = all_lines[line];
            Gather& gather = result[line];
            gather = {15, 1, from, 0};
            if (step == 1) continue;
            gather = {0, 0, from, 3 * step};
            // Lines to the right of the middle are read from their other end.
            for (int i = 0; i < 4; ++i) {
                const int to = from >= 2 * Shape().stride() ? 3 - i : i;
                gather.squares |= u64{1} << (i * step);
                gather.factor |= u64{1} << (3 * step + to - i * step);
            }
        }
        return result;
    }();

    /// A row, and that of the same input of the mirror image.
    struct Input {
        int row;
        int mirror;
    };
    static constexpr Input line_input(int line, int state) {
        return {line * line_states + state, all_lines[line].mirror * line_states + state};
    }
    static constexpr Input column_input(int column, int state) {
        return {first_column + column * column_states + state,
                first_column + (Shape::width() - 1 - column) * column_states + state};
    }
    static constexpr Input ply_input(int ply) { return {first_ply + ply, first_ply + ply}; }

    /// The squares of a line that are in a set, as four bits: a product puts those that lie apart side
    /// by side.
    static constexpr int pattern(u64 discs, int line) {
        const Gather& gather = gathers[line];
        return static_cast<int>((((discs >> gather.from) & gather.squares) * gather.factor) >>
                                gather.shift) &
               15;
    }
    static constexpr int mixed = -1;
    /// The state of a line with these squares of either player.
    static constexpr int line_state(int first, int second) {
        if (first != 0) return second != 0 ? mixed : first;
        return second == 0 ? 0 : 14 + second;
    }
    static constexpr int column_state(u64 key, int column) {
        return static_cast<int>(key >> (column * Shape().stride())) & (column_states - 1);
    }
    /// The first player's discs with a 1 above the topmost disc of each column.
    static constexpr u64 key(u64 first, u64 mask) { return first | ((mask + Shape::bottom()) & ~mask); }

    /// Calls `use` with each input that is on.
    template <class Use>
    static constexpr void each(u64 first, u64 mask, int ply, Use&& use) {
        for (int line = 0; line < lines; ++line) {
            const int state = line_state(pattern(first, line), pattern(first ^ mask, line));
            if (state != mixed) use(line_input(line, state));
        }
        for (int column = 0; column < Shape::width(); ++column)
            use(column_input(column, column_state(key(first, mask), column)));
        use(ply_input(ply));
    }
};

/// The numbers of the net, and how they lie in its file: first the rows of all inputs, signed bytes;
/// then `bias` (16 bits each), `straight` and `crossed` (bytes), `hidden_bias` (32 bits), `output` (16
/// bits) and `output_bias` (32 bits), all little-endian.
struct ValueNet {
    static constexpr int units = 64;   // of the first layer, and as many for the mirror image
    static constexpr int hidden = 16;  // of the second layer, in either order
    static constexpr int outputs = 12;
    static constexpr int lowest =
        -6;  // the first output: is the first player's score greater than this?
    // One of what the net was trained with is this much here.
    static constexpr int row_scale = 64;
    static constexpr int hidden_scale = 64;
    static constexpr int output_scale = 256;
    static constexpr int odds_scale = hidden_scale * output_scale;
    static constexpr int unit_limit = 127;
    static constexpr int hidden_limit = 1023;
    static constexpr std::size_t file_bytes = std::size_t{ValueInputs::count} * units + units * 2 +
                                              2 * hidden * units + hidden * 4 + outputs * hidden * 2 +
                                              outputs * 4;

    /// Both halves of the first layer: of the position and of its mirror image.
    using Sums = std::array<std::int16_t, 2 * units>;

    explicit ValueNet(const unsigned char* file) : rows_(reinterpret_cast<const signed char*>(file)) {
        const unsigned char* at = file + std::size_t{ValueInputs::count} * units;
        const auto take = [&](int bytes) {
            std::uint32_t value = 0;
            for (int i = 0; i < bytes; ++i) value |= std::uint32_t{*at++} << (8 * i);
            const int unused = 32 - 8 * bytes;
            return static_cast<std::int32_t>(value << unused) >> unused;
        };
        for (int i = 0; i < units; ++i) bias_[i] = bias_[i + units] = static_cast<std::int16_t>(take(2));
        for (const int other : {0, units})
            for (int j = 0; j < hidden; ++j)
                for (int i = 0; i < units; ++i)
                    hidden_[j][i + other] = hidden_[j + hidden][i + units - other] =
                        static_cast<std::int16_t>(take(1));
        for (int j = 0; j < hidden; ++j) hidden_bias_[j] = hidden_bias_[j + hidden] = take(4);
        for (auto& row : output_)
            for (int j = 0; j < hidden; ++j)
                row[j] = row[j + hidden] = static_cast<std::int16_t>(take(2));
        for (auto& value : output_bias_) value = take(4);
    }

    const Sums& bias() const { return bias_; }

    /// Rows to add to the sums, or to take away.
    template <int most>
    struct Rows {
        std::array<ValueInputs::Input, most> inputs;
        int count = 0;
        void operator+=(ValueInputs::Input input) { inputs[count++] = input; }
    };
    template <int sign, int most>
    void add(Sums& sums, const Rows<most>& rows) const {
        // A part at a time, so that its sums stay in registers.
        constexpr int part = 32;
        for (int from = 0; from < units; from += part) {
            std::array<std::int16_t, part> straight;
            std::array<std::int16_t, part> mirrored;
            std::copy_n(sums.begin() + from, part, straight.begin());
            std::copy_n(sums.begin() + units + from, part, mirrored.begin());
            for (int k = 0; k < rows.count; ++k) {
                const signed char* const row = rows_ + rows.inputs[k].row * units + from;
                const signed char* const mirror = rows_ + rows.inputs[k].mirror * units + from;
                for (int i = 0; i < part; ++i)
                    straight[i] = static_cast<std::int16_t>(straight[i] + sign * row[i]);
                for (int i = 0; i < part; ++i)
                    mirrored[i] = static_cast<std::int16_t>(mirrored[i] + sign * mirror[i]);
            }
            std::copy_n(straight.begin(), part, sums.begin() + from);
            std::copy_n(mirrored.begin(), part, sums.begin() + units + from);
        }
    }
    /// How likely the first player's score is greater than `t`: the logarithm of the odds.
    int log_odds(const Sums& sums, int t) const {
        Sums in;
        for (int i = 0; i < 2 * units; ++i)
            in[i] = std::min<std::int16_t>(std::max<std::int16_t>(sums[i], 0), unit_limit);
        const auto& output = output_[t - lowest];
        int result = output_bias_[t - lowest];
        for (int j = 0; j < 2 * hidden; ++j) {
            int sum = hidden_bias_[j];
            for (int i = 0; i < 2 * units; ++i) sum += in[i] * hidden_[j][i];
            result += std::clamp(sum / row_scale, 0, hidden_limit) * output[j];
        }
        return result;
    }

  private:
    const signed char* rows_;
    alignas(64) Sums bias_;
    alignas(64) std::array<Sums, 2 * hidden> hidden_;
    std::array<std::int32_t, 2 * hidden> hidden_bias_;
    std::array<std::array<std::int16_t, 2 * hidden>, outputs> output_;
    std::array<std::int32_t, outputs> output_bias_;
};

/// What the net says of a position and of those after its moves.
class ValueSums {
  public:
    ValueSums(const ValueNet& net, u64 first, u64 mask)
        : net_(net), sums_(net.bias()), key_(ValueInputs::key(first, mask)), ply_(popcount(mask)) {
        ValueNet::Rows<ValueInputs::lines + StandardShape::width()> on;
        for (int line = 0; line < ValueInputs::lines; ++line) {
            first_[line] = static_cast<std::int8_t>(ValueInputs::pattern(first, line));
            second_[line] = static_cast<std::int8_t>(ValueInputs::pattern(first ^ mask, line));
            const int state = ValueInputs::line_state(first_[line], second_[line]);
            if (state != ValueInputs::mixed) on += ValueInputs::line_input(line, state);
        }
        for (int column = 0; column < StandardShape::width(); ++column)
            on += ValueInputs::column_input(column, ValueInputs::column_state(key_, column));
        net.add<1>(sums_, on);
    }

    int log_odds(int t) const {
        ValueNet::Rows<1> on;
        on += ValueInputs::ply_input(ply_);
        ValueNet::Sums sums = sums_;
        net_.add<1>(sums, on);
        return net_.log_odds(sums, t);
    }
    /// The same after one more disc, of the first player or the second.
    int log_odds_after(int bit, bool is_first, int t) const {
        ValueNet::Rows<most_through + 2> on;
        ValueNet::Rows<most_through + 1> off;
        const auto& own_discs = is_first ? first_ : second_;
        const auto& their_discs = is_first ? second_ : first_;
        const int own_states = is_first ? 0 : 14;
        const int their_states = 14 - own_states;
        const auto& through = lines_through[bit];
        for (int i = 0; i < through.count; ++i) {
            const auto [line, square] = through.lines[i];
            const int own = own_discs[line];
            const int theirs = their_discs[line];
            if (theirs == 0) {
                off += ValueInputs::line_input(line, own == 0 ? 0 : own_states + own);
                on += ValueInputs::line_input(line, own_states + (own | square));
            } else if (own == 0) {
                off += ValueInputs::line_input(line, their_states + theirs);
            }
        }
        const int column = bit / StandardShape().stride();
        const int state = ValueInputs::column_state(key_, column);
        // The 1 above the topmost disc becomes a disc or not, and the next one is above it.
        const int top = 1 << (bit % StandardShape().stride());
        off += ValueInputs::column_input(column, state);
        on += ValueInputs::column_input(column, (state | 2 * top) ^ (is_first ? 0 : top));
        on += ValueInputs::ply_input(ply_ + 1);
        ValueNet::Sums sums = sums_;
        net_.add<1>(sums, on);
        net_.add<-1>(sums, off);
        return net_.log_odds(sums, t);
    }

  private:
    static constexpr int most_through = 13;  // lines through one square
    struct Through {
        struct Part {
            std::uint8_t line;
            std::uint8_t square;  // the bit of the square in the line's pattern
        };
        std::array<Part, most_through> lines;
        int count;
    };
    static constexpr std::array<Through, 49> lines_through = [] {
        std::array<Through, 49> result{};
        for (int line = 0; line < ValueInputs::lines; ++line) {
            for (int i = 0; i < 4; ++i) {
                const int bit =
                    ValueInputs::all_lines[line].from + i * ValueInputs::all_lines[line].step;
                Through& through = result[bit];
                through.lines[through.count++] = {
                    static_cast<std::uint8_t>(line),
                    static_cast<std::uint8_t>(ValueInputs::pattern(u64{1} << bit, line))};
            }
        }
        return result;
    }();

    const ValueNet& net_;
    ValueNet::Sums sums_;  // without the number of discs
    std::array<std::int8_t, ValueInputs::lines> first_;
    std::array<std::int8_t, ValueInputs::lines> second_;
    u64 key_;
    int ply_;
};

}  // namespace FOURCAST_KERNEL
}  // namespace fourcast
