"""Players, parts, the deal and turns (IG-01 to IG-17)."""

from collections import Counter

import pytest

from tavolino import IllegalAction
from tests.games.infinity_gauntlet.gauntlet_scenarios import (
    GAME,
    NUMBER,
    STONES,
    deal,
    face_up,
    hand,
    life,
    long_game,
    play,
    tokens,
)


@pytest.mark.plain
@pytest.mark.rule("IG-01")
@pytest.mark.parametrize("players", range(2, 7))
def test_one_is_thanos_and_all_others_are_heroes(players: int) -> None:
    for thanos in range(players):
        seats = deal(players, seed=players).view(None)["seats"]
        assert [seat["role"] for seat in seats].count("thanos") == 1
        match = GAME.start(players, 1, {"thanos": thanos})
        roles = [seat["role"] for seat in match.view(None)["seats"]]
        assert roles == ["thanos" if seat == thanos else "hero" for seat in range(players)]
        assert match.to_act == thanos


@pytest.mark.plain
@pytest.mark.rule("IG-01")
@pytest.mark.parametrize("players", [0, 1, 7, True, "3", None])
def test_other_numbers_of_players_are_refused(players: object) -> None:
    with pytest.raises(ValueError, match="2 to 6 players"):
        GAME.start(players, 1)  # type: ignore[arg-type]


@pytest.mark.plain
@pytest.mark.rule("IG-02", "IG-03")
def test_the_decks_have_the_cards_of_the_box() -> None:
    hero, thanos = GAME.decks["hero"].cards, GAME.decks["thanos"].cards
    assert Counter(NUMBER[card] for card in hero) == {1: 3, 2: 3, 3: 3, 4: 3, 5: 2, 6: 2}
    assert Counter(NUMBER[card] for card in thanos) == {1: 3, 2: 2, 3: 2, 4: 2, 5: 2, 6: 1, 7: 1}
    assert len(set(hero)) == 16
    assert Counter(thanos)["outrider"] == 2
    assert len(set(thanos)) == 12
    assert [NUMBER[stone] for stone in ("mind-stone", "soul-stone", "space-stone")] == [1, 2, 3]
    assert [NUMBER[stone] for stone in ("power-stone", "reality-stone", "time-stone")] == [4, 5, 6]
    assert NUMBER["thanos"] == 7
    assert {card for card, fact in GAME.parts["cards"].items() if fact["stone"]} == set(STONES)


@pytest.mark.plain
@pytest.mark.rule("IG-04", "IG-16")
def test_heroes_draw_one_clockwise_from_thanos_and_he_has_drawn_for_his_turn() -> None:
    match = GAME.start(
        4, 1, {"thanos": 2}, {"hero": ["thor", "hulk", "vision"], "thanos": ["outrider", "thanos", "ebony-maw"]}
    )
    assert hand(match, 3) == ["thor"]
    assert hand(match, 0) == ["hulk"]
    assert hand(match, 1) == ["vision"]
    assert hand(match, 2) == ["ebony-maw", "outrider", "thanos"]
    assert match.view(None)["decks"] == {"hero": 13, "thanos": 10}


@pytest.mark.rule("IG-04")
def test_both_decks_are_shuffled_evenly() -> None:
    """900 deals: the card on seat 1 is each of 16 with 56.25 expected; chi-square with 15 degrees stays under 37.7
    (p = 0.001). The same for the first card of Thanos' deck that is left, where an Outrider counts double."""
    first, left = Counter[str](), Counter[str]()
    for seed in range(900):
        match = GAME.start(2, seed)
        first[hand(match, 1)[0]] += 1
        left["outrider" if "outrider" in hand(match, 0) else "none"] += 1
    assert len(first) == 16
    assert sum((count - 56.25) ** 2 / 56.25 for count in first.values()) < 37.7
    # No Outrider among three of thirteen cards: (11 x 10 x 9) / (13 x 12 x 11) = 0.577; four standard deviations.
    assert abs(left["none"] / 900 - 990 / 1716) < 4 * (0.577 * 0.423 / 900) ** 0.5


@pytest.mark.plain
@pytest.mark.rule("IG-05")
def test_nobody_starts_with_a_token_and_the_supply_never_runs_dry() -> None:
    match = deal(2, thanos="power-stone time-stone thanos proxima-midnight", hero="falcon black-panther")
    assert [tokens(match, seat) for seat in range(2)] == [0, 0]
    play(match, "play power-stone", "play falcon", "choose 1", "play black-panther", "choose 1")
    play(match, "play time-stone", "copy power-stone")
    while match.to_act == 1:
        match.play(next(a for a in match.legal() if a.split()[0] not in ("fight", "guess")))  # pass the time
        if match.legal() and match.legal()[0].startswith("guess"):
            match.play("guess 6")
    assert tokens(match, 0) >= 6


@pytest.mark.plain
@pytest.mark.rule("IG-06")
@pytest.mark.parametrize("players", range(2, 7))
def test_life_by_default_grows_with_the_players_for_thanos_alone(players: int) -> None:
    assert life(GAME.start(players, 1)) == (8, players + 2)
    assert life(GAME.start(players, 1, {"hero_life": 1, "thanos_life": 20})) == (1, 20)
    assert GAME.start(players, 1).record()["options"] == {"thanos": 0, "hero_life": 8, "thanos_life": players + 2}


@pytest.mark.plain
@pytest.mark.rule("IG-06")
@pytest.mark.parametrize("name", ["hero_life", "thanos_life"])
@pytest.mark.parametrize("value", [0, 21, -1, 1.5, "8", True])
def test_life_out_of_range_is_refused(name: str, value: object) -> None:
    with pytest.raises(ValueError, match=name):
        GAME.start(3, 1, {name: value})


@pytest.mark.plain
@pytest.mark.rule("IG-10", "IG-16")
def test_thanos_begins_and_play_goes_clockwise() -> None:
    match = GAME.start(
        3, 1, {"thanos": 1}, {"hero": ["falcon", "black-panther"], "thanos": ["proxima-midnight", "power-stone"]}
    )
    assert match.to_act == 1
    match.play("play proxima-midnight")
    assert match.to_act == 2
    play(match, "play falcon", "choose 2")
    assert match.to_act == 0
    play(match, "play black-panther", "choose 2")
    assert match.to_act == 1


@pytest.mark.plain
@pytest.mark.rule("IG-11", "IG-17")
def test_with_two_players_the_hero_has_two_turns_with_one_hand() -> None:
    match = deal(2, hero="falcon black-panther doctor-strange thor", thanos="proxima-midnight power-stone")
    match.play("play proxima-midnight")
    assert hand(match, 1) == ["black-panther", "falcon"]
    match.play("play falcon")
    assert match.legal() == ("choose 1",)  # asked, although there is only one answer
    match.play("choose 1")
    assert match.to_act == 1
    assert hand(match, 1) == ["black-panther", "doctor-strange"]
    play(match, "play black-panther", "choose 1")
    assert match.to_act == 0
    assert hand(match, 1) == ["doctor-strange"]


@pytest.mark.plain
@pytest.mark.rule("IG-12", "IG-13")
def test_a_turn_is_draw_one_then_play_one_which_stays_face_up() -> None:
    match = deal(3, hero="thor hulk falcon", thanos="proxima-midnight power-stone thanos")
    assert len(hand(match, 0)) == 3
    match.play("play proxima-midnight")
    assert hand(match, 0) == ["power-stone", "thanos"]
    assert face_up(match, 0) == ["proxima-midnight"]
    assert hand(match, 1) == ["falcon", "thor"]
    assert match.legal() == ("play thor", "play falcon")
    play(match, "play falcon", "choose 2")
    assert hand(match, 1) == ["thor"]
    assert face_up(match, 1) == ["falcon"]


@pytest.mark.plain
@pytest.mark.rule("IG-14")
def test_the_card_thanos_cannot_be_played() -> None:
    match = deal(3, thanos="thanos outrider ebony-maw")
    assert "play thanos" not in match.legal()
    with pytest.raises(IllegalAction, match="cannot be played") as refusal:
        match.play("play thanos")
    assert refusal.value.rule == "IG-14"


@pytest.mark.rule("IG-15", "IG-23")
def test_thanos_with_nothing_but_the_seven_must_snap() -> None:
    reached = 0
    for seed in range(12):
        for match in long_game(3, seed):
            if match.to_act == 0 and match.view(0)["step"] == "play" and hand(match, 0) == ["thanos"]:
                assert match.view(0)["decks"]["thanos"] == 0
                assert match.legal() == ("snap",)
                assert set(face_up(match, 0)) >= set(STONES)
                reached += 1
    assert reached >= 3


@pytest.mark.plain
@pytest.mark.rule("IG-17")
def test_a_question_with_one_answer_is_asked_all_the_same() -> None:
    match = deal(3, hero="black-widow thor", thanos="proxima-midnight time-stone thanos black-dwarf")
    play(match, "play proxima-midnight", "play black-widow")
    assert match.legal() == ("choose 2",)
    match.play("choose 2")
    while match.to_act != 0:
        calm = [action for action in match.legal() if not action.startswith(("fight", "guess"))]
        match.play(calm[0] if calm else "guess 5")
    match.play("play time-stone")
    assert "copy proxima-midnight" in match.legal()


@pytest.mark.rule("IG-15")
@pytest.mark.parametrize("players", range(2, 7))
def test_even_the_longest_games_end_within_the_proven_bound(players: int) -> None:
    for seed in range(3):
        decisions = sum(1 for _ in long_game(players, seed)) - 1
        assert decisions <= GAME.most_decisions(players)
