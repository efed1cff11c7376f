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

from fourcast._core import BoardBatch, Position
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


class ConnectFourEnv(gymnasium.Env["NDArray[np.int8]", np.int64]):
    """One game against an opponent: a player's name, or whatever else a `Match` takes.

    An observation is the board in the layout `pettingzoo`: the agent's discs, then the opponent's. The
    reward is 1 for a win and -1 for a loss, at the end. A column that cannot be played loses the game;
    `info["action_mask"]` and `action_masks()` have those that can.

    The agent starts if *agent_first* is true, and by chance if it is None. With a *solver*, `info` has
    the exact `score` of the position and the `scores` of all columns, with `fourcast.data.FULL` for
    full ones.
    """

    metadata: dict[str, Any] = {"render_modes": boards.RENDER_MODES, "render_fps": 2}  # noqa: RUF012, as its parent

    def __init__(
        self,
        opponent: Entrant = "random",
        *,
        agent_first: bool | None = None,
        width: int = 7,
        height: int = 6,
        render_mode: str | None = None,
        solver: Solver | None = None,
    ) -> None:
        boards.check_render_mode(render_mode)
        self.position = Position(width=width, height=height)
        self.observation_space = spaces.Box(0, 1, (height, width, 2), np.int8)
        self.action_space = spaces.Discrete(width)
        self.render_mode = render_mode
        self._empty = self.position
        self._contestant = Contestant.of(opponent)
        self._opponent: Player | None = None
        self._agent_first = agent_first
        self._agent = 1
        self._is_over = True
        boards.check_solver(solver)
        if agent_first not in (True, False, None):
            raise TypeError(f"agent_first must be True, False or None, not {quote(agent_first)}")
        self._solver = solver

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.int8], Info]:
        """Begin a game; the opponent has moved if it starts."""
        super().reset(seed=seed, options=options)
        self._close_opponent()
        self._opponent = self._contestant.make(seed=int(self.np_random.integers(2**31)))
        by_chance = bool(self.np_random.integers(2))
        is_first = by_chance if self._agent_first is None else self._agent_first
        self._agent = 1 if is_first else 2
        self.position = self._empty
        self._is_over = False
        if not is_first:
            self._reply()
        return self._shown()

    def step(self, action: Any) -> tuple[NDArray[np.int8], float, bool, bool, Info]:
        """Play a column, and let the opponent answer."""
        if self._is_over:
            raise OptionError("the game is over: call reset() before the next step")
        if self.position.refusal(action) is not None:
            return self._ended(-1.0)
        self.position = self.position.play(action)
        if not self.position.is_over:
            self._reply()
        if self.position.is_over:
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

    def _reply(self) -> None:
        assert self._opponent is not None  # there is one since the reset
        self.position = self.position.play(self._opponent.choose(self.position))

    def _ended(self, reward: float) -> tuple[NDArray[np.int8], float, bool, bool, Info]:
        self._is_over = True
        observation, info = self._shown()
        info["action_mask"][:] = 0
        return observation, reward, True, False, info

    def _shown(self) -> tuple[NDArray[np.int8], Info]:
        if self.render_mode == "human":
            self.render()
        planes: NDArray[np.int8] = self.position.planes("pettingzoo")
        if self.position.turn != self._agent:
            planes = planes[..., ::-1].copy()
        return planes, {
            "action_mask": boards.action_mask(self.position),
            **boards.labels_of(self.position, self._solver),
        }

    def _close_opponent(self) -> None:
        close = getattr(self._opponent, "close", None)
        if self._contestant.command and close is not None:
            close()


class ConnectFourVectorEnv(VectorEnv["NDArray[np.int8]", "NDArray[np.int64]", "NDArray[Any]"]):
    """Thousands of games in one call of C++: against random play, or the agent plays both sides.

    *opponent* is `random`, or None for an agent that plays both sides: it then sees each board from the
    side to move, and the reward is that of the side that has just moved. Rewards, illegal moves and who
    starts are those of `ConnectFourEnv`. `infos["action_mask"]` has the open columns of every board. A
    game that has ended begins again in the next step (`AutoresetMode.NEXT_STEP`).

    >>> games = ConnectFourVectorEnv(1000, opponent=None)
    >>> observations, infos = games.reset(seed=1)
    >>> observations.shape, infos["action_mask"].shape
    ((1000, 6, 7, 2), (1000, 7))
    """

    metadata: dict[str, Any] = {"autoreset_mode": AutoresetMode.NEXT_STEP}  # noqa: RUF012, as its parent

    def __init__(
        self,
        num_envs: int = 1,
        opponent: str | None = "random",
        *,
        agent_first: bool | None = None,
        width: int = 7,
        height: int = 6,
    ) -> None:
        if opponent not in ("random", None):
            raise OptionError(f"opponent must be 'random' or None here, not {opponent!r}")
        self._batch = BoardBatch(
            num_envs, opponent=opponent is not None, agent_first=agent_first, width=width, height=height
        )
        self.num_envs = num_envs
        self.render_mode = None
        self.single_observation_space = spaces.Box(0, 1, (height, width, 2), np.int8)
        self.single_action_space = spaces.Discrete(width)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._shapes = ((num_envs, height, width, 2), (num_envs, width))

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.int8], Info]:
        """Begin all games; one *seed* is for all of them together."""
        if isinstance(seed, list):
            raise OptionError("all boards share one seed: give an int, not a list")
        super().reset(seed=seed, options=options)
        observations, masks = (np.empty(shape, np.int8) for shape in self._shapes)
        self._batch.reset(int(self.np_random.integers(2**62)), observations, masks)
        return observations, {"action_mask": masks}

    def step(
        self, actions: Any
    ) -> tuple[NDArray[np.int8], NDArray[Any], NDArray[Any], NDArray[Any], Info]:
        """Play one action on each board."""
        given = np.asarray(actions)
        if given.dtype.kind not in "iu":
            raise TypeError(f"actions must be integers, not {given.dtype}")
        observations, masks = (np.empty(shape, np.int8) for shape in self._shapes)
        rewards = np.empty(self.num_envs)
        terminations = np.empty(self.num_envs, bool)
        chosen = np.ascontiguousarray(given, np.int64)
        self._batch.step(chosen, observations, masks, rewards, terminations)
        truncations = np.zeros(self.num_envs, bool)
        return observations, rewards, terminations, truncations, {"action_mask": masks}


if "fourcast/ConnectFour-v0" not in gymnasium.registry:
    gymnasium.register(
        "fourcast/ConnectFour-v0",
        entry_point="fourcast.adapters.gymnasium:ConnectFourEnv",
        vector_entry_point="fourcast.adapters.gymnasium:ConnectFourVectorEnv",
    )
