"""An agent that reads the situation in words, and remembers each game while it lasts.

A language model would be asked in ``_answer``; a rule of thumb stands in its place here.

Run it from anywhere:  python examples/text_agent.py
"""

from __future__ import annotations

import numpy as np

import racegym
from racegym.agents import Decisions
from racegym.arena import play_match
from racegym.arena.report import print_report
from racegym.errors import IllegalAction


class Reading:
    """Answers texts with texts; an answer that means no legal action counts as the first one."""

    name = "reading"
    encoder = "text"

    def __init__(self) -> None:
        self.said: dict[tuple[int, int], list[str]] = {}  # by game and seat

    def begin(self, games: np.ndarray, seats: np.ndarray) -> None:
        """Games begin in which it has these seats."""
        for key in zip(games.tolist(), seats.tolist(), strict=True):
            self.said[key] = []

    def decide(self, decisions: Decisions) -> np.ndarray:
        """One legal action per decision, int64 (N,)."""
        chosen = []
        for decision in decisions:
            said = self.said[decision.game, decision.seat]
            answer = self._answer(decision.observation, decision.view.legal_texts(), said)
            said.append(answer)
            try:
                action = decision.view.action_from_text(answer)
            except IllegalAction:
                action = -1
            legal = decision.view.legal_actions()
            chosen.append(action if action in legal else legal[0])
        return np.array(chosen, np.int64)

    def end(self, games: np.ndarray, seats: np.ndarray, ranks: np.ndarray) -> None:
        """They have ended: forget them."""
        for key in zip(games.tolist(), seats.tolist(), strict=True):
            del self.said[key]

    def _answer(self, situation: str, legal: list[str], said: list[str]) -> str:
        """What to play: here another of the higher actions than the last time, if there is one."""
        fresh = [text for text in legal if text not in said[-1:]]
        return (fresh or legal)[-1]


def main() -> None:
    """Show one situation, then play 20 deals of Café Race against random players."""
    print(racegym.make("cafe_race", seed=1).text())
    print_report(play_match("cafe_race", [Reading(), "random"], deals=20, seed=1))


if __name__ == "__main__":
    main()
