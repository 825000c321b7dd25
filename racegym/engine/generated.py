"""Functions made from what is declared, once: as quick as if they were written by hand."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

#: Keeps a constant for an expression and gives its name there.
Keep = Callable[[Any], str]


class Mappings:
    """Collects ``key: expression`` pairs and makes the function that gives them as a dict.

    Args:
        parameters: names of the function's parameters, which the expressions use.
    """

    def __init__(self, *parameters: str) -> None:
        self._parameters = ", ".join(parameters)
        self._kept: dict[str, Any] = {}

    def keep(self, value: Any) -> str:
        """Keep a constant, and the name it has in expressions."""
        name = f"_{len(self._kept)}"
        self._kept[name] = value
        return name

    def function(self, pairs: Mapping[str, str]) -> Callable[..., dict[str, Any]]:
        """The function for some expressions by key, in order.

        The expressions are put together from declarations in code, never from data.
        """
        inside = ", ".join(f"{key!r}: {expression}" for key, expression in pairs.items())
        made: Callable[..., dict[str, Any]] = eval(
            f"lambda {self._parameters}: {{{inside}}}", dict(self._kept)
        )
        return made
