"""Compiling rules with Numba, once per machine.

``compiled`` marks the functions of the rules.  The generic kernels (:mod:`racegym.engine.kernels`)
are plain functions with free names (``STATE``, ``start``, ``apply`` …); :func:`instantiate` makes
a copy of one for a game by giving it other globals, compiles it and keeps the machine code in a
cache of our own, keyed by a hash of every source file and constant that it can reach.
"""

from __future__ import annotations

import hashlib
import inspect
import linecache
import pathlib
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numba
import numpy as np
from numba.core import types

from racegym.engine import linking
from racegym.engine.cache import KernelCache, cache_folder
from racegym.errors import RacegymError, RulesError

_JIT_OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy"}
#: Rules are called by compiled code only (Python uses :func:`uncompiled`).
_RULE_OPTIONS: dict[str, Any] = {
    **_JIT_OPTIONS,
    **linking.part_options(),
    "no_cpython_wrapper": True,
    "no_cfunc_wrapper": True,
}


def is_jit_enabled() -> bool:
    """False under ``NUMBA_DISABLE_JIT=1``, when everything runs as plain Python."""
    return not numba.config.DISABLE_JIT  # type: ignore[attr-defined,unused-ignore]


def compiled(function: Any = None, *, inline: bool = True) -> Any:
    """Mark a function of the rules for compilation into the kernels that call it.

    Args:
        function: the function; without it, a decorator is returned.
        inline: copy the machine code into every caller (the calls would cost more than most of
            the functions).  False for a large function that is called from many places.
    """
    if function is None:
        return partial(compiled, inline=inline)
    source = source_function(function)
    assert source is not None
    source.__is_rule__ = True  # type: ignore[attr-defined]
    rule = numba.njit(**_RULE_OPTIONS, forceinline=inline)(function)
    if is_jit_enabled():
        _specialise_less(rule)
    return rule


def _specialise_less(rule: Any) -> None:
    """Compile a rule once for all whole numbers, not once for each of int8, bool, 3, 4 ….

    Numba would make a specialisation for every combination; this cuts compile times by half.
    """
    chosen = rule.get_call_template

    def with_wide_numbers(args: Any, kws: Any) -> Any:
        return chosen([_widened(a) for a in args], {k: _widened(a) for k, a in kws.items()})

    rule.get_call_template = with_wide_numbers


def _widened(kind: Any) -> Any:
    plain: Any = types.unliteral(kind)
    signed = isinstance(plain, types.Integer) and getattr(plain, "signed", False)
    return types.int64 if signed or isinstance(plain, types.Boolean) else plain


def wrapping(function: Any) -> Any:
    """Mark arithmetic that is meant to wrap modulo 2^64, so that it does so uncompiled too."""
    function.__wraps_around__ = True
    if is_jit_enabled():
        return function
    return _without_overflow_warnings(function)


def _without_overflow_warnings(function: FunctionType) -> Any:
    quiet: Any = np.errstate(over="ignore")(function)
    quiet.py_func = function
    return quiet


def source_function(function: Any) -> FunctionType | None:
    """The Python function behind a compiled one; None for anything else."""
    found = getattr(function, "py_func", function)
    return found if isinstance(found, FunctionType) else None


def uncompiled(function: Any, replaced: dict[Any, Any] | None = None) -> Any:
    """A plain-Python copy of a compiled function and of all that it calls.

    Args:
        function: a function marked ``compiled``.
        replaced: functions to put in the place of others (used to script chance in tests).
            It is extended with every copy made, so that one dict serves several functions.
    """
    memo: dict[Any, Any] = {} if replaced is None else replaced
    if function in memo:
        return memo[function]
    source = source_function(function)
    assert source is not None, f"{function!r} is no function"
    names = dict(source.__globals__)
    copy = FunctionType(source.__code__, names, source.__name__, source.__defaults__)
    result = _without_overflow_warnings(copy) if hasattr(source, "__wraps_around__") else copy
    memo[function] = result
    uncompile_names(source.__code__, names, memo)
    return result


def uncompile_names(code: CodeType, names: dict[str, Any], replaced: dict[Any, Any]) -> None:
    """Put plain copies in the place of the compiled functions among the names that code uses."""
    for name in _names_used(code):
        value = names.get(name)
        if _is_rule(value):
            names[name] = uncompiled(value, replaced)


def _is_rule(value: Any) -> bool:
    return hasattr(source_function(value), "__is_rule__")


def _names_used(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names_used(constant)


# --- the fingerprint of everything a kernel is made of -------------------------------------------


def fingerprint(functions: Iterable[Any], names: dict[str, Any]) -> str:
    """Hash of the sources and constants reachable from functions and the names given to them."""
    files: set[str] = {__file__, linking.__file__, *linking.sources()}
    constants: dict[str, bytes] = {}
    todo = [*functions, *names.values()]
    seen: set[int] = set()
    for label, value in names.items():
        _note_constant(constants, label, value)
    while todo:
        source = source_function(todo.pop())
        if source is None or id(source) in seen:
            continue
        seen.add(id(source))
        file = inspect.getsourcefile(source) or source.__code__.co_filename
        if file in files or _source_of(file):
            files.add(file)
        else:
            constants[f"{source.__module__}.{source.__qualname__}()"] = _code_bytes(source.__code__)
        for name in _names_used(source.__code__):
            value = source.__globals__.get(name)
            if value is None or isinstance(value, ModuleType):
                continue
            todo.append(value)
            _note_constant(constants, f"{source.__module__}.{name}", value)
    digest = hashlib.sha256(f"{numba.__version__} {np.__version__}".encode())
    for file in sorted(files):
        digest.update(_source_of(file))
    for label in sorted(constants):
        digest.update(label.encode() + constants[label])
    return digest.hexdigest()[:16]


def _source_of(file: str) -> bytes:
    """A source file's bytes; of notebook cells and the like, the text that Python remembers."""
    path = pathlib.Path(file)
    if path.is_file():
        return path.read_bytes()
    return "".join(linecache.getlines(file)).encode()


def _code_bytes(code: CodeType) -> bytes:
    """What a function without source text is made of."""
    parts = [code.co_code, repr(code.co_names).encode()]
    for constant in code.co_consts:
        is_code = isinstance(constant, CodeType)
        parts.append(_code_bytes(constant) if is_code else repr(constant).encode())
    return b"\0".join(parts)


def _note_constant(constants: dict[str, bytes], label: str, value: Any) -> None:
    if isinstance(value, np.ndarray):
        constants[label] = str(value.dtype).encode() + str(value.shape).encode() + value.tobytes()
    elif isinstance(value, (int, float, str, tuple, np.generic, np.dtype)):
        constants[label] = repr(value).encode()


# --- kernels ------------------------------------------------------------------------------------

_announced: set[str] = set()


def _announce(label: str, kept: bool) -> None:
    """Say once per process and game that code is being compiled, and if it is kept for others."""
    name = label.partition("-")[0]
    if name not in _announced:
        _announced.add(name)
        after = "then kept" if kept else "each time: no cache folder can be used"
        print(f"racegym: compiling {name} (some seconds, {after})", file=sys.stderr, flush=True)


def _reason(error: Exception) -> str:
    """The first line of an error that says something, shortened."""
    lines = [line.strip() for line in str(error).splitlines()]
    telling = [line for line in lines if line and not line.startswith("Failed in nopython mode")]
    text = telling[0] if telling else "no reason given"
    return f"{type(error).__name__}: {text[:200]}"


def _tell_mistakes(dispatcher: Any, label: str) -> None:
    """Let a kernel that cannot be compiled raise a RulesError: Numba's go over many lines."""
    compile_for = dispatcher._compile_for_args

    def compile_or_tell(*args: Any, **keywords: Any) -> Any:
        try:
            return compile_for(*args, **keywords)
        except RacegymError:
            raise
        except Exception as error:
            raise RulesError(
                f"the rules of {label.partition('-')[0]} cannot be compiled ({_reason(error)}); "
                "racegym.testing.check_game says where the mistake is"
            ) from error

    dispatcher._compile_for_args = compile_or_tell


def instantiate(
    kernel: FunctionType, names: dict[str, Any], label: str, key: str
) -> Callable[..., Any]:
    """A copy of a generic kernel with the free names filled in, compiled and cached.

    Args:
        kernel: plain function from :mod:`racegym.engine.kernels`.
        names: what its free names mean here (a game's functions, dtype and sizes).
        label: the game's name, for messages.
        key: fingerprint of everything in ``names``.
    """
    unique = f"{label}-{kernel.__name__}-{key}"
    scope = {**kernel.__globals__, **names}
    copy = FunctionType(kernel.__code__, scope, unique, kernel.__defaults__)
    copy.__qualname__ = unique
    copy.__module__ = kernel.__module__
    copy.__doc__ = kernel.__doc__
    if not is_jit_enabled():
        return copy
    dispatcher = numba.njit(**_JIT_OPTIONS, **linking.kernel_options())(copy)
    _tell_mistakes(dispatcher, label)
    folder = cache_folder()
    if folder is None:
        _announce(label, kept=False)
        return dispatcher
    try:
        dispatcher._cache = KernelCache(copy, folder, lambda: _announce(label, kept=True))
    except Exception:  # another Numba with other internals: do without a cache
        _announce(label, kept=False)
    return dispatcher
