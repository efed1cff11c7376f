#include "line_order.hpp"

#include <algorithm>
#include <utility>

#include "board/center.hpp"
#include "board/threats.hpp"
#include "ordering.hpp"

namespace fourcast {
namespace {

#include "line_order_weights.inc"

/// No sum of weights is as large.
constexpr int decisive = 1 << 24;

struct RatedColumn {
    int column;
    int value;
};

template <class Shape>
void rate(const Shape& shape, const Position& position, int score, std::vector<RatedColumn>& columns) {
    using Bits = typename Shape::Bits;
    const auto mask = static_cast<Bits>(position.mask());
    const auto mover = static_cast<Bits>(position.discs(position.turn()));
    const Bits open = playable(shape, mask);
    const Bits wins = threats(shape, mover, mask);
    const Bits their_wins = threats(shape, mover ^ mask, mask);
    const Ordering<Shape> order(shape, true);
    // What a search would ask to prove the score: is it greater than the next lower one?
    const int empties = position.cells() - position.ply();
    const int alpha = score - 1;
    const auto context = order.context(mover, mask, their_wins, empties, alpha);
    const auto& weights =
        line_weights.by_class[static_cast<std::size_t>(order.class_of(empties, alpha))];
    for (auto& [column, value] : columns) {
        const Bits square = open & shape.column(column);
        // The search sees to these before it looks at the order.
        if ((square & wins) != 0) {
            value = 2 * decisive;
        } else if ((square & their_wins) != 0) {
            value = decisive;
        } else {
            value = ((square << 1) & their_wins) != 0 ? -decisive : 0;
            order.describe(context, square, threats(shape, mover | square, mask | square),
                           [&, sum = &value](int feature, auto amount) {
                               *sum +=
                                   weights[static_cast<std::size_t>(feature)] * static_cast<int>(amount);
                           });
        }
    }
}

}  // namespace

std::vector<int> LineOrder::columns(const Position& position, int score) {
    const Position image = position.mirror();
    if (image != position) left_first_ = position.key() < image.key();
    std::vector<RatedColumn> rated;
    for (const int nearest : columns_from_center(position.width())) {
        const int column = left_first_ ? nearest : position.width() - 1 - nearest;
        if (position.can_play(column)) rated.push_back({column, 0});
    }
    if (position.rules().is_standard())
        with_shape(position.width(), position.height(),
                   [&](const auto& shape) { rate(shape, position, score, rated); });
    std::stable_sort(rated.begin(), rated.end(),
                     [](const RatedColumn& a, const RatedColumn& b) { return a.value > b.value; });
    std::vector<int> columns;
    for (const RatedColumn& each : rated) columns.push_back(each.column);
    return columns;
}

}  // namespace fourcast
