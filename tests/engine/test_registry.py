"""Games by name, and games of one's own."""

from __future__ import annotations

import dataclasses
import os
import subprocess
import sys
from pathlib import Path

import pytest

import racegym
from racegym.engine import registry
from tests.engine import toy


def test_games_are_listed() -> None:
    """Also once modules of games have been loaded."""
    racegym.game("cafe_race")
    assert racegym.game_names()[: len(registry.BUILT_IN)] == list(registry.BUILT_IN)


def test_a_game_by_name_or_description() -> None:
    game = racegym.game("cafe_race")
    assert game.name == "cafe_race"
    assert racegym.game(game) is game
    assert racegym.game("cafe_race") is game


def test_a_game_need_not_be_registered_to_be_played() -> None:
    position = racegym.make(toy.GAME, seed=3, num_players=3)
    while not position.is_over:
        position.apply(position.legal_actions()[-1])
    assert "toy" not in racegym.game_names()
    assert sum(position.rewards()) == pytest.approx(0)


def test_registering(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "_registered", [])
    monkeypatch.setattr(registry, "_games", dict(registry._games))
    racegym.register(toy.GAME)
    assert racegym.game_names()[-1] == "toy"
    assert racegym.make("toy", seed=1).game is toy.GAME
    with pytest.raises(racegym.RacegymError, match="there is a game 'toy' already"):
        racegym.register(toy.GAME)
    with pytest.raises(racegym.RacegymError, match="there is a game 'cafe_race' already"):
        racegym.register(dataclasses.replace(toy.GAME, name="cafe_race"))
    with pytest.raises(racegym.RacegymError, match="a game is named by"):
        racegym.register("toy")  # type: ignore[arg-type]


def test_a_game_without_a_source_file_can_be_played() -> None:
    """As in a notebook, or piped into Python."""
    source = Path(toy.__file__).read_text("utf-8")
    lines = "import racegym\np = racegym.make(GAME, seed=1)\np.apply(2)\nprint(p.decisions)\n"
    run = [sys.executable, "-c", f"{source}\n{lines}"]
    done = subprocess.run(run, capture_output=True, text=True, env=_uncompiled())
    assert done.stdout == "1\n", done.stderr


def _uncompiled() -> dict[str, str]:
    root = Path(__file__).parents[2]
    return {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": str(root)}


# --- racegym.games, the package ------------------------------------------------------------------


def test_the_package_of_games_can_be_imported_by_name() -> None:
    import racegym.games.horse_race as horse_race

    assert horse_race.GAME is racegym.game("horse_race")


def test_the_package_of_games_still_answers_as_the_function_of_that_name() -> None:
    with pytest.warns(DeprecationWarning, match=r"game_names\(\)"):
        assert racegym.games() == racegym.game_names()


# --- games of one's own by reference -------------------------------------------------------------


@pytest.fixture
def own_folder(tmp_path: Path) -> Path:
    """A folder with a game of somebody's own in it."""
    source = Path(toy.__file__).read_text("utf-8").replace('name="toy"', 'name="mine"')
    (tmp_path / "own_game.py").write_text(source, "utf-8")
    (tmp_path / "broken_game.py").write_text("import nowhere_at_all\n")
    return tmp_path


def run(folder: Path, code: str) -> subprocess.CompletedProcess[str]:
    """Run Python code in a fresh process in a folder."""
    words = [sys.executable, "-c", code]
    return subprocess.run(words, capture_output=True, text=True, cwd=folder, env=_uncompiled())


SAVE = """
import pickle, gymnasium, racegym
from racegym.envs.aec import RawEnv
from racegym.envs.vector import VectorEnv
spec = "own_game:GAME"
position = racegym.make(spec, seed=3)
position.apply(0)
raw = RawEnv(spec)
raw.reset(seed=1)
vector = VectorEnv(spec, 2, seed=1)
vector.reset()
solo = gymnasium.make("racegym/Solo-v0", game=spec, opponents="scripted")
solo.reset(seed=1)
assert racegym.game("mine") is position.game is racegym.game(spec)
assert "mine" not in racegym.game_names()
saved = [position, raw, vector, solo.unwrapped]
open("saved", "wb").write(pickle.dumps(saved))
print(racegym.engine.registry.reference(position.game))
"""
LOAD = """
import pickle
position, raw, vector, solo = pickle.load(open("saved", "rb"))
position.apply(0); raw.step(0); vector.step(vector.sample()); solo.step(0)
print(position.decisions, position.game.name, raw.game is vector.game is solo.game)
"""


def test_a_game_by_reference_is_played_and_saved(own_folder: Path) -> None:
    """From the current folder, and found again by a fresh process."""
    first = run(own_folder, SAVE)
    assert first.stdout == "own_game:GAME\n", first.stderr
    second = run(own_folder, LOAD)
    assert second.stdout == "2 mine True\n", second.stderr


def test_vectors_of_a_game_by_reference(own_folder: Path) -> None:
    code = """
import gymnasium, racegym
envs = gymnasium.make_vec("racegym/Solo-v0", 3, "vector_entry_point", game="own_game:GAME")
print(envs.reset(seed=1)[1]["action_mask"].shape)
"""
    done = run(own_folder, code)
    assert done.stdout == "(3, 3)\n", done.stderr


@pytest.mark.parametrize(
    ("reference", "told"),
    [
        ("own_game:GAMES", "game 'own_game:GAMES': own_game has no game GAMES; did you mean"),
        ("own_game:start", "own_game has no game start (start is of type "),
        ("own_gam:GAME", "cannot import own_gam: ModuleNotFoundError: No module named 'own_gam'"),
        ("broken_game:GAME", "No module named 'nowhere_at_all' (broken_game.py:1)"),
        ("own_game", "there is no game 'own_game'"),
    ],
)
def test_wrong_references_are_told_in_one_line(own_folder: Path, reference: str, told: str) -> None:
    words = [sys.executable, "-m", "racegym", "record", reference, "-n", "1", "-o", "games.jsonl"]
    environment = _uncompiled()
    done = subprocess.run(words, capture_output=True, text=True, cwd=own_folder, env=environment)
    assert (done.returncode, done.stdout) == (2, "")
    assert told in done.stderr and done.stderr.count("\n") == 1, done.stderr


def test_commands_take_references(own_folder: Path) -> None:
    """Records are verified where the game is known: a file of records cannot import anything."""
    name = "own_game:GAME"
    for words, code, told in (
        (["record", name, "-n", "2", "-s", "1", "-o", "games.jsonl"], 0, "2 games of mine"),
        (["verify", "games.jsonl"], 1, "there is no game 'mine'"),
        (["verify", "games.jsonl", "--game", name], 0, "every line replays"),
        (["match", name, "random", "scripted", "-n", "4", "-s", "1"], 0, "Toy"),
        (["games", name], 0, "mine"),
    ):
        run_words = [sys.executable, "-m", "racegym", *words]
        done = subprocess.run(
            run_words, capture_output=True, text=True, cwd=own_folder, env=_uncompiled()
        )
        assert done.returncode == code, (words, done.stdout, done.stderr)
        assert told in done.stdout + done.stderr


def test_records_import_nothing(own_folder: Path) -> None:
    """A record that names a module is refused before anything of it runs."""
    done = run(own_folder, "import racegym; racegym.engine.registry.known_game('own_game:GAME')")
    assert "there is no game 'own_game:GAME'" in done.stderr
