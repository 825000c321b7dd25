"""The board of Ave Caesar as a drawing in text."""

from __future__ import annotations

from typing import Any

from racegym.games.ave_caesar.board.places import track_in
from racegym.games.ave_caesar.board.tracks import DIRECTIONS, Track


def draw(state: Any) -> str:
    """The course column by column: a chariot is its seat number, an empty space a dot.

    Spaces are named COLUMN.LANE in the courses; the two sides of a walled curve are drawn as two
    lanes with a cell for each space.  Below them is the alley with the spaces at its two ends.
    Other names are listed with the chariots on them.
    """
    track = track_in(state)
    on = {state.space[p]: str(p) for p in range(state.num_players) if state.space[p] >= 0}
    marks = {name: on.get(number, ".") for name, number in track.number.items()}
    alley = {track.spaces[u] for u in track.alley}
    columns: dict[int, list[tuple[str, str]]] = {}
    for name, mark in marks.items():
        column, dot, lane = name.partition(".")
        if name in alley:
            continue
        if not dot or not column.isdigit() or not lane:
            return _listed(marks)
        columns.setdefault(int(column), []).append((lane, mark))
    cells = [_column_cells(lanes) for _, lanes in sorted(columns.items())]
    heads = [str(column) for column in sorted(columns)]
    alley_line = _alley(track, marks, clockwise=DIRECTIONS[state.direction] == "cw")
    return f"{_drawing(heads, cells)}\n Imperial Alley: {alley_line}"


def _alley(track: Track, marks: dict[str, str], clockwise: bool) -> str:
    """The alley as the columns are drawn, with the spaces it joins: ``25.3 > . | . . > 2.3``.

    The bar is the line; ``<`` shows that chariots drive the other way, from right to left.
    """
    before = [track.spaces[u] for u, ways in enumerate(track.ways) if track.alley[0] in ways]
    after = [track.spaces[u] for u in track.ways[track.alley[-1]]]
    parts = [", ".join(before), ">"]
    for u in track.alley:
        parts.append(marks[track.spaces[u]])
        if any(step[0] == u for step in track.line):
            parts.append("|")
    parts += [">", ", ".join(after)]
    return " ".join(parts) if clockwise else " ".join(reversed(parts)).replace(">", "<")


def _column_cells(lanes: list[tuple[str, str]]) -> list[str]:
    """The rows of one column, from the inside; a walled curve has one row for each side."""
    rows: dict[str, str] = {}
    for lane, mark in sorted(lanes):
        row = lane[0] if lane[0] in "io" else lane
        rows[row] = rows.get(row, "") + mark
    return [rows[row] for row in sorted(rows, key=lambda row: (row == "o", row))]


def _drawing(heads: list[str], cells: list[list[str]]) -> str:
    widths = [max(len(head), *map(len, rows)) for head, rows in zip(heads, cells, strict=True)]
    lines = [" ".join(head.rjust(w) for head, w in zip(heads, widths, strict=True))]
    for k in range(max(map(len, cells))):
        row = [rows[k] if k < len(rows) else "" for rows in cells]
        lines.append(" ".join(text.rjust(w) for text, w in zip(row, widths, strict=True)))
    return "\n".join(line.rstrip() for line in lines)


def _listed(marks: dict[str, str]) -> str:
    taken = [f"{name}: {mark}" for name, mark in marks.items() if mark != "."]
    return "Chariots: " + (", ".join(taken) or "none")
