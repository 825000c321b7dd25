"""Horse Race by its clauses (HR-01 … HR-52), as plainly as possible and without the engine.

Chance comes only from a :class:`Chance`: :class:`RecordChance` reads it from a record and checks
that it is possible, :class:`RandomChance` draws it.  Everything else is worked out here.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any, Protocol

from tests.reference import Divergence

HORSES = range(1, 10)  # HR-02
FRONT, EMPTY = "F", "E"
FRONTS, EMPTIES, REARS = 30, 10, 20  # HR-03
ALL_COUNTERS = 40  # HR-05
HAND = 5  # HR-10, HR-33
BACKED = 3  # HR-11
SLOTS = {1: 7, 2: 7, 3: 5}  # HR-06: slots of a lane in each phase
BONUS = {1: 6, 2: 4, 3: 2}  # HR-40: by place
JUMPS, FALLS = 4, 2  # HR-50
SCORE_SCALE = 10  # HR-48
LEADER_BONUS = 8  # HR-45

DEFAULTS: dict[str, Any] = {
    "num_players": 4,  # HR-01
    "lanes": 3,  # HR-06
    "counters": 10,  # HR-05
    "rears": [3, 3, 2, 2, 2, 2, 2, 2, 2],  # HR-04
    "scoring": "sum",  # HR-43
    "falls": False,  # HR-50
    "reward": "win",
    "max_turns": 1000,  # HR-47
}

Event = dict[str, Any]


def require(condition: bool, message: str) -> None:
    """Raise Divergence with the message unless the condition holds."""
    if not condition:
        raise Divergence(message)


def is_int(value: Any, low: int, high: int | None = None) -> bool:
    """Whether the value is a whole number (no boolean) between the bounds, both included."""
    return type(value) is int and low <= value and (high is None or value <= high)


def is_rear(card: str) -> bool:
    """Whether the card shows a rear half (R1 … R9)."""
    return card.startswith("R")


def checked_options(options: Any) -> dict[str, Any]:
    """The options; raises Divergence unless they are the game's, all of them, within bounds."""
    require(isinstance(options, dict), "options: not an object")
    require(options.keys() == DEFAULTS.keys(), f"options: fields are {sorted(options)}")
    require(is_int(options["num_players"], 2, 4), "options: num_players is not 2 to 4 (HR-01)")
    require(is_int(options["lanes"], 3, 4), "options: lanes is not 3 or 4 (HR-06)")
    require(is_int(options["counters"], 1, 10), "options: counters is not 1 to 10 (HR-05)")
    rears = options["rears"]
    require(
        isinstance(rears, list)
        and len(rears) == len(HORSES)
        and all(is_int(count, 1) for count in rears)
        and sum(rears) == REARS,
        "options: rears is not nine counts of at least 1 that sum to 20 (HR-04)",
    )
    require(options["scoring"] in ("sum", "first", "sum_bonus"), "options: unknown scoring")
    require(type(options["falls"]) is bool, "options: falls is not a boolean")
    require(options["reward"] in ("win", "rank", "score"), "options: unknown reward")
    require(is_int(options["max_turns"], 1), "options: max_turns is not a positive number")
    return dict(options)


def all_cards(options: dict[str, Any]) -> Counter[str]:
    """The 60 race cards (HR-03, HR-04)."""
    rears = {f"R{horse}": count for horse, count in zip(HORSES, options["rears"], strict=True)}
    return Counter({**rears, FRONT: FRONTS, EMPTY: EMPTIES})


def starting_state(options: dict[str, Any], hands: list[Any], pile: list[Any]) -> dict[str, Any]:
    """The state before the first bet, around the given hands and draw pile (HR-05 … HR-12)."""
    players = options["num_players"]
    return {
        "phase": "bet",
        "stage": 1,
        "turn": 1,
        "to_act": 0,
        "hands": hands,
        "counters": [options["counters"]] * players,
        "bank": ALL_COUNTERS - players * options["counters"],
        "pile": pile,
        "out_of_game": {},
        "lanes": [[] for _ in range(options["lanes"])],
        "points": [0] * len(HORSES),
        "horses_out": [],
        "bets": [[] for _ in range(players)],
        "starter": None,
        "passes": 0,
        "must_open": False,
        "last_placer": None,
    }


def check_start(options: dict[str, Any], state: Any) -> None:
    """Raise Divergence unless the state is one a game with these options can start from."""
    require(isinstance(state, dict), "start: the state is not an object")
    hands, pile = state.get("hands"), state.get("pile")
    require(
        isinstance(hands, list) and len(hands) == options["num_players"],
        "start: not one hand per player",
    )
    require(isinstance(pile, list), "start: the pile is not a list")
    require(all(isinstance(card, str) for card in pile), "start: the pile does not hold cards")
    found = Counter(pile)
    for player, hand in enumerate(hands):
        place = f"start: the hand of player {player}"
        require(isinstance(hand, dict), f"{place} is not an object")
        require(all(is_int(count, 1) for count in hand.values()), f"{place} has a bad count")
        require(sum(hand.values()) == HAND, f"{place} is not of {HAND} cards (HR-10)")
        found.update(hand)
    require(found == all_cards(options), "start: hands and pile are not the 60 cards (HR-03)")
    expected = starting_state(options, hands, pile)
    require(state.keys() == expected.keys(), f"start: state fields are {sorted(state)}")
    for field, value in expected.items():
        require(state[field] == value, f"start: {field} is {state[field]!r}, not {value!r}")


# --------------------------------------------------------------------------------------- chance


class Chance(Protocol):
    """Where the random outcomes of one step come from."""

    def starter(self, players: int) -> int:
        """The player who begins phase 1 (HR-12)."""

    def shuffle_under(self, pile: list[str], cards: list[str]) -> list[str]:
        """The order in which the shuffled cards lie under the pile (HR-32)."""

    def hurdle(self, order: list[int]) -> list[str]:
        """What the players draw at an obstacle in this order: "jump"s, perhaps a "fall" (HR-50)."""


class RandomChance:
    """Chance drawn from Python's random generator."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng

    def starter(self, players: int) -> int:
        """Any player, each with the same chance."""
        return self.rng.randrange(players)

    def shuffle_under(self, pile: list[str], cards: list[str]) -> list[str]:
        """Any order of the cards."""
        return self.rng.sample(cards, len(cards))

    def hurdle(self, order: list[int]) -> list[str]:
        """One card each from the six shuffled ones, up to the first fall."""
        cards = self.rng.sample(["jump"] * JUMPS + ["fall"] * FALLS, JUMPS + FALLS)
        drawn = cards[: len(order)]
        return drawn[: drawn.index("fall") + 1] if "fall" in drawn else drawn


class RecordChance:
    """Chance read from one recorded step, each outcome checked to be possible."""

    def __init__(self, events: list[Event], after: dict[str, Any]) -> None:
        require(
            isinstance(events, list) and all(isinstance(event, dict) for event in events),
            "events: not a list of objects",
        )
        require(isinstance(after, dict), "state: not an object")
        self.events = events
        self.after = after

    def _named(self, *kinds: str) -> list[Event]:
        return [event for event in self.events if event.get("kind") in kinds]

    def starter(self, players: int) -> int:
        """The starter named by the step's only ``stage`` event."""
        found = self._named("stage")
        require(len(found) == 1, "HR-12: there is not one stage event after the last bet")
        starter: Any = found[0].get("starter")
        require(is_int(starter, 0, players - 1), f"HR-12: {starter!r} cannot begin")
        return int(starter)

    def shuffle_under(self, pile: list[str], cards: list[str]) -> list[str]:
        """The bottom of the recorded pile, which must be these cards under the old pile."""
        found: Any = self.after.get("pile")
        require(
            isinstance(found, list) and all(isinstance(card, str) for card in found),
            "HR-32: there is no pile",
        )
        require(found[: len(pile)] == pile, "HR-32: the cards already in the pile have changed")
        under: list[str] = found[len(pile) :]
        require(Counter(under) == Counter(cards), "HR-32: not the placed cards lie under the pile")
        return under

    def hurdle(self, order: list[int]) -> list[str]:
        """The kinds of the ``jump`` and ``fall`` events, drawn by the right players."""
        found = self._named("jump", "fall")
        drawers = [event.get("player") for event in found]
        drawn = [event["kind"] for event in found]
        require(drawers == order[: len(drawn)], f"HR-50: {drawers} drew, the order is {order}")
        require("fall" not in drawn[:-1], "HR-50: a card was drawn after a fall")
        require("fall" in drawn or len(drawn) == len(order), "HR-50: not all players have drawn")
        require(drawn.count("jump") <= JUMPS, f"HR-50: more than {JUMPS} jumps")
        return drawn


# ----------------------------------------------------------------------------------------- game


class Reference:
    """One game of Horse Race in progress."""

    to_act: int | None

    def __init__(self, game_line: dict[str, Any]) -> None:
        require(game_line.get("type") == "game", "the first line is not a game line")
        require(game_line.get("format") == "racegym-record/1", "unknown record format")
        require(game_line.get("game") == "horse_race", "this is not a game of horse_race")
        self.options = checked_options(game_line.get("options"))
        self.players: int = self.options["num_players"]
        names = [f"player_{player}" for player in range(self.players)]
        require(game_line.get("agents") == names, f"the agents are not {names}")
        check_start(self.options, game_line.get("state"))
        self._adopt(game_line["state"])

    def _adopt(self, start: dict[str, Any]) -> None:
        self.phase: str = start["phase"]
        self.stage: int = start["stage"]
        self.turn: int = start["turn"]
        self.to_act = start["to_act"]
        self.hands: list[Counter[str]] = [Counter(hand) for hand in start["hands"]]
        self.counters: list[int] = list(start["counters"])
        self.bank: int = start["bank"]
        self.pile: list[str] = list(start["pile"])
        self.out_of_game: Counter[str] = Counter()
        self.lanes: list[list[dict[str, Any]]] = [[] for _ in start["lanes"]]
        self.points: list[int] = list(start["points"])
        self.horses_out: list[int] = []
        self.bets: list[list[int]] = [[] for _ in range(self.players)]
        self.starter: int | None = None
        self.passes: int = 0
        self.must_open: bool = False
        self.last_placer: int | None = None
        self.reason: str | None = None

    def state(self) -> dict[str, Any]:
        """The whole state, as a record shows it."""
        return {
            "phase": self.phase,
            "stage": self.stage,
            "turn": self.turn,
            "to_act": self.to_act,
            "hands": [dict(+hand) for hand in self.hands],
            "counters": list(self.counters),
            "bank": self.bank,
            "pile": list(self.pile),
            "out_of_game": dict(+self.out_of_game),
            "lanes": [[dict(placed) for placed in lane] for lane in self.lanes],
            "points": list(self.points),
            "horses_out": list(self.horses_out),
            "bets": [list(horses) for horses in self.bets],
            "starter": self.starter,
            "passes": self.passes,
            "must_open": self.must_open,
            "last_placer": self.last_placer,
        }

    @property
    def _actor(self) -> int:
        """The player to act, where there must be one."""
        if self.to_act is None:
            raise Divergence("nobody is to act")
        return self.to_act

    # ------------------------------------------------------------------------- legal actions

    def legal(self) -> list[str]:
        """Every action open to the player to act, sorted as strings."""
        if self.phase == "bet":
            return self._legal_backs()
        if self.phase == "race":
            return self._legal_turn()
        if self.phase == "fall":
            return self._legal_outs()
        return []

    def _legal_backs(self) -> list[str]:
        """HR-11: any horse this player has not backed yet."""
        return sorted(f"back {horse}" for horse in HORSES if horse not in self.bets[self._actor])

    def _legal_outs(self) -> list[str]:
        """HR-51, HR-52: any horse still in the race."""
        return sorted(f"out {horse}" for horse in HORSES if horse not in self.horses_out)

    def _legal_turn(self) -> list[str]:
        """HR-20; HR-35: the opening player must place face up if it can; HR-29: or pass."""
        ups = self._legal_ups()
        if self.must_open and ups:
            return sorted(ups)
        actions = ups + self._legal_downs() + self._legal_swaps()
        actions += self._legal_draws() + self._legal_sells()
        return sorted(actions) or ["pass"]

    def _cards(self) -> list[str]:
        """The different cards in the hand of the player to act."""
        return list(+self.hands[self._actor])

    def _open_lanes(self) -> list[int]:
        """Lanes (from 0) that have an empty slot in this phase."""
        return [number for number, lane in enumerate(self.lanes) if len(lane) < SLOTS[self.stage]]

    def _legal_ups(self) -> list[str]:
        """HR-21: free, into the next slot of a lane, if it continues the lane."""
        return [
            f"up {card} lane {number + 1}"
            for number in self._open_lanes()
            for card in self._cards()
            if self._continues(self.lanes[number], card)
        ]

    def _continues(self, lane: list[dict[str, Any]], card: str) -> bool:
        """Whether the card may lie face up at the end of the lane."""
        if not lane:
            return card != FRONT  # HR-23
        before = lane[-1]
        if not before["up"]:
            return True  # HR-22
        if is_rear(before["card"]):
            return card == FRONT  # HR-22
        return card != FRONT  # HR-22: after a front or an empty

    def _legal_downs(self) -> list[str]:
        """HR-24: any card for one counter, except into the first slot of a phase."""
        if self.counters[self._actor] == 0:
            return []
        return [
            f"down {card} lane {number + 1}"
            for number in self._open_lanes()
            if self.lanes[number]
            for card in self._cards()
        ]

    def _legal_swaps(self) -> list[str]:
        """HR-26: not with an empty draw pile."""
        return [f"swap {card}" for card in self._cards()] if self.pile else []

    def _legal_draws(self) -> list[str]:
        """HR-27: with an empty hand, a counter to pay and a card to draw."""
        able = not self._cards() and self.counters[self._actor] > 0 and bool(self.pile)
        return ["draw"] if able else []

    def _legal_sells(self) -> list[str]:
        """HR-28: without counters, while the bank has one."""
        able = self.counters[self._actor] == 0 and self.bank > 0
        return [f"sell {card}" for card in self._cards()] if able else []

    # ---------------------------------------------------------------------------------- steps

    def step(self, action: str, events: list[Event], after: dict[str, Any]) -> list[Event]:
        """Play the action with the recorded chance; return the events that must have happened."""
        return self.play(action, RecordChance(events, after))

    def play(self, action: str, chance: Chance) -> list[Event]:
        """Play the action with chance from the given source; return what happened."""
        require(action in self.legal(), f"{action!r} is not a legal action")
        self.chance = chance
        self.events: list[Event] = []
        if self.phase == "bet":
            self._back(action)
        elif self.phase == "race":
            self._take_turn(action)
        else:
            self._take_out(action)
        return self.events

    def _tell(self, kind: str, **details: Any) -> None:
        self.events.append({"kind": kind, **details})

    def _left_of(self, player: int) -> int:
        """The next player clockwise."""
        return (player + 1) % self.players

    def _clockwise_from(self, player: int) -> list[int]:
        """All players in seating order, this one first."""
        return [(player + step) % self.players for step in range(self.players)]

    def _back(self, action: str) -> None:
        """HR-11: one of a player's three bets; HR-12: after the last, draw who begins."""
        player = self._actor
        self.bets[player].append(int(action.split()[1]))
        if len(self.bets[player]) < BACKED:
            return
        if player < self.players - 1:
            self.to_act = player + 1
            return
        self.phase = "race"
        self.starter = self.to_act = self.chance.starter(self.players)
        self._tell("stage", stage=1, starter=self.starter)

    def _take_turn(self, action: str) -> None:
        """HR-20: one action, then what it sets off, then the next player."""
        player = self._actor
        self._act(player, action)
        self.passes = self.passes + 1 if action == "pass" else 0  # HR-36
        self.must_open = False  # HR-35: only a phase's first turn is bound
        if any(len(lane) == SLOTS[self.stage] for lane in self.lanes):
            self._end_phase(reached_by=player)  # HR-30
        elif self.passes == self.players:
            self._end_phase(reached_by=None)  # HR-36
        else:
            self._end_turn(self._left_of(player))

    def _act(self, player: int, action: str) -> None:
        verb, *words = action.split()
        if verb in ("up", "down"):
            self._place(player, words[0], int(words[2]) - 1, face_up=verb == "up")
        elif verb == "swap":
            self._discard(player, words[0])  # HR-26
            self._draw(player)
        elif verb == "draw":
            self._pay(player)  # HR-27
            self._draw(player)
        elif verb == "sell":
            self._discard(player, words[0])  # HR-28
            self.bank -= 1
            self.counters[player] += 1

    def _place(self, player: int, card: str, lane: int, face_up: bool) -> None:
        """HR-21, HR-24, HR-25."""
        if not face_up:
            self._pay(player)
        self.hands[player][card] -= 1
        self.lanes[lane].append({"card": card, "up": face_up, "by": player})
        self.last_placer = player

    def _pay(self, player: int) -> None:
        """HR-05: a counter goes to the bank."""
        self.counters[player] -= 1
        self.bank += 1

    def _discard(self, player: int, card: str) -> None:
        """HR-26, HR-28: a card from the hand leaves the game."""
        self.hands[player][card] -= 1
        self.out_of_game[card] += 1

    def _draw(self, player: int) -> None:
        """The top card of the pile goes into the hand."""
        card = self.pile.pop(0)
        self.hands[player][card] += 1
        self._tell("drew", player=player, card=card)

    def _end_turn(self, next_player: int) -> None:
        """HR-47: the guard, or the next turn."""
        if self.turn == self.options["max_turns"]:
            self._end_game("truncated")
        else:
            self.turn += 1
            self.to_act = next_player

    def _end_game(self, reason: str) -> None:
        self.reason = reason
        self.phase = "end"
        self.to_act = None
        self.must_open = False

    # --------------------------------------------------------------------------------- phases

    def _end_phase(self, reached_by: int | None) -> None:
        """HR-30 … HR-36: score; then the end, a fall, or the next phase."""
        self._reveal()
        pairs = self._score_pairs()
        if self.stage == 3:
            self._score_places(pairs)
            self._end_game("finished")
        elif not (self.options["falls"] and reached_by is not None and self._falls(reached_by)):
            self._next_phase()

    def _reveal(self) -> None:
        """HR-31: turn up what lies face down."""
        for lane, slot, placed in self._placed():
            if not placed["up"]:
                placed["up"] = True
                self._tell("reveal", lane=lane, slot=slot, card=placed["card"])

    def _placed(self) -> list[tuple[int, int, dict[str, Any]]]:
        """The phase's cards by lane, then slot, both counted from 1."""
        return [
            (lane, slot, placed)
            for lane, cards in enumerate(self.lanes, start=1)
            for slot, placed in enumerate(cards, start=1)
        ]

    def _score_pairs(self) -> list[tuple[int, int, int]]:
        """HR-31, HR-52: a point for each complete horse; returns (lane, front's slot, horse)."""
        pairs = []
        for lane, slot, placed in self._placed():
            if slot == 1 or placed["card"] != FRONT:
                continue
            before = self.lanes[lane - 1][slot - 2]["card"]
            if not is_rear(before):
                continue
            horse = int(before[1:])
            if horse in self.horses_out:
                continue
            pairs.append((lane, slot, horse))
            self._give(horse, 1)
            self._tell("pair", lane=lane, slot=slot, horse=horse)
        return pairs

    def _give(self, horse: int, points: int) -> None:
        self.points[horse - 1] += points

    def _score_places(self, pairs: list[tuple[int, int, int]]) -> None:
        """HR-40, HR-41: every pair at one of the three positions nearest to the finish."""
        positions = sorted({slot for _, slot, _ in pairs}, reverse=True)
        for place, position in enumerate(positions[: len(BONUS)], start=1):
            for lane, slot, horse in pairs:  # already by lane
                if slot == position:
                    bonus = BONUS[place]
                    self._give(horse, bonus)
                    self._tell("place", horse=horse, lane=lane, place=place, bonus=bonus)

    def _falls(self, reacher: int) -> bool:
        """HR-50, HR-51: draw at the obstacle; True if a horse must now be chosen."""
        order = self._clockwise_from(reacher)
        drawn = self.chance.hurdle(order)
        for player, kind in zip(order, drawn, strict=False):
            self._tell(kind, player=player)
        if "fall" not in drawn:
            return False
        faller = order[drawn.index("fall")]
        self.phase = "fall"
        self.to_act = self._left_of(reacher) if faller == reacher else reacher
        return True

    def _take_out(self, action: str) -> None:
        """HR-51, HR-52: a horse leaves the race and loses its points."""
        horse = int(action.split()[1])
        self.horses_out.append(horse)
        self.points[horse - 1] = 0
        self._tell("out", horse=horse, by=self._actor)
        self.phase = "race"
        self._next_phase()

    def _next_phase(self) -> None:
        """HR-32 … HR-36: clear the lanes, deal, and let the next player open."""
        opener = self._next_opener()
        placed = [card["card"] for _, _, card in self._placed()]
        self.lanes = [[] for _ in self.lanes]
        if self.stage == 1:
            self.pile = self.pile + self.chance.shuffle_under(self.pile, placed)  # HR-32
        else:
            self.out_of_game.update(placed)  # HR-33
            self._deal(opener)
        self.stage += 1
        self.starter = opener
        self.passes = 0
        self.must_open = True  # HR-35
        self.last_placer = None
        self._tell("stage", stage=self.stage, starter=opener)
        self._end_turn(opener)

    def _next_opener(self) -> int:
        """HR-34, HR-36: left of the last placer, or of the phase's starter if nobody placed."""
        if self.last_placer is not None:
            return self._left_of(self.last_placer)
        if self.starter is None:
            raise Divergence("HR-12: nobody began the phase")
        return self._left_of(self.starter)

    def _deal(self, first: int) -> None:
        """HR-33: one card each in rounds, to those below five."""
        while self.pile and any(hand.total() < HAND for hand in self.hands):
            for player in self._clockwise_from(first):
                if self.pile and self.hands[player].total() < HAND:
                    self._draw(player)

    # --------------------------------------------------------------------------------- result

    def result(self) -> dict[str, Any] | None:
        """``reason``, ``scores``, ``ranks``, ``rewards`` when the game is over, else None."""
        if self.reason is None:
            return None
        scores = [self._score(player) for player in range(self.players)]
        keys = [(scores[player], *self._tie_break(player)) for player in range(self.players)]
        ranks = [1 + sum(other > key for other in keys) for key in keys]  # HR-46
        return {
            "reason": self.reason,
            "scores": scores,
            "ranks": ranks,
            "rewards": rewards(self.options["reward"], scores, ranks),
        }

    def _backed_points(self, player: int) -> list[int]:
        """HR-42: the points of the player's first, second and third horse."""
        return [self.points[horse - 1] for horse in self.bets[player]]

    def _score(self, player: int) -> int:
        points = self._backed_points(player)
        if self.options["scoring"] == "first":
            return points[0]  # HR-44
        score = sum(points)  # HR-43
        if self.options["scoring"] == "sum_bonus" and points[0] == max(self.points):
            score += LEADER_BONUS  # HR-45
        return score

    def _tie_break(self, player: int) -> list[int]:
        points = self._backed_points(player)
        return points[1:] if self.options["scoring"] == "first" else points[:1]  # HR-43 … HR-45


def rewards(scheme: str, scores: list[int], ranks: list[int]) -> list[float]:
    """The rewards of all agents under the option ``reward``."""
    n = len(scores)
    if scheme == "win":
        k = ranks.count(1)
        return [n / (n - 1) * (1 / k - 1 / n) if rank == 1 else -1 / (n - 1) for rank in ranks]
    if scheme == "rank":
        middles = [rank + (ranks.count(rank) - 1) / 2 for rank in ranks]  # mean of shared places
        return [1 - 2 * (middle - 1) / (n - 1) for middle in middles]
    total = sum(scores)
    return [(own - (total - own) / (n - 1)) / SCORE_SCALE for own in scores]


# ----------------------------------------------------------------------------------- whole games


def deal_start(options: dict[str, Any], rng: random.Random) -> dict[str, Any]:
    """HR-10: a random starting state."""
    cards = list(all_cards(options).elements())
    rng.shuffle(cards)
    players = options["num_players"]
    hands = [dict(Counter(cards[HAND * p : HAND * (p + 1)])) for p in range(players)]
    return starting_state(options, hands, cards[HAND * players :])


def play(
    options: dict[str, Any],
    seed: int,
    choose: Callable[[Reference, list[str]], str] | None = None,
    limit: int = 100_000,
) -> list[dict[str, Any]]:
    """Play one whole game by the reference alone and return its full record, parsed.

    Options left out take their defaults.  ``choose(reference, legal)`` picks each action (random
    ones without it); more than ``limit`` decisions raise RuntimeError.
    """
    rng = random.Random(seed)
    options = {**DEFAULTS, **options}
    options = checked_options({**options, "rears": list(options["rears"])})
    names = [f"player_{player}" for player in range(options["num_players"])]
    head = {
        "type": "game",
        "format": "racegym-record/1",
        "game": "horse_race",
        "version": 0,
        "options": options,
        "seed": seed,
        "agents": names,
        "policies": [None] * len(names),
        "state": deal_start(options, rng),
    }
    game = Reference(head)
    moves = list(_moves(game, rng, choose, limit))
    return [head, *moves, {"type": "end", **(game.result() or {})}]


def _moves(
    game: Reference,
    rng: random.Random,
    choose: Callable[[Reference, list[str]], str] | None,
    limit: int,
) -> Iterable[dict[str, Any]]:
    """Play the game on to its end, giving one move line per decision."""
    number = 0
    while game.result() is None:
        if number == limit:
            raise RuntimeError(f"the game goes on after {limit} decisions")
        agent, legal = game.to_act, game.legal()
        action = choose(game, legal) if choose else rng.choice(legal)
        events = game.play(action, RandomChance(rng))
        yield {
            "type": "move",
            "n": number,
            "agent": agent,
            "action": action,
            "legal": legal,
            "events": events,
            "state": game.state(),
        }
        number += 1
