#include "variant.hpp"

#include <optional>
#include <utility>

#include "system/errors.hpp"
#include "system/reading.hpp"
#include "system/text.hpp"
#include "variant_shape.hpp"

namespace fourcast {

Rules make_rules(long long connect, bool wrap, bool misere, bool pop) {
    if (connect < min_connect || connect > max_connect)
        throw OptionError("error.connect",
                          {{"given", connect}, {"least", min_connect}, {"most", max_connect}});
    if (misere && pop) throw OptionError("error.misere_pop");
    return {static_cast<std::uint8_t>(connect), wrap, misere, pop};
}

namespace {

/// The rules that differ from the usual ones, each rule that is on followed by `on`.
std::string listed(const Rules& rules, const char* separator, const char* on) {
    std::string result;
    const auto add = [&](const std::string& part) {
        result += (result.empty() ? "" : separator) + part;
    };
    if (rules.connect != 4) add(text("connect=", int{rules.connect}));
    if (rules.wrap) add(text("wrap", on));
    if (rules.misere) add(text("misere", on));
    if (rules.pop) add(text("pop", on));
    return result;
}

}  // namespace

std::string Rules::text() const { return listed(*this, ",", ""); }

Rules Rules::parse(std::u32string_view given) {
    std::optional<long long> connect;
    bool wrap = false, misere = false, pop = false;
    for (std::u32string_view rest = given; !rest.empty();) {
        const std::u32string_view part = stripped(rest.substr(0, rest.find(U',')));
        rest.remove_prefix(std::min(rest.find(U','), rest.size() - 1) + 1);
        const auto number = part.starts_with(U"connect=") ? number_of(part.substr(8), 2) : std::nullopt;
        const bool is_new = number              ? !std::exchange(connect, number)
                            : part == U"wrap"   ? !std::exchange(wrap, true)
                            : part == U"misere" ? !std::exchange(misere, true)
                                                : part == U"pop" && !std::exchange(pop, true);
        if (!is_new) throw InvalidNotationError("error.rules_text", {{"given", quoted(given)}});
    }
    return make_rules(connect.value_or(4), wrap, misere, pop);
}

std::string Rules::repr() const { return fourcast::text("Rules(", listed(*this, ", ", "=True"), ")"); }

std::size_t Rules::hash() const {
    return std::size_t{connect} * 8 + (wrap ? 4 : 0) + (misere ? 2 : 0) + (pop ? 1 : 0);
}

}  // namespace fourcast
