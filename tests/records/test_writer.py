"""Record files are there whole or not at all."""

from __future__ import annotations

import os
import pathlib

import pytest

import racegym
from racegym.errors import RacegymError
from racegym.records import Recorder, RecordWriter, record_games, verify

GAMES = list(record_games("cafe_race", 3, seed=1))


def test_the_target_changes_only_when_the_block_ends(tmp_path: pathlib.Path) -> None:
    """Until then it is as it was; afterwards nothing else is left in the folder."""
    path = tmp_path / "games.jsonl"
    path.write_text("old")
    with RecordWriter(path) as writer:
        for recorder in GAMES:
            writer.add(recorder)
        assert path.read_text() == "old"
    assert verify(path).total == writer.games == 3
    assert writer.moves == sum(r.moves for r in GAMES)
    assert writer.written == path
    assert os.listdir(tmp_path) == ["games.jsonl"]


@pytest.mark.parametrize("error", [KeyboardInterrupt, RuntimeError, SystemExit])
def test_finished_games_are_kept(tmp_path: pathlib.Path, error: type[BaseException]) -> None:
    """Whatever ends the block."""
    path = tmp_path / "games.jsonl"
    with pytest.raises(error), RecordWriter(path) as writer:
        writer.add(GAMES[0])
        writer.add(GAMES[1])
        raise error
    assert writer.written == path
    assert verify(path).total == 2
    assert os.listdir(tmp_path) == ["games.jsonl"]


def test_part_of_a_file_does_not_replace_a_whole_one(tmp_path: pathlib.Path) -> None:
    """What was recorded earlier is not lost; what was finished now neither."""
    path = tmp_path / "games.jsonl"
    path.write_text("old")
    with pytest.raises(KeyboardInterrupt), RecordWriter(path) as writer:
        writer.add(GAMES[0])
        raise KeyboardInterrupt
    assert path.read_text() == "old"
    assert writer.written == tmp_path / "games.jsonl.partial"
    assert verify(writer.written).total == 1


def test_part_of_a_game_is_cut_off(tmp_path: pathlib.Path) -> None:
    """An interrupt in the middle of writing leaves whole games."""
    path = tmp_path / "games.jsonl"
    with pytest.raises(KeyboardInterrupt), RecordWriter(path) as writer:
        writer.add(GAMES[0])
        assert writer._file is not None
        writer._file.write(b'{"type":"game","form')
        raise KeyboardInterrupt
    assert verify(path).total == 1


def test_an_error_before_the_first_game_leaves_nothing(tmp_path: pathlib.Path) -> None:
    """No empty file, no temporary one."""
    with pytest.raises(RuntimeError), RecordWriter(tmp_path / "games.jsonl"):
        raise RuntimeError
    assert os.listdir(tmp_path) == []


def test_a_full_disk_leaves_the_old_file(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The error comes through, and no temporary file stays."""
    path = tmp_path / "games.jsonl"
    path.write_text("old")

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"), RecordWriter(path) as writer:
        writer.add(GAMES[0])
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["games.jsonl"]


def test_only_finished_games_are_written(tmp_path: pathlib.Path) -> None:
    """An unfinished one would not verify."""
    with RecordWriter(tmp_path / "games.jsonl") as writer:
        with pytest.raises(RacegymError, match="only a game that is over"):
            writer.add(Recorder(racegym.make("cafe_race", seed=1)))
        writer.add(GAMES[0])
    assert verify(tmp_path / "games.jsonl").total == 1


def test_a_writer_is_used_in_a_with_block(tmp_path: pathlib.Path) -> None:
    """Else the file would never get its name."""
    with pytest.raises(RacegymError, match="with block"):
        RecordWriter(tmp_path / "games.jsonl").add(GAMES[0])


def test_what_is_no_plain_file_is_refused(tmp_path: pathlib.Path) -> None:
    """A folder; a device, which the new file would otherwise replace."""
    for path in (tmp_path, pathlib.Path(os.devnull)):
        with pytest.raises(RacegymError, match="is no plain file"):
            RecordWriter(path)


def test_a_missing_folder_is_named(tmp_path: pathlib.Path) -> None:
    """By the path that was asked for."""
    path = tmp_path / "missing" / "games.jsonl"
    with pytest.raises(FileNotFoundError) as caught, RecordWriter(path):
        pass
    assert caught.value.filename == str(path)


def test_a_link_stays_a_link(tmp_path: pathlib.Path) -> None:
    """Its target is written."""
    target, link = tmp_path / "target.jsonl", tmp_path / "link.jsonl"
    target.write_text("old")
    link.symlink_to(target)
    with RecordWriter(link) as writer:
        writer.add(GAMES[0])
    assert link.is_symlink()
    assert verify(target).total == 1
