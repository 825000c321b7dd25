"""The config of a training run: its sections together, and what must fit in them."""

from __future__ import annotations

import dataclasses
import itertools
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from racegym.engine.game import Game
from racegym.engine.registry import game as find_game
from racegym.errors import RacegymError, did_you_mean, nearest
from racegym.importing import is_reference
from training.sections import (
    AlgorithmConfig,
    CheckpointConfig,
    EvaluationConfig,
    GameConfig,
    InitConfig,
    NetworkConfig,
    OpponentsConfig,
    PpoConfig,
    RewardConfig,
    RolloutConfig,
    RunConfig,
)

#: Built-in kinds of networks, and of critics.
KINDS = ("mlp", "attention", "gru")
CRITIC_KINDS = ("mlp", "attention")


class ConfigError(RacegymError, ValueError):
    """A config, or a value given on the command line, that does not fit.

    Attributes:
        keys: the dotted keys of the settings at fault, if it is known where they were given.
    """

    def __init__(self, message: str, *keys: str) -> None:
        super().__init__(message)
        self.keys = keys


@contextmanager
def about(key: str) -> Iterator[None]:
    """Raise what is refused in the ``with`` block as a ConfigError that names the key."""
    try:
        yield
    except RacegymError as error:
        text = str(error)
        raise ConfigError(text if text.startswith(key) else f"{key}: {text}", key) from None


@dataclass(frozen=True)
class BaseConfig:
    """What the configs of all trainers share: a run of a game."""

    run: RunConfig = field(default_factory=RunConfig)
    game: GameConfig = field(default_factory=GameConfig)

    def to_dict(self) -> dict[str, Any]:
        """Plain dicts, lists, numbers and texts."""
        return dataclasses.asdict(self)

    @property
    def description(self) -> Game:
        """The game's description."""
        return find_game(self.game.name)

    def combinations(self) -> list[dict[str, Any]]:
        """The option sets trained together, resolved; raises OptionError."""
        varied: dict[str, list[Any]] = {}
        if self.game.num_players is not None:
            counts = self.game.num_players
            varied["num_players"] = counts if isinstance(counts, list) else [counts]
        varied.update(self.game.vary)
        resolve = self.description.options.resolve
        return [
            resolve({**self.game.options, **chosen, **dict(zip(varied, values, strict=True))})
            for chosen in self.game.sets or [{}]
            for values in itertools.product(*varied.values())
        ]

    def check(self) -> None:
        """Refuse settings that do not fit together; raises ConfigError naming them."""
        name = self.run.name
        if not re.fullmatch(r"[^/\\\0]+", name) or name in (".", ".."):
            raise ConfigError(f"run.name must be the name of a folder, not {name!r}", "run.name")
        if not self.game.name:
            raise ConfigError("game.name is missing", "game.name")
        with about("game.name"):
            find_game(self.game.name)
        for key, values in self.game.vary.items():
            if not isinstance(values, list) or not values:
                place = f"game.vary.{key}"
                raise ConfigError(f"{place} takes a list of values, not {values!r}", place)
        if self.game.num_players == []:
            key = "game.num_players"
            raise ConfigError(f"{key} must name at least one player count", key)
        self._check_options()
        with about("game"):
            self.combinations()

    def _check_options(self) -> None:
        """Refuse an option that the game does not have, or a value that it does not take."""
        known = {option.name: option for option in self.description.options.declared}
        for key, name, value in self._options_given():
            if name not in known:
                raise ConfigError(f"{key}: unknown option {name!r}{nearest(name, known)}", key)
            with about(key):
                known[name].check(value)

    def _options_given(self) -> Iterator[tuple[str, str, Any]]:
        """Key of the setting, name of the option, and value, for every value given."""
        game = self.game
        counts = game.num_players if isinstance(game.num_players, list) else [game.num_players]
        yield from (("game.num_players", "num_players", n) for n in counts if n is not None)
        yield from ((f"game.options.{name}", name, v) for name, v in game.options.items())
        for name, values in game.vary.items():
            yield from ((f"game.vary.{name}", name, value) for value in values)
        for chosen in game.sets:
            yield from (("game.sets", name, value) for name, value in chosen.items())

    def check_encoder(self, key: str, name: str) -> None:
        """Refuse an encoder that the game does not have, or that no player may look through."""
        with about(key):
            encoder = self.description.encoder(name)
        if not encoder.hides:
            raise ConfigError(
                f"{key} {name!r} shows hidden information: a policy may not read it", key
            )


@dataclass(frozen=True)
class Config(BaseConfig):
    """The config of ``training.train``."""

    init: InitConfig = field(default_factory=InitConfig)
    rollout: RolloutConfig = field(default_factory=RolloutConfig)
    reward: RewardConfig = field(default_factory=RewardConfig)
    network: NetworkConfig = field(default_factory=NetworkConfig)
    algorithm: AlgorithmConfig = field(default_factory=AlgorithmConfig)
    ppo: PpoConfig = field(default_factory=PpoConfig)
    opponents: OpponentsConfig = field(default_factory=OpponentsConfig)
    evaluation: EvaluationConfig = field(default_factory=EvaluationConfig)
    checkpoint: CheckpointConfig = field(default_factory=CheckpointConfig)

    def check(self) -> None:
        """As :meth:`BaseConfig.check`."""
        super().check()
        self.check_encoder("network.encoder", self.network.encoder)
        self._check_network()
        self._check_doors()
        opponents = self.opponents
        if opponents.snapshot_share + opponents.agent_share > 1:
            keys = ("opponents.snapshot_share", "opponents.agent_share")
            raise ConfigError(f"{' + '.join(keys)} must be at most 1", *keys)
        if opponents.agent_share and not opponents.agents:
            keys = ("opponents.agent_share", "opponents.agents")
            raise ConfigError(" needs ".join(keys), *keys)
        if self.rollout.n_envs < len(self.combinations()):
            raise ConfigError(
                f"rollout.n_envs must be at least {len(self.combinations())}, one per combination "
                "of options",
                "rollout.n_envs",
                "game",
            )

    def _check_doors(self) -> None:
        """Refuse an algorithm or a reward that is no name of something of the user's own."""
        algorithm, function = self.algorithm, self.reward.function
        if algorithm.kind != "ppo" and not is_reference(algorithm.kind):
            key = "algorithm.kind"
            raise ConfigError(
                f"{key} takes 'ppo' or package.module:Learner, not {algorithm.kind!r}", key
            )
        if algorithm.options and algorithm.kind == "ppo":
            key = "algorithm.options"
            raise ConfigError(
                f"{key} is for an algorithm of your own (algorithm.kind package.module:Learner); "
                "the settings of ppo stand in the section ppo",
                key,
            )
        if function is not None and not is_reference(function):
            key = "reward.function"
            raise ConfigError(f"{key} takes package.module:function, not {function!r}", key)

    def _check_network(self) -> None:
        """Refuse a kind of network that there is not, and settings that do not fit to the kind."""
        network = self.network
        _check_kind("network.kind", network.kind, KINDS)
        _check_kind("network.critic_kind", network.critic_kind, CRITIC_KINDS)
        kinds = [network.kind]
        if network.critic is not None:
            kinds.append(network.critic_kind)
            with about("network.critic"):
                self.description.encoder(network.critic)
        if network.options and not any(map(is_reference, kinds)):
            raise ConfigError(
                "network.options is for networks of your own (network.kind package.module:build)",
                "network.options",
            )
        if "attention" in kinds and network.width % network.heads:
            keys = ("network.heads", "network.width")
            raise ConfigError(" must divide ".join(keys), *keys)


def _check_kind(key: str, kind: str, known: Sequence[str]) -> None:
    if kind not in known and not is_reference(kind):
        raise ConfigError(
            f"{key} takes one of {', '.join(map(repr, known))}, or package.module:build, "
            f"not {kind!r}" + did_you_mean(kind, known),
            key,
        )
