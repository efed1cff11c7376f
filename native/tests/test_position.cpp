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
    const auto name = [](const char* given, int place, const char* moves) {
        return object({{"name", given}, {"place", place}, {"moves", moves}, {"last", "7"}});
    };
    CHECK_REFUSED(after(U"44x"), InvalidNotationError, "error.move_name", name("'x'", 3, "'44x'"));
    CHECK_REFUSED(after(U"48"), InvalidNotationError, "error.move_name", name("'8'", 2, "'48'"));
    CHECK_REFUSED(after(U"0"), InvalidNotationError, "error.move_name", name("'0'", 1, "'0'"));
    CHECK_REFUSED(after(U"4\u00e9"), InvalidNotationError, "error.move_name",
                  name("'\xc3\xa9'", 2, "'4\xc3\xa9'"));
    const auto move = [](int number, const char* moves, const Error& why) {
        return object({{"number", number}, {"moves", moves}, {"why", why.said()}});
    };
    const auto full = [](const char* column) {
        return Error("error.column_full", {{"column", column}});
    };
    CHECK_REFUSED(after(U"1111111"), IllegalMoveError, "error.move_of", move(7, "'1111111'", full("1")));
    CHECK_REFUSED(after(U"12121213"), IllegalMoveError, "error.move_of",
                  move(8, "'12121213'", Error("error.game_over")));
    CHECK_REFUSED(after(U"aaaaa", 11, 4), IllegalMoveError, "error.move_of",
                  move(5, "'aaaaa'", full("a")));
}

TEST("A refusal says which column, why, and after how many discs") {
    const Position full = after(U"111111");
    CHECK(!full.refusal(1));
    const auto refusal = full.refusal(0);
    CHECK(refusal.has_value());
    CHECK(refusal->reason == Refusal::full);
    CHECK_EQUAL(refusal->column, 0);
    CHECK_EQUAL(refusal->ply, 6);
    CHECK_EQUAL(refusal->code(), std::string("error.column_full"));
    CHECK(after(U"1212121").refusal(3)->reason == Refusal::finished);
    CHECK(after(U"1212121").refusal(7)->reason == Refusal::off_the_board);
    const auto facts = [](const char* column, int last) {
        return object({{"column", column}, {"last", last}});
    };
    const auto huge = std::numeric_limits<long long>::max();
    CHECK_REFUSED(full.play(7), IllegalMoveError, "error.column_number", facts("7", 6));
    CHECK_REFUSED(full.play(-3), IllegalMoveError, "error.column_number", facts("-3", 6));
    CHECK_REFUSED(full.play(huge), IllegalMoveError, "error.column_number",
                  facts("9223372036854775807", 6));
    CHECK_REFUSED(Position(11, 4).play(11), IllegalMoveError, "error.column_number", facts("11", 10));
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
    const auto size = [](const char* width, const char* height) {
        return object({{"width", width}, {"height", height}, {"least", 4}, {"bits", 128}});
    };
    CHECK_REFUSED(Position(3, 6), InvalidPositionError, "error.board_size", size("3", "6"));
    CHECK_REFUSED(Position(7, 3), InvalidPositionError, "error.board_size", size("7", "3"));
    CHECK_REFUSED(Position(13, 9), InvalidPositionError, "error.board_size", size("13", "9"));
    CHECK_REFUSED(Position(-1, 6), InvalidPositionError, "error.board_size", size("-1", "6"));
    CHECK_EQUAL(Position(16, 7).cells(), 112);
    CHECK_EQUAL(Position(4, 31).cells(), 124);
    CHECK_EQUAL(Position(25, 4).cells(), 100);
}

TEST("Discs that cannot have arisen are refused with the reason") {
    const auto bit = [](int number) { return object({{"bit", number}, {"width", 7}, {"height", 6}}); };
    CHECK_REFUSED(discs(squares({{0, 6}}), 0), InvalidPositionError, "error.no_square", bit(6));
    CHECK_REFUSED(discs(u128{1} << 49, 0), InvalidPositionError, "error.no_square", bit(49));
    CHECK_THROWS(discs(squares({{2, 0}}), squares({{2, 0}})), InvalidPositionError,
                 "error.shared_square");
    CHECK_REFUSED(discs(squares({{2, 1}}), 0), InvalidPositionError, "error.floating_disc",
                  object({{"column", "3"}, {"row", 2}}));
    const Value one = object({{"player", 1}}), two = object({{"player", 2}});
    const auto counts = [&](int first, int second) {
        return object({{"first", first}, {"second", second}, {"one", one}, {"two", two}});
    };
    CHECK_REFUSED(discs(squares({{0, 0}, {1, 0}}), 0), InvalidPositionError, "error.disc_counts",
                  counts(2, 0));
    CHECK_REFUSED(discs(0, squares({{0, 0}})), InvalidPositionError, "error.disc_counts", counts(0, 1));
    const u128 left = squares({{0, 0}, {0, 1}, {0, 2}, {0, 3}});
    const u128 right = squares({{6, 0}, {6, 1}, {6, 2}, {6, 3}});
    CHECK_THROWS(discs(left, right), InvalidPositionError, "error.two_winners");
    CHECK_REFUSED(discs(left, squares({{1, 0}, {2, 0}, {3, 0}, {5, 0}})), InvalidPositionError,
                  "error.moved_on", object({{"player", two}, {"opponent", one}}));
    CHECK_REFUSED(discs(squares({{1, 0}, {2, 0}, {3, 0}, {5, 0}, {5, 1}}), left), InvalidPositionError,
                  "error.moved_on", object({{"player", one}, {"opponent", two}}));
}

TEST("Fours that no one disc can have completed together are refused") {
    const u128 two_columns = squares({{0, 0}, {0, 1}, {0, 2}, {0, 3}, {6, 0}, {6, 1}, {6, 2}, {6, 3}});
    const u128 others = squares({{1, 0}, {1, 1}, {2, 0}, {2, 1}, {4, 0}, {4, 1}, {5, 0}});
    CHECK_THROWS(discs(two_columns, others), InvalidPositionError, "error.won_before");
    // A four with a disc on top of each of its squares is an old one.
    const u128 buried = squares({{0, 0}, {1, 0}, {2, 0}, {3, 0}, {3, 1}});
    const u128 upon = squares({{0, 1}, {1, 1}, {2, 1}, {5, 0}});
    CHECK_THROWS(discs(buried, upon), InvalidPositionError, "error.won_before");
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
    CHECK_THROWS(discs(upper, bottom), InvalidPositionError, "error.no_last_disc");
    CHECK_THROWS(discs(upper | squares({{2, 1}}), bottom | squares({{2, 0}})), InvalidPositionError,
                 "error.no_last_disc");
    CHECK_THROWS(discs(upper | squares({{0, 2}}), bottom), InvalidPositionError, "error.no_first_disc");
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
