#include "rows.hpp"

#include <functional>
#include <numeric>

namespace fourcast {

void Rows::refuse_more(std::size_t rows, std::size_t limit) {
    if (rows > limit) throw OptionError("error.too_many_positions", {{"most", limit}});
}

void Rows::reserve(std::size_t rows) {
    refuse_more(rows);
    positions.reserve(rows);
    indices.reserve(rows);
}

void Rows::refuse(std::size_t row, Invalid invalid) {
    const bool is_raised = invalid == Invalid::raise;
    const auto placed = [row](const Error& error) {
        return Error("error.row", {{"row", row}, {"why", error.said()}});
    };
    try {
        throw;
    } catch (const InvalidPositionError& error) {
        if (is_raised) throw InvalidPositionError("error.row", placed(error).facts(), error.square);
    } catch (const IllegalMoveError& error) {
        if (is_raised) throw IllegalMoveError(placed(error), error.reason, error.column, error.ply);
    } catch (const InvalidNotationError& error) {
        if (is_raised) throw InvalidNotationError("error.row", placed(error).facts());
    }
}

void Rows::refuse_finished(std::size_t row) {
    throw FinishedGameError("error.row", {{"row", row}, {"why", Error("error.solve_over").said()}});
}

void Rows::require_size(const Position& empty) const {
    for (std::size_t i = 0; i < positions.size(); ++i) {
        const Position& position = positions[i];
        if (position.width() == empty.width() && position.height() == empty.height()) continue;
        throw InvalidPositionError("error.row_size", {{"row", indices[i]},
                                                      {"width", position.width()},
                                                      {"height", position.height()},
                                                      {"wanted_width", empty.width()},
                                                      {"wanted_height", empty.height()}});
    }
}

std::size_t words_of(const Position& empty) {
    return empty.width() * (empty.height() + 1) <= 64 ? 1 : 2;
}

std::vector<std::size_t> bitboard_shape(const Position& empty) {
    if (words_of(empty) == 1) return {2};
    return {2, 2};
}

void write_bitboards(u64* row, const Position& position, std::size_t words) {
    for (const int player : {1, 2})
        for (std::size_t word = 0; word < words; ++word)
            *row++ = static_cast<u64>(position.discs(player) >> (64 * word));
}

std::vector<std::int64_t> offsets_in(const std::vector<std::size_t>& lengths,
                                     const std::vector<std::int64_t>& steps) {
    std::vector<std::int64_t> offsets(
        std::accumulate(lengths.begin(), lengths.end(), std::size_t{1}, std::multiplies<>()));
    for (std::size_t element = 0; element < offsets.size(); ++element) {
        std::size_t rest = element;
        for (std::size_t axis = lengths.size(); axis-- > 0; rest /= lengths[axis])
            offsets[element] += static_cast<std::int64_t>(rest % lengths[axis]) * steps[axis];
    }
    return offsets;
}

}  // namespace fourcast
