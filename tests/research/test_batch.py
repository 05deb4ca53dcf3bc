"""Many games at once: the same games as one by one, dealt again after their end, without copies."""

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers.vector import DictInfoToList

from tavolino.engine.game import Game
from tavolino.research.batch import EACH_IN_TURN, BatchEnv
from tavolino.research.encodings import encoding_of
from tavolino.research.gymnasium import SeatEnv, names
from tavolino.research.table import Setting, Table


def run(env: BatchEnv, steps: int, seed: int = 1) -> list[Any]:
    """Random play; what came out of every step, as copies."""
    env.reset(seed=seed)
    results = []
    for _ in range(steps):
        observations, rewards, is_over, _, infos = env.step(env.sample_actions())
        results.append((observations.copy(), rewards.copy(), is_over.copy(), infos["action_mask"].copy()))
    return results


def same(one: list[Any], two: list[Any]) -> bool:
    return all((a == b).all() for left, right in zip(one, two, strict=True) for a, b in zip(left, right, strict=True))


def test_one_seed_is_one_run(game: Game) -> None:
    env = BatchEnv(game.name, 16, copy=True)
    first = run(env, 60)
    assert same(first, run(BatchEnv(game.name, 16), 60))
    assert same(first, run(env, 60))
    assert not same(first, run(env, 60, seed=2))


def test_self_play_is_the_same_game_as_at_a_table(game: Game) -> None:
    """Every step of a batch, redone with the rules one by one from a copy of its state."""
    env = BatchEnv(game.name, 4, seat=None, knowledge=True)
    env.reset(seed=7)
    tables = [Table(Setting(game.name, 4)) for _ in range(env.num_envs)]
    for _ in range(150):
        actions = env.sample_actions()
        for table, state in zip(tables, env.states, strict=True):
            table.states[0] = state
            table.to_act = int(state["to_act"])
            table._legal = None
        observations, rewards, is_over, _, infos = env.step(actions)
        for i, (table, action) in enumerate(zip(tables, actions.tolist(), strict=True)):
            assert action in table.legal()
            actor = table.to_act
            table.play(action)
            assert is_over[i] == (table.to_act < 0)
            if is_over[i]:
                assert infos["returns"][i].tolist() == table.returns()
                assert rewards[i] == table.returns()[actor]
                assert (infos["final_obs"][i] == table.encode(actor)[0]).all()
            else:
                assert rewards[i] == 0
                observation, mask = table.encode(table.to_act)
                assert (observations[i] == observation).all()
                assert (infos["action_mask"][i] == mask).all()
                assert infos["seat"][i] == table.to_act


def test_the_learner_is_asked_at_its_seat_and_nowhere_else(game: Game) -> None:
    for seat in (0, 2):
        env = BatchEnv(game.name, 8, seat=seat)
        _, infos = env.reset(seed=3)
        for _ in range(40):
            assert (infos["seat"] == seat).all()
            assert (infos["action_mask"].sum(axis=1) > 0).all()
            *_, infos = env.step(env.sample_actions())


def test_seats_in_turn(game: Game) -> None:
    env = BatchEnv(game.name, 6, players=3, seat=EACH_IN_TURN)
    _, infos = env.reset(seed=3)
    assert infos["seat"].tolist() == [0, 1, 2, 0, 1, 2]
    before = infos["seat"].copy()
    for _ in range(1500):
        _, _, is_over, _, infos = env.step(env.sample_actions())
        expected = np.where(is_over, (before + 1) % 3, before)
        # A game that ended before the learner was asked counts, too, so a seat may be passed over.
        assert (infos["seat"] == expected)[~is_over].all()
        before = infos["seat"].copy()


def test_random_learners_win_their_share_of_mantis() -> None:
    """One in four, at every seat in turn: 6,000 games, five standard deviations."""
    env = BatchEnv("mantis", 256, seat=EACH_IN_TURN)
    env.reset(seed=11)
    games = shares = 0.0
    while games < 6000:
        _, rewards, is_over, _, _ = env.step(env.sample_actions())
        games += is_over.sum()
        shares += ((rewards[is_over] + 1) / 2).sum()
    assert abs(shares / games - 0.25) < 5 * np.sqrt(0.25 * 0.75 / games)


@pytest.mark.slow
def test_bots_inside_the_step_are_better_than_random_ones() -> None:
    """A random learner wins a quarter of the games against random players, and almost none against `medium` bots."""
    env = BatchEnv("mantis", 64, opponents="medium")
    env.reset(seed=11)
    games = won = 0
    while games < 400:
        _, rewards, is_over, _, _ = env.step(env.sample_actions())
        games += is_over.sum()
        won += (rewards > 0).sum()
    assert won / games < 0.08


def test_arrays_are_written_in_place_unless_copies_are_wanted() -> None:
    env = BatchEnv("mantis", 4)
    first, infos = env.reset(seed=1)
    second, _, _, _, later = env.step(env.sample_actions())
    assert first is second
    assert infos["action_mask"] is later["action_mask"]
    env = BatchEnv("mantis", 4, copy=True)
    first, _ = env.reset(seed=1)
    second, *_ = env.step(env.sample_actions())
    assert not np.shares_memory(first, second)


def test_one_place_does_not_depend_on_what_is_played_in_another(game: Game) -> None:
    runs = []
    for careless in (False, True):
        env = BatchEnv(game.name, 2)
        env.reset(seed=5)
        seen = []
        for _ in range(50):
            first = [np.flatnonzero(mask)[0] for mask in env.step(_lowest(env, careless))[4]["action_mask"]]
            seen.append((env.states[1]["to_act"], first[1]))
        runs.append(seen)
    assert runs[0] == runs[1]


def _lowest(env: BatchEnv, careless: bool) -> list[int]:
    masks = env._batch.masks
    lowest = [int(np.flatnonzero(mask)[0]) for mask in masks]
    if careless:
        lowest[0] = int(np.flatnonzero(masks[0])[-1])
    return lowest


def test_an_illegal_action_is_an_error_and_nothing_is_played(game: Game) -> None:
    env = BatchEnv(game.name, 3)
    env.reset(seed=1)
    actions = env.sample_actions()
    before = env.states.tobytes()
    for wrong in (-1, 10**6, int(np.flatnonzero(env._batch.masks[2] == 0)[0])):
        actions[2] = wrong
        with pytest.raises(ValueError, match=f"Game 2 cannot play action {wrong} now"):
            env.step(actions)
    with pytest.raises(ValueError, match="3 actions"):
        env.step(actions[:2])
    assert env.states.tobytes() == before
    env = BatchEnv(game.name, 3, illegal="replace")
    env.reset(seed=1)
    env.step([-1, 10**6, 0])


def test_knowledge_is_there_when_asked_for() -> None:
    encoding = encoding_of("infinity-gauntlet")
    lean, full = BatchEnv("infinity-gauntlet", 2), BatchEnv("infinity-gauntlet", 2, knowledge=True)
    assert lean.reset(seed=1)[0].shape == (2, encoding.open_size)
    observations, _ = full.reset(seed=1)
    assert observations.shape == (2, encoding.size)
    assert (observations[:, : encoding.open_size] == lean.reset(seed=1)[0]).all()
    assert observations[:, encoding.slice_of("can_hold")].any(axis=1).all()


def test_gymnasiums_checker(game: Game) -> None:
    """It samples actions without a mask, so illegal ones are replaced."""
    name = names()[("infinity-gauntlet", "mantis", "splendor-marvel").index(game.name)]
    env = gymnasium.make(name, illegal="replace")
    check_env(env.unwrapped)


def test_gymnasiums_registry_and_wrappers(game: Game) -> None:
    name = names()[("infinity-gauntlet", "mantis", "splendor-marvel").index(game.name)]
    env = gymnasium.make_vec(name, num_envs=3, vectorization_mode="vector_entry_point", illegal="replace", copy=True)
    assert env.metadata["autoreset_mode"] == AutoresetMode.SAME_STEP
    listed = DictInfoToList(env)
    _, infos = listed.reset(seed=1)
    assert len(infos) == 3
    observations, _, _, _, infos = listed.step(env.action_space.sample())
    assert observations in env.observation_space
    assert isinstance(env.single_action_space, gymnasium.spaces.Discrete)
    assert infos[0]["action_mask"].shape == (env.single_action_space.n,)


def test_a_single_seat_to_the_end(game: Game) -> None:
    env = SeatEnv(game.name, render_mode="ansi")
    _, info = env.reset(seed=2)
    assert game.name in (env.render() or "")
    is_over = False
    while not is_over:
        action = env.action_space.sample(info["action_mask"])
        observation, reward, is_over, _, info = env.step(int(action))
        assert observation in env.observation_space
    assert -1 <= reward <= 1
    assert not info["action_mask"].any()


def test_bad_arguments_are_named() -> None:
    for wrong in (-1, 4, True, "all"):
        with pytest.raises(ValueError, match="The seat must be one of"):
            BatchEnv("mantis", 2, seat=wrong)
    with pytest.raises(ValueError, match="illegal"):
        BatchEnv("mantis", 2, illegal="ignore")
    with pytest.raises(ValueError, match="render mode"):
        BatchEnv("mantis", 2, render_mode="human")
    with pytest.raises(ValueError, match="render_mode"):
        BatchEnv("mantis", 2).render()
    for early in (BatchEnv("mantis", 2).sample_actions, lambda: BatchEnv("mantis", 2).step([0, 0])):
        with pytest.raises(ValueError, match="call reset"):
            early()
    with pytest.raises(ValueError, match="one learner"):
        SeatEnv("mantis", seat=None)
    assert len(BatchEnv("mantis", 2, render_mode="ansi").render() or ()) == 2
