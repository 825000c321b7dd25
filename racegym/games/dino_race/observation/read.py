"""Reading observations of Dino Race back: the proof that they say all that a seat may know."""

from __future__ import annotations

from typing import Any

import numpy as np

from racegym.games.dino_race.observation.parts import DINO, FLAT, FULL, ROW, TILE, TOKEN
from racegym.games.dino_race.state import CARD_NAMES, DINOS, PRIZES, SLOTS


def decode_flat(vector: np.ndarray) -> dict[str, Any]:
    """All that a ``flat`` vector says, per seat relative to the observer; hidden hands are zero."""
    return _decoded(FLAT.pieces(vector))


def decode_full(vector: np.ndarray) -> dict[str, Any]:
    """All that a ``full`` vector says: as ``flat``, with hands, pile, and prizes (ascending)."""
    facts, told = decode_flat(vector), FULL.facts(vector)
    seats = range(facts["num_players"])
    return {
        **facts,
        "hands": [told[f"hand_{q}"] for q in seats],
        "pile": [CARD_NAMES[number - 1] for number in told["pile_order"] if number],
        "prizes_left": told["prizes_left"],
        "prizes": [told[f"prizes_{q}"] for q in seats],
    }


def decode_tokens(rows: np.ndarray) -> dict[str, Any]:
    """All that the rows of ``tokens`` say; the same facts as ``flat``."""
    dino, ground = TOKEN.at.place, TOKEN.at.terrain
    return _decoded(
        {
            "player": TOKEN.read(rows[ROW.player : ROW.dino], "player"),
            "dino": rows[ROW.dino : ROW.tile, dino : dino + DINO.size],
            "tile": rows[ROW.tile + 1 : ROW.card, ground : ground + TILE.size],
            "card": TOKEN.read(rows[ROW.card : ROW.prize], "card"),
            "prize": TOKEN.read(rows[ROW.prize : ROW.table], "prize"),
            "table": TOKEN.read(rows[ROW.table], "table"),
        }
    )


def _decoded(pieces: dict[str, np.ndarray]) -> dict[str, Any]:
    facts = FLAT.told_by(pieces)
    for name in ("discards", "pile_limit", "shuffled"):
        facts[name] = dict(zip(CARD_NAMES, facts[name], strict=True))
    for name in ("seen", "own", "partners"):
        there = facts.pop(name)
        facts[f"prizes_{name}"] = [i for i in range(PRIZES) if there[i]]
    n, each = facts["num_players"], 1 if facts["teams"] else DINOS
    for name in ("position", "lying", "beside"):
        column, facts[name] = facts[name], [[] for _ in range(n)]
        for (q, d), told in zip(SLOTS.tolist(), column, strict=True):
            if q < n and d < each:
                facts[name][q].append(told)
    counter = {"value": facts.pop("egg_value"), "player": facts["egg"]}
    facts["egg_counter"] = counter if facts.pop("egg_safe") else None
    return {**facts, **_hands(facts["known"])}


def _hands(known: list[dict[str, int]]) -> dict[str, Any]:
    """The own hand stands in the place of what is known of it."""
    nothing = dict.fromkeys(CARD_NAMES, 0)
    own, *others = known
    return {"hands": [own, *(dict(nothing) for _ in others)], "known": [nothing, *others]}
