// The search for other lines than four in a row on a flat board. One version for all processors: such
// boards are not worth the size of a kernel for each.
#include "variant_engine.hpp"

#include "misere.hpp"
#include "shape_engine.hpp"

namespace fourcast {

std::unique_ptr<Engine> make_variant_engine(const EngineOptions& options) {
    const Rules& rules = options.rules;
    EngineOptions usable = options;
    // With two squares of a line in one column, a plan's discs would be counted twice (proofs.hpp).
    if (rules.wrap && options.width < rules.connect)
        usable.features.proofs = usable.features.child_proofs = usable.features.hold = false;
    const auto make = [&]<class Bits>(Bits) -> std::unique_ptr<Engine> {
        using Shape = VariantShape<Bits>;
        const Shape shape(options.width, options.height, rules.connect, rules.wrap);
        if (rules.misere)
            return std::make_unique<ShapeEngine<Shape, MisereSearch<Shape>>>(shape, usable);
        return std::make_unique<ShapeEngine<Shape>>(shape, usable);
    };
    const bool narrow = options.width <= max_width<VariantShape<u64>> &&
                        options.width * (options.height + 1) <= NarrowContent::key_bits;
    return narrow ? make(u64{}) : make(u128{});
}

}  // namespace fourcast
