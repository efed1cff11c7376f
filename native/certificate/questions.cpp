// What Python asks when it makes a certificate.
#include "questions.hpp"

#include <array>

#include "check.hpp"
#include "leaf.hpp"
#include "system/errors.hpp"
#include "system/text.hpp"

namespace fourcast::certificate {
namespace {

using reasons::Role;

Position position_of(const Value& request) {
    return Position::from_discs(request.at("first").squares("first"),
                                request.at("second").squares("second"),
                                static_cast<int>(request.at("width").integer("width", 4, max_bits)),
                                static_cast<int>(request.at("height").integer("height", 4, max_bits)));
}

Role goal_of(const Value& request) { return request.at("win").truth("win") ? Role::win : Role::hold; }

struct Written {
    Value operator()(const reasons::AnswerPlan<u128>& plan) const {
        const auto answers = array_of(plan.answers, [](const auto& answer) {
            Value entry;
            entry.add(Value(answer.disc));
            for (const u128 square : answer.squares) entry.add(Value(square));
            return entry;
        });
        return object({{"kind", "plan"},
                       {"takes", plan.takes},
                       {"answers", answers},
                       {"positions", plan.positions}});
    }
    Value operator()(const reasons::LocalProof<u128>& proof) const {
        const auto groups = array_of(proof.groups, [](const auto& group) {
            std::vector<int> columns;
            for (const int column : each(group.columns)) columns.push_back(column);
            return object({{"columns", columns},
                           {"wins", group.role == Role::win},
                           {"needs", array_of(group.needs, [](u128 need) { return Value(need); })},
                           {"answers", group.answers.size()}});
        });
        return object({{"kind", "local"}, {"groups", groups}});
    }
};

Value written(const std::optional<Leaf>& leaf) { return leaf ? std::visit(Written{}, *leaf) : Value(); }

std::uint64_t steps_of(const Value& value) {
    return static_cast<std::uint64_t>(value.integer("steps", 1, 1'000'000'000'000));
}

Value leaf_of(const Value& request, const study::Context& context) {
    Effort effort;
    effort.pulse = context.check;
    for (const Value& plan : request.at("plans").array("plans"))
        effort.plans.push_back({static_cast<int>(plan.at("rules").integer("rules", 0, 64)),
                                steps_of(plan.at("steps")),
                                static_cast<int>(plan.at("takes").integer("takes", 1, 2))});
    for (const Value& groups : request.at("groups").array("groups"))
        effort.groups.push_back({static_cast<int>(groups.at("columns").integer("columns", 1, 32)),
                                 steps_of(groups.at("steps"))});
    effort.most_answers =
        static_cast<std::size_t>(request.at("answers").integer("answers", 0, 1'000'000'000));
    return written(find_leaf(position_of(request), goal_of(request), effort));
}

Value local_games_of(const Value& request, const study::Context&) {
    std::vector<ColumnSet> groups;
    for (const Value& group : request.at("split").array("split")) {
        ColumnSet columns = 0;
        for (const int column : group.integers("a group", 0, 24)) columns |= only<ColumnSet>(column);
        groups.push_back(columns);
    }
    return written(find_local_games(
        position_of(request), goal_of(request), groups, steps_of(request.at("steps")),
        static_cast<std::size_t>(request.at("answers").integer("answers", 0, 1'000'000'000))));
}

std::vector<unsigned char> bytes_of(const Value& request) {
    const std::string& digits = request.at("certificate").text("certificate");
    std::vector<unsigned char> bytes(digits.size() / 2);
    const auto digit = [](char character) {
        static constexpr std::string_view all = "0123456789abcdef";
        const auto found = all.find(character);
        if (found == std::string_view::npos)
            throw OptionError("error.not_digits", {{"what", "certificate"}});
        return static_cast<unsigned>(found);
    };
    for (std::size_t i = 0; i < bytes.size(); ++i)
        bytes[i] = static_cast<unsigned char>(digit(digits[2 * i]) << 4 | digit(digits[2 * i + 1]));
    return bytes;
}

/// A certificate that is refused is an answer, too: why it is not a proof.
template <class Answer>
Value refusable(const Answer& answer) {
    try {
        return answer();
    } catch (const CertificateError& error) {
        return object({{"refused", error.what()}});
    }
}

Value checked(const Value& request, const study::Context&) {
    return refusable([&] {
        const Checked found = check(bytes_of(request));
        return object({{"width", found.width},
                       {"height", found.height},
                       {"player", found.player},
                       {"win", found.win},
                       {"start", found.start},
                       {"positions", found.positions},
                       {"inner_moves", found.inner},
                       {"forced", found.forced},
                       {"plans", found.plans},
                       {"local_games", found.local_games}});
    });
}

Value followed(const Value& request, const study::Context&) {
    return refusable([&] {
        const Followed found =
            follow(bytes_of(request), request.at("replies").integers("replies", 0, max_bits));
        const auto groups = array_of(found.groups, [](ColumnSet group) {
            std::vector<int> columns;
            for (const int column : each(group)) columns.push_back(column);
            return Value(columns);
        });
        return object({{"columns", found.columns},
                       {"is_over", found.is_over},
                       {"why", found.why},
                       {"groups", groups}});
    });
}

Value unfolded(const Value& request, const study::Context&) {
    return refusable([&] {
        const Unfolded found =
            unfold(bytes_of(request),
                   static_cast<std::size_t>(request.at("most").integer("most", 1, 1'000'000'000)));
        std::string columns;
        for (const auto column : found.columns) columns += column_name(column);
        return object({{"columns", columns}});
    });
}

constexpr std::array<study::Question, 5> known{{
    {"certificate.check", checked},
    {"certificate.follow", followed},
    {"certificate.unfold", unfolded},
    {"certificate.leaf", leaf_of},
    {"certificate.local_games", local_games_of},
}};

}  // namespace

std::span<const study::Question> questions() { return known; }

}  // namespace fourcast::certificate
