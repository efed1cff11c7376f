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
#include <cstring>
#ifdef __SSSE3__
#include <immintrin.h>
#endif

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
    static constexpr std::array<std::int8_t, 16 * 16> line_states_of = [] {
        std::array<std::int8_t, 16 * 16> result{};
        for (int discs = 0; discs < 16; ++discs) {
            for (int others = 1; others < 16; ++others) result[16 * discs + others] = mixed;
            result[16 * discs] = static_cast<std::int8_t>(discs);
            result[discs] = static_cast<std::int8_t>(discs == 0 ? 0 : 14 + discs);
        }
        return result;
    }();
    /// The state of a line with these squares of either player.
    static constexpr int line_state(int first, int second) {
        return line_states_of[16 * first + second];
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
    static constexpr int units = 128;  // of the first layer, and as many for the mirror image
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
        for (const int other : {0, units}) {
            for (int j = 0; j < hidden; ++j) {
                for (int i = 0; i < units; ++i) {
                    const auto weight = static_cast<signed char>(take(1));
                    hidden_weight(0, i + other, j) = weight;
                    hidden_weight(1, i + units - other, j) = weight;
                }
            }
        }
        for (int j = 0; j < hidden; ++j) hidden_bias_[j] = take(4);
        for (auto& row : output_)
            for (int j = 0; j < hidden; ++j) row[j] = take(2);
        for (auto& value : output_bias_) value = take(4);
    }

    const Sums& bias() const { return bias_; }

    /// Rows to add to the sums, or to take away.
    template <int most>
    struct Rows {
        std::array<ValueInputs::Input, most> inputs;
        int count = 0;
        void operator+=(ValueInputs::Input input) { inputs[count++] = input; }
        /// A line, unless both players have discs on it. A branch would often be predicted wrongly.
        void add_line(int line, int first, int second) {
            const int state = ValueInputs::line_state(first, second);
            inputs[count] = ValueInputs::line_input(line, state);
            count += state != ValueInputs::mixed;
        }
    };
    template <int most_on, int most_off>
    void change(Sums& sums, const Rows<most_on>& on, const Rows<most_off>& off) const {
        // A part at a time, so that its sums stay in registers.
        for (int from = 0; from < units; from += part_units) {
            Part straight = load<Part>(&sums[from]);
            Part mirrored = load<Part>(&sums[units + from]);
            for (int k = 0; k < on.count; ++k) {
                straight += row(on.inputs[k].row, from);
                mirrored += row(on.inputs[k].mirror, from);
            }
            for (int k = 0; k < off.count; ++k) {
                straight -= row(off.inputs[k].row, from);
                mirrored -= row(off.inputs[k].mirror, from);
            }
            std::memcpy(&sums[from], &straight, sizeof straight);
            std::memcpy(&sums[units + from], &mirrored, sizeof mirrored);
        }
    }
    /// How likely the first player's score is greater than `t`: the logarithm of the odds.
    int log_odds(const Sums& sums, int t) const {
        std::array<signed char, 2 * units> in;
        for (int i = 0; i < 2 * units; ++i)
            in[i] = static_cast<signed char>(std::clamp<std::int16_t>(sums[i], 0, unit_limit));
        Wide products{};
        for (int v = 0; v < hidden / wide; ++v) {
            Wide one = load<Wide>(&hidden_bias_[v * wide]);
            Wide other = one;
            for (int i = 0; i < 2 * units / 4; ++i) {
                const Wide four = Wide{} + load<std::int32_t>(&in[4 * i]);
                one += sum_of_products(four, load<Wide>(&hidden_[v][0][i]));
                other += sum_of_products(four, load<Wide>(&hidden_[v][1][i]));
            }
            products += (limited(one) + limited(other)) * load<Wide>(&output_[t - lowest][v * wide]);
        }
        int result = output_bias_[t - lowest];
        for (int j = 0; j < wide; ++j) result += products[j];
        return result;
    }

  private:
    // The size of a register: GCC makes slow code of anything larger.
#if defined(__AVX512BW__)
    static constexpr int register_bytes = 64;
#elif defined(__AVX2__)
    static constexpr int register_bytes = 32;
#else
    static constexpr int register_bytes = 16;
#endif
    static constexpr int part_units = register_bytes / 2;
    using Part = std::int16_t __attribute__((vector_size(register_bytes)));
    using PartBytes = signed char __attribute__((vector_size(part_units)));
    static constexpr int wide = register_bytes / 4;
    using Wide = std::int32_t __attribute__((vector_size(register_bytes)));

    template <class Value>
    static Value load(const void* from) {
        Value result;
        std::memcpy(&result, from, sizeof result);
        return result;
    }
    Part row(int number, int from) const {
        const signed char* const at = rows_ + number * units + from;
#if defined(__AVX512BW__)  // GCC 12 takes four instructions instead of one
        return reinterpret_cast<Part>(_mm512_cvtepi8_epi16(load<__m256i>(at)));
#else
        return __builtin_convertvector(load<PartBytes>(at), Part);
#endif
    }
    /// Of each four bytes in `a`, none of them negative, and those in `b`: the sums of two products, the
    /// largest of which is 2 * 127 * 127, fit into 16 bits.
    static Wide sum_of_products(Wide a, Wide b) {
#if defined(__AVX512BW__)
        const __m512i pairs =
            _mm512_maddubs_epi16(reinterpret_cast<__m512i>(a), reinterpret_cast<__m512i>(b));
        return reinterpret_cast<Wide>(_mm512_madd_epi16(pairs, _mm512_set1_epi16(1)));
#elif defined(__AVX2__)
        const __m256i pairs =
            _mm256_maddubs_epi16(reinterpret_cast<__m256i>(a), reinterpret_cast<__m256i>(b));
        return reinterpret_cast<Wide>(_mm256_madd_epi16(pairs, _mm256_set1_epi16(1)));
#elif defined(__SSSE3__)
        const __m128i pairs =
            _mm_maddubs_epi16(reinterpret_cast<__m128i>(a), reinterpret_cast<__m128i>(b));
        return reinterpret_cast<Wide>(_mm_madd_epi16(pairs, _mm_set1_epi16(1)));
#else
        Wide sum{};
        for (int bits = 0; bits < 32; bits += 8) sum += ((a << bits) >> 24) * ((b << bits) >> 24);
        return sum;
#endif
    }
    static Wide limited(Wide sums) {
        sums = (sums & (sums > 0)) / row_scale;
        return sums < hidden_limit ? sums : Wide{} + hidden_limit;
    }
    /// A weight of either order. The weights of four inputs are side by side.
    signed char& hidden_weight(int order, int input, int output) {
        return hidden_[output / wide][order][input / 4][4 * (output % wide) + input % 4];
    }

    const signed char* rows_;
    alignas(64) Sums bias_;
    using FourWeights = std::array<signed char, 4 * wide>;
    alignas(64) std::array<std::array<std::array<FourWeights, 2 * units / 4>, 2>, hidden / wide> hidden_;
    alignas(64) std::array<std::int32_t, hidden> hidden_bias_;
    alignas(64) std::array<std::array<std::int32_t, hidden>, outputs> output_;
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
            on.add_line(line, first_[line], second_[line]);
        }
        for (int column = 0; column < StandardShape::width(); ++column)
            on += ValueInputs::column_input(column, ValueInputs::column_state(key_, column));
        net.change(sums_, on, ValueNet::Rows<0>{});
    }

    int log_odds(int t) const {
        ValueNet::Rows<1> on;
        on += ValueInputs::ply_input(ply_);
        ValueNet::Sums sums = sums_;
        net_.change(sums, on, ValueNet::Rows<0>{});
        return net_.log_odds(sums, t);
    }
    /// The same after one more disc, of the first player or the second.
    int log_odds_after(int bit, bool is_first, int t) const {
        ValueNet::Rows<most_through + 2> on;
        ValueNet::Rows<most_through + 1> off;
        const auto& through = lines_through[bit];
        for (int i = 0; i < through.count; ++i) {
            const auto [line, square] = through.lines[i];
            const int first = first_[line];
            const int second = second_[line];
            off.add_line(line, first, second);
            on.add_line(line, is_first ? first | square : first, is_first ? second : second | square);
        }
        const int column = bit / StandardShape().stride();
        const int state = ValueInputs::column_state(key_, column);
        // The 1 above the topmost disc becomes a disc or not, and the next one is above it.
        const int top = 1 << (bit % StandardShape().stride());
        off += ValueInputs::column_input(column, state);
        on += ValueInputs::column_input(column, (state | 2 * top) ^ (is_first ? 0 : top));
        on += ValueInputs::ply_input(ply_ + 1);
        ValueNet::Sums sums = sums_;
        net_.change(sums, on, off);
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
