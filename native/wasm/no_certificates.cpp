// In place of native/certificate/: pages neither make nor check certificates yet.
#include "certificate/questions.hpp"

namespace fourcast::certificate {

std::span<const study::Question> questions() { return {}; }

}  // namespace fourcast::certificate
