"""Reading recipes from YAML and the command line, with errors that say what to change."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

import yaml
from jsonargparse import ArgumentError, ArgumentParser

from racegym.errors import RacegymError, nearest
from training.config import ConfigError, Recipe

AnyRecipe = TypeVar("AnyRecipe", bound=Recipe)
Sections = dict[str, dict[str, "dataclasses.Field[Any]"]]

#: Settings below which any names may stand (the game checks them).
_OPEN = ("game.options.", "game.vary.")
_COMMAND_LINE = "command line"


def read_config(
    recipe: type[AnyRecipe], path: str | Path, overrides: Sequence[str] = ()
) -> AnyRecipe:
    """The recipe in a YAML file; see :func:`config_from_dict`."""
    return config_from_dict(recipe, _read_yaml(Path(path), recipe), str(path), overrides)


def config_from_dict(
    recipe: type[AnyRecipe],
    found: Mapping[str, Any],
    source: str,
    overrides: Sequence[str] = (),
) -> AnyRecipe:
    """A checked recipe.

    Args:
        recipe: its class.
        found: sections with their settings.
        source: where they come from, for messages.
        overrides: ``--section.key value`` or ``--section.key=value``, as on the command line.

    Raises:
        ConfigError: an unknown key, a wrong type or a value out of bounds; the message is one
            line with the source, the key and, where it helps, the nearest key there is.
    """
    sections = _sections(recipe)
    _check_keys(found, source, sections)
    changed = set(override_keys(overrides))
    for key in changed:
        _check_key(key, _COMMAND_LINE, sections)
    parser = ArgumentParser(prog="training", exit_on_error=False, add_help=False)
    parser.add_class_arguments(recipe, nested_key=None)
    settings = _parsed(source, lambda: parser.parse_object(dict(found), defaults=True))
    if overrides:
        settings = _parsed(_COMMAND_LINE, lambda: parser.parse_args([*overrides], settings))
    plain = parser.instantiate(settings)
    config = recipe(**{name: getattr(plain, name) for name in sections})
    _check_bounds(config, sections, lambda key: _COMMAND_LINE if key in changed else source)
    try:
        config.check()
    except RacegymError as error:
        raise ConfigError(f"{source}: {error}") from None
    return config


def override_keys(overrides: Sequence[str]) -> Iterator[str]:
    """The dotted keys of command-line overrides; raises ConfigError for anything else."""
    expect_value = False
    for text in overrides:
        if text.startswith("--"):
            name, equals, _ = text[2:].partition("=")
            if "." not in name:
                raise _no_setting(text)
            yield name
            expect_value = not equals
        elif expect_value:
            expect_value = False
        else:
            raise _no_setting(text)


def _no_setting(text: str) -> ConfigError:
    return ConfigError(f"{_COMMAND_LINE}: settings are --section.key value, not {text!r}")


def _sections(recipe: type[Recipe]) -> Sections:
    return {
        section.name: {f.name: f for f in dataclasses.fields(section.default_factory)}  # type: ignore[arg-type]
        for section in dataclasses.fields(recipe)
    }


class _Loader(yaml.SafeLoader):
    """Plain YAML in which no key stands twice."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        keys = [self.construct_object(key, deep=True) for key, _ in node.value]
        for number, key in enumerate(keys):
            if key in keys[:number]:
                mark = node.value[number][0].start_mark
                raise yaml.constructor.ConstructorError(
                    None, None, f"the key {key!r} stands twice", mark
                )
        return super().construct_mapping(node, deep)


def _read_yaml(path: Path, recipe: type[Recipe]) -> dict[str, Any]:
    try:
        found = yaml.load(path.read_text(encoding="utf-8"), _Loader)
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror}") from None
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path} is no YAML file: {error}") from None
    if not isinstance(found, dict):
        raise ConfigError(f"{path} holds no sections; known: {', '.join(_sections(recipe))}")
    return found


def _check_keys(found: Mapping[str, Any], source: str, sections: Sections) -> None:
    for name, section in found.items():
        _check_key(str(name), source, sections)
        if not isinstance(section, Mapping):
            raise ConfigError(f"{source}: section {name!r} holds settings, not {section!r}")
        for key in section:
            _check_key(f"{name}.{key}", source, sections)


def _check_key(key: str, source: str, sections: Sections) -> None:
    """Refuse a dotted key that no setting has."""
    first, _, rest = key.partition(".")
    if first not in sections:
        raise ConfigError(f"{source}: unknown section {first!r}{nearest(first, sections)}")
    if rest and rest not in sections[first] and not key.startswith(_OPEN):
        known = [f"{first}.{name}" for name in sections[first]]
        raise ConfigError(f"{source}: unknown key {key!r}{nearest(key, known)}")


def _parsed(source: str, parse: Callable[[], Any]) -> Any:
    try:
        return parse()
    except (ArgumentError, TypeError, ValueError) as error:
        text = " ".join(str(error).replace("Parser key ", "").split())
        raise ConfigError(f"{source}: {text}") from None


def _check_bounds(config: Recipe, sections: Sections, source_of: Callable[[str], str]) -> None:
    for name, fields in sections.items():
        for key, declared in fields.items():
            value = getattr(getattr(config, name), key)
            if "low" not in declared.metadata or value is None:
                continue
            low, high, above = (declared.metadata[k] for k in ("low", "high", "above"))
            if not ((value > low if above else value >= low) and value <= high):
                bounds = f"above {low}" if above else f"at least {low}"
                bounds += "" if math.isinf(high) else f" and at most {high}"
                place = source_of(f"{name}.{key}")
                raise ConfigError(f"{place}: {name}.{key} must be {bounds}, not {value}")
