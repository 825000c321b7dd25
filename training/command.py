"""What the commands of this package share: mistakes in one line, and exit codes."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from typing import NoReturn

from racegym.cli import INTERRUPTED, MISTAKE, file_mistake, terminated_like_ctrl_c
from racegym.errors import RacegymError


class Parser(argparse.ArgumentParser):
    """An argument parser whose errors are one line."""

    def error(self, message: str) -> NoReturn:
        self.exit(MISTAKE, f"{self.prog}: {message} (see {self.prog} --help)\n")


def run_command(name: str, work: Callable[[Sequence[str]], int], words: Sequence[str]) -> int:
    """Run a command; returns its exit code: 0, 2 for a mistake in the call, 130 if interrupted."""
    try:
        with terminated_like_ctrl_c():
            return work(words)
    except SystemExit as stop:  # argparse: --help, or a mistake already told
        return stop.code if isinstance(stop.code, int) else MISTAKE
    except KeyboardInterrupt:
        print(f"{name}: interrupted", file=sys.stderr)
        return INTERRUPTED
    except RacegymError as mistake:
        text = str(mistake)
    except OSError as mistake:
        text = file_mistake(mistake)
    print(f"{name}: {' '.join(text.split())}", file=sys.stderr)
    return MISTAKE
