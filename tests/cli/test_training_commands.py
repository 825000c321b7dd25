"""``racegym train`` and ``racegym export``: the library's, whatever else is called ``training``."""

from __future__ import annotations

import os
import subprocess
import sys
import types
from collections.abc import Mapping
from pathlib import Path

import pytest

from racegym.cli import main
from racegym.errors import RacegymError
from racegym.training_package import training_module

ROOT = Path(__file__).parents[2]
#: As the console script and ``python -m`` call it: the folder of the script or the current one
#: comes first on sys.path.
SCRIPT = "import sys; from racegym.cli import main; sys.exit(main())"
WAYS = {
    "script": [sys.executable, "-P" if sys.version_info >= (3, 11) else "-s", "-c", SCRIPT],
    "module": [sys.executable, "-m", "racegym"],
}


def run(
    way: str, words: list[str], folder: Path, environment: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run a command in a folder, with the library on the path as if it was installed."""
    found = {**os.environ, "PYTHONPATH": str(ROOT), **(environment or {})}
    return subprocess.run(
        [*WAYS[way], *words], capture_output=True, text=True, cwd=folder, env=found
    )


@pytest.fixture
def own_training(tmp_path: Path) -> Path:
    """A folder of the user's with a package ``training`` in it."""
    package = tmp_path / "training"
    package.mkdir()
    (package / "__init__.py").write_text("print('the wrong package')\n")
    for name in ("train", "export", "config"):
        (package / f"{name}.py").write_text("print('the wrong module')\n")
    return tmp_path


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("command", ["train", "export"])
def test_a_folder_of_that_name_shadows_nothing(way: str, command: str, own_training: Path) -> None:
    done = run(way, [command, "--help"], own_training)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(f"usage: racegym {command} ") and "wrong" not in done.stdout


def test_the_folder_would_shadow_the_module(own_training: Path) -> None:
    """What the commands are there for."""
    words = [sys.executable, "-m", "training.train"]
    done = subprocess.run(words, capture_output=True, text=True, cwd=own_training)
    assert done.stdout == "the wrong package\nthe wrong module\n"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["train", "--config", "nowhere.yaml"], "racegym train: nowhere.yaml cannot be read: "),
        (["train"], "racegym train: one of the arguments --config --resume is required"),
        (["export", "nowhere", "-o", "x.onnx"], "racegym export: "),
        (["export"], "racegym export: the following arguments are required"),
    ],
)
def test_mistakes_name_the_command(
    words: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words) == 2
    error = capsys.readouterr().err
    assert error.startswith(told) and error.count("\n") == 1, error


@pytest.mark.parametrize("command", ["train", "export"])
def test_a_missing_extra_is_told_in_one_line(command: str, tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text("import sys; sys.modules['torch'] = None\n")
    path = os.pathsep.join([str(tmp_path), str(ROOT)])
    done = run("module", [command, "--help"], tmp_path, {"PYTHONPATH": path})
    assert done.returncode == 2
    assert done.stderr == "racegym: this needs torch: pip install 'racegym[train]'\n"


def test_a_run_by_the_command(own_training: Path) -> None:
    """It trains, and what it saved is exported."""
    recipe = str(ROOT / "configs" / "cafe_race" / "demo.yaml")
    words = ["train", "--config", recipe, "--run.decisions", "512", "--run.folder", "runs"]
    trained = run("module", words, own_training)
    assert trained.returncode == 0, trained.stderr
    folder = trained.stdout.strip().splitlines()[-1]
    exported = run("script", ["export", folder, "-o", "policy.onnx"], own_training)
    assert exported.returncode == 0, exported.stderr
    assert (own_training / "policy.onnx").is_file()


def test_another_package_that_is_loaded_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    other = types.ModuleType("training")
    other.__path__ = ["/somewhere/else"]
    monkeypatch.setitem(sys.modules, "training", other)
    with pytest.raises(RacegymError, match="another 'training' is loaded here"):
        training_module("train")
