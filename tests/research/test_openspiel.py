"""OpenSpiel's own tests on the games, its search in them, and what its tests do not check."""

import json
import pickle
import random
from pathlib import Path
from typing import Any

import numpy as np
import pyspiel
import pytest
from absl import flags
from open_spiel.integration_tests import api_test
from open_spiel.python.algorithms import generate_playthrough, ismcts, mcts
from open_spiel.python.observation import make_observation
from open_spiel.python.tests import games_sim_test

import tavolino
from tavolino.engine.record import SPECTATOR
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


@pytest.mark.parametrize("name", tavolino.games())
def test_an_observer_of_all_players_has_the_tensors_of_all(name: str) -> None:
    game = load(name, players=3 if 3 in tavolino.load(name).players else 2)
    kind = pyspiel.IIGObservationType(perfect_recall=False, private_info=pyspiel.PrivateInfoType.ALL_PLAYERS)
    everybody, state = make_observation(game, kind), deal(game, random.Random(1))
    everybody.set_from(state, 0)
    seats = range(game.num_players())
    assert everybody.tensor.tolist() == [number for seat in seats for number in state.observation_tensor(seat)]
    assert everybody.dict["players of seat 1"].tolist() == [game.num_players()]
    assert everybody.string_from(state, 0) == "\n".join(state.observation_string(seat) for seat in seats)


def private_texts(state: Any, recall: bool) -> list[str]:
    kind = pyspiel.IIGObservationType(public_info=False, perfect_recall=recall)
    observer = make_observation(state.get_game(), kind)
    assert observer.tensor is None
    return [observer.string_from(state, seat) for seat in range(state.num_players())]


def test_a_private_observer_shows_the_own_hand_alone() -> None:
    state = deal(load("infinity-gauntlet", players=3), random.Random(1))
    thanos, hero, other = private_texts(state, recall=False)
    own = [state.to_observation_struct(seat).to_dict()["seats"][seat]["hand"] for seat in range(3)]
    assert hero == f"seats: {{1={{hand=[{' '.join(own[1])}]}}}}"
    assert other == f"seats: {{2={{hand=[{' '.join(own[2])}]}}}}"
    assert all(card in thanos for card in own[0])
    assert private_texts(deal(load("mantis", players=3), random.Random(1)), recall=False) == ["", "", ""]


@pytest.mark.parametrize("name", tavolino.games())
def test_private_lines_and_a_spectators_lines_make_the_information_state(name: str) -> None:
    """With perfect recall the private observer has the own choices and the secret events, by their places."""
    chance = random.Random(name)
    state = deal(load(name, players=3), chance)
    for _ in range(25):
        state.apply_action(chance.choice(state.legal_actions()))
    public = state.table.information_state(SPECTATOR).splitlines()[1:-1]
    for seat, private in enumerate(private_texts(state, recall=True)):
        lines = dict(line.split(" ", 1) for line in private.splitlines())
        whole = state.information_state_string(seat).splitlines()[1:-1]
        left = iter(public)
        merged = []
        for number in range(len(whole)):
            own = lines.get(str(number))
            shared = None if own is not None and own.startswith("> ") else next(left)
            merged.append(own if own is not None else shared)
        assert merged == whole


def test_an_observer_of_nothing_shows_nothing() -> None:
    state = deal(load("mantis", players=2), random.Random(1))
    kind = pyspiel.IIGObservationType(
        public_info=False, perfect_recall=False, private_info=pyspiel.PrivateInfoType.NONE
    )
    assert make_observation(state.get_game(), kind).string_from(state, 0) == ""


@pytest.mark.parametrize("name", tavolino.games())
def test_two_players_play_for_a_sum_of_zero(name: str) -> None:
    """So that algorithms for zero-sum games take it. With more players the returns may sum to anything."""
    utility = pyspiel.GameType.Utility
    game = load(name, players=2)
    assert game.get_type().utility == utility.ZERO_SUM
    assert game.utility_sum() == 0
    assert load(name, players=3).get_type().utility == utility.GENERAL_SUM
    assert load(name, players=3).utility_sum() is None
    again = pickle.loads(pickle.dumps(game))
    assert again.get_type().utility == utility.ZERO_SUM
    assert again.new_initial_state().get_game().utility_sum() == 0
    for seed in range(10):
        chance = random.Random(seed)
        state = deal(game, chance)
        while not state.is_terminal():
            state.apply_action(chance.choice(state.legal_actions()))
        assert sum(state.returns()) == 0


# -- playthroughs: every call of OpenSpiel's interface in one game, as text that can be read and compared

PLAYTHROUGHS = sorted((Path(__file__).parent / "playthroughs").glob("*.txt"))


def test_every_game_has_a_playthrough() -> None:
    assert [path.stem for path in PLAYTHROUGHS] == [short_name(name) for name in tavolino.games()]


@pytest.mark.parametrize("path", PLAYTHROUGHS, ids=lambda path: path.stem)
def test_a_playthrough_is_what_it_was(path: Path) -> None:
    """`python tests/research/make_playthroughs.py` writes them again: only together with a new version."""
    if not flags.FLAGS.is_parsed():
        flags.FLAGS(["pytest"])
    kept, again = generate_playthrough.replay(path)
    assert again.splitlines() == kept.splitlines()


# -- structs


@pytest.mark.parametrize("name", tavolino.games())
def test_structs_give_the_same_state_again(name: str) -> None:
    chance = random.Random(name)
    game = load(name, players=3)
    state = game.new_initial_state()
    while True:
        if chance.random() < 0.2 or state.is_terminal():
            struct = json.loads(state.to_json())
            assert state.to_struct().to_dict() == state.to_dict() == struct
            for again in (game.new_initial_state(struct), game.new_initial_state(state.to_struct())):
                assert str(again) == str(state)
                assert again.history() == state.history()
                assert again.to_json() == state.to_json()
        if state.is_terminal():
            break
        state.apply_action(chance.choice(state.legal_actions()))


@pytest.mark.parametrize("name", tavolino.games())
def test_an_action_struct_is_its_text(name: str) -> None:
    chance = random.Random(name)
    state = deal(load(name, players=2), chance)
    for _ in range(15):
        for action in state.legal_actions():
            struct = state.action_to_struct(state.current_player(), action)
            assert struct.to_dict() == {"action": state.action_to_string(action)}
            assert state.struct_to_actions(struct) == [action]
        other = state.clone()
        other.apply_action(action)
        assert state.apply_action_struct(struct).ok()
        assert str(other) == str(state)


def test_a_struct_that_does_not_fit_is_refused_and_changes_nothing() -> None:
    game = load("mantis", players=2)
    state = deal(game, random.Random(1))
    struct, before = state.action_to_struct(0, state.legal_actions()[0]), str(state)
    other = deal(load("splendor-marvel", players=2), random.Random(1))
    with pytest.raises(ValueError, match="'score' is not a legal action now"):
        other.struct_to_actions(struct)
    assert str(state) == before
    resampled = state.resample_from_infostate(0, random.random)
    assert resampled.to_dict()["history"] is None
    for wrong, message in (
        ({}, "no history"),
        (resampled.to_dict(), "no history"),
        ({"history": [1, 2, 3, 4, 99]}, "action 4 is 99"),
        ({"history": [1, 2, 3, 256]}, "action 3 is 256"),
        ({"history": ["1"]}, "action 0 is '1'"),
    ):
        with pytest.raises(ValueError, match=message):
            game.new_initial_state(wrong)


@pytest.mark.parametrize("name", tavolino.games())
def test_an_observation_struct_is_what_the_seat_may_know(name: str) -> None:
    """It is the same in a world that the seat cannot tell from the true one."""
    chance = random.Random(name)
    state = deal(load(name, players=3), chance)
    while not state.is_terminal():
        if chance.random() < 0.2:
            for seat in range(3):
                world = state.resample_from_infostate(seat, chance.random)
                assert world.to_observation_struct(seat).to_json() == state.to_observation_struct(seat).to_json()
        state.apply_action(chance.choice(state.legal_actions()))
