"""Reading configs from YAML and the command line, with errors that say what to change."""

from __future__ import annotations

import dataclasses
import math
import types
import typing
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import yaml
from jsonargparse import ArgumentError, ArgumentParser

from racegym.errors import RacegymError, did_you_mean, nearest
from training.config import BaseConfig, ConfigError
from training.renamed import SETTINGS
from training.sections import LARGEST

AnyConfig = TypeVar("AnyConfig", bound=BaseConfig)
Sections = dict[str, dict[str, "dataclasses.Field[Any]"]]

#: Settings below which any names may stand (the game, or what is the user's own, checks them).
_OPEN = ("algorithm.options", "game.options", "game.vary", "network.options", "reward.options")
_COMMAND_LINE = "command line"

#: How jsonargparse refuses a value.
_REFUSALS = (ArgumentError, TypeError, ValueError, OverflowError)

#: What a type is called, once and several times.
_WORDS: dict[Any, tuple[str, str]] = {
    bool: ("true or false", "true or false"),
    int: ("a whole number", "whole numbers"),
    float: ("a number", "numbers"),
    str: ("a text", "texts"),
    list: ("a list", "lists"),
    dict: ("a mapping", "mappings"),
    type(None): ("null", "null"),
}


def read_config(
    schema: type[AnyConfig], path: str | Path, overrides: Sequence[str] = ()
) -> AnyConfig:
    """The config in a YAML file; see :func:`config_from_dict`."""
    return config_from_dict(schema, _read_yaml(Path(path), schema), str(path), overrides)


def config_from_dict(
    schema: type[AnyConfig],
    found: Mapping[str, Any],
    source: str,
    overrides: Sequence[str] = (),
) -> AnyConfig:
    """A checked config.

    Args:
        schema: the class of the config.
        found: sections with their settings; a section may be short for one of them, as
            ``algorithm: ppo`` is for ``algorithm: {kind: ppo}``.
        source: where they come from, for messages.
        overrides: ``--section.key value`` or ``--section.key=value``, as on the command line
            (``--section value`` where the section may be short for a setting).

    Raises:
        ConfigError: an unknown key, a wrong type or a value out of bounds; the message is one
            line with the source, the key and, where it helps, the nearest key there is.
    """
    sections = _sections(schema)
    found = _spelled_out(found, _shorts(schema))
    _check_keys(found, source, sections)
    changed = check_overrides(schema, overrides)
    parser = ArgumentParser(prog="training", exit_on_error=False, add_help=False)
    parser.add_class_arguments(schema, nested_key=None)
    given = [(f"{name}.{key}", v) for name, part in found.items() for key, v in part.items()]
    with _types_told(source, schema, given, lambda key, value: _read_one(parser, key, value)):
        settings = parser.parse_object(dict(found), defaults=True)
    with _types_told(
        _COMMAND_LINE, schema, changed, lambda key, text: parser.parse_args([f"--{key}={text}"])
    ):
        settings = parser.parse_args([f"--{key}={text}" for key, text in changed], settings)
    plain = parser.instantiate(settings)
    config = schema(**{name: getattr(plain, name) for name in sections})
    with blamed(source, overrides):
        _check_values(config, sections)
        config.check()
    return config


def check_overrides(schema: type[BaseConfig], overrides: Sequence[str]) -> list[tuple[str, str]]:
    """The dotted keys and the texts of command-line overrides.

    Raises:
        ConfigError: a word that is no override, or a key that no setting has.
    """
    sections, shorts = _sections(schema), _shorts(schema)
    pairs = [(shorts.get(key, key), text) for key, text in _pairs(overrides, schema)]
    for key, _ in pairs:
        _check_key(key, _COMMAND_LINE, sections)
    return pairs


@contextmanager
def blamed(source: str, overrides: Sequence[str]) -> Iterator[None]:
    """Say in a ConfigError about some settings where they were given: the command line or a file.

    Args:
        source: the file.
        overrides: as given on the command line.
    """
    try:
        yield
    except ConfigError as error:
        if not error.keys:
            raise
        changed = [key for key, _ in _pairs(overrides)]
        own = any(_is_part(key, other) for key in error.keys for other in changed)
        raise ConfigError(f"{_COMMAND_LINE if own else source}: {error}") from None


def _is_part(one: str, other: str) -> bool:
    """True if one dotted key is the other, or lies below or above it."""
    return f"{one}.".startswith(f"{other}.") or f"{other}.".startswith(f"{one}.")


def _pairs(
    overrides: Sequence[str], schema: type[BaseConfig] | None = None
) -> Iterator[tuple[str, str]]:
    """Keys and texts of ``--section.key value`` and ``--section.key=value``.

    ``--section`` alone is refused where the schema has no short form of it.
    """
    words = list(overrides)
    while words:
        word = words.pop(0)
        key, equals, text = word.removeprefix("--").partition("=")
        whole = "." in key or schema is None or key in _shorts(schema)
        if not word.startswith("--") or not whole:
            sections = {} if schema is None else _sections(schema)
            known = [f"--{name}.{key}" for name, fields in sections.items() for key in fields]
            raise ConfigError(
                f"{_COMMAND_LINE}: settings are --section.key value, not {word!r}"
                + did_you_mean(word, known, cutoff=0.6)
            )
        if not equals:
            if not words or words[0].startswith("--"):
                raise ConfigError(f"{_COMMAND_LINE}: --{key} needs a value behind it")
            text = words.pop(0)
        yield key, text


def _sections(schema: type[BaseConfig]) -> Sections:
    return {
        section.name: {f.name: f for f in dataclasses.fields(section.default_factory)}  # type: ignore[arg-type]
        for section in dataclasses.fields(schema)
    }


def _shorts(schema: type[BaseConfig]) -> dict[str, str]:
    """Of the sections that may be given as one value, which setting that is: ``init.source``."""
    parts = {s.name: getattr(s.default_factory, "SHORT", None) for s in dataclasses.fields(schema)}
    return {name: f"{name}.{key}" for name, key in parts.items() if key is not None}


def _spelled_out(found: Mapping[str, Any], shorts: Mapping[str, str]) -> dict[str, Any]:
    """The sections with their settings, short forms written out."""
    return {
        name: {shorts[name].partition(".")[2]: part}
        if name in shorts and not isinstance(part, Mapping)
        else part
        for name, part in found.items()
    }


class _StandsTwice(yaml.constructor.ConstructorError):
    """A key that stands twice in a mapping."""


class _Loader(yaml.SafeLoader):
    """Plain YAML in which no key stands twice."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        keys = [self.construct_object(key, deep=True) for key, _ in node.value]
        for number, key in enumerate(keys):
            if key in keys[:number]:
                mark = node.value[number][0].start_mark
                raise _StandsTwice(None, None, f"the key {key!r} stands twice", mark)
        return super().construct_mapping(node, deep)


def yaml_in(path: Path) -> Any:
    """What a YAML file holds.

    Raises:
        ConfigError: it cannot be read; the message names the line.
    """
    try:
        return yaml.load(path.read_text(encoding="utf-8"), _Loader)
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path} is no YAML file: it is not UTF-8 ({error.reason})") from None
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = "" if mark is None else f" (line {mark.line + 1})"
        told = ":" if isinstance(error, _StandsTwice) else " is no YAML file:"
        raise ConfigError(f"{path}{told} {error.problem or error.context}{line}") from None
    except yaml.YAMLError as error:
        reason = getattr(error, "reason", None) or "it cannot be parsed"
        raise ConfigError(f"{path} is no YAML file: {reason}") from None
    except RecursionError:
        raise ConfigError(f"{path} is no YAML file: it is nested too deep") from None


def _read_yaml(path: Path, schema: type[BaseConfig]) -> dict[str, Any]:
    found = yaml_in(path)
    if not isinstance(found, dict):
        raise ConfigError(f"{path} holds no sections; known: {', '.join(_sections(schema))}")
    return found


def _check_keys(found: Mapping[str, Any], source: str, sections: Sections) -> None:
    for name, section in found.items():
        if name not in sections:
            raise _unknown_section(name, source, sections)
        if not isinstance(section, Mapping):
            raise ConfigError(f"{source}: section {name!r} holds settings, not {section!r}")
        for key in section:
            if key not in sections[name]:
                raise _unknown_key(f"{name}.{key}", source, sections)


def _check_key(key: str, source: str, sections: Sections) -> None:
    """Refuse a dotted key that no setting has."""
    first, _, rest = key.partition(".")
    if first not in sections:
        raise _unknown_section(first, source, sections)
    if rest not in sections[first] and key.rpartition(".")[0] not in _OPEN:
        raise _unknown_key(key, source, sections)


def _unknown_section(name: str, source: str, sections: Sections) -> ConfigError:
    return ConfigError(f"{source}: unknown section {name!r}{nearest(name, sections)}")


def _unknown_key(key: str, source: str, sections: Sections) -> ConfigError:
    if key in SETTINGS:
        return ConfigError(f"{source}: {key} is now {SETTINGS[key]}")
    first = key.partition(".")[0]
    known = [f"{first}.{name}" for name in sections[first]]
    return ConfigError(f"{source}: unknown key {key!r}{nearest(key, known)}")


def _read_one(parser: ArgumentParser, key: str, value: Any) -> None:
    """Read one setting of a file alone; raises as the parser does."""
    name, _, rest = key.partition(".")
    parser.parse_object({name: {rest: value}}, defaults=True)


@contextmanager
def _types_told(
    source: str,
    schema: type[BaseConfig],
    given: Sequence[tuple[str, Any]],
    read: Callable[[str, Any], Any],
) -> Iterator[None]:
    """Say in words of our own which of the settings given has a value of a wrong type.

    Args:
        given: dotted keys and their values.
        read: reads one of them alone.
    """
    try:
        yield
    except _REFUSALS as error:
        for key, value in given:
            try:
                read(key, value)
            except _REFUSALS:
                raise ConfigError(f"{source}: {_refusal(schema, key, value)}") from None
        raise ConfigError(f"{source}: {' '.join(str(error).split())}") from None


def _refusal(schema: type[BaseConfig], key: str, value: Any) -> str:
    """``ppo.clip_range takes a number, not 'wide'``, with the nearest choice if there are any."""
    section, name, *inside = key.split(".")
    kind = typing.get_type_hints(type(getattr(schema(), section)))[name]
    if inside:
        kind = typing.get_args(kind)[-1]
    return _type_refusal(key, kind, value)


def _type_refusal(key: str, kind: Any, value: Any) -> str:
    shown = "null" if value is None else repr(value)
    shown = shown if len(shown) <= 80 else shown[:80] + " …"
    wanted = type_in_words(kind)
    if str(value).strip(" +-.").lower() in ("nan", "inf", "infinity"):
        wanted = wanted.replace("a number", "a finite number")
    text = f"{key} takes {wanted}, not {shown}"
    if typing.get_origin(kind) is typing.Literal:
        text += did_you_mean(str(value), typing.get_args(kind))
    return text


def type_in_words(kind: Any, many: bool = False) -> str:
    """A type of a setting in words: ``a whole number``, or ``whole numbers`` if ``many``."""
    origin, parts = typing.get_origin(kind), typing.get_args(kind)
    if origin is typing.Literal:
        return "one of " + ", ".join(map(repr, parts))
    if origin in (typing.Union, types.UnionType):
        return " or ".join(type_in_words(part) for part in parts)
    plain = origin or kind
    one, several = _WORDS.get(plain, (getattr(plain, "__name__", str(plain)),) * 2)
    text = several if many else one
    held = parts[-1:] if origin in (list, dict) and parts[-1] is not Any else ()
    return f"{text} of {type_in_words(held[0], many=True)}" if held else text


def _check_values(config: BaseConfig, sections: Sections) -> None:
    """Refuse numbers out of bounds, and null where it does not fit (jsonargparse takes it)."""
    for name, fields in sections.items():
        part = getattr(config, name)
        kinds = typing.get_type_hints(type(part))
        for key, declared in fields.items():
            value = getattr(part, key)
            if value is None and type(None) not in typing.get_args(kinds[key]):
                place = f"{name}.{key}"
                raise ConfigError(_refusal(type(config), place, None), place)
            if "low" not in declared.metadata or value is None:
                continue
            low, high, above = (declared.metadata[k] for k in ("low", "high", "above"))
            if not ((value > low if above else value >= low) and value <= high):
                bounds = f"above {low}" if above else f"at least {low}"
                bounds += "" if high == LARGEST and not value > high else f" and at most {high}"
                place = f"{name}.{key}"
                finite = "" if abs(value) < math.inf else ", a finite number"
                raise ConfigError(f"{place} must be {bounds}{finite}, not {value}", place)


def dataclass_of(kind: type, given: Mapping[str, Any], key: str) -> Any:
    """An own dataclass filled from a mapping of the config, types checked.

    Args:
        kind: the dataclass.
        given: its fields.
        key: of the setting that holds the mapping, for messages.

    Raises:
        ConfigError: an unknown or missing field, or a value of a wrong type.
    """
    known = [f.name for f in dataclasses.fields(kind) if f.init]
    for name in given:
        if name not in known:
            raise ConfigError(f"unknown key '{key}.{name}'{nearest(name, known)}", key)
    for declared in dataclasses.fields(kind):
        if declared.init and declared.name not in given and _is_required(declared):
            place = f"{key}.{declared.name}"
            raise ConfigError(f"{place} is missing", place)
    try:
        parser = ArgumentParser(prog="training", exit_on_error=False, add_help=False)
        _check_fields(kind, given, key)
        parser.add_class_arguments(kind, "part")
        return parser.instantiate(parser.parse_object({"part": dict(given)})).part
    except ConfigError:
        raise
    except (*_REFUSALS, RacegymError) as error:
        raise ConfigError(f"{key}: {' '.join(str(error).split())}", key) from error


def _is_required(declared: dataclasses.Field[Any]) -> bool:
    missing = dataclasses.MISSING
    return declared.default is missing and declared.default_factory is missing


def _check_fields(kind: type, given: Mapping[str, Any], key: str) -> None:
    """Say of a field of an own dataclass what it takes, in words of our own."""
    try:
        kinds = typing.get_type_hints(kind)
    except NameError:  # of a type that only the user's function knows
        return
    for name, value in given.items():
        parser = ArgumentParser(prog="training", exit_on_error=False, add_help=False)
        parser.add_argument("--value", type=kinds[name])
        try:
            parser.parse_object({"value": value})
        except _REFUSALS:
            place = f"{key}.{name}"
            raise ConfigError(_type_refusal(place, kinds[name], value), place) from None
