// In place of native/reasons/ in the smaller core, which only plays: explanations are more than half of
// the other one.
#include "reasons/questions.hpp"
#include "system/errors.hpp"

namespace fourcast::reasons {
namespace {

Value refuse(const Value&, const study::Context&) { throw OptionError("error.no_reasons"); }

constexpr study::Question table[] = {{"position.explain", refuse}, {"move.explain", refuse}};

}  // namespace

std::span<const study::Question> questions() { return table; }

}  // namespace fourcast::reasons
