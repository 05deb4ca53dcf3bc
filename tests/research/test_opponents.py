"""Opponents inside the step: levels, policies, pools and lists of them, and what a policy gets to see."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tavolino.engine import loops
from tavolino.engine.chance import key_from_seed
from tavolino.engine.game import Game
from tavolino.research.batch import EACH_IN_TURN, BatchEnv
from tavolino.research.gymnasium import SeatEnv
from tavolino.research.observing import encode
from tavolino.research.opponents import Pool
from tavolino.research.worlds import worlds


def lowest(observations: Any, masks: Any) -> Any:
    return masks.argmax(axis=1)


def highest(observations: Any, masks: Any) -> Any:
    return masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1)


def run(env: BatchEnv, steps: int) -> list[bytes]:
    """Everything that a learner gets who plays its lowest actions."""
    observations, infos = env.reset(seed=4)
    got = []
    for _ in range(steps):
        observations, rewards, is_over, _, infos = env.step(lowest(None, infos["action_mask"]))
        parts = (observations, rewards, is_over, infos["action_mask"], infos["final_obs"][is_over])
        got.append(b"".join(part.tobytes() for part in parts))
    return got


def test_a_policy_plays_the_same_games_as_the_learner_would(game: Game) -> None:
    """All seats by one policy: as self-play with that policy, where every decision is a step."""
    alone = BatchEnv(game.name, 3, 3, seat=None)
    _, infos = alone.reset(seed=4)
    of_first: list[list[bytes]] = [[] for _ in range(3)]
    for _ in range(400):
        for i, seat in enumerate(infos["seat"].tolist()):
            if seat == 0:
                of_first[i].append(alone._batch.observations[i].tobytes())
        *_, infos = alone.step(lowest(None, infos["action_mask"]))
    env = BatchEnv(game.name, 3, 3, opponents=lowest)
    observations, infos = env.reset(seed=4)
    for step in range(20):
        for i in range(3):
            assert observations[i].tobytes() == of_first[i][step]
        observations, *_, infos = env.step(lowest(None, infos["action_mask"]))


def test_one_seed_is_one_run_with_every_kind_of_opponent(game: Game) -> None:
    def make() -> BatchEnv:
        opponents: list[Any] = ["hard", Pool([lowest, "medium", "random"], [1, 1, 2]), highest]
        return BatchEnv(game.name, 3, 4, seat=EACH_IN_TURN, opponents=opponents, iterations=5)

    env = make()
    first = run(env, 6)
    assert first == run(make(), 6) == run(env, 6)


def test_deals_do_not_depend_on_who_plays(game: Game) -> None:
    dealt = {BatchEnv(game.name, 4, 3, opponents=who).reset(seed=9)[0].tobytes() for who in ("random", lowest, highest)}
    assert len(dealt) == 1


def test_a_list_names_seats_clockwise_from_the_learner() -> None:
    """Each policy is asked only in the seat for which it was named: the observation says whose tank is whose."""
    asked: dict[str, set[int]] = {"next": set(), "last": set()}
    env: BatchEnv

    def noting(name: str) -> Callable[[Any, Any], Any]:
        def policy(observations: Any, masks: Any) -> Any:
            waiting = env._batch.is_waiting
            apart = (env.states["to_act"] - env._batch.seats) % 3
            players = env._batch.players[np.arange(6), env.states["to_act"]]
            is_own = waiting & (players == numbers[name])
            assert is_own.sum() == len(masks)
            asked[name] |= set(apart[is_own].tolist())
            return lowest(observations, masks)

        return policy

    numbers = {"next": -2, "last": -3}
    env = BatchEnv("mantis", 6, 3, seat=EACH_IN_TURN, opponents=[noting("next"), noting("last")])
    run(env, 40)
    assert asked == {"next": {1}, "last": {2}}


def test_a_pool_draws_one_member_for_each_game_by_weight() -> None:
    """In 600 deals a member with weight 3 of 4 plays 450 times; the spread is 10.6, and five of it are allowed."""
    pool = Pool([lowest, "random"], [3, 1])
    env = BatchEnv("mantis", 600, 4, opponents=pool)
    env.reset(seed=2)
    others = env._batch.players[:, 1:]
    assert (others == others[:, :1]).all()  # one member for all other seats of a game
    assert abs(int((others[:, 0] == -2).sum()) - 450) < 53
    apart = BatchEnv("mantis", 600, 4, opponents=[pool, pool, "random"])
    apart.reset(seed=2)
    drawn = apart._batch.players
    assert (drawn[:, 1] != drawn[:, 2]).any()
    assert (drawn[:, 3] == -1).all()


def test_a_past_self_that_is_added_plays_in_later_games() -> None:
    calls = {"old": 0, "new": 0}

    def counting(name: str) -> Callable[[Any, Any], Any]:
        def policy(observations: Any, masks: Any) -> Any:
            calls[name] += len(masks)
            return lowest(observations, masks)

        return policy

    pool = Pool([counting("old")])
    env = BatchEnv("mantis", 8, 2, opponents=pool)
    _, infos = env.reset(seed=1)
    pool.add(counting("new"), 1000.0)
    is_over = np.zeros(8, bool)
    while not is_over.any():
        assert calls["new"] == 0
        _, _, is_over, _, infos = env.step(lowest(None, infos["action_mask"]))
    for _ in range(200):
        *_, infos = env.step(lowest(None, infos["action_mask"]))
    assert calls["new"] > calls["old"]


def test_a_policy_gets_what_its_seat_could_not_tell_from_another_world(game: Game) -> None:
    """Two worlds: what was handed over is, to the byte, what the same seat gets in a world drawn for it."""
    seen = {"compared": 0, "different": 0}
    env: BatchEnv

    def policy(observations: Any, masks: Any) -> Any:
        waiting = np.flatnonzero(env._batch.is_waiting)
        for row, i in enumerate(waiting.tolist()):
            seat, setting = int(env.states["to_act"][i]), env.setting
            other = env.states[i : i + 1].copy()
            loops.draw_world(other, 0, seat, key_from_seed(f"{seen} {i}"), setting.numbers)
            observation, mask = np.empty_like(observations[row]), np.empty_like(masks[row])
            encode(other, 0, seat, setting.from_rules, setting.numbers, mask, observation)
            assert observations[row].tobytes() == observation.tobytes()
            assert masks[row].tobytes() == mask.tobytes()
            seen["compared"] += 1
            seen["different"] += not np.array_equal(worlds(other), worlds(env.states[i : i + 1]))
        for given in (observations, masks):
            assert not np.shares_memory(given, env._batch.observations)
            assert not np.shares_memory(given, env._batch.masks)
        return highest(observations, masks)

    env = BatchEnv(game.name, 4, 3, opponents=policy, knowledge=True, state=True)
    run(env, 15)
    assert seen["compared"] > 30
    assert seen["different"] > 0.9 * seen["compared"] or game.name == "mantis"  # its decks have no order to differ in


def test_an_illegal_choice_of_a_policy_is_named_and_only_a_reset_helps() -> None:
    wrong: list[Any] = []

    def policy(observations: Any, masks: Any) -> Any:
        return wrong[0](masks)

    env = BatchEnv("mantis", 4, 2, opponents=policy)
    for bad, sentence in (
        (lambda masks: np.full(len(masks), 99), "chose action 99; legal actions"),
        (lambda masks: np.zeros(0), "gave an array of shape"),
    ):
        wrong[:] = [bad]
        with pytest.raises(ValueError, match=sentence):
            run(env, 100)
        with pytest.raises(ValueError, match="call reset"):
            env.step([0] * 4)


def test_bad_opponents_are_named() -> None:
    for given, sentence in (
        ("strong", "There are no opponents 'strong'. Opponents: random, easy, medium, hard, expert."),
        (["random"], "one for each other seat: 3, not 1"),
        (7, "a level .*, a policy or a pool, not 7"),
    ):
        with pytest.raises(ValueError, match=sentence):
            BatchEnv("mantis", 2, opponents=given)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="self-play"):
        BatchEnv("mantis", 2, seat=None, opponents=lowest)
    for members, weights in (([], None), (["random"], [1, 2]), (["random"], [0])):
        with pytest.raises(ValueError, match="weight"):
            Pool(members, weights)
    with pytest.raises(ValueError, match="Only a policy"):
        Pool(["random"]).add("medium")  # type: ignore[arg-type]


def test_a_single_environment_takes_them_too() -> None:
    env = SeatEnv("mantis", 3, opponents=["medium", lowest])
    _, info = env.reset(seed=2)
    is_over = False
    while not is_over:
        _, reward, is_over, _, info = env.step(int(info["action_mask"].argmax()))
    assert -1 <= reward <= 1
