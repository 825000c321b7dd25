"""The library's own package ``training``, whatever else of that name lies about.

``python -m training.train`` finds the first ``training`` there is, which in a folder of the user's
with a ``training/`` of its own is that one.  The commands take the one that was installed with
racegym: it lies beside it.
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import racegym
from racegym.errors import RacegymError

_NAME = "training"


def training_module(name: str) -> ModuleType:
    """A module of the library's package ``training``: ``train``, ``export`` ….

    Raises:
        RacegymError: another package of that name is loaded in this process, the library's is not
            installed, or something that it needs is missing (the line names the extra).
    """
    folder = Path(racegym.__file__).resolve().parents[1] / _NAME
    loaded = sys.modules.get(_NAME)
    if loaded is None:
        _load(folder)
    elif not any(Path(path).resolve() == folder for path in getattr(loaded, "__path__", ())):
        raise RacegymError(
            f"another {_NAME!r} is loaded here ({getattr(loaded, '__file__', None)}): run the "
            "command in a process of its own"
        )
    return importlib.import_module(f"{_NAME}.{name}")


def _load(folder: Path) -> None:
    spec = importlib.util.spec_from_file_location(
        _NAME, folder / "__init__.py", submodule_search_locations=[str(folder)]
    )
    if spec is None or spec.loader is None or not (folder / "__init__.py").is_file():
        raise RacegymError(f"racegym is installed without its package {_NAME!r}: {folder}")
    module = importlib.util.module_from_spec(spec)
    sys.modules[_NAME] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[_NAME]
        raise
