"""What a training run is made of: typed, checked, read from YAML and the command line."""

from __future__ import annotations

import dataclasses
import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import yaml
from jsonargparse import ArgumentError, ArgumentParser

from racegym.engine.game import Game
from racegym.engine.registry import game as find_game
from racegym.errors import RacegymError, nearest


class ConfigError(RacegymError, ValueError):
    """A recipe, or a value given on the command line, that does not fit."""


def _bounded(default: Any, low: float, high: float = math.inf, above: bool = False) -> Any:
    """A field for a number from ``low`` (or above it) to ``high``."""
    return field(default=default, metadata={"low": low, "high": high, "above": above})


@dataclass(frozen=True)
class RunConfig:
    """The run as a whole.

    Attributes:
        name: of the run's folder; a number is added.
        folder: where the folders of runs are made, seen from the working directory.
        seed: settles everything random in the run, 0 … 2^63-1.
        decisions: length of the training, in decisions played (by learner and opponents alike).
        device: a torch device, or ``auto`` (the first GPU that works, else the CPU).
        threads: of torch (on small networks one is fastest, by far where cores are shared).
    """

    name: str = "run"
    folder: str = "runs"
    seed: int = _bounded(0, 0, 2**63 - 1)
    decisions: int = _bounded(2_000_000, 1)
    device: str = "cpu"
    threads: int = _bounded(1, 1, 1024)


@dataclass(frozen=True)
class GameConfig:
    """The game and its options.

    Attributes:
        name: of the game.
        num_players: one player count, or a list of counts that are trained together; null: the
            game's default.
        options: other options of the game, one value each.
        vary: options with a list of values each; every combination is trained, in equal parts.
    """

    name: str = ""
    num_players: int | list[int] | None = None
    options: dict[str, Any] = field(default_factory=dict)
    vary: dict[str, list[Any]] = field(default_factory=dict)


@dataclass(frozen=True)
class RolloutConfig:
    """How experience is gathered.

    Attributes:
        games: games played side by side.
        steps: decisions in each game between two updates.
        threads: of the environments.
    """

    games: int = _bounded(512, 1)
    steps: int = _bounded(64, 1)
    threads: int = _bounded(1, 1, 1024)


@dataclass(frozen=True)
class NetworkConfig:
    """The policy and value network.

    Attributes:
        kind: ``mlp``, or ``attention`` over the rows of an encoder such as ``tokens``.
        encoder: name of the encoder of the observations.
        width: of every hidden layer.
        depth: number of hidden layers (attention: of blocks).
        heads: of every attention block; divides ``width``.
        layer_norm: normalise the hidden layers (mlp; attention always does).
        normalise: scale every input by its running mean and variance, inside the network.
    """

    kind: Literal["mlp", "attention"] = "mlp"
    encoder: str = "flat"
    width: int = _bounded(128, 1, 16384)
    depth: int = _bounded(2, 1, 64)
    heads: int = _bounded(4, 1, 256)
    layer_norm: bool = False
    normalise: bool = False


@dataclass(frozen=True)
class PpoConfig:
    """Proximal policy optimisation (Schulman et al. 2017).

    Attributes:
        learning_rate: of Adam at the start.
        anneal: lower the learning rate in a straight line to zero at the end of the run.
        discount: per own decision of a seat.
        trace: lambda of generalised advantage estimation.
        clip: of the probability ratio.
        epochs: passes over the experience per update.
        minibatches: parts each pass is cut into.
        entropy: weight of the entropy bonus.
        value: weight of the value loss.
        max_gradient: largest norm of the gradient.
        target_divergence: leave out the remaining epochs once the policy has moved this far
            (approximate Kullback-Leibler divergence); null: never.
    """

    learning_rate: float = _bounded(1e-3, 0, above=True)
    anneal: bool = True
    discount: float = _bounded(1.0, 0, 1)
    trace: float = _bounded(0.95, 0, 1)
    clip: float = _bounded(0.2, 0, above=True)
    epochs: int = _bounded(2, 1, 1000)
    minibatches: int = _bounded(8, 1)
    entropy: float = _bounded(0.01, 0)
    value: float = _bounded(0.5, 0)
    max_gradient: float = _bounded(0.5, 0, above=True)
    target_divergence: float | None = _bounded(None, 0, above=True)


@dataclass(frozen=True)
class OpponentsConfig:
    """Who sits at the tables.  What is left of the shares is pure self-play.

    Attributes:
        snapshot_share: share of the games in which a stored copy of the learner plays some seats.
        agent_share: share of the games in which one of ``agents`` plays some seats.
        agents: fixed agents, as ``racegym match`` names them.
        snapshot_interval: decisions between two snapshots.
        pool_size: snapshots kept; the oldest leaves first.
        sampling: how a snapshot is drawn: ``uniform``, ``recent`` (the k-th oldest with weight
            k), or ``hard`` (the more the better it does against the learner).
    """

    snapshot_share: float = _bounded(0.2, 0, 1)
    agent_share: float = _bounded(0.0, 0, 1)
    agents: list[str] = field(default_factory=list)
    snapshot_interval: int = _bounded(200_000, 1)
    pool_size: int = _bounded(8, 1, 10_000)
    sampling: Literal["uniform", "recent", "hard"] = "uniform"


@dataclass(frozen=True)
class EvaluationConfig:
    """Matches against fixed agents during training; they have no influence on it.

    Attributes:
        interval: decisions between two evaluations; 0: only at the end.
        deals: paired deals per opponent and combination of options.
        against: agents, as ``racegym match`` names them; the last decides what ``best`` means.
        seed: of the deals.
        greedy: play the likeliest action instead of drawing by the policy.
    """

    interval: int = _bounded(500_000, 0)
    deals: int = _bounded(25, 1)
    against: list[str] = field(default_factory=lambda: ["random"])
    seed: int = _bounded(1, 0, 2**63 - 1)
    greedy: bool = False


@dataclass(frozen=True)
class CheckpointConfig:
    """What is kept of the run.

    Attributes:
        interval: decisions between two checkpoints (there is one at the end in any case).
        keep: latest checkpoints kept, besides the best.
    """

    interval: int = _bounded(500_000, 1)
    keep: int = _bounded(2, 1)


@dataclass(frozen=True)
class Config:
    """A training recipe."""

    run: RunConfig = field(default_factory=RunConfig)
    game: GameConfig = field(default_factory=GameConfig)
    rollout: RolloutConfig = field(default_factory=RolloutConfig)
    network: NetworkConfig = field(default_factory=NetworkConfig)
    ppo: PpoConfig = field(default_factory=PpoConfig)
    opponents: OpponentsConfig = field(default_factory=OpponentsConfig)
    evaluation: EvaluationConfig = field(default_factory=EvaluationConfig)
    checkpoint: CheckpointConfig = field(default_factory=CheckpointConfig)

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
            resolve({**self.game.options, **dict(zip(varied, values, strict=True))})
            for values in itertools.product(*varied.values())
        ]


#: Settings whose names are open, below which anything may stand.
_OPEN = ("game.options", "game.vary")


def _sections() -> dict[str, dict[str, dataclasses.Field[Any]]]:
    return {
        section.name: {f.name: f for f in dataclasses.fields(section.default_factory)}  # type: ignore[arg-type,misc]
        for section in dataclasses.fields(Config)
    }


def _check_key(key: str, source: str) -> None:
    """Refuse a dotted key that no setting has."""
    sections = _sections()
    first, _, rest = key.partition(".")
    if first not in sections:
        raise ConfigError(f"{source}: unknown section {first!r}{nearest(first, sections)}")
    if rest and rest not in sections[first] and not key.startswith(tuple(f"{o}." for o in _OPEN)):
        known = [f"{first}.{name}" for name in sections[first]]
        raise ConfigError(f"{source}: unknown key {key!r}{nearest(key, known)}")


def _read_yaml(path: Path) -> dict[str, Any]:
    try:
        found = yaml.safe_load(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror}") from None
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path} is no YAML file: {' '.join(str(error).split())}") from None
    if not isinstance(found, dict):
        raise ConfigError(f"{path} holds no sections; known: {', '.join(_sections())}")
    return found


def _parser() -> ArgumentParser:
    parser = ArgumentParser(prog="training", exit_on_error=False, add_help=False)
    parser.add_class_arguments(Config, nested_key=None)
    return parser


def _check_sections(found: Mapping[str, Any], source: str) -> None:
    for name, section in found.items():
        _check_key(str(name), source)
        if not isinstance(section, Mapping):
            raise ConfigError(f"{source}: section {name!r} holds settings, not {section!r}")
        for key in section:
            _check_key(f"{name}.{key}", source)


def config_from_dict(found: Mapping[str, Any], source: str, overrides: Sequence[str] = ()) -> Config:
    """A checked configuration; raises ConfigError, naming ``source`` and the key, or OptionError.

    Args:
        found: sections with their settings.
        source: where they come from, for messages.
        overrides: ``--section.key value`` or ``--section.key=value``, as on the command line.
    """
    _check_sections(found, source)
    parser = _parser()
    settings = _parsed(source, lambda: parser.parse_object(dict(found), defaults=True))
    if overrides:
        for key in override_keys(overrides):
            _check_key(key, "command line")
        settings = _parsed("command line", lambda: parser.parse_args([*overrides], settings))
    plain = parser.instantiate(settings)
    config = Config(**{name: getattr(plain, name) for name in _sections()})
    given = set(override_keys(overrides))
    _check_bounds(config, lambda key: "command line" if key in given else source)
    _check_together(config, source)
    return config


def override_keys(overrides: Sequence[str]) -> Iterator[str]:
    """The dotted keys of command-line overrides; raises ConfigError for anything else."""
    expect_value = False
    for text in overrides:
        if text.startswith("--"):
            name, equals, _ = text[2:].partition("=")
            if "." not in name:
                raise ConfigError(f"command line: settings are --section.key value, not {text!r}")
            yield name
            expect_value = not equals
        elif expect_value:
            expect_value = False
        else:
            raise ConfigError(f"command line: settings are --section.key value, not {text!r}")


def load_config(path: str | Path, overrides: Sequence[str] = ()) -> Config:
    """The configuration in a YAML file; see :func:`config_from_dict`."""
    return config_from_dict(_read_yaml(Path(path)), str(path), overrides)


def _parsed(source: str, parse: Any) -> Any:
    try:
        return parse()
    except (ArgumentError, TypeError, ValueError) as error:
        text = " ".join(str(error).replace("Parser key ", "").split())
        raise ConfigError(f"{source}: {text}") from None


def _check_bounds(config: Config, source_of: Any) -> None:
    for name, fields in _sections().items():
        for key, declared in fields.items():
            value = getattr(getattr(config, name), key)
            if "low" not in declared.metadata or value is None:
                continue
            low, high, above = (declared.metadata[k] for k in ("low", "high", "above"))
            if not (low < value or (low == value and not above)) or not value <= high:
                bounds = f"above {low}" if above else f"at least {low}"
                bounds += "" if math.isinf(high) else f" and at most {high}"
                place = source_of(f"{name}.{key}")
                raise ConfigError(f"{place}: {name}.{key} must be {bounds}, not {value}")


def _check_together(config: Config, source: str) -> None:
    if not config.game.name:
        raise ConfigError(f"{source}: game.name is missing")
    config.description.encoder(config.network.encoder)
    opponents = config.opponents
    if opponents.snapshot_share + opponents.agent_share > 1:
        raise ConfigError(f"{source}: opponents.snapshot_share + agent_share must be at most 1")
    if opponents.agent_share and not opponents.agents:
        raise ConfigError(f"{source}: opponents.agent_share needs opponents.agents")
    if config.network.kind == "attention" and config.network.width % config.network.heads:
        raise ConfigError(f"{source}: network.heads must divide network.width")
    for key, values in config.game.vary.items():
        if not isinstance(values, list) or not values:
            raise ConfigError(f"{source}: game.vary.{key} takes a list of values, not {values!r}")
    combinations = len(config.combinations())
    if not combinations:
        raise ConfigError(f"{source}: game.num_players must name at least one player count")
    if config.rollout.games < combinations:
        raise ConfigError(
            f"{source}: rollout.games must be at least {combinations}, one per combination of options"
        )
