// Sentences of a text that may have so many words.
#pragma once

#include <string_view>
#include <vector>

#include "system/value.hpp"

namespace fourcast::reasons {

/// Of the text about a position, with its verdict, and of the text about a move.
inline constexpr int most_words = 90;
/// What is said besides the rest only as long as a text has no more words than most texts should.
inline constexpr int usual_words = 52;
inline constexpr int rank_of_extras = 7;

/// English words of the patterns of the catalog that ideas are made of, with the players but without
/// their other facts; CMakeLists.txt counts them.
struct PatternWords {
    std::string_view name;
    int words;
};
extern const PatternWords pattern_words[];
extern const std::size_t pattern_count;

/// The English words of a sentence of an idea.
int words_in(const Value& sentence);

/// Sentences with what they weigh. Where they are too long together, those with the highest rank are
/// left out, or get their shorter form; those of rank 0 stay. Extras are left out of a text that is
/// longer than usual.
class Sentences {
  public:
    explicit Sentences(int most) : most_words_(most) {}
    /// A null sentence is left out; `shorter` may be null.
    void add(int rank, const Value& sentence, const Value& shorter = {});
    /// Takes a sentence back that another one says as well.
    void remove(const Value& sentence);
    /// Puts what was said from `middle` on in front of what was said from `begin` on.
    void put_first(std::size_t begin, std::size_t middle);
    Value::Array take();
    std::size_t size() const { return pieces_.size(); }

  private:
    struct Piece {
        Value said;
        int rank;
        Value shorter;
    };
    int total() const;
    int most_words_;
    std::vector<Piece> pieces_;
};

}  // namespace fourcast::reasons
