"""Train a policy by self-play: ``python -m training.train --config configs/GAME/CONFIG.yaml``.

The run's folder is told on stderr at the start and printed on stdout at the end.  Ctrl-C ends the
update under way, saves a checkpoint and exits with 130; ``--resume RUN`` goes on from there as if
nothing had happened.
"""

from __future__ import annotations

import argparse
import math
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from types import FrameType

import torch

from racegym.cli import INTERRUPTED, Parser, run_command
from racegym.errors import RacegymError
from training.config import Config, ConfigError
from training.display import Display, display
from training.evaluation import check_agents, evaluate, figures_in_words
from training.init import warm_start
from training.interface import Algorithm, diverged
from training.own_learner import learner_for
from training.reading import blamed, check_overrides, read_config
from training.runs import CONFIG, SUFFIX, Run
from training.settings import in_words

#: What asks a training to stop: Ctrl-C, and batch systems.
_STOPPING = (signal.SIGINT, signal.SIGTERM)

#: Settings that may be changed when a run is resumed.
RESUMABLE = ("run.decisions", "run.threads", "rollout.threads", "evaluation.", "checkpoint.")


def main(words: Sequence[str] | None = None, prog: str = "python -m training.train") -> int:
    """Run the command line (default: the process's own); returns the exit code.

    ``prog`` is what the command is called in messages.
    """
    name = prog.removeprefix("python -m ")
    return run_command(name, partial(_main, prog), sys.argv[1:] if words is None else words)


def _main(prog: str, words: Sequence[str]) -> int:
    parser = Parser(
        prog=prog,
        usage=f"{prog} --config FILE [--init SOURCE] [--section.key VALUE …]\n"
        f"       {prog} --resume RUN [--checkpoint WHICH] [--section.key VALUE …]",
        description="Train a policy by self-play.",
        epilog=in_words(Config),
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    source = parser.add_mutually_exclusive_group(required=True)
    source.add_argument("--config", metavar="FILE", help="the config, a YAML file")
    source.add_argument("--resume", metavar="RUN", help="folder of a run to go on with")
    parser.add_argument(
        "--checkpoint",
        metavar="WHICH",
        help="with --resume: go on from last (default), best, or a number of decisions",
    )
    parser.add_argument(
        "--init",
        metavar="SOURCE",
        help="with --config: start with the weights of a run, a checkpoint or an exported policy",
    )
    arguments, overrides = parser.parse_known_args(words)
    if arguments.init is not None:
        # Another source than the one that the config may note the digest of.
        overrides += [f"--init={arguments.init}", "--init.digest=null"]
    if arguments.config is not None and arguments.checkpoint is not None:
        parser.error("--checkpoint belongs to --resume")
    if arguments.resume is not None and arguments.init is not None:
        parser.error("--init belongs to --config")
    try:
        return _trainer(arguments, overrides).train()
    except torch.OutOfMemoryError as error:
        raise RacegymError(f"the device has too little memory: {error}") from None


def _trainer(arguments: argparse.Namespace, overrides: list[str]) -> Trainer:
    """The training asked for, ready to begin."""
    if arguments.resume is None:
        config = read_config(Config, arguments.config, overrides)
        with blamed(arguments.config, overrides):
            return Trainer.new(config)
    with blamed(str(Path(arguments.resume) / CONFIG), overrides):
        return Trainer.resumed(arguments.resume, tuple(overrides), arguments.checkpoint or "last")


class Trainer:
    """One sitting of a run: from its start, or from a checkpoint, to its end or an interruption.

    Args:
        config: the settings.
        run: the folder.
        learner: what is trained.
    """

    def __init__(self, config: Config, run: Run, learner: Algorithm) -> None:
        self.config, self.run, self.learner = config, run, learner
        self._interrupted = False
        self._saved_at = self._before = learner.decisions
        self.best = max(
            (line[self._best_figure] for line in run.metrics() if self._best_figure in line),
            default=None,
        )

    @classmethod
    def new(cls, config: Config) -> Trainer:
        """A new run; nothing is written before everything has been checked and built."""
        torch.set_num_threads(config.run.threads)
        config, source = warm_start(config)
        learner = learner_for(config)
        if source is not None:
            source.give_to(learner.network)
        check_agents(config.description, config.evaluation)
        run = Run.create(config)
        run.lock()
        run.start_logs(0)
        return cls(config, run, learner)

    @classmethod
    def resumed(
        cls, folder: str, overrides: tuple[str, ...] = (), checkpoint: str = "last"
    ) -> Trainer:
        """An existing run, from a checkpoint: ``last``, ``best``, or a number of decisions.

        What was logged after an older checkpoint is dropped; later checkpoints go when the first
        new one is written.
        """
        for key, _ in check_overrides(Config, overrides):
            if not key.startswith(RESUMABLE):
                raise ConfigError(
                    f"command line: {key} cannot be changed in a run; "
                    f"only {', '.join(r + '*' if r[-1] == '.' else r for r in RESUMABLE)} can. "
                    "With other settings it is a warm start, not a resume: begin a new run with "
                    f"--config {Path(folder) / CONFIG} --init {folder}"
                )
        if Path(folder).is_file() and folder.endswith((".onnx", SUFFIX)):
            what = "an exported policy" if folder.endswith(".onnx") else "a checkpoint"
            raise ConfigError(f"--resume {folder}: that is {what}: --init takes it")
        run = Run.open(folder)
        run.lock()
        try:
            return cls._going_on(run, overrides, checkpoint)
        except BaseException:
            run.close()
            raise

    @classmethod
    def _going_on(cls, run: Run, overrides: tuple[str, ...], checkpoint: str) -> Trainer:
        config = run.config(overrides)
        tensors, plain = run.load(checkpoint)
        torch.set_num_threads(config.run.threads)
        learner = learner_for(config)
        learner.load_state_dict(tensors, plain)
        check_agents(config.description, config.evaluation)
        if overrides:
            run.write_config(config)
        run.start_logs(learner.decisions)
        planned = plain["config"]["run"]["decisions"]
        note = learner.schedule(planned) if planned != config.run.decisions else None
        if note is not None:
            print(note, file=sys.stderr, flush=True)
        return cls(config, run, learner)

    @property
    def _best_figure(self) -> str:
        against = self.config.evaluation.against
        return f"evaluation/{against[-1]}/relative_win_share" if against else ""

    # --- training --------------------------------------------------------------------------------

    def train(self) -> int:
        """Go on to the end of the run; returns the exit code."""
        try:
            return self._train()
        finally:
            self.run.close()

    def _train(self) -> int:
        learner = self.learner
        print(f"run folder: {self.run.folder}", file=sys.stderr, flush=True)
        if learner.is_done:
            note = learner.schedule(None)
            print(
                f"this run has played its {learner.decisions:,} decisions; "
                "--run.decisions N makes it longer" + (f" and {note}" if note else ""),
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
        print(self.run.folder)
        return INTERRUPTED if self._interrupted else 0

    def _advance(self, shown: Display) -> None:
        """One update, and what is due after it."""
        learner = self.learner
        self._before = learner.decisions
        figures = learner.iterate()
        for name, value in figures.items():
            if value is not None and not math.isfinite(value):
                raise diverged(learner.decisions, name)
        meetings = learner.meetings()
        for name, meeting in meetings.items():
            figures[f"opponents/{name}"] = meeting["learner_share"]
        evaluation = self._evaluate(shown) if self._evaluation_is_due() else {}
        figures.update(evaluation)
        self.run.log_meetings(learner.decisions, meetings)
        self.run.log(learner.decisions, figures)
        shown.show(learner.decisions, figures)
        if evaluation:
            self._keep_if_best(evaluation)
        if self._passed(self.config.checkpoint.interval):
            self._save()

    def _passed(self, interval: int) -> bool:
        """True if the latest update passed a multiple of ``interval`` decisions."""
        return self.learner.decisions // interval > self._before // interval

    def _evaluation_is_due(self) -> bool:
        interval = self.config.evaluation.interval
        due = self.learner.is_done or (interval > 0 and self._passed(interval))
        return due and bool(self.config.evaluation.against)

    def _evaluate(self, shown: Display) -> dict[str, float]:
        learner, config, settings = self.learner, self.config, self.config.evaluation
        game = config.description
        encoder = game.encoder(config.network.encoder).id
        found = evaluate(learner.network, game, encoder, config.combinations(), settings)
        for line in figures_in_words(found, settings.against):
            shown.say(f"{learner.decisions:,} decisions: {line}")
        return {f"evaluation/{name}": value for name, value in found.items()}

    def _keep_if_best(self, evaluation: dict[str, float]) -> None:
        value = evaluation[self._best_figure]
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
                "updates": len(self.run.metrics()),
                "seconds": round(seconds["total"], 3),
                "decisions_per_second": round(learner.decisions / total, 1),
                "shares": {
                    name: round(spent / total, 4)
                    for name, spent in seconds.items()
                    if name != "total"
                },
                "evaluation": {
                    name.removeprefix("evaluation/"): value
                    for name, value in last.items()
                    if name.startswith("evaluation/")
                },
                "best": self.best,
            }
        )
        shares = [
            f"{'environment' if name == 'env' else name} {spent / total:.0%}"
            for name, spent in seconds.items()
            if name != "total"
        ]
        print(
            f"{learner.decisions:,} decisions, {learner.decisions / total:,.0f} per second"
            + (f" ({', '.join(shares)})" if shares else ""),
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


if __name__ == "__main__":
    sys.exit(main())
