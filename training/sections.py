"""The sections of a config: typed settings with their bounds and meanings.

The ``Attributes`` of each docstring are what ``--help`` and the guide show.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

#: Most that a whole number without a narrower bound may be.
LARGEST = 2**63 - 1


def bounded(default: Any, low: float, high: float = LARGEST, above: bool = False) -> Any:
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
    seed: int = bounded(0, 0)
    decisions: int = bounded(2_000_000, 1)
    device: str = "cpu"
    threads: int = bounded(1, 1, 1024)


@dataclass(frozen=True)
class GameConfig:
    """The game and its options.

    Attributes:
        name: of the game.
        num_players: one player count, or a list of counts that are trained together; null: the
            game's default.
        options: other options of the game, one value each.
        vary: options with a list of values each; every combination is trained, in equal parts.
        sets: sets of options that belong together, each a mapping (such as ``{num_players: 6,
            teams: true}``); each is combined with all the others' values.
    """

    name: str = ""
    num_players: int | list[int] | None = None
    options: dict[str, Any] = field(default_factory=dict)
    vary: dict[str, list[Any]] = field(default_factory=dict)
    sets: list[dict[str, Any]] = field(default_factory=list)


@dataclass(frozen=True)
class RolloutConfig:
    """How experience is gathered.

    Attributes:
        n_envs: games played side by side.
        n_steps: decisions in each game between two updates.
        threads: of the environments.
    """

    n_envs: int = bounded(512, 1)
    n_steps: int = bounded(64, 1)
    threads: int = bounded(1, 1, 1024)


@dataclass(frozen=True)
class NetworkConfig:
    """The policy and value network.

    Attributes:
        kind: ``mlp``; ``attention`` over the rows of an encoder such as ``tokens``; ``gru``, an
            ``mlp`` with a memory; or ``package.module:build``, a network of your own.
        encoder: name of the encoder of the observations.
        options: handed to a network of your own.
        width: of every hidden layer.
        depth: number of hidden layers (attention: of blocks).
        heads: of every attention block; divides ``width``.
        layer_norm: normalise the hidden layers (mlp; attention always does).
        normalise: scale every input by its running mean and variance, inside the network.
        critic: name of an encoder, such as ``full``, that a critic apart from the policy reads
            during training; null: the policy's own value head is the critic.
        critic_kind: ``mlp``, ``attention`` or ``package.module:build``, for the critic.
    """

    kind: str = "mlp"
    encoder: str = "flat"
    options: dict[str, Any] = field(default_factory=dict)
    width: int = bounded(128, 1, 16384)
    depth: int = bounded(2, 1, 64)
    heads: int = bounded(4, 1, 256)
    layer_norm: bool = False
    normalise: bool = False
    critic: str | None = None
    critic_kind: str = "mlp"


@dataclass(frozen=True)
class AlgorithmConfig:
    """What learns.  ``algorithm: KIND`` is short for ``algorithm: {kind: KIND}``.

    Attributes:
        kind: ``ppo``, or ``package.module:Learner``, an algorithm of your own.
        options: handed to an algorithm of your own; those of ``ppo`` are the section ``ppo``.
    """

    SHORT: ClassVar[str] = "kind"

    kind: str = "ppo"
    options: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class RewardConfig:
    """A reward beside the game's own, in training only.

    ``reward: FUNCTION`` is short for ``reward: {function: FUNCTION}``.

    Attributes:
        function: ``package.module:function``, a potential or a reward of your own; null: the
            game's rewards alone.
        potential: the function is a potential ``phi(states, seats)``, whose differences are
            given, so that the best policy stays the best; false: it is a reward
            ``reward(before, after, seats)``, given as it stands.
        weight: what the function's numbers are multiplied by.
        options: handed to the function by name.
    """

    SHORT: ClassVar[str] = "function"

    function: str | None = None
    potential: bool = True
    weight: float = bounded(1.0, -1e6, 1e6)
    options: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class InitConfig:
    """A warm start.  ``init: SOURCE`` (``--init SOURCE``) is short for ``init: {source: SOURCE}``.

    Attributes:
        source: whose weights the network starts with: a run's folder (``runs/NAME``,
            ``runs/NAME@best``, ``runs/NAME@DECISIONS``), a checkpoint's file or an exported
            policy; null: a fresh network.
        digest: SHA-256 of the file that the weights were read from, noted when the run starts; a
            config that has one refuses any other file.
        decisions: that the weights had been trained for, noted when the run starts.
    """

    SHORT: ClassVar[str] = "source"

    source: str | None = None
    digest: str | None = None
    decisions: int | None = bounded(None, 0)


@dataclass(frozen=True)
class PpoConfig:
    """Proximal policy optimisation (Schulman et al. 2017).

    Attributes:
        learning_rate: of Adam at the start.
        anneal_lr: lower the learning rate in a straight line to zero at the end of the run.
        gamma: discount per own decision of a seat.
        gae_lambda: lambda of generalised advantage estimation.
        clip_range: of the probability ratio.
        n_epochs: passes over the experience per update.
        n_minibatches: parts each pass is cut into.
        sequence_length: most decisions in a row, of one seat in one game, that a recurrent network
            is trained through at once.
        ent_coef: weight of the entropy bonus at the start.
        ent_coef_end: the same at the end of the run, reached in a straight line; null: it stays.
        vf_coef: weight of the value loss.
        max_grad_norm: largest norm of the gradient.
        target_kl: leave out the remaining epochs once the policy has moved this far
            (approximate Kullback-Leibler divergence); null: never.
    """

    learning_rate: float = bounded(1e-3, 0, 1, above=True)
    anneal_lr: bool = True
    gamma: float = bounded(1.0, 0, 1)
    gae_lambda: float = bounded(0.95, 0, 1)
    clip_range: float = bounded(0.2, 0, 100, above=True)
    n_epochs: int = bounded(2, 1, 1000)
    n_minibatches: int = bounded(8, 1)
    sequence_length: int = bounded(32, 1, 100_000)
    ent_coef: float = bounded(0.01, 0, 1000)
    ent_coef_end: float | None = bounded(None, 0, 1000)
    vf_coef: float = bounded(0.5, 0, 1000)
    max_grad_norm: float = bounded(0.5, 0, 1e9, above=True)
    target_kl: float | None = bounded(None, 0, 1e9, above=True)


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

    snapshot_share: float = bounded(0.2, 0, 1)
    agent_share: float = bounded(0.0, 0, 1)
    agents: list[str] = field(default_factory=list)
    snapshot_interval: int = bounded(200_000, 1)
    pool_size: int = bounded(8, 1, 10_000)
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

    interval: int = bounded(500_000, 0)
    deals: int = bounded(25, 1)
    against: list[str] = field(default_factory=lambda: ["random"])
    seed: int = bounded(1, 0)
    greedy: bool = False


@dataclass(frozen=True)
class CheckpointConfig:
    """What is kept of the run.

    Attributes:
        interval: decisions between two checkpoints (there is one at the end in any case).
        keep: latest checkpoints kept, besides the best.
    """

    interval: int = bounded(500_000, 1)
    keep: int = bounded(2, 1)
