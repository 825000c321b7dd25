"""Machine code is kept between processes; whatever is wrong with the cache only costs time."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
import time
import warnings
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

import racegym
from racegym.engine import cache, libraries, selftest
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


BOTS = """
import racegym
from racegym.agents import agent_from_spec
from racegym.agents.randomness import random_bits
game = racegym.game({game!r})
for bot in game.bots:
    name = "scripted" if bot.name == "default" else f"scripted:{{bot.name}}"
    agent = agent_from_spec(name, game)
    position = racegym.make(game, encoder=bot.encoder, seed=3)
    for k in range(40):
        if position.is_over:
            break
        row, mask, seats = position.observe()[None], position.mask[None], [position.seat]
        action = int(agent.choose(row, mask, seats, random_bits(7, [k]))[0])
        position.apply(action)
        print(action)
"""


def test_uncompiled_bots_choose_the_same(game_name: str) -> None:
    """Under NUMBA_DISABLE_JIT=1 they make the very same choices, those left to luck too."""
    plain = run(BOTS.format(game=game_name), NUMBA_DISABLE_JIT="1")
    assert plain.stderr == ""
    choices = plain.stdout.split()
    assert len(choices) > 40
    assert choices == run(BOTS.format(game=game_name)).stdout.split()


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


# --- linking rules as parts ----------------------------------------------------------------------

PARTS = """
import numpy as np, faulthandler
from numba import objmode
faulthandler.dump_traceback_later(100, exit=True)
from racegym.engine.compile import compiled, instantiate
@compiled
def rule(x):
    print("rule", x)
    if x > 3:
        raise ValueError("too much")
    with objmode(y="int64"):
        y = int(str(x)) + 1
    return y
def kernel(x):
    return rule(x) + len(str(x))
made = instantiate(kernel, {"rule": rule}, "parts", "0" * 16)
print(made(2))
try:
    made(5)
except ValueError as error:
    print(error)
"""


def parts_with(folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a rule that prints, raises, and goes to Python, from a file as rules are."""
    file = folder / "parts.py"
    file.write_text(PARTS)
    code = f"import runpy; runpy.run_path({str(file)!r})"
    return run(code, RACEGYM_CACHE_DIR=str(folder / "cache"), **environment)


@pytest.mark.parametrize("linking", ["0", "1"])
def test_rules_may_print_raise_and_go_to_python(tmp_path: Path, linking: str) -> None:
    """Compiled as parts or not, and again from the cache (it used to deadlock)."""
    for _ in range(2):
        done = parts_with(tmp_path, RACEGYM_LINKING=linking)
        assert done.stdout == "rule 2\n4\nrule 5\ntoo much\n", done.stderr
    assert "compiling" not in done.stderr


def test_the_self_test_is_made_once_and_kept(tmp_path: Path) -> None:
    parts_with(tmp_path)
    (kept,) = (tmp_path / "cache").glob("linking-*.txt")
    assert kept.read_text() == "passed\n"
    kept.write_text("failed\n")
    for file in (tmp_path / "cache").glob("*.nb*"):
        file.unlink()
    again = parts_with(tmp_path)
    assert again.stdout.startswith("rule 2\n4\n")
    assert again.stderr.count("compiled by plain Numba") == 1


@pytest.fixture
def untried(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Path]:
    """Nothing is known yet about this Numba."""
    monkeypatch.setenv("RACEGYM_CACHE_DIR", str(tmp_path))
    monkeypatch.delenv("RACEGYM_LINKING", raising=False)
    selftest.is_passed.cache_clear()
    yield tmp_path
    selftest.is_passed.cache_clear()


@pytest.mark.parametrize("fault", ["exit", "hang", "nonsense", "no Python"])
def test_a_failed_self_test_falls_back_to_plain_numba(
    untried: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], fault: str
) -> None:
    """Also one that hangs or crashes: the user's process goes on."""
    script = {"exit": "exit 3", "hang": "exec sleep 60", "nonsense": "echo part 4"}.get(fault)
    python = untried / "python"
    if script is not None:
        python.write_text(f"#!/bin/sh\n{script}\n")
        python.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(python))
    monkeypatch.setattr(selftest, "PATIENCE", 0.5)
    assert not selftest.is_passed()
    assert "which takes longer" in capsys.readouterr().err
    assert [p.read_text() for p in untried.glob("linking-*")] == ["failed\n"]
    assert libraries._library(libraries._PartLibrary, None, "rule") is None


def test_a_newer_numba_is_warned_of_once(untried: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(selftest, "TESTED", (0, 1))
    monkeypatch.setattr(selftest, "trial", lambda: True)
    with pytest.warns(RuntimeWarning, match="is newer than those racegym was tested with"):
        assert selftest.is_passed()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert selftest.is_passed()


# --- old code in the cache -----------------------------------------------------------------------


def kept_files(folder: Path, names: dict[str, float]) -> None:
    """Files as the cache has them, last used so many days ago."""
    for name, days in names.items():
        for ending in ("nbi", "1.nbc"):
            file = folder / f"kernels.{name}-.py311.{ending}"
            file.write_bytes(b"code")
            then = time.time() - days * 86_400
            os.utime(file, (then, then))


def test_code_of_rules_that_have_changed_is_removed(tmp_path: Path) -> None:
    """The latest three of a kernel stay; others' stay until they have not been used for long."""
    names = {f"toy-begin-{k:016x}": float(k) for k in range(1, 8)}
    others = {"toy-begin_all-" + "a" * 16: 59.0, "gone-begin-" + "b" * 16: 61.0}
    kept_files(tmp_path, {**names, **others, "toy-flat-1-begin-" + "c" * 16: 1.0})
    (tmp_path / "notes.txt").write_text("mine")
    new = f"toy-begin-{9:016x}"
    kept_files(tmp_path, {new: 0.0})
    cache.remove_old(tmp_path, new)
    left = {p.name.split(".")[1][:-1] for p in tmp_path.glob("*.nb*")}
    assert left == {
        new, *list(names)[:2], "toy-begin_all-" + "a" * 16, "toy-flat-1-begin-" + "c" * 16,
    }  # fmt: skip
    assert (tmp_path / "notes.txt").exists()


def test_use_is_noted(tmp_path: Path) -> None:
    """Else a checkout that is used every day would look old."""
    old, new = f"toy-begin-{1:016x}", f"toy-begin-{2:016x}"
    kept_files(tmp_path, {old: 50.0, new: 0.0})
    cache.note_use(tmp_path, old)
    assert all(time.time() - p.stat().st_mtime < 60 for p in tmp_path.glob("*.nb*"))


def test_removing_only_costs_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another process was faster, the folder is gone, or may not be written."""
    cache.remove_old(tmp_path / "nowhere", f"toy-begin-{1:016x}")
    kept_files(tmp_path, {f"toy-begin-{k:016x}": float(k) for k in range(1, 8)})

    def refused(path: Path) -> None:
        raise PermissionError(path)

    monkeypatch.setattr(Path, "unlink", refused)
    cache.remove_old(tmp_path, f"toy-begin-{1:016x}")


def test_an_edited_game_leaves_no_heap_of_old_code(tmp_path: Path) -> None:
    """Rules saved again and again: the latest few of each kernel are there."""
    code = PARTS.replace('"0" * 16', "'%016x'")
    file = tmp_path / "parts.py"
    for edit in range(1, 7):
        file.write_text(
            (code % edit).replace('    with objmode(y="int64"):\n        y =', "    y =")
        )
        file.write_text(file.read_text().replace("int(str(x)) + 1", f"x + {edit}"))
        command = f"import runpy; runpy.run_path({str(file)!r})"
        run(command, RACEGYM_CACHE_DIR=str(tmp_path / "cache"), RACEGYM_LINKING="1")
    assert len(list((tmp_path / "cache").glob("*.nbi"))) == cache.VERSIONS_KEPT


@pytest.mark.parametrize(
    ("right", "wrong", "reason"),
    [
        ("s.played[action] += 1", "s.plaed[action] += 1", "KeyError: 'plaed'"),
        ("p = s.to_act\n", "p = s.to_act + nothing\n", "NameError: name 'nothing' is not defined"),
    ],
)
def test_rules_that_cannot_be_compiled_are_told_in_one_line(
    tmp_path: Path, right: str, wrong: str, reason: str
) -> None:
    """Numba's own message goes over many lines; a command exits with 2."""
    source = (Path(__file__).parents[2] / "examples" / "own_game.py").read_text("utf-8")
    assert right in source
    (tmp_path / "wrong.py").write_text(source.replace(right, wrong), "utf-8")
    words = ["record", "wrong:GAME", "-n", "1", "-s", "1", "-o", "games.jsonl"]
    done = subprocess.run(
        [sys.executable, "-m", "racegym", *words],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        env={**os.environ, "RACEGYM_CACHE_DIR": str(tmp_path / "cache")},
    )
    *_, line = done.stderr.splitlines()
    assert done.returncode == 2
    assert line.startswith("racegym: the rules of scramble cannot be compiled (")
    assert reason in line and "check_game says where the mistake is" in line
    assert "Traceback" not in done.stderr
