"""Dino Race by the clauses: a slow, plain second opinion on the engine's records.

Read it next to the rulebook; the comments name the clauses.  Chance comes from one small object:
:class:`RecordChance` reads it from a record, :class:`RandomChance` draws it.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from tests.reference import Divergence, same

TERRAINS = ("plains", "desert", "swamp", "jungle")
CARDS = (*TERRAINS, "wild", "push", "egg", "steal")
DECK = {card: 8 if card in (*TERRAINS, "wild") else 4 for card in CARDS}  # DR-03
TILES = dict.fromkeys(TERRAINS, 3)  # DR-02
FACES = (*TERRAINS, "two", "eruption")  # DR-04
HOME = 12  # the last tile; whoever stands on it has left the track
PRIZES = 12  # DR-05
DROPS = 22  # DR-05
DEFAULTS: dict[str, Any] = {  # DR-01, DR-05
    "num_players": 4,
    "teams": False,
    "variant": "standard",
    "matches": 1,
    "prize_values": list(range(1, 13)),
    "egg_values": [5, 6, 7, 8],
    "max_turns": 500,
    "reward": "win",
}

Event = dict[str, Any]
Hand = dict[str, int]


def need(condition: bool, message: str) -> None:
    """Raise Divergence with ``message`` unless the condition holds."""
    if not condition:
        raise Divergence(message)


def whole(value: Any) -> bool:
    """Whether the value is a whole number (a truth value is none)."""
    return isinstance(value, int) and not isinstance(value, bool)


def wholes(value: Any, length: int) -> bool:
    """Whether the value is a list of ``length`` whole numbers."""
    return isinstance(value, list) and len(value) == length and all(map(whole, value))


def copied(value: Any) -> Any:
    """A deep copy of a value as JSON knows them."""
    if isinstance(value, dict):
        return {key: copied(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [copied(inner) for inner in value]
    return value


def tally(things: Any) -> Counter[str]:
    """Count a list of names; anything else, or a list of anything else, is refused."""
    need(isinstance(things, list) and all(isinstance(t, str) for t in things), f"no list: {things}")
    return Counter(things)


def listed(hand: Hand) -> list[str]:
    """The cards of a hand one by one, in the order of the card list."""
    return [card for card in CARDS for _ in range(hand[card])]


def pairs(hand: Hand) -> list[str]:
    """Every pair of cards that the hand can give up, in text."""
    return [
        f"{a} {b}"
        for i, a in enumerate(CARDS)
        for b in CARDS[i:]
        if hand[a] and hand[b] and (a != b or hand[a] >= 2)
    ]


# --------------------------------------------------------------------------- options


class Rules:
    """The options of one game, checked, and what follows from them about who plays with whom."""

    def __init__(self, options: dict[str, Any]) -> None:
        known = isinstance(options, dict) and set(options) == set(DEFAULTS)
        need(known, f"the options should be {sorted(DEFAULTS)}: {options}")
        self.n: int = options["num_players"]
        self.teams: bool = options["teams"]
        self.survive: bool = options["variant"] == "survive"
        self.matches: int = options["matches"]
        self.prize_values: list[int] = options["prize_values"]
        self.egg_values: list[int] = options["egg_values"]
        self.max_turns: int = options["max_turns"]
        self.reward: str = options["reward"]
        self.check(options["variant"])

    def check(self, variant: Any) -> None:
        """DR-01: refuse what the clauses refuse."""
        need(isinstance(self.teams, bool), "teams is true or false")
        sizes = (4, 6, 8) if self.teams else (2, 3, 4)
        need(whole(self.n) and self.n in sizes, f"num_players {self.n} is not one of {sizes}")
        need(variant in ("standard", "survive"), f"unknown variant {variant!r}")
        need(whole(self.matches) and self.matches in (1, 2), f"matches {self.matches!r}")
        need(wholes(self.prize_values, PRIZES), "prize_values: twelve whole numbers")  # DR-05
        need(wholes(self.egg_values, 4), "egg_values: four whole numbers")  # DR-05
        need(whole(self.max_turns) and self.max_turns >= 1, f"max_turns {self.max_turns!r}")
        need(self.reward in ("win", "rank", "score"), f"unknown reward {self.reward!r}")

    @property
    def sides(self) -> int:
        """How many compete: the players, or with teams the teams (DR-85)."""
        return self.n // 2 if self.teams else self.n

    def side(self, player: int) -> int:
        """The side of a player; in team play i and i + n/2 are one (DR-80)."""
        return player % self.sides

    def members(self, side: int) -> list[int]:
        """The players of a side."""
        return list(range(side, self.n, self.sides))

    def partner(self, player: int) -> int:
        """The other one of a team (DR-80)."""
        return (player + self.n // 2) % self.n

    def places(self) -> list[list[int]]:
        """Where the dinosaurs begin (DR-10; in team play DR-80)."""
        if self.teams:
            return [[1] if player < self.n // 2 else [2] for player in range(self.n)]
        return [[1, 2] for _ in range(self.n)]

    @property
    def dealt(self) -> int:
        """Cards dealt to each player (DR-11, DR-81)."""
        return 4 if self.teams else 5

    @property
    def per_player(self) -> int:
        """Dinosaurs of each player (DR-01, DR-80)."""
        return 1 if self.teams else 2

    @property
    def prizes(self) -> int:
        """Prize counters in a race: one per dinosaur (DR-12), none in "survive" (DR-75)."""
        return 0 if self.survive else self.n * self.per_player

    @property
    def score_scale(self) -> int:
        """DR-74."""
        return 1 if self.survive else 10


@dataclass
class Deal:
    """What chance decides before a race: track, hands after the first draw, pile, prizes."""

    tiles: list[str]
    hands: list[Hand]
    pile: list[str]
    prizes: list[int]


def check_deal(rules: Rules, starter: int, deal: Deal) -> None:
    """Whether the deal is one that the set-up can produce (DR-02, 03, 10, 11, 12, 21, 81)."""
    need(tally(deal.tiles) == TILES, f"impossible track: {deal.tiles}")
    need(isinstance(deal.hands, list) and len(deal.hands) == rules.n, "one hand for each player")
    cards = tally(deal.pile)
    for player, hand in enumerate(deal.hands):
        need(isinstance(hand, dict) and set(hand) == set(CARDS), f"hand of {player}: {hand}")
        need(all(whole(k) and k >= 0 for k in hand.values()), f"hand of {player}: {hand}")
        size = rules.dealt + (rules.per_player if player == starter else 0)
        need(sum(hand.values()) == size, f"hand of {player} should have {size} cards: {hand}")
        cards.update(hand)
    need(+cards == Counter(DECK), f"hands and pile are not the 52 cards: {dict(cards)}")
    ids = deal.prizes
    need(wholes(ids, rules.prizes), f"there should be {rules.prizes} prizes: {ids}")
    need(ids == sorted(set(ids) & set(range(PRIZES))), f"impossible prizes: {ids}")


def recorded_deal(state: dict[str, Any]) -> Deal:
    """The deal that a recorded first state of a race shows."""
    fields = [copied(state.get(key)) for key in ("tiles", "hands", "pile", "prizes_left")]
    return Deal(*fields)  # type: ignore[arg-type]


# --------------------------------------------------------------------------- chance


class Chance(Protocol):
    """Where everything random comes from; ``at`` is the number of the event that will tell it."""

    def die(self, at: int) -> str:
        """A face of the event die."""

    def card(self, kind: str, hand: Hand, at: int) -> str:
        """A card at random from a hand that is not empty, told by an event of this kind."""

    def shuffle(self, discards: Hand, at: int) -> list[str]:
        """The discards in a random order."""

    def egg_value(self, values: list[int], at: int) -> int:
        """The value of one of the egg counters."""

    def deal(self, rules: Rules, starter: int) -> Deal:
        """A set-up for a new race."""


class RandomChance:
    """Chance drawn from a generator."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng

    def die(self, at: int) -> str:
        """DR-04."""
        return self.rng.choice(FACES)

    def card(self, kind: str, hand: Hand, at: int) -> str:
        """Each single card is equally likely."""
        return self.rng.choice(listed(hand))

    def shuffle(self, discards: Hand, at: int) -> list[str]:
        """DR-21."""
        return self.mixed(listed(discards))

    def egg_value(self, values: list[int], at: int) -> int:
        """DR-63."""
        return self.rng.choice(values)

    def deal(self, rules: Rules, starter: int) -> Deal:
        """DR-10 to DR-12 and the first player's first draw (DR-21)."""
        tiles = self.mixed([terrain for terrain in TERRAINS for _ in range(TILES[terrain])])
        pile = self.mixed(listed(DECK))
        hands = [dict.fromkeys(CARDS, 0) for _ in range(rules.n)]
        for player, hand in enumerate(hands):
            for _ in range(rules.dealt + (rules.per_player if player == starter else 0)):
                hand[pile.pop(0)] += 1
        return Deal(tiles, hands, pile, sorted(self.rng.sample(range(PRIZES), rules.prizes)))

    def mixed(self, things: list[str]) -> list[str]:
        """A shuffled copy."""
        return self.rng.sample(things, len(things))


class RecordChance:
    """Chance as a record tells it, checked to be possible."""

    def __init__(self, events: list[Event], after: dict[str, Any]) -> None:
        need(isinstance(events, list) and all(isinstance(e, dict) for e in events), "no events")
        need(isinstance(after, dict), "no state after the move")
        self.events = events
        self.after = after

    def event(self, kind: str, at: int) -> Event:
        """Event number ``at``, which must be of this kind."""
        need(at < len(self.events), f"event {at}: {kind!r} is missing")
        found = self.events[at]
        need(found.get("kind") == kind, f"event {at}: {kind!r} should come here, not {found}")
        return found

    def die(self, at: int) -> str:
        """The face in the ``die`` event."""
        face: Any = self.event("die", at).get("face")
        need(face in FACES, f"event {at}: the die has no face {face!r}")
        return face

    def card(self, kind: str, hand: Hand, at: int) -> str:
        """The card in a ``discarded`` or ``stole`` event."""
        card: Any = self.event(kind, at).get("card")
        need(card in CARDS and hand[card] > 0, f"event {at}: {card!r} is not in the hand {hand}")
        return card

    def shuffle(self, discards: Hand, at: int) -> list[str]:
        """The new pile's order: what is drawn until the next shuffle, then what is left after.

        No step can shuffle and begin another race, so the state after shows this race's pile.
        """
        self.event("shuffle", at)
        order: list[Any] = []
        for event in self.events[at + 1 :]:
            if event.get("kind") == "shuffle":
                break
            if event.get("kind") == "drew":
                order.append(event.get("card"))
        else:
            pile = self.after.get("pile")
            need(isinstance(pile, list), f"the state after has no pile: {pile!r}")
            order += pile  # type: ignore[arg-type]
        need(tally(order) == +Counter(discards), f"event {at}: the new pile is not the discards")
        return order

    def egg_value(self, values: list[int], at: int) -> int:
        """The value in the ``egg_safe`` event."""
        value: Any = self.event("egg_safe", at).get("value")
        need(whole(value) and value in values, f"event {at}: no egg counter is worth {value!r}")
        return value

    def deal(self, rules: Rules, starter: int) -> Deal:
        """The second race's set-up, which only the state after shows."""
        return recorded_deal(self.after)


# --------------------------------------------------------------------------- the game


class Reference:
    """One game of Dino Race in progress."""

    def __init__(self, game_line: dict[str, Any]) -> None:
        need(game_line.get("game") == "dino_race", f"another game: {game_line.get('game')!r}")
        self.rules = Rules(game_line["options"])
        names = [f"player_{player}" for player in range(self.rules.n)]
        same("start", "agents", names, game_line.get("agents", names))
        state = game_line["state"]
        need(isinstance(state, dict), "the game line has no state")
        starter = state.get("starter")
        need(whole(starter) and 0 <= starter < self.rules.n, f"impossible starter {starter!r}")
        self.starter: int = starter  # DR-13
        self.race, self.turn = 1, 1
        self.points = [0] * self.rules.n
        self.eggs_home = [0] * self.rules.n
        self.set_up(starter, recorded_deal(state))
        self.ask("play", starter)
        same("start", "state", self.state(), state)

    def set_up(self, first: int, deal: Deal) -> None:
        """A fresh race (DR-10 to DR-13); the first player has drawn already."""
        check_deal(self.rules, first, deal)
        n = self.rules.n
        self.current = self.egg = first  # DR-13
        self.tiles, self.hands, self.pile = deal.tiles, deal.hands, deal.pile
        self.prizes_left = deal.prizes  # DR-12
        self.discards: Hand = dict.fromkeys(CARDS, 0)
        self.volcano_active, self.lava = False, 0
        self.position = self.rules.places()
        self.lying = [[False] * self.rules.per_player for _ in range(n)]
        self.prizes: list[list[int]] = [[] for _ in range(n)]
        self.egg_counter: dict[str, int] | None = None
        self.drops = [0] * n
        self.drop_supply = 0 if self.rules.survive else DROPS  # DR-05, DR-75
        self.last_die: str | None = None
        self.passed = False
        self.rolled = False  # this turn's die has been thrown
        self.choosers: list[int] = []  # who is still to choose a prize, in order

    def ask(self, phase: str, player: int | None) -> None:
        """Stop here: this player decides next."""
        self.phase, self.to_act = phase, player

    def state(self) -> dict[str, Any]:
        """The whole state, with the fields the record format names."""
        fields = (
            "race turn phase to_act current starter tiles volcano_active lava position lying hands "
            "pile discards egg prizes_left prizes egg_counter drops drop_supply last_die passed "
            "points eggs_home"
        )
        return {name: copied(getattr(self, name)) for name in fields.split()}

    # ----------------------------------------------------------------- who and where

    def clockwise(self) -> list[int]:
        """All players, beginning with the one whose turn it is."""
        return [(self.current + k) % self.rules.n for k in range(self.rules.n)]

    def on_track(self, player: int) -> bool:
        """Whether the player still has a dinosaur on the track."""
        return any(place < HOME for place in self.position[player])

    def side_home(self, side: int) -> bool:
        """Whether all dinosaurs of a player, or of a team, are home."""
        return not any(self.on_track(player) for player in self.rules.members(side))

    def is_lava(self, tile: int) -> bool:
        """Whether a tile is covered, or is the active volcano."""
        return self.volcano_active if tile == 0 else tile <= self.lava

    def targets(self, player: int) -> list[tuple[int, int]]:
        """Opposing dinosaurs (owner, number) on a tile with one of the player's (DR-30, DR-81)."""
        own = {place for place in self.position[player] if place < HOME}
        return [
            (other, dino)
            for other in range(self.rules.n)
            if self.rules.side(other) != self.rules.side(player)
            for dino, place in enumerate(self.position[other], start=1)
            if place in own
        ]

    # ----------------------------------------------------------------- legal actions

    def legal(self) -> list[str]:
        """Every action open to the player to act, in text, sorted as strings."""
        if self.to_act is None:
            return []
        if self.phase == "prize":
            actions = [f"prize {k}" for k in self.prizes_left]  # DR-60
        elif self.phase == "give":
            actions = [f"give {player}" for player in self.heirs()]  # DR-52
        elif self.phase == "pay":
            actions = [f"pay {pair}" for pair in pairs(self.hands[self.to_act])]  # DR-34
        else:
            actions = self.legal_play(self.to_act)
        return sorted(actions)

    def legal_play(self, me: int) -> list[str]:
        """DR-22: the play part."""
        hand = self.hands[me]
        actions = ["roll", *self.legal_moves(me), *self.legal_specials(me)]
        actions += [f"exchange {pair}" for pair in pairs(hand)]  # DR-40
        if sum(hand.values()) >= 2:  # DR-34
            actions += [f"stand {d}" for d, lies in enumerate(self.lying[me], start=1) if lies]
        if self.rules.teams and not self.passed and self.on_track(self.rules.partner(me)):  # DR-82
            actions += [f"hand {card}" for card in CARDS if hand[card]]
        return actions

    def legal_moves(self, me: int) -> list[str]:
        """DR-23, DR-24."""
        hand, actions = self.hands[me], []
        for dino, place in enumerate(self.position[me], start=1):
            if place == HOME or self.lying[me][dino - 1]:
                continue
            ahead = self.tiles[place]  # the list begins with tile 1
            actions += [f"move {dino} {card}" for card in (ahead, "wild") if hand[card]]
            actions += [f"move {dino} three {card}" for card in CARDS if hand[card] >= 3]
        return actions

    def legal_specials(self, me: int) -> list[str]:
        """DR-30 to DR-35."""
        hand, actions = self.hands[me], set()
        for owner, dino in self.targets(me):
            if hand["push"] and self.position[owner][dino - 1] > 0:  # DR-31
                actions.add(f"push {owner} {dino}")
            if hand["egg"] and self.egg == me:  # DR-32
                actions.add(f"egg {owner}")
            if hand["egg"] and self.egg != me and not self.lying[owner][dino - 1]:  # DR-33
                actions.add(f"trip {owner} {dino}")
            if hand["steal"] and any(self.hands[owner].values()):  # DR-35
                actions.add(f"steal {owner}")
        return sorted(actions)

    def heirs(self) -> list[int]:
        """Who may be given the egg in an eruption; a partner may (DR-52)."""
        return [p for p in range(self.rules.n) if p != self.egg and self.on_track(p)]

    # ----------------------------------------------------------------- one step

    def step(
        self, action: str, events: list[dict[str, Any]], after: dict[str, Any]
    ) -> list[dict[str, Any]]:
        """Play ``action``, with the record's chance, and return the events it must have had."""
        return self.advance(action, RecordChance(events, after))

    def advance(self, action: str, chance: Chance) -> list[Event]:
        """Play ``action`` with this source of chance and return its events."""
        need(action in self.legal(), f"{action!r} is not legal")
        self.chance = chance
        self.events: list[Event] = []
        verb, *words = action.split()
        getattr(self, f"do_{verb}")(self.to_act, *words)
        return self.events

    def tell(self, kind: str, **fields: Any) -> None:
        """Note that something happened."""
        self.events.append({"kind": kind, **fields})

    def go_on(self) -> None:
        """Let happen what happens by itself, until somebody is to decide or the game is over."""
        self.ask("", None)
        while not self.phase:
            if self.choosers:
                self.ask("prize", self.choosers[0])  # DR-60
            elif self.decided():
                self.end_race()
            elif self.rolled:
                self.end_turn()
            elif self.on_track(self.current):
                self.ask("play", self.current)
            else:
                self.roll_die()  # DR-62, DR-84

    # ----------------------------------------------------------------- the play part

    def spend(self, player: int, *cards: str) -> None:
        """Cards leave the hand for the discards (DR-25)."""
        for card in cards:
            self.hands[player][card] -= 1
            self.discards[card] += 1

    def do_roll(self, me: int) -> None:
        """DR-22: the play part is over."""
        self.roll_die()
        if self.phase != "give":
            self.go_on()

    def do_move(self, me: int, dino: str, *cost: str) -> None:
        """DR-23."""
        self.spend(me, *([cost[1]] * 3 if cost[0] == "three" else cost))
        self.forward(me, int(dino), "card")
        if self.position[me][int(dino) - 1] == HOME:
            self.arrive([(me, int(dino))])
        self.go_on()

    def do_push(self, me: int, owner: str, dino: str) -> None:
        """DR-31."""
        self.spend(me, "push")
        target, index = int(owner), int(dino) - 1
        back = self.position[target][index] - 1
        if self.is_lava(back):
            self.tell("burned", player=target, dino=index + 1)
            self.take_drop(target)
            self.discard_random(target)
        else:
            self.position[target][index] = back
            self.tell("moved", player=target, dino=index + 1, to=back, why="push")
        self.go_on()

    def do_egg(self, me: int, owner: str) -> None:
        """DR-32."""
        self.spend(me, "egg")
        self.pass_egg(int(owner))
        self.go_on()

    def do_trip(self, me: int, owner: str, dino: str) -> None:
        """DR-33."""
        self.spend(me, "egg")
        self.lying[int(owner)][int(dino) - 1] = True
        self.go_on()

    def do_steal(self, me: int, owner: str) -> None:
        """DR-35."""
        self.spend(me, "steal")
        victim = self.hands[int(owner)]
        card = self.chance.card("stole", victim, len(self.events))
        victim[card] -= 1
        self.hands[me][card] += 1
        self.tell("stole", **{"player": me, "from": int(owner), "card": card})
        self.go_on()

    def do_stand(self, me: int, dino: str) -> None:
        """DR-34: up at once, then pay."""
        self.lying[me][int(dino) - 1] = False
        self.ask("pay", me)

    def do_pay(self, me: int, first: str, second: str) -> None:
        """DR-34."""
        self.spend(me, first, second)
        self.go_on()

    def do_exchange(self, me: int, first: str, second: str) -> None:
        """DR-40; the two are discarded before the draw (DR-21)."""
        self.spend(me, first, second)
        self.draw(me, 1)
        self.go_on()

    def do_hand(self, me: int, card: str) -> None:
        """DR-82."""
        self.hands[me][card] -= 1
        self.hands[self.rules.partner(me)][card] += 1
        self.passed = True
        self.go_on()

    # ----------------------------------------------------------------- small happenings

    def draw(self, player: int, number: int) -> None:
        """DR-21."""
        for _ in range(number):
            if not self.pile and any(self.discards.values()):
                self.pile = self.chance.shuffle(self.discards, len(self.events))
                self.discards = dict.fromkeys(CARDS, 0)
                self.tell("shuffle")
            if self.pile:
                card = self.pile.pop(0)
                self.hands[player][card] += 1
                self.tell("drew", player=player, card=card)

    def discard_random(self, player: int) -> None:
        """One card at random, if there is any."""
        hand = self.hands[player]
        if any(hand.values()):
            card = self.chance.card("discarded", hand, len(self.events))
            self.spend(player, card)
            self.tell("discarded", player=player, card=card, why="random")

    def discard_hand(self, player: int, why: str) -> None:
        """All cards, in the order of the card list."""
        for card in listed(self.hands[player]):
            self.spend(player, card)
            self.tell("discarded", player=player, card=card, why=why)

    def take_drop(self, player: int) -> None:
        """DR-06: as long as there are any ("survive" has none, DR-75)."""
        if self.drop_supply:
            self.drop_supply -= 1
            self.drops[player] += 1
            self.tell("drop", player=player)

    def pass_egg(self, heir: int) -> None:
        """The egg changes hands."""
        self.tell("egg", **{"from": self.egg, "to": heir})
        self.egg = heir

    def forward(self, player: int, dino: int, why: str) -> None:
        """A dinosaur goes to the next tile; one that gets home gets up, too."""
        self.position[player][dino - 1] += 1
        place = self.position[player][dino - 1]
        if place == HOME:
            self.lying[player][dino - 1] = False
        self.tell("moved", player=player, dino=dino, to=place, why=why)

    # ----------------------------------------------------------------- the event die

    def roll_die(self) -> None:
        """DR-50 to DR-52; an eruption stops for the owner's choice if there is one to make."""
        face = self.chance.die(len(self.events))
        self.rolled, self.last_die = True, face
        self.tell("die", player=self.current, face=face)
        if face == "eruption":
            self.erupt()
            return
        for player in self.clockwise():
            if self.on_track(player):
                self.draw(player, self.die_cards(player, face))

    def die_cards(self, player: int, face: str) -> int:
        """How many cards the die brings a player (DR-50, DR-51, DR-81)."""
        if face == "two":
            return 1 if self.rules.teams else 2
        ground = [p for p in self.position[player] if p < HOME and p > 0 and not self.is_lava(p)]
        return sum(self.tiles[p - 1] == face for p in ground)

    def erupt(self) -> None:
        """DR-52."""
        self.discard_hand(self.egg, "eruption")
        self.take_drop(self.egg)
        if self.heirs():
            self.ask("give", self.egg)
        else:
            self.lava_flows()

    def do_give(self, me: int, heir: str) -> None:
        """DR-52, then on to the second part."""
        self.pass_egg(int(heir))
        self.lava_flows()
        self.go_on()

    def lava_flows(self) -> None:
        """DR-53."""
        tile = self.lava + 1 if self.volcano_active else 0
        self.volcano_active, self.lava = True, tile
        self.tell("lava", tile=tile)
        touched = self.standing_on(tile)
        for player, dino in touched:
            self.forward(player, dino, "lava")
            self.discard_random(player)
            self.take_drop(player)
        if tile + 1 == HOME:
            self.arrive(touched)

    def standing_on(self, tile: int) -> list[tuple[int, int]]:
        """The dinosaurs (owner, number) on a tile, clockwise, 1 before 2 (DR-53)."""
        return [
            (player, dino)
            for player in self.clockwise()
            for dino, place in enumerate(self.position[player], start=1)
            if place == tile
        ]

    # ----------------------------------------------------------------- coming home

    def arrive(self, dinosaurs: list[tuple[int, int]]) -> None:
        """DR-60: the arrivals, then (as asked later) the prize choices in the same order."""
        for player, dino in dinosaurs:
            self.tell("home", player=player, dino=dino)
            if not self.on_track(player):
                self.discard_hand(player, "home")  # DR-62, DR-84
                if self.rules.teams and self.egg == player:
                    self.leave_egg(self.rules.partner(player))
        if not self.rules.survive:  # DR-75
            self.choosers = [player for player, _ in dinosaurs]

    def leave_egg(self, partner: int) -> None:
        """DR-84: only to a partner who is still on the way."""
        if self.on_track(partner):
            self.pass_egg(partner)

    def do_prize(self, me: int, prize: str) -> None:
        """DR-60."""
        self.choosers.pop(0)
        self.prizes_left.remove(int(prize))
        self.prizes[me].append(int(prize))
        self.go_on()

    # ----------------------------------------------------------------- ends

    def end_turn(self) -> None:
        """DR-20, DR-73: the next player draws, unless the game is cut."""
        if self.turn == self.rules.max_turns:
            self.ask("end", None)
            return
        self.turn += 1
        self.current = (self.current + 1) % self.rules.n
        self.rolled = self.passed = False
        self.draw(self.current, sum(place < HOME for place in self.position[self.current]))

    def decided(self) -> bool:
        """Whether the race has ended: the egg is safe (DR-63, DR-84), or somebody won (DR-75)."""
        if self.rules.survive:
            return any(self.side_home(side) for side in range(self.rules.sides))
        return self.side_home(self.rules.side(self.egg))

    def end_race(self) -> None:
        """DR-63, DR-70, DR-76."""
        if not self.rules.survive:
            value = self.chance.egg_value(self.rules.egg_values, len(self.events))
            self.egg_counter = {"value": value, "player": self.egg}
            self.tell("egg_safe", player=self.egg, value=value)
        if self.rules.matches == 2:
            self.tell("race_over", points=self.race_scores())
        if self.race == self.rules.matches or self.turn == self.rules.max_turns:  # DR-73
            self.ask("end", None)
        else:
            self.next_race()

    def next_race(self) -> None:
        """DR-76."""
        self.points, self.eggs_home = self.race_scores(), self.race_eggs()
        self.race, self.turn = 2, self.turn + 1
        first = (self.starter + 1) % self.rules.n
        self.set_up(first, self.chance.deal(self.rules, first))
        self.tell("race", number=2, starter=first)
        self.ask("play", first)

    # ----------------------------------------------------------------- scores

    def race_scores(self) -> list[int]:
        """This race's scores as it stands, for every player (DR-71, DR-75, DR-85)."""
        score = self.survive_score if self.rules.survive else self.side_score
        return [score(self.rules.side(player)) for player in range(self.rules.n)]

    def survive_score(self, side: int) -> int:
        """DR-75."""
        return 1 if self.side_home(side) else 0

    def side_score(self, side: int) -> int:
        """DR-71, with a team's things put together (DR-85)."""
        members = self.rules.members(side)
        prizes = [prize for player in members for prize in self.prizes[player]]
        score = sum(self.rules.prize_values[prize] for prize in prizes)
        score -= sum(self.drops[player] for player in members)
        if self.egg_counter and self.egg_counter["player"] in members:
            score += self.egg_counter["value"]
        if len(prizes) == 2 and prizes[0] % 2 == prizes[1] % 2:  # DR-05: odd red, even green
            score += 3
        return score

    def race_eggs(self) -> list[int]:
        """Eggs brought home in this race, for every player of the side that did (DR-72)."""
        if self.egg_counter is None:
            return [0] * self.rules.n
        side = self.rules.side(self.egg_counter["player"])
        return [int(self.rules.side(player) == side) for player in range(self.rules.n)]

    def result(self) -> dict[str, Any] | None:
        """``reason``, ``scores``, ``ranks``, ``rewards`` when the game is over, else None."""
        if self.phase != "end":
            return None
        finished = self.race == self.rules.matches and self.decided()
        scores = [a + b for a, b in zip(self.points, self.race_scores(), strict=True)]
        eggs = [a + b for a, b in zip(self.eggs_home, self.race_eggs(), strict=True)]
        merits = [(scores[side], eggs[side]) for side in range(self.rules.sides)]  # DR-72, DR-76
        ranks = [1 + sum(other > merit for other in merits) for merit in merits]
        rewards = self.rewards(scores[: self.rules.sides], ranks)
        sides = [self.rules.side(player) for player in range(self.rules.n)]
        return {
            "reason": "finished" if finished else "truncated",
            "scores": scores,
            "ranks": [ranks[side] for side in sides],
            "rewards": [rewards[side] for side in sides],
        }

    def rewards(self, scores: list[int], ranks: list[int]) -> list[float]:
        """The README's three formulas, over the sides (DR-85)."""
        n = len(scores)
        if self.rules.reward == "score":
            total = sum(scores)
            return [(s - (total - s) / (n - 1)) / self.rules.score_scale for s in scores]
        if self.rules.reward == "rank":
            places = [rank + (ranks.count(rank) - 1) / 2 for rank in ranks]  # ties: the mean
            return [1 - 2 * (place - 1) / (n - 1) for place in places]
        winner = n / (n - 1) * (1 / ranks.count(1) - 1 / n)
        return [winner if rank == 1 else -1 / (n - 1) for rank in ranks]


# --------------------------------------------------------------------------- whole games


def opening(options: dict[str, Any], rng: random.Random) -> dict[str, Any]:
    """A possible first state, the first player having drawn."""
    rules = Rules(options)
    starter = rng.randrange(rules.n)
    deal = RandomChance(rng).deal(rules, starter)
    return {
        "race": 1,
        "turn": 1,
        "phase": "play",
        "to_act": starter,
        "current": starter,
        "starter": starter,
        "tiles": deal.tiles,
        "volcano_active": False,
        "lava": 0,
        "position": rules.places(),
        "lying": [[False] * rules.per_player for _ in range(rules.n)],
        "hands": deal.hands,
        "pile": deal.pile,
        "discards": dict.fromkeys(CARDS, 0),
        "egg": starter,
        "prizes_left": deal.prizes,
        "prizes": [[] for _ in range(rules.n)],
        "egg_counter": None,
        "drops": [0] * rules.n,
        "drop_supply": 0 if rules.survive else DROPS,
        "last_die": None,
        "passed": False,
        "points": [0] * rules.n,
        "eggs_home": [0] * rules.n,
    }


def play(
    options: dict[str, Any],
    seed: int,
    choose: Callable[[Reference, list[str]], str] | None = None,
    limit: int = 100_000,
) -> list[dict[str, Any]]:
    """Play one whole game by the reference alone and return its full record, line by line.

    Actions are random, or ``choose(reference, legal)``; more than ``limit`` of them is an error.
    """
    rng = random.Random(seed)
    options = {**copied(DEFAULTS), **copied(options)}
    head = {
        "type": "game",
        "format": "racegym-record/1",
        "game": "dino_race",
        "version": 0,
        "options": options,
        "seed": seed,
        "agents": [f"player_{player}" for player in range(options["num_players"])],
        "policies": [None] * options["num_players"],
        "state": opening(options, rng),
    }
    game, chance, lines = Reference(head), RandomChance(rng), [head]
    while (result := game.result()) is None:
        if len(lines) > limit:
            raise RuntimeError(f"the game is not over after {limit} actions")
        agent, legal = game.to_act, game.legal()
        action = choose(game, legal) if choose else rng.choice(legal)
        move = {"type": "move", "n": len(lines) - 1, "agent": agent, "action": action}
        move |= {"legal": legal, "events": game.advance(action, chance), "state": game.state()}
        lines.append(move)
    return [*lines, {"type": "end", **result}]
