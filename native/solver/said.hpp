// What is said to people: patterns of the message catalog, and the facts that fill them.
//
// The core decides what is said, and a home only fills: a sentence is {"pattern": name, "facts": {...}},
// and each fact is one of
//   * a number or a text, as it stands;
//   * {"player": 1}: what the home calls that player;
//   * another sentence, filled first;
//   * a list of facts, joined by ", ".
// `fourcast.render.said` and words/said.js of the page fill them. Columns and rows count from 1 in
// facts, as they do wherever people read them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "answers.hpp"
#include "system/errors.hpp"
#include "system/value.hpp"

namespace fourcast {

/// A sentence, or a part of one.
Value say(std::string_view pattern, std::initializer_list<Value::Member> facts = {});

/// The pattern of a sentence; empty if it is null.
const std::string& pattern_of(const Value& sentence);

/// What the home calls player 1 or 2.
Value said_player(int player);
/// The name of a column: 1 to 9, then a, b and so on.
std::string said_column(int column);
/// "column 4", "columns 2, 3 and 4".
Value said_columns(const std::vector<int>& columns);
/// "column 4, row 3".
Value said_square(const Square& square);
/// "column 4, row 3 and column 5, row 1", or with "or".
Value said_both(const std::vector<Square>& squares);
Value said_either(const std::vector<Square>& squares);

/// What the side to move gets, as what comes after "it": "wins in 5 moves", "at most draws".
Value said_bounds(const Proven& proven);
/// The same with `ply` discs on a board of this many squares.
Value said_bounds(int cells, int ply, int lower, int upper, bool misere = false);

}  // namespace fourcast
