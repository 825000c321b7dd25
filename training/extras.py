"""A missing optional dependency is told in one line."""

from __future__ import annotations

import importlib.util
import sys


def require(extra: str, *modules: str) -> None:
    """Check that the modules of an extra of racegym are installed.

    Raises:
        ImportError: one is missing; under ``python -m`` one line on stderr and exit code 2 instead.
    """
    missing = [name for name in modules if importlib.util.find_spec(name) is None]
    if not missing:
        return
    message = f"this needs {missing[0]}: pip install 'racegym[{extra}]'"
    if sys.argv[:1] == ["-m"]:
        print(message, file=sys.stderr)
        raise SystemExit(2)
    raise ImportError(message)
