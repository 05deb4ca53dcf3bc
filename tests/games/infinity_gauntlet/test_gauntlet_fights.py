"""Fights (IG-40 to IG-47)."""

import random
from collections import Counter

import pytest

from tests.games.infinity_gauntlet.gauntlet_scenarios import (
    NUMBER,
    Match,
    deal,
    face_up,
    hand,
    harmless,
    kinds,
    life,
    long_game,
    play,
    random_games,
    tokens,
)


@pytest.mark.plain
@pytest.mark.rule("IG-40", "IG-42", "IG-65", "IG-20")
def test_thanos_chooses_the_card_that_fights_and_the_lower_number_is_defeated() -> None:
    match = deal(3, hero="thor hulk falcon", thanos="black-dwarf corvus-glaive thanos")
    play(match, "play black-dwarf", "choose 1")
    assert match.legal() == ("fight-with corvus-glaive", "fight-with thanos")
    events = match.play("fight-with thanos")
    assert life(match) == (7, 5)
    assert face_up(match, 1) == ["thor"]
    assert kinds(events)[:3] == ["fight", "defeated", "drawn"]
    assert hand(match, 0) == ["corvus-glaive", "thanos"]  # who wins keeps the card
    assert "falcon" in hand(match, 1)


@pytest.mark.plain
@pytest.mark.rule("IG-40", "IG-22")
def test_thanos_loses_the_fight_with_the_lower_card() -> None:
    match = deal(3, hero="thor hulk", thanos="black-dwarf corvus-glaive thanos ebony-maw")
    play(match, "play black-dwarf", "choose 1", "fight-with corvus-glaive")
    assert life(match) == (8, 4)
    assert face_up(match, 0) == ["black-dwarf", "corvus-glaive"]
    assert hand(match, 0) == ["ebony-maw", "thanos"]


@pytest.mark.plain
@pytest.mark.rule("IG-40")
def test_on_a_tie_both_keep_their_cards() -> None:
    match = deal(3, hero="black-widow hulk", thanos="black-dwarf corvus-glaive thanos")
    events = play(match, "play black-dwarf", "choose 1", "fight-with corvus-glaive")
    assert [event["how"] for event in events if event["kind"] == "fight"] == ["tie"]
    assert "defeated" not in kinds(events)
    assert life(match) == (8, 5)
    assert hand(match, 0) == ["corvus-glaive", "thanos"]
    assert "black-widow" in hand(match, 1)


@pytest.mark.plain
@pytest.mark.rule("IG-41", "IG-55")
def test_a_hero_fights_with_the_card_left_in_hand() -> None:
    match = deal(3, hero="thor hulk iron-man", thanos="proxima-midnight outrider corvus-glaive")
    play(match, "play proxima-midnight", "play thor")
    assert match.legal() == ("fight", "decline")
    fight = match.play("fight")[0]
    assert fight["hero_card"] == "iron-man"
    assert fight["seat"] == fight["starter"] == 1


@pytest.mark.rule("IG-43")
def test_a_fight_that_a_hero_starts_is_against_a_random_card() -> None:
    """400 fights against two cards: 200 each are expected; 4 standard deviations are 40."""
    seen = Counter[str]()
    for seed in range(400):
        match = deal(2, hero="thor vision", thanos="proxima-midnight outrider thanos", seed=seed)
        play(match, "play proxima-midnight", "play thor")
        seen[match.play("fight")[0]["thanos_card"]] += 1
    assert set(seen) == {"outrider", "thanos"}
    assert abs(seen["thanos"] - 200) < 40


@pytest.mark.plain
@pytest.mark.rule("IG-44")
@pytest.mark.parametrize(
    ("chosen", "how", "defeated"),
    [("thanos", "lost", "thor"), ("black-dwarf", "tie", None), ("outrider", "won", "outrider")],
)
def test_only_the_fighters_see_both_cards(chosen: str, how: str, defeated: str | None) -> None:
    match = deal(4, hero="thor hulk vision", thanos=f"space-stone {chosen} soul-stone")
    play(match, "play space-stone", "choose 1", f"fight-with {chosen}")
    for viewer in (0, 1, 2, 3, None):
        fight = next(event for event in match.view(viewer)["log"] if event["kind"] == "fight")
        is_fighter = viewer in (0, 1)
        assert fight["hero_card"] == ("thor" if is_fighter else None)
        assert fight["thanos_card"] == (chosen if is_fighter else None)
        assert (fight["seat"], fight["starter"], fight["how"], fight["defeated"]) == (1, 0, how, defeated)


@pytest.mark.plain
@pytest.mark.rule("IG-45", "IG-46")
def test_who_has_a_token_must_spend_exactly_one() -> None:
    match = deal(3, hero="falcon thor black-panther hulk vision", thanos="power-stone black-dwarf thanos ebony-maw")
    play(match, "play power-stone", "play falcon", "choose 1", "play hulk", "decline")
    assert [tokens(match, seat) for seat in range(3)] == [3, 1, 0]
    play(match, "play black-dwarf", "choose 1")
    fight = match.play("fight-with ebony-maw")[0]  # black-panther, a 4 with 2 more, against a 5 with 2 more
    assert fight["hero_token"] is fight["thanos_token"] is True
    assert fight["how"] == "lost"
    assert [tokens(match, seat) for seat in range(3)] == [2, 0, 0]


@pytest.mark.plain
@pytest.mark.rule("IG-45")
def test_a_token_can_turn_a_fight_around() -> None:
    match = deal(2, hero="falcon vision thor", thanos="proxima-midnight reality-stone thanos")
    match.play("play proxima-midnight")
    play(match, "play falcon", "choose 1")
    assert tokens(match, 0) == tokens(match, 1) == 1
    play(match, "play thor")
    fight = match.play("fight")[0]  # 5 + 2 against 5 + 2 or 7 + 2
    assert fight["how"] == ("tie" if fight["thanos_card"] == "reality-stone" else "lost")
    assert tokens(match, 0) == tokens(match, 1) == 0


@pytest.mark.rule("IG-40", "IG-45")
def test_in_every_fight_the_higher_sum_wins() -> None:
    fights = Counter[str]()
    for before, events, _ in random_games(4, 25, "fights"):
        for event in events:
            if event["kind"] != "fight":
                continue
            had = [tokens(before, seat) for seat in (event["seat"], event["target"])]
            assert [event["hero_token"], event["thanos_token"]] == [count > 0 for count in had]
            hero = NUMBER[event["hero_card"]] + 2 * event["hero_token"]
            thanos = NUMBER[event["thanos_card"]] + 2 * event["thanos_token"]
            assert event["how"] == ("tie" if hero == thanos else "won" if hero > thanos else "lost")
            fights[event["how"]] += 1
    assert min(fights[how] for how in ("tie", "won", "lost")) > 10


@pytest.mark.rule("IG-47", "IG-23", "IG-21")
def test_with_no_card_in_the_hand_of_thanos_cards_about_him_do_nothing() -> None:
    """The seven alone, the deck empty: a right guess puts it back into the deck, and the hand is empty."""
    seen = set()
    for seed in range(40):
        for match in long_game(2, seed):
            one = next(
                (card for card in ("nebula", "spider-man", "star-lord") if f"play {card}" in match.legal()), None
            )
            if hand(match, 0) != ["thanos"] or not one or not match.view(1)["turns_left"]:
                continue
            other = match.clone()
            play(other, f"play {one}", "guess 7")
            assert other.legal() == ("give-up thanos",)
            events = other.play("give-up thanos")
            assert kinds(events)[:3] == ["defeated", "nothing-to-draw", "shuffled-back"]
            assert hand(other, 0) == []
            assert other.view(None)["decks"]["thanos"] == 1
            for action in other.legal():
                number = NUMBER[action.split()[1]]
                after = other.clone()
                happened = kinds(after.play(action))
                assert ("no-effect" in happened) == (number in (1, 2, 3, 6))
                if number in (1, 2, 3, 6):
                    assert after.to_act == 0  # nothing was asked; it is Thanos' turn
                    assert after.legal() == ("snap",)
                seen.add(number)
    assert seen & {1, 2, 3, 6}


def burn_tokens(match: Match, chance: random.Random) -> str:
    """Heroes fight while Thanos has tokens and save their 6 and their tokens; Thanos saves the Space Stone."""
    legal = match.legal()
    if "fight" in legal:
        return "fight" if tokens(match, 0) and not tokens(match, match.to_act or 0) else "decline"
    if match.view(None)["prompt"]["key"] == "choose-token":
        return max(legal, key=lambda action: NUMBER[hand(match, int(action.split()[1]))[0]])
    saved = ("play space-stone", "play iron-man", "play captain-marvel", "copy power-stone", "copy proxima-midnight")
    calm = harmless(match, chance)
    rest = [action for action in legal if action not in (*saved, "snap")]
    return chance.choice(rest) if calm in saved and rest else calm


@pytest.mark.rule("IG-47", "IG-66")
def test_the_space_stone_offers_no_second_fight_without_a_card() -> None:
    """He fights with his last card, the seven, loses it to a 6 with a token, and has nothing to fight with."""
    order = (
        "power-stone proxima-midnight black-dwarf corvus-glaive outrider outrider mind-stone soul-stone "
        "ebony-maw reality-stone time-stone space-stone thanos"
    )
    for seed in range(300):
        chance = random.Random(seed)
        match = deal(3, thanos=order, seed=seed, hero_life=20, thanos_life=20)
        while not match.over and not (
            match.to_act == 0 and match.view(0)["step"] == "play" and hand(match, 0) == ["space-stone", "thanos"]
        ):
            match.play(burn_tokens(match, chance))
        rivals = [seat for seat in (1, 2) if NUMBER[hand(match, seat)[0]] == 6 and tokens(match, seat)]
        if match.over or not rivals or tokens(match, 0) or match.view(0)["decks"]["thanos"]:
            continue
        events = play(match, "play space-stone", f"choose {rivals[0]}", "fight-with thanos")
        assert "defeated" in kinds(events)
        assert hand(match, 0) == []
        assert match.view(0)["step"] != "challenge"
        return
    pytest.fail("no game came to that point")
