"""Splendor: Marvel, the four actions and the pass (SM-10 to SM-19)."""

from typing import Any

import pytest

import tavolino
from tests.games.splendor_marvel.conftest import Scenario

pytestmark = pytest.mark.plain

FOUR = ["rocket", "wasp", "wong", "rhino"]


# -- taking


@pytest.mark.rule("SM-10")
def test_while_three_colours_are_left_one_takes_three_different_ones(scenario: type[Scenario]) -> None:
    game = scenario()
    assert len([take for take in game.legal_of("take") if len(set(take.split()[1:])) == 3]) == 10
    assert "take yellow blue" not in game.legal
    assert game.refusal("take yellow blue") == ("SM-10", "take-three")
    assert game.refusal("take yellow") == ("SM-10", "take-three")
    game.play("take yellow red purple")
    assert game.held(0) == {"yellow": 1, "red": 1, "purple": 1}
    assert game.table()["bank"]["yellow"] == 3
    assert game.table()["bank"]["blue"] == 4


@pytest.mark.rule("SM-10")
def test_with_two_colours_left_one_takes_both_or_one(scenario: type[Scenario]) -> None:
    game = scenario()
    game.play(*["take yellow blue red"] * 4)
    assert game.legal_of("take") == [
        "take orange purple",
        "take orange",
        "take purple",
        "take orange orange",
        "take purple purple",
    ]
    assert game.refusal("take yellow orange purple") == ("SM-10", "none-left")
    game.play("take orange")
    assert game.held(0)["orange"] == 1


@pytest.mark.rule("SM-10")
def test_with_one_colour_left_one_takes_one(scenario: type[Scenario]) -> None:
    game = scenario()
    game.play(*["take yellow blue red"] * 4, *["take orange purple"] * 2, *["take orange"] * 2)
    assert game.legal_of("take") == ["take purple"]
    game.play("take purple")
    assert game.table()["bank"]["purple"] == 1


@pytest.mark.rule("SM-10")
def test_with_no_colour_left_nothing_can_be_taken(scenario: type[Scenario]) -> None:
    game = scenario()
    game.play(*["take yellow blue red"] * 4, *["take orange purple"] * 4)
    assert game.legal_of("take") == []


@pytest.mark.rule("SM-11")
def test_two_of_one_colour_only_while_at_least_four_lie_there(scenario: type[Scenario]) -> None:
    game = scenario()
    assert [take for take in game.legal_of("take") if len(take.split()) == 3] == [
        f"take {colour} {colour}" for colour in ("yellow", "blue", "red", "orange", "purple")
    ]
    game.play("take yellow yellow")
    assert game.held(0) == {"yellow": 2}
    assert "take yellow yellow" not in game.legal
    assert game.refusal("take yellow yellow") == ("SM-11", "too-few-for-two")
    game.play("take blue red orange")
    assert "take blue blue" not in game.legal  # three are left
    assert "take purple purple" in game.legal


@pytest.mark.rule("SM-12")
@pytest.mark.parametrize(
    "action", ["take grey", "take green", "take yellow blue grey", "take grey grey", "take green red"]
)
def test_neither_take_brings_grey_or_green(scenario: type[Scenario], action: str) -> None:
    game = scenario()
    assert not any("grey" in legal or "green" in legal for legal in game.legal_of("take"))
    assert game.refusal(action) == ("SM-12", "no-grey-or-green")


# -- reserving


@pytest.mark.rule("SM-13", "SM-18")
def test_reserving_a_face_up_card_brings_a_grey_token_and_refills_the_same_place(scenario: type[Scenario]) -> None:
    game = scenario(level_1=[*FOUR, "electro"])
    events = game.play("reserve wong")
    assert game.held(0) == {"grey": 1}
    assert game.seat(0)["reserved"] == [{"level": 1, "card": "wong"}]
    assert game.table()["rows"]["1"] == ["rocket", "wasp", "electro", "rhino"]
    assert [event["kind"] for event in events] == ["reserved", "refilled"]
    assert events[1] == {"kind": "refilled", "how": "card", "level": 1, "place": 2, "card": "electro", "left": 35}


@pytest.mark.rule("SM-13")
def test_the_top_card_of_a_deck_is_reserved_unseen_by_the_others(scenario: type[Scenario]) -> None:
    game = scenario(level_2=["shuri", "hela", "groot", "falcon", "venom"])
    game.play("reserve level-2")
    assert game.seat(0, viewer=0)["reserved"] == [{"level": 2, "card": "venom"}]
    assert game.seat(0, viewer=1)["reserved"] == [{"level": 2, "card": None}]
    assert game.seat(0, viewer=None)["reserved"] == [{"level": 2, "card": None}]
    assert game.table()["decks"]["2"] == 25
    assert game.table()["rows"]["2"] == ["shuri", "hela", "groot", "falcon"]


@pytest.mark.rule("SM-13")
def test_without_a_grey_token_one_may_still_reserve(scenario: type[Scenario]) -> None:
    game = scenario()
    game.play(*["reserve level-1"] * 5)
    assert game.table()["bank"]["grey"] == 0
    events = game.play("reserve level-1")
    assert events[0]["grey"] is False
    assert game.held(1) == {"grey": 2}
    assert len(game.seat(1)["reserved"]) == 3


@pytest.mark.rule("SM-13")
def test_an_empty_deck_and_a_card_that_does_not_lie_there_cannot_be_reserved(scenario: type[Scenario]) -> None:
    game = scenario(level_1=FOUR)
    game.empty_deck(1)
    assert "reserve level-1" not in game.legal
    assert game.refusal("reserve level-1") == ("SM-13", "deck-empty")
    assert game.refusal("reserve electro") == ("SM-13", "not-face-up")


@pytest.mark.rule("SM-14")
def test_three_reserved_cards_are_the_most(scenario: type[Scenario]) -> None:
    game = scenario()
    game.play(*["reserve level-1", "take yellow blue red"] * 3)
    assert game.legal_of("reserve") == []
    assert game.refusal("reserve level-3") == ("SM-14", "three-reserved")


@pytest.mark.rule("SM-14")
def test_reserved_cards_cost_nothing_at_the_end(scenario: type[Scenario]) -> None:
    game = scenario(first=1)
    game.lay(
        tokens={0: "green"},
        bonuses={0: "yellow blue red orange purple"},
        points={0: 16},
    )
    game.play("reserve level-1", "reserve level-3")
    assert game.match.outcome
    assert game.match.outcome.winners == (0,)
    assert game.seat(0)["points"] == 16


# -- recruiting and paying


@pytest.mark.rule("SM-15", "SM-18")
def test_a_face_up_card_is_recruited_for_its_cost(scenario: type[Scenario]) -> None:
    game = scenario(level_1=["mysterio", *FOUR])
    game.lay(tokens={0: "orange orange orange blue"})
    events = game.play("recruit mysterio")
    assert game.held(0) == {"blue": 1}
    assert game.table()["bank"]["orange"] == 4
    assert game.seat(0)["cards"] == ["mysterio"]
    assert game.seat(0)["bonuses"]["red"] == 1
    assert game.table()["rows"]["1"] == ["rhino", *FOUR[:3]]  # the fifth card of the deck came into the first place
    assert events[0]["paid"] == {"yellow": 0, "blue": 0, "red": 0, "orange": 3, "purple": 0, "grey": 0}


@pytest.mark.rule("SM-15")
def test_a_reserved_card_is_recruited_in_a_later_turn(scenario: type[Scenario]) -> None:
    game = scenario(level_1=["mysterio", *FOUR])
    game.lay(tokens={0: "orange orange"})
    game.play("reserve mysterio")
    assert game.match.to_act == 1  # reserving was the whole turn
    assert game.refusal("recruit mysterio") == ("SM-15", "not-on-offer")  # it is in somebody else's hand
    game.play("take yellow blue red", "recruit mysterio")
    assert game.seat(0)["reserved"] == []
    assert game.held(0) == {}  # two orange ones and the grey one
    assert game.table()["rows"]["1"][0] == "rhino"


@pytest.mark.rule("SM-15")
def test_a_card_that_nobody_can_see_cannot_be_recruited(scenario: type[Scenario]) -> None:
    game = scenario(level_1=FOUR)
    game.lay(tokens={0: "orange orange orange"})
    assert game.refusal("recruit mysterio") == ("SM-15", "not-on-offer")


@pytest.mark.rule("SM-14", "SM-15")
def test_the_other_reserved_cards_keep_their_order(scenario: type[Scenario]) -> None:
    game = scenario(level_1=["mysterio", "rocket", "wasp", "wong"])
    game.play(
        "reserve wong", "take yellow blue purple", "reserve mysterio", "take yellow blue purple", "reserve rocket"
    )
    game.play("take yellow blue purple", "recruit mysterio")  # three orange ones, paid with three grey ones
    assert [place["card"] for place in game.seat(0)["reserved"]] == ["wong", "rocket"]


@pytest.mark.rule("SM-16")
def test_the_rulebooks_example_sara_pays_one_red_for_rocket(scenario: type[Scenario]) -> None:
    game = scenario(level_1=FOUR)
    game.lay(tokens={0: "red"}, bonuses={0: "yellow red"})
    game.play("recruit rocket")
    assert game.held(0) == {}
    assert game.seat(0)["bonuses"] == {"yellow": 2, "blue": 0, "red": 1, "orange": 0, "purple": 0}


@pytest.mark.rule("SM-16")
def test_bonuses_can_pay_for_everything_and_give_no_change(scenario: type[Scenario]) -> None:
    game = scenario(level_1=FOUR)
    game.lay(tokens={0: "yellow red"}, bonuses={0: "yellow yellow red red red"})
    game.play("recruit rocket")
    assert game.held(0) == {"yellow": 1, "red": 1}


@pytest.mark.rule("SM-16")
def test_a_card_that_one_cannot_pay_for_is_refused_with_what_is_missing(scenario: type[Scenario]) -> None:
    game = scenario(level_1=FOUR)
    game.lay(tokens={0: "red"})
    assert game.legal_of("recruit") == []
    with pytest.raises(tavolino.IllegalAction, match="you are 2 tokens short") as refused:
        game.play("recruit rocket")
    assert refused.value.rule == "SM-16"


@pytest.mark.rule("SM-17")
def test_grey_stands_for_what_is_missing_and_the_only_way_to_pay_is_taken_at_once(scenario: type[Scenario]) -> None:
    game = scenario(level_1=FOUR)
    game.lay(tokens={0: "yellow red grey"})
    events = game.play("recruit rocket")
    assert [event["kind"] for event in events] == ["recruited", "refilled"]
    assert game.held(0) == {}
    assert game.table()["bank"]["grey"] == 5


@pytest.mark.rule("SM-17")
def test_how_to_pay_is_the_players_choice_and_nothing_moves_until_the_payment_is_closed(
    scenario: type[Scenario],
) -> None:
    game = scenario(level_1=[*FOUR, "electro"])
    game.lay(tokens={0: "yellow red red grey grey"})
    before = game.seat(0), game.table()["bank"], game.table()["rows"]
    game.play("recruit rocket")
    assert game.match.to_act == 0
    assert game.legal == ("pay", "grey yellow", "grey red")
    game.play("grey red")
    assert game.legal == ("pay", "grey yellow", "grey red")
    assert game.table()["paying"]["payment"] == {"yellow": 1, "blue": 0, "red": 1, "orange": 0, "purple": 0, "grey": 1}
    assert (game.seat(0), game.table()["bank"], game.table()["rows"]) == before
    game.play("grey yellow")
    assert game.legal == ("pay",)  # always said, though nothing else is left
    assert game.refusal("grey red") == ("SM-17", "no-spare-grey")
    game.play("pay")
    assert game.held(0) == {"yellow": 1, "red": 1}
    assert game.table()["bank"]["grey"] == 5
    assert game.table()["rows"]["1"][0] == "electro"
    assert game.table()["paying"] is None
    assert game.match.to_act == 1


@pytest.mark.rule("SM-17")
def test_paying_without_a_change_keeps_the_grey_tokens(scenario: type[Scenario]) -> None:
    game = scenario(level_1=FOUR)
    game.lay(tokens={0: "yellow red red grey"})
    game.play("recruit rocket")
    assert game.refusal("grey blue") == ("SM-17", "colour-not-in-payment")
    assert game.refusal("take yellow blue red") == ("SM-17", "close-the-payment")
    game.play("pay")
    assert game.held(0) == {"grey": 1}


@pytest.mark.rule("SM-17")
def test_a_card_that_costs_nothing_leaves_no_choice_to_a_holder_of_grey(scenario: type[Scenario]) -> None:
    game = scenario(level_1=FOUR)
    game.lay(tokens={0: "grey"}, bonuses={0: "yellow red red"})
    game.play("recruit rocket")
    assert game.match.to_act == 1
    assert game.held(0) == {"grey": 1}


@pytest.mark.rule("SM-17", "SM-40")
def test_a_blindly_reserved_card_is_named_to_all_as_soon_as_its_payment_begins(scenario: type[Scenario]) -> None:
    game = scenario(level_1=[*FOUR, "mysterio"])
    game.play("reserve level-1", "take yellow blue red")
    game.lay(tokens={0: "orange orange orange"})
    events = game.play("recruit mysterio")
    assert events == [{"kind": "recruiting", "seat": 0, "card": "mysterio", "reserved": True}]
    for viewer in (0, 1, None):
        assert game.seat(0, viewer)["reserved"] == [{"level": 1, "card": "mysterio"}]
        assert game.table(viewer)["prompt"]["card"] == "mysterio"


@pytest.mark.rule("SM-18")
def test_with_an_empty_deck_the_place_stays_empty(scenario: type[Scenario]) -> None:
    game = scenario(level_1=FOUR)
    game.empty_deck(1)
    events = game.play("reserve wasp")
    assert game.table()["rows"]["1"] == ["rocket", None, "wong", "rhino"]
    assert events[1]["how"] == "empty"
    assert events[1]["card"] is None
    assert game.legal_of("reserve")[:3] == ["reserve rocket", "reserve wong", "reserve rhino"]


# -- passing


def stuck(scenario: type[Scenario], **decks: Any) -> Scenario:
    """Seat 0 can do nothing: its hand is full, the colours are gone, nothing can be paid."""
    game = scenario(level_1=["baron-zemo", "moon-knight", "mysterio", "silver-sable"], **decks)
    game.play(*["reserve level-3", "take yellow blue red"] * 3)
    state = game.match._states[0]
    state["tokens"][:] = 0
    state["bank"][:5] = 0
    game.lay()
    return game


@pytest.mark.rule("SM-19")
def test_whoever_can_do_nothing_passes_and_a_pass_is_a_turn(scenario: type[Scenario]) -> None:
    game = stuck(scenario)
    assert game.legal == ("pass",)
    assert game.play("pass") == [{"kind": "passed", "seat": 0}]
    assert game.match.to_act == 1


@pytest.mark.rule("SM-19", "SM-22")
def test_the_end_of_the_turn_follows_a_pass(scenario: type[Scenario]) -> None:
    game = stuck(scenario, locations=["asgard", "knowhere"])
    game.lay(bonuses={0: "yellow yellow yellow blue blue blue red red red"})
    game.match._states[0]["n_face_up"] = 0  # nothing to recruit, whatever the bonuses pay
    game.match._states[0]["reserved"][0] = [70, 71, 72]  # three that bonuses do not pay
    game.lay()
    assert game.legal == ("pass",)
    game.play("pass")
    assert game.seat(0)["locations"] == ["knowhere"]


@pytest.mark.rule("SM-19")
def test_nobody_may_pass_who_can_do_something(scenario: type[Scenario]) -> None:
    game = scenario()
    assert "pass" not in game.legal
    assert game.refusal("pass") == ("SM-19", "pass-only-if-stuck")
