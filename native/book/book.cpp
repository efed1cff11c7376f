#include "book.hpp"

#include <algorithm>
#include <cstdlib>

#include "book_format.hpp"
#include "system/errors.hpp"

namespace fourcast {

using namespace book_format;

std::shared_ptr<const Book> Book::adopt(Memory data, std::size_t bytes, const std::string& name,
                                        std::shared_ptr<const LineBook> lines) {
    return std::shared_ptr<const Book>(new Book(std::move(data), bytes, name, std::move(lines)));
}

Book::Book(Memory memory, std::size_t bytes, const std::string& name,
           std::shared_ptr<const LineBook> lines)
    : words_(kind, std::move(memory), bytes, name), lines_(std::move(lines)) {
    const auto refuse = [&](const char* code, Value::Object facts = {}) {
        PackedWords::refuse(kind, name, Error(code, std::move(facts)));
    };
    const unsigned char* const data = words_.data();
    width_ = data[size_at];
    height_ = data[size_at + 1];
    plies_ = data[size_at + 2];
    if (!is_supported(width_, height_)) refuse("error.book_board");
    const int cells = width_ * height_;
    if (plies_ > max_plies || plies_ >= cells) refuse("error.book_header_plies");
    // Each position has at most one child for each column, and one at least as long as there are layers.
    u64 most = 1;
    for (std::size_t ply = 0; ply < counts_.size(); ++ply) {
        const u64 count = load(data + counts_at + 8 * ply);
        const bool is_layer = ply <= static_cast<std::size_t>(plies_);
        if (is_layer ? count == 0 || count > most : count != 0)
            refuse("error.book_counts", {{"positions", std::to_string(count)}, {"discs", ply}});
        counts_[ply] = count;
        most = std::min<u64>(count, most_book_positions) * static_cast<u64>(width_);
    }
    for (int symbol = 0; symbol < PrefixCode::symbols; ++symbol)
        if (words_.code().length(symbol) != 0 &&
            std::abs(symbol - symbol_of_draw) > highest_score(cells))
            refuse("error.book_scores_of", {{"score", symbol - symbol_of_draw}});
    if (!lines_) return;
    const LineBook::Scope& scope = lines_->scope();
    if (scope.width != width_ || scope.height != height_ || scope.first > plies_)
        refuse("error.book_lines");
}

u64 Book::positions() const {
    u64 sum = 0;
    for (const u64 count : counts_) sum += count;
    return sum;
}

int Book::score(const Position& position) const {
    if (const auto score = score_at_once(position)) return *score;
    const int score = score_of(position.ply(), words_.symbol(position.canonical_key()));
    const ScoreRange possible = possible_scores(position.cells(), position.ply());
    if (score < possible.lower || score > possible.upper)
        throw BookError("error.book_wrong_score", {{"score", score}, {"diagram", position.diagram()}});
    return score;
}

}  // namespace fourcast
