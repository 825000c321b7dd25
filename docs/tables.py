"""Write the generated parts of the pages: ``python docs/tables.py [--check]``.

A game's page holds markers ``<!-- table:NAME -->`` … ``<!-- end -->``; what stands between them is
made from the code: ``options``, ``actions``, ``state``, the table of an encoder by its name
(``flat``, ``full``, ``tokens``), or ``bots``.  The training guide holds ``settings``.  ``--check``
writes nothing and exits with 1 if a page is not up to date.
"""

from __future__ import annotations

import argparse
import pathlib
import re
import sys
from collections.abc import Callable, Iterator
from functools import partial

import racegym
from racegym.agents.scripted import spec_of
from racegym.engine.game import Encoder, Game

PAGES = pathlib.Path(__file__).parent / "games"
TRAINING_GUIDE = pathlib.Path(__file__).parent / "guides" / "training.md"
MARKED = re.compile(r"(<!-- table:(\w+) -->\n).*?(<!-- end -->)", re.DOTALL)


def options_table(game: Game) -> str:
    """Options with values, defaults and meaning."""
    rows = ["| option | values | default | meaning |", "|---|---|---|---|"]
    for option in game.options.declared:
        default = "depends, see below" if callable(option.default) else f"`{option.default!r}`"
        rows.append(f"| `{option.name}` | {option.values} | {default} | {option.meaning} |")
    return "\n".join(rows)


def actions_table(game: Game) -> str:
    """Action ids and their texts."""
    rows = [f"| {index} | `{text}` |" for index, text in game.action_table]
    return "\n".join(["| action | text |", "|---|---|", *rows])


def state_table(game: Game) -> str:
    """The fields of a state and who may see them."""
    rows = ["| field | dtype | shape | seen by | meaning |", "|---|---|---|---|---|"]
    for f in game.layout:
        shape = "×".join(map(str, f.shape)) or "–"
        rows.append(f"| `{f.name}` | {f.dtype} | {shape} | {f.visible.value} | {f.meaning} |")
    return "\n".join(rows)


def encoder_table(encoder: Encoder) -> str:
    """The slices of an encoder; for an encoder of rows, those of one row."""
    shape = " × ".join(map(str, encoder.shape))
    rows = "every row: " if len(encoder.shape) > 1 else ""
    bounds = f"values in [{encoder.low:g}, {encoder.high:g}]"
    head = f"`{encoder.id}`: float32, shape {shape}, {bounds}; {rows}"
    return f"{head.rstrip('; ')}\n\n{encoder.table.markdown()}"


def bots_table(game: Game) -> str:
    """The scripted agents."""
    rows = ["| agent | plays |", "|---|---|"]
    for bot in game.bots:
        rows.append(f"| `{spec_of(bot)}` | {bot.meaning} |")
    return "\n".join(rows)


def generated(game: Game, name: str) -> str:
    """The text of a marked part."""
    tables = {
        "options": options_table,
        "actions": actions_table,
        "state": state_table,
        "bots": bots_table,
    }
    if name in tables:
        return tables[name](game)
    return encoder_table(game.encoder(name))


def renewed(text: str, game: Game) -> str:
    """A page with all its marked parts written anew."""
    return MARKED.sub(lambda m: f"{m[1]}{generated(game, m[2])}\n{m[3]}", text)


def renewed_guide(text: str) -> str:
    """The training guide with the table of settings written anew."""
    from training.config import Config
    from training.settings import markdown

    def table(found: re.Match[str]) -> str:
        return f"{found[1]}{markdown(Config)}\n{found[3]}"

    return MARKED.sub(table, text)


def pages() -> Iterator[tuple[pathlib.Path, Callable[[str], str]]]:
    """Every page with generated parts, and what renews its text."""
    for name in racegym.game_names():
        yield PAGES / f"{name}.md", partial(renewed, game=racegym.game(name))
    yield TRAINING_GUIDE, renewed_guide


def main() -> int:
    """Renew or check all pages; returns the exit status."""
    parser = argparse.ArgumentParser(description="Write the generated parts of the pages.")
    parser.add_argument("--check", action="store_true", help="write nothing, fail if out of date")
    check = parser.parse_args().check
    stale = 0
    for page, renew in pages():
        text = page.read_text(encoding="utf-8")
        new = renew(text)
        if new != text:
            stale += 1
            print(f"{page.name}: {'out of date' if check else 'written'}")
            if not check:
                page.write_text(new, encoding="utf-8")
    return 1 if check and stale else 0


if __name__ == "__main__":
    sys.exit(main())
