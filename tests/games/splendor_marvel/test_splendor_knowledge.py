"""Splendor: Marvel, who knows what (SM-40, SM-41): views, logs, notebooks, and worlds drawn anew."""

import json
import random
from collections import Counter
from itertools import permutations

import pytest

import tavolino
from tavolino.engine import loops
from tavolino.engine.testing import check_no_interference
from tavolino.games.splendor_marvel.facts import CARDS, CARDS_OF_LEVEL
from tests.games.splendor_marvel.conftest import Scenario, Scripted

GAME = tavolino.load("splendor-marvel")
TAKE = "take yellow blue red"
LEVEL_3 = [CARDS[card] for card in CARDS_OF_LEVEL[2]]


def reserved(match: tavolino.Match, seat: int, viewer: int | None) -> list[str | None]:
    return [place["card"] for place in match.view(viewer)["seats"][seat]["reserved"]]


@pytest.mark.plain
@pytest.mark.rule("SM-40")
def test_a_card_reserved_from_the_row_stays_known_to_all(scenario: type[Scenario]) -> None:
    game = scenario(level_1=["rocket"])
    game.play("reserve rocket", "reserve level-2")
    for viewer in (0, 1, None):
        assert reserved(game.match, 0, viewer) == ["rocket"]
    for seed in range(5):
        for viewer in (0, 1, None):
            assert reserved(game.match.resample(viewer, seed), 0, 0) == ["rocket"]


@pytest.mark.plain
@pytest.mark.rule("SM-40")
def test_a_card_reserved_from_a_deck_is_in_its_holders_log_alone(scenario: type[Scenario]) -> None:
    game = scenario(level_3=[*LEVEL_3[:4], "thor"])
    game.play("reserve level-3")
    public = {"kind": "reserved-blind", "seat": 0, "card": None, "level": 3, "grey": True}
    assert game.table(0)["log"][-1] == {**public, "card": "thor", "secret": True}
    assert game.table(1)["log"][-1] == public
    assert game.table(None)["log"][-1] == public
    for viewer in (1, None):
        told_to_viewer = json.dumps([game.table(viewer), game.match.notebook(viewer)["known"]])
        assert "thor" not in told_to_viewer


@pytest.mark.plain
@pytest.mark.rule("SM-40")
def test_recruiting_shows_a_blindly_reserved_card_to_all(scenario: type[Scenario]) -> None:
    game = scenario(level_1=["rocket", "wasp", "wong", "rhino", "mysterio"])
    game.play("reserve level-1", TAKE)
    game.lay(tokens={0: "orange orange"})
    game.play("recruit mysterio")
    assert game.seat(0, viewer=1)["cards"] == ["mysterio"]
    assert game.table(1)["log"][-1]["card"] == "mysterio"


@pytest.mark.plain
@pytest.mark.rule("SM-40")
def test_open_to_all_sizes_rows_cards_tiles_and_the_levels_of_reserved_cards() -> None:
    match = GAME.start(3, "open", None, None)
    chance = random.Random(3)
    for _ in range(60):
        match.play(chance.choice(match.legal()))
    hidden = ("seat", "legal", "described", "log", "prices", "affordable", "seats")
    views = [match.view(viewer) for viewer in (0, 1, 2, None)]
    for view in views[1:]:
        assert {key: view[key] for key in view if key not in hidden} == {
            key: views[0][key] for key in views[0] if key not in hidden
        }
        for seat, same in zip(view["seats"], views[0]["seats"], strict=True):
            assert [place["level"] for place in seat["reserved"]] == [place["level"] for place in same["reserved"]]
            assert {**seat, "reserved": 0} == {**same, "reserved": 0}


@pytest.mark.plain
@pytest.mark.rule("SM-41")
def test_the_decks_of_resampled_worlds_come_up_in_other_orders(scenario: type[Scenario]) -> None:
    game = scenario(level_1=["rocket", "wasp", "wong", "rhino", "electro"])
    seen = set()
    for seed in range(12):
        world = game.match.resample(0, seed)
        world.play("reserve rocket")
        seen.add(world.view(None)["rows"]["1"][0])
    assert len(seen) > 5  # an arranged deck is no longer arranged in a world that nobody arranged


@pytest.mark.plain
def test_a_seat_keeps_what_it_reserved_in_secret_in_every_world(scenario: type[Scenario]) -> None:
    game = scenario()
    game.play("reserve level-1", "reserve level-3", "reserve level-2")
    mine = reserved(game.match, 0, 0)
    worlds = [game.match.resample(0, seed) for seed in range(20)]
    assert all(reserved(world, 0, 0) == mine for world in worlds)
    assert len({reserved(world, 1, 1)[0] for world in worlds}) > 5
    assert all(world.view(0) == game.match.view(0) for world in worlds)


def position_with_few_unseen_cards() -> tuple[tavolino.Match, list[str]]:
    """Three players; of level 3 only four cards are unseen by seat 2: two in other hands, two in the deck."""
    match = GAME.start(3, "few", None, {"level-3": LEVEL_3[:16]})
    match.play("reserve level-3")  # seat 0: card 4, hidden
    match.play("reserve level-3")  # seat 1: card 5, hidden
    state = match._states[0]
    unseen = [LEVEL_3[4], LEVEL_3[5], LEVEL_3[18], LEVEL_3[19]]
    state["pool"][2, :2] = [CARDS.index(card) for card in unseen[2:]]
    state["pool_size"][2] = 2
    gone = [CARDS.index(card) for card in LEVEL_3[6:18]]
    state["recruited"][: len(gone)], state["recruited_by"][: len(gone)] = gone, 0
    state["n_recruited"] = len(gone)
    match._advance(loops.LIST, 0)
    return match, unseen


def test_resampling_is_even_over_all_deals_that_fit() -> None:
    """4 unseen cards over 2 hands and a deck without order: 12 deals. 11 degrees of freedom: a chi-square above 37.4
    has a chance below 0.0001. Seeds are fixed."""
    match, unseen = position_with_few_unseen_cards()
    deals = list(permutations(unseen, 2))
    assert len(deals) == 12
    counts: Counter[tuple[str | None, ...]] = Counter()
    for seed in range(2400):
        world = match.resample(2, seed)
        counts[(reserved(world, 0, 0)[0], reserved(world, 1, 1)[0])] += 1
    assert set(counts) == set(deals)
    assert sum((n - 200) ** 2 / 200 for n in counts.values()) < 37.4


def test_the_holder_of_a_hidden_card_has_fewer_deals_to_fear() -> None:
    match, unseen = position_with_few_unseen_cards()
    others = Counter(reserved(match.resample(0, seed), 1, 1)[0] for seed in range(600))
    assert set(others) == {unseen[1], unseen[2], unseen[3]}  # card 4 is in seat 0's own hand
    assert sum((n - 200) ** 2 / 200 for n in others.values()) < 18.5  # 2 degrees of freedom: a chance below 0.0001


@pytest.mark.plain
def test_the_notebook_counts_cards(scenario: type[Scenario]) -> None:
    game = scenario(level_3=LEVEL_3[:5])
    game.play("reserve level-3", f"reserve {LEVEL_3[0]}")
    mine, theirs = game.match.notebook(0), game.match.notebook(1)
    hidden = LEVEL_3[4]
    assert {"seat": 0, "place": 0, "level": 3, "card": hidden, "open": False} in mine["known"]["reserved"]
    assert {"seat": 1, "place": 0, "level": 3, "card": LEVEL_3[0], "open": True} in mine["known"]["reserved"]
    assert mine["places"]["reserved"] == []
    assert hidden not in mine["unseen"]
    assert [(place["seat"], place["level"]) for place in theirs["places"]["reserved"]] == [(0, 3)]
    assert hidden in theirs["places"]["reserved"][0]["cards"]
    assert theirs["places"]["decks"]["3"]["size"] == 14
    assert len(theirs["places"]["decks"]["3"]["cards"]) == 15  # one of them is in seat 0's hand
    assert len(mine["places"]["decks"]["3"]["cards"]) == 14


@pytest.mark.plain
def test_an_empty_deck_can_hold_nothing(scenario: type[Scenario]) -> None:
    game = scenario()
    game.play("reserve level-3")
    game.empty_deck(3)
    assert game.match.notebook(1)["places"]["decks"]["3"] == {"size": 0, "cards": []}


def test_a_pending_payment_and_every_other_step_look_alike_in_every_world(scripted: Scripted) -> None:
    """Conformance at the steps that random positions seldom hit: paying, choosing a location, giving back."""
    chance = random.Random(11)
    wanted = {"pay": 3, "visit": 1, "return": 2}
    for name in ("a-choice-of-locations", "a-shared-win", "a-tie-broken-by-the-fewest-cards"):
        record = scripted(name)
        match = tavolino.replay({**record, "actions": []})
        for action in record["actions"]:
            step = match.view(None)["step"]
            if wanted.get(step, 0) > 0:
                wanted[step] -= 1
                check_no_interference(match, chance, steps=3)
            match.play(action)
    assert set(wanted.values()) == {0}


def test_what_one_sees_never_names_a_card_one_has_not_seen() -> None:
    """All ids in a view were shown by an event of that viewer's own log."""
    chance = random.Random(5)
    match = GAME.start(4, "names")
    while not match.over:
        match.play(chance.choice(match.legal()))
        for viewer in (0, 1, 2, 3, None):
            view = match.view(viewer)
            seen = {event.get("card") for event in view["log"]}
            seen.update(card for event in view["log"] for card in event.get("cards", ()))
            named = {place["card"] for seat in view["seats"] for place in seat["reserved"]} | set(view["prices"])
            named.update(card for row in view["rows"].values() for card in row)
            named.update(card for seat in view["seats"] for card in seat["cards"])
            assert named - {None} <= seen
