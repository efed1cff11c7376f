#include "errors.hpp"

namespace fourcast {

Error::Error(std::string code, Value::Object facts) : code_(std::move(code)), facts_(std::move(facts)) {}
Error::Error(const Error&) = default;
Error::~Error() = default;

const char* Error::what() const noexcept { return code_.c_str(); }

Value Error::said() const { return object({{"pattern", code_}, {"facts", facts_}}); }

}  // namespace fourcast
