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

namespace fourcast::bindings {
namespace {

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

}  // namespace

void add_book(nb::module_& module) {
    Class<Book> book(module, "Book",
                     R"(The exact score of every position with up to `plies` discs, read from a file.

The whole file is read into memory, so later changes to it have no effect. A file that is cut off, altered
or impossible is refused with BookError.)");
    nb::class_<Book>& plain = book;
    plain.def(nb::new_([](const std::filesystem::path& path) {
                  return std::const_pointer_cast<Book>(open_book(path));
              }),
              "path"_a);
    book.get("width", "Columns of the board.", &Book::width)
        .get("height", "Rows of the board.", &Book::height)
        .get("plies", "Discs of the deepest positions.", &Book::plies)
        .get("bytes", "The size of the file.", &Book::bytes)
        .get("line_plies",
             "Discs of the deepest positions whose lines its line book continues; None without one.",
             [](const Book& self) {
                 return self.lines() ? std::optional(self.lines()->scope().roots) : std::nullopt;
             })
        .get("counts", "How many positions it has with 0, 1, 2, ... discs; mirror images count once.",
             [](const Book& self) {
                 std::vector<u64> counts;
                 for (int ply = 0; ply <= self.plies(); ++ply) counts.push_back(self.positions(ply));
                 return Tuple(counts);
             })
        .def("__len__", [](const Book& self) { return self.positions(); })
        .def("__contains__", "position"_a,
             [](const Book& self, const Position& position) { return self.covers(position); })
        .def("score", "position"_a,
             "Return the exact score of a position; KeyError if the book does not cover it.",
             [](const Book& self, const Position& position) { return score_of(self, position); })
        .def("__repr__", [](const Book& self) {
            return text("<Book ", self.width(), "x", self.height(), ", ", self.plies(), " plies, ",
                        self.positions(), " positions>");
        });
    Class<PositionList>(
        module, "PositionList",
        "All positions of a layer of a book: like a list that makes its items on demand.")
        .def("__len__", [](const PositionList& self) { return self.positions.size(); })
        .def("__getitem__", "index"_a,
             [](const PositionList& self, nb::ssize_t index) { return self.at(index); })
        .def("__getitem__", "index"_a,
             [](const PositionList& self, const nb::slice& index) { return self.slice(index); })
        .def("__iter__", nb::keep_alive<0, 1>(),
             [](const PositionList& self) -> nb::typed<nb::iterator, Position> {
                 return nb::make_iterator(nb::type<PositionList>(), "PositionIterator",
                                          self.positions.begin(), self.positions.end());
             });
    Module(module)
        .def(
            "book_positions", "ply"_a, nb::kw_only(), "width"_a = 7, "height"_a = 6,
            R"(Return all positions with *ply* discs that are not over, one of each pair of mirror images.

Neighbors in the list have much in common, and so does the work of solving them. Raises BookError for
more than 16,777,216 positions.

>>> len(book_positions(3))
121)",
            [](Int<0, Book::max_plies> ply, const Side& width, const Side& height) -> PositionList {
                const Position board = board_of(width, height);
                const WithoutGil no_gil;
                return {book_positions(board.width(), board.height(), ply, check_signals)};
            })
        .def("write_book", "path"_a, "positions"_a, "scores"_a,
             R"(Write a book: *positions* as returned by `book_positions`, and the exact score of each.

The layers above follow from the deepest one. The same scores make the same file, which replaces an
existing one only when it is complete.)",
             [](const std::filesystem::path& path, const PositionList& positions,
                const std::vector<int>& scores) {
                 const WithoutGil no_gil;
                 write_book(path, positions.positions, scores, check_signals);
             })
        .def("write_line_book", "path"_a, "roots"_a, "first"_a, "last"_a, "positions"_a, "choices"_a,
             R"(Write a line book: how lines go on in the *positions*, with *first* to *last* discs.

They are all positions that lines of positions with up to *roots* discs pass through. A choice is the
index in `search_order` of the column that the line takes.)",
             [](const std::filesystem::path& path, Int<0, max_bits> roots, Int<0, max_bits> first,
                Int<0, max_bits> last, const std::vector<Position>& positions,
                const std::vector<int>& choices) {
                 if (positions.empty() || positions.size() != choices.size())
                     throw BookError("error.line_book_choices");
                 const LineBook::Scope scope{positions.front().width(), positions.front().height(),
                                             roots, first, last};
                 const WithoutGil no_gil;
                 std::vector<std::pair<Position, int>> pairs;
                 for (std::size_t i = 0; i < positions.size(); ++i)
                     pairs.emplace_back(positions[i], choices[i]);
                 write_line_book(path, scope, pairs, check_signals);
             });
}

}  // namespace fourcast::bindings
