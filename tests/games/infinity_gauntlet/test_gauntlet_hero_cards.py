"""What the hero cards do (IG-51 to IG-59)."""

from collections import Counter
from itertools import permutations

import pytest

from tests.games.infinity_gauntlet.gauntlet_scenarios import (
    deal,
    deck,
    face_up,
    hand,
    kinds,
    life,
    play,
    random_games,
    tokens,
)


@pytest.mark.plain
@pytest.mark.rule("IG-51")
def test_a_one_names_a_number_from_one_to_seven() -> None:
    match = deal(3, hero="nebula thor", thanos="proxima-midnight outrider thanos")
    play(match, "play proxima-midnight", "play nebula")
    assert match.legal() == tuple(f"guess {number}" for number in range(1, 8))
    events = match.play("guess 5")
    assert events[0]["how"] == "wrong"
    assert life(match) == (8, 5)
    assert match.to_act == 2


@pytest.mark.plain
@pytest.mark.rule("IG-51", "IG-52", "IG-17")
def test_a_right_guess_asks_thanos_to_give_up_a_card_even_if_there_is_only_one() -> None:
    match = deal(3, hero="star-lord thor", thanos="proxima-midnight outrider thanos ebony-maw")
    play(match, "play proxima-midnight", "play star-lord", "guess 7")
    assert match.to_act == 0
    assert match.legal() == ("give-up thanos",)
    match.play("give-up thanos")
    assert life(match) == (8, 4)
    assert hand(match, 0) == ["ebony-maw", "outrider"]
    assert match.to_act == 2


@pytest.mark.plain
@pytest.mark.rule("IG-52")
def test_nobody_learns_whether_thanos_had_a_choice() -> None:
    """Two games alike but for a second card of the number: all that the others see is the same."""
    views = []
    for second in ("mind-stone", "thanos"):
        match = deal(4, hero="star-lord thor hulk", thanos=f"proxima-midnight outrider {second} ebony-maw")
        play(match, "play proxima-midnight", "play star-lord", "guess 1")
        asked = [match.view(viewer) for viewer in (1, 2, 3, None)]
        choices = match.legal()
        match.play("give-up outrider")
        views.append((asked, [match.view(viewer) for viewer in (1, 2, 3, None)], match.notebook(2)))
        assert choices == (
            ("give-up outrider", "give-up mind-stone") if second == "mind-stone" else ("give-up outrider",)
        )
    assert views[0] == views[1]


@pytest.mark.plain
@pytest.mark.rule("IG-52")
def test_two_outriders_are_one_choice() -> None:
    match = deal(3, hero="star-lord thor", thanos="proxima-midnight outrider outrider ebony-maw")
    play(match, "play proxima-midnight", "play star-lord", "guess 1")
    assert match.legal() == ("give-up outrider",)
    match.play("give-up outrider")
    assert hand(match, 0) == ["ebony-maw", "outrider"]


@pytest.mark.plain
@pytest.mark.rule("IG-53")
def test_a_two_lets_another_hero_see_a_card_in_secret() -> None:
    match = deal(4, hero="gamora thor hulk", thanos="proxima-midnight outrider thanos")
    play(match, "play proxima-midnight", "play gamora")
    assert match.legal() == ("choose 2", "choose 3")
    match.play("choose 3")
    seen = [
        next(event["card"] for event in match.view(viewer)["log"] if event["kind"] == "looked")
        for viewer in (0, 1, 2, 3, None)
    ]
    assert seen[0] == seen[3] in ("outrider", "thanos")
    assert seen[1] is seen[2] is seen[4] is None
    assert [seen[3]] in match.notebook(3)["places"]["hands"][0]
    assert match.notebook(1)["known"]["hands"][0] == []


@pytest.mark.rule("IG-53")
def test_the_card_that_is_seen_is_random() -> None:
    """300 looks at two cards: 150 each, four standard deviations are 35."""
    seen = Counter[str]()
    for seed in range(300):
        match = deal(3, hero="gamora thor", thanos="proxima-midnight outrider thanos", seed=seed)
        play(match, "play proxima-midnight", "play gamora", "choose 2")
        seen[next(event["card"] for event in match.view(2)["log"] if event["kind"] == "looked")] += 1
    assert abs(seen["thanos"] - 150) < 35
    assert seen["outrider"] + seen["thanos"] == 300


@pytest.mark.plain
@pytest.mark.rule("IG-54")
def test_with_two_players_the_hero_looks() -> None:
    match = deal(2, hero="black-widow thor", thanos="proxima-midnight outrider thanos")
    events = play(match, "play proxima-midnight", "play black-widow")
    assert "looked" in kinds(events)
    assert "chosen" not in kinds(events)
    assert len(match.notebook(1)["known"]["hands"][0]) == 1
    assert match.legal()[0].startswith("play")


@pytest.mark.plain
@pytest.mark.rule("IG-55")
def test_a_three_may_let_it_be() -> None:
    match = deal(3, hero="hulk thor", thanos="proxima-midnight outrider thanos")
    play(match, "play proxima-midnight", "play hulk", "decline")
    assert life(match) == (8, 5)
    assert match.to_act == 2


@pytest.mark.plain
@pytest.mark.rule("IG-56")
def test_a_four_gives_a_token_to_any_hero_oneself_included() -> None:
    match = deal(4, hero="falcon thor hulk", thanos="proxima-midnight outrider thanos")
    play(match, "play proxima-midnight", "play falcon")
    assert match.legal() == ("choose 1", "choose 2", "choose 3")
    other = match.clone()
    match.play("choose 1")
    assert [tokens(match, seat) for seat in range(4)] == [1, 1, 0, 0]
    other.play("choose 3")
    assert [tokens(other, seat) for seat in range(4)] == [1, 0, 0, 1]


@pytest.mark.plain
@pytest.mark.rule("IG-57")
def test_a_five_orders_the_top_three() -> None:
    match = deal(3, hero="vision thor iron-man gamora hulk nebula falcon", thanos="proxima-midnight outrider thanos")
    play(match, "play proxima-midnight", "play vision")
    three = permutations(["gamora", "hulk", "nebula"])
    assert sorted(match.legal()) == sorted(" ".join(["order", *cards]) for cards in three)
    seen = [event for event in match.view(1)["log"] if event["kind"] == "top-three"]
    assert seen[0]["cards"] == ["gamora", "hulk", "nebula"]
    for viewer in (0, 2, None):
        assert match.view(viewer)["log"][-1]["cards"] is None
    match.play("order nebula gamora hulk")
    assert "nebula" in hand(match, 2)  # drawn at once by the next hero
    assert deck(match, "hero")[:3] == ["gamora", "hulk", "falcon"]
    assert match.notebook(1)["places"]["decks"]["hero"][:2] == [["gamora"], ["hulk"]]
    assert "nebula" in match.notebook(1)["known"]["hands"][2]
    assert len(match.notebook(0)["places"]["decks"]["hero"][0]) > 3


@pytest.mark.rule("IG-57", "IG-58")
def test_with_exactly_three_left_nothing_is_shuffled_and_with_fewer_a_new_deck_goes_below() -> None:
    seen = Counter[int]()
    for players in (2, 5):
        for before, events, action in random_games(players, 40, "fives", hero_life=20, thanos_life=20):
            if "top-three" not in kinds(events):
                continue
            left = deck(before, "hero")
            looked = next(event for event in events if event["kind"] == "top-three")
            new = [event for event in events if event["kind"] == "new-deck"]
            assert looked["cards"][: len(left)] == left[:3]
            assert bool(new) == (len(left) < 3)
            if new:
                assert action.removeprefix("play ") in new[0]["cards"]  # the 5 itself
                assert set(looked["cards"][len(left) :]) <= set(new[0]["cards"])
                before.play(action)
                assert len(deck(before, "hero")) == len(left) + len(new[0]["cards"])
                assert face_up(before, before.to_act or 0) == []
            seen[min(len(left), 4)] += 1
    assert min(seen[size] for size in (1, 2, 3)) > 0


@pytest.mark.plain
@pytest.mark.rule("IG-59", "IG-45")
def test_a_six_lets_a_hero_of_choice_decide_to_fight() -> None:
    match = deal(4, hero="iron-man thor vision hulk", thanos="proxima-midnight outrider corvus-glaive")
    play(match, "play proxima-midnight", "play iron-man")
    assert match.legal() == ("choose 1", "choose 2", "choose 3")
    match.play("choose 3")
    assert match.to_act == 3
    assert match.legal() == ("fight", "decline")
    other = match.clone()
    fight = match.play("fight")[0]
    assert (fight["seat"], fight["starter"], fight["hero_card"]) == (3, 3, "vision")
    assert match.to_act == 2  # the turn goes on from the one who played the 6
    other.play("decline")
    assert other.to_act == 2


@pytest.mark.plain
@pytest.mark.rule("IG-59")
def test_who_chooses_oneself_is_asked_too() -> None:
    match = deal(2, hero="iron-man vision", thanos="proxima-midnight outrider corvus-glaive")
    play(match, "play proxima-midnight", "play iron-man")
    assert match.legal() == ("choose 1",)
    match.play("choose 1")
    assert match.legal() == ("fight", "decline")
