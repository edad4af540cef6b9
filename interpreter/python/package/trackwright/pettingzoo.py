"""Any game as an environment of PettingZoo (https://pettingzoo.farama.org), by its AEC interface.

    from trackwright import pettingzoo
    env = pettingzoo.env("harbour", overlays=["storm"], seats=2)

Agents are `seat_0`, `seat_1`, …: seats A, B, …

An observation has two rows of numbers. `observation` is what the seat sees (`trackwright.Observation.numbers`), behind it which
question it is asked (-1: none), and the actions of its last answers since another seat was asked, the latest first (-1: none).
`action_mask` has a 1 for each action that is offered.

Answers are open-ended: what can be answered in a game stands in its rules, and nobody knows how many answers there are. An
action is a number below `actions`. An answer has the number that its key hashes to, so that the same answer is the same action
wherever it is offered; where two of one offer fall on the same number, the later one takes the next that is free. The last
action turns the page: it is offered where there are more answers than other actions, and shows the next of them, the first ones
behind the last. The seat is then asked again, so every answer can be given, however many there are.

At the end the winner has the reward 1 and each of the n - 1 others -1 / (n - 1); who win together share, so that rewards sum up
to 0, and all are 0 where all win. Who plays alone has 1 for winning, else 0. A game that is not over after `max_answers` is
truncated.
"""

from __future__ import annotations

from os import PathLike
from typing import Any
from zlib import crc32

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete
from gymnasium.utils import seeding
from pettingzoo import AECEnv

from . import CallError, Game, Rules, load

LATEST = 8
"""So many of its own last answers a seat is told of."""

_ANY = np.iinfo(np.int32)


class Env(AECEnv):
    """A game of these rules. `game` is the game that is being played, a `trackwright.Game`."""

    metadata = {"name": "trackwright_v0", "render_modes": ["ansi"], "is_parallelizable": False}

    def __init__(
        self,
        rules: Rules,
        seats: int | None = None,
        actions: int = 1024,
        max_answers: int = 10_000,
        render_mode: str | None = None,
    ):
        super().__init__()
        if actions < 2:
            raise CallError(f"`actions` is {actions}: one for answers and one that turns the page are the least")
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise CallError(f'`render_mode` is "{render_mode}"\n  help: "ansi" tells how it stands in words; None shows nothing')
        self.rules = rules
        self.actions = actions
        self.max_answers = max_answers
        self.render_mode = render_mode
        self._random, _ = seeding.np_random()
        self.game: Game = Game.new(rules, 0, seats)
        self._seats = seats
        self._names = {seat: f"seat_{at}" for at, seat in enumerate(self.game.seats)}
        self._seat_of = {name: seat for seat, name in self._names.items()}
        self.possible_agents = list(self._names.values())
        self.agents: list[str] = []
        size = len(self.game.observe(self.game.seats[0]).numbers) + 1 + LATEST
        self.observation_spaces = {
            agent: Dict(
                {
                    "observation": Box(_ANY.min, _ANY.max, (size,), np.int32),
                    "action_mask": Box(0, 1, (actions,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self.action_spaces = {agent: Discrete(actions) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> Dict:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Discrete:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        if seed is not None:
            self._random, seed = seeding.np_random(seed)
        self.game = Game.new(self.rules, int(self._random.integers(2**63)) if seed is None else seed, self._seats)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[0]
        self._answers = 0
        self._latest: list[int] = []
        self._keys: list[str] = []
        self._offer: dict[int, int | None] = {}
        self._ask()

    def step(self, action: int | None) -> None:
        if not hasattr(self, "agent_selection"):
            raise CallError("no game is set up yet\n  help: call `env.reset()` first")
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        action = -1 if action is None else int(action)
        if action not in self._offer:
            raise CallError(f"action {action} is not offered to {agent}; `action_mask` says which are")
        index = self._offer[action]
        if index is None:
            self._page += 1
            self._show()
            return
        went_on = self.game.apply(index)
        self._answers += 1
        self._latest = [action, *self._latest[: LATEST - 1]] if went_on else []
        self._ask()
        self._accumulate_rewards()

    def _ask(self) -> None:
        """Finds who is asked, or what came of it."""
        self._page = 0
        seat = self.game.seat
        if seat is None:
            n = len(self.possible_agents)
            for place in self.game.result or []:
                reward = (n * place.won - 1) / (n - 1) if n > 1 else place.won
                self.rewards[self._names[place.seat]] = reward
            self.terminations = dict.fromkeys(self.agents, True)
            self._close()
        elif self._answers >= self.max_answers:
            self.truncations = dict.fromkeys(self.agents, True)
            self._close()
        else:
            agent = self._names[seat]
            if agent != self.agent_selection:
                self._latest = []
            self.infos[self.agent_selection] = {}
            self.agent_selection = agent
            self._keys = self.game.keys
            self._show()

    def _close(self) -> None:
        self._offer, self._keys = {}, []
        self.infos = {agent: {} for agent in self.agents}

    def _show(self) -> None:
        """Gives the answers of this page their actions."""
        size = self.actions - 1
        keys = self._keys
        pages = -(-len(keys) // size)
        first = self._page % pages * size
        self._offer = {}
        for index in range(first, min(first + size, len(keys))):
            action = crc32(keys[index].encode()) % size
            while action in self._offer:
                action = (action + 1) % size
            self._offer[action] = index
        answers = {action: keys[index] for action, index in self._offer.items() if index is not None}
        if pages > 1:
            self._offer[size] = None
        self.infos[self.agent_selection] = {"answers": answers}

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        if agent not in self._seat_of:
            raise CallError(f"there is no agent `{agent}`\n  help: agents are {', '.join(self.possible_agents)}")
        seen = self.game.observe(self._seat_of[agent]).numbers
        mask = np.zeros(self.actions, np.int8)
        question, latest = -1, []
        if self.agents and agent == self.agent_selection and self._offer:
            question, latest = self.game.question_number, self._latest
            mask[list(self._offer)] = 1
        numbers = [*seen, question, *latest, *[-1] * (LATEST - len(latest))]
        return {"observation": np.array(numbers, np.int32), "action_mask": mask}

    def render(self) -> str | None:
        """How it stands for the seat that is asked, in words."""
        if self.render_mode != "ansi":
            return None
        return str(self.game.observe(self._seat_of[self.agent_selection]))

    def close(self) -> None:
        pass


def env(
    game: str | PathLike[str] | Rules,
    overlays: list[str] | None = None,
    options: dict[str, Any] | None = None,
    *,
    seats: int | None = None,
    actions: int = 1024,
    max_answers: int = 10_000,
    render_mode: str | None = None,
) -> Env:
    """A game by its name or path, with these overlays and option values; or rules that are loaded."""
    if isinstance(game, Rules):
        if overlays or options:
            raise CallError("rules that are loaded have their overlays and options: give those to `load`, or the game by its name")
        rules = game
    else:
        rules = load(game, [] if overlays is None else overlays, options)
    return Env(rules, seats, actions, max_answers, render_mode)
