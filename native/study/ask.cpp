#include "ask.hpp"

#include <span>

#include "attempt.hpp"
#include "certificate/questions.hpp"
#include "collection.hpp"
#include "explore.hpp"
#include "game_file.hpp"
#include "glicko.hpp"
#include "lesson.hpp"
#include "opening.hpp"
#include "plan.hpp"
#include "puzzle.hpp"
#include "reasons/questions.hpp"
#include "repertoire.hpp"
#include "review.hpp"
#include "solver/popout.hpp"
#include "system/errors.hpp"
#include "training.hpp"
#include "view.hpp"
#include "web_game.hpp"

namespace fourcast::study {
namespace {

using Table = std::span<const Question> (*)();

/// The tables of the rooms.
constexpr Table tables[] = {
    reasons::questions,   review_questions,    puzzle_questions,   attempt_questions,
    collection_questions, glicko_questions,    training_questions, repertoire_questions,
    explore_questions,    game_file_questions, web_game_questions, certificate::questions,
    lesson_questions,     plan_questions,      opening_questions,  popout_questions,
    view_questions,
};

}  // namespace

Value ask(std::string_view question, const Value& request, const Context& context) {
    for (const auto table : tables)
        for (const Question& known : table())
            if (known.name == question) return known.answer(request, context);
    throw OptionError("error.no_question", {{"name", question}});
}

}  // namespace fourcast::study
