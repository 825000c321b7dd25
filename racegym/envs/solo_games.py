"""Games in which one seat is a learner's and agents play the others: the core of both solo
environments, for one game as for many."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from racegym.engine import registry
from racegym.engine.events import no_log
from racegym.engine.game import Game
from racegym.engine.instances import kernels_of
from racegym.engine.options import is_whole
from racegym.engine.position import Position
from racegym.engine.seeds import checked_seed, fresh_seed
from racegym.engine.validity import check_masks, check_states
from racegym.envs.arguments import (
    ON_ILLEGAL,
    checked_choice,
    checked_encoder,
    options_at_reset,
    settled_options,
)
from racegym.envs.illegal import drawn_instead, forfeited
from racegym.envs.opponents import Opponents
from racegym.envs.saved import check_arrays
from racegym.envs.seeding import SeedRows
from racegym.errors import IllegalAction, OptionError, RacegymError

_NO_LOG = no_log()
_ARGUMENTS = ("opponents", "seat", "encoder", "mask_in_observation", "on_illegal", "render_mode")


@dataclass(frozen=True)
class Ending:
    """How a game ended for the learner.

    Attributes:
        reward: of the learner's seat, in the precision of float32.
        truncated: the game was cut at ``max_turns``.
        observation: float32, what the learner saw at the end.
        info: ``seed``, ``seat``, ``scores`` and ``ranks`` (int32 (players,)), the last mask.
    """

    reward: float
    truncated: bool
    observation: np.ndarray
    info: dict[str, Any]


class SoloGames:
    """N games, each waiting for the learner or ended; see :class:`racegym.envs.SoloEnv`.

    Attributes:
        observations: float32 (N, *encoder shape), what the learner sees.
        masks: int8 (N, A), its legal actions; all zero where the game has ended.
        seats: int64 (N,), its seat.
        seeds: int64 (N,), the games' seeds.
        resampled: int64 (N,), the action played in the place of an illegal one, else -1.
    """

    def __init__(
        self,
        game: str | Game,
        num_games: int,
        opponents: Any,
        seat: int | str,
        encoder: str,
        on_illegal: str,
        options: dict[str, Any],
    ) -> None:
        self.game = registry.game(game)
        self.options = settled_options(self.game, options, _ARGUMENTS)
        self._given = options
        self.encoder = checked_encoder(self.game, encoder)
        self.on_illegal = checked_choice("on_illegal", on_illegal, ON_ILLEGAL)
        if not is_whole(num_games) or num_games < 1:
            raise OptionError(f"the number of games is a whole number from 1, not {num_games!r}")
        self.num_games = int(num_games)
        self.num_players: int = self.options["num_players"]
        self.seat = self._checked_seat(seat)
        self.opponents = Opponents(self.game, self.num_players, opponents)
        self._kernels = kernels_of(self.game, self.encoder)
        n = self.num_games
        self.observations = np.zeros((n, *self.encoder.shape), np.float32)
        self.masks = np.zeros((n, self.game.num_actions), np.int8)
        self.seats = np.zeros(n, np.int64)
        self.seeds = np.zeros(n, np.int64)
        self.resampled = np.full(n, -1, np.int64)
        self._raw = np.zeros((n, self.game.layout.size), np.uint8)
        self._to_act = np.full(n, -1, np.int64)
        self._rows: SeedRows | None = None
        self._codes = self.game.options.encode(self.options)

    def _checked_seat(self, seat: Any) -> int | str:
        if seat in ("random", "rotate") or (is_whole(seat) and 0 <= seat < self.num_players):
            return seat if isinstance(seat, str) else int(seat)
        raise OptionError(
            f"seat is a whole number from 0 to {self.num_players - 1}, 'random' or 'rotate', "
            f"not {seat!r}"
        )

    # --- starting --------------------------------------------------------------------------------

    def reset(self, seeds: int | Sequence[int | None] | None, options: Any = None) -> None:
        """Start all games; see the environments' ``reset``."""
        given, settled = options_at_reset(self.game, self._given, self.num_players, options)
        rows = self._seeded(seeds)
        self.options, self._given = settled, given
        self._codes = self.game.options.encode(settled)
        if seeds is not None or self._rows is None:
            self.opponents.reset(int(rows.bases[0]))
        self._rows = rows
        self._start(np.arange(self.num_games))

    def _seeded(self, seeds: int | Sequence[int | None] | None) -> SeedRows:
        n, old = self.num_games, self._rows
        if seeds is None and old is not None:
            return old.following()
        if seeds is None or is_whole(seeds):
            base = fresh_seed() if seeds is None else checked_seed(seeds)
            return SeedRows([base] * n, np.arange(n))
        if isinstance(seeds, (str, bytes)) or not isinstance(seeds, (Sequence, np.ndarray)):
            checked_seed(seeds)
        given = list(seeds)  # type: ignore[arg-type]
        if len(given) != n:
            raise RacegymError(f"give one seed or a list of {n}, not a list of {len(given)}")
        rows = SeedRows([fresh_seed() if s is None else checked_seed(s) for s in given])
        if old is not None:
            going_on = np.array([s is None for s in given])
            for name, values in vars(old.following()).items():
                getattr(rows, name)[going_on] = values[going_on]
        return rows

    def next_game(self, rows: np.ndarray) -> None:
        """Start the next game in some places."""
        assert self._rows is not None
        self._rows.played[rows] += 1
        self._start(rows)

    def _start(self, rows: np.ndarray) -> None:
        """Begin games and play up to the learner's first decision.

        A game that ends before it is left out: the next one takes its place.
        """
        assert self._rows is not None
        self.resampled[rows] = -1
        while rows.size:
            self.seeds[rows] = self._rows.seeds(rows)
            self.seats[rows] = self._seats_of_games(rows)
            for i in rows.tolist():
                self._to_act[i] = self._kernels.begin(self._raw[i], self._codes, int(self.seeds[i]))
            self._look_at(rows)
            self._opponents_play()
            rows = rows[self._to_act[rows] < 0]
            self._rows.played[rows] += 1

    def _look_at(self, rows: np.ndarray) -> None:
        """Write masks and observations of the seats to act."""
        raw = self._raw[rows]
        seats, masks = np.empty(len(rows), np.int64), self.masks[rows]
        self._kernels.mark_legal_all(raw, seats, masks)
        observations = np.empty((len(rows), *self.encoder.shape), np.float32)
        self._kernels.look_all(raw, seats, observations)
        self.masks[rows], self.observations[rows] = masks, observations

    def _seats_of_games(self, rows: np.ndarray) -> Any:
        """The learner's seats in games that begin."""
        assert self._rows is not None
        if self.seat == "random":
            return self.seeds[rows] % self.num_players
        if self.seat == "rotate":
            places = np.maximum(self._rows.places[rows], 0)
            return (places + self._rows.played[rows]) % self.num_players
        return self.seat

    # --- playing ---------------------------------------------------------------------------------

    def step(self, rows: np.ndarray, actions: np.ndarray) -> dict[int, Ending]:
        """Play the learner's action in some games, and on to its next decision or the end.

        Args:
            rows: int64 (M,), the games.
            actions: int64 (M,), their actions.

        Returns:
            The endings of the games that ended, by their index.

        Raises:
            IllegalAction: see ``on_illegal``; nothing was changed.
            RacegymError: an agent failed in the step before.
        """
        if (self._to_act[rows] != self.seats[rows]).any():
            raise RacegymError("an agent failed in the middle of the game: call reset()")
        legal = self._is_legal(rows, actions)
        if not legal.all():
            self._refuse(rows[~legal], actions[~legal])
        self.resampled[rows] = -1
        endings: dict[int, Ending] = {}
        if not legal.all():
            actions = actions.copy()
            for k in np.flatnonzero(~legal):
                i = int(rows[k])
                if self.on_illegal == "lose":
                    endings[i] = self._forfeit(i, int(actions[k]))
                else:
                    actions[k] = self.resampled[i] = drawn_instead(self.position(i))
            if self.on_illegal == "lose":
                rows, actions = rows[legal], actions[legal]
        if rows.size:
            self._play(rows, actions, endings)
        self._opponents_play(endings)
        return endings

    def _is_legal(self, rows: np.ndarray, actions: np.ndarray) -> np.ndarray:
        inside = (actions >= 0) & (actions < self.game.num_actions)
        return inside & (self.masks[rows, np.where(inside, actions, 0)] != 0)

    def _refuse(self, rows: np.ndarray, actions: np.ndarray) -> None:
        """Raise for the first illegal action that ``on_illegal`` does not provide for."""
        for i, action in zip(rows.tolist(), actions.tolist(), strict=True):
            where = "" if self.num_games == 1 else f"game {i}: "
            position = self.position(i)
            if not 0 <= action < self.game.num_actions:
                raise IllegalAction(f"{where}{position.refusal(action)}")
            if self.on_illegal == "raise":
                raise IllegalAction(
                    f"{where}{position.refusal(action)} (use the action mask, or make the "
                    "environment with on_illegal='lose' or 'resample')"
                )

    def _opponents_play(self, endings: dict[int, Ending] | None = None) -> None:
        """Let the agents play until every game waits for the learner or has ended."""
        while True:
            rows = np.flatnonzero((self._to_act >= 0) & (self._to_act != self.seats))
            if not rows.size:
                return
            actions = self.opponents.choose(
                self._raw[rows],
                self.encoder,
                self.observations[rows],
                self.masks[rows],
                self._to_act[rows],
                (self._to_act[rows] - self.seats[rows]) % self.num_players,
                self.seeds[rows],
            )
            self._play(rows, actions, endings)

    def _play(
        self, rows: np.ndarray, actions: np.ndarray, endings: dict[int, Ending] | None
    ) -> None:
        """Play one legal action in some games, and note those that end."""
        m, most = len(rows), self.game.max_players
        raw, last_raw = self._raw[rows], np.empty((m, self.game.layout.size), np.uint8)
        seats, masks = np.empty(m, np.int64), np.empty((m, self.game.num_actions), np.int8)
        observations = np.empty((m, *self.encoder.shape), np.float32)
        rewards = np.empty((m, most), np.float32)
        terminated, truncated = np.empty(m, bool), np.empty(m, bool)
        scores, ranks = np.empty((m, most), np.int32), np.empty((m, most), np.int32)
        unused = np.zeros((3, m), np.int64)  # its own restarts are not used here
        self._kernels.step_all(
            raw,
            self._codes,
            0,
            0,
            unused[0],
            unused[1],
            np.ascontiguousarray(actions, np.int64),
            seats,
            masks,
            observations,
            rewards,
            terminated,
            truncated,
            scores,
            ranks,
            last_raw,
            unused[2],
            _NO_LOG,
        )
        for k in np.flatnonzero(terminated | truncated):
            i = rows[k]
            raw[k], seats[k], masks[k] = last_raw[k], -1, 0
            self._kernels.look(last_raw[k], self.seats[i], observations[k])
            if endings is not None:
                n = self.num_players
                result = {"scores": scores[k, :n].copy(), "ranks": ranks[k, :n].copy()}
                seat = self.seats[i]
                endings[int(i)] = Ending(
                    float(rewards[k, seat]),
                    bool(truncated[k]),
                    observations[k].copy(),
                    {**self.info(int(i)), "action_mask": masks[k].copy(), **result},
                )
        self._raw[rows], self._to_act[rows] = raw, seats
        self.masks[rows], self.observations[rows] = masks, observations

    def _forfeit(self, i: int, action: int) -> Ending:
        """End a game in which the learner chose an illegal action."""
        ranks, rewards = forfeited(self.position(i))
        self._to_act[i] = -1
        self.masks[i] = 0
        info = {**self.info(i), "ranks": np.array(ranks, np.int32), "illegal_action": action}
        reward = float(np.float32(rewards[int(self.seats[i])]))
        return Ending(reward, False, self.observations[i].copy(), info)

    # --- looking ---------------------------------------------------------------------------------

    @property
    def started(self) -> bool:
        """False before the first reset."""
        return self._rows is not None

    def is_over(self, i: int) -> bool:
        """True once game i has ended."""
        return bool(self._to_act[i] < 0)

    def info(self, i: int) -> dict[str, Any]:
        """What the learner is told beside the observation of game i."""
        info = {
            "action_mask": self.masks[i].copy(),
            "seed": int(self.seeds[i]),
            "seat": int(self.seats[i]),
        }
        if self.resampled[i] >= 0:
            info["resampled"] = int(self.resampled[i])
        return info

    def position(self, i: int) -> Position:
        """Game i as a :class:`racegym.Position` of its own."""
        seed = int(self.seeds[i])
        fresh = Position(self.game, seed=seed, encoder=self.encoder.id, **self.options)
        return fresh._with_raw(self._raw[i].copy())

    def __getstate__(self) -> dict[str, Any]:
        kept = {name: value for name, value in self.__dict__.items() if name != "_kernels"}
        return {**kept, "game": registry.reference(self.game), "encoder": self.encoder.id}

    def __setstate__(self, saved: dict[str, Any]) -> None:
        game = registry.game(saved["game"])
        encoder = game.encoder(saved["encoder"])
        options = game.options.resolve(saved["options"])
        codes = game.options.encode(options)
        self.__dict__.update(saved, game=game, encoder=encoder, options=options, _codes=codes)
        self.num_players = options["num_players"]
        self.seat = self._checked_seat(self.seat)
        self._kernels = kernels_of(game, encoder)
        self._check_saved()

    def _check_saved(self) -> None:
        """Raise RacegymError for games that cannot be gone on from; look at them anew."""
        n, counts = self.num_games, np.zeros(self.num_games, np.int64)
        check_arrays(
            self.__dict__,
            {
                "observations": np.zeros((n, *self.encoder.shape), np.float32),
                "masks": np.zeros((n, self.game.num_actions), np.int8),
                "_raw": np.zeros((n, self.game.layout.size), np.uint8),
                **dict.fromkeys(("seats", "seeds", "resampled", "_to_act"), counts),
            },
        )
        if not self.started:
            return
        check_states(self.game, self._codes, self._raw)
        playing = np.flatnonzero(self._to_act >= 0)
        waiting_for = self._raw.view(self.game.layout.dtype)[:, 0]["to_act"]
        if (self._to_act != waiting_for)[playing].any() or self.seeds.min() < 0:
            raise RacegymError("these games are damaged: they wait for others than their states")
        if self.seats.min() < 0 or self.seats.max() >= self.num_players:
            raise RacegymError(f"these games are damaged: seats are 0 to {self.num_players - 1}")
        self._look_at(playing)
        check_masks(self.game, self._to_act[playing], self.masks[playing])
