"""Café Race by its clauses (``CR-nn``): plain, slow, and independent of the engine.

All chance comes from one small source with two questions: which numbers do these dice show,
and which of these tied players goes first?  :class:`RecordedChance` answers from a record's
events, :class:`DrawnChance` from a seeded ``random.Random``.  Every chance outcome of this game
shows in an event (or, for the first round, in the game line's state), so the recorded state
after a move is never consulted.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from typing import Any, Protocol

from tests.reference import Divergence

Event = dict[str, Any]
Choose = Callable[["Reference", list[str]], str]

NAME = "cafe_race"
FORMAT = "racegym-record/1"
DEFAULTS: dict[str, Any] = {
    "num_players": 4,  # CR-01
    "rules": "basic",  # CR-12
    "reward": "win",
    "max_turns": 200,  # CR-44
}
TOKENS = 5  # CR-03
ROOM = 2  # CR-04
START = 0  # CR-02
FINISH = (28, 29)
LAST_SPACE = 29
STEPS = frozenset([*range(1, 8), *range(11, 18), *range(21, 28)])  # the rest are landings


# ------------------------------------------------------------------------------------- chance


class Chance(Protocol):
    """Where dice and random orders come from; ``at`` is the place of the event to be written."""

    def roll(self, at: int, kind: str, field: str, count: int) -> list[int]:
        """What ``count`` six-sided dice show."""

    def first(self, at: int, kind: str, tied: list[int]) -> int:
        """The one of the tied players whom the white dice put first."""


class DrawnChance:
    """Chance from a random generator."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng

    def roll(self, at: int, kind: str, field: str, count: int) -> list[int]:
        """Roll the dice."""
        return [self.rng.randint(1, 6) for _ in range(count)]

    def first(self, at: int, kind: str, tied: list[int]) -> int:
        """Draw one of the tied players, all equally likely."""
        return self.rng.choice(tied)


class RecordedChance:
    """Chance as the events of one recorded move tell it."""

    def __init__(self, events: list[Event]) -> None:
        self.events = events

    def roll(self, at: int, kind: str, field: str, count: int) -> list[int]:
        """Read the dice from the event, refusing anything that dice cannot show."""
        return possible_dice(self._read(at, kind, field), count, f"event {at} ({kind})")

    def first(self, at: int, kind: str, tied: list[int]) -> int:
        """Read the player from the event, refusing anybody who is not among the tied."""
        player = self._read(at, kind, "player")
        if not is_whole(player) or player not in tied:
            raise Divergence(f"event {at} ({kind}): player must be one of {tied}, not {player!r}")
        return player

    def _read(self, at: int, kind: str, field: str) -> Any:
        """One field of the event that stands at this place."""
        if at >= len(self.events):
            raise Divergence(f"event {at}: a {kind!r} event must follow, the record has no more")
        event = self.events[at]
        if event.get("kind") != kind:
            raise Divergence(f"event {at}: must be a {kind!r} event, the record has {event!r}")
        if field not in event:
            raise Divergence(f"event {at} ({kind}): {field!r} is missing")
        return event[field]


def is_whole(value: Any) -> bool:
    """True for an integer that is not a bool."""
    return type(value) is int


def possible_dice(values: Any, count: int, place: str) -> list[int]:
    """The values as a list of their own, if ``count`` six-sided dice can show them."""
    if not isinstance(values, list) or len(values) != count:
        raise Divergence(f"{place}: there must be {count} dice, not {values!r}")
    if not all(is_whole(value) and 1 <= value <= 6 for value in values):
        raise Divergence(f"{place}: six-sided dice cannot show {values!r}")
    return list(values)


def best(players: Iterable[int], key: Callable[[int], Any]) -> list[int]:
    """The players, in seating order, who share the highest key."""
    players = list(players)
    highest = max(key(player) for player in players)
    return [player for player in players if key(player) == highest]


# ----------------------------------------------------------------------------------- the game


class Reference:
    """One game of Café Race in progress."""

    def __init__(self, game_line: dict[str, Any]) -> None:
        """Adopt the game line's starting state after checking that the options allow it."""
        self.options = checked_options(game_line)
        self.n: int = self.options["num_players"]
        self.advanced: bool = self.options["rules"] == "advanced"
        self.reason: str | None = None
        self._chance: Chance = RecordedChance([])
        self._events: list[Event] = []
        self._set_up(game_line["state"])

    def _set_up(self, given: dict[str, Any]) -> None:
        """Build the first round's start; only the dice and the auctioneer are chance."""
        n = self.n
        self.round = 1
        self.position = [START] * n  # CR-03
        self.coffee = [TOKENS] * n  # CR-03
        self.impulse = [0] * n
        self.speed = [0] * n
        self.last_impulse = [0] * n  # CR-15
        self.last_speed = [0] * n  # CR-15
        self.last_round = False
        dice = possible_dice(given.get("dice"), n, "start: dice")  # CR-03, CR-11
        self.dice = sorted(dice, reverse=True)
        self._open_phase(self._given_auctioneer(given) if self.advanced else None)
        mine = self.state()
        wrong = [k for k in sorted(mine.keys() | given.keys()) if not same_field(mine, given, k)]
        if wrong:
            detail = "; ".join(f"{k}: {given.get(k)!r}, not {mine.get(k)!r}" for k in wrong)
            raise Divergence(f"start: not a possible starting state ({detail})")

    def _given_auctioneer(self, given: dict[str, Any]) -> int:
        """CR-21: anybody may be the first round's auctioneer."""
        player = given.get("auctioneer")
        if not is_whole(player) or not 0 <= player < self.n:
            raise Divergence(f"start: the auctioneer must be a player, not {player!r}")
        return player

    def _open_phase(self, auctioneer: int | None) -> None:
        """Wait for the first impulse (CR-12) or for the auctioneer's choice of die (CR-22)."""
        self.auctioneer = auctioneer
        self.auctioned: int | None = None
        self.high_bid: int | None = None
        self.high_bidder: int | None = None
        self.phase = "impulse" if auctioneer is None else "auction"
        self.to_act: int | None = 0 if auctioneer is None else auctioneer

    # -- the protocol

    def legal(self) -> list[str]:
        """Every action open to the player to act, in text, sorted as strings."""
        if self.phase == "impulse":  # CR-12
            actions = [f"impulse {k}" for k in range(1, 7)]
        elif self.phase == "auction":  # CR-22
            actions = [f"auction {s}" for s in set(self.dice)]
        elif self.phase == "bid" and self.high_bid is None:  # CR-22: no passing on the opening
            actions = [f"bid {k}" for k in range(1, 7)]
        elif self.phase == "bid":  # CR-23
            actions = ["pass", *(f"bid {k}" for k in range(self.high_bid + 1, 7))]
        else:
            actions = []
        return sorted(actions)

    def step(self, action: str, events: list[Event], after: dict[str, Any]) -> list[Event]:
        """Play ``action`` with the chance that ``events`` shows; return what must have happened."""
        return self.play(action, RecordedChance(events))

    def play(self, action: str, chance: Chance) -> list[Event]:
        """Play ``action`` with chance from the given source and return the events."""
        if action not in self.legal():
            raise Divergence(f"{action!r} is not legal in phase {self.phase!r}")
        self._chance, self._events = chance, []
        word, _, number = action.partition(" ")
        if word == "impulse":
            self._choose_impulse(int(number))
        elif word == "auction":
            self._put_up(int(number))
        else:
            self._answer(int(number) if word == "bid" else None)
        return self._events

    def state(self) -> dict[str, Any]:
        """The whole state, with the fields the record format names."""
        return {
            "round": self.round,
            "phase": self.phase,
            "to_act": self.to_act,
            "position": list(self.position),
            "coffee": list(self.coffee),
            "impulse": list(self.impulse),
            "speed": list(self.speed),
            "last_impulse": list(self.last_impulse),
            "last_speed": list(self.last_speed),
            "dice": list(self.dice),
            "auctioneer": self.auctioneer,
            "auctioned": self.auctioned,
            "high_bid": self.high_bid,
            "high_bidder": self.high_bidder,
            "last_round": self.last_round,
        }

    def result(self) -> dict[str, Any] | None:
        """``reason``, ``scores``, ``ranks``, ``rewards`` when the game is over, else None."""
        if self.reason is None:
            return None
        scores = final_scores(self.position, self.coffee)
        ranks = final_ranks(scores, self.coffee)
        rewards = final_rewards(self.options["reward"], scores, ranks)
        return {"reason": self.reason, "scores": scores, "ranks": ranks, "rewards": rewards}

    # -- small tools

    def _write(self, kind: str, **fields: Any) -> None:
        """Add one event."""
        self._events.append({"kind": kind, **fields})

    def _roll(self, kind: str, field: str, count: int) -> list[int]:
        """Dice that will show in the event about to be written."""
        return self._chance.roll(len(self._events), kind, field, count)

    def _first(self, kind: str, players: Iterable[int], key: Callable[[int], Any]) -> int:
        """The player with the highest key; the white dice decide between equals."""
        tied = best(players, key)
        if len(tied) == 1:
            return tied[0]
        return self._chance.first(len(self._events), kind, tied)

    def _waiting(self) -> list[int]:
        """The players who have no speed die yet."""
        return [player for player in range(self.n) if self.speed[player] == 0]

    # -- speeds, basic rules

    def _choose_impulse(self, impulse: int) -> None:
        """CR-12: one choice after another in seating order; the last completes the round."""
        player = self.to_act
        self.impulse[player] = impulse
        if player + 1 < self.n:
            self.to_act = player + 1
            return
        self._give_out_speeds()
        self._complete_round()

    def _give_out_speeds(self) -> None:
        """CR-13: the highest impulse takes the highest die, and so on; ties by CR-14."""
        while self.dice:
            player = self._first("speed", self._waiting(), self._impulse_order)
            self.speed[player] = self.dice.pop(0)
            self._write(
                "speed", player=player, impulse=self.impulse[player], speed=self.speed[player]
            )

    def _impulse_order(self, player: int) -> tuple[int, ...]:
        """CR-14: higher impulse, then nearer the start, then fewer tokens."""
        return self.impulse[player], -self.position[player], -self.coffee[player]

    # -- speeds by auction

    def _put_up(self, value: int) -> None:
        """CR-22: the auctioneer has named the die; the opening bid is the next decision."""
        self.auctioned = value
        self.phase = "bid"

    def _answer(self, bid: int | None) -> None:
        """CR-22, CR-23: a bid, or a pass (None); then the next bidder, or the sale."""
        if bid is not None:
            self.high_bid, self.high_bidder = bid, self.to_act
        following = self._next_bidder()
        if bid == 6 or following is None:  # CR-24, CR-25
            self._sell()
        else:
            self.to_act = following

    def _next_bidder(self) -> int | None:
        """CR-23: clockwise, once each, back to the auctioneer; only players without a die."""
        player = (self.to_act + 1) % self.n
        while player != self.auctioneer:
            if self.speed[player] == 0:
                return player
            player = (player + 1) % self.n
        return None

    def _sell(self) -> None:
        """CR-25 to CR-27: the die goes to the highest bidder; then the next auction, if any."""
        winner = self.high_bidder
        self._hand_over(winner, self.auctioned, self.high_bid)
        waiting = self._waiting()
        if len(waiting) == 1:  # CR-27
            self._hand_over(waiting[0], self.dice[0], 1)
            self._complete_round()
        elif winner == self.auctioneer:  # CR-26
            self._appoint(self._first("auctioneer", waiting, self._auctioneer_order))
        else:
            self._appoint(self.auctioneer)

    def _hand_over(self, player: int, speed: int, bid: int) -> None:
        """CR-25: the winning bid is the winner's impulse for the round."""
        self.dice.remove(speed)
        self.speed[player] = speed
        self.impulse[player] = bid
        self._write("sold", player=player, speed=speed, bid=bid)

    def _appoint(self, player: int) -> None:
        """Open an auction under this auctioneer."""
        self._write("auctioneer", player=player)
        self._open_phase(player)

    def _auctioneer_order(self, player: int) -> tuple[int, ...]:
        """CR-21: furthest ahead, then more tokens."""
        return self.position[player], self.coffee[player]

    # -- movement

    def _complete_round(self) -> None:
        """CR-10, CR-40, CR-44: everybody moves; then the end, or a new round."""
        pending = list(range(self.n))
        while pending:
            player = self._first("move", pending, self._movement_order)
            pending.remove(player)
            self._move(player)
        self.last_round = any(position in FINISH for position in self.position)  # CR-40
        if self.last_round:
            self._end("finished")
        elif self.round == self.options["max_turns"]:  # CR-44
            self._end("truncated")
        else:
            self._next_round()

    def _movement_order(self, player: int) -> tuple[int, ...]:
        """CR-30: higher speed, then higher impulse, then further behind, then fewer tokens."""
        return (
            self.speed[player],
            self.impulse[player],
            -self.position[player],
            -self.coffee[player],
        )

    def _move(self, player: int) -> None:
        """CR-31: one worker's move, with the balance roll where one is due."""
        origin = self.position[player]
        target, barred = self._way(origin, self.speed[player])
        overshot = not barred and origin + self.speed[player] > LAST_SPACE  # CR-35
        self.position[player] = target
        move = {"from": origin, "to": target, "barred": barred, "overshot": overshot}
        self._write("move", player=player, **move)
        if barred or overshot or target in STEPS:  # CR-33, CR-35, CR-32
            self._balance(player)

    def _way(self, origin: int, speed: int) -> tuple[int, bool]:
        """CR-33, CR-35: where the move ends, and whether a full space ended it."""
        furthest = min(origin + speed, LAST_SPACE)
        for space in range(origin + 1, furthest + 1):
            if self.position.count(space) >= ROOM:
                return space - 1, True
        return furthest, False  # CR-34: what lies beyond does not matter

    def _balance(self, player: int) -> None:
        """CR-32: two white dice against impulse + speed; less than that spills one token."""
        need = self.impulse[player] + self.speed[player]
        dice = self._roll("balance", "dice", 2)
        spilled = sum(dice) < need
        if spilled:
            self.coffee[player] -= 1
        self._write("balance", player=player, dice=dice, need=need, spilled=spilled)

    # -- the turn of a round, and the end

    def _next_round(self) -> None:
        """CR-29: restarts, then the speed dice, then the auctioneer."""
        self.round += 1
        self.last_impulse, self.last_speed = self.impulse, self.speed  # CR-15
        self.impulse, self.speed = [0] * self.n, [0] * self.n
        self._restart_the_spilled()
        self.dice = sorted(self._roll("speed_dice", "values", self.n), reverse=True)  # CR-11
        self._write("speed_dice", values=list(self.dice))
        if self.advanced:
            everybody = range(self.n)
            self._appoint(self._first("auctioneer", everybody, self._auctioneer_order))  # CR-21
        else:
            self._open_phase(None)

    def _restart_the_spilled(self) -> None:
        """CR-36: without tokens, back to the start with a full cup."""
        for player in range(self.n):
            if self.coffee[player] == 0:
                self.position[player] = START
                self.coffee[player] = TOKENS
                self._write("restart", player=player)

    def _end(self, reason: str) -> None:
        """The game is over; this round's impulses and speeds stay to be seen."""
        self.reason = reason
        self._open_phase(None)  # the auction fields become null
        self.phase = "end"
        self.to_act = None


def same_field(mine: dict[str, Any], given: dict[str, Any], key: str) -> bool:
    """Both have the field, with the same value."""
    return key in mine and key in given and mine[key] == given[key]


# ---------------------------------------------------------------------------- options, scoring


def checked_options(game_line: dict[str, Any]) -> dict[str, Any]:
    """The game line's options, if the line is one of this game and the options are allowed."""
    if game_line.get("type") != "game" or game_line.get("game") != NAME:
        raise Divergence(f"not a game line of {NAME}")
    if game_line.get("format") != FORMAT:
        raise Divergence(f"the format must be {FORMAT!r}, not {game_line.get('format')!r}")
    options = game_line["options"]
    if options.keys() != DEFAULTS.keys():
        raise Divergence(f"the options must be {sorted(DEFAULTS)}, not {sorted(options)}")
    players, turns = options["num_players"], options["max_turns"]
    if not is_whole(players) or not 3 <= players <= 6:  # CR-01
        raise Divergence(f"num_players cannot be {players!r}")
    if not is_whole(turns) or turns < 1:  # CR-44
        raise Divergence(f"max_turns cannot be {turns!r}")
    if options["rules"] not in ("basic", "advanced"):  # CR-12, CR-20
        raise Divergence(f"rules cannot be {options['rules']!r}")
    if options["reward"] not in ("win", "rank", "score"):
        raise Divergence(f"reward cannot be {options['reward']!r}")
    if game_line.get("agents") != agent_names(players):
        raise Divergence(f"the agents must be {agent_names(players)}")
    return dict(options)


def agent_names(players: int) -> list[str]:
    """The names of the agents in seating order."""
    return [f"player_{player}" for player in range(players)]


def final_scores(position: list[int], coffee: list[int]) -> list[int]:
    """CR-41, CR-42: dense places by space; tokens plus one point per place from the bottom."""
    spaces = sorted(set(position), reverse=True)
    places = [spaces.index(space) + 1 for space in position]
    n = len(position)
    return [tokens + n - place + 1 for tokens, place in zip(coffee, places, strict=True)]


def final_ranks(scores: list[int], coffee: list[int]) -> list[int]:
    """CR-43: by score, then by tokens; the rest is shared."""
    standing = list(zip(scores, coffee, strict=True))
    return [1 + sum(other > own for other in standing) for own in standing]


def final_rewards(scheme: str, scores: list[int], ranks: list[int]) -> list[float]:
    """The README's three reward schemes."""
    if scheme == "win":
        return [win_reward(rank, ranks) for rank in ranks]
    if scheme == "rank":
        return [rank_reward(rank, ranks) for rank in ranks]
    return [score_reward(score, scores) for score in scores]


def win_reward(rank: int, ranks: list[int]) -> float:
    """Winners share what the others pay."""
    n, winners = len(ranks), ranks.count(1)
    return n / (n - 1) * (1 / winners - 1 / n) if rank == 1 else -1 / (n - 1)


def rank_reward(rank: int, ranks: list[int]) -> float:
    """From +1 for the first place to -1 for the last; tied players share their places' mean."""
    mean_place = rank + (ranks.count(rank) - 1) / 2
    return 1 - 2 * (mean_place - 1) / (len(ranks) - 1)


def score_reward(score: int, scores: list[int]) -> float:
    """Own score less the mean of the others', by the scale of CR-45."""
    n = len(scores)
    return (score - (sum(scores) - score) / (n - 1)) / (n + 4)


# ---------------------------------------------------------------------------- playing a record


def first_line(options: dict[str, Any], seed: int, rng: random.Random) -> dict[str, Any]:
    """The game line of a new game, with the first round's chance drawn from ``rng``."""
    options = {**DEFAULTS, **options}
    n = options["num_players"]
    advanced = options["rules"] == "advanced"
    auctioneer = rng.randrange(n) if advanced else None  # CR-21
    state = {
        "round": 1,
        "phase": "auction" if advanced else "impulse",
        "to_act": auctioneer if advanced else 0,
        "position": [START] * n,
        "coffee": [TOKENS] * n,
        "impulse": [0] * n,
        "speed": [0] * n,
        "last_impulse": [0] * n,
        "last_speed": [0] * n,
        "dice": sorted((rng.randint(1, 6) for _ in range(n)), reverse=True),  # CR-11
        "auctioneer": auctioneer,
        "auctioned": None,
        "high_bid": None,
        "high_bidder": None,
        "last_round": False,
    }
    return {
        "type": "game",
        "format": FORMAT,
        "game": NAME,
        "version": 0,
        "options": options,
        "seed": seed,
        "agents": agent_names(n),
        "policies": [None] * n,
        "state": state,
    }


def play(
    options: dict[str, Any], seed: int, choose: Choose | None = None, limit: int = 100_000
) -> list[dict[str, Any]]:
    """One whole game by the reference alone, as the parsed lines of a full record.

    Chance, and without ``choose`` also the actions, come from ``random.Random(seed)``.
    """
    rng = random.Random(seed)
    head = first_line(options, seed, rng)
    game, chance = Reference(head), DrawnChance(rng)
    lines = [head]
    while game.to_act is not None:
        number = len(lines) - 1
        if number >= limit:
            raise RuntimeError(f"the game goes on after {limit} moves")
        agent, legal = game.to_act, game.legal()
        action = choose(game, list(legal)) if choose else rng.choice(legal)
        move = {"type": "move", "n": number, "agent": agent, "action": action, "legal": legal}
        move["events"] = game.play(action, chance)
        move["state"] = game.state()
        lines.append(move)
    return [*lines, {"type": "end", **(game.result() or {})}]
