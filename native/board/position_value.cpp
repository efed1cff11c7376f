#include "position_value.hpp"

#include "moves_text.hpp"
#include "system/text.hpp"

namespace fourcast {
namespace {

/// The empty board or the diagram.
Position start_from(const Value& request) {
    if (const Value& rows = request.get("rows"); !rows.is_null())
        return Position::from_rows(utf32(rows.text("rows")));
    const auto side = [&](const char* name, int usual) {
        const Value& given = request.get(name);
        return given.is_null() ? usual : static_cast<int>(given.integer(name, 0, max_bits));
    };
    const Value& rules = request.get("rules");
    return Position(side("width", 7), side("height", 6),
                    rules.is_null() ? Rules{} : Rules::parse(utf32(rules.text("rules"))));
}

}  // namespace

Position position_from(const Value& request) {
    const Position position = ruled_position_from(request);
    require_standard(position);
    return position;
}

Position ruled_position_from(const Value& request) {
    const Position start = start_from(request);
    const Value& moves = request.get("moves");
    return moves.is_null() ? start : play_text(start, utf32(moves.text("moves")));
}

Value position_value(const Position& position) { return object({{"rows", position.rows()}}); }

}  // namespace fourcast
