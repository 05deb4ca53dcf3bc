"""OpenSpiel's own tests on the games, its search in them, and what its tests do not check."""

import pickle
import random
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.integration_tests import api_test
from open_spiel.python.algorithms import ismcts, mcts
from open_spiel.python.observation import make_observation
from open_spiel.python.tests import games_sim_test

import tavolino
from tavolino.research.openspiel import MOST_SEED_BYTES, short_name


def load(name: str, **parameters: Any) -> Any:
    given = ",".join(f"{key}={value}" for key, value in parameters.items())
    return pyspiel.load_game(f"{short_name(name)}({given})")


def deal(game: Any, chance: random.Random) -> Any:
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(chance.choice(state.chance_outcomes())[0])
    return state


@pytest.mark.parametrize("name", tavolino.games())
def test_random_simulations_with_serialisation(name: str) -> None:
    players = tavolino.load(name).players
    for count in (players[0], players[-1]):
        pyspiel.random_sim_test(load(name, players=count), num_sims=2, serialize=True, verbose=False)


@pytest.mark.parametrize("name", tavolino.games())
def test_openspiels_simulation_in_python(name: str) -> None:
    """Clones, native and pickled serialisation of states, games and types, utilities within bounds."""
    games_sim_test.GamesSimTest().sim_game(load(name, players=3))


class TestApiOfMantis(api_test.EnforceAPIOnPartialTreeBase):
    game_name = short_name("mantis")
    game = pyspiel.load_game(game_name)


class TestApiOfInfinityGauntlet(api_test.EnforceAPIOnPartialTreeBase):
    game_name = short_name("infinity-gauntlet")
    game = pyspiel.load_game(game_name)


class TestApiOfSplendorMarvel(api_test.EnforceAPIOnPartialTreeBase):
    game_name = short_name("splendor-marvel")
    game = pyspiel.load_game(game_name)


def play_against_random(game: Any, seat: int, simulations: int, seed: int) -> float:
    """OpenSpiel's information-set search at one seat against random players; returns its reward."""
    chance = random.Random(seed)
    state = deal(game, chance)
    numbers = np.random.RandomState(seed)
    bot = ismcts.ISMCTSBot(
        game=game,
        uct_c=2.0,
        evaluator=mcts.RandomRolloutEvaluator(1, numbers),
        max_simulations=simulations,
        random_state=numbers,
    )
    bot.set_resampler(lambda here, player: here.resample_from_infostate(player, chance.random))
    while not state.is_terminal():
        mine = state.current_player() == seat
        state.apply_action(bot.step(state) if mine else chance.choice(state.legal_actions()))
    return state.returns()[seat]


@pytest.mark.slow
def test_openspiels_search_beats_random_at_mantis() -> None:
    """At random it would win a quarter of its games with four players: 10 or more of 16 with a chance of 0.2 %."""
    game = load("mantis", players=4)
    won = sum(play_against_random(game, seed % 4, 40, seed) > 0 for seed in range(16))
    assert won >= 10


@pytest.mark.parametrize(("name", "seat"), [("infinity-gauntlet", 0), ("infinity-gauntlet", 1), ("splendor-marvel", 0)])
def test_openspiels_search_plays_the_other_games(name: str, seat: int) -> None:
    """It asserts in every simulation that the resampled state has the same information state."""
    assert play_against_random(load(name, players=2), seat, 6, 1) in (-1.0, 0.0, 1.0)


@pytest.mark.parametrize("name", tavolino.games())
def test_a_resampled_state_keeps_nothing_of_the_true_history(name: str) -> None:
    chance = random.Random(name)
    state = deal(load(name, players=3), chance)
    for _ in range(12):
        state.apply_action(chance.choice(state.legal_actions()))
    player = state.current_player()
    other = state.resample_from_infostate(player, chance.random)
    assert other.history() == []
    assert other.information_state_string(player) == state.information_state_string(player)
    assert other.legal_actions() == state.legal_actions()
    assert other.observation_tensor(player) == state.observation_tensor(player)
    assert str(pickle.loads(pickle.dumps(other))) == str(other)
    while not other.is_terminal():
        other.apply_action(chance.choice(other.legal_actions()))


def test_the_same_sampler_gives_the_same_world_and_another_another() -> None:
    state = deal(load("mantis", players=2), random.Random(3))
    worlds = [str(state.resample_from_infostate(0, random.Random(seed).random)) for seed in (1, 1, 2)]
    assert worlds[0] == worlds[1] != worlds[2]


def test_the_seed_is_the_deal() -> None:
    game = load("mantis", players=2, seed_bytes=2)
    states = []
    for seed in ((1, 2), (1, 2), (2, 1)):
        state = game.new_initial_state()
        for byte in seed:
            assert len(state.chance_outcomes()) == 256
            state.apply_action(byte)
        assert not state.is_chance_node()
        states.append(str(state))
    assert states[0] == states[1] != states[2]
    assert game.max_chance_nodes_in_history() == 2


def test_actions_read_as_everywhere_else() -> None:
    state = deal(load("mantis", players=4, first=2), random.Random(1))
    assert state.current_player() == 2
    texts = [state.action_to_string(2, action) for action in state.legal_actions()]
    assert texts == ["score", "steal 3", "steal 0", "steal 1"]


def test_observers() -> None:
    game = load("infinity-gauntlet", players=2)
    state = deal(game, random.Random(1))
    mine = make_observation(game)
    mine.set_from(state, 0)
    assert mine.dict["players"].tolist() == [2.0]
    assert mine.tensor.tolist() == state.observation_tensor(0)
    public = pyspiel.IIGObservationType(perfect_recall=False, private_info=pyspiel.PrivateInfoType.NONE)
    spectator = make_observation(game, public)
    assert spectator.string_from(state, 0) == spectator.string_from(state, 1)
    assert mine.string_from(state, 0) != mine.string_from(state, 1)
    everything = pyspiel.IIGObservationType(perfect_recall=False, private_info=pyspiel.PrivateInfoType.ALL_PLAYERS)
    assert make_observation(game, everything) is None
    with pytest.raises(ValueError, match="no parameters"):
        game.make_py_observer(None, {"anything": 1})


def test_options_are_parameters() -> None:
    assert load("infinity-gauntlet", players=3).setting.options == {"thanos": 0, "hero_life": 8, "thanos_life": 5}
    chosen = load("infinity-gauntlet", players=3, thanos=2, thanos_life=1)
    assert chosen.setting.options == {"thanos": 2, "hero_life": 8, "thanos_life": 1}
    with pytest.raises(Exception, match="players"):
        load("mantis", players=9)
    with pytest.raises(Exception, match="seed_bytes must be"):
        load("mantis", seed_bytes=MOST_SEED_BYTES + 1)
    with pytest.raises(ValueError, match="Before the deal"):
        load("mantis").new_initial_state().resample_from_infostate(0, random.random)
