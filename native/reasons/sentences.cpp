#include "sentences.hpp"

#include <algorithm>
#include <span>

namespace fourcast::reasons {

int words_in(const Value& fact) {
    if (const auto* const list = fact.array()) {
        int sum = 0;
        for (const Value& each : *list) sum += words_in(each);
        return sum;
    }
    if (const std::string* const text = fact.text())
        return 1 + static_cast<int>(std::ranges::count(*text, ' '));
    if (fact.object() == nullptr || fact.has("player")) return 1;
    const std::string& pattern = fact.at("pattern").text("pattern");
    if (pattern == "square") return 1;
    if (pattern == "named_diagonal") return 2;
    int sum = 0;
    for (const auto& [name, words] : std::span(pattern_words, pattern_count))
        if (name == pattern) sum = words;
    for (const auto& [name, value] : *fact.at("facts").object())
        if (name != "player" && name != "opponent") sum += words_in(value);
    return sum;
}

void Sentences::add(int rank, const Value& sentence, const Value& shorter) {
    if (!sentence.is_null()) pieces_.push_back({sentence, rank, shorter});
}

void Sentences::remove(const Value& sentence) {
    std::erase_if(pieces_, [&](const Piece& piece) { return piece.said == sentence; });
}

void Sentences::put_first(std::size_t begin, std::size_t middle) {
    const auto at = [&](std::size_t index) {
        return pieces_.begin() + static_cast<std::ptrdiff_t>(index);
    };
    std::rotate(at(begin), at(middle), pieces_.end());
}

Value::Array Sentences::take() {
    while (!pieces_.empty()) {
        const auto last = std::ranges::max_element(pieces_, {}, &Piece::rank);
        const int most = last->rank >= rank_of_extras ? std::min(most_words_, usual_words) : most_words_;
        if (last->rank == 0 || total() <= most) break;
        if (last->shorter.is_null())
            pieces_.erase(last);
        else
            *last = {last->shorter, 0, {}};
    }
    Value::Array said;
    for (Piece& piece : pieces_) said.push_back(std::move(piece.said));
    return said;
}

int Sentences::total() const {
    int sum = 0;
    for (const Piece& piece : pieces_) sum += words_in(piece.said);
    return sum;
}

}  // namespace fourcast::reasons
