"""The learner in paired evaluation matches against fixed agents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import torch
from torch import nn

from racegym.agents import AgentError, SeededAgent, agent_from_spec
from racegym.agents.decisions import Decisions
from racegym.agents.memory import SeatMemory
from racegym.agents.randomness import fractions
from racegym.arena.match import Match
from racegym.counts import percent
from racegym.engine.game import Game
from training.config import about
from training.networks import answers, masked_log_probs
from training.sections import EvaluationConfig

#: What :func:`evaluate` tells of each opponent.
FIGURES = ("win_share", "relative_win_share", "ahead", "reward")


class NetworkAgent(SeededAgent):
    """A network as an agent: always in evaluation mode, without gradients, and masked.

    With a recurrent network it has ``decide``, ``begin`` and ``end`` as well, by which it is told
    which game it plays in, and cannot be asked otherwise.

    Args:
        network: ``network(observation)`` gives logits and values; its weights are read at every
            decision.  It is recurrent if it has a ``state_shape``.
        encoder: id of the encoder it reads.
        name: shown in tables.
        greedy: the likeliest action instead of one drawn by the policy.
    """

    def __init__(
        self, network: nn.Module, encoder: str, name: str = "learner", greedy: bool = False
    ) -> None:
        super().__init__(name, encoder)
        self.network = network
        self.greedy = greedy
        state_shape = getattr(network, "state_shape", None)
        self.memory: SeatMemory | None = None
        if state_shape is not None:
            self.memory = SeatMemory(state_shape)
            self.decide, self.begin, self.end = self._decide, self.memory.begin, self._end

    def choose(
        self, observations: np.ndarray, masks: np.ndarray, seats: np.ndarray, bits: np.ndarray
    ) -> np.ndarray:
        """As :meth:`SeededAgent.choose`."""
        if self.memory is not None:
            raise AgentError(f"agent {self.name!r} has a memory of its games: ask it by decide")
        return self._chosen(observations, masks, bits, None)

    def _decide(self, decisions: Decisions) -> np.ndarray:
        assert self.memory is not None
        places = decisions.games, decisions.seats
        states = self.memory.read(*places)
        actions = self._chosen(decisions.observations, decisions.masks, decisions.bits, states)
        self.memory.write(*places, states)
        return actions

    def _end(self, games: np.ndarray, seats: np.ndarray, ranks: np.ndarray) -> None:
        assert self.memory is not None
        self.memory.end(games, seats)

    def _chosen(
        self,
        observations: np.ndarray,
        masks: np.ndarray,
        bits: np.ndarray,
        states: np.ndarray | None,
    ) -> np.ndarray:
        """The actions; the next states take the place of ``states``."""
        self.network.eval()
        logits, _ = answers(self.network, observations.copy(), states)
        log_probs = masked_log_probs(logits, torch.from_numpy(masks.copy()))
        if self.greedy:
            return log_probs.argmax(-1).numpy()
        reached = log_probs.double().exp().numpy().cumsum(axis=1)
        return (reached > fractions(bits)[:, None] * reached[:, -1:]).argmax(axis=1)


def evaluate(
    network: nn.Module,
    game: Game,
    encoder: str,
    combinations: Sequence[Mapping[str, Any]],
    settings: EvaluationConfig,
) -> dict[str, float]:
    """Figures of the learner in one seat (or side) against each agent in all others.

    The matches use all ``combinations`` of options in equal parts, with the same deals at every
    call.  Returned per opponent, as means over the combinations of options:

    - ``NAME/win_share``: the learner's share of the wins, and
    - ``NAME/relative_win_share``: that share as a multiple of the fair one (1 = level);
    - ``NAME/ahead``: how often it ranks before an opponent of the same game (fair: 1/2);
    - ``NAME/reward``: its mean reward.
    """
    figures: dict[str, float] = {}
    for spec in settings.against:
        rows = []
        for number, options in enumerate(combinations):
            learner = NetworkAgent(network, encoder, greedy=settings.greedy)
            seed = (settings.seed + number) % 2**63
            match = Match(game, [learner, spec], seed=seed, options=options)
            match.play(settings.deals)
            result = match.result()
            won, ahead = result.agents[0], result.comparisons[0].ahead
            share = won.win_share.value
            level = ahead.value if ahead is not None else 0.5
            rows.append((share, share / result.fair_share, level, won.mean_reward.value))
        for name, value in zip(FIGURES, np.mean(rows, axis=0), strict=True):
            figures[f"{spec}/{name}"] = float(value)
    return figures


def check_agents(game: Game, settings: EvaluationConfig) -> None:
    """Make the agents of the evaluation once, so that a wrong name is told at the start."""
    with about("evaluation.against"):
        for spec in settings.against:
            agent_from_spec(spec, game)


def figures_in_words(figures: Mapping[str, float], against: Sequence[str]) -> list[str]:
    """A line per opponent for what :func:`evaluate` returned; none for opponents not in it."""
    return [
        f"against {spec}: {percent(figures[f'{spec}/win_share'])} of the wins, "
        f"{figures[f'{spec}/relative_win_share']:.2f} times the fair share"
        for spec in against
        if f"{spec}/win_share" in figures
    ]
