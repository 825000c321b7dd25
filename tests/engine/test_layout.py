"""Layouts: what is declared once gives dtype, visibility and seats."""

from __future__ import annotations

import numpy as np
import pytest

import racegym
from racegym.engine.layout import HEADER, Field, Layout, Visible
from racegym.engine.state import State

LAYOUT = Layout(
    (
        Field("small", "i1", (), Visible.EVERYBODY, "a small number"),
        Field("large", "i8", (), Visible.EVERYBODY, "a large number"),
        Field("hands", "i1", (3, 5), Visible.OWNER, "cards"),
        Field("deck", "u1", (7,), Visible.NOBODY, "cards in order"),
    )
)


def test_the_header_comes_first() -> None:
    assert LAYOUT.fields[: len(HEADER)] == HEADER
    assert [f.name for f in LAYOUT][-4:] == ["small", "large", "hands", "deck"]


def test_dtype_is_aligned_and_as_declared() -> None:
    assert LAYOUT.dtype.isalignedstruct
    assert LAYOUT.size == LAYOUT.dtype.itemsize
    for field in LAYOUT:
        dtype, _ = LAYOUT.dtype.fields[field.name][:2]
        assert dtype.shape == field.shape
        assert dtype.base == np.dtype(field.dtype)


def test_fields_are_found_by_name() -> None:
    assert LAYOUT["hands"].shape == (3, 5)
    with pytest.raises(KeyError):
        LAYOUT["hand"]


def test_hidden_from() -> None:
    hidden = dict(LAYOUT.hidden_from(1))
    assert hidden == {"chance_key": None, "chance_count": None, "hands": (0, 2), "deck": None}


def test_names_declared_twice_are_refused() -> None:
    with pytest.raises(ValueError, match="declared twice: a"):
        Layout((Field("a", "i1"), Field("a", "i2")))
    with pytest.raises(ValueError, match="declared twice: to_act"):
        Layout((Field("to_act", "i1"),))


@pytest.mark.parametrize("name", ["round", "item", "sort", "fill", "sum"])
def test_names_of_numpy_methods_are_refused(name: str) -> None:
    with pytest.raises(ValueError, match=f"'{name}' is a method of states"):
        Layout((Field(name, "i1"),))


def test_every_field_of_every_game_has_a_meaning(game_name: str) -> None:
    for field in racegym.game(game_name).layout:
        assert field.meaning, field.name
        if field.visible is Visible.OWNER:
            assert field.shape[0] == racegym.game(game_name).max_players


def test_padding_bytes_stay_zero(game_name: str) -> None:
    """Else equal states would have different hashes."""
    layout = racegym.game(game_name).layout
    used = np.zeros(layout.size, bool)
    for field in layout:
        dtype, offset = layout.dtype.fields[field.name][:2]
        used[offset : offset + dtype.itemsize] = True
    position = racegym.make(game_name, seed=3)
    while not position.is_over:
        raw = np.frombuffer(position.raw.tobytes(), np.uint8)
        assert not raw[~used].any()
        position.apply(position.legal_actions()[-1])


def test_a_state_reads_what_the_record_holds() -> None:
    raw = np.zeros(LAYOUT.size, np.uint8)
    state = raw.view(LAYOUT.dtype)
    state["small"], state["large"], state["to_act"] = -3, 2**40, -1
    state["hands"][0, 1, 2] = 9
    state["chance_key"][0, 3] = 2**64 - 1
    fields = State(LAYOUT, raw, read_only=True)
    assert (fields.small, fields.large, fields.to_act) == (-3, 2**40, -1)
    assert type(fields.small) is int
    assert fields["hands"][1, 2] == 9
    assert fields.chance_key[3] == 2**64 - 1
    with pytest.raises(AttributeError, match="no field 'smal'"):
        _ = fields.smal
    with pytest.raises(ValueError, match="read-only"):
        fields.hands[0, 0] = 1
