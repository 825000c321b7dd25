"""The agents that come with a game: rules of thumb, compiled."""

from __future__ import annotations

import numpy as np

from racegym.agents.protocol import AgentError, SeededAgent
from racegym.engine.game import Bot, Game
from racegym.engine.instances import chooser_of
from racegym.errors import nearest


def spec_of(bot: Bot) -> str:
    """How one writes a scripted agent: ``scripted`` (the default one) or ``scripted:NAME``."""
    return "scripted" if bot.name == "default" else f"scripted:{bot.name}"


class ScriptedAgent(SeededAgent):
    """A scripted agent of a game (see ``game.bots``).

    Args:
        game: the game.
        bot: its name; ``default`` is the one that ``scripted`` means.

    Raises:
        AgentError: the game has no scripted agent of that name.
    """

    def __init__(self, game: Game, bot: str = "default") -> None:
        names = [b.name for b in game.bots]
        if not names:
            raise AgentError(f"{game.name} has no scripted agents")
        if bot not in names:
            raise AgentError(f"{game.name} has no scripted agent {bot!r}{nearest(bot, names)}")
        chosen = game.bot(bot)
        super().__init__(spec_of(chosen), game.encoder(chosen.encoder).id)
        self._choose_all = chooser_of(game, chosen)

    def choose(
        self, observations: np.ndarray, masks: np.ndarray, seats: np.ndarray, bits: np.ndarray
    ) -> np.ndarray:
        """As :meth:`SeededAgent.choose`."""
        actions = np.empty(len(masks), np.int64)
        self._choose_all(observations, masks, (bits >> np.uint64(2)).astype(np.int64), actions)
        return actions
