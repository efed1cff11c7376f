#include "pages.hpp"

#include <new>

#if defined(__wasm__)
#include <cstdlib>
#include <cstring>
#elif defined(_WIN32)
#include <windows.h>
#else
#include <sys/mman.h>
#endif

namespace fourcast {
namespace {

#if defined(__wasm__)

void* take(std::size_t bytes) {
    void* const start = std::aligned_alloc(64, (bytes + 63) / 64 * 64);
    return start == nullptr ? nullptr : std::memset(start, 0, bytes);
}
void give_back(void* start, std::size_t) { std::free(start); }

#elif defined(_WIN32)

void* take(std::size_t bytes) {
    return VirtualAlloc(nullptr, bytes, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE);
}
void give_back(void* start, std::size_t) { VirtualFree(start, 0, MEM_RELEASE); }

#else

void* take(std::size_t bytes) {
    void* const start = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (start == MAP_FAILED) return nullptr;
#if defined(MADV_HUGEPAGE)
    // Fewer, larger pages: the table is read all over, and the processor remembers few pages.
    constexpr std::size_t huge_page = std::size_t{1} << 21;
    if (bytes >= huge_page) madvise(start, bytes, MADV_HUGEPAGE);
#endif
    return start;
}
void give_back(void* start, std::size_t bytes) { munmap(start, bytes); }

#endif

}  // namespace

Pages::Pages(std::size_t bytes) : bytes_(bytes), start_(take(bytes)) {
    if (start_ == nullptr) throw std::bad_alloc();
}

Pages::~Pages() { give_back(start_, bytes_); }

}  // namespace fourcast
