"""The notation that follows from what a game declares, for games with nothing particular in it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from racegym.engine.actions import Actions
from racegym.engine.layout import Layout
from racegym.engine.state import State


class DeclaredNotation:
    """Actions by the words they are declared with, states by the forms of their fields.

    See :class:`racegym.engine.game.Notation` for what the functions do; a game whose words or
    records depend on more overrides them, or has a module with functions of these names.

    Args:
        title: of the game, for messages.
        actions: the game's actions.
        layout: of its states.
        describe: ``describe(state, seat)``: the situation as a seat may know it, in plain words.
    """

    def __init__(
        self, title: str, actions: Actions, layout: Layout, describe: Callable[[State, int], str]
    ) -> None:
        self.title = title
        self.actions = actions
        self.layout = layout
        self.describe = describe

    def action_to_text(self, state: State, action: int) -> str:
        """The action in words."""
        return self.actions.texts[action]

    def action_from_text(self, state: State, text: str) -> int:
        """The action that the words mean; raises IllegalAction when they mean none."""
        return self.actions.number(text, self.title)

    def state_to_dict(self, state: State) -> dict[str, Any]:
        """The state fields of a record, in JSON types."""
        return self.layout.to_dict(state)

    def state_from_dict(self, state: State, fields: dict[str, Any]) -> None:
        """Set the fields given in a started state; raises ValueError."""
        self.layout.from_dict(state, fields, self.title)
