"""DR-80 to DR-85: team play."""

from __future__ import annotations

import pytest

import racegym
from racegym.engine.chance import DEALS
from racegym.testing import Order, Pick, scripted
from tests.rules.dino_race.positions import (
    CARDS,
    DECK,
    die,
    drawn,
    egg_counter,
    finished,
    hand,
    kinds,
    moves,
    random_card,
    scene,
)

TRICKS = "push egg steal"


@pytest.mark.parametrize("n", [4, 6, 8])
def test_dr_80_partners_sit_opposite_with_a_dinosaur_each(n: int) -> None:
    position = racegym.make("dino_race", seed=1, num_players=n, teams=True)
    state = position.to_dict()
    assert state["position"] == [[1]] * (n // 2) + [[2]] * (n // 2)
    assert state["lying"] == [[False]] * n
    assert len(state["prizes_left"]) == n
    facts = position.game.encoder("flat").decode(position.observe(0))
    assert facts["partner"] == n // 2


def test_dr_80_dinosaurs_are_numbered_1() -> None:
    play = scene([[3], [3], [5], [6]], [TRICKS + " wild"], egg=1)
    assert moves(play, "move") == ["move 1 wild"]
    assert moves(play, "push") == ["push 1 1"]


def test_dr_81_four_cards_each_and_one_at_two_cards() -> None:
    order = [k for k, card in enumerate(CARDS) for _ in range(DECK[card])]
    setup = [
        Pick(2, 4, DEALS),
        Order([0, 1, 2, 3] * 3, DEALS),
        Order(order, DEALS),
        Order([1] * 4 + [0] * 8, DEALS),
    ]
    play = scripted("dino_race", {"num_players": 4, "teams": True}, setup=setup)
    assert [sum(h.values()) for h in play["hands"]] == [4, 4, 5, 4]
    play = scene([[3], [3], [12], [6]], pile="wild " * 8)
    play.apply("roll", chance=[die("two")])
    assert drawn(play) == [(p, "wild") for p in (0, 1, 3, 1)]


def test_dr_81_no_tricks_against_the_partner() -> None:
    play = scene([[3], [4], [3], [5]], [TRICKS, "wild", "wild", "wild"], egg=1)
    assert [t for t in play.legal() if t.split()[0] in ("push", "trip", "steal", "egg")] == []
    play = scene([[3], [4], [3], [3]], [TRICKS, "wild", "wild", "wild"], egg=0)
    assert moves(play, "egg") == ["egg 3"]


@pytest.mark.parametrize("n", [6, 8])
def test_dr_81_every_opponent_can_be_a_target(n: int) -> None:
    play = scene([[3]] * n, [TRICKS, *["wild"] * (n - 1)], pile="", egg=n // 2)
    others = [p for p in range(n) if p % (n // 2) != 0]
    assert moves(play, "push") == [f"push {p} 1" for p in others]
    assert moves(play, "trip") == [f"trip {p} 1" for p in others]
    assert moves(play, "steal") == [f"steal {p}" for p in others]
    last = others[-1]
    play.apply(f"trip {last} 1", f"push {last} 1", chance=[])
    assert play["lying"][last] == [True]
    assert play["position"][last] == [2]


def test_dr_82_a_card_for_the_partner_once_a_turn() -> None:
    play = scene([[3], [3], [5], [6]], ["wild wild egg", "", "plains"])
    assert moves(play, "hand") == ["hand egg", "hand wild"]
    play.apply("hand wild", chance=[])
    assert play.events == []
    assert (hand(play, 0), hand(play, 2)) == ("wild egg", "plains wild")
    assert play["passed"] is True
    assert moves(play, "hand") == []
    play.apply("roll", chance=[die("plains")])
    assert play["passed"] is False


def test_dr_82_at_any_moment_of_the_play_part() -> None:
    play = scene([[3], [3], [5], [6]], ["wild wild egg", "", "plains"])
    play.apply("move 1 wild", "hand egg", "move 1 wild", chance=[])
    assert hand(play, 2) == "plains egg"


def test_dr_82_not_to_a_partner_at_home() -> None:
    play = scene([[3], [3], [12], [6]], ["wild wild egg"])
    assert moves(play, "hand") == []


def test_dr_82_nor_without_teams() -> None:
    assert moves(scene([[3, 3], [4, 4]], ["wild"]), "hand") == []


def test_dr_82_the_others_do_not_see_it() -> None:
    one = scene([[3], [3], [5], [6]], ["wild egg", "", "plains"]).apply("hand wild", chance=[])
    other = scene([[3], [3], [5], [6]], ["wild egg", "", "plains"]).apply("hand egg", chance=[])
    for p in (1, 3):
        assert one.position.text(p) == other.position.text(p)
        assert (one.position.observe(p) == other.position.observe(p)).all()
    for p in (0, 2):
        assert one.position.text(p) != other.position.text(p)


def test_dr_83_partners_share_what_they_know_of_prizes() -> None:
    play = scene([[11], [3], [5], [6]], ["jungle"], egg=1, prizes_left=[2, 5, 8, 9])
    decode = play.position.game.encoder("flat").decode
    play.apply("move 1 jungle", chance=[])
    for p in (0, 2):  # they may talk when choosing
        assert decode(play.position.observe(p))["prizes_seen"] == [2, 5, 8, 9]
    assert decode(play.position.observe(1))["prizes_seen"] == []
    play.apply("prize 8", chance=[die("swamp")])
    mine, partners = (decode(play.position.observe(p)) for p in (0, 2))
    assert (mine["prizes_own"], mine["prizes_partners"]) == ([8], [])
    assert (partners["prizes_own"], partners["prizes_partners"]) == ([], [8])
    assert mine["prizes_seen"] == partners["prizes_seen"] == [2, 5, 9]


def test_dr_84_who_is_home_discards_and_only_rolls() -> None:
    play = scene([[11], [3], [5], [6]], ["jungle wild push"], egg=1)
    play.apply("move 1 jungle", chance=[])
    assert kinds(play) == ["moved", "home", "discarded", "discarded"]
    play.apply("prize 2", chance=[die("swamp")])
    assert (play["current"], play["to_act"]) == (1, 1)
    assert hand(play, 0) == ""


def test_dr_84_the_egg_goes_to_the_partner_on_the_track() -> None:
    play = scene([[11], [3], [5], [6]], ["jungle wild"], egg=0)
    play.apply("move 1 jungle", chance=[])
    assert kinds(play) == ["moved", "home", "discarded", "egg"]
    assert play.events[-1] == {"kind": "egg", "from": 0, "to": 2}
    assert play["egg"] == 2
    assert (play["phase"], play["egg_counter"]) == ("prize", None)


def test_dr_84_the_egg_is_safe_when_the_second_comes_home() -> None:
    play = scene([[11], [3], [12], [6]], ["jungle"], egg=0)
    play.apply("move 1 jungle", "prize 3", chance=[egg_counter(3)])
    assert play["egg_counter"] == {"value": 8, "player": 0}
    assert play["phase"] == "end"


def test_dr_84_home_by_one_eruption_the_egg_is_not_passed_on() -> None:
    play = scene([[11], [11], [11], [11]], volcano_active=True, lava=10, egg=1)
    play.apply("roll", "give 0", chance=[die("eruption")])
    assert [e["kind"] for e in play.events if e["kind"] == "egg"] == ["egg"]  # the gift only
    assert play["egg"] == 0
    order = []
    while play["phase"] == "prize":
        order.append(play["to_act"])
        last = len(play["prizes_left"]) == 1
        play.apply(play.legal()[0], chance=[egg_counter(0)] if last else [])
    assert order == [0, 1, 2, 3]
    assert play["egg_counter"] == {"value": 5, "player": 0}


def test_dr_52_in_team_play_the_partner_may_get_the_egg() -> None:
    play = scene([[3], [12], [5], [6]], ["wild", "", "plains"], egg=0)
    play.apply("roll", chance=[die("eruption")])
    assert play.legal() == ["give 2", "give 3"]


def test_dr_85_the_team_scores_together() -> None:
    play = finished([[1], [6], [9], [4]], [2, 1, 1, 3], 2, 6, teams=True)
    # team 0: prizes 2 + 10, both red, egg 6, drops 3; team 1: 7 + 5, both green, drops 4
    assert play.position.scores() == [18, 11, 18, 11]
    assert play.position.ranks() == [1, 2, 1, 2]
    assert play.position.rewards() == [1, -1, 1, -1]


def test_dr_85_ranks_are_counted_over_teams() -> None:
    values = {"prize_values": [1, 2, 2, *range(4, 13)]}
    play = finished([[1], [2], [0], [], [], []], value=None, teams=True, options=values)
    assert play.position.scores() == [2, 2, 1, 2, 2, 1]
    assert play.position.ranks() == [1, 1, 3, 1, 1, 3]
    third = 3 / 2 * (1 / 2 - 1 / 3)
    assert play.position.rewards() == pytest.approx([third, third, -0.5] * 2)


def test_dr_85_the_egg_breaks_ties_for_the_team() -> None:
    play = finished([[1], [8], [0], []], egg=2, value=6, teams=True)
    assert play.position.scores() == [9, 9, 9, 9]
    assert play.position.ranks() == [1, 2, 1, 2]


def test_dr_75_a_team_survives_together() -> None:
    options = {"variant": "survive"}
    play = scene([[11], [3], [5], [6]], ["jungle wild"], egg=0, options=options)
    play.apply("move 1 jungle", chance=[die("swamp")])
    assert play["phase"] == "play"  # one of two
    assert play["egg"] == 2
    play = scene([[11], [3], [12], [6]], ["jungle wild"], egg=1, options=options)
    play.apply("move 1 jungle", chance=[])
    assert play.position.scores() == [1, 0, 1, 0]
    assert play.position.ranks() == [1, 2, 1, 2]


def test_dr_76_team_points_and_eggs_are_written_for_each_member() -> None:
    play = scene([[11], [3], [12], [6]], ["jungle"], egg=0, options={"matches": 2}, starter=3)
    deal = [
        Order([0, 1, 2, 3] * 3),
        Order([k for k, card in enumerate(CARDS) for _ in range(DECK[card])]),
        Order([1] * 4 + [0] * 8),
    ]
    play.apply("move 1 jungle", "prize 2", chance=[egg_counter(0), *deal])
    assert play["points"] == [1 + 3 + 5 + 3, 0, 1 + 3 + 5 + 3, 0]
    assert play["eggs_home"] == [1, 0, 1, 0]
    assert (play["current"], play["starter"]) == (0, 3)


def test_dr_53_in_team_play_lava_goes_by_seats() -> None:
    play = scene(
        [[2], [5], [2], [2]],
        ["", "", "plains", "wild"],
        player=3,
        egg=1,
        volcano_active=True,
        lava=1,
    )
    play.apply("roll", chance=[die("eruption")])
    play.apply("give 0", chance=[random_card(0, 1), random_card(0, 1)])
    assert [e["player"] for e in play.of_kind("moved")] == [3, 0, 2]
