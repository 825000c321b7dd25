"""The words that the texts of all games share."""

from __future__ import annotations

import random
import re
from types import SimpleNamespace

import racegym
from racegym.engine.words import player_line, turn_line
from racegym.testing.play import scenarios

#: A single one of what there are usually several of.
WRONG = re.compile(r"\b1 (cards|counters|bets|drops|prizes|points|steps|times)\b")


def test_counts_in_the_texts_of_positions_agree_with_their_words(game_name: str) -> None:
    for scenario in scenarios(racegym.game(game_name), 8, seed=8):
        rng, position = random.Random(scenario.seed), scenario.start()
        for k in range(400):
            if k % 4 == 0:
                assert not (found := WRONG.findall(position.text())), found
            if position.is_over:
                break
            position.apply(rng.choice(position.legal_actions()))


def test_a_players_line_says_who_it_is() -> None:
    assert player_line(1, 0, ["3 cards", "has the egg"]) == "Player 1: 3 cards; has the egg."
    assert player_line(1, 1, ["3 cards"], " (began)") == "Player 1 (you) (began): 3 cards."


def test_the_turn_or_the_end_is_told() -> None:
    assert turn_line(SimpleNamespace(to_act=2, truncated=0), 2) == "You are to act."
    assert turn_line(SimpleNamespace(to_act=2, truncated=0), 0) == "Player 2 acts."
    assert turn_line(SimpleNamespace(to_act=-1, truncated=0), 0) == "The game is over."
    assert turn_line(SimpleNamespace(to_act=-1, truncated=1), 0) == "The game was cut."
