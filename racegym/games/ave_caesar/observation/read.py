"""Reading observations of Ave Caesar back: the proof that they say all that a seat may know."""

from __future__ import annotations

from typing import Any

import numpy as np

from racegym.games.ave_caesar.board import DIRECTIONS, FINISHED, NAMES, REMOVED
from racegym.games.ave_caesar.board.tracks import OWN, track_of
from racegym.games.ave_caesar.observation.parts import FLAT, FULL, TOKEN
from racegym.games.ave_caesar.state import CARDS, MAX_PLAYERS, VALUES


def decode_flat(vector: np.ndarray) -> dict[str, Any]:
    """All that a ``flat`` vector says: state fields and options, seats relative to the observer.

    Of the others' cards it says only which are unplayed; they are given as if all were in the
    decks.  Spaces of a course of the user's own are given by number: ``"#5"``.
    """
    return _decoded(FLAT.pieces(vector))


def decode_full(vector: np.ndarray) -> dict[str, Any]:
    """All that a ``full`` vector says: as ``flat``, with everybody's ``hands`` and ``decks``."""
    facts, told = decode_flat(vector), FULL.facts(vector)
    for q in range(1, facts["num_players"]):
        hand = _by_value(told[f"hand_{q}"])
        deck = {card: facts["decks"][q][card] - hand[card] for card in CARDS}
        facts["hands"][q], facts["decks"][q] = hand, deck
    return facts


def decode_tokens(rows: np.ndarray) -> dict[str, Any]:
    """All that the rows of ``tokens`` say; the same facts as ``flat``."""
    return _decoded(
        {
            "player": TOKEN.read(rows[:MAX_PLAYERS], "player"),
            "card": TOKEN.read(rows[MAX_PLAYERS : MAX_PLAYERS + VALUES], "card"),
            "table": TOKEN.read(rows[-1], "table"),
        }
    )


def _decoded(pieces: dict[str, np.ndarray]) -> dict[str, Any]:
    facts = FLAT.told_by(pieces)
    statuses, unplayed = facts.pop("status"), facts.pop("unplayed")
    if facts["course"] not in NAMES:
        facts["course"] = OWN
    driven = facts["course"], facts["direction"]
    off = {"finished": FINISHED, "taken off": REMOVED}
    facts["space"] = [
        off[status] if status in off else _space_name(number, *driven)
        for number, status in zip(facts["space"], statuses, strict=True)
    ]
    facts["left_from"] = [_space_name(number, *driven) for number in facts["left_from"]]
    facts["finish_order"] = _in_order(facts.pop("place"))
    facts["stranded"] = _in_order(facts.pop("stranded_as"))
    others = unplayed[1:]
    facts["hands"] = [_by_value(facts.pop("in_hand")), *(_by_value([0] * VALUES) for _ in others)]
    facts["decks"] = [_by_value(facts.pop("in_deck")), *map(_by_value, others)]
    return facts


def _by_value(counts: list[int]) -> dict[str, int]:
    return dict(zip(CARDS, counts, strict=True))


def _in_order(numbers: list[int]) -> list[int]:
    """The seats that are numbered from 1, in order; 0 is left out."""
    return [numbers.index(k) for k in range(1, max(numbers) + 1)]


def _space_name(number: int, course: str, direction: str) -> str | None:
    """The name of a space by its number in observations, from 1; 0 is none."""
    if number == 0:
        return None
    if course == OWN:
        return f"#{number - 1}"
    return track_of(NAMES.index(course), DIRECTIONS.index(direction)).spaces[number - 1]
