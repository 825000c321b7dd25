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
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import NoReturn

from racegym import __version__
from racegym.commands import COMMANDS, Command
from racegym.errors import RacegymError, nearest

MISTAKE = 2
INTERRUPTED = 130
BROKEN_PIPE = 141


class _Parser(argparse.ArgumentParser):
    """An argument parser whose errors are one line."""

    def error(self, message: str) -> NoReturn:
        self.exit(MISTAKE, f"{self.prog}: {message} (see {self.prog} --help)\n")


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command line (default: the process's own); returns the exit code."""
    words = list(sys.argv[1:] if argv is None else argv)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a terminal that has no "é" shows "?" instead
            stream.reconfigure(errors="replace")
    try:
        try:
            with terminated_like_ctrl_c():
                code = _dispatch(words)
        except SystemExit as stop:  # argparse: --help, --version, or a mistake already told
            code = stop.code if isinstance(stop.code, int) else MISTAKE
        sys.stdout.flush()
    except BrokenPipeError:
        _silence_stdout()
        return BROKEN_PIPE
    except KeyboardInterrupt:
        print("racegym: interrupted", file=sys.stderr)
        return INTERRUPTED
    except RacegymError as mistake:
        return _tell(str(mistake))
    except OSError as mistake:
        return _tell(file_mistake(mistake))
    return code


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


def _dispatch(words: list[str]) -> int:
    if not words or words[0].startswith("-"):
        _overview().parse_args(words)
        _overview().print_help()
        return 0
    name, *rest = words
    if name not in COMMANDS:
        raise RacegymError(f"there is no command {name!r}{nearest(name, COMMANDS)}")
    command: Command = importlib.import_module(f"racegym.commands.{name}")  # type: ignore[assignment]
    parser = _Parser(
        prog=f"racegym {name}", description=f"{COMMANDS[name].capitalize()}.", allow_abbrev=False
    )
    command.add_arguments(parser)
    return command.run(parser.parse_args(rest))


def _overview() -> _Parser:
    listed = "\n".join(f"  {name:10}{summary}" for name, summary in COMMANDS.items())
    parser = _Parser(
        prog="racegym",
        usage="racegym COMMAND …",
        description="Racing board games as environments for learning agents.",
        epilog=f"commands:\n{listed}\n\n'racegym COMMAND --help' explains one of them.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"racegym {__version__}")
    return parser


def _tell(message: str) -> int:
    print(f"racegym: {' '.join(message.split())}", file=sys.stderr)
    return MISTAKE


def _silence_stdout() -> None:
    """Let the interpreter's last flush of stdout go nowhere."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (OSError, ValueError):  # stdout is no real file
        return


if __name__ == "__main__":
    sys.exit(main())
