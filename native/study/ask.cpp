#include "ask.hpp"

#include <array>
#include <span>

#include "reasons/questions.hpp"
#include "system/errors.hpp"

namespace fourcast::study {
namespace {

using Table = std::span<const Question> (*)();

/// The tables of the rooms.
constexpr std::array<Table, 1> tables{reasons::questions};

}  // namespace

Value ask(std::string_view question, const Value& request, const Context& context) {
    for (const auto table : tables)
        for (const Question& known : table())
            if (known.name == question) return known.answer(request, context);
    throw OptionError("error.no_question", {{"name", question}});
}

}  // namespace fourcast::study
