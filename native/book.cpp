#include "book.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "answers.hpp"
#include "errors.hpp"
#include "text.hpp"

namespace fourcast {
namespace {

constexpr char magic[] = "fourcast book 2\n";
constexpr std::size_t version_at = 14;
constexpr std::size_t magic_bytes = 16;
constexpr std::size_t checksum_at = 16;
constexpr std::size_t places_at = 24;
constexpr std::size_t seed_at = 32;
constexpr std::size_t size_at = 40;
constexpr std::size_t counts_at = 48;
constexpr std::size_t lengths_at = counts_at + 8 * (Book::max_plies + 1);
constexpr std::size_t header_bytes = lengths_at + PrefixCode::symbols;
constexpr int symbol_of_draw = PrefixCode::symbols / 2;

u64 load(const unsigned char* data) {
    u64 word;
    std::memcpy(&word, data, sizeof word);
    return word;
}
void store(unsigned char* data, u64 word) { std::memcpy(data, &word, sizeof word); }

/// Each step is one-to-one in the sum so far, so a single altered word always shows.
u64 checksum(const unsigned char* data, std::size_t bytes) {
    std::array<u64, 4> lanes{1, 2, 3, 4};
    std::size_t at = 0;
    const auto step = [](u64 sum, u64 word) {
        return std::rotl((sum ^ word) * 0x9E3779B97F4A7C15U, 29);
    };
    for (; at + 32 <= bytes; at += 32)
        for (std::size_t lane = 0; lane < 4; ++lane)
            lanes[lane] = step(lanes[lane], load(data + at + 8 * lane));
    for (; at < bytes; ++at) lanes[0] = step(lanes[0], data[at]);
    u64 sum = bytes;
    for (const u64 lane : lanes) sum = step(sum, lane);
    return sum;
}

[[noreturn]] void refuse(const std::filesystem::path& path, const std::string& reason) {
    throw BookError(text("'", path.string(), "' is not a book: ", reason));
}

struct KeyHash {
    std::size_t operator()(u128 key) const {
        const u64 folded = static_cast<u64>(key) ^ (static_cast<u64>(key >> 64) * 0xD6E8FEB86659FD93U);
        return (folded ^ (folded >> 32)) * 0x9E3779B97F4A7C15U;
    }
};
using Scores = std::unordered_map<u128, signed char, KeyHash>;

void visit(const Position& position, int ply, std::vector<std::unordered_set<u128, KeyHash>>& seen,
           std::vector<Position>& found) {
    if (position.is_over() ||
        !seen[static_cast<std::size_t>(position.ply())].insert(position.canonical_key()).second)
        return;
    if (position.ply() == ply) {
        found.push_back(position);
        return;
    }
    for (int column = 0; column < position.width(); ++column)
        if (position.can_play(column)) visit(position.play(column), ply, seen, found);
}

/// The score of the side to move if it can win at once; such positions need not be in the file.
std::optional<int> score_at_once(const Position& position) {
    if (position.winning_columns(position.turn()) == 0) return std::nullopt;
    return win_at_once(position.cells(), position.ply());
}

/// The symbol of a score: the same for the same outcome, whoever is to move.
int symbol_of(int ply, int score) { return symbol_of_draw + (ply % 2 == 0 ? score : -score); }
int score_of(int ply, int symbol) {
    return ply % 2 == 0 ? symbol - symbol_of_draw : symbol_of_draw - symbol;
}

}  // namespace

std::shared_ptr<const Book> Book::open(const std::filesystem::path& path) {
    // Not to wait: it may be a pipe that nobody writes to.
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0) refuse(path, text("it can not be opened (", std::strerror(errno), ")"));
    struct stat status{};
    const bool known = fstat(file, &status) == 0 && S_ISREG(status.st_mode);
    const auto bytes = known ? static_cast<std::size_t>(status.st_size) : 0;
    void* memory =
        bytes >= header_bytes ? mmap(nullptr, bytes, PROT_READ, MAP_SHARED, file, 0) : MAP_FAILED;
    close(file);
    if (!known) refuse(path, "it is not a file");
    if (bytes < header_bytes) refuse(path, text("it has ", bytes, " bytes, which is too short"));
    if (memory == MAP_FAILED) refuse(path, text("it can not be mapped (", std::strerror(errno), ")"));

    const std::shared_ptr<Book> book(new Book);
    book->data_ = static_cast<const unsigned char*>(memory);
    book->bytes_ = bytes;
    const unsigned char* data = book->data_;
    if (std::memcmp(data, magic, magic_bytes) != 0) {
        const bool other = std::memcmp(data, magic, version_at) == 0;
        refuse(path, other ? "it is one of another version of fourcast; build it anew"
                           : "it does not begin like one");
    }
    if (checksum(data + places_at, bytes - places_at) != load(data + checksum_at))
        refuse(path, "the checksum is wrong, it has been cut off or altered");
    book->width_ = data[size_at];
    book->height_ = data[size_at + 1];
    book->plies_ = data[size_at + 2];
    for (std::size_t ply = 0; ply < book->counts_.size(); ++ply)
        book->counts_[ply] = load(data + counts_at + 8 * ply);
    if (!is_supported(book->width_, book->height_) || book->plies_ > max_plies)
        refuse(path, "it is for a board that there is not");
    const u64 places = load(data + places_at);
    if (places > 8 * bytes || places % 3 != 0 || places == 0 ||
        StaticFunction::size_in_bytes(places) != bytes - header_bytes)
        refuse(path, "it has the wrong size");
    PrefixCode::Lengths lengths;
    std::memcpy(lengths.data(), data + lengths_at, lengths.size());
    if (!PrefixCode::is_complete(lengths)) refuse(path, "there is no such code");
    book->code_.emplace(lengths);
    book->words_.emplace(data + header_bytes, places, load(data + seed_at));
    return book;
}

Book::~Book() {
    if (data_ != nullptr) munmap(const_cast<unsigned char*>(data_), bytes_);
}

u64 Book::positions() const {
    u64 sum = 0;
    for (const u64 count : counts_) sum += count;
    return sum;
}

int Book::score(const Position& position) const {
    if (const auto score = score_at_once(position)) return *score;
    return score_of(position.ply(), code_->symbol((*words_)(position.canonical_key())));
}

std::vector<Position> book_positions(int width, int height, int ply) {
    std::vector<std::unordered_set<u128, KeyHash>> seen(static_cast<std::size_t>(ply) + 1);
    std::vector<Position> found;
    visit(Position(width, height), ply, seen, found);
    return found;
}

void write_book(const std::filesystem::path& path, const std::vector<Position>& positions,
                const std::vector<int>& scores) {
    if (positions.empty() || positions.size() != scores.size())
        throw BookError("a book needs a score for each position, and at least one");
    const int width = positions.front().width();
    const int height = positions.front().height();
    const int plies = positions.front().ply();
    if (plies > Book::max_plies)
        throw BookError(text("a book can not have more than ", Book::max_plies, " plies"));

    std::vector<StaticFunction::Entry> entries;
    std::array<u64, Book::max_plies + 1> counts{};
    Scores layer;
    const auto add = [&](Scores& scores_of_layer, const Position& position, int score) {
        const u128 key = position.canonical_key();
        ++counts[static_cast<std::size_t>(position.ply())];
        scores_of_layer[key] = static_cast<signed char>(score);
        const int symbol = symbol_of(position.ply(), score);
        if (symbol < 0 || symbol >= PrefixCode::symbols)
            throw BookError(text("no position has a score of ", score));
        if (!score_at_once(position)) entries.emplace_back(key, static_cast<unsigned char>(symbol));
    };
    for (std::size_t i = 0; i < positions.size(); ++i) add(layer, positions[i], scores[i]);
    for (int ply = plies - 1; ply >= 0; --ply) {
        Scores above;
        for (const Position& position : book_positions(width, height, ply)) {
            int best = -symbol_of_draw;
            for (int column = 0; column < width; ++column) {
                if (!position.can_play(column)) continue;
                const Position child = position.play(column);
                const int score =
                    child.is_over() ? -final_score(child) : -layer.at(child.canonical_key());
                best = std::max(best, score);
            }
            add(above, position, best);
        }
        layer = std::move(above);
    }
    layer = {};

    PrefixCode::Counts uses{};
    for (const auto& [key, symbol] : entries) ++uses[symbol];
    const auto lengths = PrefixCode::lengths_for(uses);
    const PrefixCode code(lengths);
    u64 bits_in_all = 0;
    for (const auto& [key, symbol] : entries) bits_in_all += static_cast<u64>(code.length(symbol));
    const u64 places = StaticFunction::places_for(bits_in_all);
    std::vector<unsigned char> words;
    u64 seed = 0;
    while ((words = StaticFunction::fill(entries, code, places, ++seed)).empty()) {
    }
    std::vector<unsigned char> file(header_bytes, 0);
    std::memcpy(file.data(), magic, magic_bytes);
    store(file.data() + places_at, places);
    store(file.data() + seed_at, seed);
    file[size_at] = static_cast<unsigned char>(width);
    file[size_at + 1] = static_cast<unsigned char>(height);
    file[size_at + 2] = static_cast<unsigned char>(plies);
    for (std::size_t ply = 0; ply < counts.size(); ++ply)
        store(file.data() + counts_at + 8 * ply, counts[ply]);
    std::memcpy(file.data() + lengths_at, lengths.data(), lengths.size());
    file.insert(file.end(), words.begin(), words.end());
    store(file.data() + checksum_at, checksum(file.data() + places_at, file.size() - places_at));

    std::ofstream out(path, std::ios::binary | std::ios::trunc);
    out.write(reinterpret_cast<const char*>(file.data()), static_cast<std::streamsize>(file.size()));
    out.close();
    if (!out) throw BookError(text("'", path.string(), "' can not be written"));
}

}  // namespace fourcast
