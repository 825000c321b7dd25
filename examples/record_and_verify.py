"""Play games with agents, record them in full, and check every step of the file.

Run it from anywhere:  python examples/record_and_verify.py
"""

from __future__ import annotations

import pathlib
import tempfile

from racegym.records import RecordError, RecordWriter, read_games, record_games, verify


def main() -> None:
    """Twenty games of Café Race: the scripted agent against three that play at random."""
    agents = ["scripted", "random", "random", "random"]
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "games.jsonl"
        with RecordWriter(path) as writer:
            for recorder in record_games("cafe_race", 20, seed=1, agents=agents, full=True):
                writer.add(recorder)

        verified = verify(path)
        print(f"{verified.total} games, {verified.moves} moves: every line replays")

        won = sum(record.end["ranks"][0] == 1 for record in read_games(path))
        print(f"the scripted agent came first in {won} of them")

        text = path.read_text(encoding="utf-8")
        path.write_text(text.replace('"spilled":true', '"spilled":false', 1), encoding="utf-8")
        try:
            verify(path)
        except RecordError as error:
            print(f"and with one spilled cup denied: {error}")


if __name__ == "__main__":
    main()
