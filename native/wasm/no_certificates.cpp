// In place of native/certificate/: the smaller core knows none.
#include "certificate/questions.hpp"

namespace fourcast::certificate {

std::span<const study::Question> questions() { return {}; }

}  // namespace fourcast::certificate
