// A file of puzzles, unpacked: which of them have a theme, are about as hard as a rating, or are the one
// of a day. docs/puzzles.md describes the file.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "puzzle.hpp"

namespace fourcast::study {

/// The lines of a file. Only those that are asked for become puzzles: that takes longer.
class Collection {
  public:
    /// Throws OptionError, which names the line, if the text is no file of puzzles.
    explicit Collection(std::string_view text);

    int width() const { return width_; }
    int height() const { return height_; }
    std::string_view note() const { return note_; }
    const std::vector<std::string_view>& lines() const { return lines_; }
    /// The lines with a theme; all for "". Throws OptionError for an unknown theme.
    std::vector<std::string_view> lines_of(std::string_view theme) const;
    Puzzle puzzle(std::string_view line) const { return puzzle_from_line(line, width_, height_); }
    /// The puzzles of a theme that are about as hard as this one, and not the same; at most this many.
    std::vector<Puzzle> alike(const Puzzle& puzzle, std::string_view theme, std::size_t most) const;

  private:
    int width_ = 0;
    int height_ = 0;
    std::string_view note_;
    std::vector<std::string_view> lines_;
};

/// The puzzles of the days: easy on Mondays and harder with each day until Sunday, none of one move.
/// None comes again before all of its weekday have come. Throws OptionError if there are too few.
class DailyPuzzles {
  public:
    explicit DailyPuzzles(const Collection& collection);

    /// That of a day, counted from 1970-01-01.
    Puzzle of(long long day) const;

  private:
    const Collection& collection_;
    std::vector<std::string_view> lines_;  // the easiest first
};

/// The "day" of a request.
long long day_in(const Value& request);

/// "puzzles.header", "puzzles.read", "puzzles.select", "puzzles.near", "puzzles.pick", "puzzles.storm",
/// "puzzles.daily" and "puzzles.find".
std::span<const Question> collection_questions();

}  // namespace fourcast::study
