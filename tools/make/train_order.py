"""Learn the move order from recorded searches: weights of a sum, and a net on top of it.

    make train-order                               records for an hour, then runs this
    python tools/make/train_order.py RECORD ...         trains on files that `record_order` has written
    python tools/make/train_order.py --net RECORD ...   trains the net alone, on top of the sum as it is
    python tools/make/train_order.py --odd RECORD ...   the same for boards with an odd number of rows

They are written to ordering_weights.inc and order_net_weights.inc in native/search/, or to those with
`_odd` in their names.

What is learned is not which move is right but what a choice costs: the loss of a node is the logarithm
of the nodes that its first choice takes, against those of the cheapest move that is good enough,
averaged over a softmax of the weighted sums. Trained on "which move is right" the search gets slower
although it is right more often. Each class of positions starts from what is learned for more general
ones. The net starts from the sum alone, and has the same loss; that for an odd number of rows starts
from the other one.
"""

import argparse
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

Array = NDArray[np.float64]
Floats = NDArray[np.float32]
Whole = NDArray[np.int64]

NATIVE = Path(__file__).resolve().parents[2] / "native" / "search"
CLASSES = 32  # see Ordering::class_of: how full, whose turn, what is asked
KINDS = 8  # the same without how full the board is
SCALE = 100  # weights are stored as integers
HIDDEN = 16  # units of a net
HIDDEN_SCALE = 256  # see OrderNet: its sums are in 256ths
OUTPUT_SCALE = 1600  # with these two, 4096 times the hundredths of the sum
NET_EMPTIES = 24  # learn from a little more than the nodes that use the net
EPOCHS = 12
MOST_MOVES = 11
KNOWN_CLOSE = 11  # the feature that only the search knows of


@dataclass
class Node:
    """A recorded node: its inputs and losses have a row for each move."""

    order_class: int
    empties: int
    inputs: NDArray[np.int8]
    losses: Array


@dataclass
class Nodes:
    """Recorded nodes of one kind: a row for each move, and the node that it belongs to."""

    features: Array
    losses: Array
    node: NDArray[np.int64]
    count: int


def feature_count() -> int:
    """Return the number of features of the sum, read off the header that defines them."""
    text = (NATIVE / "ordering_features.hpp").read_text()
    names = re.search(r"enum Feature : int \{(.*?)square_feature", text, re.DOTALL)
    assert names is not None
    return len(re.findall(r"^\s*\w+,", names[1], re.MULTILINE)) + 6 * 4


def input_count() -> int:
    """Return the number of inputs of the net, the features of the sum included."""
    text = (NATIVE / "order_net.hpp").read_text()
    names = re.search(r"enum NetInput : int \{(.*?)asked_input,", text, re.DOTALL)
    assert names is not None
    given = re.findall(r"^\s*\w+(?: = feature_count)?,", names[1], re.MULTILINE)
    return feature_count() + len(given) + 4  # first_position_input stands for the first of its group


def read(path: Path, inputs: int) -> list[Node]:
    """Return the nodes of a file; a cut-off last one is left out."""
    data = path.read_bytes()
    width = inputs + 5
    nodes = []
    at = 0
    while at + 3 <= len(data):
        order_class, empties, moves = data[at : at + 3]
        at += 3
        if at + moves * width > len(data):
            break
        rows = np.frombuffer(data, np.uint8, moves * width, at).reshape(moves, width)
        at += moves * width
        cost = rows[:, inputs : inputs + 4].copy().view(np.float32)[:, 0].astype(float)
        cuts = rows[:, -1].astype(bool)
        cheapest = cost[cuts].min()
        # A move that is not good enough costs its own nodes, and then those of one that is.
        loss = np.log(np.where(cuts, cost, cost + cheapest) / cheapest)
        nodes.append(Node(order_class, empties, rows[:, :inputs].view(np.int8), loss))
    return nodes


def gather(nodes: list[Node]) -> Nodes:
    """Put the features of many nodes below each other."""
    features = feature_count()
    return Nodes(
        np.concatenate([node.inputs[:, :features] for node in nodes]).astype(float),
        np.concatenate([node.losses for node in nodes]),
        np.repeat(np.arange(len(nodes)), [len(node.losses) for node in nodes]),
        len(nodes),
    )


def expected_loss(weights: Array, nodes: Nodes, start: Array, pull: float) -> tuple[float, Array]:
    """Return the mean loss of a softmax choice, with a pull towards *start*, and its gradient."""
    sums = nodes.features @ weights
    highest = np.full(nodes.count, -np.inf)
    np.maximum.at(highest, nodes.node, sums)
    chance = np.exp(sums - highest[nodes.node])
    chance /= np.bincount(nodes.node, chance, nodes.count)[nodes.node]
    loss = np.bincount(nodes.node, chance * nodes.losses, nodes.count)
    gradient = nodes.features.T @ (chance * (nodes.losses - loss[nodes.node])) / nodes.count
    away = weights - start
    return float(loss.mean() + pull * (away @ away)), gradient + 2 * pull * away


def first_choice_loss(weights: Array, nodes: Nodes) -> float:
    """Return the mean loss if the move with the largest sum is chosen."""
    order = np.lexsort((-(nodes.features @ weights), nodes.node))
    first = np.r_[True, np.diff(nodes.node[order]) != 0]
    return float(nodes.losses[order][first].mean())


def learn(nodes: Nodes, start: Array, strength: float) -> Array:
    """Return the weights with the least loss, the nearer to *start* the fewer nodes there are."""
    pull = strength / nodes.count
    options = {"maxiter": 400}
    found = minimize(expected_loss, start, (nodes, start, pull), "L-BFGS-B", jac=True, options=options)
    return np.asarray(found.x)


def train(nodes: list[Node], features: int, strength: float) -> list[Array]:
    """Return the weights of each class, learned from all nodes, then those of its kind, then its own."""
    common = learn(gather(nodes), np.zeros(features), strength)
    result = []
    of_kind = {}
    for kind in range(KINDS):
        some = [node for node in nodes if node.order_class % KINDS == kind]
        of_kind[kind] = learn(gather(some), common, strength) if some else common
    for order_class in range(CLASSES):
        some = [node for node in nodes if node.order_class == order_class]
        start = of_kind[order_class % KINDS]
        result.append(learn(gather(some), start, strength) if some else start)
    return result


def report(weights: list[Array], nodes: list[Node]) -> float:
    """Return the mean loss over all nodes, each with the weights of its class."""
    total = 0.0
    for order_class in range(CLASSES):
        some = [node for node in nodes if node.order_class == order_class]
        if some:
            total += first_choice_loss(weights[order_class], gather(some)) * len(some)
    return total / len(nodes)


@dataclass
class Net:
    """A layer of hidden units between inputs and what is added to the sum."""

    weights: Floats
    bias: Floats
    output: Floats

    def hidden(self, inputs: Floats) -> Floats:
        """Return the hidden units of all moves."""
        sums: Floats = inputs @ self.weights + self.bias
        return np.maximum(sums, 0)


@dataclass
class NetNodes:
    """Nodes for a net, with room for as many moves each."""

    inputs: Floats
    losses: Floats
    sums: Floats
    moves: NDArray[np.bool_]  # there is one

    def first_choice_loss(self, net: Net) -> float:
        """Return the mean loss if the move with the largest sum is chosen."""
        sums = np.where(self.moves, self.sums + net.hidden(self.inputs) @ net.output, -np.inf)
        return float(self.losses[np.arange(len(sums)), sums.argmax(axis=1)].mean())


def gather_for_net(nodes: list[Node], weights: list[Array]) -> NetNodes:
    """Put many nodes beside each other."""
    features = feature_count()
    shape = len(nodes), MOST_MOVES
    result = NetNodes(
        np.zeros((*shape, input_count()), np.float32),
        np.zeros(shape, np.float32),
        np.zeros(shape, np.float32),
        np.zeros(shape, bool),
    )
    for i, node in enumerate(nodes):
        count = len(node.losses)
        result.inputs[i, :count] = node.inputs
        result.losses[i, :count] = node.losses
        result.sums[i, :count] = node.inputs[:, :features] @ weights[node.order_class]
        result.moves[i, :count] = True
    result.inputs[:, :, KNOWN_CLOSE] = 0  # the search sees to that one
    return result


def train_net(nodes: NetNodes, seed: int, start: Net | None) -> Net:
    """Return a net, learned from *start* by Adam (Kingma and Ba, 2015)."""
    chance = np.random.default_rng(seed)
    count, _, width = nodes.inputs.shape
    # The inputs are of very different size: learn with all of size one.
    size = nodes.inputs[nodes.moves].std(axis=0) + 0.01
    if start is None:
        drawn = chance.normal(0, 1 / np.sqrt(width), (width, HIDDEN)).astype(np.float32)
        values = [drawn, np.zeros(HIDDEN, np.float32), np.zeros(HIDDEN, np.float32)]
    else:
        values = [start.weights * size[:, None], start.bias, start.output]
    means = [np.zeros_like(value) for value in values]
    squares = [np.zeros_like(value) for value in values]
    step = 0
    for epoch in range(EPOCHS):
        rate = 0.0015 * (1 + np.cos(np.pi * epoch / EPOCHS))
        for some in np.array_split(chance.permutation(count), count // 512 + 1):
            inputs = nodes.inputs[some] / size
            net = Net(*values)
            hidden = net.hidden(inputs)
            sums = np.where(nodes.moves[some], nodes.sums[some] + hidden @ net.output, -1e9)
            odds = np.exp(sums - sums.max(axis=1, keepdims=True))
            odds /= odds.sum(axis=1, keepdims=True)
            losses = nodes.losses[some]
            of_sums = odds * (losses - (odds * losses).sum(axis=1, keepdims=True)) / len(some)
            of_hidden = (of_sums[:, :, None] * net.output * (hidden > 0)).reshape(-1, HIDDEN)
            slopes = (
                inputs.reshape(-1, width).T @ of_hidden,
                of_hidden.sum(axis=0),
                np.einsum("nm,nmh->h", of_sums, hidden),
            )
            step += 1
            for i, slope in enumerate(slopes):
                means[i] = 0.9 * means[i] + 0.1 * slope
                squares[i] = 0.999 * squares[i] + 0.001 * slope**2
                mean, square = means[i] / (1 - 0.9**step), squares[i] / (1 - 0.999**step)
                change = mean / (np.sqrt(square) + 1e-8) + 1e-4 * values[i]
                values[i] = (values[i] - rate * change).astype(np.float32)
    return Net(values[0] / size[:, None], values[1], values[2])


def as_stored(net: Net, nodes: NetNodes) -> tuple[Whole, Whole, Whole]:
    """Return the integers of a net, after a look at whether all its sums fit into 16 bits."""
    bias = np.round(net.bias * HIDDEN_SCALE).astype(int)
    weights = np.round(net.weights * HIDDEN_SCALE).astype(int)
    output = np.round(net.output * OUTPUT_SCALE).astype(int)
    highest = np.abs(nodes.inputs[nodes.moves] @ weights + bias).max()
    assert highest < 20_000
    assert np.abs(output).max() < 4_000
    return bias, weights, output


def stored_nets(path: Path) -> list[Net]:
    """Return the nets as they are."""
    rows = [
        np.array([int(number) for number in row.split(",")], np.float32)
        for row in re.findall(r"[-\d]+(?:, [-\d]+)+", path.read_text())
    ]
    each = len(rows) // 2
    return [
        Net(
            np.array(weights, np.float32) / np.float32(HIDDEN_SCALE),
            bias / np.float32(HIDDEN_SCALE),
            output / np.float32(OUTPUT_SCALE),
        )
        for bias, *weights, output in (rows[:each], rows[each:])
    ]


def write_nets(nets: list[tuple[Whole, Whole, Whole]], path: Path, name: str) -> None:
    """Write the nets as C++."""

    def row(numbers: Whole) -> str:
        return "{" + ", ".join(map(str, numbers)) + "}"

    def text(bias: Whole, weights: Whole, output: Whole) -> str:
        rows = ",\n       ".join(row(numbers) for numbers in weights)
        return f"    {{{row(bias)},\n     {{{{{rows}}}}},\n     {row(output)}}}"

    body = ",\n".join(text(*net) for net in nets)
    path.write_text(
        "// Written by tools/make/train_order.py; one net for each parity of the empty squares.\n"
        "// clang-format off\n"
        f"inline constexpr std::array<OrderNet, 2> {name}{{{{\n{body}\n}}}};\n"
        "// clang-format on\n"
    )


def train_nets(
    nodes: list[Node], unseen: list[Node], weights: list[Array], starts: Sequence[Net | None]
) -> list[tuple[Whole, Whole, Whole]]:
    """Return the nets for an even and an odd number of empty squares, and print their losses."""
    nets = []
    for parity in range(2):

        def gather_some(some: list[Node], parity: int = parity) -> NetNodes:
            early = [n for n in some if n.empties >= NET_EMPTIES and n.empties % 2 == parity]
            return gather_for_net(early, weights)

        known = gather_some(nodes)
        net = train_net(known, parity, starts[parity])
        nothing = Net(net.weights, net.bias, np.zeros(HIDDEN, np.float32))
        for name, part in (("known", known), ("unseen", gather_some(unseen))):
            if len(part.losses):
                before, after = part.first_choice_loss(nothing), part.first_choice_loss(net)
                print(
                    f"net {parity}: loss on {len(part.losses)} {name} nodes {before:.4f} -> {after:.4f}"
                )
        nets.append(as_stored(net, known))
    return nets


def stored_weights(path: Path) -> list[Array]:
    """Return the weights of the sum as they are."""
    rows = re.findall(r"\{([-\d, ]+)\}", path.read_text())
    return [np.array([int(number) for number in row.split(",")]) / SCALE for row in rows]


def write(weights: list[Array], path: Path, name: str) -> None:
    """Write the weights as C++."""
    rows = (np.clip(np.round(w * SCALE), -3000, 3000).astype(int) for w in weights)
    lines = ",\n".join("    {" + ", ".join(map(str, row)) + "}" for row in rows)
    path.write_text(
        "// Written by tools/make/train_order.py; one row for each class of positions.\n"
        "// clang-format off\n"
        f"inline constexpr Weights {name}{{{{{{\n{lines}}}}}}};\n"
        "// clang-format on\n"
    )


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("records", nargs="+", type=Path)
    parser.add_argument("--strength", type=float, default=30.0, help="of the pull to general weights")
    parser.add_argument("--out", type=Path, default=NATIVE, help="folder of the two files")
    parser.add_argument("--check", action="store_true", help="train on 4/5, test on the rest")
    parser.add_argument("--net", action="store_true", help="leave the sum as it is")
    parser.add_argument("--odd", action="store_true", help="for boards with an odd number of rows")
    options = parser.parse_args()
    features = feature_count()
    nodes = [node for path in options.records for node in read(path, input_count())]
    print(f"{len(nodes)} nodes, {features} features, {input_count()} inputs of the net")
    suffix, prefix = ("_odd", "odd_rows") if options.odd else ("", "standard")
    sum_path = options.out / f"ordering_weights{suffix}.inc"
    starts = stored_nets(NATIVE / "order_net_weights.inc") if options.odd else [None, None]
    if options.check:
        known, unseen = nodes[: len(nodes) * 4 // 5], nodes[len(nodes) * 4 // 5 :]
        weights = train(known, features, options.strength)
        print(f"loss {report(weights, known):.4f}, on unseen nodes {report(weights, unseen):.4f}")
        train_nets(known, unseen, weights, starts)
        return
    if options.net:
        weights = stored_weights(sum_path)
    else:
        weights = train(nodes, features, options.strength)
        print(f"loss {report(weights, nodes):.4f}")
        write(weights, sum_path, f"{prefix}_weights")
    nets = train_nets(nodes, [], weights, starts)
    write_nets(nets, options.out / f"order_net_weights{suffix}.inc", f"{prefix}_nets")


if __name__ == "__main__":
    main()
