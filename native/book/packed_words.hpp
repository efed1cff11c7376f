// A file that gives short words to keys without holding the keys: what the opening book and the line
// book have in common.
//
// Each key has a word of bits (static_function.hpp) which is that of a symbol in a code
// (prefix_code.hpp). For keys that are not in the file the answer is noise.
#pragma once

#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "prefix_code.hpp"
#include "static_function.hpp"
#include "system/errors.hpp"
#include "system/poll.hpp"

namespace fourcast {

class PackedWords {
  public:
    /// A larger file is refused: an opening book of 13 plies of the standard board takes 8 MB.
    static constexpr std::size_t max_bytes = std::size_t{1} << 30;

    struct Free {
        void operator()(unsigned char* memory) const { std::free(memory); }
    };
    using Memory = std::unique_ptr<unsigned char[], Free>;

    /// One kind of file. It begins with the magic, the checksum, the number of places, the seed, and
    /// whatever the kind needs; the lengths of the code's words and the bits come last.
    struct Kind {
        const char* refusal;  // the code of the error about a file that is not one
        const char* magic;    // 16 bytes, of which the last but one tells versions apart
        std::size_t lengths_at;

        std::size_t header_bytes() const { return lengths_at + PrefixCode::symbols; }
    };
    static constexpr std::size_t own_header_at = 40;  // what the kind needs

    /// Memory for a file of this size. Throws BookError if none has it; `file` is for the message.
    static Memory allocate(const Kind& kind, u64 size, const std::string& file);

    PackedWords() = default;
    /// The file in this memory, which `allocate` gave. Throws BookError if it is not whole and
    /// unaltered.
    PackedWords(const Kind& kind, Memory data, std::size_t bytes, const std::string& file);

    const unsigned char* data() const { return data_.get(); }
    std::size_t bytes() const { return bytes_; }
    const PrefixCode& code() const { return *code_; }
    int symbol(u128 key) const { return code_->symbol((*words_)(key)); }

    /// The content of a file with these symbols, whose header is complete but for what this class sees
    /// to. The same input makes the same file. Throws BookError.
    static std::vector<unsigned char> pack(const Kind& kind, std::vector<unsigned char> header,
                                           const std::vector<StaticFunction::Entry>& entries,
                                           const Check& check);

    [[noreturn]] static void refuse(const Kind& kind, const std::string& file, const Error& reason);

  private:
    Memory data_;
    std::size_t bytes_ = 0;
    std::optional<PrefixCode> code_;
    std::optional<StaticFunction> words_;
};

}  // namespace fourcast
