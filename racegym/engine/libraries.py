"""Numba's compiler with code libraries for kernels and the parts they are made of.

See :mod:`racegym.engine.linking`, which decides whether they are used.
"""

from __future__ import annotations

from typing import Any

from numba.core import codegen, compiler
from numba.core.environment import lookup_environment

from racegym.engine.selftest import is_passed


class _EnvironmentsLeft:
    """A code generator that sets no environments: those of rules are in no machine code yet."""

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


class _KernelLibrary(codegen.JITCodeLibrary):
    """The code of a kernel, with that of its parts, whose environments it sets."""

    def _finalize_final_module(self) -> None:
        super()._finalize_final_module()
        generator: Any = self._codegen
        for variable in self._final_module.global_variables:
            environment = lookup_environment(variable.name)
            if environment is not None:
                generator.set_env(variable.name, environment)


class KernelCompiler(compiler.Compiler):
    """Numba's compiler, with a code library for kernels made of parts."""

    def __init__(self, typingctx: Any, targetctx: Any, library: Any, *rest: Any) -> None:
        if library is None:
            library = _library(_KernelLibrary, targetctx, "kernel")
        super().__init__(typingctx, targetctx, library, *rest)


class PartCompiler(compiler.Compiler):
    """Numba's compiler, with a code library for parts of kernels."""

    def __init__(self, typingctx: Any, targetctx: Any, library: Any, *rest: Any) -> None:
        if library is None:
            library = _library(_PartLibrary, targetctx, "rule")
        super().__init__(typingctx, targetctx, library, *rest)


def _library(kind: type, targetctx: Any, name: str) -> Any:
    """A library of a kind of ours; None, for one of Numba's, if the self-test has failed."""
    if not is_passed():
        return None
    library = kind(targetctx.codegen(), name)
    library.enable_object_caching()
    return library
