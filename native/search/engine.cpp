// One kernel: the search, compiled for one kind of processor (CMakeLists.txt has the kinds).
#include "kernels.hpp"
#include "shape_engine.hpp"

namespace fourcast {
inline namespace FOURCAST_KERNEL {
namespace {

/// The search for boards with 5, 6 or 7 rows is compiled for their height, and that of boards of 57 to
/// 64 bits for one word. That takes 600 KB in all, which a page should not have to load; and processors
/// without AVX2 are too old to be worth it.
#if defined(__wasm__) || (defined(__x86_64__) && !defined(__AVX2__))
constexpr bool has_common_sizes = false;
#else
constexpr bool has_common_sizes = true;
#endif

}  // namespace

}  // namespace FOURCAST_KERNEL

std::unique_ptr<Engine> FOURCAST_MAKE_ENGINE(const EngineOptions& options) {
    const int width = options.width;
    const int height = options.height;
    const auto make = []<class Shape>(const Shape& shape, const EngineOptions& given) {
        return std::make_unique<ShapeEngine<Shape>>(shape, given);
    };
    if (width == StandardShape::width() && height == StandardShape::height())
        return make(StandardShape{}, options);
    const int bits = width * (height + 1);
    if constexpr (has_common_sizes) {
        if (bits > NarrowContent::key_bits && bits <= 64) {
            if (width > 8) return make(WordShape<12>(width, height), options);
            return make(WordShape<8>(width, height), options);
        }
    }
    if (bits > NarrowContent::key_bits) return make(AnyShape<u128>(width, height), options);
    if constexpr (has_common_sizes) {
        if (width == 9 && height == 5) return make(FixedShape<9, 5>{}, options);
        if (width <= RowsShape<5>::most_columns) {
            if (height == 5) return make(RowsShape<5>(width), options);
            if (height == 6) return make(RowsShape<6>(width), options);
            if (height == 7) return make(RowsShape<7>(width), options);
        }
    }
    if (width > 8) return make(NarrowShape<12>(width, height), options);
    return make(NarrowShape<8>(width, height), options);
}

}  // namespace fourcast
