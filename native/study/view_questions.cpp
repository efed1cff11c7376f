// Views as questions; the page's cores, which show what they have found themselves, are without them.
#include "board/position_value.hpp"
#include "view.hpp"

namespace fourcast::study {
namespace {

/// The start and the "columns" played from there.
Shown shown_from(const Value& request) {
    Shown shown(ruled_position_from(request), U"");
    for (const int column : request.at("columns").integers("a column", 0, 2 * max_bits))
        shown.play(column);
    return shown;
}

Value ask_position(const Value& request, const Context&) { return to_value(shown_from(request)); }

Value ask_analysis(const Value& request, const Context&) {
    return to_value(shown_from(request), from_value<Analysis>(request.at("analysis")), true);
}

}  // namespace

std::span<const Question> view_questions() {
    static constexpr Question questions[] = {{"position.view", ask_position},
                                             {"analysis.view", ask_analysis}};
    return questions;
}

}  // namespace fourcast::study
