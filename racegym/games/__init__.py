"""The games of the library, a package each."""

from __future__ import annotations

import sys
import warnings
from types import ModuleType


class _Package(ModuleType):
    """This package, which still answers when it is called as the function of that name was."""

    def __call__(self) -> list[str]:
        from racegym.engine.registry import game_names

        warnings.warn(
            "racegym.games() is called racegym.game_names() now", DeprecationWarning, stacklevel=2
        )
        return game_names()


sys.modules[__name__].__class__ = _Package
