// The opening book.
#include "book/book_file.hpp"

#include <nanobind/make_iterator.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "convert.hpp"
#include "interpreter.hpp"
#include "module.hpp"
#include "system/errors.hpp"
#include "system/text.hpp"

namespace fourcast::bindings {
namespace {

using namespace nb::literals;

int score_of(const Book& book, const Position& position) {
    if (!book.covers(position)) {
        throw nb::key_error(
            text("the book covers positions of ", book.width(), "x", book.height(), " with up to ",
                 book.plies(),
                 " discs that are not over, and no position that no order of moves leads to; "
                 "not\n",
                 position.diagram())
                .c_str());
    }
    return book.score(position);
}

/// Millions of positions, of which Python sees those that it asks for.
struct PositionList {
    std::vector<Position> positions;

    const Position& at(nb::ssize_t index) const {
        const auto size = static_cast<nb::ssize_t>(positions.size());
        if (index < 0) index += size;
        if (index < 0 || index >= size) throw nb::index_error("PositionList index out of range");
        return positions[static_cast<std::size_t>(index)];
    }
    std::vector<Position> slice(const nb::slice& wanted) const {
        const auto [start, stop, step, length] = wanted.compute(positions.size());
        std::vector<Position> chosen;
        chosen.reserve(length);
        auto index = static_cast<nb::ssize_t>(start);
        for (std::size_t i = 0; i < length; ++i, index += static_cast<nb::ssize_t>(step))
            chosen.push_back(positions[static_cast<std::size_t>(index)]);
        return chosen;
    }
};

PositionList all_positions(nb::handle ply, nb::handle width, nb::handle height) {
    const auto discs = static_cast<int>(bounded(ply, "ply", 0, Book::max_plies));
    const Position board = board_of(width, height);
    const WithoutGil no_gil;
    return {book_positions(board.width(), board.height(), discs, check_signals)};
}

}  // namespace

void add_book(nb::module_& module) {
    nb::class_<Book>(module, "Book", nb::is_final(), nb::sig("@typing.final\nclass Book(object)"),
                     R"(The exact score of every position with up to `plies` discs, read from a file.

The file is read into memory, so nothing that happens to it later matters. One that is cut off, altered or
impossible is refused with BookError.)")
        .def(nb::new_([](const std::filesystem::path& path) {
                 return std::const_pointer_cast<Book>(open_book(path));
             }),
             "path"_a)
        .def_prop_ro("width", &Book::width, "Columns of the board.")
        .def_prop_ro("height", &Book::height, "Rows of the board.")
        .def_prop_ro("plies", &Book::plies, "Discs of the deepest positions.")
        .def_prop_ro("bytes", &Book::bytes, "The size of the file.")
        .def_prop_ro(
            "line_plies",
            [](const Book& self) {
                return self.lines() ? std::optional(self.lines()->scope().roots) : std::nullopt;
            },
            "Discs of the deepest positions whose lines go on by the line book beside it; None without "
            "one.")
        .def_prop_ro(
            "counts",
            [](const Book& self) {
                nb::list counts;
                for (int ply = 0; ply <= self.plies(); ++ply) counts.append(self.positions(ply));
                return nb::tuple(counts);
            },
            nb::sig("def counts(self) -> tuple[int, ...]"),
            "How many positions it has with 0, 1, 2, ... discs; mirror images count once.")
        .def("__len__", [](const Book& self) { return self.positions(); })
        .def("__contains__", &Book::covers, "position"_a)
        .def("score", &score_of, "position"_a,
             "Return the exact score of a position; KeyError if the book does not cover it.")
        .def("__repr__", [](const Book& self) {
            return text("<Book ", self.width(), "x", self.height(), ", ", self.plies(), " plies, ",
                        self.positions(), " positions>");
        });
    nb::class_<PositionList>(
        module, "PositionList", nb::is_final(), nb::sig("@typing.final\nclass PositionList(object)"),
        "All positions of a layer of a book: like a list, but nothing is made of those not asked for.")
        .def("__len__", [](const PositionList& self) { return self.positions.size(); })
        .def("__getitem__", &PositionList::at, "index"_a,
             nb::sig("def __getitem__(self, index: int, /) -> Position"))
        .def("__getitem__", &PositionList::slice, "index"_a,
             nb::sig("def __getitem__(self, index: slice, /) -> list[Position]"))
        .def(
            "__iter__",
            [](const PositionList& self) {
                return nb::make_iterator(nb::type<PositionList>(), "PositionIterator",
                                         self.positions.begin(), self.positions.end());
            },
            nb::keep_alive<0, 1>(), nb::sig("def __iter__(self) -> typing.Iterator[Position]"));
    module.def(
        "book_positions", &all_positions, given("ply"), nb::kw_only(), given("width") = 7,
        given("height") = 6,
        nb::sig("def book_positions(ply: int, *, width: int = 7, height: int = 6) -> PositionList"),
        R"(Return all positions with *ply* discs that are not over, one of each two mirror images.

Neighbors in the list have much in common, and so has the work of solving them. Raises BookError for
more than 16,777,216 positions.

>>> len(book_positions(3))
121)");
    module.def(
        "write_book",
        [](const std::filesystem::path& path, const PositionList& positions,
           const std::vector<int>& scores) {
            const WithoutGil no_gil;
            write_book(path, positions.positions, scores, check_signals);
        },
        "path"_a, "positions"_a, "scores"_a,
        R"(Write a book: *positions* as `book_positions` gave them, and the exact score of each.

The layers above follow from the deepest one. The same scores make the same file, which takes the place of
another one only when it is whole.)");
    module.def(
        "write_line_book",
        [](const std::filesystem::path& path, nb::handle roots, nb::handle first, nb::handle last,
           const std::vector<Position>& positions, const std::vector<int>& choices) {
            if (positions.empty() || positions.size() != choices.size())
                throw BookError("error.line_book_choices");
            const auto discs = [&](nb::handle value, const char* name) {
                return static_cast<int>(bounded(value, name, 0, max_bits));
            };
            const LineBook::Scope scope{positions.front().width(), positions.front().height(),
                                        discs(roots, "roots"), discs(first, "first"),
                                        discs(last, "last")};
            const WithoutGil no_gil;
            std::vector<std::pair<Position, int>> pairs;
            for (std::size_t i = 0; i < positions.size(); ++i)
                pairs.emplace_back(positions[i], choices[i]);
            write_line_book(path, scope, pairs, check_signals);
        },
        "path"_a, given("roots"), given("first"), given("last"), "positions"_a, "choices"_a,
        nb::sig("def write_line_book(path: str | os.PathLike[str], roots: int, first: int, last: int, "
                "positions: collections.abc.Sequence[Position], "
                "choices: collections.abc.Sequence[int]) -> None"),
        R"(Write a line book: how lines go on in the *positions*, with *first* to *last* discs.

They are all positions that lines of positions with up to *roots* discs pass. A choice is the number of
the column that the line takes in `search_order`.)");
}

}  // namespace fourcast::bindings
