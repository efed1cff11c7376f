// The opening book: the exact score of every position with up to a number of discs.
//
// A book holds no keys. It is a function from positions to scores, and must only be asked for a position
// that it is defined for: not over, with no more discs than the book has plies, and such that some
// order of moves leads to it. Every such position is in it, so there is nothing that could be missing.
//
// A position in which the side to move can win at once is not in the file, its score is known. Of the
// others each has, by its canonical key, a word of bits (static_function.hpp) which is that of its score
// in a code (prefix_code.hpp). Scores in the file are the first player's. All that takes about half a
// byte a position.
//
// The file, little-endian (docs/book.md has the same in words):
//    0  magic     "fourcast book 2\n"
//   16  checksum  u64, of all that follows
//   24  places    u64, at which words may begin; a multiple of three
//   32  seed      u64, of the hash; the builder tries seeds until the bits can be chosen
//   40  width, height, plies, 0 ...   u8 each, eight of them
//   48  counts    u64 x 32, the positions with 0, 1, 2, ... discs
//  304  lengths   u8 x 128, of the words for the scores from -64 on; 0 for those that do not occur
//  432  the bits
#pragma once

#include <array>
#include <memory>
#include <string>

#include "board/position.hpp"
#include "line_book.hpp"
#include "packed_words.hpp"

namespace fourcast {

class Book {
  public:
    static constexpr int max_plies = 31;
    static constexpr PackedWords::Kind kind{"error.not_book", "fourcast book 2\n",
                                            48 + 8 * (max_plies + 1)};

    using Memory = PackedWords::Memory;
    /// Memory for a book of this size. Throws BookError if no book has it; `name` is for the message.
    static Memory allocate(u64 size, const std::string& name) {
        return PackedWords::allocate(kind, size, name);
    }
    /// The book in this memory, which `allocate` gave, and the line book that belongs to it, if there is
    /// one. Throws BookError if it is not whole and unaltered.
    static std::shared_ptr<const Book> adopt(Memory data, std::size_t bytes, const std::string& name,
                                             std::shared_ptr<const LineBook> lines = nullptr);
    Book(const Book&) = delete;
    Book& operator=(const Book&) = delete;

    int width() const { return width_; }
    int height() const { return height_; }
    int plies() const { return plies_; }
    u64 positions() const;
    u64 positions(int ply) const { return counts_[static_cast<std::size_t>(ply)]; }
    std::size_t bytes() const { return words_.bytes(); }
    const LineBook* lines() const { return lines_.get(); }

    /// True if `score` may be asked for the position.
    bool covers(const Position& position) const {
        return position.ply() <= plies_ && position.width() == width_ && position.height() == height_ &&
               position.rules().is_standard() && !position.is_over() && position.is_reachable();
    }
    /// The exact score of a covered position. Throws BookError if the book has an impossible one.
    int score(const Position& position) const;

  private:
    Book(Memory data, std::size_t bytes, const std::string& name, std::shared_ptr<const LineBook> lines);

    PackedWords words_;
    std::shared_ptr<const LineBook> lines_;
    int width_ = 0;
    int height_ = 0;
    int plies_ = 0;
    std::array<u64, max_plies + 1> counts_{};
};

/// More positions of one layer are refused: they would take gigabytes.
inline constexpr std::size_t most_book_positions = std::size_t{1} << 24;

}  // namespace fourcast
