"""Defeat, life, the hero deck and the end by life (IG-20 to IG-32, IG-80, IG-81)."""

from collections import Counter

import pytest

from tests.games.infinity_gauntlet.gauntlet_scenarios import (
    GAME,
    STONES,
    Match,
    deal,
    deck,
    face_up,
    hand,
    kinds,
    life,
    play,
    random_games,
    thanos_of,
)


@pytest.mark.plain
@pytest.mark.rule("IG-20", "IG-24", "IG-61")
def test_a_defeated_hero_loses_a_life_discards_face_up_and_draws() -> None:
    match = deal(3, hero="thor hulk falcon vision", thanos="outrider thanos ebony-maw")
    events = play(match, "play outrider", "choose 1", "guess 3")
    assert kinds(events)[2:6] == ["guessed", "defeated", "drawn", "drawn"]  # the new card, then that of the turn
    assert life(match) == (7, 5)
    assert face_up(match, 1) == ["thor"]
    assert hand(match, 1) == ["falcon", "vision"]
    assert match.to_act == 1  # nobody is ever out


@pytest.mark.plain
@pytest.mark.rule("IG-20", "IG-81")
def test_the_last_life_of_the_heroes_ends_the_game_at_once() -> None:
    match = deal(3, hero="thor hulk", thanos="outrider thanos ebony-maw", hero_life=1)
    size = match.view(None)["decks"]
    events = play(match, "play outrider", "choose 1", "guess 3")
    assert kinds(events)[-2:] == ["defeated", "over"]
    assert match.over
    assert match.outcome is not None
    assert (match.outcome.winners, match.outcome.reason) == ((0,), "IG-81")
    assert face_up(match, 1) == ["thor"]
    assert hand(match, 1) == []
    assert match.view(None)["decks"] == size  # nothing is drawn
    assert life(match) == (0, 5)
    assert match.legal() == ()


@pytest.mark.plain
@pytest.mark.rule("IG-20", "IG-21", "IG-80")
def test_the_last_life_of_thanos_lays_even_a_stone_face_up() -> None:
    match = deal(3, hero="nebula hulk", thanos="mind-stone proxima-midnight thanos ebony-maw", thanos_life=1)
    play(match, "play proxima-midnight", "play nebula", "guess 1")
    size = match.view(None)["decks"]
    events = match.play("give-up mind-stone")
    assert kinds(events) == ["defeated", "over"]
    assert match.outcome is not None
    assert (match.outcome.winners, match.outcome.reason) == ((1, 2), "IG-80")
    assert face_up(match, 0) == ["proxima-midnight", "mind-stone"]
    assert match.view(None)["decks"] == size
    assert hand(match, 0) == ["thanos"]


@pytest.mark.plain
@pytest.mark.rule("IG-21")
@pytest.mark.parametrize("card", [*STONES, "thanos"])
def test_a_defeated_stone_goes_back_after_the_new_card_is_drawn(card: str) -> None:
    others = [each for each in ("outrider", "corvus-glaive") if each != card]
    match = deal(3, hero="nebula hulk", thanos=f"{card} proxima-midnight {others[0]} ebony-maw", seed=card)
    number = GAME.parts["cards"][card]["number"]
    play(match, "play proxima-midnight", "play nebula", f"guess {number}")
    size = match.view(None)["decks"]["thanos"]
    events = match.play(f"give-up {card}")
    assert kinds(events)[:3] == ["defeated", "drawn", "shuffled-back"]
    assert "ebony-maw" in hand(match, 0)
    assert card in deck(match, "thanos")
    assert match.view(None)["decks"]["thanos"] == size
    assert face_up(match, 0) == ["proxima-midnight"]
    assert life(match) == (8, 4)


@pytest.mark.rule("IG-21")
def test_the_whole_deck_is_shuffled_when_a_card_goes_back() -> None:
    """The Time Stone goes into a deck of nine others: over 600 games it is on top in one of ten, 60 +- 4 x 7.3."""
    on_top = 0
    for seed in range(600):
        match = deal(3, hero="nebula hulk", thanos="time-stone proxima-midnight outrider ebony-maw", seed=seed)
        play(match, "play proxima-midnight", "play nebula", "guess 6", "give-up time-stone")
        assert len(deck(match, "thanos")) == 10
        on_top += deck(match, "thanos")[0] == "time-stone"
    assert abs(on_top - 60) < 30


@pytest.mark.plain
@pytest.mark.rule("IG-22")
def test_other_cards_of_thanos_stay_face_up_when_defeated() -> None:
    match = deal(3, hero="nebula hulk", thanos="outrider proxima-midnight thanos ebony-maw")
    events = play(match, "play proxima-midnight", "play nebula", "guess 1", "give-up outrider")
    assert "shuffled-back" not in kinds(events)
    assert face_up(match, 0) == ["proxima-midnight", "outrider"]
    assert hand(match, 0) == ["ebony-maw", "thanos"]


@pytest.mark.rule("IG-23")
def test_with_an_empty_deck_thanos_plays_on_with_a_card_fewer() -> None:
    seen = Counter[str]()
    for before, events, _ in random_games(3, 30, "empty", hero_life=20, thanos_life=20):
        happened = kinds(events)
        if "nothing-to-draw" not in happened:
            continue
        at = happened.index("nothing-to-draw")
        if happened[at - 1] == "defeated" and at > 0:
            card = events[at - 1]["card"]
            goes_back = card in (*STONES, "thanos")
            assert (happened[at + 1 : at + 2] == ["shuffled-back"]) == goes_back  # then it makes a deck of one
            seen["defeated"] += 1
        else:
            seen["turn"] += 1
        assert before.view(None)["decks"]["thanos"] == 0
    assert seen["turn"] > 5
    assert seen["defeated"] > 0


def heroes_face_up(match: Match) -> set[str]:
    heroes = [seat for seat in match.view(None)["seats"] if seat["role"] == "hero"]
    return {card for seat in heroes for card in seat["face_up"]}


@pytest.mark.rule("IG-30", "IG-31", "IG-32", "IG-58")
@pytest.mark.parametrize("players", [2, 4, 6])
def test_a_new_hero_deck_is_made_at_once_from_all_that_lies_face_up(players: int) -> None:
    seen = Counter[str]()
    for before, events, _ in random_games(players, 14, "decks", hero_life=20, thanos_life=20):
        shown = heroes_face_up(before)
        left = before.view(None)["decks"]["hero"]
        happened = kinds(events)
        for at, event in enumerate(events):
            if event["kind"] in ("played", "defeated") and event["seat"] != thanos_of(before):
                shown.add(event["card"])  # IG-31: a card defeated just now is among them
            if event["kind"] == "drawn" and event["seat"] != thanos_of(before):
                left -= 1
                assert (happened[at + 1 : at + 2] == ["new-deck"]) == (left == 0)  # at once, whatever comes next
            if event["kind"] == "new-deck":
                assert set(event["cards"]) == shown
                seen["after a defeat" if "defeated" in happened[:at] else "in a turn"] += 1
                seen["for a 5"] += "top-three" in happened
                left += len(shown)
                shown = set()
    assert seen["in a turn"] > 3
    assert seen["for a 5"] > 0
    if players > 2:
        assert seen["after a defeat"] > 0


@pytest.mark.rule("IG-32")
def test_everybody_sees_which_cards_make_the_new_deck() -> None:
    for before, events, action in random_games(3, 4, "seen"):
        new = [event for event in events if event["kind"] == "new-deck"]
        if new:
            before.play(action)
            for viewer in (0, 1, 2, None):
                assert new[0] in before.view(viewer)["log"]
            return
    pytest.fail("no new deck was made")


@pytest.mark.rule("IG-30")
def test_no_game_leaves_the_hero_deck_empty() -> None:
    for players in (2, 6):
        for before, _, _ in random_games(players, 8, "never empty", hero_life=20, thanos_life=20):
            assert before.view(None)["decks"]["hero"] > 0


@pytest.mark.rule("IG-80", "IG-81", "IG-20")
def test_life_falls_by_one_for_each_defeat_and_the_game_ends_exactly_at_none() -> None:
    reasons = Counter[str]()
    for before, events, action in random_games(5, 25, "life", hero_life=4, thanos_life=2):
        heroes, thanos = life(before)
        for event in events:
            if event["kind"] == "defeated":
                if event["seat"] == thanos_of(before):
                    thanos -= 1
                    assert event["life"] == thanos
                else:
                    heroes = max(0, heroes - 1)
                    assert event["life"] == heroes
        before.play(action)
        assert life(before) == (heroes, thanos)
        if before.outcome:
            reasons[before.outcome.reason] += 1
        else:
            assert heroes > 0
            assert thanos > 0
    assert reasons["IG-80"] > 2
    assert reasons["IG-81"] > 2
