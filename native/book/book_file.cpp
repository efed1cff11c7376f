#include "book_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#if defined(_WIN32)
#include <io.h>
#include <process.h>
#else
#include <unistd.h>
#endif

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>
#include <system_error>
#include <unordered_map>
#include <unordered_set>

#include "book_format.hpp"
#include "system/errors.hpp"
#include "system/text.hpp"

namespace fourcast {

using namespace book_format;

namespace {

std::string quoted(const std::filesystem::path& path) {
    const std::u8string name = path.u8string();
    return text("'", std::string(name.begin(), name.end()), "'");
}

// What a file of the system is, by number.
#if defined(_WIN32)

constexpr int to_read = _O_RDONLY | _O_BINARY | _O_NOINHERIT;
constexpr int to_write = _O_WRONLY | _O_CREAT | _O_TRUNC | _O_BINARY | _O_NOINHERIT;

using Status = struct _stat64;
int open_file(const std::filesystem::path& path, int flags) {
    return _wopen(path.c_str(), flags, _S_IREAD | _S_IWRITE);
}
int get_status(int file, Status& status) { return _fstat64(file, &status); }
unsigned piece(std::size_t bytes) {
    return static_cast<unsigned>(std::min(bytes, std::size_t{1} << 30));
}
int read_file(int file, void* data, std::size_t bytes) { return _read(file, data, piece(bytes)); }
int write_file(int file, const void* data, std::size_t bytes) {
    return _write(file, data, piece(bytes));
}
int sync_file(int file) { return _commit(file); }
int close_file(int file) { return _close(file); }
int process_number() { return _getpid(); }

#else

// Reading does not wait: it may be a pipe that nobody writes to.
constexpr int to_read = O_RDONLY | O_CLOEXEC | O_NONBLOCK;
constexpr int to_write = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW;

using Status = struct stat;
int open_file(const std::filesystem::path& path, int flags) { return ::open(path.c_str(), flags, 0666); }
int get_status(int file, Status& status) { return ::fstat(file, &status); }
ssize_t read_file(int file, void* data, std::size_t bytes) { return ::read(file, data, bytes); }
ssize_t write_file(int file, const void* data, std::size_t bytes) { return ::write(file, data, bytes); }
int sync_file(int file) { return ::fsync(file); }
int close_file(int file) { return ::close(file); }
int process_number() { return ::getpid(); }

#endif

/// An open file that is closed again.
class File {
  public:
    File(const std::filesystem::path& path, int flags) : number_(open_file(path, flags)) {}
    ~File() { close(); }
    File(const File&) = delete;
    File& operator=(const File&) = delete;

    bool is_open() const { return number_ >= 0; }
    /// The size of a regular file.
    std::optional<u64> size() const {
        Status status{};
        if (get_status(number_, status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
        return static_cast<u64>(status.st_size);
    }
    bool read(unsigned char* data, std::size_t bytes) {
        return transfer(bytes,
                        [&](std::size_t at) { return read_file(number_, data + at, bytes - at); });
    }
    bool write(const unsigned char* data, std::size_t bytes) {
        return transfer(bytes,
                        [&](std::size_t at) { return write_file(number_, data + at, bytes - at); });
    }
    /// True if all that was written is on the disk.
    bool finish() {
        const bool synced = sync_file(number_) == 0;
        return close() && synced;
    }

  private:
    template <class Step>
    static bool transfer(std::size_t bytes, const Step& step) {
        for (std::size_t at = 0; at < bytes;) {
            const auto moved = step(at);
            if (moved < 0 && errno == EINTR) continue;
            if (moved <= 0) return false;
            at += static_cast<std::size_t>(moved);
        }
        return true;
    }
    bool close() {
        const int number = std::exchange(number_, -1);
        return number < 0 || close_file(number) == 0;
    }

    int number_;
};

/// Replaces a file by another content, all of it or nothing.
void replace_file(const std::filesystem::path& path, const std::vector<unsigned char>& content) {
    std::filesystem::path beside = path;
    beside += text(".", process_number(), ".new");
    File file(beside, to_write);
    std::error_code error;
    if (file.is_open() && file.write(content.data(), content.size()) && file.finish())
        std::filesystem::rename(beside, path, error);
    else
        error = {errno, std::generic_category()};
    if (!error) return;
    std::error_code ignored;
    std::filesystem::remove(beside, ignored);
    throw BookError("error.book_unwritable", {{"file", quoted(path)}, {"why", error.message()}});
}

struct KeyHash {
    std::size_t operator()(u128 key) const {
        const u64 folded = static_cast<u64>(key) ^ (static_cast<u64>(key >> 64) * 0xD6E8FEB86659FD93U);
        return (folded ^ (folded >> 32)) * 0x9E3779B97F4A7C15U;
    }
};
using Scores = std::unordered_map<u128, signed char, KeyHash>;

/// Walks through the positions of a book to those of one layer.
class Walk {
  public:
    Walk(int ply, const Check& check)
        : ply_(ply), poll_(check), seen_(static_cast<std::size_t>(ply) + 1) {}

    void visit(const Position& position) {
        if (position.is_over() ||
            !seen_[static_cast<std::size_t>(position.ply())].insert(position.canonical_key()).second)
            return;
        if (position.ply() == ply_) {
            if (found.size() == most_book_positions)
                throw BookError("error.too_many_book_positions",
                                {{"most", most_book_positions}, {"discs", ply_}});
            if (found.size() % 1024 == 0) poll_();
            found.push_back(position);
            return;
        }
        for (int column = 0; column < position.width(); ++column)
            if (position.can_play(column)) visit(position.play(column));
    }

    std::vector<Position> found;

  private:
    int ply_;
    Poll poll_;
    std::vector<std::unordered_set<u128, KeyHash>> seen_;
};

std::pair<PackedWords::Memory, std::size_t> read_whole(const PackedWords::Kind& kind,
                                                       const std::filesystem::path& path) {
    const std::string name = quoted(path);
    const auto refuse = [&](const char* code, Value::Object facts = {}) {
        PackedWords::refuse(kind, name, Error(code, std::move(facts)));
    };
    File file(path, to_read);
    if (!file.is_open()) refuse("error.book_unopened", {{"why", std::strerror(errno)}});
    const auto size = file.size();
    if (!size) refuse("error.book_no_file");
    auto data = PackedWords::allocate(kind, *size, name);
    const auto bytes = static_cast<std::size_t>(*size);
    if (!file.read(data.get(), bytes)) refuse("error.book_unread");
    return {std::move(data), bytes};
}

}  // namespace

std::shared_ptr<const Book> open_book(const std::filesystem::path& path) {
    const std::filesystem::path beside = std::filesystem::path(path).replace_extension(".lines");
    std::shared_ptr<const LineBook> lines;
    if (std::error_code error; beside != path && std::filesystem::exists(beside, error)) {
        auto [data, bytes] = read_whole(LineBook::kind, beside);
        lines = std::make_shared<const LineBook>(std::move(data), bytes, quoted(beside));
    }
    auto [data, bytes] = read_whole(Book::kind, path);
    return Book::adopt(std::move(data), bytes, quoted(path), std::move(lines));
}

std::vector<Position> book_positions(int width, int height, int ply, const Check& check) {
    Walk walk(ply, check);
    walk.visit(Position(width, height));
    return std::move(walk.found);
}

void write_book(const std::filesystem::path& path, const std::vector<Position>& positions,
                const std::vector<int>& scores, const Check& check) {
    if (positions.empty() || positions.size() != scores.size()) throw BookError("error.book_scores");
    const int width = positions.front().width();
    const int height = positions.front().height();
    const int plies = positions.front().ply();
    if (plies > Book::max_plies) throw BookError("error.book_plies", {{"most", Book::max_plies}});
    if (std::error_code error;
        std::filesystem::exists(path, error) && !std::filesystem::is_regular_file(path, error))
        throw BookError("error.book_irregular", {{"file", quoted(path)}});

    std::vector<StaticFunction::Entry> entries;
    std::array<u64, Book::max_plies + 1> counts{};
    Scores layer;
    const auto add = [&](Scores& scores_of_layer, const Position& position, int score) {
        const u128 key = position.canonical_key();
        const ScoreRange possible = possible_scores(position.cells(), position.ply());
        const auto at_once = score_at_once(position);
        if (score < possible.lower || score > possible.upper || score != at_once.value_or(score))
            throw BookError("error.book_score", {{"score", score}, {"diagram", position.diagram()}});
        if (!scores_of_layer.emplace(key, static_cast<signed char>(score)).second)
            throw BookError("error.book_twice", {{"diagram", position.diagram()}});
        ++counts[static_cast<std::size_t>(position.ply())];
        const int symbol = symbol_of(position.ply(), score);
        if (!at_once) entries.emplace_back(key, static_cast<unsigned char>(symbol));
    };
    for (std::size_t i = 0; i < positions.size(); ++i) {
        const Position& position = positions[i];
        if (position.width() != width || position.height() != height || position.ply() != plies ||
            position.is_over())
            throw BookError("error.book_positions");
        add(layer, position, scores[i]);
    }
    for (int ply = plies - 1; ply >= 0; --ply) {
        Scores above;
        for (const Position& position : book_positions(width, height, ply, check)) {
            int best = -symbol_of_draw;
            for (int column = 0; column < width; ++column) {
                if (!position.can_play(column)) continue;
                const Position child = position.play(column);
                if (child.is_over()) {
                    best = std::max(best, -final_score(child));
                } else if (const auto known = layer.find(child.canonical_key()); known != layer.end()) {
                    best = std::max(best, -known->second);
                } else {
                    throw BookError("error.book_missing", {{"diagram", child.diagram()}});
                }
            }
            add(above, position, best);
        }
        layer = std::move(above);
    }
    layer = {};

    std::vector<unsigned char> header(Book::kind.header_bytes(), 0);
    header[size_at] = static_cast<unsigned char>(width);
    header[size_at + 1] = static_cast<unsigned char>(height);
    header[size_at + 2] = static_cast<unsigned char>(plies);
    for (std::size_t ply = 0; ply < counts.size(); ++ply)
        store(header.data() + counts_at + 8 * ply, counts[ply]);
    replace_file(path, PackedWords::pack(Book::kind, std::move(header), entries, check));
}

void write_line_book(const std::filesystem::path& path, int roots, int first, int last,
                     const std::vector<Position>& positions, const std::vector<int>& choices,
                     const Check& check) {
    if (positions.empty() || positions.size() != choices.size())
        throw BookError("error.line_book_choices");
    const LineBook::Scope scope{positions[0].width(), positions[0].height(), roots, first, last};
    std::vector<StaticFunction::Entry> entries;
    entries.reserve(choices.size());
    for (std::size_t i = 0; i < choices.size(); ++i) {
        const Position& position = positions[i];
        const int choice = choices[i];
        if (position.width() != scope.width || position.height() != scope.height || position.is_over() ||
            position.ply() < scope.first || position.ply() > scope.last)
            throw BookError("error.line_book_scope", {{"diagram", position.diagram()}});
        if (choice < 0 || choice >= std::popcount(position.legal_columns()))
            throw BookError("error.line_book_choice",
                            {{"number", choice + 1}, {"diagram", position.diagram()}});
        entries.emplace_back(position.canonical_key(), static_cast<unsigned char>(choice));
    }
    std::sort(entries.begin(), entries.end());
    entries.erase(std::unique(entries.begin(), entries.end()), entries.end());
    for (std::size_t i = 1; i < entries.size(); ++i)
        if (entries[i].first == entries[i - 1].first) throw BookError("error.line_book_twice");
    std::vector<unsigned char> header(LineBook::kind.header_bytes(), 0);
    const int sizes[] = {scope.width, scope.height, scope.roots, scope.first, scope.last};
    for (std::size_t i = 0; i < std::size(sizes); ++i)
        header[size_at + i] = static_cast<unsigned char>(sizes[i]);
    replace_file(path, PackedWords::pack(LineBook::kind, std::move(header), entries, check));
}

}  // namespace fourcast
