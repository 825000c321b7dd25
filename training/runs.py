"""The folder of a run: its config, logs and checkpoints."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml
from filelock import FileLock, Timeout

from racegym.engine.words import counted
from racegym.errors import RacegymError
from racegym.files import remove_leftovers, write_whole
from training.checkpoint import (
    CheckpointError,
    load_checkpoint,
    save_checkpoint,
)
from training.config import BaseConfig, Config, ConfigError
from training.reading import config_from_dict, yaml_in
from training.renamed import config_now, figures_now

CONFIG = "config.yaml"
METRICS = "metrics.jsonl"
MEETINGS = "opponents.jsonl"
SUMMARY = "summary.json"
LOCK = ".lock"
Line = dict[str, Any]
#: The exported policy that a run of ``training.sb3`` holds instead of checkpoints.
POLICY = "policy.onnx"
BEST = "best"
SUFFIX = ".safetensors"


class Run:
    """A run's folder::

    config.yaml          the config, every setting resolved
    checkpoints/         DECISIONS.safetensors and best.safetensors
    metrics.jsonl        one line per update, by ``decisions`` (strictly increasing)
    opponents.jsonl      who played whom, with results, per update
    summary.json         speed and last evaluation, when the run ends
    tensorboard/         the same figures for TensorBoard, if it is installed
    .lock                held by the process that trains the run
    """

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)
        self.checkpoints = self.folder / "checkpoints"
        self._board: Any = None
        self._lock = FileLock(self.folder / LOCK, timeout=0, thread_local=False)

    @classmethod
    def create(cls, config: BaseConfig) -> Run:
        """Make the folder for a new run: its name and the first number that is free."""
        parent = Path(config.run.folder)
        for place in (parent, *parent.parents):
            if place.exists() and not place.is_dir():
                raise ConfigError(f"run.folder: {place} is a file, not a folder", "run.folder")
        parent.mkdir(parents=True, exist_ok=True)
        for number in range(1, 1_000_000):
            folder = parent / f"{config.run.name}-{number:03d}"
            try:
                folder.mkdir()
            except FileExistsError:
                continue
            run = cls(folder)
            run.write_config(config)
            return run
        raise RacegymError(f"{parent} holds too many runs named {config.run.name}")

    @classmethod
    def open(cls, folder: str | Path) -> Run:
        """An existing run; raises CheckpointError if the folder holds none."""
        run = cls(folder)
        if not (run.folder / CONFIG).is_file():
            if not run.folder.exists():
                raise CheckpointError(f"there is no run {run.folder}")
            if run.folder.is_file():
                raise CheckpointError(f"{run.folder} is a file, not the folder of a run")
            raise CheckpointError(f"{run.folder} is no folder of a run: it holds no {CONFIG}")
        return run

    def config(self, overrides: tuple[str, ...] = ()) -> Config:
        """The config kept in the folder, with changes."""
        path = self.folder / CONFIG
        try:
            found = yaml_in(path)
        except ConfigError as error:
            raise CheckpointError(str(error)) from None
        if not isinstance(found, dict):
            raise CheckpointError(f"{path} cannot be read as a config: it holds no sections")
        return config_from_dict(Config, config_now(found), str(path), overrides)

    def write_config(self, config: BaseConfig) -> None:
        """Keep the resolved config."""
        text = yaml.safe_dump(config.to_dict(), sort_keys=False, allow_unicode=True)
        write_whole(self.folder / CONFIG, text.encode())

    def lock(self) -> None:
        """Keep other processes from training this run, until :meth:`close` or the process's end.

        What killed processes left half-written in the folder is removed.

        Raises:
            RacegymError: another process is training it.
        """
        try:
            self._lock.acquire()
        except Timeout:
            raise RacegymError(
                f"{self.folder} is being trained by another process: wait for its end, or stop it"
            ) from None
        except NotImplementedError:  # a file system without locks, as on some networks
            return
        for folder in (self.folder, self.checkpoints):
            remove_leftovers(folder, old=True)

    # --- logs ------------------------------------------------------------------------------------

    def start_logs(self, decisions: int) -> None:
        """Get ready to log what comes after ``decisions``; later lines of a lost stretch go.

        Lines that are missing or cannot be read are told on stderr, one line per file.
        """
        for name in (METRICS, MEETINGS):
            path = self.folder / name
            if not path.is_file() and name == MEETINGS:
                continue
            lines = _lines(path)
            gap = _gap(lines, decisions)
            if gap:
                print(f"{path}: {gap}", file=sys.stderr, flush=True)
            if path.is_file():
                kept = [figures_now(line) if name == METRICS else line for line in _sound(lines)]
                kept = [line for line in kept if line["decisions"] <= decisions]
                text = "".join(json.dumps(line) + "\n" for line in kept)
                write_whole(path, text.encode())
        try:
            from torch.utils.tensorboard import SummaryWriter
        except ImportError:  # not installed: the JSON lines have it all
            return
        self._board = SummaryWriter(str(self.folder / "tensorboard"), purge_step=decisions + 1)

    def log(self, decisions: int, figures: Mapping[str, float | None]) -> None:
        """Append figures at a point of the one x-axis, the number of decisions.

        None is written as null, and left out for TensorBoard.
        """
        self._append(METRICS, {"decisions": decisions, **figures})
        if self._board is not None:
            for name, value in figures.items():
                if value is not None:
                    self._board.add_scalar(name, value, decisions)

    def log_meetings(self, decisions: int, meetings: Mapping[str, Mapping[str, float]]) -> None:
        """Append who played whom since the line before."""
        self._append(MEETINGS, {"decisions": decisions, "against": dict(meetings)})

    def _append(self, name: str, line: Mapping[str, Any]) -> None:
        with (self.folder / name).open("a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")

    def metrics(self) -> list[dict[str, Any]]:
        """All lines of ``metrics.jsonl``, figures of older versions under the names of today."""
        return [figures_now(line) for line in _sound(_lines(self.folder / METRICS))]

    def write_summary(self, summary: Mapping[str, Any]) -> None:
        """Write ``summary.json``."""
        write_whole(self.folder / SUMMARY, (json.dumps(summary, indent=2) + "\n").encode())

    def summary(self) -> dict[str, Any]:
        """What ``summary.json`` says; empty if there is none yet."""
        path = self.folder / SUMMARY
        try:
            return dict(json.loads(path.read_text(encoding="utf-8")))
        except (OSError, ValueError):
            return {}

    def close(self) -> None:
        """Close the logs, and let others train this run."""
        if self._board is not None:
            self._board.close()
            self._board = None
        self._lock.release()

    # --- checkpoints -----------------------------------------------------------------------------

    def save(self, decisions: int, state: tuple[dict[str, Any], dict[str, Any]], keep: int) -> Path:
        """Write the checkpoint of this moment, and delete all but the ``keep`` latest up to it.

        Later ones belong to a stretch that was given up, by going on from an older checkpoint.
        """
        path = self.checkpoints / f"{decisions:012d}{SUFFIX}"
        save_checkpoint(path, *state)
        numbered = self._numbered()
        now = numbered.index(path) + 1
        for old in [*numbered[:now][:-keep], *numbered[now:]]:
            old.unlink()
        return path

    def save_best(self, state: tuple[dict[str, Any], dict[str, Any]]) -> None:
        """Write the checkpoint of this moment as the best so far."""
        save_checkpoint(self.checkpoints / f"{BEST}{SUFFIX}", *state)

    @property
    def has_best(self) -> bool:
        """True if an evaluation has chosen a best checkpoint."""
        return (self.checkpoints / f"{BEST}{SUFFIX}").is_file()

    @property
    def preferred(self) -> str:
        """The checkpoint to use where none is asked for: the best if there is one, or the last."""
        return BEST if self.has_best else "last"

    def evaluation_at(self, decisions: int) -> dict[str, float]:
        """The evaluation logged at that point, by name; empty if there was none."""
        for line in self.metrics():
            if line["decisions"] == decisions:
                return {
                    name.removeprefix("evaluation/"): value
                    for name, value in line.items()
                    if name.startswith("evaluation/")
                }
        return {}

    def _numbered(self) -> list[Path]:
        found = self.checkpoints.glob(f"*{SUFFIX}")
        return sorted((p for p in found if p.stem.isdigit() and p.is_file()), key=_decisions)

    def checkpoint(self, which: str = "last") -> Path:
        """Path of a checkpoint: ``last``, ``best``, or a number of decisions.

        Raises:
            CheckpointError: there is none.
        """
        numbered = self._numbered()
        if which == "last" and numbered:
            return numbered[-1]
        if which == BEST and self.has_best:
            return self.checkpoints / f"{BEST}{SUFFIX}"
        for path in numbered:
            if which.isdigit() and int(path.stem) == int(which):
                return path
        there = ", ".join(self._names())
        if there:
            raise CheckpointError(f"{self.folder} has no checkpoint {which!r}; it has: {there}")
        if (self.folder / POLICY).is_file():
            raise CheckpointError(f"{self.folder} has no checkpoints: it is a run of training.sb3")
        raise CheckpointError(f"{self.folder} has no checkpoints: it ended before its first")

    def _names(self) -> list[str]:
        """All checkpoints, as :meth:`checkpoint` takes them."""
        return [str(_decisions(p)) for p in self._numbered()] + [BEST] * self.has_best

    def load(self, which: str = "last") -> tuple[dict[str, Any], dict[str, Any]]:
        """Tensors and plain data of a checkpoint, named as for :meth:`checkpoint`.

        Raises:
            CheckpointError: there is none, or it is damaged; the message names those that are not.
        """
        path = self.checkpoint(which)
        try:
            return load_checkpoint(path)
        except CheckpointError as error:
            sound = [n for n in self._names() if self.checkpoint(n) != path and self._is_sound(n)]
            others = "no other checkpoint of this run can be read"
            if sound:
                others = f"sound are {', '.join(sound)}: choose one with --checkpoint"
            raise CheckpointError(f"{error}; {others}") from None

    def _is_sound(self, which: str) -> bool:
        try:
            load_checkpoint(self.checkpoint(which))
        except CheckpointError:
            return False
        return True


def checkpoint_file(name: str) -> Path:
    """The checkpoint that a name means.

    Args:
        name: a checkpoint's file, or a run's folder, with ``@best``, ``@last`` or ``@DECISIONS``
            behind it, or without (the best if there was an evaluation, else the last).

    Raises:
        CheckpointError: there is none.
    """
    if name.endswith(SUFFIX):
        if not Path(name).is_file():
            raise CheckpointError(f"there is no checkpoint {name}")
        return Path(name)
    folder, at, which = name.rpartition("@")
    if not at or Path(name).is_dir():
        folder, which = name, ""
    elif not which:
        raise CheckpointError(f"{name} names no checkpoint: write @best, @last or @DECISIONS")
    run = Run.open(folder)
    return run.checkpoint(which or run.preferred)


def _decisions(checkpoint: Path) -> int:
    return int(checkpoint.stem)


def _gap(lines: list[Line | None], decisions: int) -> str:
    """What a log lacks up to a checkpoint, in words; empty if it lacks nothing."""
    kept = [i for i, line in enumerate(lines) if line and line["decisions"] <= decisions]
    last = (lines[kept[-1]] or {})["decisions"] if kept else 0
    if last >= decisions:  # what is damaged behind it belongs to the stretch that was lost
        lines = lines[: kept[-1]] if kept else []
    damaged = lines.count(None)
    told = [f"{counted(damaged, 'line')} could not be read and left out"] if damaged else []
    if last < decisions:
        told.append(f"nothing is logged between {last:,} and {decisions:,} decisions")
    return "; ".join(told)


def _lines(path: Path) -> list[Line | None]:
    """The JSON lines of a log, None for one that was cut off in writing, or is damaged."""
    if not path.is_file():
        return []
    found: list[Line | None] = []
    for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
        try:
            entry = json.loads(line)
        except ValueError:
            entry = None
        sound = isinstance(entry, dict) and isinstance(entry.get("decisions"), int)
        found.append(entry if sound else None)
    return found


def _sound(lines: list[Line | None]) -> list[Line]:
    return [line for line in lines if line is not None]
