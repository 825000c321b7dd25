"""What an exported policy says about itself, kept in the ONNX file's metadata."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field
from typing import Any

from racegym.agents.protocol import AgentError
from racegym.engine.game import Encoder, Game

FORMAT = "racegym-policy/1"

_NUMBERS = ("game_version", "num_actions")
_TEXTS = ("format", "game", "encoder", "layout_hash")


class PolicyError(AgentError):
    """A file that is no policy, or a policy for something else."""


def layout_hash(game: Game, encoder: Encoder | str) -> str:
    """Hash (16 hex digits) of what a policy's inputs and outputs mean.

    It covers the encoder's id and shape, the name and length of every slice, and the text of every
    action id; a policy refuses to play where it differs.
    """
    chosen = game.encoder(encoder) if isinstance(encoder, str) else encoder
    slices = [(s.name, s.start, s.length) for s in chosen.table.slices.values()]
    meaning = [
        game.name,
        chosen.id,
        list(chosen.shape),
        slices,
        [list(a) for a in game.action_table],
    ]
    return hashlib.sha256(json.dumps(meaning).encode()).hexdigest()[:16]


@dataclass(frozen=True)
class PolicyMetadata:
    """The metadata of an exported policy.

    Attributes:
        game: name of the game.
        game_version: of its rules.
        encoder: id of the encoder it reads, such as ``flat-1``.
        num_actions: actions of the game.
        layout_hash: see :func:`layout_hash`.
        options: the sets of options it was trained on, as dicts.
        config: the training configuration.
        provenance: versions, decisions trained, seed ….
        evaluation: results of evaluation matches; empty if there were none.
        state_shape: of what a recurrent policy remembers per game and seat; empty for one that
            remembers nothing, and then not written.
        format: of the file.
    """

    game: str
    game_version: int
    encoder: str
    num_actions: int
    layout_hash: str
    options: list[dict[str, Any]] = field(default_factory=list)
    config: dict[str, Any] = field(default_factory=dict)
    provenance: dict[str, Any] = field(default_factory=dict)
    evaluation: dict[str, Any] = field(default_factory=dict)
    state_shape: list[int] = field(default_factory=list)
    format: str = FORMAT

    @classmethod
    def of(cls, game: Game, encoder: Encoder | str, **more: Any) -> PolicyMetadata:
        """The metadata of a policy for a game and encoder; ``more`` sets the other attributes."""
        chosen = game.encoder(encoder) if isinstance(encoder, str) else encoder
        return cls(
            game=game.name,
            game_version=game.version,
            encoder=chosen.id,
            num_actions=game.num_actions,
            layout_hash=layout_hash(game, chosen),
            **more,
        )

    def to_props(self) -> dict[str, str]:
        """As the texts of the file's ``metadata_props``."""
        props = {}
        for name, value in vars(self).items():
            if name == "state_shape" and not value:
                continue
            text = value if isinstance(value, str) else json.dumps(value, allow_nan=False)
            props[f"racegym.{name}"] = text
        return props

    @classmethod
    def from_props(cls, props: dict[str, str]) -> PolicyMetadata:
        """Read them back; raises PolicyError for what is missing or malformed."""
        if props.get("racegym.format") != FORMAT:
            raise PolicyError(f"not a policy exported by racegym (format {FORMAT})")
        values: dict[str, Any] = {}
        for name in cls.__dataclass_fields__:
            text = props.get(f"racegym.{name}", "[]" if name == "state_shape" else None)
            if text is None:
                raise PolicyError(f"its metadata lack racegym.{name}")
            values[name] = text if name in _TEXTS else _json(name, text)
        if isinstance(values["options"], dict):
            values["options"] = [values["options"]]
        for name, value in values.items():
            wanted = cls._type_of(name)
            if type(value) is not wanted:
                raise PolicyError(f"its metadata racegym.{name} is no {wanted.__name__}")
        if not all(isinstance(options, dict) for options in values["options"]):
            raise PolicyError("its metadata racegym.options is no list of dicts")
        if not all(type(n) is int and n > 0 for n in values["state_shape"]):
            raise PolicyError("its metadata racegym.state_shape is no list of numbers above 0")
        return cls(**values)

    @staticmethod
    def _type_of(name: str) -> type:
        if name in _TEXTS:
            return str
        if name in _NUMBERS:
            return int
        return list if name in ("options", "state_shape") else dict

    def covers(self, options: dict[str, Any]) -> bool:
        """True if it was trained on these options, or says nothing that contradicts them."""
        if not self.options:
            return True
        return any(
            all(options.get(name) == value for name, value in trained.items())
            for trained in self.options
        )

    def check(self, game: Game) -> Encoder:
        """The encoder to use with ``game``; raises PolicyError saying what does not fit."""
        if self.game != game.name:
            raise PolicyError(f"it was trained for {self.game}, not for {game.name}")
        if self.game_version != game.version:
            raise PolicyError(
                f"it was trained for version {self.game_version} of {game.name}, "
                f"this is version {game.version}"
            )
        known = {encoder.id: encoder for encoder in game.encoders}
        if self.encoder not in known:
            raise PolicyError(
                f"it needs the encoder {self.encoder!r}, {game.name} has {', '.join(known)}"
            )
        if self.num_actions != game.num_actions:
            raise PolicyError(
                f"it knows {self.num_actions} actions, {game.name} has {game.num_actions}"
            )
        encoder = known[self.encoder]
        if self.layout_hash != layout_hash(game, encoder):
            raise PolicyError(
                f"it was trained with another layout of {self.encoder} or of the actions"
            )
        return encoder


def _json(name: str, text: str) -> Any:
    try:
        return json.loads(text or "{}")
    except (ValueError, RecursionError):
        raise PolicyError(f"its metadata racegym.{name} is no JSON") from None
