"""Compiling rules as parts: checked and translated once, optimised only in the kernels they join.

Left alone, Numba optimises every function, with all that it calls, and turns it into machine code
of its own.  Rules only ever run as parts of kernels, where all of it is optimised again, so that
work is wasted: leaving it out halves the time that a game takes to compile and changes nothing in
the kernels' speed.
"""

from __future__ import annotations

from typing import Any

from numba.core import codegen, compiler


class _EnvironmentsLeft:
    """A code generator that sets no environments: those of rules are in no machine code."""

    def __init__(self, generator: Any) -> None:
        self._generator = generator

    def __getattr__(self, name: str) -> Any:
        return getattr(self._generator, name)

    def set_env(self, env_name: str, env: Any) -> None:
        pass


class _PartLibrary(codegen.JITCodeLibrary):
    """The code of one rule, to be linked into others; it is never optimised and never run."""

    @property
    def codegen(self) -> Any:
        return _EnvironmentsLeft(self._codegen)

    def _optimize_final_module(self) -> None:
        pass

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._verify_declare_only_symbols()
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        self._ensure_finalized()
        return 0  # as for any name that has no machine code


class PartCompiler(compiler.Compiler):
    """Numba's compiler, with a code library for parts of kernels."""

    def __init__(
        self,
        typingctx: Any,
        targetctx: Any,
        library: Any,
        args: Any,
        return_type: Any,
        flags: Any,
        locals: Any,
    ) -> None:
        if library is None:
            library = _PartLibrary(targetctx.codegen(), "rule")
        super().__init__(typingctx, targetctx, library, args, return_type, flags, locals)


#: What :class:`_PartLibrary` takes the place of or calls; a Numba without it compiles as usual.
_NEEDED = (
    "_optimize_final_module",
    "_finalize_final_module",
    "_finalize_dynamic_globals",
    "_verify_declare_only_symbols",
    "_ensure_finalized",
    "get_pointer_to_function",
)


def part_options() -> dict[str, Any]:
    """The options of ``numba.njit`` that compile a function as a part, if this Numba can."""
    if all(hasattr(codegen.JITCodeLibrary, name) for name in _NEEDED):
        return {"pipeline_class": PartCompiler}
    return {}
