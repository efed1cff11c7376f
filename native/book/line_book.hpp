// The moves behind the opening book: how lines of best play go on where the book ends.
//
// Within a book every score is known, and so is each move of a line. The first moves behind it would
// have to be proven, which takes longer than all the rest. This holds them for the lines that begin
// early in the game: those of positions with up to `roots` discs, in all positions with `first` to
// `last` discs that they pass. For each it says which of the columns, in the order in which lines try
// them (line_order.hpp), is the first that keeps the score.
//
// Like a book it holds no keys: it may only be asked about positions of such a line.
//
// The file, little-endian:
//    0  magic     "fourcast line 1\n"
//   16  checksum  u64, of all that follows
//   24  places    u64, at which words may begin; a multiple of three
//   32  seed      u64, of the hash
//   40  width, height, roots, first, last, 0 ...   u8 each, eight of them
//   48  lengths   u8 x 128, of the words for the first column, the second, ...
//  176  the bits
#pragma once

#include <cstddef>
#include <string>

#include "board/position.hpp"
#include "packed_words.hpp"

namespace fourcast {

class LineBook {
  public:
    static constexpr PackedWords::Kind kind{"error.not_line_book", "fourcast line 1\n", 48};

    /// Which lines it is about, and which of their positions.
    struct Scope {
        int width;
        int height;
        int roots;
        int first;
        int last;
    };

    /// The file in this memory. Throws BookError if it is not whole and unaltered.
    LineBook(PackedWords::Memory data, std::size_t bytes, const std::string& name);

    const Scope& scope() const { return scope_; }
    /// True if it knows the moves of the lines that begin with this position.
    bool has_lines_of(const Position& root) const {
        return root.ply() <= scope_.roots && root.width() == scope_.width &&
               root.height() == scope_.height && root.rules().is_standard() && root.is_reachable();
    }
    /// True if it knows the next move of such a line in this position of it.
    bool covers(const Position& position) const {
        return scope_.first <= position.ply() && position.ply() <= scope_.last;
    }
    /// The number of the column that a line takes there, in the order of the line; at most `most`.
    /// Throws BookError if the file has an impossible one.
    std::size_t choice(const Position& position, std::size_t most) const;

  private:
    Scope scope_{};
    PackedWords words_;
};

}  // namespace fourcast
