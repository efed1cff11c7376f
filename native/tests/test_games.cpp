#include <array>

#include "study/ask.hpp"
#include "study/game_file.hpp"
#include "study/moment.hpp"
#include "system/errors.hpp"
#include "system/reading.hpp"
#include "system/text.hpp"
#include "testing.hpp"

namespace fourcast::study {
namespace {

Value asked(const char* question, const Value& request) { return ask(question, request, {}); }

Value new_record() {
    Value record = asked("game.new", Value::from_json(R"({"width": 7, "height": 6, "moves": "44"})"));
    record.add("chairs",
               Value::from_json(R"([{"kind": "person"}, {"kind": "computer", "player": "x"}])"));
    return record;
}

}  // namespace

TEST("texts: words and lines end at the spaces and line ends of Unicode") {
    CHECK(lines_of(U"a\r\nb\u2028\u0085c").size() == 4);
    CHECK(words_of(U"  a\u00a0b\tc ").size() == 3);
    CHECK(stripped(U"\u3000a b ") == U"a b");
    CHECK(!number_of(U"12x", 3) && !number_of(U"1234", 3) && number_of(U"012", 3) == 12);
    constexpr std::array<std::string_view, 2> names{"first", "second"};
    CHECK(nearest("frist", names) == "first");
    CHECK(!nearest("rounds", names));
}

TEST("texts: the fewest digits of a number are read back as the same") {
    CHECK(shortest(3) == "3");
    CHECK(shortest(0.1) == "0.1");
    CHECK(shortest(1e300) == "1e+300");
    CHECK(shortest(123456.75) == "123456.75");
    CHECK(shortest(1e-5) == "1e-05");
    CHECK(shortest(0) == "0");
}

TEST("moments are told in UTC, and refused without a time zone") {
    CHECK(utc_moment(U"2024-02-29T23:30:00-01:00") == "2024-03-01T00:30:00Z");
    CHECK(utc_moment(U"9999-12-31T23:59:59.5Z") == "9999-12-31T23:59:59.500000Z");
    CHECK(utc_moment(U"0001-01-01 00:00Z") == "0001-01-01T00:00:00Z");
    for (const char32_t* text : {U"2023-02-29T00:00Z", U"2024-1-1T00:00Z", U"yesterday", U"2024", U""})
        CHECK_THROWS(utc_moment(text), InvalidNotationError, "error.not_time");
    CHECK_THROWS(utc_moment(U"2024-01-01T00:00"), OptionError, "error.time_zone");
    CHECK_THROWS(utc_moment(U"9999-12-31T23:00:00-02:00"), OptionError, "error.time_range");
}

TEST("game files are read as they are written") {
    const SavedGame saved = from_text(U"First: Ada\nUndone: 5@9.5 3\n\n1. 4@1.5 4@3\n2. 5", 7, 6);
    CHECK(from_text(utf32(to_text(saved)), 7, 6).game.undone() == saved.game.undone());
    CHECK(value_of(from_json(utf32(to_json(saved)))) == value_of(saved));
    CHECK(value_of(saved_game_from(value_of(saved))) == value_of(saved));
    CHECK_THROWS(from_text(U"44\n48", 7, 6), GameFileError, "error.at");
    CHECK(recognize(U"d1 d2 c1", 7, 6).game.moves().size() == 3);
    CHECK(recognize(U"https://x/board?start=..../..../..../XO..&moves=1", 7, 6).game.position().ply() ==
          3);
}

TEST("a person takes back their move with the computer's answer, and plays both again") {
    Value record = new_record();
    const Value request = object({{"record", record}, {"sides", std::vector{1}}, {"kind", "undo"}});
    const Value undone = asked("game.act", request);
    CHECK(undone.at("moves").array("moves").empty());
    CHECK(undone.at("undone").array("undone").size() == 2);
    const auto refusal = [&](const char* kind) {
        const Value answer =
            asked("game.act", object({{"record", record}, {"sides", std::vector{1}}, {"kind", kind}}));
        return answer.at("refused").at("code");
    };
    CHECK(refusal("redo") == Value("error.no_redo"));
    CHECK(refusal("offer-draw") == Value("error.computer_plays_on"));
    CHECK(refusal("offer-rematch") == Value("error.not_over"));
}

TEST("a resignation is data, and the computer is not to move after it") {
    Value record = new_record();
    const Value resigned =
        asked("game.act", object({{"record", record}, {"sides", std::vector{1}}, {"kind", "resign"}}));
    CHECK(resigned.at("end").at("winner") == Value(2));
    CHECK(resigned.at("end").at("termination") == Value("resignation"));
    CHECK(asked("game.standing", object({{"record", record}})).get("computer").is_null());
    const Value played = asked(
        "game.play", object({{"record", record}, {"sides", std::vector{2}}, {"column", 0}, {"ply", 2}}));
    CHECK(played.at("refused").at("code") == Value("error.other_turn"));
}

TEST("a win is a point, a draw half of one, and a rematch begins with the points exchanged") {
    const auto ended = [](std::string_view end) {
        return Value::from_json(text(R"({"record": {"width": 7, "height": 6, "moves": [], "undone": [],
            "chairs": [{}, {}], "points": [1, 0.5], "end": {)",
                                     end, "}}}"));
    };
    const Value won = ended(R"("winner": 2, "termination": "resignation")");
    const Value drawn = ended(R"("winner": null, "termination": "agreement")");
    CHECK(asked("game.standing", won).at("points") == Value(Value::Array{1.0, 1.5}));
    CHECK(asked("game.rematch", won).at("points") == Value(Value::Array{1.5, 1.0}));
    CHECK(asked("game.rematch", drawn).at("points") == Value(Value::Array{1.0, 1.5}));
    CHECK(asked("game.standing", object({{"record", new_record()}})).get("points").is_null());
}

}  // namespace fourcast::study
