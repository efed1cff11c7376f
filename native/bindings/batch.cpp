// Many games at once.
#include "arrays/batch.hpp"

#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>

#include <limits>
#include <memory>
#include <type_traits>
#include <vector>

#include "convert.hpp"
#include "interpreter.hpp"
#include "module.hpp"
#include "system/errors.hpp"
#include "system/text.hpp"

namespace fourcast::bindings {
namespace {

using namespace nb::literals;

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
    throw nb::type_error(text(name, " must be an array of ", type, " of shape (", lengths,
                              shape.size() == 1 ? ",)" : ")", " in C order",
                              std::is_const_v<T> ? "" : " that can be written to")
                             .c_str());
}

Batch::Start start_from(nb::handle agent_first) {
    if (agent_first.is_none()) return Batch::Start::any;
    return bool_from(agent_first, "agent_first") ? Batch::Start::agent : Batch::Start::opponent;
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
    nb::class_<BoardBatch>(module, "BoardBatch", nb::is_final(),
                           nb::sig("@typing.final\nclass BoardBatch(object)"),
                           R"(Many games at once: a step plays a move on every board.

The agent plays both sides, or against an opponent that plays any open column: *opponent*. Against one,
*agent_first* says whether the agent starts; None leaves it to chance. A board whose game is over is empty
again after the next step.)")
        .def(
            "__init__",
            [](BoardBatch* self, nb::handle n, nb::handle opponent, nb::handle agent_first,
               nb::handle width, nb::handle height) {
                const Position empty = board_of(width, height);
                Batch::Options options;
                options.boards = static_cast<std::size_t>(bounded(n, "num_envs", 1, most_boards));
                options.width = empty.width();
                options.height = empty.height();
                options.opponent =
                    bool_from(opponent, "opponent") ? Batch::Opponent::random : Batch::Opponent::none;
                options.start = start_from(agent_first);
                new (self) BoardBatch{Batch::make(options)};
            },
            given("n"), nb::kw_only(), given("opponent") = false, given("agent_first") = nb::none(),
            given("width") = 7, given("height") = 6,
            nb::sig("def __init__(self, n: int, *, opponent: bool = False, agent_first: bool | None = "
                    "None, width: int = 7, height: int = 6) -> None"))
        .def("__len__", &BoardBatch::boards)
        .def(
            "reset",
            [](BoardBatch& self, nb::handle seed, nb::handle observations, nb::handle masks) {
                const auto start =
                    static_cast<u64>(bounded(seed, "seed", 0, std::numeric_limits<long long>::max()));
                self.batch->reset(start, self.view(observations, masks));
            },
            given("seed"), given("observations"), given("masks"),
            nb::sig("def reset(self, seed: int, observations: typing.Any, masks: typing.Any) -> None"),
            R"(Begin all games again and show them.

*observations* is an array of int8 (n, height, width, 2) to be written to, in the layout `pettingzoo`: the
side to act, then the other one. *masks* is one of int8 (n, width): 1 for open columns, all 0 if the game
is over.)")
        .def(
            "step",
            [](BoardBatch& self, nb::handle actions, nb::handle observations, nb::handle masks,
               nb::handle rewards, nb::handle terminations) {
                const auto* const moves =
                    elements_of<const std::int64_t>(actions, "actions", {self.boards()});
                const Batch::View view = self.view(observations, masks);
                double* const gains = elements_of<double>(rewards, "rewards", {self.boards()});
                bool* const ends = elements_of<bool>(terminations, "terminations", {self.boards()});
                self.batch->step(moves, view, gains, ends);
            },
            given("actions"), given("observations"), given("masks"), given("rewards"),
            given("terminations"),
            nb::sig("def step(self, actions: typing.Any, observations: typing.Any, masks: typing.Any, "
                    "rewards: typing.Any, terminations: typing.Any) -> None"),
            R"(Play the *actions*, an array of int64 (n,), and show the boards as `reset` does.

Writes the rewards of those who acted (float64, (n,)) and whether the games are over (bool, (n,)).
Anything but an open column loses the game. A game that was over begins again instead, with reward 0.)");
}

}  // namespace fourcast::bindings
