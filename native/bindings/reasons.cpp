// Explanations, handed to Python as JSON types: fourcast/study/explain.py makes values of them.
#include <nanobind/stl/optional.h>

#include "reasons/explain.hpp"
#include "reasons/replay.hpp"

#include <algorithm>

#include "convert.hpp"
#include "interpreter.hpp"
#include "module.hpp"
#include "value.hpp"

namespace fourcast::bindings {
namespace {

using namespace nb::literals;
using namespace reasons;

/// The fields of a JSON object that Python has read. Unknown fields are ignored, missing ones refused.
class JsonObject {
  public:
    /// Raises TypeError if `object` is not a dict; `what` names the value in messages.
    JsonObject(nb::handle object, const char* what) : object_(object), what_(what) {
        if (!PyDict_Check(object.ptr())) wrong_type(text(what, " in JSON"), "a dict", object);
    }

    /// The field, or None if there is no such field.
    nb::object get(const char* key) const {
        PyObject* const value = PyDict_GetItemString(object_.ptr(), key);
        return value == nullptr ? nb::none() : nb::borrow(value);
    }
    bool has(const char* key) const { return !get(key).is_none(); }
    nb::object require(const char* key) const {
        nb::object value = get(key);
        if (value.is_none()) throw OptionError(text(what_, " in JSON needs a value for '", key, "'"));
        return value;
    }
    /// Raises ValueError if a field that follows from the others is there and says something else.
    void agree(const char* key, nb::handle value) const {
        const nb::object given = get(key);
        if (!given.is_none() && !given.equal(value))
            throw OptionError(
                text(what_, " in JSON contradicts itself: '", key, "' does not fit the rest"));
    }

  private:
    nb::handle object_;
    const char* what_;
};

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

  private:
    /// 0 stands for "no win" in the core.
    static nb::object latest(int discs) { return discs == 0 ? nb::none() : nb::object(nb::int_(discs)); }

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
            entry["stone"] = square(answer.disc);
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
    nb::dict entry(u128 theirs, u128 mine) const {
        nb::dict result;
        result["theirs"] = squares(theirs);
        result["mine"] = squares(mine);
        return result;
    }
    nb::list write(const std::vector<LocalAnswer<u128>>& answers) const {
        nb::list result;
        for (const auto& answer : answers) {
            nb::dict written = entry(answer.theirs, answer.mine);
            written["answer"] = square(answer.answer);
            result.append(written);
        }
        return result;
    }
    nb::dict write(const CaseProof<u128>& proof) const {
        nb::list ends;
        for (const auto& end : proof.ends) {
            nb::dict written = entry(end.theirs, end.mine);
            written["proof"] = std::visit([&](const auto& each) { return write(each); }, end.proof);
            ends.append(written);
        }
        nb::dict result;
        result["kind"] = "cases";
        result["answers"] = write(proof.answers);
        result["ends"] = ends;
        result["latest"] = latest(proof.latest);
        return result;
    }
    nb::dict write(const LocalProof<u128>& proof) const {
        nb::list groups;
        for (const auto& group : proof.groups) {
            nb::list needs;
            for (const u128 need : group.needs) needs.append(squares(need));
            nb::dict written;
            written["columns"] = list(each(group.columns));
            written["role"] = name(group.role);
            written["free"] = name(group.free);
            written["needs"] = needs;
            written["answers"] = write(group.answers);
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

/// The reverse of Writer, strict: what cannot be a claim on this board is refused.
class Reader {
  public:
    explicit Reader(const Position& board) : width_(board.width()), height_(board.height()) {}

    Claim claim(nb::handle value) const {
        const JsonObject object(value, "a claim");
        return {integer(object.require("player")), role(object.require("goal")),
                columns(object.require("start")), proof(object.require("proof"))};
    }

  private:
    [[noreturn]] static void refuse(const char* what, nb::handle value) {
        throw ProofError(text(what, " cannot be ", repr_of(value)));
    }
    static int integer(nb::handle value) {
        return static_cast<int>(bounded(value, "a number of a proof", 0, 1'000'000));
    }
    static Role role(nb::handle value) {
        if (value.equal(nb::str("win"))) return Role::win;
        if (value.equal(nb::str("hold"))) return Role::hold;
        refuse("a goal", value);
    }
    static FreeMove free_move(nb::handle value) {
        for (const auto each : {FreeMove::never, FreeMove::any_even, FreeMove::one_odd, FreeMove::one})
            if (value.equal(nb::str(Writer::name(each)))) return each;
        refuse("a free move", value);
    }
    static std::vector<int> columns(nb::handle value) {
        std::vector<int> result;
        for (const nb::handle column : value) result.push_back(integer(column));
        return result;
    }
    u128 square(nb::handle value) const {
        const auto place = columns(value);
        if (place.size() != 2 || place[0] >= width_ || place[1] >= height_) refuse("a square", value);
        return u128{1} << (place[0] * (height_ + 1) + place[1]);
    }
    u128 squares(nb::handle value) const {
        u128 result = 0;
        for (const nb::handle each : value) result |= square(each);
        return result;
    }
    static int latest(const JsonObject& proof) {
        return proof.has("latest") ? integer(proof.get("latest")) : 0;
    }

    Proof proof(nb::handle value) const {
        const JsonObject object(value, "a proof");
        const nb::object kind = object.require("kind");
        if (kind.equal(nb::str("force"))) return ForceLine{columns(object.require("line"))};
        if (kind.equal(nb::str("plan"))) return plan(object);
        if (kind.equal(nb::str("local"))) return local(object);
        if (!kind.equal(nb::str("cases"))) refuse("the kind of a proof", kind);
        CaseProof<u128> cases{answers(object.require("answers")), {}, latest(object)};
        for (const nb::handle each : object.require("ends")) {
            const JsonObject end(each, "an end");
            cases.ends.push_back({squares(end.require("theirs")), squares(end.require("mine")),
                                  ending(end.require("proof"))});
        }
        return cases;
    }
    CaseProof<u128>::Ending ending(nb::handle value) const {
        const JsonObject object(value, "a proof");
        const nb::object kind = object.require("kind");
        if (kind.equal(nb::str("plan"))) return plan(object);
        if (kind.equal(nb::str("local"))) return local(object);
        refuse("the kind of a case's proof", kind);
    }
    AnswerPlan<u128> plan(const JsonObject& object) const {
        AnswerPlan<u128> result{{}, integer(object.require("takes")), latest(object)};
        for (const nb::handle each : object.require("answers")) {
            const JsonObject entry(each, "an answer");
            AnswerPlan<u128>::Answer answer{square(entry.require("stone")), {}};
            for (const nb::handle choice : entry.require("squares"))
                answer.squares.push_back(square(choice));
            result.answers.push_back(std::move(answer));
        }
        return result;
    }
    std::vector<LocalAnswer<u128>> answers(nb::handle value) const {
        std::vector<LocalAnswer<u128>> result;
        for (const nb::handle each : value) {
            const JsonObject entry(each, "an answer");
            result.push_back({squares(entry.require("theirs")), squares(entry.require("mine")),
                              square(entry.require("answer"))});
        }
        return result;
    }
    LocalProof<u128> local(const JsonObject& object) const {
        LocalProof<u128> result{{}, latest(object)};
        for (const nb::handle each : object.require("groups")) {
            const JsonObject group(each, "a group");
            LocalGroup<u128> read{0,
                                  role(group.require("role")),
                                  free_move(group.require("free")),
                                  {},
                                  answers(group.require("answers"))};
            for (const int column : columns(group.require("columns"))) {
                if (column >= width_ || contains(read.columns, column))
                    refuse("the columns of a group", group.require("columns"));
                read.columns |= only<ColumnSet>(column);
            }
            for (const nb::handle need : group.require("needs")) read.needs.push_back(squares(need));
            result.groups.push_back(std::move(read));
        }
        return result;
    }

    int width_;
    int height_;
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
    module.def(
        "replay_claim",
        [](const Position& position, nb::handle claim) {
            return replay(position, Reader(position).claim(claim));
        },
        "position"_a, "claim"_a,
        nb::sig("def replay_claim(position: Position, claim: dict[str, typing.Any]) -> int"),
        "Return how many positions prove *claim*, a claim of `Explanation.to_json()` about *position*.\n"
        "Raises `ValueError` if it is not proven. This is the check that the page relies on;\n"
        "`fourcast.study.checker` is another one that shares no code with it.");
}

}  // namespace fourcast::bindings
