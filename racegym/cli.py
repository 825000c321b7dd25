"""The command line ``racegym …``: a thin dispatcher over :mod:`racegym.commands`.

Exit codes: 0 done; 1 a check failed (``verify``); 2 a mistake in the call, told in one line on
stderr; 130 interrupted (what was finished is kept); 141 the reader of stdout went away.
"""

from __future__ import annotations

import argparse
import importlib
import io
import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import NoReturn

from racegym import __version__
from racegym.commands import COMMANDS, Command
from racegym.commands.assignments import one_by_one
from racegym.errors import RacegymError, nearest

MISTAKE = 2
INTERRUPTED = 130
BROKEN_PIPE = 141


class Parser(argparse.ArgumentParser):
    """An argument parser whose errors are one line."""

    def error(self, message: str) -> NoReturn:
        self.exit(MISTAKE, f"{self.prog}: {message} (see {self.prog} --help)\n")


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command line (default: the process's own); returns the exit code."""
    return run_command("racegym", _dispatch, sys.argv[1:] if argv is None else argv)


def run_command(name: str, work: Callable[[Sequence[str]], int], words: Sequence[str]) -> int:
    """Run a command so that whatever goes wrong is told in one line; returns the exit code.

    Args:
        name: of the program, put before what is told.
        work: does what the words say and returns the exit code.
        words: of the command line.
    """
    _usable_streams()
    try:
        code = _told(name, work, words)
        sys.stdout.flush()
        return code
    except BrokenPipeError:
        _silence_output()
        return BROKEN_PIPE
    except OSError as mistake:  # stdout cannot be written, as on a full disk
        _silence_output()
        return _tell(name, f"cannot write to stdout: {mistake.strerror}")


def _told(name: str, work: Callable[[Sequence[str]], int], words: Sequence[str]) -> int:
    try:
        with terminated_like_ctrl_c():
            return work(words)
    except SystemExit as stop:  # argparse: --help, --version, or a mistake already told
        return stop.code if isinstance(stop.code, int) else MISTAKE
    except KeyboardInterrupt:
        print(f"{name}: interrupted", file=sys.stderr)
        return INTERRUPTED
    except RacegymError as mistake:
        return _tell(name, str(mistake))
    except MemoryError as mistake:
        return _tell(name, f"there is not enough memory: {mistake}")
    except BrokenPipeError:
        raise
    except OSError as mistake:
        return _tell(name, file_mistake(mistake))


def _usable_streams() -> None:
    """Let stdin, stdout or stderr that were closed lead nowhere; letters they lack become "?"."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:  # in this order the files take the numbers 0, 1 and 2
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


@contextmanager
def terminated_like_ctrl_c() -> Iterator[None]:
    """Let SIGTERM (of ``timeout`` or a batch system) end a command as Ctrl-C does."""
    try:
        before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    except ValueError:  # not in the main thread
        yield
        return
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def file_mistake(error: OSError) -> str:
    """An error of the file system in one line: ``games.jsonl: Permission denied``."""
    reason = error.strerror or str(error)
    return f"{error.filename}: {reason}" if error.filename is not None else reason


def _dispatch(words: Sequence[str]) -> int:
    if not words or words[0].startswith("-"):
        _overview().parse_args(words)
        _overview().print_help()
        return 0
    name, *rest = words
    if name not in COMMANDS:
        raise RacegymError(f"there is no command {name!r}{nearest(name, COMMANDS)}")
    module = importlib.import_module(f"racegym.commands.{name}")
    if hasattr(module, "main"):
        return int(module.main(rest))
    command: Command = module  # type: ignore[assignment]
    parser = Parser(
        prog=f"racegym {name}", description=f"{COMMANDS[name].capitalize()}.", allow_abbrev=False
    )
    command.add_arguments(parser)
    return command.run(parser.parse_intermixed_args(one_by_one(rest)))


def _overview() -> Parser:
    listed = "\n".join(f"  {name:10}{summary}" for name, summary in COMMANDS.items())
    parser = Parser(
        prog="racegym",
        usage="racegym COMMAND …",
        description="Racing board games as environments for learning agents.",
        epilog=f"commands:\n{listed}\n\n'racegym COMMAND --help' explains one of them.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"racegym {__version__}")
    return parser


def _tell(name: str, message: str) -> int:
    print(f"{name}: {' '.join(message.split())}", file=sys.stderr)
    return MISTAKE


def _silence_output() -> None:
    """Let the interpreter's last flush of stdout and stderr go nowhere, if either is broken."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            with suppress(OSError, ValueError):  # ValueError: it is no real file
                os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


if __name__ == "__main__":
    sys.exit(main())
