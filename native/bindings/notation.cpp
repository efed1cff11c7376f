#include "board/notation.hpp"

#include "convert.hpp"
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
    return Reads<std::u32string>::from(value, what);
}

}  // namespace

void add_notation(nb::module_& module) {
    constexpr int most_names = 35;
    Module(module)
        .def("parse_column",
             [](nb::handle name, Int<1, most_names> width) {
                 return parse_column(written(name, "a column"), width);
             })
        .def("parse_diagram",
             [](nb::handle diagram) { return parse_diagram(written(diagram, "a diagram")); })
        .def("parse_rows", [](nb::handle rows) { return parse_rows(written(rows, "a diagram")); })
        .def("position_json", [](const Position& position) { return value_to(position_json(position)); })
        .def("position_from_json",
             [](nb::handle content, Int<0, 2> player) {
                 return position_from_json(value_from(content), player);
             })
        .def("check_name",
             [](const std::u32string& name, const std::string& code) { study::check_name(name, code); })
        .def("draw", [](const std::string& function, nb::handle shown) {
            return drawn_by(function.c_str(), shown);
        });
}

}  // namespace fourcast::bindings
