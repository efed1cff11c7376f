"""An environment of PettingZoo: Connect Four for two agents, with the rules in C++.

It has the spaces of PettingZoo's `classic/connect_four-v3`, on boards of any size. Importing this module
registers it as `fourcast/connect_four-v0`.

>>> game = env()
>>> game.reset(seed=1)
>>> for agent in game.agent_iter():
...     observation, reward, termination, truncation, info = game.last()
...     action = None if termination else game.action_space(agent).sample(observation["action_mask"])
...     game.step(action)
>>> game.close()
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar, Literal

try:
    import numpy as np
    import pettingzoo
    from gymnasium import spaces
    from pettingzoo import AECEnv
    from pettingzoo.utils import wrappers
except ImportError as error:
    from fourcast.errors import missing_extra

    raise missing_extra("the environment needs PettingZoo", "rl") from error

from fourcast._core import Position, Rules
from fourcast.adapters import boards
from fourcast.errors import IllegalMoveError, OptionError
from fourcast.notation import quote
from fourcast.players import Player, player

if TYPE_CHECKING:
    from fourcast.solver import Solver

__all__ = ["env", "policy", "raw_env"]

Observation = dict[str, Any]


def env(
    *,
    width: int = 7,
    height: int = 6,
    rules: Rules | None = None,
    flat: bool = False,
    render_mode: str | None = None,
    solver: Solver | None = None,
    illegal: Literal["raise", "lose"] = "lose",
) -> Any:
    """Return the environment as PettingZoo's `env()` does: a disc in a full column loses the game.

    The options are those of `raw_env`. Calls in a wrong order raise an error.
    """
    return wrappers.OrderEnforcingWrapper(
        raw_env(
            width=width,
            height=height,
            rules=rules,
            flat=flat,
            render_mode=render_mode,
            solver=solver,
            illegal=illegal,
        )
    )


class raw_env(AECEnv):  # type: ignore[misc]  # noqa: N801, the name that PettingZoo's have
    """Connect Four for two agents, `player_0` and `player_1`.

    A disc in a full column raises `IllegalMoveError`, or loses the game if *illegal* is `lose`; that is
    done here and not by PettingZoo's wrapper, which takes longer than all the rest.

    Other *rules* are a `Rules`. In PopOut the actions are the moves of `Position.play`: `2 * width + 1`
    of them, and a position that comes again is a draw.

    With *flat*, the board in an observation is a vector of floats.

    With a *solver*, `infos` of the agent to move has the exact `score` of the position and the `scores`
    of all columns, with `fourcast.data.FULL` for full ones.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "render_modes": boards.RENDER_MODES,
        "name": "fourcast_v0",
        "is_parallelizable": False,
        "render_fps": 2,
    }

    def __init__(
        self,
        *,
        width: int = 7,
        height: int = 6,
        rules: Rules | None = None,
        flat: bool = False,
        render_mode: str | None = None,
        solver: Solver | None = None,
        illegal: Literal["raise", "lose"] = "raise",
    ) -> None:
        super().__init__()
        boards.check_render_mode(render_mode)
        if illegal not in ("raise", "lose"):
            raise OptionError(f"illegal must be 'raise' or 'lose', not {illegal!r}")
        self.position = Position(width=width, height=height, rules=rules or Rules())
        actions = boards.action_count(self.position)
        self.render_mode = render_mode
        self.possible_agents = ["player_0", "player_1"]
        self.agents = self.possible_agents[:]
        self._empty = self.position
        self._repetitions = boards.Repetitions(self._empty)
        boards.check_solver(solver, rules)
        self._solver = solver
        self._may_lose = illegal == "lose"
        self.action_spaces = {agent: spaces.Discrete(actions) for agent in self.agents}
        self._views = {
            agent: boards.View(width, height, flat=flat, mask=True, actions=actions)
            for agent in self.agents
        }
        self.observation_spaces = {agent: view.space for agent, view in self._views.items()}

    def observation_space(self, agent: str) -> Any:
        """Return the space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """Return the space of an agent's actions."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:  # noqa: ARG002
        """Begin a game; nothing in it is left to chance, so *seed* changes nothing."""
        self.position = self._empty
        self._repetitions = boards.Repetitions(self._empty)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._select(0)

    def observe(self, agent: str) -> Observation:
        """Return the discs of *agent* and of the opponent, and the columns that it may play now."""
        planes = boards.planes_of(self.position, self.possible_agents.index(agent) + 1)
        mask = boards.action_mask(self.position, is_open=agent == self.agent_selection)
        shown: Observation = self._views[agent](planes, mask)
        return shown

    def step(self, action: int | None) -> None:
        """Play a column for the agent to move."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        mover = self.possible_agents.index(agent)
        self._cumulative_rewards[agent] = 0
        try:
            self.position = self.position.play(action)  # type: ignore[arg-type]
        except IllegalMoveError as error:
            if not self._may_lose or error.reason not in ("full", "not possible"):
                raise
            self._lose(agent)
            return
        if self._repetitions.ends_with(self.position):
            self.terminations = dict.fromkeys(self.agents, True)
            if (winner := self.position.winner) is not None:  # in misere it is not the mover
                self.rewards[self.possible_agents[winner - 1]] = 1
                self.rewards[self.possible_agents[2 - winner]] = -1
        self._select(1 - mover)
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def render(self) -> Any:
        """Return or print the board, as the render mode says."""
        return boards.render(self.position, self.render_mode)

    def close(self) -> None:
        """Nothing is open."""

    def _lose(self, agent: str) -> None:
        """End the game because of an illegal move, as PettingZoo's wrapper does."""
        self.terminations = dict.fromkeys(self.agents, True)
        self.truncations = dict.fromkeys(self.agents, True)
        self.rewards[agent] = -1
        self._accumulate_rewards()
        self._deads_step_first()

    def _select(self, mover: int) -> None:
        self.agent_selection = self.possible_agents[mover]
        if self._solver is not None:
            self.infos = {agent: {} for agent in self.agents}
            self.infos[self.agent_selection] = boards.labels_of(self.position, self._solver)


if hasattr(pettingzoo, "register") and "fourcast/connect_four-v0" not in pettingzoo.aec_registry:
    pettingzoo.register("aec", "fourcast/connect_four-v0", "fourcast.adapters.pettingzoo:env")


def policy(name: str, **options: Any) -> Callable[[Observation], int]:
    """Return a built-in player as a function of an observation: a policy for either agent.

    >>> choose = policy("perfect")
    >>> game = env()
    >>> game.reset()
    >>> choose(game.last()[0])
    3
    """
    from fourcast.data.arrays import positions_from_planes

    chosen: Player = player(name, **options)

    def choose(observation: Observation) -> int:
        if not isinstance(observation, dict) or np.ndim(observation.get("observation", ())) != 3:
            raise TypeError(
                "a policy takes an observation of an agent, whose 'observation' is of shape "
                f"(height, width, 2), not {quote(observation)}"
            )
        planes = np.asarray(observation["observation"])
        height, width, _ = planes.shape
        (position,) = positions_from_planes(planes[np.newaxis], "pettingzoo", width=width, height=height)
        return chosen.choose(position)

    return choose
