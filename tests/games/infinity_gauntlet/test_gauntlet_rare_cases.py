"""Rare cases of Infinity Gauntlet: decks that run out, effects that are half done, copies, and late stones."""

from typing import Any

import pytest

from tests.games.infinity_gauntlet.gauntlet_scenarios import (
    NUMBER,
    STONES,
    Match,
    deal,
    deck,
    face_up,
    hand,
    kinds,
    life,
    play,
    thanos_of,
    tokens,
)

pytestmark = pytest.mark.plain
ROBUST = {"hero_life": 20, "thanos_life": 20}


def quietly(match: Match, *cards: str) -> list[dict[str, Any]]:
    """Each of these cards is played in a turn of its own, and defeats nothing; returns the events of the last turn."""
    events: list[dict[str, Any]] = []
    for card in cards:
        seat = match.to_act
        events = match.play(f"play {card}")
        while match.to_act == seat and match.view(None)["step"] != "play":
            events += match.play(_harmless_answer(match))
    return events


def _harmless_answer(match: Match) -> str:
    """A guess that is wrong, no fight, cards back in their order, and the last hero rather than the first."""
    legal = match.legal()
    if legal[0].startswith("order"):
        return " ".join(["order", *deck(match, "hero")[:3]])
    if legal[0].startswith("guess"):
        others = [hand(match, seat) for seat in range(match.players) if seat != match.to_act]
        held = {NUMBER[card] for cards in others for card in cards}
        return next(action for action in legal if int(action.split()[1]) not in held)
    return next((calm for calm in ("decline", "end-turn") if calm in legal), legal[-1])


def heroes_play(match: Match, keep: str = "") -> None:
    """The turns of all heroes until Thanos is to act; whoever holds one of these cards keeps it."""
    while match.to_act != thanos_of(match):
        if match.view(None)["step"] == "play":
            match.play(next(action for action in match.legal() if action.split()[1] not in keep.split()))
        else:
            match.play(_harmless_answer(match))


def rounds(match: Match, cards: str, keep: str = "") -> None:
    """Thanos plays these cards, one a turn, and the heroes play between them; then Thanos is to act."""
    for card in cards.split():
        quietly(match, card)
        heroes_play(match, keep)


def reasons(match: Match) -> tuple[tuple[int, ...], str]:
    assert match.outcome is not None
    return match.outcome.winners, match.outcome.reason


# -- the Space Stone


@pytest.mark.rule("IG-66", "IG-21")
def test_a_stone_that_loses_the_first_fight_is_replaced_before_the_second() -> None:
    match = deal(3, hero="iron-man gamora", thanos="space-stone mind-stone soul-stone ebony-maw outrider")
    play(match, "play space-stone", "choose 1")
    assert kinds(match.play("fight-with mind-stone")) == ["fight", "defeated", "drawn", "shuffled-back"]
    assert match.legal() == ("choose 2", "decline")
    match.play("choose 2")
    assert match.legal() == ("fight-with soul-stone", "fight-with ebony-maw")


@pytest.mark.rule("IG-66", "IG-45", "IG-46")
def test_one_token_is_spent_in_each_of_the_two_fights() -> None:
    match = deal(3, hero="falcon thor iron-man vision", thanos="power-stone space-stone outrider thanos soul-stone")
    play(match, "play power-stone", "play falcon", "choose 2", "play thor", "decline")
    assert [tokens(match, seat) for seat in range(3)] == [3, 0, 1]
    play(match, "play space-stone", "choose 1")
    first = match.play("fight-with outrider")[0]  # 1 + 2 against Iron Man, a 6
    assert (first["thanos_token"], first["hero_token"], first["how"]) == (True, False, "won")
    match.play("choose 2")
    second = match.play("fight-with thanos")[0]  # 7 + 2 against Vision, 5 + 2
    assert (second["thanos_token"], second["hero_token"], second["how"]) == (True, True, "lost")
    assert [tokens(match, seat) for seat in range(3)] == [1, 0, 0]


@pytest.mark.rule("IG-66", "IG-81")
def test_the_first_fight_can_take_the_heroes_last_life_and_then_there_is_no_second() -> None:
    match = deal(3, hero="thor hulk", thanos="space-stone thanos outrider", hero_life=1)
    play(match, "play space-stone", "choose 1")
    assert kinds(match.play("fight-with thanos")) == ["fight", "defeated", "over"]
    assert reasons(match) == ((0,), "IG-81")
    assert match.view(None)["step"] == "over"


@pytest.mark.rule("IG-65", "IG-80")
def test_thanos_can_lose_his_last_life_in_a_fight_that_he_started() -> None:
    match = deal(3, hero="iron-man hulk", thanos="black-dwarf thanos outrider", thanos_life=1)
    play(match, "play black-dwarf", "choose 1")
    assert kinds(match.play("fight-with outrider")) == ["fight", "defeated", "over"]
    assert reasons(match) == ((1, 2), "IG-80")


@pytest.mark.rule("IG-72", "IG-66")
def test_a_time_stone_that_copies_the_space_stone_fights_two_different_heroes() -> None:
    match = deal(4, hero="thor hulk gamora falcon", thanos="space-stone time-stone thanos ebony-maw", **ROBUST)
    quietly(match, "space-stone", "thor", "hulk", "gamora")
    play(match, "play time-stone", "copy space-stone", "choose 2", "fight-with thanos")
    assert match.legal() == ("choose 1", "choose 3", "decline")


@pytest.mark.rule("IG-67", "IG-30", "IG-31")
def test_the_deck_can_run_out_between_the_two_fights_against_the_one_hero() -> None:
    """The card lost in the first fight is among those that make the new deck; the second fight is with the last one."""
    heroes = (
        "scarlet-witch falcon thor black-panther hulk doctor-strange captain-america nebula spider-man star-lord "
        "black-widow gamora ant-man-and-wasp captain-marvel"
    )
    thanos = "proxima-midnight power-stone black-dwarf outrider outrider corvus-glaive mind-stone"
    match = deal(2, hero=f"iron-man {heroes} vision", thanos=f"space-stone thanos {thanos}", **ROBUST)
    for turn, card in enumerate(thanos.split()):
        quietly(match, card, *heroes.split()[2 * turn : 2 * turn + 2])
    assert match.view(None)["decks"]["hero"] == 1
    play(match, "play space-stone", "choose 1")
    events = match.play("fight-with thanos")
    assert kinds(events) == ["fight", "defeated", "drawn", "new-deck"]
    assert sorted(events[3]["cards"]) == sorted([*heroes.split(), "iron-man"])
    assert hand(match, 1) == ["vision"]
    assert face_up(match, 1) == []
    play(match, "choose 1", "fight-with thanos")
    assert face_up(match, 1) == ["vision"]


# -- the Time Stone and the cards of the bottom


@pytest.mark.rule("IG-72", "IG-71")
def test_a_time_stone_that_copies_the_reality_stone_draws_and_puts_back_what_that_says() -> None:
    match = deal(
        3, hero="thor hulk", thanos="reality-stone time-stone thanos outrider mind-stone ebony-maw soul-stone", **ROBUST
    )
    play(match, "play reality-stone", "bottom outrider", "bottom mind-stone")
    quietly(match, "thor", "hulk")
    assert hand(match, 0) == ["ebony-maw", "thanos", "time-stone"]
    play(match, "play time-stone", "copy reality-stone")
    assert len(hand(match, 0)) == 4
    play(match, "bottom thanos", "bottom ebony-maw")
    assert deck(match, "thanos")[-4:] == ["outrider", "mind-stone", "thanos", "ebony-maw"]
    assert face_up(match, 0) == ["reality-stone", "time-stone"]  # what is copied stays where it is


@pytest.mark.rule("IG-72")
def test_one_outrider_that_was_played_can_be_copied_while_the_other_is_still_held() -> None:
    match = deal(3, hero="thor hulk", thanos="outrider outrider time-stone thanos", **ROBUST)
    quietly(match, "outrider", "thor", "hulk")
    match.play("play time-stone")
    assert match.legal() == ("copy outrider",)
    match.play("copy outrider")
    assert match.legal() == ("choose 1", "choose 2")


# -- stones that go back, and the snap


FOUR_STONES = "power-stone mind-stone soul-stone space-stone"


@pytest.mark.rule("IG-82", "IG-83", "IG-65")
def test_a_sixth_stone_drawn_for_a_card_that_lost_his_own_fight_can_be_snapped_in_that_turn() -> None:
    match = deal(
        3, hero="iron-man thor", thanos=f"outrider reality-stone {FOUR_STONES} black-dwarf time-stone", **ROBUST
    )
    rounds(match, FOUR_STONES, keep="iron-man")
    assert "snap" not in match.legal()
    play(match, "play black-dwarf", "choose 1", "fight-with outrider")
    assert hand(match, 0) == ["reality-stone", "time-stone"]
    assert match.legal() == ("snap", "end-turn")


@pytest.mark.rule("IG-83", "IG-66")
def test_a_sixth_stone_drawn_in_the_first_fight_waits_until_the_space_stone_is_done() -> None:
    match = deal(3, hero="iron-man thor", thanos=f"outrider reality-stone {FOUR_STONES} time-stone", **ROBUST)
    rounds(match, "power-stone mind-stone soul-stone", keep="iron-man")
    play(match, "play space-stone", "choose 1", "fight-with outrider")
    assert hand(match, 0) == ["reality-stone", "time-stone"]
    assert match.legal() == ("choose 2", "decline")
    match.play("decline")
    assert match.legal() == ("snap", "end-turn")


@pytest.mark.rule("IG-82", "IG-21")
def test_a_sixth_stone_drawn_in_a_heros_turn_can_be_lost_again_before_thanos_may_snap() -> None:
    match = deal(
        3,
        hero="nebula spider-man",
        thanos=f"corvus-glaive reality-stone {FOUR_STONES} time-stone thanos proxima-midnight",
        **ROBUST,
    )
    rounds(match, "power-stone mind-stone soul-stone", keep="nebula spider-man")
    quietly(match, "space-stone")
    play(match, "play nebula", "guess 2", "give-up corvus-glaive")
    assert hand(match, 0) == ["reality-stone", "time-stone"]
    assert match.to_act == 2  # it is not his turn
    play(match, "play spider-man", "guess 5")
    assert match.legal() == ("give-up reality-stone",)
    events = match.play("give-up reality-stone")
    assert kinds(events)[:3] == ["defeated", "drawn", "shuffled-back"]
    assert events[1]["card"] == "thanos"
    assert ("snap" in match.legal()) == ("reality-stone" in hand(match, 0))  # only if his draw brings it back at once


# -- an empty Thanos deck

ELEVEN = (
    "proxima-midnight power-stone black-dwarf outrider outrider corvus-glaive soul-stone mind-stone "
    "space-stone reality-stone ebony-maw"
)


@pytest.mark.rule("IG-70", "IG-71", "IG-23", "IG-21", "IG-82")
def test_a_stone_that_goes_back_to_an_empty_deck_is_the_card_of_the_next_turn() -> None:
    match = deal(3, hero="nebula thor", thanos=f"time-stone thanos {ELEVEN}", **ROBUST)
    rounds(match, ELEVEN.removesuffix(" reality-stone ebony-maw"), keep="nebula")
    match.play("play reality-stone")  # one card is left: one is drawn, and one goes back
    assert match.view(None)["prompt"]["count"] == 1
    match.play("bottom ebony-maw")
    assert deck(match, "thanos") == ["ebony-maw"]
    match.play("end-turn")
    heroes_play(match, keep="nebula")
    events = match.play("play ebony-maw")  # the deck is empty: nothing to draw and nothing to put back
    assert kinds(events) == ["played", "no-effect"]
    match.play("end-turn")
    play(match, "play nebula", "guess 6")
    events = match.play("give-up time-stone")
    assert kinds(events)[:3] == ["defeated", "nothing-to-draw", "shuffled-back"]
    assert (hand(match, 0), deck(match, "thanos")) == (["thanos"], ["time-stone"])
    heroes_play(match)
    assert hand(match, 0) == ["thanos", "time-stone"]
    assert match.legal() == ("play time-stone", "snap")


@pytest.mark.rule("IG-71", "IG-73")
def test_of_two_cards_on_the_bottom_of_an_empty_deck_the_first_is_drawn_first() -> None:
    cards = "proxima-midnight power-stone black-dwarf outrider outrider corvus-glaive soul-stone mind-stone"
    match = deal(
        3, hero="nebula thor", thanos=f"time-stone thanos {cards} reality-stone ebony-maw space-stone", **ROBUST
    )
    rounds(match, cards)
    match.play("play reality-stone")
    assert deck(match, "thanos") == []
    play(match, "bottom thanos", "bottom space-stone")
    assert deck(match, "thanos") == ["thanos", "space-stone"]
    match.play("end-turn")
    heroes_play(match)
    assert "thanos" in hand(match, 0)


@pytest.mark.rule("IG-72", "IG-70")
def test_a_time_stone_that_copies_ebony_maw_with_an_empty_deck_does_nothing() -> None:
    match = deal(3, hero="thor hulk", thanos=f"time-stone thanos {ELEVEN}", **ROBUST)
    rounds(match, ELEVEN.removesuffix(" reality-stone ebony-maw"))
    play(match, "play reality-stone", "bottom ebony-maw", "end-turn")
    heroes_play(match)
    play(match, "play ebony-maw", "end-turn")
    heroes_play(match)
    match.play("play time-stone")
    assert {action.split()[1] for action in match.legal()} == {*ELEVEN.split()}
    events = match.play("copy ebony-maw")
    assert events[1] == {"kind": "no-effect", "seat": 0, "card": "ebony-maw"}
    assert hand(match, 0) == ["thanos"]
    assert {*STONES} <= {*face_up(match, 0)}
    assert match.legal() == ("snap", "end-turn")


# -- two players, tokens


@pytest.mark.rule("IG-11", "IG-80")
def test_the_first_of_the_heros_two_turns_can_end_the_game() -> None:
    match = deal(2, hero="nebula thor", thanos="proxima-midnight outrider thanos", thanos_life=1)
    play(match, "play proxima-midnight", "play nebula", "guess 1", "give-up outrider")
    assert reasons(match) == ((1,), "IG-80")


@pytest.mark.rule("IG-45", "IG-40")
def test_a_token_that_only_makes_a_tie_is_spent_all_the_same() -> None:
    match = deal(3, hero="falcon thor black-panther hulk", thanos="outrider black-dwarf time-stone thanos", **ROBUST)
    quietly(match, "outrider")
    play(match, "play falcon", "choose 1", "play hulk", "decline")
    play(match, "play black-dwarf", "choose 1")
    fight = match.play("fight-with time-stone")[0]  # 4 + 2 against 6
    assert (fight["hero_token"], fight["thanos_token"], fight["how"]) == (True, False, "tie")
    assert tokens(match, 1) == 0
    assert "black-panther" in hand(match, 1)
    assert life(match) == (20, 20)
