"""A missing optional dependency is told in one line."""

from __future__ import annotations

import importlib.util
import sys

from racegym.errors import RacegymError


class MissingExtra(RacegymError, ImportError):
    """Something that an extra of racegym brings is not installed."""


def require(extra: str, *modules: str) -> None:
    """Check that the modules of an extra of racegym are installed.

    Raises:
        MissingExtra: one is missing; under ``python -m`` one line on stderr and exit code 2
            instead.
    """
    missing = [name for name in modules if importlib.util.find_spec(name) is None]
    if not missing:
        return
    message = f"this needs {missing[0]}: pip install 'racegym[{extra}]'"
    if _is_command():
        print(message, file=sys.stderr)
        raise SystemExit(2)
    raise MissingExtra(message)


def _is_command() -> bool:
    """True under ``python -m training.…``: while the package is imported for it, or after."""
    running = getattr(sys.modules["__main__"], "__spec__", None)
    return sys.argv[:1] == ["-m"] or (running is not None and running.name.startswith("training."))
