"""The actions of a game, declared once: blocks of numbers with their words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from racegym.engine.names import named
from racegym.errors import no_such_action


class Actions:
    """Numbered actions in blocks.

    Args:
        **blocks: by name, in order, the words of each block's actions; a single action may be given
            by its words alone.

    Attributes:
        at: named tuple with the first number of each block (``at.pass_`` for the block ``pass``),
            and ``size``, how many actions there are.
        texts: the words of all actions, by number.
    """

    def __init__(self, **blocks: str | Sequence[str]) -> None:
        texts: list[str] = []
        starts: dict[str, int] = {}
        for name, words in blocks.items():
            starts[name] = len(texts)
            texts += [words] if isinstance(words, str) else words
        self.texts = tuple(texts)
        self.at: Any = named("Actions", {**starts, "size": len(texts)})
        self._numbers = {text: number for number, text in enumerate(self.texts)}
        assert len(self._numbers) == len(texts), "two actions have the same words"

    @property
    def table(self) -> tuple[tuple[int, str], ...]:
        """Number and words of every action."""
        return tuple(enumerate(self.texts))

    def number(self, text: str, title: str) -> int:
        """The action that the words mean; raises IllegalAction when they mean none.

        Args:
            text: the words.
            title: of the game, for the message.
        """
        if text not in self._numbers:
            raise no_such_action(text, title, self.texts)
        return self._numbers[text]
