"""Splendor: Marvel, what the view says about prices, and arithmetic against plain counting (SM-16)."""

import random
from typing import Any

import numpy as np
import pytest

import tavolino
from tavolino.engine import loops
from tavolino.engine.decks import arrange
from tavolino.games.splendor_marvel.facts import CARDS, COLOURS, PARTS, pack
from tavolino.games.splendor_marvel.payment import shortfall
from tests.games.splendor_marvel.conftest import Scenario

GAME = tavolino.load("splendor-marvel")


@pytest.mark.plain
@pytest.mark.rule("SM-16")
def test_the_view_marks_what_one_can_pay_with_the_real_price(scenario: type[Scenario]) -> None:
    game = scenario(level_1=["rocket", "mysterio", "wasp", "wong"])
    game.lay(tokens={0: "red orange grey grey"}, bonuses={0: "yellow red"})
    shown = game.table(0)
    assert shown["prices"]["rocket"] == {"yellow": 0, "blue": 0, "red": 1, "orange": 0, "purple": 0, "grey_needed": 0}
    assert shown["prices"]["mysterio"]["orange"] == 3
    assert shown["prices"]["mysterio"]["grey_needed"] == 2
    assert {"rocket", "mysterio"} <= set(shown["affordable"])
    assert game.table(None)["prices"] == {}
    assert game.table(None)["affordable"] == []


@pytest.mark.plain
def test_what_is_affordable_is_what_can_be_recruited() -> None:
    chance = random.Random(8)
    for seed in range(4):
        match = GAME.start(2 + seed % 3, seed)
        while not match.over:
            view = match.view(match.to_act)
            if view["step"] == "turn":
                recruits = {action.split()[1] for action in match.legal() if action.startswith("recruit")}
                assert recruits == set(view["affordable"])
            match.play(chance.choice(match.legal()))


@pytest.mark.plain
def test_the_shortfall_of_five_colours_at_once_is_that_of_each_added_up() -> None:
    chance = random.Random(2)
    for _ in range(2000):
        cost = [chance.randint(0, 7) for _ in COLOURS]
        means = [chance.choice([0, 1, 3, 6, 7, 8, 25]) for _ in COLOURS]
        packed_cost, packed_means = pack(np.array([cost, means], dtype=np.int32))
        expected = sum(max(c - m, 0) for c, m in zip(cost, means, strict=True))
        assert shortfall(packed_cost, packed_means) == expected


def expected_legal(view: dict[str, Any]) -> set[str]:
    """The legal actions of a turn, computed from the view in the simplest way."""
    me = view["seats"][view["seat"]]
    left = [colour for colour in COLOURS if view["bank"][colour]]
    actions = set()
    for one in range(len(left)):
        if len(left) < 3:
            actions.add(f"take {left[one]}")
        for two in range(one + 1, len(left)):
            if len(left) < 3:
                actions.add(f"take {left[one]} {left[two]}")
            for three in range(two + 1, len(left)):
                actions.add(f"take {left[one]} {left[two]} {left[three]}")
    actions |= {f"take {colour} {colour}" for colour in COLOURS if view["bank"][colour] >= 4}
    face_up = [card for row in view["rows"].values() for card in row if card]
    if len(me["reserved"]) < 3:
        actions |= {f"reserve {card}" for card in face_up}
        actions |= {f"reserve level-{level}" for level, size in view["decks"].items() if size}
    for card in face_up + [place["card"] for place in me["reserved"]]:
        grey = 0
        for colour, cost in PARTS["cards"][card]["cost"].items():
            grey += max(cost - me["bonuses"][colour] - me["tokens"][colour], 0)
        if grey <= me["tokens"]["grey"]:
            actions.add(f"recruit {card}")
    return actions or {"pass"}


@pytest.mark.rule("SM-10", "SM-11", "SM-13", "SM-14", "SM-15", "SM-16", "SM-19")
def test_what_is_legal_is_what_the_rules_say_in_many_random_positions() -> None:
    chance = random.Random(4)
    for seed in range(9):
        match = GAME.start(2 + seed % 3, f"legal {seed}")
        while not match.over:
            view = match.view(match.to_act)
            if view["step"] == "turn":
                assert set(view["legal"]) == expected_legal(view)
            numbers = match._out[: match._n_legal].tolist()
            assert numbers == sorted(set(numbers))
            match.play(chance.choice(match.legal()))


@pytest.mark.parametrize("players", [2, 3, 4])
def test_quiet_games_are_the_same_games(players: int) -> None:
    states = GAME.new_states(2)
    states["quiet"][0] = 1
    arranged, n_arranged = arrange(GAME.decks, None, GAME.check_decks)
    options = GAME.option_numbers(players, {"first": 0})
    out, outcomes = np.zeros(GAME.action_count, np.int32), np.zeros((2, 40, 3), np.int32)
    for index in range(2):
        loops.random_games(states, index, 0, 40, 5, options, arranged, n_arranged, out, outcomes[index])
    assert (outcomes[0] == outcomes[1]).all()
    for name in GAME.record.names or ():
        if name not in ("quiet", "events", "n_events"):
            assert (states[name][0] == states[name][1]).all(), name


@pytest.mark.parametrize("players", [2, 3, 4])
def test_no_random_game_comes_near_the_proven_bound(players: int) -> None:
    """docs/rules/splendor-marvel.md proves 1401 decisions for each player; random games take a small part of that."""
    assert GAME.most_decisions(players) == 1401 * players
    states, outcomes = GAME.new_states(), np.zeros((500, 3), np.int32)
    states["quiet"] = 1
    arranged, n_arranged = arrange(GAME.decks, None, GAME.check_decks)
    options = GAME.option_numbers(players, {"first": players - 1})
    loops.random_games(
        states, 0, 0, 500, 9, options, arranged, n_arranged, np.zeros(GAME.action_count, np.int32), outcomes
    )
    assert outcomes[:, 2].max() < GAME.most_decisions(players) // 3
    assert set(outcomes[:, 1].tolist()) <= {1, 2}


@pytest.mark.plain
def test_a_turn_never_takes_more_decisions_than_the_proof_allows() -> None:
    """Seven, a choice of location left aside: naming the card, five grey tokens, closing the payment."""
    chance = random.Random(6)
    for seed in range(6):
        match = GAME.start(2 + seed % 3, f"turns {seed}")
        seat, taken = match.to_act, 0
        while not match.over:
            greys = [action for action in match.legal() if action.startswith("grey")]
            action = greys[0] if greys else chance.choice(match.legal())
            match.play(action)
            taken += not action.startswith("visit")
            assert taken <= 7
            if match.to_act != seat:
                seat, taken = match.to_act, 0


def test_every_card_can_be_recruited() -> None:
    """No card is forgotten by the action table."""
    assert all(f"recruit {card}" in _texts() and f"reserve {card}" in _texts() for card in CARDS)


def _texts() -> set[str]:
    return {GAME.action_text(None, action) for action in range(GAME.action_count)}
