#include "board/position.hpp"

#include <initializer_list>
#include <limits>

#include "board/moves_text.hpp"
#include "system/errors.hpp"
#include "system/text.hpp"
#include "testing.hpp"

namespace fourcast {
namespace {

Position after(std::u32string_view moves, int width = 7, int height = 6) {
    return play_text(Position(width, height), moves);
}

/// The bits of squares given as {column, row}, on a board of height 6.
u128 squares(std::initializer_list<std::pair<int, int>> list) {
    u128 result = 0;
    for (const auto& [column, row] : list) result |= u128{1} << (column * 7 + row);
    return result;
}

Position discs(u128 first, u128 second) { return Position::from_discs(first, second, 7, 6); }

TEST("A move string plays 1-based columns, letters past 9 in either case") {
    CHECK_EQUAL(after(U"4455").ply(), 4);
    CHECK_EQUAL(after(U"4455").at(3, 1), 2);
    CHECK_EQUAL(after(U"aB", 12, 4).at(9, 0), 1);
    CHECK_EQUAL(after(U"aB", 12, 4).at(10, 0), 2);
    for (int column = 0; column < 25; ++column) {
        CHECK_EQUAL(column_of_character(static_cast<char32_t>(column_name(column))), column);
    }
}

TEST("A bad move string names the character and its place") {
    CHECK_THROWS(after(U"44x"), InvalidNotationError, "'x' at place 3 of '44x'");
    CHECK_THROWS(after(U"48"), InvalidNotationError,
                 "'8' at place 2 of '48' is not a column: they are 1 to 7");
    CHECK_THROWS(after(U"0"), InvalidNotationError, "'0' at place 1");
    CHECK_THROWS(after(U"4\u00e9"), InvalidNotationError, "'\xc3\xa9' at place 2");
    CHECK_THROWS(after(U"1111111"), IllegalMoveError, "move 7 of '1111111': column 1 is full");
    CHECK_THROWS(after(U"12121213"), IllegalMoveError, "move 8 of '12121213': the game is over");
    CHECK_THROWS(after(U"aaaaa", 11, 4), IllegalMoveError, "move 5 of 'aaaaa': column a is full");
}

TEST("A refusal says which column, why, and after how many discs") {
    const Position full = after(U"111111");
    CHECK(!full.refusal(1));
    const auto refusal = full.refusal(0);
    CHECK(refusal.has_value());
    CHECK(refusal->reason == Refusal::full);
    CHECK_EQUAL(refusal->column, 0);
    CHECK_EQUAL(refusal->ply, 6);
    CHECK_EQUAL(std::string(refusal->what()), std::string("column 1 is full"));
    CHECK(after(U"1212121").refusal(3)->reason == Refusal::finished);
    CHECK(after(U"1212121").refusal(7)->reason == Refusal::off_the_board);
    CHECK_THROWS(full.play(7), IllegalMoveError, "there is no column 8: the columns are 1 to 7");
    CHECK_THROWS(full.play(-3), IllegalMoveError, "there is no column -2: the columns are 1 to 7");
    CHECK_THROWS(full.play(std::numeric_limits<long long>::max()), IllegalMoveError,
                 "there is no column 9223372036854775808: ");
    CHECK_THROWS(Position(11, 4).play(11), IllegalMoveError, "no column 12: the columns are 1 to b");
}

TEST("A quote is cut when long, and escaped where it cannot be shown") {
    CHECK_EQUAL(quoted(std::u32string(60, U'4')), "'" + std::string(60, '4') + "'");
    CHECK_EQUAL(quoted(std::u32string(61, U'4')), "'" + std::string(50, '4') + "...' (61 characters)");
    CHECK_EQUAL(quoted(U"a\n'\\"), std::string("\"a\\n'\\\\\""));
    CHECK_EQUAL(quoted(U"'\""), std::string("'\\'\"'"));
    const char32_t surrogate = 0xdc80;
    CHECK_EQUAL(quoted({&surrogate, 1}), std::string("'\\udc80'"));
    CHECK_EQUAL(quoted(U"\u202e\U000e0041"), std::string("'\\u202e\\U000e0041'"));
    CHECK_EQUAL(quoted(U"\U0001f534"), std::string("'\xf0\x9f\x94\xb4'"));
}

TEST("A win with the last disc is a win and not a draw") {
    const Position position = after(U"211131416572345677654327654322345677654321");
    CHECK_EQUAL(position.ply(), 42);
    CHECK(position.is_full());
    CHECK(position.is_over());
    CHECK(!position.is_draw());
    CHECK_EQUAL(position.winner(), 2);
}

TEST("Sizes that are not played are refused") {
    CHECK_THROWS(Position(3, 6), InvalidPositionError, "width 3 and height 6");
    CHECK_THROWS(Position(7, 3), InvalidPositionError, "at least 4");
    CHECK_THROWS(Position(13, 9), InvalidPositionError, "at most 128");
    CHECK_THROWS(Position(-1, 6), InvalidPositionError, "width -1");
    CHECK_EQUAL(Position(16, 7).cells(), 112);
    CHECK_EQUAL(Position(4, 31).cells(), 124);
    CHECK_EQUAL(Position(25, 4).cells(), 100);
}

TEST("Discs that cannot have arisen are refused with the reason") {
    CHECK_THROWS(discs(squares({{0, 6}}), 0), InvalidPositionError, "bit 6 is not a square");
    CHECK_THROWS(discs(u128{1} << 49, 0), InvalidPositionError, "bit 49 is not a square");
    CHECK_THROWS(discs(squares({{2, 0}}), squares({{2, 0}})), InvalidPositionError, "both players");
    CHECK_THROWS(discs(squares({{2, 1}}), 0), InvalidPositionError,
                 "floats above an empty square: column 3, row 2 from the bottom");
    CHECK_THROWS(discs(squares({{0, 0}, {1, 0}}), 0), InvalidPositionError,
                 "has 2 discs and the second 0");
    CHECK_THROWS(discs(0, squares({{0, 0}})), InvalidPositionError, "has 0 discs and the second 1");
    const u128 left = squares({{0, 0}, {0, 1}, {0, 2}, {0, 3}});
    const u128 right = squares({{6, 0}, {6, 1}, {6, 2}, {6, 3}});
    CHECK_THROWS(discs(left, right), InvalidPositionError, "both players have four");
    CHECK_THROWS(discs(left, squares({{1, 0}, {2, 0}, {3, 0}, {5, 0}})), InvalidPositionError,
                 "moved on after");
    CHECK_THROWS(discs(squares({{1, 0}, {2, 0}, {3, 0}, {5, 0}, {5, 1}}), left), InvalidPositionError,
                 "the first player moved on after");
}

TEST("Fours that no one disc can have completed together are refused") {
    const u128 two_columns = squares({{0, 0}, {0, 1}, {0, 2}, {0, 3}, {6, 0}, {6, 1}, {6, 2}, {6, 3}});
    const u128 others = squares({{1, 0}, {1, 1}, {2, 0}, {2, 1}, {4, 0}, {4, 1}, {5, 0}});
    CHECK_THROWS(discs(two_columns, others), InvalidPositionError, "had won before the last disc");
    // A four with a disc on top of each of its squares is an old one.
    const u128 buried = squares({{0, 0}, {1, 0}, {2, 0}, {3, 0}, {3, 1}});
    const u128 upon = squares({{0, 1}, {1, 1}, {2, 1}, {5, 0}});
    CHECK_THROWS(discs(buried, upon), InvalidPositionError, "had won before the last disc");
}

TEST("One disc may complete several fours at once") {
    // A row of seven, its middle disc dropped last.
    const u128 row = squares({{0, 0}, {1, 0}, {2, 0}, {3, 0}, {4, 0}, {5, 0}, {6, 0}});
    const u128 above = squares({{0, 1}, {1, 1}, {2, 1}, {4, 1}, {5, 1}, {6, 1}});
    const Position position = discs(row, above);
    CHECK_EQUAL(position.winner(), 1);
    CHECK(position.winning_squares() == row);
}

TEST("Discs of which none can have been the first or the last are refused") {
    // Both of the first player's discs lie on the second's: who began?
    const u128 bottom = squares({{0, 0}, {1, 0}});
    const u128 upper = squares({{0, 1}, {1, 1}});
    CHECK_THROWS(discs(upper, bottom), InvalidPositionError, "moved last");
    CHECK_THROWS(discs(upper | squares({{2, 1}}), bottom | squares({{2, 0}})), InvalidPositionError,
                 "moved last");
    CHECK_THROWS(discs(upper | squares({{0, 2}}), bottom), InvalidPositionError, "bottom row");
}

TEST("Every position of a game is accepted when rebuilt from its discs") {
    Position position;
    for (const char32_t move : std::u32string_view(U"211131416572345677654327654322345677654321")) {
        position = position.play(column_of_character(move));
        CHECK(Position::from_discs(position.first(), position.second(), 7, 6) == position);
    }
}

TEST("A mirror image has the same canonical key and another key") {
    const Position position = after(U"4412");
    CHECK(position.mirror() == after(U"4476"));
    CHECK(position.key() != position.mirror().key());
    CHECK(position.canonical_key() == position.mirror().canonical_key());
}

TEST("A key is the first player's discs with a 1 above each column") {
    CHECK(Position().key() == squares({{0, 0}, {1, 0}, {2, 0}, {3, 0}, {4, 0}, {5, 0}, {6, 0}}));
    CHECK(after(U"11").key() ==
          (squares({{0, 0}, {0, 2}, {1, 0}, {2, 0}, {3, 0}, {4, 0}, {5, 0}, {6, 0}})));
}

TEST("A position shows itself as Python would make it") {
    CHECK_EQUAL(Position().repr(), std::string("Position()"));
    CHECK_EQUAL(Position(8, 7).repr(), std::string("Position(width=8, height=7)"));
    CHECK_EQUAL(after(U"12").repr(),
                std::string("Position.from_rows('......./......./......./......./......./XO.....')"));
    CHECK_EQUAL(after(U"1", 5, 4).repr(), std::string("Position.from_rows('...../...../...../X....')"));
}

}  // namespace
}  // namespace fourcast
