"""Trains a small agent against level-3, and plots how many of its moves are perfect, by episode.

    python examples/train_agent.py [--episodes 4000] [--seed 2026] [--out train-agent.svg]

Needs `pip install '.[arena,rl]'`; docs/agents.md explains it. The agent is a list of weights, one
for each line of four squares and what it holds, and it plays the column after which their sum is
highest. After each of its moves, the value of its last board moves towards the value of this one, and
at the end towards the result (temporal differences). It plays in `ConnectFourVectorEnv`, many games at
once, and level-3 plays the other side. Every 200 episodes it is measured by `evaluate_agent` on
positions with exact scores, which it never learns from.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from fourcast import Position, player
from fourcast.adapters.gymnasium import ConnectFourVectorEnv
from fourcast.arena import evaluate_agent
from fourcast.arena.evaluation import Measure
from fourcast.data import positions_from_planes

Boards = NDArray[np.int8]  # (n, 6, 7, 2): the discs of the side to move, and of the other one
Floats = NDArray[np.float64]

HEIGHT, WIDTH = 6, 7
GAMES = 64  # at a time
MEASURE_EVERY = 200  # episodes
POSITIONS = 500  # for a measurement
RATE = 0.005
EXPLORE = 0.1  # share of random moves

# What a line of four squares may hold; the last two: three discs, and the fourth can be played now.
KINDS = 11
BOTH, MINE_NOW, THEIRS_NOW = 8, 9, 10


def lines_of_four() -> NDArray[np.int64]:
    """Return the squares of each line as indices into a flattened board, (69, 4)."""
    found = []
    for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
        for row in range(HEIGHT):
            for column in range(WIDTH):
                squares = [(row + i * down, column + i * right) for i in range(4)]
                if all(0 <= r < HEIGHT and 0 <= c < WIDTH for r, c in squares):
                    found.append([r * WIDTH + c for r, c in squares])
    return np.array(found)


LINES = lines_of_four()


class Agent:
    """A value of boards after a move, for the side that made it: weights of lines, summed up."""

    name = "td"

    def __init__(self, seed: int) -> None:
        self.weights: Floats = np.zeros((len(LINES) + 1) * KINDS)  # the last ones are for all lines
        self.chance = np.random.default_rng(seed)

    def choose(self, position: Position) -> int:
        """Return the best column of a position: with this method the agent is a player."""
        mask = np.zeros((1, WIDTH), np.int8)
        mask[0, list(position.legal_columns)] = 1
        return int(self.act(position.planes("pettingzoo")[np.newaxis], mask)[0][0])

    def act(
        self, boards: Boards, masks: NDArray[np.int8], explore: float = 0.0
    ) -> tuple[NDArray[np.int64], Boards, Floats]:
        """Return a column for each board, the board after it, and the value of the best column."""
        rows = HEIGHT - 1 - boards.any(axis=3).sum(axis=1)  # from the top, where a disc falls to
        after = np.repeat(boards[:, np.newaxis], WIDTH, axis=1)
        games, columns = np.nonzero(masks)
        after[games, columns, rows[games, columns], columns, 0] = 1
        sums = self.weights[self.features(after.reshape(-1, HEIGHT, WIDTH, 2))].sum(axis=1)
        sums = np.where(masks, sums.reshape(masks.shape), -np.inf)
        by_chance = (self.chance.random(masks.shape) * masks).argmax(axis=1)
        is_random = self.chance.random(len(boards)) < explore
        chosen = np.where(is_random, by_chance, sums.argmax(axis=1))
        return chosen, after[np.arange(len(boards)), chosen], np.tanh(sums.max(axis=1))

    def learn(self, boards: Boards, targets: Floats) -> None:
        """Move the values of boards towards the targets."""
        features = self.features(boards)
        errors = targets - np.tanh(self.weights[features].sum(axis=1))
        # Each weight moves by the mean error of the lines that it counts for.
        size = len(self.weights)
        sums = np.bincount(features.ravel(), np.repeat(errors, features.shape[1]), size)
        self.weights += RATE * sums / np.maximum(np.bincount(features.ravel(), minlength=size), 1)

    def features(self, boards: Boards) -> NDArray[np.int64]:
        """Return the indices of the weights that count for each board, two for each line."""
        flat = boards.reshape(len(boards), HEIGHT * WIDTH, 2)
        filled = boards.sum(axis=3) > 0
        below = np.concatenate([filled[:, 1:], np.ones((len(boards), 1, WIDTH), bool)], axis=1)
        can_play = (below & ~filled).reshape(len(boards), HEIGHT * WIDTH)[:, LINES].any(axis=2)
        mine, theirs = (flat[:, LINES, side].sum(axis=2) for side in (0, 1))
        kinds = np.where(theirs == 0, mine, np.where(mine == 0, 4 + theirs, BOTH))
        kinds[(kinds == 3) & can_play] = MINE_NOW
        kinds[(kinds == 7) & can_play] = THEIRS_NOW
        return np.concatenate(
            [np.arange(len(LINES)) * KINDS + kinds, len(LINES) * KINDS + kinds], axis=1
        )


def train(episodes: int, seed: int) -> tuple[Agent, dict[int, Measure]]:
    """Return a trained agent, and what it was worth after each number of episodes."""
    agent, opponent = Agent(seed), player("level-3", seed=seed)
    games = ConnectFourVectorEnv(GAMES, opponent=None)  # we play both sides
    boards, infos = games.reset(seed=seed)
    agent_starts = np.arange(GAMES) % 2 == 0
    last = np.zeros_like(boards)  # the agent's last board of each game
    has_last = np.zeros(GAMES, bool)
    is_over = np.zeros(GAMES, bool)  # the next step begins a new game there
    measures = {0: evaluate_agent(agent, positions=POSITIONS).total}
    done, wins = 0, 0.0
    while done < episodes:
        turns = boards.sum(axis=(1, 2, 3)) % 2 == 0
        is_agents = (turns == agent_starts) & ~is_over
        actions = np.zeros(GAMES, np.int64)
        mine = np.flatnonzero(is_agents)
        chosen, after, best = agent.act(boards[mine], infos["action_mask"][mine], EXPLORE)
        known = has_last[mine]
        agent.learn(last[mine[known]], best[known])
        actions[mine], last[mine], has_last[mine] = chosen, after, True
        others = np.flatnonzero(~is_agents & ~is_over)
        for game, position in zip(
            others, positions_from_planes(boards[others], "pettingzoo"), strict=True
        ):
            actions[game] = opponent.choose(position)
        agent_starts[is_over] ^= True  # a new game, with the other side
        boards, rewards, is_over, _, infos = games.step(actions)
        results = np.where(is_agents, rewards, -rewards)  # a reward is that of the side that moved
        ended = is_over & has_last
        agent.learn(last[ended], results[ended])
        has_last[is_over] = False
        wins += float((results[is_over] + 1).sum() / 2)
        before, done = done, done + int(is_over.sum())
        if done // MEASURE_EVERY > before // MEASURE_EVERY:
            measures[done] = measure = evaluate_agent(agent, positions=POSITIONS).total
            print(
                f"{done:6} episodes: {wins / done:5.1%} of the points so far, "
                f"{measure.perfect:5.1%} +- {measure.perfect_error * 100:.1f} perfect moves, "
                f"{measure.kept:5.1%} keep the outcome",
                flush=True,
            )
    return agent, measures


def plot(measures: dict[int, Measure], path: Path) -> None:
    """Draw the share of perfect moves by episodes, with 95% confidence intervals."""
    import matplotlib
    from matplotlib.figure import Figure

    with matplotlib.rc_context({"svg.hashsalt": "fourcast"}):  # the same numbers, the same file
        figure = Figure(figsize=(7, 3.5), layout="constrained")
        axes = figure.add_subplot()
        for label, color, shares in (
            ("perfect", "#3b82b5", [(each.perfect, each.perfect_error) for each in measures.values()]),
            ("keeps outcome", "#c8503c", [(each.kept, each.kept_error) for each in measures.values()]),
        ):
            percents, errors = 100 * np.array(shares).T
            axes.errorbar(
                list(measures), percents, errors, marker="o", capsize=3, color=color, label=label
            )
        axes.set_xlabel("episodes against level-3")
        axes.set_ylabel(f"% of {POSITIONS} positions")
        axes.set_ylim(0, 100)
        axes.grid(alpha=0.2)
        axes.legend(loc="lower right")
        figure.savefig(path, metadata={"Date": None} if path.suffix == ".svg" else None)


def main() -> None:
    """Train, and draw what came out."""
    parser = argparse.ArgumentParser(description="Train a small agent against level-3.")
    parser.add_argument("--episodes", type=int, default=4000)
    parser.add_argument("--seed", type=int, default=2026)
    parser.add_argument("--out", type=Path, default=Path("train-agent.svg"), help="an .svg or .png file")
    options = parser.parse_args()
    _, measures = train(options.episodes, options.seed)
    plot(measures, options.out)
    print(f"The plot is {options.out}")


if __name__ == "__main__":
    main()
