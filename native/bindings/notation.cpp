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
    constexpr int most_names = 35;
    Module(module)
        .def("parse_column", "text"_a, "width"_a = 7,
             R"(Return the column that a person means by *text*.

Past the ninth column both the letter and the number are understood. Raises InvalidNotationError.

>>> parse_column("4"), parse_column("a", width=12), parse_column("10", width=12)
(3, 9, 9)
>>> parse_column("8")
Traceback (most recent call last):
fourcast.errors.InvalidNotationError: there is no column '8': the columns are 1 to 7)",
             [](Any<"str"> name, Int<1, most_names> width) {
                 return parse_column(written(name, "a column"), width);
             })
        .def(
            "parse_diagram", "text"_a,
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
(4, 3, 2))",
            [](Any<"str"> diagram) { return parse_diagram(written(diagram, "a diagram")); })
        .def(
            "parse_rows", "text"_a,
            R"(Return the position of a diagram on one line, written in any way that `parse_diagram` reads.

>>> parse_rows("..../..../..../XO..") == Position("12", width=4, height=4)
True)",
            [](Any<"str"> rows) { return parse_rows(written(rows, "a diagram")); })
        .def("position_json", "position"_a,
             "Return *position* as the JSON object of the player protocol.",
             [](const Position& position) {
                 return Object<"dict[str, typing.Any]">{value_to(position_json(position))};
             })
        .def("position_from_json", "content"_a, "player"_a = 0,
             "Return the position of such an object; *player* is to move if it does not say.",
             [](Any<"object"> content, Int<0, 2> player) {
                 return position_from_json(value_from(content), player);
             })
        .def(
            "check_name", "name"_a, "code"_a,
            R"(Raise InvalidNotationError for a name that is not one printable line of at most 100 characters.

*code* is the pattern that says what it names.)",
            [](Any<"str"> name, const std::string& code) {
                study::check_name(text_from(name, "name"), code);
            })
        .def("draw", "function"_a, "shown"_a,
             "Return what a function of fourcast.render.notebook, imported when it is called, draws.",
             [](const std::string& function, Any<"object"> shown) {
                 return drawn_by(function.c_str())(shown);
             });
}

}  // namespace fourcast::bindings
