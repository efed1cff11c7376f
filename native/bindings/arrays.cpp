// Positions in arrays: layouts, conversions, samples.
#include "arrays.hpp"

#include "arrays/arrays.hpp"
#include "arrays/sampling.hpp"
#include "board/moves_text.hpp"

namespace fourcast::bindings {
namespace {

using AnyArray = nb::ndarray<nb::ro, nb::device::cpu>;

// ---- Reading -------------------------------------------------------------------------------------

/// Element `index` of an array as an integer, ArrayMap::no_value if it is none.
using ReadElement = long long (*)(const void* data, std::int64_t index);

/// nullptr for a type that is not one of these.
template <class... Types>
ReadElement reader_among(const nb::dlpack::dtype& type) {
    ReadElement found = nullptr;
    ((type == nb::dtype<Types>() ? void(found = &read_element<Types>) : void()), ...);
    return found;
}
constexpr auto reader_of =
    reader_among<bool, std::int8_t, std::uint8_t, std::int16_t, std::uint16_t, std::int32_t,
                 std::uint32_t, std::int64_t, std::uint64_t, float, double>;

std::string shown_shape(const std::vector<std::size_t>& lengths) {
    std::string words = "(n";
    for (const std::size_t length : lengths) words += text(", ", length);
    return words + ")";
}

bool has_shape(const AnyArray& array, const std::vector<std::size_t>& lengths) {
    if (array.ndim() != lengths.size() + 1) return false;
    for (std::size_t axis = 0; axis < lengths.size(); ++axis)
        if (array.shape(axis + 1) != lengths[axis]) return false;
    return true;
}

bool is_array(nb::handle value) {
    return nb::hasattr(value, "dtype") || nb::hasattr(value, "__dlpack__");
}

/// Whether an array, or a column of a table, holds texts or objects: move strings, one by one.
bool holds_texts(nb::handle array) {
    const nb::object kind = nb::getattr(nb::getattr(array, "dtype", nb::none()), "kind", nb::none());
    return PyUnicode_Check(kind.ptr()) &&
           std::string_view("USOT").find(utf8_of(kind)) != std::string_view::npos;
}

template <class Make>
void add_row(Rows& rows, Invalid invalid, const Make& make) {
    if (rows.count % 1024 == 0 && PyErr_CheckSignals() != 0) throw nb::python_error();
    rows.add(invalid, make);
}

/// What an array is like, for an error: "of int64 and shape (3, 2)"; anything else in its own words.
std::string described(nb::handle value) {
    if (!nb::hasattr(value, "dtype") || !nb::hasattr(value, "shape")) return repr_of(value);
    const auto words = [&](const char* name) {
        const nb::object part = value.attr(name);
        return utf8_of(nb::str(nb::handle(part)));
    };
    return text("one of ", words("dtype"), " and shape ", words("shape"));
}

/// An array as C++ sees it; raises TypeError if it is none or its elements are no numbers.
AnyArray array_from(nb::handle value, const std::string& wanted) {
    AnyArray array;
    if (!nb::try_cast<AnyArray>(value, array, false))
        raise(PyExc_TypeError, text(wanted, ", not ", described(value)));
    return array;
}

Rows rows_of_bitboards(nb::handle given_array, const Position& empty, Invalid invalid) {
    const auto shape = bitboard_shape(empty);
    const std::string wanted =
        text("an array of bitboards must be of uint64 and shape ", shown_shape(shape));
    const AnyArray array = array_from(given_array, wanted);
    if (array.dtype() != nb::dtype<u64>() || !has_shape(array, shape))
        raise(PyExc_TypeError,
              text(wanted, ", not ", described(given_array), "; boards in another layout need layout="));
    const auto* const data = static_cast<const u64*>(array.data());
    const bool is_large = shape.size() == 2;
    Rows rows;
    rows.reserve(array.shape(0));
    for (std::size_t i = 0; i < array.shape(0); ++i) {
        const auto discs = [&](std::int64_t player) {
            const u64* const low =
                data + static_cast<std::int64_t>(i) * array.stride(0) + player * array.stride(1);
            return is_large ? u128{low[array.stride(2)]} << 64 | *low : u128{*low};
        };
        add_row(rows, invalid,
                [&] { return Position::from_discs(discs(0), discs(1), empty.width(), empty.height()); });
    }
    return rows;
}

/// Boards in lists as an array; raises TypeError if they are not all of one shape.
nb::object array_of_lists(nb::handle lists, const std::string& wanted) {
    Rows::refuse_more(nb::len(lists));
    try {
        return numpy().attr("asarray")(lists);
    } catch (nb::python_error& error) {
        if (!error.matches(PyExc_ValueError)) throw;
        raise(PyExc_TypeError, text(wanted, ": the lists are not all of one length"));
    }
}

Rows rows_of_boards(nb::handle given_array, const Layout& layout, const Position& empty,
                    Invalid invalid) {
    const ArrayMap map(layout, empty.width(), empty.height());
    const auto lengths = layout.shape(empty.width(), empty.height());
    const std::string wanted =
        text("positions in the layout '", std::string(layout.name), "' must be an array of shape ",
             layout.is_flat ? "" : text(shown_shape(lengths), " or "), shown_shape({map.size()}));
    nb::object source = nb::borrow(given_array);
    if (PyList_Check(source.ptr()) ||
        PyTuple_Check(source.ptr())) {  // as Kaggle and OpenSpiel have them
        if (nb::len(source) == 0) return {};
        source = array_of_lists(source, wanted);
    }
    // Text: two characters an element, of which the second has to be missing.
    const bool is_text = layout.kind == Layout::Kind::text && nb::hasattr(source, "dtype") &&
                         nb::hasattr(source, "astype");
    std::size_t words = 1;
    if (is_text) {
        const std::string kind = utf8_of(nb::str(source.attr("dtype").attr("kind")));
        if (kind == "U" || kind == "S" || kind == "O") {
            source = source.attr("astype")("U2", nb::arg("order") = "C").attr("view")("u4");
            words = 2;
        }
    }
    const AnyArray array = array_from(source, wanted);
    const ReadElement read = reader_of(array.dtype());
    if (read == nullptr)
        raise(PyExc_TypeError,
              text(wanted, " and of bools, ints or floats of up to 64 bits, not ", described(source)));
    const bool is_flat = array.ndim() == 2 && array.shape(1) == map.size() * words;
    if (!is_flat && (words == 2 || !has_shape(array, lengths)))
        raise(PyExc_TypeError, text(wanted, ", not ", described(given_array)));

    std::vector<std::int64_t> steps;
    for (std::size_t axis = 1; axis < array.ndim(); ++axis) steps.push_back(array.stride(axis));
    const auto offsets = words == 2 ? offsets_in({map.size()}, {2})
                         : is_flat  ? offsets_in({map.size()}, steps)
                                    : offsets_in(lengths, steps);
    Rows rows;
    rows.reserve(array.shape(0));
    for (std::size_t i = 0; i < array.shape(0); ++i) {
        const std::int64_t start = static_cast<std::int64_t>(i) * array.stride(0);
        const auto value = [&](std::size_t element) {
            if (words == 2 && read(array.data(), start + offsets[element] + 1) != 0)
                return ArrayMap::no_value;
            return read(array.data(), start + offsets[element]);
        };
        add_row(rows, invalid, [&] { return map.read(value); });
    }
    return rows;
}

/// Raises TypeError if these are not positions but one, or nothing that could be iterated over.
void refuse_one_position(nb::handle positions) {
    const char* const wanted =
        "positions must be a list of Positions or move strings, or an array, not ";
    if (PyUnicode_Check(positions.ptr()) || PyBytes_Check(positions.ptr()))
        raise(PyExc_TypeError, text(wanted, "one move string: write [", repr_of(positions), "]"));
    if (nb::isinstance<Position>(positions))
        raise(PyExc_TypeError, text(wanted, "one Position: write [position]"));
    if (!nb::hasattr(positions, "__iter__")) raise(PyExc_TypeError, text(wanted, repr_of(positions)));
}

const Layout& layout_from(nb::handle name) {
    if (!PyUnicode_Check(name.ptr())) wrong_type("layout", "a str", name);
    if (nb::len(name) > 100) find_layout("...");  // no layout has such a name
    return find_layout(utf8_of(name));
}

// ---- Writing -------------------------------------------------------------------------------------

/// Boards in a layout: one, without an axis for them, or many.
template <class T>
nb::object write_boards(const std::vector<Position>& positions, const ArrayMap& map,
                        const std::vector<std::size_t>& shape) {
    const auto array = new_array<T>(shape);
    for (std::size_t i = 0; i < positions.size(); ++i)
        map.write(positions[i], [&](std::size_t element, int value) {
            array.data[i * map.size() + element] = static_cast<T>(value);
        });
    return array.object;
}

nb::object planes_of_many(const std::vector<Position>& positions, const Layout& layout,
                          const Position& empty, bool is_one) {
    const ArrayMap map(layout, empty.width(), empty.height());
    std::vector<std::size_t> shape{map.size()};
    if (!layout.is_flat) shape = layout.shape(empty.width(), empty.height());
    if (!is_one) shape.insert(shape.begin(), positions.size());
    switch (layout.kind) {
        case Layout::Kind::int8:
            return write_boards<std::int8_t>(positions, map, shape);
        case Layout::Kind::float32:
            return write_boards<float>(positions, map, shape);
        case Layout::Kind::boolean:
            return write_boards<bool>(positions, map, shape);
        case Layout::Kind::text:
            return write_boards<std::uint32_t>(positions, map, shape).attr("view")("U1");
    }
    return nb::none();
}

NewArray<u64> new_bitboards(std::size_t count, const Position& empty) {
    std::vector<std::size_t> shape = bitboard_shape(empty);
    shape.insert(shape.begin(), count);
    return new_array<u64>(shape);
}

/// Rows of one size, of which none is passed over.
Rows all_rows(nb::handle positions, nb::handle layout, const Position& empty) {
    Rows rows = run_python([&] { return rows_from(positions, layout, empty, Invalid::raise); });
    rows.require_size(empty);
    return rows;
}

}  // namespace

Rows rows_from(nb::handle positions, nb::handle layout, const Position& empty, Invalid invalid) {
    if (!layout.is_none()) return rows_of_boards(positions, layout_from(layout), empty, invalid);
    if (!PyList_Check(positions.ptr()) && is_array(positions) && !holds_texts(positions))
        return rows_of_bitboards(positions, empty, invalid);
    refuse_one_position(positions);
    constexpr std::size_t most_of_iterable = std::size_t{1} << 20;  // which may be endless
    Rows rows;
    for (nb::handle item : nb::iter(positions)) {
        if (Position position; nb::try_cast<Position>(item, position, false)) {
            add_row(rows, invalid, [&] { return position; });
        } else if (PyUnicode_Check(item.ptr()) || PyBytes_Check(item.ptr())) {
            nb::object moves = nb::borrow(item);  // bytes of an array of them, as a Sample has
            if (PyBytes_Check(item.ptr())) moves = item.attr("decode")("latin-1");
            add_row(rows, invalid,
                    [&] { return play_text(empty, Reads<std::u32string>::from(moves, "moves")); });
        } else {
            wrong_type(text("positions[", rows.count, "]"), "a Position or a move string", item);
        }
        Rows::refuse_more(rows.count, most_of_iterable);
    }
    return rows;
}

nb::object numpy() {
    PyObject* const module = PyImport_ImportModule("numpy");
    if (module != nullptr) return nb::steal(module);
    if (PyErr_ExceptionMatches(PyExc_ImportError) == 0) throw nb::python_error();
    PyErr_Clear();
    raise(nb::module_::import_("fourcast.errors").attr("missing_extra")("arrays need numpy", "data"));
}

nb::object planes_of(const Position& position, nb::handle layout) {
    return planes_of_many({position}, layout_from(layout), position, true);
}

void add_arrays(nb::module_& module) {
    module.attr("FULL") = int{label::full};
    module.attr("UNKNOWN") = int{label::unknown};
    module.attr("FINISHED") = int{label::finished};
    module.attr("IMPOSSIBLE") = int{label::impossible};
    Module(module)
        .def("layout_names",
             [] {
                 return tuple_of(layouts(),
                                 [](const Layout& layout) { return std::string(layout.name); });
             })
        .def("layout_shape",
             [](nb::handle layout, const Board& empty) {
                 const Layout& wanted = layout_from(layout);
                 return std::pair(tuple_of(wanted.shape(empty.width(), empty.height())),
                                  wanted.column_axis());
             })
        .def("bitboards",
             [](nb::handle positions, nb::handle layout, const Board& empty) {
                 const Rows rows = all_rows(positions, layout, empty);
                 const std::size_t words = words_of(empty);
                 const auto array = new_bitboards(rows.count, empty);
                 for (std::size_t i = 0; i < rows.count; ++i)
                     write_bitboards(array.data + i * 2 * words, rows.positions[i], words);
                 return array.object;
             })
        .def("planes",
             [](nb::handle positions, nb::handle layout, nb::handle given_layout, const Board& empty) {
                 const Layout& wanted = layout_from(layout);
                 const Rows rows = all_rows(positions, given_layout, empty);
                 return planes_of_many(rows.positions, wanted, empty, false);
             })
        .def("positions_from_planes",
             [](nb::handle array, nb::handle layout, Invalid invalid, const Board& empty) {
                 const Rows rows = run_python([&] { return rows_from(array, layout, empty, invalid); });
                 std::vector<std::optional<Position>> positions(rows.count);
                 for (std::size_t i = 0; i < rows.positions.size(); ++i)
                     positions[rows.indices[i]] = rows.positions[i];
                 return positions;
             })
        .def("sample_positions", [](Int<0, Rows::most, std::size_t> n, Count<0> seed, nb::handle fewest,
                                    nb::handle most, bool uniform_ply, bool unique, Int<1, 1024> threads,
                                    const Board& empty) {
            SamplePlan plan{.width = empty.width(), .height = empty.height()};
            plan.fewest = static_cast<int>(bounded(fewest, "plies", 0, empty.cells() - 1));
            plan.most = static_cast<int>(bounded(most, "plies", plan.fewest, empty.cells() - 1));
            plan.uniform_ply = uniform_ply;
            plan.unique = unique;
            const auto boards = new_bitboards(n, empty);
            const auto moves = new_array<std::uint8_t>({n, static_cast<std::size_t>(empty.cells())});
            {
                const WithoutGil no_gil;
                sample_positions(n, seed, plan, threads, {boards.data, moves.data}, check_signals);
            }
            return nb::make_tuple(boards.object, moves.object);
        });
}

}  // namespace fourcast::bindings
