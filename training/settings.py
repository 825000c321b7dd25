"""The settings of a config as a table: what ``--help`` and the guide show.

Names, types, defaults and bounds come from the dataclasses of the config, the meanings from the
``Attributes`` of their docstrings; nothing is written down twice.
"""

from __future__ import annotations

import dataclasses
import inspect
import json
import re
import shutil
import textwrap
import typing
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from training.config import BaseConfig
from training.reading import type_in_words
from training.sections import LARGEST

_ATTRIBUTE = re.compile(r"^    (\w+): ")


@dataclass(frozen=True)
class Setting:
    """One setting.

    Attributes:
        section, name: of the setting; its key is ``section.name``.
        takes: type and bounds in words.
        default: as one writes it in YAML.
        meaning: in a line or two.
    """

    section: str
    name: str
    takes: str
    default: str
    meaning: str

    @property
    def key(self) -> str:
        """``section.name``."""
        return f"{self.section}.{self.name}"


def settings_of(schema: type[BaseConfig]) -> list[Setting]:
    """All settings of a config, section by section."""
    return [
        Setting(section, f.name, _takes(kinds[f.name], f), _default(f), meanings.get(f.name, ""))
        for section, part in sections_of(schema).items()
        for kinds, meanings in [(typing.get_type_hints(part), meanings_of(part))]
        for f in dataclasses.fields(part)
    ]


def sections_of(schema: type[BaseConfig]) -> dict[str, Any]:
    """The dataclass of every section."""
    return {s.name: s.default_factory for s in dataclasses.fields(schema)}


def meanings_of(part: type) -> dict[str, str]:
    """The ``Attributes`` of a docstring, by name, each in one line of Markdown."""
    found: dict[str, list[str]] = {}
    name = ""
    _, _, text = inspect.cleandoc(part.__doc__ or "").partition("Attributes:\n")
    for line in text.splitlines():
        start = _ATTRIBUTE.match(line)
        if start is not None:
            name = start[1]
            found[name] = [line[start.end() :]]
        elif name and line.startswith("        "):
            found[name].append(line)
        else:
            name = ""
    return {name: " ".join(" ".join(lines).split()) for name, lines in found.items()}


def _takes(kind: Any, declared: dataclasses.Field[Any]) -> str:
    words = type_in_words(kind)
    if "low" not in declared.metadata:
        return words
    low, high, above = (declared.metadata[key] for key in ("low", "high", "above"))
    number, _, rest = words.partition(" or ")
    bounds = f"above {low:g}" if above else f"{low:g}"
    if high == LARGEST:
        bounds = bounds if above else f"from {bounds}"
    else:
        bounds += f", at most {_number(high)}" if above else f" to {_number(high)}"
    return f"{number}, {bounds}" + (f"; or {rest}" if rest else "")


def _number(value: float) -> str:
    return f"{value:,}" if isinstance(value, int) else f"{value:g}"


def _default(declared: dataclasses.Field[Any]) -> str:
    value = declared.default
    if declared.default_factory is not dataclasses.MISSING:
        value = declared.default_factory()
    if isinstance(value, str):
        return value or '""'
    return json.dumps(value)


# --- shown ---------------------------------------------------------------------------------------


def in_words(schema: type[BaseConfig]) -> str:
    """All settings for ``--help``, as wide as the terminal."""
    width = max(min(shutil.get_terminal_size().columns, 100), 60)
    return "\n".join(["settings (--section.key VALUE):", *_lines(schema, width)])


def _lines(schema: type[BaseConfig], width: int) -> Iterator[str]:
    section = ""
    parts = sections_of(schema)
    for setting in settings_of(schema):
        if setting.section != section:
            section = setting.section
            yield ""
            yield from textwrap.wrap(f"{section}: {_summary(parts[section])}", width, **_INDENT)
        yield f"  --{setting.key}  (default: {setting.default})"
        meaning = f"{_plain(setting.meaning)} [{setting.takes}]"
        yield from textwrap.wrap(meaning, width, initial_indent=" " * 6, subsequent_indent=" " * 6)


_INDENT: dict[str, Any] = {"subsequent_indent": "  ", "break_on_hyphens": False}


def _summary(part: type) -> str:
    """The first paragraph of a docstring, in plain text."""
    first = inspect.cleandoc(part.__doc__ or "").partition("\n\n")[0]
    return _plain(" ".join(first.split()))


def _plain(text: str) -> str:
    return text.replace("``", "")


def markdown(schema: type[BaseConfig]) -> str:
    """All settings as a table for the guide."""
    rows = ["| setting | takes | default | meaning |", "|---|---|---|---|"]
    for setting in settings_of(schema):
        cells = (f"`{setting.key}`", setting.takes, f"`{setting.default}`", setting.meaning)
        rows.append(
            "| " + " | ".join(c.replace("``", "`").replace("|", "\\|") for c in cells) + " |"
        )
    return "\n".join(rows)
