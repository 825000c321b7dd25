"""The dispatcher: help, versions, mistakes, pipes and Ctrl-C."""

from __future__ import annotations

import os
import pathlib
import signal
import subprocess
import sys
import time
from collections.abc import Sequence

import pytest

import racegym
from racegym.cli import main, run_command
from racegym.commands import COMMANDS
from racegym.commands.assignments import one_by_one
from racegym.errors import RacegymError
from racegym.records import verify

RACEGYM = [sys.executable, "-m", "racegym"]


def test_help_lists_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    """``racegym``, ``racegym --help`` and ``racegym -h`` are the same."""
    assert main([]) == 0
    overview = capsys.readouterr().out
    for words in (["--help"], ["-h"]):
        assert main(words) == 0
        assert capsys.readouterr().out == overview
    for name, summary in COMMANDS.items():
        assert f"{name:10}{summary}" in overview


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Its module exists and says what it takes."""
    assert main([name, "--help"]) == 0
    assert f"usage: racegym {name}" in capsys.readouterr().out


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    """P43: the version can be asked for."""
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"racegym {racegym.__version__}\n"


def test_help_loads_nothing_heavy() -> None:
    """P43: neither Numba nor torch, ONNX or Rich, also for the help of a command."""
    program = (
        "import sys; from racegym.cli import main\n"
        "codes = [main(['--help']), main(['record', '--help']), main(['bench', '--help'])]\n"
        "heavy = {'numba', 'torch', 'onnxruntime', 'rich', 'pettingzoo', 'matplotlib'}\n"
        "sys.exit(str(heavy & set(sys.modules)) if heavy & set(sys.modules) else sum(codes))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["gams"], "there is no command 'gams'; did you mean 'games'?"),
        (["--verbose"], "unrecognized arguments: --verbose"),
        (["--vers"], "unrecognized arguments: --vers"),
        (["verify"], "the following arguments are required: FILE"),
        (["verify", "missing.jsonl"], "missing.jsonl: No such file or directory"),
        (["verify", "."], "directory"),
        (["games", "--jsn"], "unrecognized arguments: --jsn"),
        (["record", "cafe_race", "-n", "1", "--seed", "1"], "required: -o/--output"),
        (["record", "cafe_rase", "-n", "1", "--seed", "1", "-o", "x"], "did you mean 'cafe_race'?"),
        (
            ["record", "cafe_race", "-n", "0", "--seed", "1", "-o", "x"],
            "-n is a whole number from 1",
        ),
        (
            ["record", "cafe_race", "-n", "99999999999999999999", "-o", "x"],
            "-n is a whole number from 1 to 1,000,000,000, not 99999999999999999999",
        ),
        (
            ["record", "cafe_race", "-n", "1", "--agents", "scriptd", "-o", "x"],
            "no agent 'scriptd'",
        ),
        (["record", "cafe_race", "-n", "x", "--seed", "1", "-o", "x"], "invalid int value: 'x'"),
        (["record", "cafe_race", "-n", "1", "--seed", "-1", "-o", "x"], "a seed is a whole number"),
        (
            ["record", "cafe_race", "-n", "1", "--seed", str(2**63), "-o", "x"],
            "a seed is a whole number",
        ),
        (
            ["record", "cafe_race", "-n", "1", "--seed", "1", "-O", "rule=basic", "-o", "x"],
            "unknown option 'rule'; did you mean 'rules'?",
        ),
        (
            ["record", "cafe_race", "-n", "1", "--seed", "1", "-O", "rules", "-o", "x"],
            "options are written key=value",
        ),
        (
            ["record", "cafe_race", "-n", "1", "--seed", "1", "-O", "num_players=9", "-o", "x"],
            "option num_players takes a whole number from 3 to 6, not 9",
        ),
        (
            ["record", "cafe_race", "-n", "1", "--seed", "1", "--agents", "a,b", "-o", "x"],
            "2 agents for 4 players",
        ),
        (
            ["record", "cafe_race", "-n", "1", "--seed", "1", "--agents", "scriptd", "-o", "x"],
            "there is no agent 'scriptd'",
        ),
        (
            ["record", "cafe_race", "-n", "1", "--seed", "1", "-o", "no/such/folder/x"],
            "no/such/folder/x: No such file or directory",
        ),
        (["record", "cafe_race", "-n", "1", "--seed", "1", "-o", "."], "is no plain file"),
        (["bench", "cafe"], "there is no game 'cafe'; did you mean 'cafe_race'?"),
        (["bench", "cafe_race", "--runs", "0"], "--runs is a whole number from 1"),
        (["bench", "cafe_race", "--seconds", "nan"], "--seconds is more than 0"),
        (["bench", "cafe_race", "-O", "rules=best"], "option rules takes"),
    ],
)
def test_mistakes_are_one_line_and_exit_with_2(
    words: list[str],
    told: str,
    capsys: pytest.CaptureFixture[str],
    tmp_path: pathlib.Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """P47: on stderr, without a traceback; nothing is written."""
    monkeypatch.chdir(tmp_path)
    assert main(words) == 2
    shown = capsys.readouterr()
    lines = [line for line in shown.err.splitlines() if "compiling" not in line]
    assert len(lines) == 1
    assert lines[0].startswith("racegym")
    assert told in lines[0]
    assert shown.out == ""
    assert os.listdir(tmp_path) == []


def test_a_closed_pipe_is_quiet() -> None:
    """``racegym games | head``."""
    for words in (["games"], ["games", "--json"], ["--help"], ["match", "--help"]):
        process = subprocess.Popen(
            [*RACEGYM, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.wait(60) in ((0, 141) if "--help" in words else (141,))
        assert process.stderr.read() == b""
        process.stderr.close()


@pytest.mark.skipif(os.name == "nt", reason="no shell to close streams with")
@pytest.mark.parametrize("closed", [">&-", ">&- 2>&-", "<&- >&- 2>&-"])
@pytest.mark.parametrize("words", ["games", "--version", "record cafe_race -n 1 -s 1 -o {}/x"])
def test_closed_streams_are_no_error(words: str, closed: str, tmp_path: pathlib.Path) -> None:
    """Results go nowhere, and what is written to files is not mixed up with them."""
    command = f'"$0" -m racegym {words.format(tmp_path)} {closed}'
    done = subprocess.run(["sh", "-c", command, sys.executable], capture_output=True)
    assert (done.returncode, b"Traceback" in done.stderr) == (0, False)
    for path in tmp_path.iterdir():
        assert verify(path).total == 1


@pytest.mark.skipif(not pathlib.Path("/dev/full").exists(), reason="no /dev/full here")
def test_a_full_disk_behind_stdout_is_told_in_one_line() -> None:
    with open("/dev/full", "wb") as full:
        done = subprocess.run([*RACEGYM, "games", "--json"], stdout=full, stderr=subprocess.PIPE)
    assert done.returncode == 2
    assert done.stderr.count(b"\n") == 1
    assert b"No space left on device" in done.stderr


@pytest.mark.parametrize(
    ("error", "code", "told"),
    [
        (MemoryError("9 TiB"), 2, "tool: there is not enough memory: 9 TiB"),
        (FileNotFoundError(2, "No such file", "x"), 2, "tool: x: No such file"),
        (RacegymError("two\nlines"), 2, "tool: two lines"),
        (KeyboardInterrupt(), 130, "tool: interrupted"),
        (SystemExit(3), 3, None),
    ],
)
def test_whatever_goes_wrong_is_one_line(
    error: BaseException, code: int, told: str | None, capsys: pytest.CaptureFixture[str]
) -> None:
    def work(words: Sequence[str]) -> int:
        raise error

    assert run_command("tool", work, []) == code
    assert capsys.readouterr().err.splitlines() == ([told] if told else [])


def test_options_one_by_one() -> None:
    """What has no ``=`` behind ``-O key=value`` is an argument again."""
    for words, wanted in (
        ("-O a=1 b=2 game x=3", "-O a=1 -O b=2 game x=3"),
        ("-Oa=1 b=2 --json x", "-Oa=1 -O b=2 --json x"),
        ("-O rules game", "-O rules game"),
        ("-O a=1 -- b=2", "-O a=1 -- b=2"),
        ("-O a=1 runs/b=2.onnx", "-O a=1 runs/b=2.onnx"),
        ("game -O", "game -O"),
    ):
        assert one_by_one(words.split()) == wanted.split()


def test_a_narrow_alphabet_is_no_error() -> None:
    """Letters that stdout cannot show are shown as question marks."""
    done = subprocess.run(
        [*RACEGYM, "games"],
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
        capture_output=True,
    )
    assert done.returncode == 0
    assert b"cafe_race" in done.stdout


@pytest.mark.skipif(os.name == "nt", reason="no SIGINT to another process")
@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM])
def test_interrupted_recording_keeps_the_finished_games(
    tmp_path: pathlib.Path, stop: signal.Signals
) -> None:
    """Exit code 130, a file of whole games, nothing else in the folder."""
    path = tmp_path / "games.jsonl"
    words = ["record", "cafe_race", "-n", "1000000", "--seed", "1", "-o", str(path)]
    process = subprocess.Popen([*RACEGYM, *words], stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 120
    while not any(file.stat().st_size for file in tmp_path.iterdir()):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    process.send_signal(stop)
    _, told = process.communicate(timeout=60)
    assert process.returncode == 130
    assert os.listdir(tmp_path) == ["games.jsonl"]
    kept = verify(path).total
    assert f"kept the {kept} games finished so far in {path}" in told
    assert "Traceback" not in told
