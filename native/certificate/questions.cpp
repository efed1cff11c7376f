// What Python asks when it makes a certificate, and both homes when they play one.
#include "questions.hpp"

#include <array>

#include "board/columns.hpp"
#include "board/position_value.hpp"
#include "check.hpp"
#include "leaf.hpp"
#include "local_game.hpp"
#include "solver/said.hpp"
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

Value written(const reasons::LocalProof<u128>& proof) {
    const auto groups = array_of(proof.groups, [](const auto& group) {
        return object({{"columns", columns_in(group.columns)},
                       {"wins", group.role == Role::win},
                       {"needs", array_of(group.needs, [](u128 need) { return Value(need); })}});
    });
    return object({{"groups", groups}});
}

std::uint64_t steps_of(const Value& value) {
    return static_cast<std::uint64_t>(value.integer("steps", 1, 1'000'000'000'000));
}

Value leaf_of(const Value& request, const study::Context& context) {
    Effort effort;
    effort.pulse = context.check;
    for (const Value& groups : request.at("groups").array("groups"))
        effort.groups.push_back({static_cast<int>(groups.at("columns").integer("columns", 1, 32)),
                                 steps_of(groups.at("steps"))});
    effort.most_answers =
        static_cast<std::size_t>(request.at("answers").integer("answers", 0, 1'000'000'000));
    const auto found = find_leaf(position_of(request), goal_of(request), effort);
    return found ? written(*found) : Value();
}

Value written(const Levels<u128>& levels) {
    return array_of(levels, [](u128 level) { return Value(level); });
}

/// Whether the player to move wins by force with at most so many "discs".
Value forces(const Value& request, const study::Context&) {
    const Position position = position_of(request);
    const auto discs = static_cast<int>(request.at("discs").integer("discs", 1, 20));
    return with_either_shape(position.width(), position.height(), [&]<class Shape>(const Shape& shape) {
        using Bits = typename Shape::Bits;
        return Board<Shape>(shape).forces(static_cast<Bits>(position.discs(position.turn())),
                                          static_cast<Bits>(position.discs(3 - position.turn())), discs);
    });
}

Value diagram_of(const Value& request, const study::Context& context) {
    LevelEffort effort;
    effort.pulse = context.check;
    effort.tries = static_cast<int>(request.at("tries").integer("tries", 0, 1'000));
    effort.conflicts =
        static_cast<std::uint64_t>(request.at("conflicts").integer("conflicts", 1, 1'000'000'000));
    effort.most = static_cast<std::size_t>(request.at("most").integer("most", 1, 10'000'000));
    std::vector<Levels<u128>> known;
    for (const Value& levels : request.at("known").array("known")) {
        known.emplace_back();
        for (const Value& level : levels.array("known")) known.back().push_back(level.squares("known"));
    }
    if (context.solver == nullptr) throw OptionError("error.needs_solver");
    const Position position = position_of(request);
    const auto columns = request.at("columns").integers("columns", 0, position.width() - 1);
    const auto found = find_diagram(position, columns, known, effort, *context.solver);
    if (!found) return {};
    return object(
        {{"column", found->column}, {"levels", written(found->levels)}, {"states", found->states}});
}

Value states_of(const Value& request, const study::Context&) {
    std::vector<Group> groups;
    for (const Value& group : request.at("groups").array("groups")) {
        Group& next = groups.emplace_back();
        for (const int column : group.at("columns").integers("columns", 0, 24))
            next.columns |= only<ColumnSet>(column);
        next.wins = group.at("wins").truth("wins");
        for (const Value& need : group.at("needs").array("needs"))
            next.needs.push_back(need.squares("needs"));
    }
    const auto most = request.at("most").integer("most", 1, static_cast<long long>(most_states));
    return count_states(position_of(request), goal_of(request), groups, static_cast<std::size_t>(most));
}

std::vector<unsigned char> bytes_of(const Value& certificate) {
    const std::string& digits = certificate.text("certificate");
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

Value checked(const Value& request, const study::Context&) {
    const Checked found = check(bytes_of(request.at("certificate")));
    return object({{"width", found.width},
                   {"height", found.height},
                   {"player", found.player},
                   {"win", found.win},
                   {"start", found.start},
                   {"positions", found.positions},
                   {"inner_moves", found.inner},
                   {"forced", found.forced},
                   {"local_games", found.local_games},
                   {"by_level", found.by_level},
                   {"diagrams", found.diagrams},
                   {"states", found.states}});
}

/// What a move rests on, in words.
Value said_of(const Answer& answer) {
    const Value player = said_player(answer.header.player);
    if (answer.why != "local") return say("proof." + std::string(answer.why), {{"player", player}});
    const std::string goal = answer.header.win ? "wins" : "holds";
    if (answer.groups.size() == 1) return say("proof.whole_" + goal, {{"player", player}});
    std::string parts;
    for (const ColumnSet group : answer.groups) {
        if (!parts.empty()) parts += " | ";
        std::string names;
        for (const int column : each(group)) names += (names.empty() ? "" : " ") + said_column(column);
        parts += names;
    }
    if (!answer.header.win) return say("proof.local_holds", {{"player", player}, {"parts", parts}});
    const Value where = said_columns(columns_in(answer.groups[answer.winner]));
    return say("proof.local_wins", {{"player", player}, {"parts", parts}, {"columns", where}});
}

/// The move of the first of "certificates" that has one in a position, and what is said of it; null if
/// none has.
Value answered(const Value& request, const study::Context&) {
    const Position position = position_from(request);
    if (position.is_over()) return {};
    for (const Value& certificate : request.at("certificates").array("certificates")) {
        const auto found = answer(bytes_of(certificate), position);
        if (!found) continue;
        const auto groups =
            array_of(found->groups, [](ColumnSet group) { return Value(columns_in(group)); });
        return object({{"column", found->column},
                       {"why", found->why},
                       {"groups", groups},
                       {"levels", written(found->levels)},
                       {"player", found->header.player},
                       {"win", found->header.win},
                       {"said", said_of(*found)}});
    }
    return {};
}

Value unfolded(const Value& request, const study::Context&) {
    const Unfolded found =
        unfold(bytes_of(request.at("certificate")),
               static_cast<std::size_t>(request.at("most").integer("most", 1, 1'000'000'000)));
    std::string columns;
    for (const auto column : found.columns) columns += column_name(column);
    const auto claims = array_of(found.claims, [](const Claim& claim) {
        return array_of(claim, [](const ClaimedGroup& group) {
            return object({{"columns", group.columns},
                           {"needs", array_of(group.needs, [](u128 need) { return Value(need); })},
                           {"wins", group.wins},
                           {"passes", group.passes},
                           {"takes", group.takes}});
        });
    });
    return object({{"columns", columns}, {"claims", claims}});
}

constexpr std::array<study::Question, 7> known{{
    {"certificate.check", checked},
    {"certificate.answer", answered},
    {"certificate.unfold", unfolded},
    {"certificate.leaf", leaf_of},
    {"certificate.forces", forces},
    {"certificate.diagram", diagram_of},
    {"certificate.states", states_of},
}};

}  // namespace

std::span<const study::Question> questions() { return known; }

}  // namespace fourcast::certificate
