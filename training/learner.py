"""The built-in learner: self-play and proximal policy optimisation, the algorithm ``ppo``."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Mapping
from typing import Any

import numpy as np
import torch

from racegym.errors import RacegymError
from training.checkpoint import (
    CheckpointError,
    load_optimiser,
    optimiser_tensors,
    under_prefix,
    with_prefix,
)
from training.interface import Context, Figures, diverged
from training.networks import answers, draw, masked_log_probs
from training.opponents import LEARNER
from training.own_network import critic_for
from training.ppo import Losses, update
from training.rollout import Rollout


class Learner:
    """Games, network, optimiser, opponents and counters: all that goes on from update to update.

    Args:
        context: what it is made from.

    Attributes:
        network: plays and learns; critic: what values come from in training, None if they are the
            network's own.
        states: float32 (N, most players, *state_shape), what a recurrent network (the learner or a
            snapshot of it) remembers in each game and seat, zero at the start of a game; else None.
        decisions: played so far, the x-axis of everything logged.
        iteration: updates so far.
        seconds: spent so far on ``env``, ``inference``, ``update`` and in ``total``.
    """

    def __init__(self, context: Context) -> None:
        self.context = context
        self.config = config = context.config
        self.game, self.encoder, self.device = context.game, context.encoder, context.device
        torch.manual_seed(context.seed("weights"))
        self.network = context.new_network()
        critic = critic_for(config.network, self.game)
        self.critic = None if critic is None else critic.to(self.device).eval()
        ppo = config.ppo
        parameters = [*self.network.parameters()]
        if self.critic is not None:
            parameters += self.critic.parameters()
        self.optimiser = torch.optim.Adam(parameters, lr=ppo.learning_rate, eps=1e-5)
        self.draws = torch.Generator().manual_seed(context.seed("actions"))
        self.order = torch.Generator().manual_seed(context.seed("order"))
        self.fleet = context.new_fleet()
        self._make_room()
        self.opponents = context.new_opponents(self.states)
        self.opponents.start(self.fleet.players, self.fleet.sides)
        self.batch = self.fleet.reset()
        self._start_reward()
        self._lengths = self.fleet.lengths()
        self.decisions = self.iteration = 0
        self.seconds = dict.fromkeys(("env", "inference", "update", "total"), 0.0)
        self._rows = np.arange(config.rollout.n_envs)

    def _make_room(self) -> None:
        """For the rollout, and for what a recurrent network remembers."""
        config, games, seats = self.config, self.config.rollout.n_envs, self.game.max_players
        critic, state_shape = config.network.critic, self.network.state_shape
        self.rollout = Rollout(
            config.rollout.n_steps,
            games,
            seats,
            self.encoder.shape,
            self.game.num_actions,
            state_shape,
            None if critic is None else self.game.encoder(critic).shape,
        )
        self.states: np.ndarray | None = None
        if state_shape is not None:
            self.states = np.zeros((games, seats, *state_shape), np.float32)

    def _start_reward(self) -> None:
        self.reward = self.context.new_reward(self.config.ppo.gamma)
        if self.reward is not None:
            self.rollout.extra = np.zeros((self.rollout.steps, self.rollout.games), np.float32)
            games = np.arange(self.rollout.games)
            self.reward.check(self.fleet.states(games), self.batch.seat)

    # --- one iteration ---------------------------------------------------------------------------

    def iterate(self) -> Figures:
        """Play a rollout and learn from it; returns the figures to log.

        Figures under ``speed/`` depend on the machine, all others on config and seed alone.
        None stands for a figure that there is not this time.
        """
        started, before = time.perf_counter(), dict(self.seconds)
        figures = self.gather()
        losses = dataclasses.asdict(self.learn())
        self.opponents.store_if_due(self.network, self.decisions)
        self.seconds["total"] += time.perf_counter() - started
        spent = {name: self.seconds[name] - before[name] for name in before}
        figures.update({f"train/{name}": float(value) for name, value in losses.items()})
        figures["train/learning_rate"] = self.learning_rate
        figures["train/ent_coef"] = self.ent_coef
        played = self.config.rollout.n_envs * self.config.rollout.n_steps
        figures["speed/decisions_per_second"] = played / spent["total"]
        for name in ("env", "inference", "update"):
            figures[f"speed/{name}_share"] = spent[name] / spent["total"]
        return figures

    def gather(self) -> Figures:
        """Play ``steps`` decisions in every game into the rollout; returns figures on the games."""
        rollout = self.rollout
        rollout.begin()
        self.opponents.reseed(self.iteration)
        ended = cut = length = 0
        for t in range(rollout.steps):
            actions = self._decide(rollout.seats + t)
            clock = time.perf_counter()
            self.batch = batch = self.fleet.step(actions)
            over = np.flatnonzero(batch.ended)
            rollout.rewards[t], rollout.ended[t] = batch.rewards, batch.ended
            if self.reward is not None and len(over):
                final = self.fleet.final_states(over)
                rollout.rewards[t, over] += self.reward.ended(final, over)
            self.seconds["env"] += time.perf_counter() - clock
            if len(over):
                self.opponents.finished(over, batch.ranks)
                if self.states is not None:
                    self.states[over] = 0.0
            ended, cut = ended + len(over), cut + int(batch.cut.sum())
            self._lengths += 1
            length += int(self._lengths[over].sum())
            self._lengths[over] = 0
        self.decisions += rollout.steps * rollout.games
        figures: Figures = {
            "games/ended": float(ended),
            "games/cut": float(cut),
            "games/mean_length": length / ended if ended else None,
        }
        if self.reward is not None:
            mine = int(rollout.taken[rollout.seats :].sum())
            figures["train/own_reward"] = self.reward.collected() / max(mine, 1)
        return figures

    def _decide(self, row: int) -> np.ndarray:
        """Choose in every game, and keep the learner's decisions in a row of the rollout."""
        clock = time.perf_counter()
        rollout, batch = self.rollout, self.batch
        rollout.observation[row] = batch.observation
        rollout.mask[row] = batch.mask
        rollout.seat[row] = batch.seat
        turns = self.opponents.controllers[self._rows, batch.seat]
        mine = np.flatnonzero(turns == LEARNER)
        whole = len(mine) == len(turns)
        observation = batch.observation if whole else batch.observation[mine]
        mask = batch.mask if whole else batch.mask[mine]
        if self.states is not None:
            assert rollout.state is not None
            rollout.state[row] = self.states[self._rows, batch.seat]
        if len(mine):
            if self.reward is not None:
                assert rollout.extra is not None
                states, seats = self.fleet.states(mine), batch.seat[mine]
                rollout.extra[row - rollout.seats, mine] = self.reward.decided(states, mine, seats)
            action, log_prob, value = self.act(observation, mask, (mine, batch.seat[mine]))
            rollout.action[row, mine] = action
            rollout.log_prob[row, mine] = log_prob
            rollout.value[row, mine] = value if self.critic is None else self._judged(row)[mine]
        rollout.taken[row, mine] = True
        actions = rollout.action[row].copy()
        if not whole:
            self.opponents.act(self.fleet.groups(), turns, batch, actions)
        self.seconds["inference"] += time.perf_counter() - clock
        return actions

    @torch.inference_mode()
    def act(
        self,
        observation: np.ndarray,
        mask: np.ndarray,
        places: tuple[np.ndarray, np.ndarray] | None = None,
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The learner's actions, drawn, with their log-probabilities and the values, all (n,).

        ``places``: games and seats, which a recurrent network needs: its states there move on.
        """
        logits, value = answers(self.network, observation, self.states, places)
        log_probs = masked_log_probs(logits, torch.from_numpy(mask))
        action = draw(log_probs, self.draws)
        log_prob = log_probs.gather(1, action[:, None]).squeeze(1)
        if not bool(log_prob.isfinite().all()):
            raise diverged(self.decisions, "a probability")
        return action.numpy(), log_prob.numpy(), value.numpy()

    @torch.inference_mode()
    def _judged(self, row: int) -> np.ndarray:
        """The critic's values in all games, float32 (N,), for the seats to act; what it reads is
        kept in a row of the rollout."""
        seen, name = self.rollout.critic_observation, self.config.network.critic
        assert self.critic is not None and seen is not None and name is not None
        for first, games in self.fleet.groups():
            part = slice(first, first + len(games))
            seen[row, part] = games.observe(self.batch.seat[part], name)
        value: torch.Tensor = self.critic(torch.from_numpy(seen[row]).to(self.device))
        return value.float().cpu().numpy()

    def learn(self) -> Losses:
        """Update the network from the rollout."""
        clock = time.perf_counter()
        ppo = self.config.ppo
        self.rollout.finish(ppo.gamma, ppo.gae_lambda)
        for group in self.optimiser.param_groups:
            group["lr"] = self.learning_rate
        now = dataclasses.replace(ppo, ent_coef=self.ent_coef)
        losses = update(
            self.network, self.optimiser, self.rollout, now, self.order, critic=self.critic
        )
        self.iteration += 1
        self.seconds["update"] += time.perf_counter() - clock
        return losses

    @property
    def learning_rate(self) -> float:
        """By the number of updates made: of the first update the full rate."""
        return self.learning_rate_of(self.config.run.decisions)

    def learning_rate_of(self, decisions: int) -> float:
        """The rate after the updates made, were the run ``decisions`` long."""
        ppo = self.config.ppo
        return ppo.learning_rate * self._left(decisions) if ppo.anneal_lr else ppo.learning_rate

    @property
    def ent_coef(self) -> float:
        """Weight of the entropy bonus, by the number of updates made."""
        ppo = self.config.ppo
        end = ppo.ent_coef if ppo.ent_coef_end is None else ppo.ent_coef_end
        return end + (ppo.ent_coef - end) * self._left(self.config.run.decisions)

    def _left(self, decisions: int) -> float:
        """Share of the updates of a run of ``decisions`` that are still to be made."""
        played = self.config.rollout.n_envs * self.config.rollout.n_steps
        return max(1.0 - self.iteration * played / max(decisions, played), 0.0)

    @property
    def is_done(self) -> bool:
        """True once the run is as long as its config says."""
        return self.decisions >= self.config.run.decisions

    def meetings(self) -> dict[str, dict[str, float]]:
        """As :meth:`training.interface.Algorithm.meetings`."""
        return self.opponents.report()

    def schedule(self, planned: int | None) -> str | None:
        """What the learning rate does; see :meth:`training.interface.Algorithm.schedule`."""
        rate, decisions = self.learning_rate, self.config.run.decisions
        if planned is None:
            return "raises the learning rate again" if self.config.ppo.anneal_lr else None
        if not self.config.ppo.anneal_lr:
            return f"the learning rate stays {rate:.3g} (ppo.anneal_lr is off)"
        return (
            f"the learning rate goes on at {rate:.3g} and falls to zero at {decisions:,} "
            f"decisions; planned for {planned:,}, it would be "
            f"{self.learning_rate_of(planned):.3g} now"
        )

    # --- saving ----------------------------------------------------------------------------------

    def state_dict(self) -> tuple[dict[str, torch.Tensor], dict[str, Any]]:
        """Tensors and JSON data from which :meth:`load_state_dict` goes on exactly."""
        opponents, opponents_plain = self.opponents.state_dict()
        tensors = {
            **with_prefix("network", self.network.state_dict()),
            **with_prefix("optimiser", optimiser_tensors(self.optimiser)),
            **with_prefix("opponents", opponents),
            **with_prefix("games", _as_tensors(self.fleet.state_dict())),
            **with_prefix("open", _as_tensors(self.rollout.state_dict())),
            "random/draws": self.draws.get_state(),
            "random/order": self.order.get_state(),
        }
        if self.critic is not None:
            tensors.update(with_prefix("critic", self.critic.state_dict()))
        if self.reward is not None:
            tensors.update(with_prefix("reward", _as_tensors(self.reward.state_dict())))
        if self.states is not None:
            tensors["states"] = torch.from_numpy(self.states)
        plain = {
            "config": self.config.to_dict(),
            "decisions": self.decisions,
            "iteration": self.iteration,
            "opponents": opponents_plain,
            "seconds": self.seconds,
        }
        return tensors, plain

    def load_state_dict(
        self, tensors: Mapping[str, torch.Tensor], plain: Mapping[str, Any]
    ) -> None:
        """Go on from a :meth:`state_dict`.

        Raises:
            CheckpointError: it belongs to another config.
        """
        try:
            self.network.load_state_dict(under_prefix("network", tensors))
            if self.critic is not None:
                self.critic.load_state_dict(under_prefix("critic", tensors))
            if self.states is not None:
                self.states[...] = tensors["states"].numpy()
            if self.reward is not None:
                self.reward.load_state_dict(_as_arrays(under_prefix("reward", tensors)))
            load_optimiser(self.optimiser, under_prefix("optimiser", tensors))
            self.fleet.load_state_dict(_as_arrays(under_prefix("games", tensors)))
            self.rollout.load_state_dict(_as_arrays(under_prefix("open", tensors)))
            self.opponents.load_state_dict(under_prefix("opponents", tensors), plain["opponents"])
            self.draws.set_state(tensors["random/draws"])
            self.order.set_state(tensors["random/order"])
            self.decisions, self.iteration = plain["decisions"], plain["iteration"]
            self.seconds = dict(plain["seconds"])
        except (KeyError, ValueError, TypeError, RuntimeError, RacegymError) as error:
            reason = " ".join(str(error).split())[:200]
            raise CheckpointError(f"the checkpoint does not fit this config: {reason}") from None
        self.batch = self.fleet.now()
        self._lengths = self.fleet.lengths()


def _as_tensors(arrays: Mapping[str, np.ndarray]) -> dict[str, torch.Tensor]:
    return {name: torch.from_numpy(array) for name, array in arrays.items()}


def _as_arrays(tensors: Mapping[str, torch.Tensor]) -> dict[str, np.ndarray]:
    return {name: tensor.numpy() for name, tensor in tensors.items()}
