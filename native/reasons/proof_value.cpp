#include "proof_value.hpp"

#include <array>

#include "system/text.hpp"

namespace fourcast::reasons {
namespace {

using Bits = u128;

template <class Kind>
struct Name {
    Kind kind;
    std::string_view name;
};
constexpr std::array<Name<Role>, 2> roles{{{Role::win, "win"}, {Role::hold, "hold"}}};
constexpr std::array<Name<FreeMove>, 4> free_moves{{{FreeMove::never, "never"},
                                                    {FreeMove::any_even, "any_even"},
                                                    {FreeMove::one_odd, "one_odd"},
                                                    {FreeMove::one, "one"}}};

template <class Kind, std::size_t Count>
Value name_of(const std::array<Name<Kind>, Count>& names, Kind kind) {
    for (const auto& each : names)
        if (each.kind == kind) return each.name;
    return nullptr;
}
template <class Kind, std::size_t Count>
Kind kind_from(const std::array<Name<Kind>, Count>& names, const Value& value, const char* what) {
    const std::string& given = value.text(what);
    for (const auto& each : names)
        if (each.name == given) return each.kind;
    throw OptionError("error.cannot_be", {{"what", what}, {"given", value.json()}});
}

/// 0 stands for "no win" in the core.
Value latest_value(int latest) { return latest == 0 ? std::nullopt : std::optional(latest); }

struct Writer {
    int height;

    Value square(Bits bit) const { return square_value(bit, height); }
    Value squares(Bits bits) const { return squares_value(bits, height); }

    Value answer(const LocalAnswer<Bits>& entry) const {
        return object({{"theirs", squares(entry.theirs)},
                       {"mine", squares(entry.mine)},
                       {"answer", square(entry.answer)}});
    }
    Value answers(const std::vector<LocalAnswer<Bits>>& entries) const {
        return array_of(entries, [&](const auto& entry) { return answer(entry); });
    }
    Value group(const LocalGroup<Bits>& group) const {
        return object({{"columns", array_of(each(group.columns), [](int column) { return column; })},
                       {"role", name_of(roles, group.role)},
                       {"free", name_of(free_moves, group.free)},
                       {"needs", array_of(group.needs, [&](Bits need) { return squares(need); })},
                       {"answers", answers(group.answers)}});
    }

    Value operator()(const ForceLine& proof) const {
        return object({{"kind", "force"}, {"line", proof.columns}});
    }
    Value operator()(const AnswerPlan<Bits>& proof) const {
        const auto entry = [&](const AnswerPlan<Bits>::Answer& answer) {
            const auto choices = array_of(answer.squares, [&](Bits choice) { return square(choice); });
            return object({{"stone", square(answer.disc)}, {"squares", choices}});
        };
        return object({{"kind", "plan"},
                       {"answers", array_of(proof.answers, entry)},
                       {"takes", proof.takes},
                       {"latest", latest_value(proof.latest)}});
    }
    Value operator()(const LocalProof<Bits>& proof) const {
        return object({{"kind", "local"},
                       {"groups", array_of(proof.groups, [&](const auto& each) { return group(each); })},
                       {"latest", latest_value(proof.latest)}});
    }
    Value operator()(const CaseProof<Bits>& proof) const {
        const auto end = [&](const CaseProof<Bits>::End& each) {
            return object({{"theirs", squares(each.theirs)},
                           {"mine", squares(each.mine)},
                           {"proof", std::visit(*this, each.proof)}});
        };
        return object({{"kind", "cases"},
                       {"answers", answers(proof.answers)},
                       {"ends", array_of(proof.ends, end)},
                       {"latest", latest_value(proof.latest)}});
    }
};

/// The reverse of Writer.
class Reader {
  public:
    explicit Reader(const Position& board) : width_(board.width()), height_(board.height()) {}

    Claim claim(const Value& value) const {
        return {static_cast<int>(value.at("player").integer("player", 1, 2)),
                kind_from(roles, value.at("goal"), "goal"), columns(value.at("start"), "start"),
                proof(value.at("proof"))};
    }

  private:
    static int number(const Value& value, const char* what) {
        return static_cast<int>(value.integer(what, 0, 1'000'000));
    }
    static int latest(const Value& proof) {
        const Value& given = proof.get("latest");
        return given.is_null() ? 0 : number(given, "latest");
    }
    std::vector<int> columns(const Value& value, const char* what) const {
        return value.integers(what, 0, width_ - 1);
    }
    Bits square(const Value& value) const {
        const auto& place = value.array("a square");
        if (place.size() != 2)
            throw OptionError("error.cannot_be", {{"what", "a square"}, {"given", value.json()}});
        const auto column = place[0].integer("the column of a square", 0, width_ - 1);
        const auto row = place[1].integer("the row of a square", 0, height_ - 1);
        return Bits{1} << (column * (height_ + 1) + row);
    }
    template <class Read>
    static auto list(const Value& value, const char* what, const Read& read) {
        std::vector<decltype(read(value))> result;
        for (const Value& each : value.array(what)) result.push_back(read(each));
        return result;
    }
    std::vector<Bits> square_list(const Value& value) const {
        return list(value, "squares", [&](const Value& each) { return square(each); });
    }
    Bits squares(const Value& value) const {
        Bits result = 0;
        for (const Bits each : square_list(value)) result |= each;
        return result;
    }

    Proof proof(const Value& value) const {
        const std::string& kind = value.at("kind").text("the kind of a proof");
        if (kind == "force") return ForceLine{columns(value.at("line"), "line")};
        if (kind == "cases") return cases(value);
        return std::visit([](auto&& each) { return Proof(std::move(each)); }, ending(value));
    }
    /// A proof that a case may end with, too.
    CaseProof<Bits>::Ending ending(const Value& value) const {
        const std::string& kind = value.at("kind").text("the kind of a proof");
        if (kind == "plan") return plan(value);
        if (kind == "local") return local(value);
        throw OptionError("error.cannot_be",
                          {{"what", "the kind of a proof"}, {"given", value.at("kind").json()}});
    }
    CaseProof<Bits> cases(const Value& value) const {
        const auto end = [&](const Value& each) {
            return CaseProof<Bits>::End{squares(each.at("theirs")), squares(each.at("mine")),
                                        ending(each.at("proof"))};
        };
        return {answers(value.at("answers")), list(value.at("ends"), "ends", end), latest(value)};
    }
    AnswerPlan<Bits> plan(const Value& value) const {
        const auto answer = [&](const Value& each) {
            return AnswerPlan<Bits>::Answer{square(each.at("stone")), square_list(each.at("squares"))};
        };
        return {list(value.at("answers"), "answers", answer), number(value.at("takes"), "takes"),
                latest(value)};
    }
    std::vector<LocalAnswer<Bits>> answers(const Value& value) const {
        return list(value, "answers", [&](const Value& each) {
            return LocalAnswer<Bits>{squares(each.at("theirs")), squares(each.at("mine")),
                                     square(each.at("answer"))};
        });
    }
    LocalProof<Bits> local(const Value& value) const {
        return {list(value.at("groups"), "groups", [&](const Value& each) { return group(each); }),
                latest(value)};
    }
    LocalGroup<Bits> group(const Value& value) const {
        LocalGroup<Bits> result{
            0, kind_from(roles, value.at("role"), "role"),
            kind_from(free_moves, value.at("free"), "free"),
            list(value.at("needs"), "needs", [&](const Value& each) { return squares(each); }),
            answers(value.at("answers"))};
        for (const int column : columns(value.at("columns"), "columns")) {
            if (contains(result.columns, column)) throw OptionError("error.group_twice");
            result.columns |= only<ColumnSet>(column);
        }
        return result;
    }

    int width_;
    int height_;
};

}  // namespace

Value square_value(u128 square, int height) {
    const int index = lowest_bit(square);
    return std::pair(index / (height + 1), index % (height + 1));
}

Value squares_value(u128 squares, int height) {
    return array_of(each_square(squares), [&](u128 square) { return square_value(square, height); });
}

Value claim_value(const Claim& claim, int height) {
    return object({{"player", claim.player},
                   {"goal", name_of(roles, claim.goal)},
                   {"start", claim.start},
                   {"proof", std::visit(Writer{height}, claim.proof)}});
}

Claim claim_from(const Value& value, const Position& board) { return Reader(board).claim(value); }

}  // namespace fourcast::reasons
