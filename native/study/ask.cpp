#include "ask.hpp"

#include <array>
#include <span>

#include "game_file.hpp"
#include "reasons/questions.hpp"
#include "system/errors.hpp"
#include "web_game.hpp"

namespace fourcast::study {
namespace {

using Table = std::span<const Question> (*)();

/// The tables of the rooms.
constexpr std::array<Table, 3> tables{reasons::questions, game_file_questions, web_game_questions};

}  // namespace

Value ask(std::string_view question, const Value& request, const Context& context) {
    for (const auto table : tables)
        for (const Question& known : table())
            if (known.name == question) return known.answer(request, context);
    throw OptionError("error.no_question", {{"name", question}});
}

}  // namespace fourcast::study
