"""How the end of a game reaches those who play batches."""

from __future__ import annotations

import pytest

from racegym.envs import VectorEnv


@pytest.mark.parametrize(("max_turns", "cuts"), [(1, True), (None, False)])
def test_a_cut_game_has_terminated_like_any_other(max_turns: int | None, cuts: bool) -> None:
    options = {} if max_turns is None else {"max_turns": max_turns}
    env = VectorEnv("cafe_race", 4, seed=1, **options)
    batch, ended = env.reset(), 0
    assert not batch.terminated.any()
    assert not batch.cut.any()
    while ended < 8:
        batch = env.step(env.sample())
        ended += int(batch.ended.sum())
        assert (batch.ended == batch.terminated).all()
        assert (batch.cut == (batch.terminated & cuts)).all()
        assert (batch.rewards.any(axis=1) <= batch.terminated).all()
