"""Tables on terminals of any width."""

from __future__ import annotations

import re
import sys

import pytest

from racegym.console import print_table

COLUMNS = ["agent", "against", "win share", "mean reward"]
ROWS = [
    ["scripted:careful", "runs/a-very-long-name.onnx?greedy", "57.6 % [53.9, 61.2]", "+0.43"],
    ["random #2", "scripted", "14.1 % [13.0, 15.4]", "-0.14 [-0.16, -0.13]"],
]


@pytest.mark.parametrize("width", [10, 40, 70, 78, 90, 120, 300])
def test_no_name_or_number_is_cut(
    width: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A table if its words fit, else a list; names in one piece, no line of a table too long."""
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", str(width))
    monkeypatch.setenv("TERM", "xterm")
    print_table("A title", COLUMNS, ROWS, right=[2, 3], names=2)
    shown = re.sub(r"\x1b\[[\d;]*m", "", capsys.readouterr().out)
    assert "…" not in shown
    for row in ROWS:
        for cell in row[:2]:
            assert cell in shown
        for cell in row[2:]:
            for word in cell.split():
                assert word in shown
    if "┃" in shown:
        assert max(map(len, shown.splitlines())) <= width
    else:
        assert width < 80
        assert "win share: 57.6 % [53.9, 61.2]" in shown


def test_off_a_terminal_nothing_is_wrapped(capsys: pytest.CaptureFixture[str]) -> None:
    print_table("A title", COLUMNS, [[cell * 20 for cell in row] for row in ROWS])
    shown = capsys.readouterr().out
    for row in ROWS:
        for cell in row:
            assert cell * 20 in shown
