"""The board of Dino Race: names of tiles, and a drawing in text."""

from __future__ import annotations

from typing import Any

from racegym.games.dino_race.state import CARD_NAMES, DINOS, HOME


def tile_name(state: Any, tile: int) -> str:
    """What a tile is now: the volcano, lava, or its terrain."""
    if tile == 0:
        return "active volcano" if state.volcano_active else "calm volcano"
    terrain = CARD_NAMES[state.tiles[tile - 1]]
    return f"lava ({terrain})" if tile <= state.lava else terrain


def draw(state: Any) -> str:
    """The track, a line per tile from the volcano to home.

    Dinosaur 2 of player 3 is written ``3.2``, and ``3.2*`` when it lies on its side.
    """
    lines = []
    for tile in range(HOME + 1):
        name = tile_name(state, tile) + (", home" if tile == HOME else "")
        lines.append(f"{tile:>3} {name:<16}| {' '.join(_standing_on(state, tile))}".rstrip())
    return "\n".join(lines)


def _standing_on(state: Any, tile: int) -> list[str]:
    each = 1 if state.teams else DINOS
    return [
        f"{p}.{d + 1}{'*' if state.lying[p, d] else ''}"
        for p in range(state.num_players)
        for d in range(each)
        if state.position[p, d] == tile
    ]
