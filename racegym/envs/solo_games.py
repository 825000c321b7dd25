"""Games in which one seat is a learner's and agents play the others: the core of both solo
environments, for one game as for many."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from racegym.engine import registry
from racegym.engine.batch import GameBatch
from racegym.engine.game import Encoder, Game
from racegym.engine.options import is_whole
from racegym.engine.position import Position
from racegym.engine.seeds import checked_seed, fresh_seed
from racegym.engine.setup import Setup
from racegym.engine.validity import check_masks, check_states
from racegym.envs.arguments import (
    ON_ILLEGAL,
    GivenOptions,
    checked_choice,
    checked_encoder,
    positions_at_reset,
)
from racegym.envs.chunks import Chunks
from racegym.envs.illegal import drawn_instead, forfeited
from racegym.envs.opponents import OtherSeats
from racegym.envs.saved import check_arrays
from racegym.envs.seeding import SeedRows
from racegym.errors import IllegalAction, OptionError, RacegymError

_ARGUMENTS = ("opponents", "seat", "encoder", "mask_in_observation", "on_illegal", "render_mode")


@dataclass(frozen=True)
class Ending:
    """How a game ended for the learner.

    Attributes:
        reward: of the learner's seat, in the precision of float32.
        observation: float32, what the learner saw at the end.
        info: ``seed``, ``seat``, ``cut`` (at ``max_turns``), ``scores`` and ``ranks`` (int32
            (players,)), the last mask.
    """

    reward: float
    observation: np.ndarray
    info: dict[str, Any]


class SoloGames:
    """N games, each waiting for the learner or ended; see :class:`racegym.envs.SoloEnv`.

    Attributes:
        games: the games; :attr:`GameBatch.seats` are the seats to act.
        seats: int64 (N,), the learner's seats.
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
        self._options = GivenOptions.of(self.game, options, _ARGUMENTS)
        seen = checked_encoder(self.game, encoder)
        self.on_illegal = checked_choice("on_illegal", on_illegal, ON_ILLEGAL)
        if not is_whole(num_games) or num_games < 1:
            raise OptionError(f"the number of games is a whole number from 1, not {num_games!r}")
        self.num_games = int(num_games)
        self.num_players: int = self.options["num_players"]
        self.seat = self._checked_seat(seat)
        self.opponents = OtherSeats(self.game, self.num_players, opponents)
        self.games = GameBatch.idle(Setup(self.game, self.options, seen), self.num_games)
        self.seats = np.zeros(self.num_games, np.int64)
        self.resampled = np.full(self.num_games, -1, np.int64)
        self._rows: SeedRows | None = None
        self._alone = Chunks(self.num_games, 1)

    @property
    def options(self) -> dict[str, Any]:
        """All options of the games now."""
        return self._options.all

    @property
    def encoder(self) -> Encoder:
        """What writes the observations."""
        return self.games.setup.encoder

    @property
    def observations(self) -> np.ndarray:
        """float32 (N, *encoder shape), what the learner sees."""
        return self.games.observations

    @property
    def masks(self) -> np.ndarray:
        """int8 (N, actions), the learner's legal actions; all zero where the game has ended."""
        return self.games.masks

    @property
    def seeds(self) -> np.ndarray:
        """int64 (N,), the games' seeds."""
        return self.games.seeds

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
        with self._alone:
            given = self._options.at_reset(self.game, options)
            setup = self.games.setup
            if given is not self._options:
                setup = Setup(self.game, given.all, self.encoder)
            positions = positions_at_reset(setup, self.num_games, seeds, options)
            rows = self._seeded(seeds)
            self.games.settle(setup)
            self._options = given
            if seeds is not None or self._rows is None:
                self.opponents.reset(int(rows.bases[0]))
            self._rows = rows
            self.opponents.players.make_room(self.num_games, self.num_players)
            everywhere = np.arange(self.num_games)
            if positions is None:
                self._start(everywhere)
            else:
                self._go_on_from(positions, everywhere)

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
        with self._alone:
            self._rows.played[rows] += 1
            self._start(rows)

    def _start(self, rows: np.ndarray) -> None:
        """Begin games and play up to the learner's first decision.

        A game that ends before it is left out: the next one takes its place.
        """
        assert self._rows is not None
        self.resampled[rows] = -1
        while rows.size:
            self.games.begin(self._rows.seeds(rows), rows)
            self._seat(rows)
            self._opponents_play()
            rows = rows[self.games.seats[rows] < 0]
            self._rows.played[rows] += 1

    def _go_on_from(self, positions: Sequence[Position], rows: np.ndarray) -> None:
        """As :meth:`_start`, with games that have been begun elsewhere."""
        assert self._rows is not None
        self.resampled[rows] = -1
        raw = np.stack([position.raw for position in positions])
        self.games.put(rows, raw, [position.seed for position in positions])
        self._seat(rows)
        self._opponents_play()
        over = rows[self.games.seats[rows] < 0]
        self._rows.played[over] += 1
        self._start(over)

    def _seat(self, rows: np.ndarray) -> None:
        """Settle who sits where in games that begin."""
        self.seats[rows] = self._seats_of_games(rows)
        self.opponents.begin(rows, self.seats[rows])

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
        with self._alone:
            return self._step(rows, actions)

    def _step(self, rows: np.ndarray, actions: np.ndarray) -> dict[int, Ending]:
        if (self.games.seats[rows] != self.seats[rows]).any():
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
        games = self.games
        while True:
            rows = np.flatnonzero((games.seats >= 0) & (games.seats != self.seats))
            if not rows.size:
                return
            self._play(rows, self.opponents.choose(games, rows), endings)

    def _play(
        self, rows: np.ndarray, actions: np.ndarray, endings: dict[int, Ending] | None
    ) -> None:
        """Play one legal action in some games, and note those that end."""
        games, chosen = self.games, np.full(self.num_games, -1, np.int64)
        chosen[rows] = actions
        if not games.step(chosen):
            return
        over = rows[games.is_over[rows]]
        games.observations[over] = games.observe(self.seats[over], rows=over)
        if endings is not None:
            endings.update({i: self._ending(i) for i in over.tolist()})
        self.opponents.players.end(over, games.ranks[over])

    def _ending(self, i: int) -> Ending:
        games, n = self.games, self.num_players
        result = {
            "cut": bool(games.cut[i]),
            "scores": games.scores[i, :n].copy(),
            "ranks": games.ranks[i, :n].copy(),
        }
        reward = float(games.rewards[i, self.seats[i]])
        return Ending(reward, games.observations[i].copy(), {**self.info(i), **result})

    def _forfeit(self, i: int, action: int) -> Ending:
        """End a game in which the learner chose an illegal action."""
        ranks, rewards = forfeited(self.position(i))
        self.games.stop(i)
        result = {"cut": False, "ranks": np.array(ranks, np.int32), "illegal_action": action}
        reward = float(np.float32(rewards[int(self.seats[i])]))
        self.opponents.players.end(np.array([i]), result["ranks"][None])  # type: ignore[index]
        return Ending(reward, self.observations[i].copy(), {**self.info(i), **result})

    # --- looking ---------------------------------------------------------------------------------

    @property
    def started(self) -> bool:
        """False before the first reset."""
        return self._rows is not None

    def is_over(self, i: int) -> bool:
        """True once game i has ended."""
        return bool(self.games.seats[i] < 0)

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
        return self.games.position(i)

    # --- copies ----------------------------------------------------------------------------------

    def __getstate__(self) -> dict[str, Any]:
        kept = {name: value for name, value in self.__dict__.items() if name not in _MADE_ANEW}
        return {
            **kept,
            "game": registry.reference(self.game),
            "encoder": self.encoder.id,
            "running": self.opponents.players.state_dict(),
            **{name: getattr(self.games, array) for name, array in _SAVED.items()},
        }

    def __setstate__(self, saved: dict[str, Any]) -> None:
        game = registry.game(saved["game"])
        seen = checked_encoder(game, saved["encoder"])
        given = GivenOptions.of(game, saved["_options"].given, ())
        others = ("encoder", "running", *_SAVED)
        kept = {name: value for name, value in saved.items() if name not in others}
        self.__dict__.update(kept, game=game, _options=given)
        self.num_players = given.all["num_players"]
        self.seat = self._checked_seat(self.seat)
        self._alone = Chunks(self.num_games, 1)
        self.games = GameBatch.idle(Setup(game, given.all, seen), self.num_games)
        self._check_saved(saved)
        for name, array in _SAVED.items():
            getattr(self.games, array)[...] = saved[name]
        if self.started:
            self._look_at_running()
            self.opponents.load_state_dict(saved["running"], self.seats)

    def _check_saved(self, saved: dict[str, Any]) -> None:
        """Raise RacegymError for games that cannot be continued."""
        wanted = {name: getattr(self.games, array) for name, array in _SAVED.items()}
        check_arrays(saved, {**wanted, "seats": wanted["seeds"], "resampled": wanted["seeds"]})
        if not self.started:
            return
        raw, to_act = saved["_raw"], saved["_to_act"]
        check_states(self.game, self.games.setup.codes, raw)
        waiting_for = raw.view(self.game.layout.dtype)[:, 0]["to_act"]
        if (to_act != waiting_for)[to_act >= 0].any() or saved["seeds"].min() < 0:
            raise RacegymError("these games are damaged: they wait for others than their states")
        if self.seats.min() < 0 or self.seats.max() >= self.num_players:
            raise RacegymError(f"these games are damaged: seats are 0 to {self.num_players - 1}")

    def _look_at_running(self) -> None:
        """Write masks and observations of running games; raises RacegymError if one is stuck."""
        playing = np.flatnonzero(self.games.seats >= 0)
        part = self.games.take(playing)
        part.look_again()
        check_masks(self.game, part.seats, part.masks)
        self.games.masks[playing] = part.masks
        self.games.observations[playing] = part.observations


#: What a copy makes anew, and how the arrays of the games are called where they are saved.
_MADE_ANEW = ("games", "_alone")
_SAVED = {
    "observations": "observations",
    "masks": "masks",
    "seeds": "seeds",
    "_raw": "raw",
    "_to_act": "seats",
}
