// In place of native/reasons/ in the smaller core, which only plays: explanations are more than half of
// the other one.
#include "reasons/explain.hpp"
#include "system/errors.hpp"

namespace fourcast::reasons {

Explanation explain(const Position&, Solver&, const Limit&, const Check&, const StopToken&) {
    throw OptionError("error.no_reasons");
}

}  // namespace fourcast::reasons
