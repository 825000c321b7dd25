"""Compiling rules as parts: checked and translated once, optimised only in the kernels they join.

Left alone, Numba optimises every function, with all that it calls, and turns it into machine code
of its own.  Rules only ever run as parts of kernels, where all of it is optimised again, so that
work is wasted: leaving it out saves a quarter to a third of the time that a game takes to compile
and changes nothing in the kernels' speed.

That takes the place of parts of Numba (:mod:`racegym.engine.libraries`).  A Numba that lacks what
is replaced compiles as usual, and so does one that fails the self-test
(:mod:`racegym.engine.selftest`), or any under ``RACEGYM_LINKING=0``.
"""

from __future__ import annotations

import os
from typing import Any

try:
    from numba.core import codegen

    from racegym.engine import libraries
except (ImportError, AttributeError):  # a Numba with other insides
    codegen = libraries = None  # type: ignore[assignment]

#: What the libraries take the place of or call.
_NEEDED = (
    "_optimize_final_module",
    "_finalize_final_module",
    "_finalize_dynamic_globals",
    "_verify_declare_only_symbols",
    "_ensure_finalized",
    "get_pointer_to_function",
    "enable_object_caching",
)


def part_options() -> dict[str, Any]:
    """The options of ``numba.njit`` that compile a function as a part, if this Numba can."""
    return {"pipeline_class": libraries.PartCompiler} if _can_link() else {}


def kernel_options() -> dict[str, Any]:
    """The options of ``numba.njit`` that compile a kernel made of parts, if this Numba can."""
    return {"pipeline_class": libraries.KernelCompiler} if _can_link() else {}


def sources() -> list[str]:
    """The files that say how rules are linked."""
    return [libraries.__file__] if libraries is not None else []


def _can_link() -> bool:
    return (
        libraries is not None
        and os.environ.get("RACEGYM_LINKING") != "0"
        and all(hasattr(codegen.JITCodeLibrary, name) for name in _NEEDED)
    )
