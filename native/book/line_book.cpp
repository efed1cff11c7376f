#include "line_book.hpp"

#include "system/errors.hpp"

namespace fourcast {

LineBook::LineBook(PackedWords::Memory data, std::size_t bytes, const std::string& name)
    : words_(kind, std::move(data), bytes, name) {
    const unsigned char* const header = words_.data() + PackedWords::own_header_at;
    scope_ = {header[0], header[1], header[2], header[3], header[4]};
    if (!is_supported(scope_.width, scope_.height))
        PackedWords::refuse(kind, name, Error("error.book_board"));
    if (scope_.roots >= scope_.first || scope_.first > scope_.last ||
        scope_.last >= scope_.width * scope_.height)
        PackedWords::refuse(kind, name, Error("error.line_book_discs"));
    for (int symbol = scope_.width; symbol < PrefixCode::symbols; ++symbol)
        if (words_.code().length(symbol) != 0)
            PackedWords::refuse(kind, name, Error("error.line_book_columns"));
}

std::size_t LineBook::choice(const Position& position, std::size_t most) const {
    const auto choice = static_cast<std::size_t>(words_.symbol(position.canonical_key()));
    if (choice > most)
        throw BookError("error.line_book_wrong_choice",
                        {{"number", choice + 1}, {"diagram", position.diagram()}});
    return choice;
}

}  // namespace fourcast
