"""The kernels of a game, made when first asked for and kept for the process."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
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
from racegym.engine.plain import PlainStates

_RULES = ("start", "legal", "apply", "outcome", "redeal")


class Kernels:
    """The generic kernels for one game and one encoder.

    Each attribute is a function; :mod:`racegym.engine.kernels` says what it does.

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
        self._plain = replaced is not None or not is_jit_enabled()
        self._replaced = replaced
        rules: dict[str, Any] = {rule: getattr(game, rule) for rule in _RULES}
        rules["observe"] = encoder.write
        layout = repr(game.layout.dtype.descr)
        self._key = fingerprint(_all_kernels(), {**rules, "layout": layout})
        if replaced is not None:
            rules = {name: uncompiled(rule, replaced) for name, rule in rules.items()}
        rules["view"] = self._view(game.layout)
        self._names = rules
        self._names["set_up"] = self._part(kernels.set_up)

    def _view(self, layout: Layout) -> Any:
        if self._plain:
            return lambda raw: PlainStates(raw.view(layout.dtype))
        return self._part(_view, STATE=layout.dtype)

    def _part(self, function: Any, **names: Any) -> Any:
        scope = {**function.__globals__, **self._names_so_far(), **names}
        if self._replaced is not None:
            uncompile_names(function.__code__, scope, self._replaced)
        copy = FunctionType(function.__code__, scope, function.__name__)
        return copy if self._plain else compiled(copy)

    def _names_so_far(self) -> dict[str, Any]:
        return getattr(self, "_names", {})

    def _make(self, kernel: Any) -> Callable[..., Any]:
        if self._plain:
            return self._part(kernel)
        return instantiate(kernel, self._names, f"{self.game.name}-{self.encoder.id}", self._key)

    @cached_property
    def begin(self) -> Callable[..., Any]:
        return self._make(kernels.begin)

    @cached_property
    def mark_legal(self) -> Callable[..., Any]:
        return self._make(kernels.mark_legal)

    @cached_property
    def look(self) -> Callable[..., Any]:
        return self._make(kernels.look)

    @cached_property
    def advance(self) -> Callable[..., Any]:
        return self._make(kernels.advance)

    @cached_property
    def conclude(self) -> Callable[..., Any]:
        return self._make(kernels.conclude)

    @cached_property
    def deal_again(self) -> Callable[..., Any]:
        return self._make(kernels.deal_again)

    @cached_property
    def begin_all(self) -> Callable[..., Any]:
        return self._make(kernels.begin_all)

    @cached_property
    def first_illegal(self) -> Callable[..., Any]:
        return self._make(kernels.first_illegal)

    @cached_property
    def step_all(self) -> Callable[..., Any]:
        return self._make(kernels.step_all)

    @cached_property
    def look_all(self) -> Callable[..., Any]:
        return self._make(kernels.look_all)

    @cached_property
    def mark_legal_all(self) -> Callable[..., Any]:
        return self._make(kernels.mark_legal_all)

    @cached_property
    def deal_again_all(self) -> Callable[..., Any]:
        return self._make(kernels.deal_again_all)

    @cached_property
    def rollout(self) -> Callable[..., Any]:
        return self._make(kernels.rollout)


def _view(raw):  # type: ignore[no-untyped-def]
    return raw.view(STATE)  # type: ignore[name-defined]  # noqa: F821


def _all_kernels() -> list[Any]:
    return [f for f in vars(kernels).values() if isinstance(f, FunctionType)]


_instances: dict[tuple[int, str], Kernels] = {}
_choosers: dict[tuple[int, str], Callable[..., Any]] = {}
_sampler: list[Callable[..., Any]] = []


def kernels_of(game: Game, encoder: Encoder) -> Kernels:
    """The kernels of a game with an encoder; made at the first call, compiled at first use."""
    key = (id(game), encoder.id)
    if key not in _instances:
        _instances[key] = Kernels(game, encoder)
    return _instances[key]


def chooser_of(game: Game, bot: Bot) -> Callable[..., Any]:
    """``choose_all(observations, masks, luck, actions)`` of a scripted agent, compiled."""
    key = (id(game), bot.name)
    if key not in _choosers:
        names = {"choose": bot.choose}
        label = f"{game.name}-scripted-{bot.name}"
        fp = fingerprint([kernels.choose_all], names)
        _choosers[key] = instantiate(kernels.choose_all, names, label, fp)  # type: ignore[arg-type]
    return _choosers[key]


def sampler() -> Callable[..., Any]:
    """``sample_all(masks, luck, actions)``, compiled."""
    if not _sampler:
        fp = fingerprint([sampling.sample_all], {})
        _sampler.append(instantiate(sampling.sample_all, {}, "the sampler", fp))  # type: ignore[arg-type]
    return _sampler[0]
