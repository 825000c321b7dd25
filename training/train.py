"""Train a policy by self-play: ``python -m training.train --config configs/GAME/RECIPE.yaml``.

The run's folder is told on stderr at the start and printed on stdout at the end.  Ctrl-C ends the
update under way, saves a checkpoint and exits with 130; ``--resume RUN`` goes on from there as if
nothing had happened.
"""

from __future__ import annotations

import math
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from types import FrameType

import torch

from racegym.cli import INTERRUPTED
from racegym.errors import RacegymError
from training.checkpoint import load_checkpoint
from training.command import Parser, run_command
from training.config import Config, ConfigError
from training.display import Display, display
from training.evaluation import evaluate, in_words
from training.learner import Learner
from training.reading import override_keys, read_config
from training.runs import Run

#: What asks a training to stop: Ctrl-C, and batch systems.
_STOPPING = (signal.SIGINT, signal.SIGTERM)

#: Settings that may be changed when a run is resumed.
RESUMABLE = ("run.decisions", "run.threads", "rollout.threads", "evaluation.", "checkpoint.")


def main(words: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code."""
    return run_command("training.train", _main, sys.argv[1:] if words is None else words)


def _main(words: Sequence[str]) -> int:
    parser = Parser(
        prog="python -m training.train",
        description="Train a policy by self-play.",
        epilog="Any setting of the recipe: --section.key value (see docs/guides/training.md).",
        allow_abbrev=False,
    )
    source = parser.add_mutually_exclusive_group(required=True)
    source.add_argument("--config", metavar="FILE", help="the recipe, a YAML file")
    source.add_argument("--resume", metavar="RUN", help="folder of a run to go on with")
    arguments, overrides = parser.parse_known_args(words)
    if arguments.resume is None:
        trainer = Trainer.new(read_config(Config, arguments.config, overrides))
    else:
        trainer = Trainer.resumed(arguments.resume, tuple(overrides))
    return trainer.train()


class Trainer:
    """One sitting of a run: from its start, or from a checkpoint, to its end or an interruption.

    Args:
        config: the recipe.
        run: the folder.
        learner: what is trained.
    """

    def __init__(self, config: Config, run: Run, learner: Learner) -> None:
        self.config, self.run, self.learner = config, run, learner
        self._interrupted = False
        self._saved_at = learner.decisions
        self.best = max(
            (line[self._best_figure] for line in run.metrics() if self._best_figure in line),
            default=None,
        )

    @classmethod
    def new(cls, config: Config) -> Trainer:
        """A new run; nothing is written before everything has been checked and built."""
        torch.set_num_threads(config.run.threads)
        learner = Learner(config)
        _try_opponents(config)
        run = Run.create(config)
        run.start_logs(0)
        return cls(config, run, learner)

    @classmethod
    def resumed(cls, folder: str, overrides: tuple[str, ...] = ()) -> Trainer:
        """An existing run, from its last checkpoint."""
        for key in override_keys(overrides):
            if not key.startswith(RESUMABLE):
                raise ConfigError(
                    f"command line: {key} cannot be changed in a run; "
                    f"only {', '.join(r + '*' if r[-1] == '.' else r for r in RESUMABLE)} can"
                )
        run = Run.open(folder)
        config = run.config(overrides)
        tensors, plain = load_checkpoint(run.checkpoint())
        torch.set_num_threads(config.run.threads)
        learner = Learner(config)
        learner.load_state_dict(tensors, plain)
        _try_opponents(config)
        if overrides:
            run.write_config(config)
        run.start_logs(learner.decisions)
        return cls(config, run, learner)

    @property
    def _best_figure(self) -> str:
        against = self.config.evaluation.against
        return f"evaluation/{against[-1]}/advantage" if against else ""

    # --- training --------------------------------------------------------------------------------

    def train(self) -> int:
        """Go on to the end of the run; returns the exit code."""
        learner = self.learner
        print(f"run folder: {self.run.folder}", file=sys.stderr, flush=True)
        if learner.is_done:
            print(
                f"this run has played its {learner.decisions:,} decisions; "
                "--run.decisions N makes it longer",
                file=sys.stderr,
            )
        with (
            self._interruptible(),
            display(self.config.run.decisions, learner.decisions) as shown,
        ):
            while not learner.is_done and not self._interrupted:
                self._advance(shown)
        if self._saved_at != learner.decisions or not self.run.checkpoints.is_dir():
            self._save()
        self._summarise()
        self.run.close()
        print(self.run.folder)
        return INTERRUPTED if self._interrupted else 0

    def _advance(self, shown: Display) -> None:
        """One update, and what is due after it."""
        learner = self.learner
        figures = learner.iterate()
        if not all(math.isfinite(v) for k, v in figures.items() if k.startswith("loss/")):
            raise RacegymError(
                f"the training has diverged after {learner.decisions:,} decisions (a loss is not "
                "finite): lower ppo.learning_rate; earlier checkpoints are untouched"
            )
        meetings = learner.opponents.report()
        for name, meeting in meetings.items():
            figures[f"opponents/{name}"] = meeting["learner_share"]
        evaluated = self._evaluation_is_due()
        if evaluated:
            figures.update(self._evaluate(shown))
        self.run.log_meetings(learner.decisions, meetings)
        self.run.log(learner.decisions, figures)
        shown.show(learner.decisions, figures)
        if evaluated:
            self._keep_if_best(figures)
        if self._passed(self.config.checkpoint.interval):
            self._save()

    def _passed(self, interval: int) -> bool:
        """True if the latest update passed a multiple of ``interval`` decisions."""
        gathering, decisions = self.config.rollout, self.learner.decisions
        before = decisions - gathering.games * gathering.steps
        return decisions // interval > before // interval

    def _evaluation_is_due(self) -> bool:
        interval = self.config.evaluation.interval
        due = self.learner.is_done or (interval > 0 and self._passed(interval))
        return due and bool(self.config.evaluation.against)

    def _evaluate(self, shown: Display) -> dict[str, float]:
        learner = self.learner
        settings = self.config.evaluation
        combinations = self.config.combinations()
        found = evaluate(learner.network, learner.game, learner.encoder.id, combinations, settings)
        for line in in_words(found, settings.against):
            shown.say(f"{learner.decisions:,} decisions: {line}")
        return {f"evaluation/{name}": value for name, value in found.items()}

    def _keep_if_best(self, figures: dict[str, float]) -> None:
        value = figures[self._best_figure]
        if self.best is None or value > self.best:
            self.best = value
            self.run.save_best(self.learner.state_dict())

    def _save(self) -> None:
        learner = self.learner
        self.run.save(learner.decisions, learner.state_dict(), self.config.checkpoint.keep)
        self._saved_at = learner.decisions

    def _summarise(self) -> None:
        learner = self.learner
        seconds = learner.seconds
        total = max(seconds["total"], 1e-9)
        evaluations = [m for m in self.run.metrics() if self._best_figure in m]
        last = evaluations[-1] if evaluations else {}
        self.run.write_summary(
            {
                "decisions": learner.decisions,
                "updates": learner.iteration,
                "seconds": round(seconds["total"], 3),
                "decisions_per_second": round(learner.decisions / total, 1),
                "shares": {
                    name: round(seconds[name] / total, 4) for name in ("env", "inference", "update")
                },
                "evaluation": {
                    name.removeprefix("evaluation/"): value
                    for name, value in last.items()
                    if name.startswith("evaluation/")
                },
                "best": self.best,
            }
        )
        print(
            f"{learner.decisions:,} decisions, {learner.decisions / total:,.0f} per second "
            f"(environment {seconds['env'] / total:.0%}, inference "
            f"{seconds['inference'] / total:.0%}, update {seconds['update'] / total:.0%})",
            file=sys.stderr,
        )

    @contextmanager
    def _interruptible(self) -> Iterator[None]:
        """Ctrl-C or SIGTERM asks to stop after the update under way; a second stops at once."""

        def ask(number: int, frame: FrameType | None) -> None:
            if self._interrupted:
                raise KeyboardInterrupt
            self._interrupted = True
            print("stopping after this update (again: at once)", file=sys.stderr, flush=True)

        try:
            before = [signal.signal(number, ask) for number in _STOPPING]
        except ValueError:  # not in the main thread: nobody sends it Ctrl-C
            yield
            return
        try:
            yield
        finally:
            for number, handler in zip(_STOPPING, before, strict=True):
                signal.signal(number, handler)


def _try_opponents(config: Config) -> None:
    """Make the agents of the evaluation once, so that a wrong name is told at the start."""
    from racegym.agents import agent_from_spec

    for spec in config.evaluation.against:
        agent_from_spec(spec, config.description)


if __name__ == "__main__":
    sys.exit(main())
