"""Learn the weights of the move order from recorded searches, and write native/ordering_weights.inc.

    make train-order                           records for half an hour, then runs this
    python tools/train_order.py RECORD ...     trains on files that `record_order` has written

What is learned is not which move is right but what a choice costs: the loss of a node is the logarithm
of the nodes that its first choice takes, against those of the cheapest move that is good enough,
averaged over a softmax of the weighted sums. Trained on "which move is right" the search gets slower
although it is right more often. Each class of positions starts from what is learned for more general
ones.
"""

import argparse
import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

Array = NDArray[np.float64]

NATIVE = Path(__file__).resolve().parent.parent / "native"
CLASSES = 32  # see Ordering::class_of: how full, whose turn, what is asked
KINDS = 8  # the same without how full the board is
SCALE = 100  # weights are stored as integers


@dataclass
class Nodes:
    """Recorded nodes of one kind: a row for each move, and the node that it belongs to."""

    features: Array
    losses: Array
    node: NDArray[np.int64]
    count: int


def feature_count() -> int:
    """Return the number of features, read off the header that defines them."""
    text = (NATIVE / "ordering.hpp").read_text()
    names = re.search(r"enum Feature : int \{(.*?)square_feature", text, re.DOTALL)
    assert names is not None
    return len(re.findall(r"^\s*\w+,", names[1], re.MULTILINE)) + 6 * 4


def read(path: Path, features: int) -> list[tuple[int, Array, Array]]:
    """Return (class, features, losses) of each node of a file; a cut-off last one is left out."""
    data = path.read_bytes()
    width = features + 5
    nodes = []
    at = 0
    while at + 3 <= len(data):
        order_class, _, moves = data[at : at + 3]
        at += 3
        if at + moves * width > len(data):
            break
        rows = np.frombuffer(data, np.uint8, moves * width, at).reshape(moves, width)
        at += moves * width
        cost = rows[:, features : features + 4].copy().view(np.float32)[:, 0].astype(float)
        cuts = rows[:, -1].astype(bool)
        cheapest = cost[cuts].min()
        # A move that is not good enough costs its own nodes, and then those of one that is.
        loss = np.log(np.where(cuts, cost, cost + cheapest) / cheapest)
        nodes.append((order_class, rows[:, :features].astype(np.int8).astype(float), loss))
    return nodes


def gather(nodes: list[tuple[int, Array, Array]]) -> Nodes:
    """Put the rows of many nodes below each other."""
    return Nodes(
        np.concatenate([features for _, features, _ in nodes]),
        np.concatenate([losses for _, _, losses in nodes]),
        np.repeat(np.arange(len(nodes)), [len(losses) for _, _, losses in nodes]),
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


def train(nodes: list[tuple[int, Array, Array]], features: int, strength: float) -> list[Array]:
    """Return the weights of each class, learned from all nodes, then those of its kind, then its own."""
    common = learn(gather(nodes), np.zeros(features), strength)
    result = []
    of_kind = {}
    for kind in range(KINDS):
        some = [node for node in nodes if node[0] % KINDS == kind]
        of_kind[kind] = learn(gather(some), common, strength) if some else common
    for order_class in range(CLASSES):
        some = [node for node in nodes if node[0] == order_class]
        start = of_kind[order_class % KINDS]
        result.append(learn(gather(some), start, strength) if some else start)
    return result


def report(weights: list[Array], nodes: list[tuple[int, Array, Array]]) -> float:
    """Return the mean loss over all nodes, each with the weights of its class."""
    total = 0.0
    for order_class in range(CLASSES):
        some = [node for node in nodes if node[0] == order_class]
        if some:
            total += first_choice_loss(weights[order_class], gather(some)) * len(some)
    return total / len(nodes)


def write(weights: list[Array], path: Path) -> None:
    """Write the weights as C++."""
    rows = (np.clip(np.round(w * SCALE), -3000, 3000).astype(int) for w in weights)
    lines = ",\n".join("    {" + ", ".join(map(str, row)) + "}" for row in rows)
    path.write_text(
        "// Written by tools/train_order.py; one row for each class of positions.\n"
        "// clang-format off\n"
        f"inline constexpr Weights standard_weights{{{{{{\n{lines}}}}}}};\n"
        "// clang-format on\n"
    )


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("records", nargs="+", type=Path)
    parser.add_argument("--strength", type=float, default=30.0, help="of the pull to general weights")
    parser.add_argument("--out", type=Path, default=NATIVE / "ordering_weights.inc")
    parser.add_argument("--check", action="store_true", help="train on 4/5, test on the rest")
    options = parser.parse_args()
    features = feature_count()
    nodes = [node for path in options.records for node in read(path, features)]
    print(f"{len(nodes)} nodes, {features} features")
    if options.check:
        known, unseen = nodes[: len(nodes) * 4 // 5], nodes[len(nodes) * 4 // 5 :]
        weights = train(known, features, options.strength)
        print(f"loss {report(weights, known):.4f}, on unseen nodes {report(weights, unseen):.4f}")
        return
    weights = train(nodes, features, options.strength)
    print(f"loss {report(weights, nodes):.4f}")
    write(weights, options.out)


if __name__ == "__main__":
    main()
