#include "variant.hpp"

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

std::string Rules::text() const {
    std::string result;
    const auto add = [&](const std::string& part) { result += (result.empty() ? "" : ",") + part; };
    if (connect != 4) add(fourcast::text("connect=", int{connect}));
    if (wrap) add("wrap");
    if (misere) add("misere");
    if (pop) add("pop");
    return result;
}

Rules Rules::parse(std::u32string_view given) {
    long long connect = 4;
    bool wrap = false, misere = false, pop = false;
    for (std::u32string_view rest = given; !rest.empty();) {
        const std::u32string_view part = stripped(rest.substr(0, rest.find(U',')));
        rest.remove_prefix(std::min(rest.find(U','), rest.size() - 1) + 1);
        const auto number = part.starts_with(U"connect=") ? number_of(part.substr(8), 2) : std::nullopt;
        if (number)
            connect = *number;
        else if (part == U"wrap")
            wrap = true;
        else if (part == U"misere")
            misere = true;
        else if (part == U"pop")
            pop = true;
        else
            throw InvalidNotationError("error.rules_text", {{"given", quoted(given)}});
    }
    return make_rules(connect, wrap, misere, pop);
}

std::string Rules::repr() const {
    std::string result;
    const auto add = [&](const std::string& part) { result += (result.empty() ? "" : ", ") + part; };
    if (connect != 4) add(fourcast::text("connect=", int{connect}));
    if (wrap) add("wrap=True");
    if (misere) add("misere=True");
    if (pop) add("pop=True");
    return fourcast::text("Rules(", result, ")");
}

std::size_t Rules::hash() const {
    return std::size_t{connect} * 8 + (wrap ? 4 : 0) + (misere ? 2 : 0) + (pop ? 1 : 0);
}

}  // namespace fourcast
