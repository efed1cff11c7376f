#include "system/value.hpp"

#include "board/position_value.hpp"
#include "system/errors.hpp"
#include "system/text.hpp"
#include "testing.hpp"

namespace fourcast {

TEST("values: JSON is read as it is written") {
    const Value value = object({{"score", -3},
                                {"share", 0.5},
                                {"best", std::vector{2, 4}},
                                {"square", std::pair(1, 2)},
                                {"none", nullptr},
                                {"text", "a\"b\\c\n"},
                                {"bits", u128{1} << 100}});
    CHECK(value.json() == R"({"score":-3,"share":0.5,"best":[2,4],"square":[1,2],"none":null,)"
                          R"("text":"a\"b\\c\u000a","bits":"1267650600228229401496703205376"})");
    CHECK(Value::from_json(value.json()) == value);
    CHECK(Value::from_json(" { } ") == Value(Value::Object{}));
    CHECK(*Value::from_json(R"("\u00e4\ud83d\ude00")").text() == "\xC3\xA4\xF0\x9F\x98\x80");
    CHECK(Value::from_json("1e2").number("it") == 100);
}

TEST("values: what is not JSON is refused") {
    for (const char* text : {"", "[1,]", "01", "-", "1.", "nul", "\"\\x\"", "[1] 2", "\"\\ud800\"",
                             "1e999", "+1", "{a:1}", "\"a\nb\""})
        CHECK_THROWS(Value::from_json(text), InvalidNotationError, "error.not_json");
    CHECK_THROWS(Value::from_json(R"({"a":1,"a":2})"), InvalidNotationError, "error.json_twice");
    CHECK_THROWS(Value::from_json(std::string(1000, '[')), InvalidNotationError, "error.not_json");
}

TEST("values: other types than the one that is asked for are refused") {
    const Value value = Value::from_json(R"({"column": 3, "moves": "44"})");
    CHECK(value.at("column").integer("column", 0, 6) == 3);
    CHECK(value.get("limit").is_null());
    CHECK_THROWS(value.at("limit"), OptionError, "error.value_missing");
    CHECK_THROWS(value.at("column").integer("column", 0, 2), OptionError, "error.out_of_range");
    CHECK_THROWS(value.at("moves").integer("moves", 0, 2), OptionError, "error.not_integer");
    CHECK_THROWS(value.at("column").text("column"), OptionError, "error.not_text");
}

TEST("values: a request names a position by rows, by a size, and by moves") {
    const auto read = [](const char* json) { return position_from(Value::from_json(json)); };
    CHECK(read("{}") == Position());
    CHECK(read(R"({"width": 8, "height": 7})") == Position(8, 7));
    const Position played = Position().play(3).play(3);
    CHECK(read(R"({"moves": "44", "column": 3})") == played);
    CHECK(position_from(position_value(played)) == played);
    CHECK(read(R"({"rows": "..../..../..../X...", "moves": "1"})").ply() == 2);
    CHECK_THROWS(read(R"({"moves": 44})"), OptionError, "error.not_text");
    CHECK_THROWS(read(R"({"width": 3})"), InvalidPositionError, "error.board_size");
    CHECK_THROWS(read(R"({"moves": "4\u00e4"})"), InvalidNotationError, "error.move_name");
    CHECK_THROWS(read(R"({"rows": "X"})"), InvalidPositionError, "error.board_size");
}

TEST("text: UTF-8 is read as it is written, and what is none becomes U+FFFD") {
    const std::u32string all = U"a\u00e4\u20ac\U0001f600";
    CHECK(utf32(utf8(all)) == all);
    CHECK(utf32("a\xC3") == U"a\ufffd");
    CHECK(utf32("\xC0\x80z") == U"\ufffd\ufffdz");
    CHECK(utf32("\xED\xA0\x80") == U"\ufffd\ufffd\ufffd");
    CHECK(utf32("\xFF") == U"\ufffd");
}

}  // namespace fourcast
