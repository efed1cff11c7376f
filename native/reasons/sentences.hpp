// Sentences of a text that may have so many words.
#pragma once

#include <vector>

#include "system/value.hpp"

namespace fourcast::reasons {

/// Of the text about a position, with its verdict, and of the text about a move.
inline constexpr int most_words = 90;
/// What is said besides the rest only as long as a text has no more words than most texts should.
inline constexpr int usual_words = 50;
inline constexpr int rank_of_extras = 7;

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
