"""Run the snippets of the pages and write what they print: ``python docs/snippets.py [--check]``.

A page's ``python`` blocks run from top to bottom in one namespace and one empty folder, as a reader
would type them.  Comments before a block say what to do with it:

* ``<!-- output -->`` … ``<!-- end -->``: what the code block above prints is written between them;
* ``<!-- session -->`` before a ``console`` block, ``<!-- end -->`` after it: its ``$ racegym …``
  commands are run, and what each prints is written below it;
* ``<!-- not run -->``: the block takes long or needs something else; it only has to be Python.

Pages without any output are only checked for syntax.  ``--check`` writes nothing and exits with 1
if a page is not up to date.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import pathlib
import re
import shlex
import sys
import tempfile
from collections.abc import Iterator
from typing import Any

from racegym.cli import main as racegym_command

DOCS = pathlib.Path(__file__).parent
PYTHON = re.compile(r"(?P<skip><!-- not run -->\n)?^```python\n(?P<code>.*?)^```$", re.M | re.S)
OUTPUT = re.compile(r"<!-- output -->\n```text\n(?P<output>.*?)^```\n<!-- end -->", re.M | re.S)
SESSION = re.compile(r"<!-- session -->\n```console\n(?P<lines>.*?)^```\n<!-- end -->", re.M | re.S)
PART = re.compile(f"{PYTHON.pattern}|{OUTPUT.pattern}|{SESSION.pattern}", re.M | re.S)


def pages() -> list[pathlib.Path]:
    """The README and every page below ``docs``."""
    return [DOCS.parent / "README.md", *sorted(DOCS.rglob("*.md"))]


def compiled(text: str, block: re.Match[str], name: str) -> Any:
    """The code of a ``python`` block; errors in it name the line of the page."""
    start = text.count("\n", 0, block.start("code"))
    return compile("\n" * start + block["code"], name, "exec")


def check_syntax(text: str, name: str) -> int:
    """Compile every ``python`` block of a page; returns how many there are."""
    return sum(1 for block in PYTHON.finditer(text) if compiled(text, block, name))


def shows_output(text: str) -> bool:
    """Whether a page holds an output or a session to be generated."""
    return bool(OUTPUT.search(text) or SESSION.search(text))


def renewed(text: str, name: str) -> str:
    """A page with every output and session written anew; its blocks are run.

    Raises:
        Exception: whatever a snippet raises.
    """
    names: dict[str, Any] = {"__name__": "page"}
    printed = ""
    parts, at = [], 0
    with _empty_folder():
        for part in PART.finditer(text):
            new = part[0]
            if part["code"] is not None and part["skip"] is None:
                printed = _printed_by(lambda part=part: exec(compiled(text, part, name), names))
            elif part["output"] is not None:
                new = f"<!-- output -->\n```text\n{printed}```\n<!-- end -->"
            elif part["lines"] is not None:
                new = f"<!-- session -->\n```console\n{_session(part['lines'])}```\n<!-- end -->"
            parts += [text[at : part.start()], new]
            at = part.end()
    return "".join([*parts, text[at:]])


def _session(lines: str) -> str:
    """The commands of a console block, each followed by what it prints."""
    shown = []
    for line in lines.splitlines():
        if line.startswith("$ "):
            program, *words = shlex.split(line[2:])
            if program != "racegym":
                raise ValueError(f"a session runs racegym only, not {program!r}")
            shown.append(f"{line}\n{_printed_by(lambda words=words: racegym_command(words))}")
    return "".join(shown)


def _printed_by(run: Any) -> str:
    """What a call writes to stdout, without blanks at the ends of lines."""
    written = io.StringIO()
    with contextlib.redirect_stdout(written):
        run()
    return "".join(f"{line.rstrip()}\n" for line in written.getvalue().splitlines())


@contextlib.contextmanager
def _empty_folder() -> Iterator[None]:
    """Work in an empty folder, which is removed afterwards."""
    before = pathlib.Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            yield
        finally:
            os.chdir(before)


def main() -> int:
    """Renew or check all pages; returns the exit status."""
    parser = argparse.ArgumentParser(description="Write what the snippets of the pages print.")
    parser.add_argument("--check", action="store_true", help="write nothing, fail if out of date")
    check = parser.parse_args().check
    stale = 0
    for page in pages():
        text = page.read_text(encoding="utf-8")
        name = page.relative_to(DOCS.parent).as_posix()
        check_syntax(text, name)
        new = renewed(text, name) if shows_output(text) else text
        if new != text:
            stale += 1
            print(f"{name}: {'out of date' if check else 'written'}")
            if not check:
                page.write_text(new, encoding="utf-8")
    return 1 if check and stale else 0


if __name__ == "__main__":
    sys.exit(main())
