"""The golden games: for each file its options, its seed, and how its actions are chosen."""

from __future__ import annotations

from typing import Any, NamedTuple


class Variant(NamedTuple):
    """One golden game."""

    options: dict[str, Any]
    seed: int


VARIANTS: dict[str, dict[str, Variant]] = {
    "cafe_race": {
        "basic-3": Variant({"num_players": 3}, 1),
        "basic-4": Variant({"num_players": 4}, 2),
        "basic-6": Variant({"num_players": 6}, 3),
        "advanced-3": Variant({"num_players": 3, "rules": "advanced"}, 4),
        "advanced-4": Variant({"num_players": 4, "rules": "advanced"}, 5),
        "advanced-6": Variant({"num_players": 6, "rules": "advanced"}, 6),
        "truncated": Variant({"num_players": 3, "max_turns": 2}, 7),
        "truncated-advanced": Variant({"num_players": 3, "max_turns": 2, "rules": "advanced"}, 8),
        "reward-rank": Variant({"num_players": 4, "reward": "rank"}, 9),
        "reward-score": Variant({"num_players": 5, "reward": "score", "rules": "advanced"}, 10),
    },
    "horse_race": {
        "sum-2": Variant({"num_players": 2}, 1),
        "sum-3": Variant({"num_players": 3, "reward": "rank"}, 2),
        "sum-4": Variant({"num_players": 4}, 3),
        "first-3": Variant({"num_players": 3, "scoring": "first"}, 4),
        "sum-bonus-4": Variant({"num_players": 4, "scoring": "sum_bonus", "reward": "score"}, 5),
        "falls-2": Variant({"num_players": 2, "falls": True, "lanes": 4}, 6),
        "falls-4": Variant({"num_players": 4, "falls": True}, 7),
        "poor-2": Variant({"num_players": 2, "counters": 1}, 27),
        "many-of-one-4": Variant({"num_players": 4, "rears": [12, *[1] * 8], "counters": 3}, 9),
        "truncated": Variant({"num_players": 3, "max_turns": 24}, 10),
    },
    "ave_caesar": {
        "white-3": Variant({"num_players": 3}, 1),
        "blue-4-ccw": Variant({"num_players": 4, "course": "blue", "direction": "ccw"}, 2),
        "yellow-5": Variant({"num_players": 5, "reward": "rank"}, 3),
        "red-6-ccw": Variant({"num_players": 6, "course": "red", "direction": "ccw"}, 4),
        "removed-4": Variant({"num_players": 4, "stranded": "removed", "reward": "score"}, 5),
        "tournament-3": Variant({"num_players": 3, "races": 2}, 6),
        "truncated": Variant({"num_players": 4, "max_turns": 12}, 7),
    },
    "dino_race": {
        "standard-2": Variant({"num_players": 2}, 141),
        "standard-3": Variant({"num_players": 3, "reward": "rank"}, 202),
        "standard-4": Variant({"num_players": 4, "reward": "score"}, 373),
        "survive-3": Variant({"num_players": 3, "variant": "survive"}, 520),
        "teams-4": Variant({"num_players": 4, "teams": True}, 663),
        "teams-8": Variant({"num_players": 8, "teams": True}, 777),
        "teams-6-survive": Variant({"num_players": 6, "teams": True, "variant": "survive"}, 1047),
        "two-races-2": Variant({"num_players": 2, "matches": 2}, 1095),
        "two-races-survive-2": Variant(
            {"num_players": 2, "matches": 2, "variant": "survive"}, 1310
        ),
        "values": Variant(
            {"num_players": 2, "prize_values": [3] * 12, "egg_values": [0, 0, 20, 20]}, 1371
        ),
        "truncated": Variant({"num_players": 4, "max_turns": 12}, 11),
    },
}
