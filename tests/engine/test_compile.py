"""Machine code is kept between processes; whatever is wrong with the cache only costs time."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

import racegym
from racegym.engine import compile as compiling
from racegym.engine.compile import fingerprint
from racegym.testing.play import digest, scenarios

ROOT = Path(__file__).parents[2]

PLAY = """
import racegym
from racegym.engine.instances import kernels_of
from tests.engine.toy import GAME
position = racegym.make(GAME, seed=5)
kernels = kernels_of(GAME, GAME.encoder())
used = [kernels.begin, kernels.look, kernels.mark_legal]
hits = sum(sum(k.stats.cache_hits.values()) for k in used)
misses = sum(sum(k.stats.cache_misses.values()) for k in used)
print(position.to_dict()["card"], hits, misses)
"""


def run(code: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run Python code in another process."""
    wanted = {**os.environ, "PYTHONPATH": str(ROOT), **environment}
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=wanted, cwd=ROOT
    )
    assert done.returncode == 0, done.stderr
    return done


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A cache filled by a first process, and what that process wrote."""
    folder = tmp_path_factory.mktemp("cache with spaces")
    first = run(PLAY, RACEGYM_CACHE_DIR=str(folder))
    assert first.stderr.count("\n") == 1, first.stderr
    assert first.stderr.startswith("racegym: compiling toy (some seconds, then kept)")
    assert first.stdout.split()[-2:] == ["0", "3"]
    assert list(folder.rglob("*.nbc"))
    return folder, first.stdout


def test_a_second_process_compiles_nothing(filled: tuple[Path, str]) -> None:
    folder, first = filled
    before = sorted(p.name for p in folder.rglob("*"))
    second = run(PLAY, RACEGYM_CACHE_DIR=str(folder))
    assert second.stderr == ""
    assert second.stdout.split()[-2:] == ["3", "0"]
    assert second.stdout.split("]")[0] == first.split("]")[0]
    assert sorted(p.name for p in folder.rglob("*")) == before


def test_nothing_is_written_beside_the_package(filled: tuple[Path, str]) -> None:
    for folder in (ROOT / "racegym", ROOT / "tests"):
        assert not [*folder.rglob("*.nbi"), *folder.rglob("*.nbc")]


def test_a_damaged_cache_is_made_anew(filled: tuple[Path, str]) -> None:
    folder, first = filled
    for file in folder.rglob("*.nb*"):
        file.write_bytes(b"garbage" if file.suffix == ".nbi" else b"")
    again = run(PLAY, RACEGYM_CACHE_DIR=str(folder))
    assert again.stdout.split("]")[0] == first.split("]")[0]
    assert again.stderr.count("racegym: compiling toy") == 1


def test_a_cache_that_cannot_be_written_only_costs_time(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("no folder")
    done = run(PLAY, RACEGYM_CACHE_DIR=str(file / "cache"))
    assert "Error" not in done.stderr
    assert done.stderr.count("racegym: compiling toy") == 1
    assert "each time: no cache folder can be used" in done.stderr
    assert "kept" not in done.stderr
    assert file.read_text() == "no folder"


def test_no_home_no_cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("RACEGYM_CACHE_DIR", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", "/proc/nowhere")
    if sys.platform.startswith("linux"):
        assert compiling.cache_folder() is None
    assert not list(tmp_path.iterdir())


def test_the_cache_folder_can_be_chosen(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("RACEGYM_CACHE_DIR", str(tmp_path / "a" / "b"))
    assert compiling.cache_folder() == tmp_path / "a" / "b"
    assert not list((tmp_path / "a" / "b").iterdir())


# --- the key -------------------------------------------------------------------------------------

RULES = """
from racegym.engine.compile import compiled
LIMIT = {limit}
@compiled
def helper(x):
    return x + 1
@compiled
def rule(x):
    return helper(x) + LIMIT  # {comment}
"""


def rules(folder: Path, name: str, limit: int = 3, comment: str = "") -> ModuleType:
    """A module of rules."""
    file = folder / f"{name}.py"
    file.write_text(RULES.format(limit=limit, comment=comment))
    spec = importlib.util.spec_from_file_location("some_rules", file)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_an_edit_anywhere_in_the_rules_changes_the_key(tmp_path: Path) -> None:
    same = [fingerprint([rules(tmp_path, name).rule], {}) for name in ("a", "b")]
    assert same[0] == same[1]
    assert fingerprint([rules(tmp_path, "c", limit=4).rule], {}) != same[0]
    assert fingerprint([rules(tmp_path, "d", comment="edited").rule], {}) != same[0]


def test_constants_from_elsewhere_change_the_key(tmp_path: Path) -> None:
    module = rules(tmp_path, "a")
    before = fingerprint([module.rule], {})
    module.LIMIT = 5
    assert fingerprint([module.rule], {}) != before
    assert fingerprint([module.rule], {"layout": "x"}) != fingerprint(
        [module.rule], {"layout": "y"}
    )


def test_rules_without_a_source_file_have_a_key_of_their_own() -> None:
    def made(number: int) -> object:
        scope: dict[str, object] = {"__name__": "nowhere"}
        exec(f"def rule(x):\n    return x + {number}", scope)
        return scope["rule"]

    assert fingerprint([made(1)], {}) == fingerprint([made(1)], {})
    assert fingerprint([made(1)], {}) != fingerprint([made(2)], {})


# --- without compiling ---------------------------------------------------------------------------


def test_uncompiled_games_are_the_same(game_name: str) -> None:
    """A process under NUMBA_DISABLE_JIT=1 plays the very same games, and says nothing."""
    code = (
        "import racegym\nfrom racegym.testing.play import digest, scenarios\n"
        f"for s in scenarios(racegym.game({game_name!r}), 5, seed=51): print(digest(s))"
    )
    plain = run(code, NUMBA_DISABLE_JIT="1")
    assert plain.stderr == ""
    mine = [digest(s) for s in scenarios(racegym.game(game_name), 5, seed=51)]
    assert plain.stdout.split() == mine


LINKED = """
import numba.core.codegen as codegen
if {plain}:
    import racegym.engine.linking as linking
    linking._NEEDED += ("what an older Numba has not",)
made = []
translate = codegen.JITCodeLibrary._finalize_specific
codegen.JITCodeLibrary._finalize_specific = lambda self: (made.append(self.name), translate(self))
import racegym
from racegym.testing.play import digest, scenarios
from tests.engine.toy import GAME
games = [digest(s) for s in scenarios(GAME, 3, seed=4)]
print(len(made), games)
"""


def test_rules_become_machine_code_only_within_kernels(tmp_path: Path) -> None:
    """… and as usual with a Numba whose insides have changed; the games are the same."""
    ways = [
        run(LINKED.format(plain=plain), RACEGYM_CACHE_DIR=str(tmp_path / str(plain)))
        for plain in (False, True)
    ]
    (as_parts, games), (one_by_one, same) = (done.stdout.split(" ", 1) for done in ways)
    assert int(as_parts) * 2 < int(one_by_one)
    assert games == same
