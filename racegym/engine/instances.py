"""The kernels of a game, made when first asked for and kept for the process."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from types import FunctionType
from typing import Any

from racegym.engine import kernels, sampling
from racegym.engine.compile import (
    compiled,
    fingerprint,
    instantiate,
    is_jit_enabled,
    uncompile_names,
    uncompiled,
)
from racegym.engine.game import Bot, Encoder, Game
from racegym.engine.layout import Layout
from racegym.engine.state import States

_RULES = ("start", "legal", "apply", "outcome", "redeal")


class Kernels:
    """The generic kernels for one game and one encoder.

    Each function of :mod:`racegym.engine.kernels` is an attribute of the same name, made at its
    first use.  Kernels that do not observe are shared by all encoders of a game.

    Args:
        game: the game.
        encoder: what ``observe`` means.
        replaced: if given, everything runs as plain Python, with these functions in the place of
            others (to script chance); an empty dict just runs it uncompiled.
    """

    def __init__(
        self, game: Game, encoder: Encoder, replaced: dict[Any, Any] | None = None
    ) -> None:
        self.game = game
        self.encoder = encoder
        self._rules = _rules_of(game) if replaced is None else _Rules(game, replaced)
        self._observing = self._rules.with_encoder(encoder)

    def __getattr__(self, name: str) -> Callable[..., Any]:
        """A kernel by its name; kept, so that this runs once per kernel."""
        if name.startswith("_") or name not in _KERNELS:
            raise AttributeError(f"there is no kernel {name!r}")
        kernel = _KERNELS[name]
        maker = self._observing if observes(kernel) else self._rules
        made = maker.kernel(kernel)
        self.__dict__[name] = made
        return made


class _Rules:
    """What the free names of the kernels mean for a game, and the kernels made from them."""

    def __init__(self, game: Game, replaced: dict[Any, Any] | None = None) -> None:
        self.label = game.name
        self.plain = replaced is not None or not is_jit_enabled()
        self.replaced = replaced
        names: dict[str, Any] = {rule: getattr(game, rule) for rule in _RULES}
        self._sources = {**names, "layout": repr(game.layout.dtype.descr)}
        if replaced is not None:
            names = {name: uncompiled(rule, replaced) for name, rule in names.items()}
        self.names = names
        self.names["view"] = self._viewer(game.layout)
        self.names["set_up"] = self._part(kernels.set_up)
        self._made: dict[str, Callable[..., Any]] = {}

    def with_encoder(self, encoder: Encoder) -> _Rules:
        """The same names, and what ``observe`` means."""
        twin = copy(self)
        observe = encoder.write
        twin._sources = {**self._sources, "observe": observe}
        if self.replaced is not None:
            observe = uncompiled(observe, self.replaced)
        twin.names = {**self.names, "observe": observe}
        twin.label = f"{self.label}-{encoder.id}"
        twin._made = {}
        return twin

    def kernel(self, kernel: FunctionType) -> Callable[..., Any]:
        """A kernel in which the free names mean these."""
        name = kernel.__name__
        if name not in self._made:
            self._made[name] = self._part(kernel) if self.plain else self._compiled(kernel)
        return self._made[name]

    def _compiled(self, kernel: FunctionType) -> Callable[..., Any]:
        key = fingerprint([kernel, kernels.set_up], self._sources)
        return instantiate(kernel, self.names, self.label, key)

    def _viewer(self, layout: Layout) -> Any:
        if self.plain:
            return lambda raw: States(layout, raw)
        return self._part(_view, STATE=layout.dtype)

    def _part(self, function: Any, **names: Any) -> Any:
        scope = {**function.__globals__, **self.names, **names}
        if self.replaced is not None:
            uncompile_names(function.__code__, scope, self.replaced)
        part = FunctionType(function.__code__, scope, function.__name__)
        return part if self.plain else compiled(part)


def _view(raw):  # type: ignore[no-untyped-def]
    return raw.view(STATE)  # type: ignore[name-defined]  # noqa: F821


#: The kernels of a game: every function of their module but the part ``set_up`` and the chooser.
_KERNELS: dict[str, FunctionType] = {
    name: function
    for name, function in vars(kernels).items()
    if isinstance(function, FunctionType)
    and function.__module__ == kernels.__name__
    and name not in ("set_up", "choose_all")
}


def observes(kernel: FunctionType) -> bool:
    """True for a kernel that writes observations."""
    return "observe" in kernel.__code__.co_names


_rules: dict[int, _Rules] = {}
_instances: dict[tuple[int, str], Kernels] = {}
_choosers: dict[tuple[int, str], Callable[..., Any]] = {}
_samplers: dict[str, Callable[..., Any]] = {}


def _rules_of(game: Game) -> _Rules:
    if id(game) not in _rules:
        _rules[id(game)] = _Rules(game)
    return _rules[id(game)]


def kernels_of(game: Game, encoder: Encoder) -> Kernels:
    """The kernels of a game with an encoder; made at the first call, compiled at first use."""
    key = (id(game), encoder.id)
    if key not in _instances:
        _instances[key] = Kernels(game, encoder)
    return _instances[key]


def chooser_of(game: Game, bot: Bot) -> Callable[..., Any]:
    """``choose_all(observations, masks, bits, actions)`` of a scripted agent, compiled."""
    key = (id(game), bot.name)
    if key not in _choosers:
        names = {"choose": bot.choose}
        label = f"{game.name}-scripted-{bot.name}"
        fp = fingerprint([kernels.choose_all], names)
        _choosers[key] = instantiate(kernels.choose_all, names, label, fp)  # type: ignore[arg-type]
    return _choosers[key]


def sampler(name: str = "sample_all") -> Callable[..., Any]:
    """``sample_all`` or ``sample_each`` of :mod:`racegym.engine.sampling`, compiled."""
    if name not in _samplers:
        kernel = getattr(sampling, name)
        _samplers[name] = instantiate(kernel, {}, "the sampler", fingerprint([kernel], {}))
    return _samplers[name]
