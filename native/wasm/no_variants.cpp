// In place of the searches by other rules than the standard ones, which have a core of their own.
#include "players/by_rules.hpp"
#include "search/variant_engine.hpp"
#include "solver/popout.hpp"

namespace fourcast {
namespace {

[[noreturn]] void refuse() { throw OptionError("error.page_rules"); }

}  // namespace

std::unique_ptr<Engine> make_variant_engine(const EngineOptions& /*options*/) { refuse(); }

PopOutAnswer solve_popout(const Position& /*position*/, int /*most_plies*/, const Limit& /*limit*/,
                          const StopToken& /*token*/, const Check& /*check*/) {
    refuse();
}

PopOutAnalysis analyze_popout(const Position& /*position*/, int /*most_plies*/, const Limit& /*limit*/,
                              const StopToken& /*token*/, const Check& /*check*/) {
    refuse();
}

std::span<const study::Question> study::popout_questions() { return {}; }

LookAhead look_ahead_by_rules(const Position& /*position*/, const LookAheadOptions& /*options*/,
                              const Check& /*check*/) {
    refuse();
}

void refuse_other_rules(const Position& position) {
    if (!position.rules().is_standard()) refuse();
}

TreeSearch search_tree_by_rules(const Position& /*position*/, const TreeSearchOptions& /*options*/,
                                const Check& /*check*/) {
    refuse();
}

}  // namespace fourcast
