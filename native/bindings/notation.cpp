#include "board/notation.hpp"

#include <nanobind/stl/string.h>

#include "ask.hpp"
#include "convert.hpp"
#include "module.hpp"
#include "study/game.hpp"
#include "system/errors.hpp"

namespace fourcast::bindings {
namespace {

/// The characters of a str that people have written. Throws InvalidNotationError if there are too many.
std::u32string written(nb::handle value, const char* what) {
    if (!PyUnicode_Check(value.ptr())) wrong_type(what, "a str", value);
    if (const Py_ssize_t length = PyUnicode_GetLength(value.ptr()); length > max_text)
        throw InvalidNotationError("error.written_long",
                                   {{"what", what}, {"characters", length}, {"text", quote(value)}});
    return text_from(value, what);
}

}  // namespace

void add_notation(nb::module_& module) {
    module.def(
        "parse_column",
        [](nb::handle name, nb::handle width) {
            const auto columns = static_cast<int>(bounded(width, "width", 1, 35));
            return parse_column(written(name, "a column"), columns);
        },
        given("text"), given("width") = 7, nb::sig("def parse_column(text: str, width: int = 7) -> int"),
        R"(Return the column that a person means by *text*.

Past the ninth column both the letter and the number are understood. Raises InvalidNotationError.

>>> parse_column("4"), parse_column("a", width=12), parse_column("10", width=12)
(3, 9, 9)
>>> parse_column("8")
Traceback (most recent call last):
fourcast.errors.InvalidNotationError: there is no column '8': the columns are 1 to 7)");

    module.def(
        "parse_diagram", [](nb::handle diagram) { return parse_diagram(written(diagram, "a diagram")); },
        given("text"), nb::sig("def parse_diagram(text: str) -> Position"),
        R"(Return the position that a diagram shows, top row first, as any part of fourcast prints it.

Squares are `X`, `O` and `.`, or `R`, `Y` and `.`, or discs and `..`, with or without spaces between. A
frame, a line of column names (numbers, or letters from `a`), numbers of rows, marks around the last move
or a four, and colors are understood and not needed. Raises InvalidNotationError with the line and the
character that cannot be read, and InvalidPositionError if no game leads there; X, which is red, always
started.

>>> position = parse_diagram('''
...     1 2 3 4
...     . . . .
...     . . . .
...     . O . .
...     X X . .
... ''')
>>> position.width, position.ply, position.turn
(4, 3, 2))");

    module.def(
        "parse_rows", [](nb::handle rows) { return parse_rows(written(rows, "a diagram")); },
        given("text"), nb::sig("def parse_rows(text: str) -> Position"),
        R"(Return the position of a diagram on one line, written in any way that `parse_diagram` reads.

>>> parse_rows("..../..../..../XO..") == Position("12", width=4, height=4)
True)");

    module.def(
        "position_json", [](const Position& position) { return value_to(position_json(position)); },
        nb::arg("position"), nb::sig("def position_json(position: Position) -> dict[str, typing.Any]"),
        "Return *position* as the JSON object of the player protocol.");

    module.def(
        "position_from_json",
        [](nb::handle content, int player) { return position_from_json(value_from(content), player); },
        given("content"), nb::arg("player") = 0,
        nb::sig("def position_from_json(content: object, player: int = 0) -> Position"),
        "Return the position of such an object; *player* is to move if it does not say.");

    module.def(
        "check_name",
        [](nb::handle name, const std::string& code) {
            study::check_name(text_from(name, "name"), code);
        },
        given("name"), nb::arg("code"), nb::sig("def check_name(name: str, code: str) -> None"),
        "Raise InvalidNotationError for a name that is not one printable line of at most 100 "
        "characters.\n"
        "*code* is the pattern that says what it names.");

    module.def("draw", &draw, nb::arg("function"), given("shown"),
               nb::sig("def draw(function: str, shown: object) -> str"),
               "Return what a function of fourcast.render.notebook, imported when it is called, draws.");
}

}  // namespace fourcast::bindings
