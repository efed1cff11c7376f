// Trains the net of search/value_net.hpp from what record_values has written.
//
//     train_values NET SIZE UNITS MILLIONS SEED HELD_OUT CHECK RECORD...
//
// NET is for boards of SIZE ("7x6") and has 32, 64 or 128 UNITS.
// HELD_OUT is a text file with moves at the beginning of each line: all positions that contain the discs
// of one of these, or of its mirror image, are left out, so that the net can be judged by their
// searches. CHECK is a record whose loss is printed and not learned from. MILLIONS of records are
// learned from, in several passes over all of them; NET is written whenever a loss is printed.
//
// The loss is the cross entropy of "is the first player's score greater than t?" for what a record
// knows. The weights of the first layer are rounded in every step as they are stored, and so the rest
// of the net learns to live with it.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "openings.hpp"
#include "search/value_net.hpp"

namespace fourcast {
namespace {

constexpr int hidden = ValueNet::hidden;
constexpr int outputs = ValueNet::outputs;
constexpr int batch_size = 2048;

struct Record {
    u64 key;
    std::int8_t lower;
    std::int8_t upper;
    std::int8_t asked;
    std::uint8_t cost;
};

struct Discs {
    u64 first;
    u64 mask;
    bool contains(const Discs& other) const {
        return (first & other.first) == other.first &&
               ((first ^ mask) & (other.first ^ other.mask)) == (other.first ^ other.mask);
    }
};

template <class Shape>
Discs discs_of(const Shape& shape, u64 key) {
    const int stride = shape.stride();
    Discs discs{0, 0};
    for (int column = 0; column < shape.width(); ++column) {
        const u64 state = (key >> (stride * column)) & ((u64{1} << stride) - 1);
        const u64 top = std::bit_floor(state);
        discs.first |= (state ^ top) << (stride * column);
        discs.mask |= (top - 1) << (stride * column);
    }
    return discs;
}

template <class Shape>
std::vector<Discs> read_held_out(const Shape& shape, const char* path) {
    std::vector<Discs> result;
    std::ifstream file(path);
    if (!file) {
        std::perror(path);
        std::exit(1);
    }
    for (std::string line; std::getline(file, line);) {
        Discs discs{0, 0};
        int ply = 0;
        for (const char digit : line.substr(0, line.find(' '))) {
            const u64 square = (discs.mask + shape.bottom()) & shape.column(digit - '1');
            discs.mask |= square;
            if (ply++ % 2 == 0) discs.first |= square;
        }
        // Most positions contain some with fewer discs.
        if (ply < 6) continue;
        result.push_back(discs);
        result.push_back({shape.mirror(discs.first), shape.mirror(discs.mask)});
    }
    return result;
}

template <class Shape>
std::vector<Record> read_records(const Shape& shape, const char* path,
                                 const std::vector<Discs>& held_out) {
    std::vector<Record> result;
    std::FILE* file = std::fopen(path, "rb");
    if (file == nullptr) {
        std::perror(path);
        std::exit(1);
    }
    std::array<unsigned char, 12> bytes;
    std::size_t read = 0;
    while (std::fread(bytes.data(), bytes.size(), 1, file) == 1) {
        ++read;
        Record record{};
        for (int i = 7; i >= 0; --i) record.key = record.key << 8 | bytes[i];
        record.lower = static_cast<std::int8_t>(bytes[8]);
        record.upper = static_cast<std::int8_t>(bytes[9]);
        record.asked = static_cast<std::int8_t>(bytes[10]);
        record.cost = bytes[11];
        const Discs discs = discs_of(shape, record.key);
        if (std::none_of(held_out.begin(), held_out.end(),
                         [&](const Discs& other) { return discs.contains(other); }))
            result.push_back(record);
    }
    std::fclose(file);
    std::printf("%s: %zu of %zu records\n", path, result.size(), read);
    return result;
}

/// All parameters, or all slopes, one after the other.
template <int units>
struct alignas(64) Parameters {
    std::array<std::array<float, hidden>, units> straight{};  // from the position
    std::array<std::array<float, hidden>, units> crossed{};   // from its mirror image
    std::array<std::array<float, hidden>, outputs> output{};
    std::array<float, units> bias{};
    std::array<float, hidden> hidden_bias{};
    std::array<float, 16> output_bias{};  // as many as `outputs`, and some that stay 0
    std::array<std::array<float, units>, ValueInputs::most_inputs> rows{};  // the last ones are unused

    float* begin() { return straight.front().data(); }
    static std::size_t size(std::size_t inputs) {
        return offsetof(Parameters, rows) / sizeof(float) + inputs * units;
    }
};

constexpr float row_limit = 127.0F / ValueNet::row_scale;
constexpr float unit_limit = static_cast<float>(ValueNet::unit_limit) / ValueNet::row_scale;
constexpr float hidden_limit = static_cast<float>(ValueNet::hidden_limit) / ValueNet::hidden_scale;

/// What is known of a set of records.
struct Judged {
    double loss = 0;
    int asked = 0;
    int right = 0;
};

template <class Shape, int units>
class Trainer {
  public:
    Trainer(const Shape& shape, unsigned long seed)
        : shape_(shape), inputs_(shape.width(), shape.height()), random_(seed) {
        std::normal_distribution<float> normal;
        for (int i = 0; i < inputs_.count(); ++i)
            for (float& weight : values_.rows[i]) weight = 0.05F * normal(random_);
        values_.bias.fill(0.3F);
        for (auto* part : {&values_.straight, &values_.crossed})
            for (auto& row : *part)
                for (float& weight : row) weight = normal(random_) / std::sqrt(2.0F * units);
        values_.hidden_bias.fill(0.1F);
        for (auto& row : values_.output)
            for (float& weight : row) weight = normal(random_) / std::sqrt(2.0F * hidden);
        round_rows();
    }

    Random& random() { return random_; }

    /// The loss of a record, and whether its question is answered right; with `learn` the slopes are
    /// summed up.
    Judged judge(const Record& record, bool learn);
    void step(float rate, int count);
    void write(const char* path) const;

  private:
    void round_rows() {
        const float* from = values_.rows.front().data();
        float* to = rounded_.front().data();
        for (int i = 0; i < inputs_.count() * units; ++i)
            to[i] = std::nearbyint(from[i] * ValueNet::row_scale) / ValueNet::row_scale;
    }

    Shape shape_;
    ValueInputs inputs_;
    Random random_;
    Parameters<units> values_;
    Parameters<units> slopes_;
    Parameters<units> means_;
    Parameters<units> squares_;
    std::array<std::array<float, units>, ValueInputs::most_inputs> rounded_;
    double mean_power_ = 1;
    double square_power_ = 1;
};

template <class Shape, int units>
Judged Trainer<Shape, units>::judge(const Record& record, bool learn) {
    const Discs at = discs_of(shape_, record.key);
    const int ply = popcount(at.mask);
    std::array<int, ValueInputs::most_lines + ValueInputs::most_columns + 1> on;
    int on_count = 0;
    inputs_.each(at.first, at.mask, ply, [&](int input) { on[on_count++] = input; });
    std::array<float, units> a = values_.bias;
    std::array<float, units> b = values_.bias;
    for (int k = 0; k < on_count; ++k) {
        const auto& row = rounded_[on[k]];
        const auto& mirror = rounded_[inputs_.mirror(on[k])];
        for (int i = 0; i < units; ++i) a[i] += row[i];
        for (int i = 0; i < units; ++i) b[i] += mirror[i];
    }
    std::array<float, units> a_out;
    std::array<float, units> b_out;
    for (int i = 0; i < units; ++i) a_out[i] = std::clamp(a[i], 0.0F, unit_limit);
    for (int i = 0; i < units; ++i) b_out[i] = std::clamp(b[i], 0.0F, unit_limit);
    std::array<float, hidden> h = values_.hidden_bias;
    std::array<float, hidden> g = values_.hidden_bias;
    for (int i = 0; i < units; ++i) {
        const auto& straight = values_.straight[i];
        const auto& crossed = values_.crossed[i];
        for (int j = 0; j < hidden; ++j) h[j] += a_out[i] * straight[j] + b_out[i] * crossed[j];
        for (int j = 0; j < hidden; ++j) g[j] += b_out[i] * straight[j] + a_out[i] * crossed[j];
    }
    std::array<float, hidden> h_out;
    std::array<float, hidden> g_out;
    for (int j = 0; j < hidden; ++j) h_out[j] = std::clamp(h[j], 0.0F, hidden_limit);
    for (int j = 0; j < hidden; ++j) g_out[j] = std::clamp(g[j], 0.0F, hidden_limit);

    const bool is_asked = record.asked != 127;
    const int asked = ply % 2 == 0 ? record.asked : -record.asked - 1;
    Judged result;
    std::array<float, hidden> of_h{};
    std::array<float, hidden> of_g{};
    for (int k = 0; k < outputs; ++k) {
        const int t = k + ValueNet::lowest;
        const bool yes = record.lower > t;
        if (!yes && record.upper > t) continue;
        if (is_asked && std::abs(t - asked) > 1) continue;
        const float weight = is_asked ? (t == asked ? 1.0F : 0.3F) : 0.3F;
        float logit = values_.output_bias[k];
        for (int j = 0; j < hidden; ++j) logit += values_.output[k][j] * (h_out[j] + g_out[j]);
        const float signed_logit = yes ? logit : -logit;
        if (!is_asked || t == asked) {
            result.loss += std::log1p(std::exp(-std::clamp(signed_logit, -30.0F, 30.0F)));
            ++result.asked;
            result.right += signed_logit > 0;
        }
        if (!learn) continue;
        const float slope = weight * (1 / (1 + std::exp(-logit)) - (yes ? 1.0F : 0.0F));
        slopes_.output_bias[k] += slope;
        for (int j = 0; j < hidden; ++j) {
            slopes_.output[k][j] += slope * (h_out[j] + g_out[j]);
            of_h[j] += slope * values_.output[k][j];
        }
    }
    if (!learn) return result;
    of_g = of_h;
    for (int j = 0; j < hidden; ++j) {
        of_h[j] = h[j] > 0 && h[j] < hidden_limit ? of_h[j] : 0.0F;
        of_g[j] = g[j] > 0 && g[j] < hidden_limit ? of_g[j] : 0.0F;
        slopes_.hidden_bias[j] += of_h[j] + of_g[j];
    }
    std::array<float, units> of_a;
    std::array<float, units> of_b;
    for (int i = 0; i < units; ++i) {
        const auto& straight = values_.straight[i];
        const auto& crossed = values_.crossed[i];
        float sum_a = 0;
        float sum_b = 0;
        for (int j = 0; j < hidden; ++j) {
            sum_a += of_h[j] * straight[j] + of_g[j] * crossed[j];
            sum_b += of_g[j] * straight[j] + of_h[j] * crossed[j];
            slopes_.straight[i][j] += of_h[j] * a_out[i] + of_g[j] * b_out[i];
            slopes_.crossed[i][j] += of_h[j] * b_out[i] + of_g[j] * a_out[i];
        }
        of_a[i] = a[i] > 0 && a[i] < unit_limit ? sum_a : 0.0F;
        of_b[i] = b[i] > 0 && b[i] < unit_limit ? sum_b : 0.0F;
        slopes_.bias[i] += of_a[i] + of_b[i];
    }
    for (int k = 0; k < on_count; ++k) {
        auto& row = slopes_.rows[on[k]];
        auto& mirror = slopes_.rows[inputs_.mirror(on[k])];
        for (int i = 0; i < units; ++i) row[i] += of_a[i];
        for (int i = 0; i < units; ++i) mirror[i] += of_b[i];
    }
    return result;
}

/// A step of Adam (Kingma and Ba, 2015).
template <class Shape, int units>
void Trainer<Shape, units>::step(float rate, int count) {
    constexpr float keep_mean = 0.9F;
    constexpr float keep_square = 0.999F;
    mean_power_ *= keep_mean;
    square_power_ *= keep_square;
    const float mean_factor = 1 / static_cast<float>(1 - mean_power_);
    const float square_factor = 1 / static_cast<float>(1 - square_power_);
    const float per_record = 1.0F / static_cast<float>(count);
    float* const values = values_.begin();
    float* const slopes = slopes_.begin();
    float* const means = means_.begin();
    float* const squares = squares_.begin();
    const std::size_t size = Parameters<units>::size(inputs_.count());
    for (std::size_t i = 0; i < size; ++i) {
        const float slope = slopes[i] * per_record;
        slopes[i] = 0;
        means[i] = keep_mean * means[i] + (1 - keep_mean) * slope;
        squares[i] = keep_square * squares[i] + (1 - keep_square) * slope * slope;
        values[i] -= rate * (means[i] * mean_factor) / (std::sqrt(squares[i] * square_factor) + 1e-8F);
    }
    for (int i = 0; i < inputs_.count(); ++i)
        for (float& weight : values_.rows[i]) weight = std::clamp(weight, -row_limit, row_limit);
    for (float* part : {values_.straight.front().data(), values_.crossed.front().data()})
        for (int i = 0; i < units * hidden; ++i) part[i] = std::clamp(part[i], -1.98F, 1.98F);
    round_rows();
}

/// The file has the integers of ValueNet, little-endian.
template <class Shape, int units>
void Trainer<Shape, units>::write(const char* path) const {
    std::vector<unsigned char> bytes;
    const auto put = [&](float value, int scale, int size) {
        const auto whole = static_cast<int>(std::lround(value * static_cast<float>(scale)));
        // So that no sum of the search can be too large for 32 bits.
        if (size == 2 && std::abs(whole) > 2000) {
            std::fprintf(stderr, "a weight of %.2f is too large\n", static_cast<double>(value));
            std::exit(1);
        }
        for (int i = 0; i < size; ++i) bytes.push_back(static_cast<unsigned char>(whole >> (8 * i)));
    };
    for (int i = 0; i < inputs_.count(); ++i)
        for (const float weight : values_.rows[i]) put(weight, ValueNet::row_scale, 1);
    for (const float value : values_.bias) put(value, ValueNet::row_scale, 2);
    for (const auto* part : {&values_.straight, &values_.crossed})
        for (int j = 0; j < hidden; ++j)
            for (int i = 0; i < units; ++i) put((*part)[i][j], ValueNet::hidden_scale, 1);
    for (const float value : values_.hidden_bias)
        put(value, ValueNet::row_scale * ValueNet::hidden_scale, 4);
    for (const auto& row : values_.output)
        for (const float weight : row) put(weight, ValueNet::output_scale, 2);
    for (int k = 0; k < outputs; ++k)
        put(values_.output_bias[k], ValueNet::hidden_scale * ValueNet::output_scale, 4);
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

struct Arguments {
    const char* net;
    std::size_t millions;
    unsigned long seed;
    const char* held_out;
    const char* check;
    std::vector<const char*> records;
};

template <int units, class Shape>
int run(const Shape& shape, const Arguments& given) {
    const auto held_out = read_held_out(shape, given.held_out);
    const auto check = read_records(shape, given.check, held_out);
    std::vector<Record> records;
    for (const char* path : given.records) {
        const auto more = read_records(shape, path, held_out);
        records.insert(records.end(), more.begin(), more.end());
    }
    if (records.size() < batch_size) {
        std::fprintf(stderr, "there are too few records\n");
        return 1;
    }
    const auto trainer = std::make_unique<Trainer<Shape, units>>(shape, given.seed);
    const auto show = [&] {
        struct Part {
            const char* name;
            Judged sum;
        };
        std::array<Part, 3> parts{{{"book", {}}, {"searches", {}}, {"29 empty squares or more", {}}}};
        for (const Record& record : check) {
            const int empties = shape.cells() - popcount(discs_of(shape, record.key).mask);
            const auto judged = trainer->judge(record, false);
            auto& sum = parts[record.asked == 127 ? 0 : empties >= 29 ? 2 : 1].sum;
            sum.loss += judged.loss;
            sum.asked += judged.asked;
            sum.right += judged.right;
        }
        for (const auto& [name, sum] : parts)
            if (sum.asked > 0)
                std::printf("  %s: %.4f, %.2f%% right", name, sum.loss / sum.asked,
                            100.0 * sum.right / sum.asked);
        std::printf("\n");
        std::fflush(stdout);
    };
    const std::size_t all = given.millions * 1'000'000;
    const std::size_t between = all / 20;
    std::size_t seen = 0;
    while (seen < all) {
        std::shuffle(records.begin(), records.end(), trainer->random());
        for (std::size_t at = 0; at + batch_size <= records.size() && seen < all; at += batch_size) {
            for (int i = 0; i < batch_size; ++i) trainer->judge(records[at + i], true);
            seen += batch_size;
            const double done = static_cast<double>(seen) / static_cast<double>(all);
            const double warm = std::min(1.0, static_cast<double>(seen) / 400'000);
            const double rate = warm * 0.0005 * (1.02 + std::cos(M_PI * done));
            trainer->step(static_cast<float>(rate), batch_size);
            if (seen / between == (seen - batch_size) / between && seen < all) continue;
            std::printf("%5.1f million records:", static_cast<double>(seen) / 1e6);
            show();
            trainer->write(given.net);
        }
    }
    return 0;
}

}  // namespace
}  // namespace fourcast

int main(int argc, char** argv) {
    int width = 0;
    int height = 0;
    if (argc < 9 || std::sscanf(argv[2], "%dx%d", &width, &height) != 2 ||
        !fourcast::is_supported(width, height) || width * (height + 1) > 64 || height > 8) {
        std::fprintf(stderr,
                     "usage: train_values NET SIZE UNITS MILLIONS SEED HELD_OUT CHECK RECORD...\n");
        return 2;
    }
    const fourcast::AnyShape<fourcast::u64> shape(width, height);
    const fourcast::Arguments given{argv[1],
                                    std::strtoul(argv[4], nullptr, 10),
                                    std::strtoul(argv[5], nullptr, 10),
                                    argv[6],
                                    argv[7],
                                    {argv + 8, argv + argc}};
    switch (std::atoi(argv[3])) {
        case 32:
            return fourcast::run<32>(shape, given);
        case 64:
            return fourcast::run<64>(shape, given);
        case 128:
            return fourcast::run<128>(shape, given);
        default:
            std::fprintf(stderr, "a net has 32, 64 or 128 units\n");
            return 2;
    }
}
