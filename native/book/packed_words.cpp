#include "packed_words.hpp"

#if !defined(__wasm__) && !defined(_WIN32)
#include <sys/mman.h>
#endif

#include <cstring>
#include <new>

#include "book_format.hpp"
#include "system/errors.hpp"

namespace fourcast {

using namespace book_format;

void PackedWords::refuse(const Kind& kind, const std::string& file, const Error& reason) {
    throw BookError(kind.refusal, {{"file", file}, {"why", reason.said()}});
}

// In large pages, if the system has them: taking it in thousands of small ones takes longer than reading
// the file.
PackedWords::Memory PackedWords::allocate(const Kind& kind, u64 size, const std::string& file) {
    if (size < kind.header_bytes()) refuse(kind, file, Error("error.book_short", {{"bytes", size}}));
    if (size > max_bytes) refuse(kind, file, Error("error.book_long", {{"bytes", size}}));
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

PackedWords::PackedWords(const Kind& kind, Memory memory, std::size_t size, const std::string& file)
    : data_(std::move(memory)), bytes_(size) {
    const unsigned char* const data = data_.get();
    if (std::memcmp(data, kind.magic, magic_bytes) != 0) {
        const bool other = std::memcmp(data, kind.magic, version_at) == 0;
        refuse(kind, file, Error(other ? "error.book_version" : "error.book_beginning"));
    }
    if (checksum(data + places_at, bytes_ - places_at) != load(data + checksum_at))
        refuse(kind, file, Error("error.book_checksum"));
    const u64 places = load(data + places_at);
    if (places > 8 * bytes_ || places % 3 != 0 || places == 0 ||
        StaticFunction::size_in_bytes(places) != bytes_ - kind.header_bytes())
        refuse(kind, file, Error("error.book_size"));
    PrefixCode::Lengths lengths;
    std::memcpy(lengths.data(), data + kind.lengths_at, lengths.size());
    if (!PrefixCode::is_complete(lengths)) refuse(kind, file, Error("error.book_code"));
    code_.emplace(lengths);
    words_.emplace(data + kind.header_bytes(), places, load(data + seed_at));
}

std::vector<unsigned char> PackedWords::pack(const Kind& kind, std::vector<unsigned char> header,
                                             const std::vector<StaticFunction::Entry>& entries,
                                             const Check& check) {
    PrefixCode::Counts uses{};
    for (const auto& [key, symbol] : entries) ++uses[symbol];
    const auto lengths = PrefixCode::lengths_for(uses);
    const PrefixCode code(lengths);
    u64 bits_in_all = 0;
    for (const auto& [key, symbol] : entries) bits_in_all += static_cast<u64>(code.length(symbol));
    const u64 places = StaticFunction::places_for(bits_in_all);
    // Each seed works with a fair chance, so that a hundred failures mean something else.
    std::vector<unsigned char> words;
    u64 seed = 0;
    while (words.empty()) {
        if (seed == 100) throw BookError("error.book_unpacked");
        if (check) check();
        words = StaticFunction::fill(entries, code, places, ++seed);
    }
    std::vector<unsigned char> file = std::move(header);
    file.resize(kind.header_bytes());
    std::memcpy(file.data(), kind.magic, magic_bytes);
    store(file.data() + places_at, places);
    store(file.data() + seed_at, seed);
    std::memcpy(file.data() + kind.lengths_at, lengths.data(), lengths.size());
    file.insert(file.end(), words.begin(), words.end());
    store(file.data() + checksum_at, checksum(file.data() + places_at, file.size() - places_at));
    return file;
}

}  // namespace fourcast
