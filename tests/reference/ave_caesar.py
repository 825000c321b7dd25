"""Ave Caesar by the clauses AC-01 to AC-65 alone: plain, slow and independent of the engine.

:class:`Game` holds all the rules.  Whatever is random it asks of a *chance source*:
:class:`Rolled` draws from Python's own generator, :class:`Recorded` reads a record and checks
that what it says was possible.  :class:`Reference` is the game that follows a record, and
:func:`play` makes a record by itself.
"""

from __future__ import annotations

import json
import math
import random
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from tests.reference import Divergence, same

CARDS = ("1", "2", "3", "4", "5", "6")
COPIES = 4  # AC-10
HAND_SIZE = 3  # AC-12, AC-20
LAPS = 3
POINTS = (6, 4, 3, 2, 1, 0)  # AC-53
NAMES = ("white", "blue", "yellow", "red")  # AC-02
# AC-60: the courses of a tournament, for up to four players and for more.
SMALL_TOUR = (("white", "cw"), ("blue", "cw"), ("white", "ccw"), ("blue", "ccw"))
LARGE_TOUR = (("yellow", "cw"), ("red", "cw"), ("yellow", "ccw"), ("red", "ccw"))

Counts = dict[str, int]
Event = dict[str, Any]


# ---------------------------------------------------------------------------------- courses


def load_courses() -> dict[str, Any]:
    """The four courses: the repository's own file, or else the one beside the clauses."""
    repository = Path(__file__).resolve().parents[2]
    own = repository / "racegym" / "games" / "ave_caesar" / "board" / "courses.json"
    shared = repository.parent / "shared" / "rules" / "ave_caesar_courses.json"
    text = (own if own.exists() else shared).read_text(encoding="utf-8")
    return json.loads(text)


def has_closed_way(after: dict[str, list[str]], without: set[str]) -> bool:
    """Whether a closed way is left when some spaces are taken out."""
    left = set(after) - without
    while True:
        dead_ends = {space for space in left if not any(n in left for n in after[space])}
        if not dead_ends:
            return bool(left)
        left -= dead_ends


class Course:
    """A course driven in one direction (AC-02, AC-03)."""

    def __init__(self, data: dict[str, Any], direction: str) -> None:
        forward = direction == "cw"
        self.spaces: list[str] = list(data["spaces"])
        self.edges = [(a, b) if forward else (b, a) for a, b in data["edges"]]
        self.line = {(a, b) if forward else (b, a) for a, b in data["line"]}
        self.alley = set(data["alley"])
        self.starts: list[str] = list(data["starts"][direction])
        self.after: dict[str, list[str]] = {space: [] for space in self.spaces}
        for a, b in self.edges:
            self.after[a].append(b)
        self.steps_to_line = self._steps_to_line()
        self.lap_length = self._lap_length()
        self.before_alley = self._before_alley()

    def _steps_to_line(self) -> dict[str, float]:
        """AC-30: steps to the next crossing of the line, on the empty course."""
        steps: dict[str, float] = {space: math.inf for space in self.spaces}
        for a, _ in self.line:
            steps[a] = 1
        changed = True
        while changed:
            changed = False
            for a, b in self.edges:
                if (a, b) not in self.line and steps[b] + 1 < steps[a]:
                    steps[a] = steps[b] + 1
                    changed = True
        return steps

    def _lap_length(self) -> float:
        """AC-30: the shortest closed way that keeps out of the alley."""
        return min(self._way_round(s) for s in self.spaces if s not in self.alley)

    def _way_round(self, start: str) -> float:
        reached, steps, seen = {start}, 0, set()
        while reached:
            reached = {b for a in reached for b in self.after[a] if b not in self.alley}
            steps += 1
            if start in reached:
                return steps
            reached -= seen
            seen |= reached
        return math.inf

    def _before_alley(self) -> set[str]:
        """AC-42: the spaces from which the alley can be reached before the line."""
        found = set(self.alley)
        changed = True
        while changed:
            more = {a for a, b in self.edges if b in found and (a, b) not in self.line}
            changed = not more <= found
            found |= more
        return found


@cache
def named_course(name: str, direction: str) -> Course:
    """One of the four courses, in one direction."""
    return Course(load_courses()[name], direction)


# ----------------------------------------------------------------------------------- chance


class Chance(Protocol):
    """Where everything random comes from."""

    def starter(self, players: int) -> int:
        """AC-11: who begins the first race."""

    def deal(self, players: int) -> list[Counts]:
        """AC-12: the hands at the start of a race."""

    def draw(self, deck: Counts) -> int:
        """AC-20: the top card of a deck that is not empty."""


def counts(cards: Iterable[int] = ()) -> Counts:
    """How many of each value there are among some cards."""
    cards = list(cards)
    return {value: cards.count(int(value)) for value in CARDS}


def pile(number: Counts) -> list[int]:
    """The cards that some counts stand for, in ascending order."""
    return [int(value) for value in CARDS for _ in range(number[value])]


def size(number: Counts) -> int:
    """How many cards there are."""
    return sum(number.values())


class Rolled:
    """Chance drawn from Python's generator."""

    def __init__(self, generator: random.Random) -> None:
        self._random = generator

    def starter(self, players: int) -> int:
        """Any player, equally likely."""
        return self._random.randrange(players)

    def deal(self, players: int) -> list[Counts]:
        """Three cards of a full deck for each player."""
        full = [int(value) for value in CARDS for _ in range(COPIES)]
        return [counts(self._random.sample(full, HAND_SIZE)) for _ in range(players)]

    def draw(self, deck: Counts) -> int:
        """Any card of the deck: its order is not known before it is drawn."""
        return self._random.choice(pile(deck))


class Recorded:
    """Chance read from a record, each outcome checked to be possible."""

    def __init__(self, events: list[Event], after: dict[str, Any]) -> None:
        self._draws = [event for event in events if event.get("kind") == "drew"]
        self._after = after

    def starter(self, players: int) -> int:
        """The starter named by the state."""
        starter = self._after.get("starter")
        if not is_whole(starter) or not 0 <= starter < players:
            raise Divergence(f"chance: starter {starter!r} is none of {players} players")
        return starter

    def deal(self, players: int) -> list[Counts]:
        """The hands of the state; with its decks they must make up full decks."""
        return [self._hand_dealt(player) for player in range(players)]

    def _hand_dealt(self, player: int) -> Counts:
        hand, deck = (self._pile_of(field, player) for field in ("hands", "decks"))
        if size(hand) != HAND_SIZE:
            raise Divergence(f"chance: player {player} was dealt {size(hand)} cards")
        if any(hand[value] + deck[value] != COPIES for value in CARDS):
            raise Divergence(f"chance: hand and deck of player {player} are no full deck")
        return hand

    def _pile_of(self, field: str, player: int) -> Counts:
        piles = self._after.get(field)
        if not isinstance(piles, list) or player >= len(piles):
            raise Divergence(f"chance: the state lacks {field!r} of player {player}")
        found = piles[player]
        if not isinstance(found, dict) or set(found) != set(CARDS):
            raise Divergence(f"chance: {field!r} of player {player} is {found!r}")
        if not all(is_whole(number) and number >= 0 for number in found.values()):
            raise Divergence(f"chance: {field!r} of player {player} is {found!r}")
        return dict(found)

    def draw(self, deck: Counts) -> int:
        """The card of the next ``drew`` event, which the deck must hold."""
        if not self._draws:
            raise Divergence("chance: a card must be drawn, but no event says which")
        card = self._draws.pop(0).get("card")
        if not is_whole(card) or str(card) not in CARDS:
            raise Divergence(f"chance: {card!r} was drawn, which is no card")
        if deck[str(card)] == 0:
            raise Divergence(f"chance: a {card} was drawn, but the deck has none left")
        return card


def is_whole(value: Any) -> bool:
    """Whether a value is an integer (and no truth value)."""
    return isinstance(value, int) and not isinstance(value, bool)


# ---------------------------------------------------------------------------------- options


def complete(options: dict[str, Any]) -> dict[str, Any]:
    """The options with every default filled in."""
    players = options.get("num_players", 4)
    filled = {
        "num_players": players,
        "course": "white" if players in (3, 4) else "yellow",
        "direction": "cw",
        "races": 1,
        "stranded": "stays",
        "reward": "win",
        "max_turns": 2000,
    }
    filled.update({name: value for name, value in options.items() if value is not None})
    return filled


def check_options(options: dict[str, Any]) -> None:
    """Refuse options that the clauses do not allow."""
    allowed = {
        "num_players": is_whole(options["num_players"]) and 3 <= options["num_players"] <= 6,
        "course": isinstance(options["course"], dict) or options["course"] in NAMES,
        "direction": options["direction"] in ("cw", "ccw"),
        "races": is_whole(options["races"]) and 1 <= options["races"] <= 4,
        "stranded": options["stranded"] in ("stays", "removed"),
        "reward": options["reward"] in ("win", "rank", "score"),
        "max_turns": is_whole(options["max_turns"]) and options["max_turns"] >= 1,
    }
    for name, value in options.items():
        if not allowed.get(name, False):
            raise Divergence(f"options: {name}={value!r} is not possible")


# ------------------------------------------------------------------------------------- game


class Move(NamedTuple):
    """One way to play a card."""

    card: int
    target: str  # a space, or "finish"
    crossed: int  # times over the line after the move


class Game:
    """A whole episode: one race, or the races of a tournament."""

    def __init__(self, options: dict[str, Any], chance: Chance, own_course: Any = "own") -> None:
        self.options = complete(options)
        check_options(self.options)
        self._own_course = own_course  # how the state calls a user's own course
        self.players: int = self.options["num_players"]
        self.points = [0] * self.players
        self.reason: str | None = None
        self._begin_race(1, chance.starter(self.players), chance)
        if not self.legal():
            self._turn_without_a_card()
            self._run_on([], chance)

    # ---- set-up

    def _begin_race(self, number: int, starter: int, chance: Chance) -> None:
        self.race = number
        self._choose_course()
        self.starter = starter
        self.to_act: int | None = starter  # AC-12
        self.turn = 1  # AC-63
        seats = range(self.players)
        # AC-11: places I, II, ... clockwise from the starting player
        self.space = [self.track.starts[(p - starter) % self.players] for p in seats]
        self.left_from: list[str | None] = [None for _ in seats]
        self.crossed = [0 for _ in seats]
        self.coin = [True for _ in seats]  # AC-10
        self.hands = chance.deal(self.players)  # AC-10, AC-12
        self.decks = [{v: COPIES - hand[v] for v in CARDS} for hand in self.hands]
        self.lost_last = [False for _ in seats]  # AC-52
        self.lost_in_a_row = 0
        self.finish_order: list[int] = []
        self.stranded: list[int] = []

    def _choose_course(self) -> None:
        course, self.direction = self.options["course"], self.options["direction"]
        if self.options["races"] > 1:  # AC-60
            tour = SMALL_TOUR if self.players <= 4 else LARGE_TOUR
            course, self.direction = tour[self.race - 1]
        if isinstance(course, dict):
            self.course, self.track = self._own_course, Course(course, self.direction)
        else:
            self.course, self.track = course, named_course(course, self.direction)
        if len(self.track.starts) < self.players:  # AC-02
            raise Divergence("options: more players than start places")

    # ---- who is where

    def _racing(self) -> list[int]:
        return [p for p in range(self.players) if p not in self.finish_order + self.stranded]

    def _others_racing(self, player: int) -> list[int]:
        return [p for p in self._racing() if p != player]

    def _stranded_spaces(self) -> set[str]:
        """The spaces that stranded chariots block, unless they are taken off (AC-51)."""
        return {self.space[p] for p in self.stranded if self.space[p] != "removed"}

    def _occupied(self, player: int) -> set[str]:
        """AC-21: the spaces closed to a player."""
        return self._stranded_spaces() | {self.space[p] for p in self._others_racing(player)}

    def _to_go(self, player: int) -> float:
        """AC-30, AC-61: distance to go; for a chariot taken off, from where it stood."""
        space = self.left_from[player] or self.space[player]
        laps = LAPS - self.crossed[player]
        return laps * self.track.lap_length + self.track.steps_to_line[space]

    def _leaders(self) -> list[int]:
        """AC-30: all who are level in front."""
        racing = self._racing()
        shortest = min(self._to_go(p) for p in racing)
        return [p for p in racing if self._to_go(p) == shortest]

    # ---- what can be played

    def legal(self) -> list[str]:
        """Every action open to the player to act, in text, sorted as strings."""
        return sorted(self._moves())

    def _moves(self) -> dict[str, Move]:
        if self.to_act is None:
            return {}
        player = self.to_act
        occupied = self._occupied(player)
        moves = self._moves_of_cards(player, CARDS[:-1], occupied)
        if self._may_play_six(player, stuck=not moves):
            moves += self._moves_of_cards(player, CARDS[-1:], occupied)
        return {f"play {move.card} to {move.target}": move for move in moves}

    def _moves_of_cards(self, player: int, values: Iterable[str], occupied: set[str]) -> list[Move]:
        cards = [int(value) for value in values if self.hands[player][value]]
        return [
            Move(card, target, crossed)
            for card in cards
            for target, crossed in self._targets(player, card, occupied).items()
        ]

    def _targets(self, player: int, card: int, occupied: set[str]) -> dict[str, int]:
        """Where a card can lead (AC-20, AC-21, AC-23), with the crossings it would make."""
        reached = {(self.space[player], self.crossed[player])}
        targets: dict[str, int] = {}
        for _ in range(card):
            steps = [
                (here, there, crossed)
                for here, crossed in reached
                for there in self.track.after[here]
                if self._step_allowed(here, there, crossed, self.coin[player])
            ]
            reached = set()
            for here, there, crossed in steps:
                over = crossed + ((here, there) in self.track.line)  # AC-43
                if over > LAPS:
                    targets["finish"] = over  # AC-50: whatever stands beyond the line
                elif there not in occupied:
                    reached.add((there, over))
        targets.update(sorted(reached))
        return targets

    def _step_allowed(self, here: str, there: str, crossed: int, coin: bool) -> bool:
        """Whether one step keeps to the rules of the alley (AC-41, AC-42)."""
        alley = self.track.alley
        if there in alley:
            return here in alley or (coin and crossed in (1, 2))  # AC-41
        if not coin:
            return True
        if here in alley:
            return False  # AC-41: with the coin still held, this very move went in
        over = crossed + ((here, there) in self.track.line)
        if over > 2:
            return False  # AC-42, AC-50: nobody gets round a second time without paying
        return over < 2 or there in self.track.before_alley  # AC-42

    def _may_play_six(self, player: int, stuck: bool) -> bool:
        """AC-31 to AC-34; ``stuck``: no other card can be played."""
        if self.finish_order or player not in self._leaders():
            return True  # AC-33, AC-31
        if self.turn == 1 and player == self.starter:
            return True  # AC-32
        return self._six_opens_the_course(player) or (stuck and self._all_others_lost(player))

    def _six_opens_the_course(self, player: int) -> bool:
        """AC-34 (a): only sixes in hand, and the leaders alone close the course."""
        hand = self.hands[player]
        leaders = self._leaders()
        stranded = self._stranded_spaces()
        closed = stranded | {self.space[p] for p in leaders}
        return (
            size(hand) == hand["6"]
            and all(self.lost_last[p] for p in leaders if p != player)
            and not has_closed_way(self.track.after, closed)
            and has_closed_way(self.track.after, stranded)
        )

    def _all_others_lost(self, player: int) -> bool:
        """AC-34 (b): nobody else moved in their latest turn."""
        return all(self.lost_last[p] for p in self._others_racing(player))

    # ---- a turn

    def take(self, action: str, chance: Chance) -> list[Event]:
        """Play an action; return all that happens until somebody can act again."""
        moves = self._moves()
        if action not in moves:
            raise Divergence(f"{action!r} is not legal")
        events: list[Event] = []
        self._play_card(moves[action], chance, events)
        self._run_on(events, chance)
        return events

    def _play_card(self, move: Move, chance: Chance, events: list[Event]) -> None:
        player = self.to_act
        assert player is not None
        events.append(
            {
                "kind": "moved",
                "player": player,
                "from": self.space[player],
                "to": move.target,
                "card": move.card,
            }
        )
        self.hands[player][str(move.card)] -= 1
        self.crossed[player] = move.crossed
        self.lost_last[player] = False
        self.lost_in_a_row = 0  # AC-52
        if move.target == "finish":
            self._finish(player, events)
            return
        self.space[player] = move.target
        self._pay_coin(player, events)
        self._draw_back(player, chance, events)
        if size(self.hands[player]) == 0:  # AC-51; the deck is empty too
            self._strand(player, events)

    def _finish(self, player: int, events: list[Event]) -> None:
        """AC-50."""
        self.space[player] = "finished"
        self.finish_order.append(player)
        place = len(self.finish_order)
        events.append({"kind": "finished", "player": player, "place": place})

    def _pay_coin(self, player: int, events: list[Event]) -> None:
        """AC-40."""
        if self.coin[player] and self.space[player] in self.track.alley:
            self.coin[player] = False
            events.append({"kind": "coin", "player": player})

    def _draw_back(self, player: int, chance: Chance, events: list[Event]) -> None:
        """AC-20."""
        hand, deck = self.hands[player], self.decks[player]
        while size(hand) < HAND_SIZE and size(deck) > 0:
            card = chance.draw(deck)
            deck[str(card)] -= 1
            hand[str(card)] += 1
            events.append({"kind": "drew", "player": player, "card": card})

    def _strand(self, player: int, events: list[Event]) -> None:
        """AC-51."""
        self.stranded.append(player)
        if self.options["stranded"] == "removed":
            self.left_from[player] = self.space[player]
            self.space[player] = "removed"
        events.append({"kind": "stranded", "player": player})

    def _turn_without_a_card(self) -> list[Event]:
        """The player to act can play nothing: a lost turn (AC-22), or the end (AC-51)."""
        player = self.to_act
        assert player is not None
        events: list[Event] = []
        if self._moves_of_cards(player, CARDS, set()):
            self.lost_last[player] = True
            self.lost_in_a_row += 1
            events.append({"kind": "lost_turn", "player": player})
        else:
            self._strand(player, events)
        return events

    # ---- from one turn to the next

    def _run_on(self, events: list[Event], chance: Chance) -> None:
        """Go on after a turn until somebody can act or all is over."""
        while True:
            if self._race_is_over():
                self._score_race(events)
                if self.race == self.options["races"]:
                    self._end("finished")
                    return
                self._next_race(chance, events)
            elif self.turn == self.options["max_turns"]:  # AC-63
                self._score_race(events)
                self._end("truncated")
                return
            else:
                self.turn += 1
                self.to_act = self._next_player()
            if self._moves():
                return
            events += self._turn_without_a_card()

    def _race_is_over(self) -> bool:
        """AC-52."""
        racing = len(self._racing())
        return racing == 0 or self.lost_in_a_row >= 2 * racing

    def _next_player(self) -> int:
        """AC-12: clockwise, among those still racing."""
        assert self.to_act is not None
        seats = [(self.to_act + k) % self.players for k in range(1, self.players + 1)]
        return next(seat for seat in seats if seat in self._racing())

    def _score_race(self, events: list[Event]) -> None:
        """AC-53."""
        won = [0] * self.players
        for player, points in zip(self.finish_order, POINTS, strict=False):
            won[player] = points
        self.points = [a + b for a, b in zip(self.points, won, strict=True)]
        events.append({"kind": "race_over", "points": won})

    def _next_race(self, chance: Chance, events: list[Event]) -> None:
        """AC-60, AC-61."""
        self._begin_race(self.race + 1, self._last_of_race(), chance)
        events.append(
            {
                "kind": "race",
                "number": self.race,
                "course": self.course,
                "direction": self.direction,
                "starter": self.starter,
            }
        )

    def _last_of_race(self) -> int:
        """AC-61: who came last in the race that is over."""
        behind = [p for p in range(self.players) if p not in self.finish_order]
        if not behind:
            return self.finish_order[-1]
        return max(behind, key=lambda p: (self._to_go(p), (p - self.starter) % self.players))

    def _end(self, reason: str) -> None:
        self.reason = reason
        self.to_act = None

    # ---- what is shown

    def state(self) -> dict[str, Any]:
        """The whole state, with the fields the record format names."""
        return {
            "race": self.race,
            "course": self.course,
            "direction": self.direction,
            "turn": self.turn,
            "to_act": self.to_act,
            "space": list(self.space),
            "left_from": list(self.left_from),
            "crossed": list(self.crossed),
            "coin": list(self.coin),
            "hands": [dict(hand) for hand in self.hands],
            "decks": [dict(deck) for deck in self.decks],
            "lost_last": list(self.lost_last),
            "lost_in_a_row": self.lost_in_a_row,
            "finish_order": list(self.finish_order),
            "stranded": list(self.stranded),
            "points": list(self.points),
            "starter": self.starter,
        }

    def result(self) -> dict[str, Any] | None:
        """``reason``, ``scores``, ``ranks``, ``rewards`` when the game is over, else None."""
        if self.reason is None:
            return None
        scores = list(self.points)
        ranks = [1 + sum(other > own for other in scores) for own in scores]  # AC-62
        return {
            "reason": self.reason,
            "scores": scores,
            "ranks": ranks,
            "rewards": self._rewards(scores, ranks),
        }

    def _rewards(self, scores: list[int], ranks: list[int]) -> list[float]:
        if self.options["reward"] == "win":
            return win_rewards(ranks)
        if self.options["reward"] == "rank":
            return rank_rewards(ranks)
        return score_rewards(scores, POINTS[0] * self.options["races"])  # AC-64


# ---------------------------------------------------------------------------------- rewards


def win_rewards(ranks: list[int]) -> list[float]:
    """The winners share alike what all the others pay."""
    n, winners = len(ranks), ranks.count(1)
    prize = n / (n - 1) * (1 / winners - 1 / n)
    return [prize if rank == 1 else -1 / (n - 1) for rank in ranks]


def rank_rewards(ranks: list[int]) -> list[float]:
    """From +1 down to -1 in even steps; those who are tied share the mean of their places."""
    n = len(ranks)
    by_place = [1 - 2 * place / (n - 1) for place in range(n)]
    shared = {r: by_place[r - 1 : r - 1 + ranks.count(r)] for r in ranks}
    return [sum(shared[rank]) / len(shared[rank]) for rank in ranks]


def score_rewards(scores: list[int], scale: int) -> list[float]:
    """The own score against the mean of the others', in units of ``scale``."""
    n, total = len(scores), sum(scores)
    return [(own - (total - own) / (n - 1)) / scale for own in scores]


# ------------------------------------------------------------------------------- the record


class Reference(Game):
    """A game that follows a record (see ``tests.reference.Reference``)."""

    def __init__(self, game_line: dict[str, Any]) -> None:
        state, options = game_line["state"], game_line["options"]
        if game_line.get("game") != "ave_caesar":
            raise Divergence(f"start: the game is {game_line.get('game')!r}")
        label = state.get("course")
        if isinstance(options.get("course"), dict):
            self._check_label(label, options["course"])
        super().__init__(options, Recorded([], state), own_course=label)
        agents = [f"player_{seat}" for seat in range(self.players)]
        same("start", "agents", agents, game_line.get("agents"))
        same("start", "state", self.state(), state)

    @staticmethod
    def _check_label(label: Any, course: dict[str, Any]) -> None:
        """The state's word for a user's own course: a name not taken, or the course itself."""
        if label != course and (not isinstance(label, str) or label in NAMES):
            raise Divergence(f"start: {label!r} is no label for a user's own course")

    def step(self, action: str, events: list[Event], after: dict[str, Any]) -> list[Event]:
        """Play ``action`` with the record's chance; return the events that must have been."""
        return self.take(action, Recorded(events, after))


def play(
    options: dict[str, Any],
    seed: int,
    choose: Callable[[Reference, list[str]], str] | None = None,
    limit: int = 100_000,
) -> list[dict[str, Any]]:
    """Play one game by the reference alone and return its full record as parsed lines."""
    generator = random.Random(seed)
    chance = Rolled(generator)
    opening = Game(options, chance)
    head = {
        "type": "game",
        "format": "racegym-record/1",
        "game": "ave_caesar",
        "version": 0,
        "options": opening.options,
        "seed": seed,
        "agents": [f"player_{seat}" for seat in range(opening.players)],
        "policies": [None] * opening.players,
        "state": opening.state(),
    }
    game = Reference(head)
    lines: list[dict[str, Any]] = [head]
    while game.to_act is not None:
        if len(lines) > limit:
            raise RuntimeError(f"the game is not over after {limit} moves")
        agent, legal = game.to_act, game.legal()
        action = choose(game, legal) if choose else generator.choice(legal)
        events = game.take(action, chance)
        lines.append(
            {
                "type": "move",
                "n": len(lines) - 1,
                "agent": agent,
                "action": action,
                "legal": legal,
                "events": events,
                "state": game.state(),
            }
        )
    lines.append({"type": "end", **(game.result() or {})})
    return lines
