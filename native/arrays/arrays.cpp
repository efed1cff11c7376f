#include "arrays.hpp"

#include "system/text.hpp"

namespace fourcast {

std::vector<std::size_t> Layout::shape(int width, int height) const {
    std::vector<std::size_t> lengths;
    for (const char axis : axes)
        lengths.push_back(static_cast<std::size_t>(axis == 'c'   ? width
                                                   : axis == 'r' ? height
                                                                 : planes()));
    return lengths;
}

const std::vector<Layout>& layouts() {
    using Kind = Layout::Kind;
    static const auto marks = [](std::string_view name, std::string_view axes, bool top_first) {
        return Layout{.name = name,
                      .axes = axes,
                      .is_flat = false,
                      .top_first = top_first,
                      .mover_first = false,
                      .own = 1,
                      .other = 2,
                      .empty = 0,
                      .kind = Kind::int8};
    };
    static const auto planes = [](std::string_view name, Kind kind) {
        return Layout{.name = name,
                      .axes = "rcp",
                      .is_flat = false,
                      .top_first = true,
                      .mover_first = true,
                      .own = 0,
                      .other = 1,
                      .empty = -1,
                      .kind = kind};
    };
    static const std::vector<Layout> all = [] {
        Layout kaggle = marks("kaggle", "rc", true);
        kaggle.is_flat = true;
        Layout open_spiel = planes("open_spiel", Kind::float32);
        open_spiel.axes = "prc";
        open_spiel.top_first = false;
        open_spiel.mover_first = false;
        open_spiel.empty = 2;
        Layout uci = marks("uci", "cr", false);
        uci.is_flat = true;
        uci.own = 'x';
        uci.other = 'o';
        uci.empty = 'b';
        uci.kind = Kind::text;
        return std::vector<Layout>{marks("rows", "rc", true),
                                   marks("rows-bottom-first", "rc", false),
                                   marks("columns", "cr", true),
                                   marks("columns-bottom-first", "cr", false),
                                   planes("pettingzoo", Kind::int8),
                                   planes("pgx", Kind::boolean),
                                   open_spiel,
                                   kaggle,
                                   uci};
    }();
    return all;
}

const Layout& find_layout(std::string_view name) {
    std::string names;
    for (const Layout& layout : layouts()) {
        if (layout.name == name) return layout;
        names += text(names.empty() ? "" : ", ", std::string(layout.name));
    }
    throw OptionError("error.no_layout", {{"name", name}, {"names", names}});
}

ArrayMap::ArrayMap(const Layout& layout, int width, int height)
    : layout_(&layout), width_(width), height_(height), size_(1) {
    const auto lengths = layout.shape(width, height);
    for (std::size_t axis = lengths.size(); axis-- > 0;) {
        (layout.axes[axis] == 'c'   ? column_step_
         : layout.axes[axis] == 'r' ? row_step_
                                    : plane_step_) = size_;
        size_ *= lengths[axis];
    }
}

void ArrayMap::refuse(const char* code, int column, int row) const {
    throw InvalidPositionError(code, {{"column", std::string{column_name(column)}}, {"row", row + 1}},
                               Square{column, row});
}

}  // namespace fourcast
