"""Looking into an ONNX file before anything is made of it.

An ONNX file is a protocol buffer.  Its fields are walked here without the ``onnx`` package, which
playing does not need, to refuse what a policy never holds: data in other files, operators from
outside the ONNX standard, loops, absurd sizes.  Field numbers are those of ``onnx.proto3``.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterator
from dataclasses import dataclass, field

#: Key of the metadata entry that holds the digest of everything else in the file.
DIGEST = "racegym.digest"

#: Most entries one stored array may have.
LARGEST_ARRAY = 2**26

_STANDARD = ("", "ai.onnx")
_RANDOM = (
    "Bernoulli",
    "Multinomial",
    "RandomNormal",
    "RandomNormalLike",
    "RandomUniform",
    "RandomUniformLike",
)
#: Number of the model's field that holds an entry of the metadata.
_ENTRY = 14
_VARINT, _FIXED64, _BYTES, _FIXED32 = 0, 1, 2, 5

#: For each kind of message: the numbers of its fields that hold messages, and their kinds.
_PARTS = {
    "model": {7: "graph", _ENTRY: "entry", 25: "function"},
    "graph": {1: "node", 5: "array", 15: "sparse array"},
    "function": {7: "node", 11: "attribute"},
    "node": {5: "attribute"},
    "attribute": {5: "array", 10: "array", 22: "sparse array", 23: "sparse array"},
    "sparse array": {1: "array", 2: "array"},
}


class NotOnnx(ValueError):
    """The bytes are no ONNX model, or one that a policy may not be; says why."""


@dataclass
class _Found:
    graphs: int = 0
    metadata: dict[str, str] = field(default_factory=dict)
    operators: set[tuple[str, str]] = field(default_factory=set)


def inspect(data: bytes) -> dict[str, str]:
    """The metadata of an ONNX model, once all of it has been found harmless.

    Raises:
        NotOnnx: not a whole ONNX model, damaged since it was exported, or it holds external data,
            functions of its own, operators from outside the standard or that draw random numbers,
            loops or branches, or arrays of absurd size.
    """
    _check_digest(data)
    found = _Found()
    _walk("model", memoryview(data), found)
    if found.graphs != 1:
        raise NotOnnx("not an ONNX model: it holds no graph")
    for domain, operator in sorted(found.operators):
        if domain not in _STANDARD:
            raise NotOnnx(f"it needs the operator {domain}:{operator} from outside the standard")
        if operator in _RANDOM:
            raise NotOnnx(f"its answers are random (operator {operator}): a match needs fixed ones")
    return found.metadata


def digest_of(data: bytes) -> str:
    """SHA-256 (hex digits) over all of an ONNX model but the entry :data:`DIGEST`.

    Raises:
        NotOnnx: the bytes are no ONNX model.
    """
    digest = hashlib.sha256()
    for number, value in _fields(memoryview(data)):
        if number == _ENTRY and _entry(value)[0] == DIGEST:
            continue
        content = str(value).encode() if isinstance(value, int) else value
        digest.update(f"{number} {len(content)} ".encode())
        digest.update(content)
    return digest.hexdigest()


def _check_digest(data: bytes) -> None:
    """Refuse a file that is not as it was exported; one without a digest is taken as it is."""
    entries = (_entry(value) for number, value in _fields(memoryview(data)) if number == _ENTRY)
    noted = dict(entries).get(DIGEST)
    if noted is not None and noted != digest_of(data):
        raise NotOnnx("it is damaged: its contents do not match the digest noted at the export")


def _entry(value: int | memoryview) -> tuple[str, str]:
    """Key and text of an entry of the metadata."""
    fields = {} if isinstance(value, int) else dict(_fields(value))
    texts = {number: part for number, part in fields.items() if not isinstance(part, int)}
    return _text(texts, 1), _text(texts, 2)


def _walk(kind: str, data: memoryview, found: _Found) -> None:
    parts = _PARTS.get(kind, {})
    numbers: dict[int, list[int]] = {}
    texts: dict[int, memoryview] = {}
    for number, value in _fields(data):
        if isinstance(value, int):
            numbers.setdefault(number, []).append(value)
            continue
        texts[number] = value
        if number in parts:
            _walk(parts[number], value, found)
        elif kind == "attribute" and number in (6, 11):
            raise NotOnnx("it holds loops or branches, which policies do not have")
        elif kind == "array" and number == 1:
            numbers.setdefault(1, []).extend(_packed(value))
        elif kind == "array" and number == 13:
            raise NotOnnx("it keeps data in other files: export it as a single file")
    _note(kind, numbers, texts, found)


def _note(
    kind: str, numbers: dict[int, list[int]], texts: dict[int, memoryview], found: _Found
) -> None:
    if kind == "graph":
        found.graphs += 1
    elif kind == "entry":
        found.metadata[_text(texts, 1)] = _text(texts, 2)
    elif kind == "node":
        found.operators.add((_text(texts, 7), _text(texts, 4)))
    elif kind == "function":
        raise NotOnnx("it holds functions of its own: export it as a plain network")
    elif kind == "array":
        if any(numbers.get(14, ())):
            raise NotOnnx("it keeps data in other files: export it as a single file")
        if math.prod(numbers.get(1, ())) > LARGEST_ARRAY:
            raise NotOnnx(f"it holds an array of more than {LARGEST_ARRAY} numbers")


def _text(texts: dict[int, memoryview], number: int) -> str:
    try:
        return str(texts.get(number, b""), "utf-8")
    except UnicodeDecodeError:
        raise NotOnnx("not an ONNX model: a name in it is no text") from None


def _fields(data: memoryview) -> Iterator[tuple[int, int | memoryview]]:
    """Pairs of (field number, whole number or bytes); fixed-size numbers come as bytes."""
    at = 0
    while at < len(data):
        key, at = _varint(data, at)
        number, wire = key >> 3, key & 7
        if wire == _VARINT:
            value, at = _varint(data, at)
            yield number, value
            continue
        if wire == _BYTES:
            length, at = _varint(data, at)
        elif wire in (_FIXED64, _FIXED32):
            length = 8 if wire == _FIXED64 else 4
        else:
            raise NotOnnx("not an ONNX model, or a damaged one")
        if length > len(data) - at:
            raise NotOnnx("not an ONNX model, or one that was cut off")
        yield number, data[at : at + length]
        at += length


def _varint(data: memoryview, at: int) -> tuple[int, int]:
    value = 0
    for shift in range(0, 70, 7):
        if at >= len(data):
            raise NotOnnx("not an ONNX model, or one that was cut off")
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, at
    raise NotOnnx("not an ONNX model, or a damaged one")


def _packed(data: memoryview) -> Iterator[int]:
    at = 0
    while at < len(data):
        value, at = _varint(data, at)
        yield value
