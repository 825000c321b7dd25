"""An agent that searches: it tries every legal action in guesses at the hidden things.

Each guess agrees with all that the acting seat knows; every action is played in the same guesses,
and the rest of the game at random.  All guesses of all games are played at once, natively.

Run it from anywhere:  python examples/search_agent.py
"""

from __future__ import annotations

import numpy as np

from racegym.agents import Decisions
from racegym.agents.randomness import random_bits
from racegym.arena import play_match
from racegym.arena.report import print_report
from racegym.engine.game import Game


class Searching:
    """Flat Monte-Carlo search: the action with the best mean reward over its guesses.

    ``racegym match GAME examples.search_agent:Searching random`` plays it from the repository.
    """

    name = "searching"
    encoder = "flat"

    def __init__(self, game: Game | None = None, guesses: int = 8) -> None:
        self.guesses = guesses

    def decide(self, decisions: Decisions) -> np.ndarray:
        """One legal action per decision, int64 (N,)."""
        decision, action = np.nonzero(decisions.masks)
        # One row for each legal action and guess: whose decision, which guess, what is tried.
        owner, tried = np.repeat(decision, self.guesses), np.repeat(action, self.guesses)
        guess = np.tile(np.arange(self.guesses), len(decision))

        games = decisions.redeal(self.guesses).take(owner * self.guesses + guess)
        games.step(tried)
        bits = random_bits(decisions.bits[owner], guess)  # the same for all actions of a decision
        while not games.is_over.all():
            games.step(games.sample(random_bits(bits, games.decisions)))

        won = games.rewards[np.arange(len(games)), decisions.seats[owner]]
        total = np.where(decisions.masks, 0.0, -np.inf)
        np.add.at(total, (owner, tried), won)
        return total.argmax(axis=1)


def main() -> None:
    """Play 25 deals of Café Race against random players and print the tables."""
    result = play_match("cafe_race", [Searching(), "random"], deals=25, seed=1)
    print_report(result)
    assert result.agents[0].win_share.value > result.fair_share


if __name__ == "__main__":
    main()
