// Many games at once.
#include "arrays/batch.hpp"

#include <nanobind/ndarray.h>

#include "convert.hpp"

namespace fourcast::bindings {
namespace {

/// More boards are refused: their observations would take gigabytes.
constexpr long long most_boards = 1 << 22;

/// The elements of an array that a batch reads or writes: of this type, this shape, and in C order.
template <class T>
T* elements_of(nb::handle value, const char* name, const std::vector<std::size_t>& shape) {
    using Array = nb::ndarray<T, nb::device::cpu, nb::c_contig>;
    Array array;
    bool fits = nb::try_cast<Array>(value, array, false) && array.ndim() == shape.size();
    for (std::size_t axis = 0; fits && axis < shape.size(); ++axis)
        fits = array.shape(axis) == shape[axis];
    if (fits) return array.data();
    std::string lengths;
    for (const std::size_t length : shape) lengths += text(lengths.empty() ? "" : ", ", length);
    const char* const type = std::is_same_v<T, double>        ? "float64"
                             : std::is_same_v<T, bool>        ? "bool"
                             : std::is_same_v<T, std::int8_t> ? "int8"
                                                              : "int64";
    raise(PyExc_TypeError, text(name, " must be an array of ", type, " of shape (", lengths,
                                shape.size() == 1 ? ",)" : ")", " in C order",
                                std::is_const_v<T> ? "" : " that can be written to"));
}

/// A batch, and the arrays that its calls are given. Calls keep the GIL: two of them on one batch must
/// not run at the same time, and they take microseconds.
struct BoardBatch {
    std::unique_ptr<Batch> batch;

    std::size_t boards() const { return batch->options().boards; }
    Batch::View view(nb::handle observations, nb::handle masks) const {
        const auto width = static_cast<std::size_t>(batch->options().width);
        const auto height = static_cast<std::size_t>(batch->options().height);
        return {elements_of<std::int8_t>(observations, "observations", {boards(), height, width, 2}),
                elements_of<std::int8_t>(masks, "masks", {boards(), width})};
    }
};

}  // namespace

void add_batch(nb::module_& module) {
    Class<BoardBatch>(
        module, "BoardBatch",
        [](nb::handle n, bool opponent, std::optional<bool> agent_first, const Board& board) {
            const auto start = !agent_first   ? Batch::Start::any
                               : *agent_first ? Batch::Start::agent
                                              : Batch::Start::opponent;
            return BoardBatch{
                Batch::make({.boards = static_cast<std::size_t>(bounded(n, "num_envs", 1, most_boards)),
                             .width = board.width(),
                             .height = board.height(),
                             .opponent = opponent ? Batch::Opponent::random : Batch::Opponent::none,
                             .start = start})};
        })
        .def("__len__", plain<&BoardBatch::boards>)
        .def("reset", [](BoardBatch& self, Count<0> seed, nb::handle observations,
                         nb::handle masks) { self.batch->reset(seed, self.view(observations, masks)); })
        .def("step", [](BoardBatch& self, nb::handle actions, nb::handle observations, nb::handle masks,
                        nb::handle rewards, nb::handle terminations) {
            const auto* const moves =
                elements_of<const std::int64_t>(actions, "actions", {self.boards()});
            const Batch::View view = self.view(observations, masks);
            double* const gains = elements_of<double>(rewards, "rewards", {self.boards()});
            bool* const ends = elements_of<bool>(terminations, "terminations", {self.boards()});
            self.batch->step(moves, view, gains, ends);
        });
}

}  // namespace fourcast::bindings
