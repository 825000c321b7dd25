"""Files written whole or not at all, and what killed processes leave behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from racegym.files import remove_leftovers, write_whole, written_whole
from racegym.records import RecordWriter

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="killed with SIGKILL")

KILLED = """
import os, signal, sys
from racegym.files import written_whole
with written_whole(sys.argv[1]) as file:
    file.write("half")
    file.flush()
    if sys.argv[2] == "die":
        os.kill(os.getpid(), signal.SIGKILL)
    print("writing", flush=True)
    sys.stdin.read()
"""


def hidden(folder: Path) -> list[str]:
    return [name for name in os.listdir(folder) if name.startswith(".")]


def killed_while_writing(path: Path) -> None:
    """Leave the temporary file of a process that was killed."""
    done = subprocess.run([sys.executable, "-c", KILLED, str(path), "die"], check=False)
    assert done.returncode == -signal.SIGKILL
    assert len(hidden(path.parent)) == 1


@pytest.mark.parametrize("how", ["bytes", "text", "records"])
def test_the_next_writer_removes_what_a_killed_one_left(how: str, tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("whole")
    killed_while_writing(path)
    assert path.read_text() == "whole"
    if how == "bytes":
        write_whole(path, b"new")
    elif how == "text":
        with written_whole(path) as file:
            file.write("new")
    else:
        with RecordWriter(path):
            assert len(hidden(tmp_path)) == 1
    assert hidden(tmp_path) == []
    assert path.read_text() == ("" if how == "records" else "new")


def test_files_of_living_processes_and_of_others_stay(tmp_path: Path) -> None:
    kept = [".notes.tmp", ".racegym-0123456789ab.tmp", ".racegym-00000000-1-0123456789ab.tmp"]
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    kept.append(f".a.safetensors.{gone.pid}.tmp")
    for name in kept:
        (tmp_path / name).touch()
    command = [sys.executable, "-c", KILLED, str(tmp_path / "a.txt"), "live"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "writing\n"
        write_whole(tmp_path / "b.txt", b"")
        assert len(hidden(tmp_path)) == len(kept) + 1
        other.communicate("")
    assert (tmp_path / "a.txt").read_text() == "half"
    assert sorted(hidden(tmp_path)) == sorted(kept)
    remove_leftovers(tmp_path, old=True)
    assert sorted(hidden(tmp_path)) == sorted(kept[:-1])


def test_an_error_leaves_what_was_there(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("whole")
    with pytest.raises(KeyError), written_whole(path) as file:
        file.write("half")
        raise KeyError
    assert path.read_text() == "whole"
    assert os.listdir(tmp_path) == ["a.txt"]
