"""The code in the guide and the example run as they stand."""

from __future__ import annotations

import pathlib
import re
import runpy
from typing import Any

import pytest

ROOT = pathlib.Path(__file__).parents[2]
BLOCK = re.compile(r"^```python\n(.*?)^```", re.M | re.S)


def test_every_block_of_the_guide(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """One after the other, as a reader would type them."""
    monkeypatch.chdir(tmp_path)
    blocks = BLOCK.findall((ROOT / "docs" / "guides" / "records.md").read_text(encoding="utf-8"))
    names: dict[str, Any] = {"__name__": "guide"}
    for block in blocks:
        exec(compile(block, "records.md", "exec"), names)
    assert len(blocks) >= 7
    assert "10 games," in capsys.readouterr().out


def test_the_example(capsys: pytest.CaptureFixture[str]) -> None:
    """What it prints is what it says."""
    runpy.run_path(str(ROOT / "examples" / "record_and_verify.py"), run_name="__main__")
    verified, won, denied = capsys.readouterr().out.splitlines()
    assert re.fullmatch(r"20 games, \d+ moves: every line replays", verified)
    assert int(won.split()[-3]) > 5
    assert ".spilled: expected true, the record has false" in denied
