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
#include <unordered_map>
#include <unordered_set>

#include "errors.hpp"
#include "score.hpp"
#include "text.hpp"

namespace fourcast {
namespace {

constexpr char magic[] = "fourcast book 1\n";
constexpr std::size_t magic_bytes = 16;
constexpr std::size_t checksum_at = 16;
constexpr std::size_t slots_at = 24;
constexpr std::size_t seed_at = 32;
constexpr std::size_t size_at = 40;
constexpr std::size_t counts_at = 48;
constexpr std::size_t header_bytes = counts_at + 8 * (Book::max_plies + 1);
constexpr int score_offset = 64;  // a slot is not signed

static_assert(std::endian::native == std::endian::little, "books are read as they lie in the file");

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

u64 mix(u64 word) {
    word = (word ^ (word >> 32)) * 0xD6E8FEB86659FD93U;
    word = (word ^ (word >> 32)) * 0xD6E8FEB86659FD93U;
    return word ^ (word >> 32);
}

/// The three slots of a key, one in each third of the table.
std::array<u64, 3> slots_of(u128 key, u64 seed, u64 third) {
    const u64 first = mix(static_cast<u64>(key) + seed);
    const u64 second = mix(first ^ static_cast<u64>(key >> 64));
    const u64 other = mix(second + 0x9E3779B97F4A7C15U);
    const auto scale = [third](u64 hash) { return static_cast<u64>((u128{hash} * third) >> 64); };
    return {scale(second), third + scale(other), 2 * third + scale(std::rotl(second, 32) ^ other)};
}

[[noreturn]] void refuse(const std::filesystem::path& path, const std::string& reason) {
    throw BookError(text("'", path.string(), "' is not a book: ", reason));
}

struct KeyHash {
    std::size_t operator()(u128 key) const {
        return mix(static_cast<u64>(key) ^ mix(static_cast<u64>(key >> 64)));
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

/// The slots for these keys and values, or nothing if another seed has to be tried. A key that has a
/// slot to itself can be given its value last of all; take such keys away until none is left.
std::vector<unsigned char> fill_slots(const std::vector<std::pair<u128, unsigned char>>& entries,
                                      u64 seed, u64 third) {
    const std::size_t count = entries.size();
    std::vector<std::uint32_t> uses(3 * third, 0);
    std::vector<u64> together(3 * third, 0);  // the xor of the indices of the keys that use the slot
    for (std::size_t i = 0; i < count; ++i) {
        for (const u64 slot : slots_of(entries[i].first, seed, third)) {
            ++uses[slot];
            together[slot] ^= i;
        }
    }
    std::vector<std::pair<std::size_t, u64>> order;  // keys, and the slot that each has to itself
    order.reserve(count);
    std::vector<u64> alone;
    for (u64 slot = 0; slot < 3 * third; ++slot)
        if (uses[slot] == 1) alone.push_back(slot);
    while (!alone.empty()) {
        const u64 slot = alone.back();
        alone.pop_back();
        if (uses[slot] != 1) continue;
        const std::size_t i = together[slot];
        order.emplace_back(i, slot);
        for (const u64 other : slots_of(entries[i].first, seed, third)) {
            --uses[other];
            together[other] ^= i;
            if (uses[other] == 1) alone.push_back(other);
        }
    }
    if (order.size() != count) return {};
    std::vector<unsigned char> slots(3 * third, 0);
    for (auto entry = order.rbegin(); entry != order.rend(); ++entry) {
        const auto& [i, free_slot] = *entry;
        const auto [a, b, c] = slots_of(entries[i].first, seed, third);
        slots[free_slot] = static_cast<unsigned char>(entries[i].second ^ slots[a] ^ slots[b] ^
                                                      slots[c] ^ slots[free_slot]);
    }
    return slots;
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
    if (std::memcmp(data, magic, magic_bytes) != 0)
        refuse(path, "it does not begin like one of this version");
    if (checksum(data + slots_at, bytes - slots_at) != load(data + checksum_at))
        refuse(path, "the checksum is wrong, it has been cut off or altered");
    const u64 slots = load(data + slots_at);
    book->third_ = slots / 3;
    book->seed_ = load(data + seed_at);
    book->width_ = data[size_at];
    book->height_ = data[size_at + 1];
    book->plies_ = data[size_at + 2];
    for (std::size_t ply = 0; ply < book->counts_.size(); ++ply)
        book->counts_[ply] = load(data + counts_at + 8 * ply);
    if (slots != bytes - header_bytes || slots % 3 != 0 || slots == 0)
        refuse(path, "it has the wrong size");
    if (!is_supported(book->width_, book->height_) || book->plies_ > max_plies)
        refuse(path, "it is for a board that there is not");
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
    const auto [a, b, c] = slots_of(position.canonical_key(), seed_, third_);
    const unsigned char* slots = data_ + header_bytes;
    return static_cast<int>(slots[a] ^ slots[b] ^ slots[c]) - score_offset;
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

    std::vector<std::pair<u128, unsigned char>> entries;
    std::array<u64, Book::max_plies + 1> counts{};
    const auto add_layer = [&](int ply, const Scores& layer) {
        counts[static_cast<std::size_t>(ply)] = layer.size();
        for (const auto& [key, score] : layer)
            entries.emplace_back(key, static_cast<unsigned char>(score + score_offset));
    };
    Scores layer;
    for (std::size_t i = 0; i < positions.size(); ++i)
        layer[positions[i].canonical_key()] = static_cast<signed char>(scores[i]);
    add_layer(plies, layer);
    for (int ply = plies - 1; ply >= 0; --ply) {
        Scores above;
        for (const Position& position : book_positions(width, height, ply)) {
            int best = -score_offset;
            for (int column = 0; column < width; ++column) {
                if (!position.can_play(column)) continue;
                const Position child = position.play(column);
                const int score = child.winner() != 0 ? win_score(child.cells(), child.ply())
                                  : child.is_draw()   ? 0
                                                      : -layer.at(child.canonical_key());
                best = std::max(best, score);
            }
            above[position.canonical_key()] = static_cast<signed char>(best);
        }
        layer = std::move(above);
        add_layer(ply, layer);
    }
    // The order in which a map gives its entries must not show in the file.
    std::sort(entries.begin(), entries.end());

    const u64 third = (entries.size() * 123 / 100 + 32) / 3 + 1;
    std::vector<unsigned char> slots;
    u64 seed = 0;
    while ((slots = fill_slots(entries, ++seed, third)).empty()) {
    }
    std::vector<unsigned char> file(header_bytes, 0);
    std::memcpy(file.data(), magic, magic_bytes);
    store(file.data() + slots_at, slots.size());
    store(file.data() + seed_at, seed);
    file[size_at] = static_cast<unsigned char>(width);
    file[size_at + 1] = static_cast<unsigned char>(height);
    file[size_at + 2] = static_cast<unsigned char>(plies);
    for (std::size_t ply = 0; ply < counts.size(); ++ply)
        store(file.data() + counts_at + 8 * ply, counts[ply]);
    file.insert(file.end(), slots.begin(), slots.end());
    store(file.data() + checksum_at, checksum(file.data() + slots_at, file.size() - slots_at));

    std::ofstream out(path, std::ios::binary | std::ios::trunc);
    out.write(reinterpret_cast<const char*>(file.data()), static_cast<std::streamsize>(file.size()));
    out.close();
    if (!out) throw BookError(text("'", path.string(), "' can not be written"));
}

}  // namespace fourcast
