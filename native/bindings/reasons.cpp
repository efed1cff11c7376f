// Explanations, handed to Python as JSON types: fourcast/study/explain.py makes values of them.
#include <nanobind/stl/optional.h>

#include "../reasons/explain.hpp"

#include <algorithm>

#include "interpreter.hpp"
#include "module.hpp"

namespace fourcast::bindings {
namespace {

using namespace nb::literals;
using namespace reasons;

/// Squares as lists [column, row].
class Writer {
  public:
    explicit Writer(int height) : stride_(height + 1) {}

    nb::dict claim(const Claim& claim) const {
        nb::dict result;
        result["player"] = claim.player;
        result["goal"] = name(claim.goal);
        result["start"] = list(claim.start);
        result["proof"] = std::visit([&](const auto& proof) { return write(proof); }, claim.proof);
        return result;
    }

    template <class Items>
    static nb::list list(const Items& items) {
        nb::list result;
        for (const auto& item : items) result.append(item);
        return result;
    }

  private:
    static const char* name(Role role) { return role == Role::win ? "win" : "hold"; }
    static const char* name(FreeMove free) {
        switch (free) {
            case FreeMove::any_even:
                return "any_even";
            case FreeMove::one_odd:
                return "one_odd";
            case FreeMove::one:
                return "one";
            case FreeMove::never:
                break;
        }
        return "never";
    }
    /// 0 stands for "no win" in the core.
    static nb::object latest(int stones) {
        return stones == 0 ? nb::none() : nb::object(nb::int_(stones));
    }

    nb::list square(u128 bit) const {
        const int index = lowest_bit(bit);
        nb::list result;
        result.append(index / stride_);
        result.append(index % stride_);
        return result;
    }
    nb::list squares(u128 bits) const {
        nb::list result;
        for (const u128 bit : each_square(bits)) result.append(square(bit));
        return result;
    }

    nb::dict write(const ForceLine& proof) const {
        nb::dict result;
        result["kind"] = "force";
        result["line"] = list(proof.columns);
        return result;
    }
    nb::dict write(const AnswerPlan<u128>& proof) const {
        nb::list answers;
        for (const auto& answer : proof.answers) {
            nb::dict entry;
            entry["stone"] = square(answer.stone);
            nb::list choices;
            for (const u128 choice : answer.squares) choices.append(square(choice));
            entry["squares"] = choices;
            answers.append(entry);
        }
        nb::dict result;
        result["kind"] = "plan";
        result["answers"] = answers;
        result["takes"] = proof.takes;
        result["latest"] = latest(proof.latest);
        return result;
    }
    nb::dict write(const LocalProof<u128>& proof) const {
        nb::list groups;
        for (const auto& group : proof.groups) {
            nb::list needs;
            for (const u128 need : group.needs) needs.append(squares(need));
            nb::list answers;
            for (const auto& answer : group.answers) {
                nb::dict entry;
                entry["theirs"] = squares(answer.theirs);
                entry["mine"] = squares(answer.mine);
                entry["answer"] = square(answer.answer);
                answers.append(entry);
            }
            nb::dict written;
            written["columns"] = list(each(group.columns));
            written["role"] = name(group.role);
            written["free"] = name(group.free);
            written["needs"] = needs;
            written["answers"] = answers;
            groups.append(written);
        }
        nb::dict result;
        result["kind"] = "local";
        result["groups"] = groups;
        result["latest"] = latest(proof.latest);
        return result;
    }

    int stride_;
};

}  // namespace

void add_reasons(nb::module_& module) {
    module.def(
        "find_reasons",
        [](Solver& solver, const Position& position, const std::optional<Limit>& limit,
           const StopToken* stop) {
            const StopToken token = stop == nullptr ? solver.make_token() : *stop;
            const Explanation found = [&] {
                const WithoutGil no_gil;
                return explain(position, solver, limit.value_or(Limit{}), check_signals, token);
            }();
            const Writer writer(position.height());
            nb::list claims;
            for (const Claim& claim : found.claims) claims.append(writer.claim(claim));
            return nb::make_tuple(found.verdict, Writer::list(found.line), claims, found.complete);
        },
        "solver"_a, "position"_a, "limit"_a = nb::none(), nb::kw_only(), "stop"_a = nb::none(),
        nb::sig(
            "def find_reasons(solver: SolverCore, position: Position, limit: Limit | None = None, *, "
            "stop: StopToken | None = None) -> tuple[Result, list[int], list[dict[str, typing.Any]], "
            "bool]"),
        "Search for an explanation; use `fourcast.explain`. Returns the verdict, best play up to where\n"
        "the claims begin, the claims as JSON types, and whether the search came to its end.");
}

}  // namespace fourcast::bindings
