"""PettingZoo's own tests on the environments, and what its tests do not check."""

import warnings
from functools import partial
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from pettingzoo.utils.conversions import parallel_to_aec

from tavolino.engine.game import Game
from tavolino.research.pettingzoo import env, parallel_env

with warnings.catch_warnings():
    # PettingZoo's own tests import one of its games in the way that PettingZoo now deprecates.
    warnings.filterwarnings("ignore", "The old environment creation API", DeprecationWarning)
    from pettingzoo.test import (
        api_test,
        max_cycles_test,
        parallel_api_test,
        parallel_seed_test,
        performance_benchmark,
        render_test,
        seed_test,
    )

# PettingZoo's api_test knows which of PettingZoo's own games have observations with an action mask, by name, and
# warns about everybody else's; an agent whose game is over has no legal action, in its own card games too.
masked_observations = pytest.mark.filterwarnings(
    "ignore:Observation is not a NumPy array:UserWarning",
    "ignore:Observation space for each agent probably should be:UserWarning",
    "ignore:Action mask numpy array is all zeros:UserWarning",
)


@masked_observations
def test_api(game: Game) -> None:
    for players in (game.players[0], game.players[-1]):
        api_test(env(game.name, players, render_mode="ansi"), num_cycles=200)


@masked_observations
def test_api_with_options() -> None:
    api_test(env("mantis", 3, icons=False, first=2), num_cycles=50)
    api_test(env("infinity-gauntlet", 3, knowledge=False), num_cycles=50)
    api_test(env("infinity-gauntlet", 3, thanos=1, hero_life=2, thanos_life=2), num_cycles=50)
    api_test(env("splendor-marvel", 3, first=1), num_cycles=50)


def test_seed(game: Game) -> None:
    seed_test(partial(env, game.name), num_cycles=100)


def test_render(game: Game, capsys: pytest.CaptureFixture[str]) -> None:
    render_test(partial(env, game.name))
    assert game.name in capsys.readouterr().out


def test_parallel_api(game: Game) -> None:
    parallel_api_test(parallel_env(game.name), num_cycles=300)


def test_parallel_seed(game: Game) -> None:
    """It passes actions without looking at masks, so illegal ones must be replaced, which the seed determines too."""
    parallel_seed_test(partial(parallel_env, game.name, illegal="replace"), num_cycles=100)


def test_max_cycles(game: Game) -> None:
    """It passes actions without looking at masks, and counts cycles of all agents: so the parallel form."""

    def every_seat_in_every_cycle(max_cycles: int) -> Any:
        return parallel_to_aec(parallel_env(game.name, illegal="replace", max_cycles=max_cycles))

    max_cycles_test(
        SimpleNamespace(parallel_env=partial(parallel_env, game.name, illegal="replace"), env=every_seat_in_every_cycle)
    )


@pytest.mark.long
def test_performance_benchmark_runs(game: Game, capsys: pytest.CaptureFixture[str]) -> None:
    performance_benchmark(env(game.name))
    turns = float(capsys.readouterr().out.split("\n")[1].split()[0])
    assert turns > 1000


def play(environment: Any, seed: int) -> tuple[list[int], dict[str, float]]:
    """A whole game by the lowest and highest legal actions in turn; the actions, and what everybody got."""
    environment.reset(seed=seed)
    actions: list[int] = []
    rewards: dict[str, float] = {}
    for agent in environment.agent_iter():
        observation, reward, is_over, _, _ = environment.last()
        if is_over:
            rewards[agent] = reward
            environment.step(None)
        else:
            legal = np.flatnonzero(observation["action_mask"])
            actions.append(int(legal[0] if len(actions) % 2 else legal[-1]))
            environment.step(actions[-1])
    return actions, rewards


def test_one_seed_with_one_list_of_actions_is_one_game(game: Game) -> None:
    environment = env(game.name)
    assert play(environment, 5) == play(env(game.name), 5)
    assert play(environment, 5) != play(environment, 6)


def test_rewards_come_at_the_end_and_say_who_won(game: Game) -> None:
    for seed in range(5):
        _, rewards = play(env(game.name), seed)
        assert len(rewards) == 4
        winners = [agent for agent, reward in rewards.items() if reward > -1 and reward != 0]
        assert all(-1 <= reward <= 1 for reward in rewards.values())
        assert winners or set(rewards.values()) == {0.0}


def seen_by_the_next(environment: Any) -> dict[str, Any]:
    observation: dict[str, Any] = environment.last()[0]
    return observation


def test_an_illegal_action_is_an_error_and_changes_nothing(game: Game) -> None:
    environment = env(game.name)
    environment.reset(seed=1)
    before = seen_by_the_next(environment)
    illegal = int(np.flatnonzero(before["action_mask"] == 0)[0])
    for action in (illegal, -1, 10**6, None):
        with pytest.raises(ValueError, match="cannot play action"):
            environment.step(action)
    after = seen_by_the_next(environment)
    assert (before["observation"] == after["observation"]).all()
    assert (before["action_mask"] == after["action_mask"]).all()


def test_what_was_handed_out_is_not_written_to_again(game: Game) -> None:
    environment = env(game.name)
    environment.reset(seed=1)
    first = seen_by_the_next(environment)
    kept = first["observation"].copy()
    environment.step(int(np.flatnonzero(first["action_mask"])[0]))
    environment.last()
    assert (first["observation"] == kept).all()
    first["observation"][:] = 99
    assert (seen_by_the_next(environment)["observation"] != 99).any()


def test_the_parallel_form_needs_only_the_action_of_the_seat_to_act() -> None:
    environment = parallel_env("mantis", 3)
    observations, _ = environment.reset(seed=4)
    asked = [name for name, seen in observations.items() if seen["action_mask"].any()]
    assert asked == ["player_0"]
    observations, _, _, _, _ = environment.step({"player_0": 0})
    assert [name for name, seen in observations.items() if seen["action_mask"].any()] == ["player_1"]
    with pytest.raises(ValueError, match="player_1 cannot play"):
        environment.step({"player_0": 0})


@pytest.mark.parametrize("make", [env, parallel_env])
def test_bad_arguments_are_named(make: Any) -> None:
    with pytest.raises(LookupError, match="mantis"):
        make("chess")
    with pytest.raises(ValueError, match="players"):
        make("mantis", 7)
    with pytest.raises(ValueError, match="option"):
        make("mantis", icon=True)
    with pytest.raises(ValueError, match="render mode"):
        make("mantis", render_mode="rgb_array")
    with pytest.raises(ValueError, match="illegal"):
        make("mantis", illegal="ignore")
    with pytest.raises(ValueError, match="reset"):
        make("mantis").step({})
    with pytest.raises(ValueError, match="render_mode"):
        make("mantis").render()
