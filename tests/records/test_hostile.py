"""Files that are wrong in every way a file can be: refused with the line and the reason."""

from __future__ import annotations

import json
import os
import pathlib
import random
from collections.abc import Callable
from typing import Any

import pytest

import racegym
from racegym.records import RecordError, read_games, record_game, record_games, verify, verify_lines

Lines = list[dict[str, Any]]
FULL = record_game("cafe_race", 7, full=True).lines
COMPACT = record_game("cafe_race", 7).lines
LAST = len(FULL)  # number of the end line


def changed(lines: list[str], number: int, **fields: Any) -> list[str]:
    """The record with some fields of a line (from 1) set; ``...`` takes a field out."""
    line = json.loads(lines[number - 1])
    for name, value in fields.items():
        line[name] = value
        if value is ...:
            del line[name]
    return [*lines[: number - 1], json.dumps(line), *lines[number:]]


def within(lines: list[str], number: int, field: str, **parts: Any) -> list[str]:
    """The record with some parts of an object in a line set."""
    inner = {**json.loads(lines[number - 1])[field], **parts}
    inner = {name: value for name, value in inner.items() if value is not ...}
    return changed(lines, number, **{field: inner})


def text(lines: list[str], number: int, old: str, new: str) -> list[str]:
    """The record with a piece of a line's text replaced."""
    assert old in lines[number - 1]
    return [*lines[: number - 1], lines[number - 1].replace(old, new, 1), *lines[number:]]


def assert_refused(lines: list[Any], number: int, reason: str) -> None:
    """Refused by verify_lines, at that line and for that reason, in one short line."""
    with pytest.raises(RecordError) as caught:
        verify_lines(lines)
    assert caught.value.line == number
    assert reason in caught.value.reason
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 500


# --- the record as a whole -----------------------------------------------------------------------


def test_the_untouched_records_verify() -> None:
    """The base of all that follows."""
    assert verify_lines(FULL).full == 1
    verified = verify_lines(COMPACT)
    assert (verified.full, verified.games, verified.moves) == (0, {"cafe_race": 1}, LAST - 2)
    assert verify_lines(FULL + COMPACT).total == 2


@pytest.mark.parametrize(
    ("lines", "number", "reason"),
    [
        ([], 1, "holds no game"),
        ([""], 1, "the line is empty"),
        (FULL[:-1], LAST, "cut off: the game that begins in line 1 has no end"),
        (FULL[:1], 2, "cut off"),
        ([*FULL[:-1], FULL[-1][:-1]], LAST, "not JSON"),
        ([*FULL, ""], LAST + 1, "the line is empty"),
        ([*FULL, "garbage"], LAST + 1, "not JSON"),
        ([*FULL, FULL[-1]], LAST + 1, "of type end where a game line should begin"),
        ([*FULL, FULL[1]], LAST + 1, "of type move where a game line should begin"),
        (FULL[1:], 1, "of type move where a game line should begin"),
        ([*FULL[:3], *FULL], 4, "the one that begins in line 1 has no end line"),
        ([*FULL[:1], *FULL[2:]], 2, "n: expected 0, the record has 1"),
        ([*FULL[:2], *FULL[1:]], 3, "n: expected 1, the record has 0"),
        ([*FULL[:3], *COMPACT[3:]], 4, "without legal"),
        ([*COMPACT[:3], *FULL[3:]], 4, 'has no field "legal"'),
        ([*FULL[:9], FULL[-1]], 10, "it is not over: player_"),
        ([*FULL[:-1], FULL[-2]], LAST, f"n: expected {LAST - 2}"),
        (["[]"], 1, "no JSON object"),
        (['"text"'], 1, "no JSON object"),
        (["null"], 1, "no JSON object"),
        (["{}"], 1, "type is game, move or end, not null"),
        (['{"type":["game"]}'], 1, "type is game, move or end"),
        (['{"type":"gane"}'], 1, 'not "gane"'),
        (["[" * 200_000], 1, "nested too deeply"),
        (['{"type":' * 100_000], 1, "nested too deeply"),
        (["9" * 5000], 1, "too many digits"),
        (['{"type":"' + "x" * 2**20], 1, "longer than 1048576 bytes"),
        ([b"\xff\xfe"], 1, "not UTF-8"),
        ([b"\x00" * 50], 1, "not JSON"),
        (["\ufeff" + FULL[0]], 1, "not JSON"),
    ],
)
def test_lines_that_make_no_record(lines: list[Any], number: int, reason: str) -> None:
    """Cut, mixed up, or no records at all."""
    assert_refused(lines, number, reason)


def test_a_move_after_the_last_one() -> None:
    """The game is over, whatever the line says."""
    move = json.loads(COMPACT[-2])
    extra = json.dumps({**move, "n": move["n"] + 1})
    assert_refused([*COMPACT[:-1], extra, COMPACT[-1]], LAST, "the game is over")


# --- single fields -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"format": "racegym-record/2"}, "this racegym reads racegym-record/1"),
        ({"format": ...}, "the format is null"),
        ({"game": "chess"}, "there is no game 'chess'"),
        ({"game": "os"}, "there is no game 'os'"),
        ({"game": "../cafe_race"}, "there is no game"),
        ({"game": "x" * 10**6}, "game has more than 200 letters"),
        ({"game": "x" * 200}, "there is no game"),
        ({"game": 3}, "game is a text, not 3"),
        ({"game": ...}, "without game"),
        ({"version": 99}, "version 99 of cafe_race; this racegym plays"),
        ({"version": True}, "version is a whole number, not true"),
        ({"version": 0.0}, "version is a whole number, not 0.0"),
        ({"seed": -1}, "a seed is a whole number from 0"),
        ({"seed": 2**63}, "a seed is a whole number from 0"),
        ({"seed": 10**4000}, "a seed is a whole number from 0"),
        ({"seed": 7.0}, "seed is a whole number, not 7.0"),
        ({"seed": "7"}, "seed is a whole number"),
        ({"seed": None}, "seed is a whole number, not null"),
        ({"seed": 8}, "state"),
        ({"agents": ["player_0"] * 4}, "agents[1]"),
        ({"agents": [0, 1, 2, 3]}, 'agents[0]: expected "player_0", the record has 0'),
        ({"agents": [f"player_{p}" for p in range(3)]}, "policies has not one entry per agent"),
        ({"agents": {}}, "agents is a list"),
        ({"policies": [1, 2, 3, 4]}, "policies are names or null"),
        ({"policies": [None]}, "policies has not one entry per agent"),
        ({"policies": None}, "policies is a list, not null"),
        ({"state": []}, "state is an object"),
        ({"state": {}}, "state.round is missing"),
        ({"note": "hello"}, 'no field "note"'),
        ({"polices": []}, "did you mean policies?"),
        ({"options": []}, "options is an object"),
        ({"options": {}}, "options: num_players is missing"),
    ],
)
def test_wrong_game_lines(fields: dict[str, Any], reason: str) -> None:
    """Every field of the first line."""
    assert_refused(changed(COMPACT, 1, **fields), 1, reason)


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"num_players": 2}, "option num_players takes"),
        ({"num_players": 10**18}, "option num_players takes"),
        ({"num_players": 4.0}, "option num_players takes"),
        ({"num_players": True}, "option num_players takes"),
        ({"num_players": 5}, "agents: expected"),
        ({"reward": "rank"}, "rewards: expected"),
        ({"rules": "Basic"}, "option rules takes"),
        ({"rules": ["basic"]}, "option rules takes"),
        ({"rules": {"a": {}}}, "option rules takes"),
        ({"max_turns": None}, "option max_turns takes"),
        ({"max_turns": ...}, "options: max_turns is missing"),
        ({"max_turn": 3}, "unknown option 'max_turn'; did you mean 'max_turns'?"),
        ({"seed": 3}, "unknown option 'seed'"),
        ({"encoder": "flat"}, "unknown option 'encoder'"),
    ],
)
def test_wrong_options(options: dict[str, Any], reason: str) -> None:
    """Missing, unknown, of another type or out of range; the last line where only it can tell."""
    number = LAST if "reward" in options else 1
    assert_refused(within(COMPACT, 1, "options", **options), number, reason)


@pytest.mark.parametrize("lines", [FULL, COMPACT])
@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"n": 3}, "n: expected 2, the record has 3"),
        ({"n": 2.0}, "n is a whole number, not 2.0"),
        ({"n": True}, "n is a whole number, not true"),
        ({"n": 10**4000}, "n: expected 2"),
        ({"agent": 3}, "agent: expected 2, the record has 3"),
        ({"agent": "player_2"}, "agent is a whole number"),
        ({"agent": -1}, "agent is 0 to 3, not -1"),
        ({"agent": 10**9}, "agent is 0 to 3"),
        ({"action": "impulse 7"}, "'impulse 7' is no action"),
        ({"action": "Impulse 1"}, "is no action"),
        ({"action": ""}, "is no action"),
        ({"action": "x" * 10**6}, "action has more than 200 letters"),
        ({"action": "x" * 150}, "is no action"),
        ({"action": "bid 3"}, "(bid 3) is not legal for player_2 now"),
        ({"action": 3}, "action is a text, not 3"),
        ({"action": ...}, "without action"),
        ({"type": "mov"}, "type is game, move or end"),
        ({"comment": 1}, 'no field "comment"'),
    ],
)
def test_wrong_move_lines(lines: list[str], fields: dict[str, Any], reason: str) -> None:
    """Every field that compact and full records share."""
    assert_refused(changed(lines, 4, **fields), 4, reason)


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"legal": []}, "legal: expected"),
        ({"legal": [f"impulse {k}" for k in (2, 1, 3, 4, 5, 6)]}, "legal[0]: expected"),
        ({"legal": "all"}, "legal is a list"),
        ({"legal": ...}, "without legal"),
        ({"events": None}, "events is a list"),
        ({"events": [{"kind": "restart", "player": 0}]}, "events: expected []"),
        ({"state": None}, "state is an object"),
        ({"state": {}}, "state.round is missing"),
    ],
)
def test_wrong_full_move_lines(fields: dict[str, Any], reason: str) -> None:
    """What only full records have."""
    assert_refused(changed(FULL, 4, **fields), 4, reason)


@pytest.mark.parametrize(
    ("parts", "reason"),
    [
        ({"coffee": [5, 5, 5, 4]}, "state.coffee[3]: expected 5, the record has 4"),
        ({"coffee": [5, 5, 5]}, "state.coffee: expected [5, 5, 5, 5]"),
        ({"round": 1.0}, "state.round: expected 1, the record has 1.0"),
        ({"round": True}, "state.round: expected 1, the record has true"),
        ({"last_round": 0}, "state.last_round: expected false, the record has 0"),
        ({"phase": ...}, "state.phase is missing"),
        ({"extra": 1}, "should not be there"),
        ({"auctioneer": 0}, "state.auctioneer: expected null"),
    ],
)
def test_wrong_states(parts: dict[str, Any], reason: str) -> None:
    """A number, a type, a field."""
    assert_refused(within(FULL, 4, "state", **parts), 4, reason)
    assert_refused(within(FULL, 1, "state", **parts), 1, reason)


def test_a_changed_event_is_named() -> None:
    """Which event and which part of it."""
    number = next(n for n, line in enumerate(FULL, 1) if '"kind":"move"' in line)
    lines = text(FULL, number, '"barred":false', '"barred":true')
    assert_refused(lines, number, "].barred: expected false, the record has true")


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"reason": "truncated"}, 'reason: expected "finished"'),
        ({"reason": None}, "reason is a text"),
        ({"scores": [9, 9, 9, 9]}, "scores["),
        ({"scores": []}, "scores: expected"),
        ({"ranks": [1, 1, 1, 1]}, "ranks["),
        ({"ranks": ["1"] * 4}, "ranks[0]"),
        ({"rewards": [0, 0, 0, 0]}, "rewards: expected"),
        ({"rewards": [1e999] * 4}, "Infinity is no JSON number"),
        ({"rewards": []}, "rewards: expected"),
        ({"rewards": [True, False, False, False]}, "rewards: expected"),
        ({"rewards": ["1", "1", "1", "1"]}, "rewards: expected"),
        ({"winner": 1}, 'no field "winner"'),
        ({"scores": ...}, "without scores"),
    ],
)
def test_wrong_end_lines(fields: dict[str, Any], reason: str) -> None:
    """Edited results."""
    assert_refused(changed(COMPACT, LAST, **fields), LAST, reason)


def test_rewards_within_the_tolerance_are_right() -> None:
    """Equal to the formula within 1e-6; whole numbers may be written without a point."""
    rewards = json.loads(COMPACT[-1])["rewards"]
    close = [r + 5e-7 for r in rewards]
    verify_lines(changed(COMPACT, LAST, rewards=close))
    verify_lines(changed(COMPACT, LAST, rewards=[int(r) if r == int(r) else r for r in rewards]))
    off = [r + 2e-6 for r in rewards]
    assert_refused(changed(COMPACT, LAST, rewards=off), LAST, "rewards: expected")


# --- JSON that is none, and JSON written otherwise -----------------------------------------------


@pytest.mark.parametrize("lines", [FULL, COMPACT])
@pytest.mark.parametrize(
    ("number", "old", "new", "reason"),
    [
        (4, '"n":2', '"n":NaN', "NaN is no JSON number"),
        (4, '"n":2', '"n":-Infinity', "-Infinity is no JSON number"),
        (4, '"n":2', '"n":2,"n":2', '"n" comes twice'),
        (4, '"agent":2', '"agent":1,"agent":2', '"agent" comes twice'),
        (4, '"n":2', '"n":02', "not JSON"),
        (4, '"n":2', '"n":' + "2" * 5000, "too many digits"),
        (1, '"seed":7', '"seed":7,"seed":7', '"seed" comes twice'),
        (1, '"round":1', '"round":1,"round":1', '"round" comes twice'),
        (1, '"max_turns":200', '"max_turns":1,"max_turns":200', '"max_turns" comes twice'),
    ],
)
def test_json_that_is_none(lines: list[str], number: int, old: str, new: str, reason: str) -> None:
    """What Python would read but others would not, or would read otherwise."""
    assert_refused(text(lines, number, old, new), number, reason)


@pytest.mark.parametrize("lines", [FULL, COMPACT])
def test_json_written_otherwise_is_read(lines: list[str]) -> None:
    """Blanks, the order of fields, escapes and Windows line ends make no difference."""
    spaced = [json.dumps(json.loads(line), separators=(" , ", " : ")) for line in lines]
    turned = [json.dumps(dict(reversed(json.loads(line).items()))) for line in lines]
    escaped = [line.replace("impulse", "\\u0069mpulse") for line in lines]
    ends = [f"{line}\r\n".encode() for line in lines]
    for variant in (spaced, turned, escaped, ends):
        assert verify_lines(variant).moves == LAST - 2


def test_read_games_checks_the_form_without_playing(tmp_path: pathlib.Path) -> None:
    """The first game is still given; a wrong state is for verify, or for positions()."""
    path = tmp_path / "games.jsonl"
    path.write_text("\n".join([*FULL, *changed(FULL, 4, n=9)]), encoding="utf-8")
    games = read_games(path)
    assert next(games).is_full
    with pytest.raises(RecordError, match=f"line {LAST + 4}: n: expected 2"):
        next(games)
    path.write_text("\n".join(within(FULL, 4, "state", round=2)), encoding="utf-8")
    (record,) = read_games(path)
    with pytest.raises(RecordError, match=r"line 4: state\.round"):
        list(record.positions())


def test_positions_of_a_record(tmp_path: pathlib.Path) -> None:
    """One more than moves, independent of each other, the last one over."""
    path = tmp_path / "games.jsonl"
    path.write_text("\n".join(COMPACT), encoding="utf-8")
    (record,) = read_games(path)
    positions = list(record.positions())
    assert len(positions) == len(record.moves) + 1 == len(set(positions))
    assert positions[0] == racegym.make("cafe_race", seed=7) == record.start()
    assert positions[-1].is_over
    assert not record.is_full


# --- files ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("read", [verify, lambda path: list(read_games(path))])
def test_files_that_cannot_be_read(tmp_path: pathlib.Path, read: Callable[[Any], Any]) -> None:
    """Missing, a folder, empty, binary, and one endless line, which is not read to its end."""
    empty, binary = tmp_path / "empty", tmp_path / "binary"
    empty.touch()
    binary.write_bytes(random.Random(0).randbytes(5000))
    cases = [
        (tmp_path / "missing", 0, "No such file"),
        (tmp_path, 0, "directory"),
        ("a\0b", 0, "null"),
        (empty, 1, "holds no game"),
        (binary, 1, "not UTF-8"),
    ]
    if os.path.exists("/dev/zero"):
        cases.append(("/dev/zero", 1, "longer than"))
    for path, number, reason in cases:
        with pytest.raises(RecordError, match=reason) as caught:
            read(path)
        assert caught.value.line == number


def test_any_small_damage_is_refused() -> None:
    """A letter changed, added or taken out anywhere: a RecordError, or the same meaning."""
    whole = "\n".join(FULL[:12]) + "\n" + "\n".join(FULL[12:])
    rng = random.Random(1)
    refused = 0
    for _ in range(150):
        at = rng.randrange(len(whole))
        letter = rng.choice('0123456789"{}[],:abcdefghijklmnopqrstuvwxyz \\\n')
        keep = rng.choice((0, 1))
        damaged = whole[:at] + rng.choice((letter, "")) + whole[at + keep :]
        try:
            verify_lines(damaged.split("\n"))
        except RecordError:
            refused += 1
        else:
            meaning = [json.loads(line) for line in damaged.split("\n")]
            original = [json.loads(line) for line in FULL]
            for lines in (meaning, original):
                lines[0]["policies"] = lines[-1]["rewards"] = None
            assert meaning == original
    assert refused > 100


def test_every_game_refuses_an_edited_move(game_name: str) -> None:
    """Another legal action, with everything else left: some later line does not fit."""
    for recorder in record_games(game_name, 3, seed=2, full=True):
        lines = list(recorder.lines)
        verify_lines(lines)
        choices = [
            (n, other)
            for n, line in enumerate(lines[1:-1], 2)
            for other in json.loads(line)["legal"]
            if other != json.loads(line)["action"]
        ]
        number, other = random.Random(0).choice(choices)
        with pytest.raises(RecordError) as caught:
            verify_lines(changed(lines, number, action=other))
        assert caught.value.line == number


def test_options_with_files_are_not_followed(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A record cannot make anybody open a file that it names."""
    lines = record_game("ave_caesar", 1).lines
    course = tmp_path / "course.json"
    course.write_text("{}")
    monkeypatch.setattr(pathlib.Path, "open", lambda *a, **k: pytest.fail("a file was opened"))
    for path in (str(course), "/etc/passwd", "missing.json"):
        assert_refused(within(lines, 1, "options", course=path), 1, "it names no file like")


def test_an_own_course_is_in_the_record() -> None:
    """The course as an object replays; a damaged one is refused."""
    from racegym.games.ave_caesar.board.tracks import COURSES

    lines = record_game("ave_caesar", 1, options={"course": COURSES["blue"]}, full=True).lines
    assert verify_lines(lines).total == 1
    for damaged in ({}, {"spaces": []}, {**COURSES["blue"], "spaces": [[[]]]}, [], 3):
        assert_refused(within(lines, 1, "options", course=damaged), 1, "course")


@pytest.mark.parametrize(
    "value",
    [None, True, -1, 0, 7.5, 10**300, 1e300, "", "x", [], [[]], [0] * 9, {}, {"a": {"b": []}}],
)
def test_no_option_takes_just_anything(game_name: str, value: Any) -> None:
    """Whatever stands there: refused in one line, or a game that the rest does not fit."""
    lines = record_game(game_name, 1).lines
    for option in racegym.game(game_name).options.declared:
        damaged = within(lines, 1, "options", **{option.name: value})
        if json.loads(damaged[0]) != json.loads(lines[0]):
            with pytest.raises(RecordError) as caught:
                verify_lines(damaged)
            assert "\n" not in str(caught.value)
