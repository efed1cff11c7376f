"""Environments of Gymnasium: one game against a player, or thousands at once in C++.

Importing this module registers `fourcast/ConnectFour-v0`.

>>> game = gymnasium.make("fourcast/ConnectFour-v0", opponent="level-1")
>>> observation, info = game.reset(seed=1)
>>> observation, reward, terminated, truncated, info = game.step(3)
>>> observation.shape, info["action_mask"].tolist()
((6, 7, 2), [1, 1, 1, 1, 1, 1, 1])
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

try:
    import gymnasium
    import numpy as np
    from gymnasium import spaces
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space
except ImportError as error:
    from fourcast.errors import missing_extra

    raise missing_extra("the environment needs Gymnasium", "rl") from error

from fourcast._core import BoardBatch, Position, Rules
from fourcast.adapters import boards
from fourcast.arena.contestant import Contestant, Entrant
from fourcast.errors import OptionError
from fourcast.notation import quote

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from fourcast.players import Player
    from fourcast.solver import Solver

__all__ = ["ConnectFourEnv", "ConnectFourVectorEnv"]

Info = dict[str, Any]


class ConnectFourEnv(gymnasium.Env[Any, np.int64]):
    """One game against an opponent: a player's name, or whatever else a `Match` takes.

    An observation is the board in the layout `pettingzoo`: the agent's discs, then the opponent's. The
    reward is 1 for a win and -1 for a loss, at the end. A column that cannot be played loses the game;
    `info["action_mask"]` and `action_masks()` have those that can.

    With *flat*, the board is a vector of 84 floats, as networks without convolutions take it. With
    *mask*, an observation is a dict of the `observation` and the `action_mask`.

    The agent starts if *agent_first* is true, and by chance if it is None. With a *solver*, `info` has
    the exact `score` of the position and the `scores` of all columns, with `fourcast.data.FULL` for
    full ones.

    Other *rules* are a `Rules`. In PopOut the actions are the moves of `Position.play`: `2 * width + 1`
    of them. A position that comes again after the agent's or the opponent's move is a draw.
    """

    metadata: dict[str, Any] = {"render_modes": boards.RENDER_MODES, "render_fps": 2}  # noqa: RUF012, as its parent

    def __init__(
        self,
        opponent: Entrant = "random",
        *,
        agent_first: bool | None = None,
        flat: bool = False,
        mask: bool = False,
        width: int = 7,
        height: int = 6,
        rules: Rules | None = None,
        render_mode: str | None = None,
        solver: Solver | None = None,
    ) -> None:
        boards.check_render_mode(render_mode)
        self.position = Position(width=width, height=height, rules=rules or Rules())
        actions = boards.action_count(self.position)
        self._view = boards.View(width, height, flat=flat, mask=mask, actions=actions)
        self.observation_space = self._view.space
        self.action_space = spaces.Discrete(actions)
        self.render_mode = render_mode
        self._empty = self.position
        self._contestant = Contestant.of(opponent)
        self._opponent: Player | None = None
        self._agent_first = agent_first
        self._agent = 1
        self._is_over = True
        self._repetitions = boards.Repetitions(self._empty)
        boards.check_solver(solver, rules)
        if agent_first not in (True, False, None):
            raise TypeError(f"agent_first must be True, False or None, not {quote(agent_first)}")
        self._solver = solver

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, Info]:
        """Begin a game; the opponent has moved if it starts."""
        super().reset(seed=seed, options=options)
        self._close_opponent()
        self._opponent = self._contestant.make(seed=int(self.np_random.integers(2**31)))
        by_chance = bool(self.np_random.integers(2))
        is_first = by_chance if self._agent_first is None else self._agent_first
        self._agent = 1 if is_first else 2
        self.position = self._empty
        self._repetitions = boards.Repetitions(self._empty)
        self._is_over = False
        if not is_first:
            self._play(self._reply())
        return self._shown()

    def step(self, action: Any) -> tuple[Any, float, bool, bool, Info]:
        """Play a column, and let the opponent answer."""
        if self._is_over:
            raise OptionError("the game is over: call reset() before the next step")
        if self.position.refusal(action) is not None:
            return self._ended(-1.0)
        is_over = self._play(action) or self._play(self._reply())
        if is_over:
            winner = self.position.winner
            return self._ended(0.0 if winner is None else 1.0 if winner == self._agent else -1.0)
        observation, info = self._shown()
        return observation, 0.0, False, False, info

    def action_masks(self) -> NDArray[np.bool_]:
        """Return which columns can be played, as maskable agents of other packages ask for it."""
        return boards.action_mask(self.position).astype(bool)

    def render(self) -> Any:
        """Return the board as text or picture; in the mode `human` it is printed after each step."""
        return boards.render(self.position, self.render_mode)

    def close(self) -> None:
        """End the opponent, if it is a program."""
        self._close_opponent()

    def _reply(self) -> int:
        assert self._opponent is not None  # there is one since the reset
        return self._opponent.choose(self.position)

    def _play(self, move: Any) -> bool:
        """Play a move; return whether it ends the game."""
        self.position = self.position.play(move)
        return self._repetitions.ends_with(self.position)

    def _ended(self, reward: float) -> tuple[Any, float, bool, bool, Info]:
        self._is_over = True
        observation, info = self._shown()
        return observation, reward, True, False, info

    def _shown(self) -> tuple[Any, Info]:
        if self.render_mode == "human":
            self.render()
        mask = boards.action_mask(self.position, is_open=not self._is_over)
        info = {"action_mask": mask, **boards.labels_of(self.position, self._solver)}
        return self._view(boards.planes_of(self.position, self._agent), mask), info

    def _close_opponent(self) -> None:
        close = getattr(self._opponent, "close", None)
        if self._contestant.command and close is not None:
            close()


class ConnectFourVectorEnv(VectorEnv[Any, "NDArray[np.int64]", "NDArray[Any]"]):
    """Many games in one call: against any player, or the agent plays both sides.

    Against *opponent* `random`, and with None, where the agent plays both sides, thousands of games are
    played in one call of C++. With None the agent sees each board from the side to move, and the reward
    is that of the side that has just moved. Any other *opponent* is whatever a `Match` takes; it is
    asked for each board in turn. Rewards, illegal moves, who starts, *flat* and *mask* are those of
    `ConnectFourEnv`. `infos["action_mask"]` has the open columns of every board. A game that has ended
    begins again in the next step (`AutoresetMode.NEXT_STEP`).

    >>> games = ConnectFourVectorEnv(1000, opponent=None)
    >>> observations, infos = games.reset(seed=1)
    >>> observations.shape, infos["action_mask"].shape
    ((1000, 6, 7, 2), (1000, 7))
    """

    metadata: dict[str, Any] = {"autoreset_mode": AutoresetMode.NEXT_STEP}  # noqa: RUF012, as its parent

    def __init__(
        self,
        num_envs: int = 1,
        opponent: Entrant | None = "random",
        *,
        agent_first: bool | None = None,
        flat: bool = False,
        mask: bool = False,
        width: int = 7,
        height: int = 6,
    ) -> None:
        self._games: BoardBatch | _Games
        if opponent is None or opponent == "random":
            self._games = BoardBatch(
                num_envs,
                opponent=opponent is not None,
                agent_first=agent_first,
                width=width,
                height=height,
            )
        else:
            self._games = _Games(num_envs, Contestant.of(opponent), agent_first, width, height)
        self.num_envs = num_envs
        self.render_mode = None
        self._view = boards.View(width, height, flat=flat, mask=mask, actions=width)
        self.single_observation_space = self._view.space
        self.single_action_space = spaces.Discrete(width)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._shapes = ((num_envs, height, width, 2), (num_envs, width))

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, Info]:
        """Begin all games; one *seed* is for all of them together."""
        if isinstance(seed, list):
            raise OptionError("all boards share one seed: give an int, not a list")
        super().reset(seed=seed, options=options)
        observations, masks = (np.empty(shape, np.int8) for shape in self._shapes)
        self._games.reset(int(self.np_random.integers(2**62)), observations, masks)
        return self._view(observations, masks, self.num_envs), {"action_mask": masks}

    def step(self, actions: Any) -> tuple[Any, NDArray[Any], NDArray[Any], NDArray[Any], Info]:
        """Play one action on each board."""
        given = np.asarray(actions)
        if given.dtype.kind not in "iu":
            raise TypeError(f"actions must be integers, not {given.dtype}")
        observations, masks = (np.empty(shape, np.int8) for shape in self._shapes)
        rewards = np.empty(self.num_envs)
        terminations = np.empty(self.num_envs, bool)
        chosen = np.ascontiguousarray(given, np.int64)
        self._games.step(chosen, observations, masks, rewards, terminations)
        truncations = np.zeros(self.num_envs, bool)
        shown = self._view(observations, masks, self.num_envs)
        return shown, rewards, terminations, truncations, {"action_mask": masks}

    def close_extras(self, **_: Any) -> None:
        """End the opponents, if they are programs."""
        games = getattr(self, "_games", None)  # there are none if the constructor has refused something
        if isinstance(games, _Games):
            games.close()


class _Games:
    """Games against any player, with the calls of `BoardBatch`."""

    def __init__(
        self, boards: int, opponent: Contestant, agent_first: bool | None, width: int, height: int
    ) -> None:
        self._envs = [
            ConnectFourEnv(opponent, agent_first=agent_first, width=width, height=height)
            for _ in range(boards)
        ]
        self._over = [False] * boards

    def reset(self, seed: int, observations: NDArray[Any], masks: NDArray[Any]) -> None:
        for board, env in enumerate(self._envs):
            observations[board], info = env.reset(seed=(seed + board) % 2**31)
            masks[board] = info["action_mask"]
            self._over[board] = False

    def step(
        self,
        actions: NDArray[np.int64],
        observations: NDArray[Any],
        masks: NDArray[Any],
        rewards: NDArray[Any],
        terminations: NDArray[Any],
    ) -> None:
        if actions.shape != (len(self._envs),):
            raise TypeError(f"actions must be an array of shape ({len(self._envs)},)")
        for board, (env, action) in enumerate(zip(self._envs, actions.tolist(), strict=True)):
            if self._over[board]:
                observations[board], info = env.reset()
                rewards[board], terminations[board] = 0, False
            else:
                observations[board], rewards[board], terminations[board], _, info = env.step(action)
            masks[board] = info["action_mask"]
            self._over[board] = bool(terminations[board])

    def close(self) -> None:
        for env in self._envs:
            env.close()


if "fourcast/ConnectFour-v0" not in gymnasium.registry:
    gymnasium.register(
        "fourcast/ConnectFour-v0",
        entry_point="fourcast.adapters.gymnasium:ConnectFourEnv",
        vector_entry_point="fourcast.adapters.gymnasium:ConnectFourVectorEnv",
    )
