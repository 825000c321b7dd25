"""The lines of a record are those of the format, and anyone can check them without racegym."""

from __future__ import annotations

import importlib
import json
import pathlib
from typing import Any

import pytest

import racegym
from racegym.records import FORMAT, read_games, record_game, record_games
from tests.reference import check

GAME_FIELDS = [
    "type",
    "format",
    "game",
    "version",
    "options",
    "seed",
    "agents",
    "policies",
    "state",
]


def lines_of(game: str, seed: int = 7, full: bool = True, **options: Any) -> list[dict[str, Any]]:
    """The lines of a game played at random."""
    recorder = record_game(game, seed, options=options, full=full)
    return [json.loads(line) for line in recorder.lines]


def test_the_game_line_is_as_the_format_says(game_name: str) -> None:
    """Fields in the order of the format, options with their defaults, names for agents."""
    game = racegym.game(game_name)
    head = lines_of(game_name)[0]
    players = game.options.resolve({})["num_players"]
    assert list(head) == GAME_FIELDS
    assert head["type"] == "game"
    assert head["format"] == FORMAT == "racegym-record/1"
    assert (head["game"], head["version"], head["seed"]) == (game_name, game.version, 7)
    assert head["options"] == game.options.resolve({})
    assert head["agents"] == [f"player_{p}" for p in range(players)]
    assert head["policies"] == ["random"] * players
    assert head["state"] == racegym.make(game_name, seed=7).to_dict()


def test_moves_and_end_are_as_the_format_says(game_name: str) -> None:
    """Numbered moves with the legal actions before and events and state after; then the result."""
    _, *moves, end = lines_of(game_name)
    position = racegym.make(game_name, seed=7)
    for number, move in enumerate(moves):
        assert list(move) == ["type", "n", "agent", "action", "legal", "events", "state"]
        assert (move["type"], move["n"], move["agent"]) == ("move", number, position.seat)
        assert move["legal"] == sorted(move["legal"]) == position.legal_texts()
        assert move["action"] in move["legal"]
        assert move["events"] == position.apply_with_events(
            position.action_from_text(move["action"])
        )
        assert all("kind" in event for event in move["events"])
        assert move["state"] == position.to_dict()
    assert position.is_over
    assert list(end) == ["type", "reason", "scores", "ranks", "rewards"]
    assert (end["type"], end["reason"]) == ("end", "finished")
    assert (end["scores"], end["ranks"]) == (position.scores(), position.ranks())
    assert end["rewards"] == pytest.approx(position.rewards(), abs=1e-7)
    assert sum(end["rewards"]) == pytest.approx(0, abs=1e-6)


def test_a_compact_record_is_the_full_one_without_what_follows_from_it(game_name: str) -> None:
    """Same lines, less legal, events and state of the moves."""
    full, compact = lines_of(game_name, full=True), lines_of(game_name, full=False)
    for line in full[1:-1]:
        for name in ("legal", "events", "state"):
            del line[name]
    assert full == compact


def test_nothing_but_json_is_written(game_name: str) -> None:
    """P58: no NumPy types, no NaN; one ASCII line each, without spare blanks."""
    for line in record_game(game_name, 3, full=True).lines:
        found = json.loads(line, parse_constant=pytest.fail)
        assert json.dumps(found, separators=(",", ":")) == line
        assert line.isascii()
        assert "\n" not in line


def test_a_game_cut_at_max_turns_is_truncated(game_name: str) -> None:
    """The reason of the end line."""
    assert lines_of(game_name, max_turns=1)[-1]["reason"] == "truncated"


def test_an_independent_implementation_accepts_the_records(game_name: str) -> None:
    """P16: rules written from the clauses alone, which import nothing of racegym, agree."""
    reference = importlib.import_module(f"tests.reference.{game_name}").Reference
    for seed in range(3):
        assert check(reference, lines_of(game_name, seed)) > 0


def test_the_same_arguments_give_the_same_bytes(game_name: str) -> None:
    """A record is settled by seed, options and agents; game i by itself as in a longer series."""
    three = [r.lines for r in record_games(game_name, 3, seed=5, full=True)]
    assert [r.lines for r in record_games(game_name, 3, seed=5, full=True)] == three
    assert [r.lines for r in record_games(game_name, 70, seed=5, full=True)][:3] == three
    seed = json.loads(three[2][0])["seed"]
    assert record_game(game_name, seed, full=True).lines == three[2]
    assert len({line for game in three for line in game if '"game"' in line}) == 3


@pytest.mark.parametrize("name", ["games.jsonl", "with space.jsonl", "Café ☕.jsonl", "no ending"])
@pytest.mark.parametrize("kind", [str, pathlib.Path])
def test_reading_gives_back_what_was_written(tmp_path: pathlib.Path, name: str, kind: Any) -> None:
    """P51: byte-stable for every kind of path and name."""
    from racegym.records import RecordWriter

    path, again = kind(tmp_path / name), kind(tmp_path / f"again {name}")
    with RecordWriter(path) as writer:
        for recorder in record_games("cafe_race", 2, seed=1, full=True):
            writer.add(recorder)
    written = pathlib.Path(path).read_bytes()
    records = list(read_games(path))
    lines = [line for r in records for line in (r.header, *r.moves, r.end)]
    text = "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines)
    assert text.encode() == written
    with RecordWriter(again) as writer:
        for recorder in record_games("cafe_race", 2, seed=1, full=True):
            writer.add(recorder)
    assert pathlib.Path(again).read_bytes() == written
    assert [record.line for record in records] == [1, len(records[0].moves) + 3]
