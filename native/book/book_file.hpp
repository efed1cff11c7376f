// Books as files: reading and making them. book.hpp has the format.
#pragma once

#include <filesystem>
#include <memory>
#include <utility>
#include <vector>

#include "book.hpp"
#include "system/poll.hpp"

namespace fourcast {

/// Reads a file into memory: what happens to the file later does not matter. So is the line book beside
/// it, which has the same name but for `.lines` at the end, if there is one. Throws BookError if either
/// is not whole and unaltered.
std::shared_ptr<const Book> open_book(const std::filesystem::path& path);

/// All positions with `ply` discs that are not over, one of each two mirror images, in an order in
/// which neighbors have much in common. Throws BookError if there are more than `most_book_positions`.
std::vector<Position> book_positions(int width, int height, int ply, const Check& check = {});

/// Writes the book whose deepest layer is `positions`, as book_positions gave them, with these scores;
/// the layers above follow from it. The same input makes the same file, which takes the place of another
/// one only when it is whole. Throws BookError.
void write_book(const std::filesystem::path& path, const std::vector<Position>& positions,
                const std::vector<int>& scores, const Check& check = {});

/// Writes a line book, of lines from positions with `roots` discs, for positions with `first` to `last`
/// of them: each position of the lines in question, mirror images or not, and which of its columns in
/// the order of lines they take. The same choices in any order make the same file. Throws BookError.
void write_line_book(const std::filesystem::path& path, int roots, int first, int last,
                     const std::vector<Position>& positions, const std::vector<int>& choices,
                     const Check& check = {});

}  // namespace fourcast
