#include "book.hpp"

#if !defined(__wasm__) && !defined(_WIN32)
#include <sys/mman.h>
#endif

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>

#include "book_format.hpp"
#include "errors.hpp"
#include "text.hpp"

namespace fourcast {

using namespace book_format;

namespace {

[[noreturn]] void refuse(const std::string& name, const std::string& reason) {
    throw BookError(text(name, " is not a book: ", reason));
}

}  // namespace

// In large pages, if the system has them: taking it in thousands of small ones takes longer than reading
// the file.
Book::Memory Book::allocate(u64 size, const std::string& name) {
    if (size < header_bytes) refuse(name, text("it has ", size, " bytes, which is too short"));
    if (size > max_bytes) refuse(name, text("it has ", size, " bytes, which is too long"));
    const auto bytes = static_cast<std::size_t>(size);
    constexpr std::size_t large_page = std::size_t{2} << 20;
    const std::size_t page = bytes >= large_page ? large_page : 64;
    const std::size_t rounded = (bytes + page - 1) / page * page;
#if defined(_WIN32)
    auto* const memory = static_cast<unsigned char*>(std::malloc(rounded));
#else
    auto* const memory = static_cast<unsigned char*>(std::aligned_alloc(page, rounded));
#endif
    if (memory == nullptr) throw std::bad_alloc();
#if defined(MADV_HUGEPAGE)
    if (page == large_page) madvise(memory, rounded, MADV_HUGEPAGE);
#endif
    return Memory(memory);
}

std::shared_ptr<const Book> Book::adopt(Memory data, std::size_t bytes, const std::string& name) {
    const std::shared_ptr<Book> book(new Book);
    book->data_ = std::move(data);
    book->bytes_ = bytes;
    book->parse(name);
    return book;
}

void Book::parse(const std::string& name) {
    const unsigned char* const data = data_.get();
    if (std::memcmp(data, magic, magic_bytes) != 0) {
        const bool other = std::memcmp(data, magic, version_at) == 0;
        refuse(name, other ? "it belongs to another version of fourcast; build it again"
                           : "it does not begin like one");
    }
    if (checksum(data + places_at, bytes_ - places_at) != load(data + checksum_at))
        refuse(name, "its checksum is wrong, so it has been cut off or altered");
    width_ = data[size_at];
    height_ = data[size_at + 1];
    plies_ = data[size_at + 2];
    if (!is_supported(width_, height_)) refuse(name, "its header names an unsupported board size");
    const int cells = width_ * height_;
    if (plies_ > max_plies || plies_ >= cells) refuse(name, "its header names too many plies");
    // Each position has at most one child for each column, and one at least as long as there are layers.
    u64 most = 1;
    for (std::size_t ply = 0; ply < counts_.size(); ++ply) {
        const u64 count = load(data + counts_at + 8 * ply);
        const bool is_layer = ply <= static_cast<std::size_t>(plies_);
        if (is_layer ? count == 0 || count > most : count != 0)
            refuse(name, text("it cannot have ", count, " positions with ", ply, " stones"));
        counts_[ply] = count;
        most = std::min<u64>(count, most_book_positions) * static_cast<u64>(width_);
    }
    const u64 places = load(data + places_at);
    if (places > 8 * bytes_ || places % 3 != 0 || places == 0 ||
        StaticFunction::size_in_bytes(places) != bytes_ - header_bytes)
        refuse(name, "it has the wrong size");
    PrefixCode::Lengths lengths;
    std::memcpy(lengths.data(), data + lengths_at, lengths.size());
    if (!PrefixCode::is_complete(lengths)) refuse(name, "its score code is corrupt");
    for (int symbol = 0; symbol < PrefixCode::symbols; ++symbol)
        if (lengths[static_cast<std::size_t>(symbol)] != 0 &&
            std::abs(symbol - symbol_of_draw) > highest_score(cells))
            refuse(name, text("it has scores of ", symbol - symbol_of_draw, ", which no position has"));
    code_.emplace(lengths);
    words_.emplace(data + header_bytes, places, load(data + seed_at));
}

u64 Book::positions() const {
    u64 sum = 0;
    for (const u64 count : counts_) sum += count;
    return sum;
}

int Book::score(const Position& position) const {
    if (const auto score = score_at_once(position)) return *score;
    const int score = score_of(position.ply(), code_->symbol((*words_)(position.canonical_key())));
    const ScoreRange possible = possible_scores(position.cells(), position.ply());
    if (score < possible.lower || score > possible.upper)
        throw BookError(text("the opening book has a score of ", score,
                             " for a position that cannot have it; build it again\n",
                             position.diagram()));
    return score;
}

}  // namespace fourcast
