// The opening book.
#include "../book.hpp"

#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "../errors.hpp"
#include "../text.hpp"
#include "convert.hpp"
#include "module.hpp"

namespace fourcast::bindings {
namespace {

using namespace nb::literals;

int score_of(const Book& book, const Position& position) {
    if (!book.covers(position)) {
        throw nb::key_error(text("the book covers positions of ", book.width(), "x", book.height(),
                                 " with up to ", book.plies(), " stones that are not over, not\n",
                                 position.diagram())
                                .c_str());
    }
    return book.score(position);
}

std::vector<Position> all_positions(nb::handle ply, nb::handle width, nb::handle height) {
    const auto stones = static_cast<int>(bounded(ply, "ply", 0, Book::max_plies));
    const Position board = board_of(width, height);
    const nb::gil_scoped_release no_gil;
    return book_positions(board.width(), board.height(), stones);
}

}  // namespace

void add_book(nb::module_& module) {
    nb::class_<Book>(module, "Book", nb::is_final(), nb::sig("@typing.final\nclass Book(object)"),
                     R"(The exact score of every position with up to so many stones, read from a file.

The file is mapped, not loaded. One that is cut off or altered is refused with BookError.)")
        .def(nb::new_([](const std::filesystem::path& path) {
                 return std::const_pointer_cast<Book>(Book::open(path));
             }),
             "path"_a)
        .def_prop_ro("width", &Book::width, "Columns of the board.")
        .def_prop_ro("height", &Book::height, "Rows of the board.")
        .def_prop_ro("plies", &Book::plies, "Stones of the deepest positions.")
        .def_prop_ro("bytes", &Book::bytes, "The size of the file.")
        .def_prop_ro(
            "counts",
            [](const Book& self) {
                nb::list counts;
                for (int ply = 0; ply <= self.plies(); ++ply) counts.append(self.positions(ply));
                return nb::tuple(counts);
            },
            nb::sig("def counts(self) -> tuple[int, ...]"),
            "How many positions it has with 0, 1, 2, ... stones; mirror images count once.")
        .def("__len__", [](const Book& self) { return self.positions(); })
        .def("__contains__", &Book::covers, "position"_a)
        .def("score", &score_of, "position"_a,
             "Return the exact score of a position; KeyError if the book does not cover it.")
        .def("__repr__", [](const Book& self) {
            return text("<Book ", self.width(), "x", self.height(), ", ", self.plies(), " plies, ",
                        self.positions(), " positions>");
        });
    module.def(
        "book_positions", &all_positions, given("ply"), nb::kw_only(), given("width") = 7,
        given("height") = 6,
        nb::sig("def book_positions(ply: int, *, width: int = 7, height: int = 6) -> list[Position]"),
        R"(Return all positions with *ply* stones that are not over, one of each two mirror images.

Neighbours in the list have much in common, and so has the work of solving them.

>>> len(book_positions(3))
121)");
    module.def("write_book", &write_book, "path"_a, "positions"_a, "scores"_a,
               nb::call_guard<nb::gil_scoped_release>(),
               R"(Write a book: *positions* as `book_positions` gave them, and the exact score of each.

The layers above follow from the deepest one. The same scores make the same file.)");
}

}  // namespace fourcast::bindings
