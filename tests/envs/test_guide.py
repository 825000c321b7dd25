"""The code in the guide and the examples run as they stand."""

from __future__ import annotations

import pathlib
import re
import runpy

import pytest

ROOT = pathlib.Path(__file__).parents[2]
GUIDE = ROOT / "docs" / "guides" / "environments.md"
BLOCK = re.compile(r"^```python\n(.*?)^```", re.M | re.S)


@pytest.mark.filterwarnings("ignore::UserWarning:stable_baselines3")
def test_every_block_of_the_guide(capsys):
    """One after the other, as a reader would type them."""
    text = GUIDE.read_text(encoding="utf-8")
    names: dict[str, object] = {}
    blocks = list(BLOCK.finditer(text))
    assert len(blocks) >= 10
    for block in blocks:
        if "sb3_contrib" in block[1]:
            pytest.importorskip("sb3_contrib")
        line = text[: block.start()].count("\n") + 1
        source = "\n" * line + block[1]
        exec(compile(source, str(GUIDE), "exec"), names)
    assert "is not legal for player_0" in capsys.readouterr().out


@pytest.mark.parametrize(
    "name, words", [("pettingzoo_loop", "rank"), ("gymnasium_solo", "average")]
)
def test_examples(name, words, capsys):
    runpy.run_path(str(ROOT / "examples" / f"{name}.py"))
    assert words in capsys.readouterr().out
