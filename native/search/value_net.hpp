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

/// A net that is linked into the program: CMakeLists.txt makes one of each file values-*.net.
struct ValueNetFile {
    int width;
    int height;
    int size;  // in bytes
    const unsigned char* bytes;
};
extern const ValueNetFile value_net_files[];
extern const int value_net_file_count;

inline namespace FOURCAST_KERNEL {

/// The net for boards of this size; null if there is none.
inline const ValueNetFile* find_value_net(int width, int height) {
    for (int i = 0; i < value_net_file_count; ++i)
        if (value_net_files[i].width == width && value_net_files[i].height == height)
            return &value_net_files[i];
    return nullptr;
}

/// Which inputs are on in a position of a board of one word. Each has a number, and so has the same
/// input of the mirror image.
class ValueInputs {
  public:
    static constexpr int most_lines = 107;  // 8x7 has as many
    static constexpr int most_columns = 12;
    static constexpr int most_inputs = 8192;  // enough for 8 rows
    static constexpr int most_through = 16;   // lines through one square
    static constexpr int mixed = -1;

    struct Through {
        struct Part {
            std::uint8_t line;
            std::uint8_t square;  // the bit of the square in the line's pattern
        };
        std::array<Part, most_through> lines;
        int count;
    };

    ValueInputs(int width, int height) : width_(width), stride_(height + 1) {
        for (int column = 0; column < width; ++column) {
            bottom_ |= u64{1} << (column * stride_);
            for (int row = 0; row < height; ++row) {
                if (row + 3 < height) add_line(column, row, 0, 1);
                for (int up = -1; up <= 1; ++up) {
                    const int end = row + 3 * up;
                    if (column + 3 < width && end >= 0 && end < height) add_line(column, row, 1, up);
                }
            }
        }
        first_column_ = line_count_ * line_states;
        first_ply_ = first_column_ + width * column_states();
        count_ = first_ply_ + width * height + 1;
        for (int line = 0; line < line_count_; ++line) finish_line(line);
        for (int column = 0; column < width; ++column)
            for (int state = 0; state < column_states(); ++state)
                set_mirror(column_input(column, state), column_input(width - 1 - column, state));
        for (int ply = 0; ply <= width * height; ++ply) set_mirror(ply_input(ply), ply_input(ply));
    }

    int width() const { return width_; }
    int stride() const { return stride_; }
    int lines() const { return line_count_; }
    int count() const { return count_; }

    int line_input(int line, int state) const { return line * line_states + state; }
    int column_input(int column, int state) const {
        return first_column_ + column * column_states() + state;
    }
    int ply_input(int ply) const { return first_ply_ + ply; }
    /// The same input of the mirror image.
    int mirror(int input) const { return mirrors_[input]; }

    /// The squares of a line that are in a set, as four bits: a product puts those that lie apart side
    /// by side.
    int pattern(u64 discs, int line) const {
        const Line& at = lines_[line];
        return static_cast<int>((((discs >> at.from) & at.squares) * at.factor) >> at.shift) & 15;
    }
    /// The state of a line with these squares of either player: `mixed` if both have some.
    static constexpr int line_state(int first, int second) {
        return line_states_of[16 * first + second];
    }
    int column_state(u64 key, int column) const {
        return static_cast<int>(key >> (column * stride_)) & (column_states() - 1);
    }
    /// The first player's discs with a 1 above the topmost disc of each column.
    u64 key(u64 first, u64 mask) const { return first | ((mask + bottom_) & ~mask); }
    const Through& lines_through(int bit) const { return through_[bit]; }

    /// Calls `use` with each input that is on.
    template <class Use>
    void each(u64 first, u64 mask, int ply, Use&& use) const {
        for (int line = 0; line < line_count_; ++line) {
            const int state = line_state(pattern(first, line), pattern(first ^ mask, line));
            if (state != mixed) use(line_input(line, state));
        }
        for (int column = 0; column < width_; ++column)
            use(column_input(column, column_state(key(first, mask), column)));
        use(ply_input(ply));
    }

  private:
    static constexpr int line_states =
        29;  // empty; 14 sets of squares of either player: nobody has all four
    static constexpr std::array<std::int8_t, 16 * 16> line_states_of = [] {
        std::array<std::int8_t, 16 * 16> result{};
        for (int discs = 0; discs < 16; ++discs) {
            for (int others = 1; others < 16; ++others) result[16 * discs + others] = mixed;
            result[16 * discs] = static_cast<std::int8_t>(discs);
            result[discs] = static_cast<std::int8_t>(discs == 0 ? 0 : 14 + discs);
        }
        return result;
    }();

    struct Line {
        int from;  // the bit of its first square
        int step;  // from each to the next
        u64 squares;
        u64 factor;
        int shift;
    };

    int column_states() const { return 1 << stride_; }
    void set_mirror(int input, int other) { mirrors_[input] = static_cast<std::uint16_t>(other); }
    void add_line(int column, int row, int across, int up) {
        lines_[line_count_++] = {column * stride_ + row, across * stride_ + up, 15, 1, 0};
    }
    /// The mirror image of a line; one that goes up stays so.
    int image_of(int line) const {
        const auto flip = [&](int bit) {
            return (width_ - 1 - bit / stride_) * stride_ + bit % stride_;
        };
        const Line& at = lines_[line];
        const int from = flip(at.step == 1 ? at.from : at.from + 3 * at.step);
        const int to = flip(at.step == 1 ? at.from + 3 : at.from);
        int image = 0;
        while (lines_[image].from != from || from + 3 * lines_[image].step != to) ++image;
        return image;
    }
    void finish_line(int line) {
        Line& at = lines_[line];
        const int image = image_of(line);
        // A line and its image have the same order: the later one of the two is read from its other end.
        const bool reverse = at.step != 1 && image < line;
        if (at.step != 1) {
            at.squares = at.factor = 0;
            at.shift = 3 * at.step;
            for (int i = 0; i < 4; ++i) {
                at.squares |= u64{1} << (i * at.step);
                at.factor |= u64{1} << (at.shift + (reverse ? 3 - i : i) - i * at.step);
            }
        }
        for (int i = 0; i < 4; ++i) {
            const int bit = at.from + i * at.step;
            Through& through = through_[bit];
            through.lines[through.count++] = {static_cast<std::uint8_t>(line),
                                              static_cast<std::uint8_t>(pattern(u64{1} << bit, line))};
        }
        // A line across the middle is its own image, with its squares in reverse order.
        const bool symmetric = at.step != 1 && image == line;
        for (int discs = 0; discs < 15; ++discs) {
            const int turned = (discs & 1) << 3 | (discs & 2) << 1 | (discs & 4) >> 1 | discs >> 3;
            const int others = symmetric ? turned : discs;
            set_mirror(line_input(line, line_state(discs, 0)), line_input(image, line_state(others, 0)));
            set_mirror(line_input(line, line_state(0, discs)), line_input(image, line_state(0, others)));
        }
    }

    int width_;
    int stride_;
    u64 bottom_ = 0;
    int line_count_ = 0;
    int first_column_ = 0;
    int first_ply_ = 0;
    int count_ = 0;
    std::array<Line, most_lines> lines_{};
    std::array<Through, 64> through_{};
    std::array<std::uint16_t, most_inputs> mirrors_{};
};

/// The numbers of a net, and how they lie in its file: first the rows of all inputs, signed bytes; then
/// `bias` (16 bits each), `straight` and `crossed` (bytes), `hidden_bias` (32 bits), `output` (16 bits)
/// and `output_bias` (32 bits), all little-endian. The number of units follows from the file's size.
struct ValueNet {
    static constexpr int most_units = 128;  // of the first layer, and as many for the mirror image
    static constexpr int hidden = 16;       // of the second layer, in either order
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
    static constexpr int bytes_of_unit(int inputs) { return inputs + 2 + 2 * hidden; }
    static constexpr int other_bytes = hidden * 4 + outputs * hidden * 2 + outputs * 4;

    /// Both halves of the first layer: of the position and of its mirror image.
    using Sums = std::array<std::int16_t, 2 * most_units>;

    const ValueInputs inputs;
    const int units;

    [[gnu::noinline]] explicit ValueNet(const ValueNetFile& file)
        : inputs(file.width, file.height),
          units((file.size - other_bytes) / bytes_of_unit(inputs.count())),
          rows_(reinterpret_cast<const signed char*>(file.bytes)) {
        const unsigned char* at = file.bytes + inputs.count() * units;
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
        std::array<int, most> inputs;
        int count = 0;
        void operator+=(int input) { inputs[count++] = input; }
        /// A line, unless both players have discs on it. A branch would often be predicted wrongly.
        void add_line(const ValueInputs& all, int line, int first, int second) {
            const int state = ValueInputs::line_state(first, second);
            inputs[count] = all.line_input(line, state);
            count += state != ValueInputs::mixed;
        }
    };
    /// The sums `before`, changed. They may be those that are written to.
    template <int most_on, int most_off>
    void change(const Sums& before, const Rows<most_on>& on, const Rows<most_off>& off,
                Sums& sums) const {
        // A part at a time, so that its sums stay in registers.
        for (int from = 0; from < units; from += part_units) {
            Part straight = load<Part>(&before[from]);
            Part mirrored = load<Part>(&before[units + from]);
            for (int k = 0; k < on.count; ++k) {
                straight += row(on.inputs[k], from);
                mirrored += row(inputs.mirror(on.inputs[k]), from);
            }
            for (int k = 0; k < off.count; ++k) {
                straight -= row(off.inputs[k], from);
                mirrored -= row(inputs.mirror(off.inputs[k]), from);
            }
            std::memcpy(&sums[from], &straight, sizeof straight);
            std::memcpy(&sums[units + from], &mirrored, sizeof mirrored);
        }
    }
    /// How likely the first player's score is greater than `t`: the logarithm of the odds.
    int log_odds(const Sums& sums, int t) const {
        std::array<signed char, 2 * most_units> in;
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
    alignas(64)
        std::array<std::array<std::array<FourWeights, 2 * most_units / 4>, 2>, hidden / wide> hidden_;
    alignas(64) std::array<std::int32_t, hidden> hidden_bias_;
    alignas(64) std::array<std::array<std::int32_t, hidden>, outputs> output_;
    std::array<std::int32_t, outputs> output_bias_;
};

/// What a net says of a position and of those after its moves. Not inlined: every shape of the search
/// would have a copy.
class ValueSums {
  public:
    [[gnu::noinline]] ValueSums(const ValueNet& net, u64 first, u64 mask)
        : net_(net), key_(net.inputs.key(first, mask)), ply_(popcount(mask)) {
        const ValueInputs& inputs = net.inputs;
        ValueNet::Rows<ValueInputs::most_lines + ValueInputs::most_columns> on;
        for (int line = 0; line < inputs.lines(); ++line) {
            first_[line] = static_cast<std::int8_t>(inputs.pattern(first, line));
            second_[line] = static_cast<std::int8_t>(inputs.pattern(first ^ mask, line));
            on.add_line(inputs, line, first_[line], second_[line]);
        }
        for (int column = 0; column < inputs.width(); ++column)
            on += inputs.column_input(column, inputs.column_state(key_, column));
        net.change(net.bias(), on, ValueNet::Rows<0>{}, sums_);
    }

    [[gnu::noinline]] int log_odds(int t) const {
        ValueNet::Rows<1> on;
        on += net_.inputs.ply_input(ply_);
        ValueNet::Sums sums;
        net_.change(sums_, on, ValueNet::Rows<0>{}, sums);
        return net_.log_odds(sums, t);
    }
    /// The same after one more disc, of the first player or the second.
    [[gnu::noinline]] int log_odds_after(int bit, bool is_first, int t) const {
        const ValueInputs& inputs = net_.inputs;
        ValueNet::Rows<ValueInputs::most_through + 2> on;
        ValueNet::Rows<ValueInputs::most_through + 1> off;
        const auto& through = inputs.lines_through(bit);
        for (int i = 0; i < through.count; ++i) {
            const auto [line, square] = through.lines[i];
            const int first = first_[line];
            const int second = second_[line];
            off.add_line(inputs, line, first, second);
            on.add_line(inputs, line, is_first ? first | square : first,
                        is_first ? second : second | square);
        }
        const int column = bit / inputs.stride();
        const int state = inputs.column_state(key_, column);
        // The 1 above the topmost disc becomes a disc or not, and the next one is above it.
        const int top = 1 << (bit % inputs.stride());
        off += inputs.column_input(column, state);
        on += inputs.column_input(column, (state | 2 * top) ^ (is_first ? 0 : top));
        on += inputs.ply_input(ply_ + 1);
        ValueNet::Sums sums;
        net_.change(sums_, on, off, sums);
        return net_.log_odds(sums, t);
    }

  private:
    const ValueNet& net_;
    ValueNet::Sums sums_;  // without the number of discs
    std::array<std::int8_t, ValueInputs::most_lines> first_;
    std::array<std::int8_t, ValueInputs::most_lines> second_;
    u64 key_;
    int ply_;
};

}  // namespace FOURCAST_KERNEL
}  // namespace fourcast
