"""The true world for critics: there on request, whole, and nowhere else."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from pettingzoo.utils.wrappers import BaseParallelWrapper, BaseWrapper, OrderEnforcingWrapper

from tavolino.engine.game import Game
from tavolino.research.batch import BatchEnv
from tavolino.research.gymnasium import SeatEnv
from tavolino.research.pettingzoo import env, parallel_env
from tavolino.research.worlds import world_fields, worlds

WRAPPERS = {env: (BaseWrapper, OrderEnforcingWrapper), parallel_env: (BaseParallelWrapper,)}


def play(environment: Any, decisions: int) -> list[Any]:
    """All that agents get, as plain data."""
    environment.reset(seed=5)
    got = []
    for _ in range(decisions):
        observation, reward, is_over, is_cut, info = environment.last()
        got.append((observation["observation"].tolist(), observation["action_mask"].tolist(), reward, is_over, info))
        if is_over or is_cut:
            break
        environment.step(int(observation["action_mask"].argmax()))
    return got


@pytest.mark.parametrize("make", [env, parallel_env])
def test_without_request_there_is_no_state(game: Game, make: Any) -> None:
    plain = make(game.name, 3)
    assert not hasattr(plain, "state_space")
    for each in (plain, *(wrap(plain) for wrap in WRAPPERS[make])):
        each.reset(seed=1)
        with pytest.raises(ValueError, match="state=True"):
            each.state()
    batch = BatchEnv(game.name, 4, 3)
    _, infos = batch.reset(seed=1)
    assert not {"state", "_state"} & {*infos, *batch.step(batch.sample_actions())[4]}
    assert batch.state_space is None


def test_observations_and_infos_are_the_same_with_it(game: Game) -> None:
    plain, with_state = env(game.name, 3), env(game.name, 3, state=True)
    assert with_state.observation_spaces == plain.observation_spaces
    got = play(with_state, 60)
    assert got == play(plain, 60) == play(BaseWrapper(env(game.name, 3, state=True)), 60)
    assert all(info == {} for *_, info in got)


def test_infos_of_the_parallel_form_do_not_hold_it(game: Game) -> None:
    environment = parallel_env(game.name, 3, state=True)
    observations, infos = environment.reset(seed=1)
    assert infos == {name: {} for name in environment.agents}
    actions: dict[str, int | None] = {name: int(seen["action_mask"].argmax()) for name, seen in observations.items()}
    assert environment.step(actions)[4] == infos


@pytest.mark.parametrize("make", [env, parallel_env])
def test_the_state_is_the_whole_world_and_no_chance(game: Game, make: Any) -> None:
    environment = make(game.name, 3, state=True)
    with pytest.raises(ValueError, match="reset"):
        environment.state()
    environment.reset(seed=1)
    state, record = environment.state(), environment._seats.table.states
    assert environment.state_space.contains(state)
    assert state.tolist() == [int(n) for name in world_fields(record.dtype) for n in np.ravel(record[0][name])]
    before = state.copy()
    for name in ("key", "block", "cheap", "words_used"):
        record[name] += 1
    assert (environment.state() == before).all()
    environment.reset(seed=2)
    assert (environment.state() != before).any()
    assert (state == before).all(), "what was given stays as it was"


def test_worlds_that_a_seat_cannot_tell_apart_differ_in_the_state_alone(game: Game) -> None:
    match = game.start(3, "worlds")
    if "reserve level-1" in match.legal():  # the decks have no order: only a card that was drawn blindly is hidden
        match.play("reserve level-1")
    seat = match.to_act
    assert seat is not None
    seen = {worlds(match.resample(seat, number)._states).tobytes() for number in range(8)}
    assert len(seen) > 1
    assert len({repr(match.resample(seat, number).view(seat)) for number in range(8)}) == 1


@pytest.mark.parametrize("seat", [None, 0])
def test_batches_have_a_row_for_each_game(game: Game, seat: int | None) -> None:
    batch, plain = BatchEnv(game.name, 8, 3, seat=seat, state=True), BatchEnv(game.name, 8, 3, seat=seat)
    observations, infos = batch.reset(seed=3)
    without, _ = plain.reset(seed=3)
    assert batch.state_space is not None
    for _ in range(40):
        assert (observations == without).all()
        assert infos["_state"].all()
        assert (infos["state"] == worlds(batch.states)).all()
        assert batch.state_space.contains(infos["state"][0])
        kept = infos["state"].copy()
        given = infos["state"]
        actions = batch.sample_actions()
        observations, *_, infos = batch.step(actions)
        without, *_ = plain.step(actions)
        assert (given == kept).all()


def test_a_single_seat_has_no_critic(game: Game) -> None:
    with pytest.raises(ValueError, match="for batches"):
        SeatEnv(game.name, state=True)
