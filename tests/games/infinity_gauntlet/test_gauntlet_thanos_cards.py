"""What the Thanos cards do (IG-61 to IG-73)."""

from collections import Counter

import pytest

from tests.games.infinity_gauntlet.gauntlet_scenarios import (
    GAME,
    NUMBER,
    deal,
    deck,
    face_up,
    hand,
    kinds,
    life,
    play,
    random_games,
    thanos_of,
    tokens,
)


@pytest.mark.plain
@pytest.mark.rule("IG-61")
def test_the_outrider_names_a_hero_and_a_number_up_to_six() -> None:
    match = deal(3, hero="thor hulk", thanos="outrider thanos ebony-maw")
    match.play("play outrider")
    assert match.legal() == ("choose 1", "choose 2")
    match.play("choose 2")
    assert match.legal() == tuple(f"guess {number}" for number in range(1, 7))
    events = match.play("guess 4")
    assert events[0] == {"kind": "guessed", "seat": 0, "target": 2, "number": 4, "how": "wrong", "hit": []}
    assert life(match) == (8, 5)
    assert all(NUMBER[card] != 4 for card in match.notebook(1)["places"]["hands"][2][0])


@pytest.mark.plain
@pytest.mark.rule("IG-62")
def test_the_mind_stone_defeats_every_card_of_a_number_before_anybody_draws() -> None:
    match = GAME.start(
        4,
        1,
        {"thanos": 1},
        {"hero": ["thor", "gamora", "hulk", "falcon", "vision"], "thanos": ["mind-stone", "thanos", "ebony-maw"]},
    )
    play(match, "play mind-stone")
    assert match.legal() == tuple(f"guess {number}" for number in range(1, 7))
    events = match.play("guess 3")  # seats 2 and 0 hold Thor and Hulk, seat 3 Gamora
    assert kinds(events)[:5] == ["guessed", "defeated", "defeated", "drawn", "drawn"]
    assert [event["seat"] for event in events[1:5]] == [2, 0, 2, 0]  # clockwise from Thanos
    assert events[0]["hit"] == [0, 2]
    assert life(match) == (6, 6)
    assert hand(match, 0) == ["vision"]
    assert "falcon" in hand(match, 2)
    assert all(NUMBER[card] != 3 for card in match.notebook(None)["places"]["hands"][3][0])


@pytest.mark.plain
@pytest.mark.rule("IG-62", "IG-81")
def test_the_mind_stone_never_takes_life_below_zero_and_lays_all_cards_down_together() -> None:
    match = deal(4, hero="thor gamora hulk falcon", thanos="mind-stone thanos ebony-maw", hero_life=1)
    events = play(match, "play mind-stone", "guess 3")
    assert kinds(events)[-3:] == ["defeated", "defeated", "over"]
    assert life(match) == (0, 6)
    assert face_up(match, 1) == ["thor"]
    assert face_up(match, 3) == ["hulk"]
    assert match.view(None)["decks"]["hero"] == 13


@pytest.mark.rule("IG-62", "IG-30", "IG-31")
def test_a_new_deck_in_the_middle_of_the_mind_stone_holds_the_cards_just_defeated() -> None:
    seen = 0
    for seed in range(60):
        for before, events, action in random_games(6, 1, f"mind {seed}", hero_life=20, thanos_life=20):
            del before
            happened = kinds(events)
            is_mind_stone = action.startswith("guess") and events[0]["target"] is None
            if is_mind_stone and happened.count("defeated") > 1 and "new-deck" in happened:
                new = events[happened.index("new-deck")]
                defeated = [event for event in events if event["kind"] == "defeated"]
                drawn = [event["seat"] for event in events[: happened.index("new-deck")] if event["kind"] == "drawn"]
                if len(drawn) > len(defeated):
                    continue  # the deck lasted until the next turn
                assert {event["card"] for event in defeated} <= set(new["cards"])
                seen += 1
        if seen >= 2:
            return
    pytest.fail("it never happened")


@pytest.mark.plain
@pytest.mark.rule("IG-63", "IG-64")
@pytest.mark.parametrize("hero", ["nebula", "gamora", "thor", "falcon", "vision", "iron-man"])
@pytest.mark.parametrize(("card", "hits"), [("corvus-glaive", (1, 2, 3)), ("soul-stone", (3, 4, 5, 6))])
def test_low_cards_fall_to_corvus_glaive_and_high_ones_to_the_soul_stone(
    hero: str, card: str, hits: tuple[int, ...]
) -> None:
    match = deal(3, hero=f"{hero} hulk", thanos=f"{card} thanos ebony-maw")
    events = play(match, f"play {card}", "choose 1")
    is_hit = NUMBER[hero] in hits
    assert ("defeated" in kinds(events)) == is_hit
    assert ("spared" in kinds(events)) == (not is_hit)
    assert life(match) == (8 - is_hit, 5)
    if not is_hit:
        possible = match.notebook(2)["places"]["hands"][1]
        assert any({NUMBER[each] for each in place} <= set(range(1, 7)) - set(hits) for place in possible)


@pytest.mark.plain
@pytest.mark.rule("IG-65")
def test_black_dwarf_may_let_it_be() -> None:
    match = deal(3, hero="thor hulk", thanos="black-dwarf thanos ebony-maw")
    match.play("play black-dwarf")
    assert match.legal() == ("choose 1", "choose 2", "decline")
    match.play("decline")
    assert match.to_act == 1
    assert life(match) == (8, 5)


@pytest.mark.plain
@pytest.mark.rule("IG-66")
def test_the_space_stone_fights_two_different_heroes_one_after_the_other() -> None:
    match = deal(4, hero="thor hulk gamora vision", thanos="space-stone thanos ebony-maw")
    play(match, "play space-stone", "choose 1")
    events = match.play("fight-with thanos")
    assert kinds(events) == ["fight", "defeated", "drawn"]  # the first fight is over, new card and all
    assert hand(match, 1) == ["vision"]
    assert match.legal() == ("choose 2", "choose 3", "decline")
    play(match, "choose 3", "fight-with ebony-maw")
    assert life(match) == (6, 6)
    assert match.to_act == 1


@pytest.mark.plain
@pytest.mark.rule("IG-66")
def test_the_second_fight_of_the_space_stone_may_be_declined() -> None:
    match = deal(3, hero="thor hulk", thanos="space-stone thanos ebony-maw")
    play(match, "play space-stone", "choose 1", "fight-with thanos", "decline")
    assert life(match) == (7, 5)
    assert match.to_act == 1


@pytest.mark.plain
@pytest.mark.rule("IG-67")
def test_with_two_players_both_fights_may_be_against_the_one_hero() -> None:
    match = deal(2, hero="thor gamora", thanos="space-stone thanos ebony-maw")
    play(match, "play space-stone", "choose 1", "fight-with thanos")
    assert match.legal() == ("choose 1", "decline")
    events = play(match, "choose 1", "fight-with thanos")
    assert [event["card"] for event in events if event["kind"] == "defeated"] == ["gamora"]
    assert life(match) == (6, 4)
    assert match.to_act == 1


@pytest.mark.plain
@pytest.mark.rule("IG-68")
def test_declining_the_first_fight_ends_the_space_stone() -> None:
    match = deal(3, hero="thor hulk", thanos="space-stone thanos ebony-maw")
    play(match, "play space-stone", "decline")
    assert match.to_act == 1


@pytest.mark.plain
@pytest.mark.rule("IG-69")
def test_proxima_midnight_takes_one_token_and_the_power_stone_three() -> None:
    match = deal(3, thanos="proxima-midnight power-stone thanos")
    other = match.clone()
    match.play("play proxima-midnight")
    assert tokens(match, 0) == 1
    other.play("play power-stone")
    assert tokens(other, 0) == 3


@pytest.mark.plain
@pytest.mark.rule("IG-70", "IG-73")
def test_ebony_maw_draws_one_and_puts_one_on_the_bottom() -> None:
    match = deal(3, thanos="ebony-maw outrider thanos mind-stone soul-stone")
    match.play("play ebony-maw")
    assert hand(match, 0) == ["mind-stone", "outrider", "thanos"]
    assert match.legal() == ("bottom outrider", "bottom mind-stone", "bottom thanos")
    match.play("bottom outrider")
    assert deck(match, "thanos")[-1] == "outrider"
    assert hand(match, 0) == ["mind-stone", "thanos"]
    assert match.notebook(0)["places"]["decks"]["thanos"][-1] == ["outrider"]
    assert len(match.notebook(1)["places"]["decks"]["thanos"][-1]) == 11
    happened = [event for event in match.view(1)["log"] if event["kind"] == "bottom"]
    assert happened == [{"kind": "bottom", "seat": 0, "card": None}]


@pytest.mark.plain
@pytest.mark.rule("IG-71", "IG-73")
def test_the_reality_stone_draws_two_and_each_card_goes_under_the_one_before() -> None:
    match = deal(3, thanos="reality-stone outrider thanos mind-stone soul-stone ebony-maw")
    match.play("play reality-stone")
    assert hand(match, 0) == ["mind-stone", "outrider", "soul-stone", "thanos"]
    assert match.view(1)["prompt"]["count"] == 2
    match.play("bottom thanos")
    assert match.to_act == 0
    match.play("bottom mind-stone")
    assert deck(match, "thanos")[-2:] == ["thanos", "mind-stone"]
    assert match.notebook(0)["known"]["decks"]["thanos"] == {"9": "thanos", "10": "mind-stone"}
    assert match.to_act == 1


@pytest.mark.rule("IG-70", "IG-71")
def test_with_too_few_cards_they_draw_what_is_there_and_put_back_as_many() -> None:
    seen = Counter[tuple[str, int]]()
    for before, events, action in random_games(3, 60, "fives of Thanos", hero_life=20, thanos_life=20):
        card = action.split()[-1]
        if card not in ("ebony-maw", "reality-stone") or action.split()[0] not in ("play", "copy"):
            continue
        left = before.view(None)["decks"]["thanos"]
        before.play(action)
        drawn = min(left, 1 if card == "ebony-maw" else 2)
        seen[card, min(left, 2)] += 1
        if drawn == 0:
            assert "no-effect" in kinds(events)
            assert before.view(None)["step"] != "bottom"
            continue
        assert before.view(None)["prompt"]["count"] == drawn
        for _ in range(drawn):
            assert before.view(None)["step"] == "bottom"
            before.play(before.legal()[0])
        assert before.view(None)["step"] != "bottom"
    assert min(seen["reality-stone", left] for left in (0, 1, 2)) > 0
    assert seen["ebony-maw", 0] > 0


@pytest.mark.plain
@pytest.mark.rule("IG-72")
def test_the_time_stone_copies_a_card_that_was_played_or_discarded_there() -> None:
    match = deal(
        2, hero="nebula falcon black-panther", thanos="proxima-midnight corvus-glaive outrider time-stone thanos"
    )
    play(match, "play proxima-midnight", "play nebula", "guess 2", "give-up corvus-glaive")
    play(match, "play falcon", "choose 1")
    match.play("play time-stone")
    assert match.legal() == ("copy corvus-glaive", "copy proxima-midnight")
    other = match.clone()
    match.play("copy proxima-midnight")
    assert tokens(match, 0) == 2
    other.play("copy corvus-glaive")
    assert other.legal() == ("choose 1",)


@pytest.mark.plain
@pytest.mark.rule("IG-72")
def test_the_time_stone_with_nothing_to_copy_does_nothing() -> None:
    match = deal(3, thanos="time-stone corvus-glaive outrider")
    events = match.play("play time-stone")
    assert "no-effect" in kinds(events)
    assert match.to_act == 1


@pytest.mark.rule("IG-72")
def test_every_card_can_be_copied_and_asks_what_it_asks_itself() -> None:
    asks = {
        "outrider": "choose",
        "mind-stone": "guess",
        "corvus-glaive": "choose",
        "soul-stone": "choose",
        "black-dwarf": "challenge",
        "space-stone": "challenge",
        "ebony-maw": "bottom",
        "reality-stone": "bottom",
    }
    copied = set()
    for before, _, action in random_games(4, 60, "copies", hero_life=20, thanos_life=20):
        verb, _, card = action.partition(" ")
        if verb != "copy":
            continue
        assert card in face_up(before, thanos_of(before))
        assert card != "time-stone"
        had, size = tokens(before, thanos_of(before)), before.view(None)["decks"]["thanos"]
        before.play(action)
        if card in ("proxima-midnight", "power-stone"):
            assert tokens(before, thanos_of(before)) == had + (1 if card == "proxima-midnight" else 3)
        elif size > 0:
            assert before.view(None)["step"] == asks[card]
        copied.add(card)
    assert len(copied) >= 9
