// Memory for the tables.
#pragma once

#include <cstddef>

namespace fourcast {

/// Zero pages of the system, which take no memory before they are written to. WebAssembly has no such
/// pages, and clears memory of its own.
class Pages {
  public:
    /// Throws std::bad_alloc if there is no memory.
    explicit Pages(std::size_t bytes);
    ~Pages();
    Pages(const Pages&) = delete;
    Pages& operator=(const Pages&) = delete;

    /// Aligned for a line of the processor's cache, at least.
    void* start() const { return start_; }

  private:
    std::size_t bytes_;
    void* start_;
};

}  // namespace fourcast
