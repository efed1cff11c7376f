// Books as files: reading and making them. book.hpp has the format.
#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "book.hpp"
#include "poll.hpp"

namespace fourcast {

/// Reads a file into memory: what happens to the file later does not matter. Throws BookError if it is
/// not a whole and unaltered book.
std::shared_ptr<const Book> open_book(const std::filesystem::path& path);

/// All positions with `ply` stones that are not over, one of each two mirror images, in an order in
/// which neighbors have much in common. Throws BookError if there are more than `most_book_positions`.
std::vector<Position> book_positions(int width, int height, int ply, const Check& check = {});

/// Writes the book whose deepest layer is `positions`, as book_positions gave them, with these scores;
/// the layers above follow from it. The same input makes the same file, which takes the place of another
/// one only when it is whole. Throws BookError.
void write_book(const std::filesystem::path& path, const std::vector<Position>& positions,
                const std::vector<int>& scores, const Check& check = {});

}  // namespace fourcast
