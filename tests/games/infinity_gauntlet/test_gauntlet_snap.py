"""The snap (IG-82 to IG-84)."""

import random

import pytest

from tavolino import IllegalAction
from tests.games.infinity_gauntlet.gauntlet_scenarios import (
    STONES,
    Match,
    deal,
    face_up,
    hand,
    harmless,
    long_game,
    play,
    random_games,
    thanos_of,
)


def stones_of(match: Match) -> set[str]:
    thanos = thanos_of(match)
    return {*hand(match, thanos), *face_up(match, thanos)} & set(STONES)


@pytest.mark.rule("IG-82", "IG-83")
@pytest.mark.parametrize("players", [2, 4])
def test_snap_is_offered_exactly_in_his_own_turn_with_all_six_stones(players: int) -> None:
    asked = {"before": 0, "after": 0, "cannot": 0}
    for seed in range(12):
        for match in long_game(players, seed):
            if match.over:
                break
            step = match.view(None)["step"]
            is_time = match.to_act == 0 and step in ("play", "end-turn")
            assert ("snap" in match.legal()) == (is_time and len(stones_of(match)) == 6)
            if step == "play" and "snap" in match.legal():
                asked["before"] += 1
            if step == "end-turn":
                assert "end-turn" in match.legal()
                asked["after" if "snap" in match.legal() else "cannot"] += 1
    assert min(asked.values()) > 0


@pytest.mark.rule("IG-83")
def test_he_is_asked_again_whenever_stones_and_cards_make_six_whether_he_can_snap_or_not() -> None:
    for before, events, action in random_games(3, 30, "asked", hero_life=20, thanos_life=20):
        del events
        was_his = before.view(None)["turn"] == 0 and before.view(None)["step"] != "end-turn"
        before.play(action)
        view = before.view(None)
        if not was_his or before.over:
            continue
        stones = sum(card in STONES for card in face_up(before, 0))
        if view["step"] == "end-turn":
            assert stones + view["seats"][0]["hand_size"] >= 6
            assert before.to_act == 0
        elif view["turn"] != 0:  # his turn has ended without that question
            # A hero has drawn since, but nothing of Thanos has changed.
            assert stones + view["seats"][0]["hand_size"] < 6


@pytest.mark.rule("IG-82", "IG-92")
def test_a_snap_shows_the_hand_of_thanos_to_all_and_wins() -> None:
    for match in long_game(3, 1):
        if match.legal() and "snap" in match.legal():
            held = hand(match, 0)
            events = match.clone().play("snap")
            assert sorted(events[0]["cards"]) == held
            match.play("snap")
            assert match.outcome is not None
            assert (match.outcome.winners, match.outcome.reason) == ((0,), "IG-82")
            for viewer in (0, 1, 2, None):
                assert match.view(viewer)["seats"][0]["hand"] == held
                assert sorted(match.notebook(viewer)["known"]["hands"][0]) == held
            assert match.view(None)["seats"][1]["hand"] is None
            return
    pytest.fail("the stones never came together")


@pytest.mark.rule("IG-82")
def test_he_need_not_snap() -> None:
    for match in long_game(3, 2):
        if match.legal() and "snap" in match.legal() and len(match.legal()) > 1:
            other = next(action for action in match.legal() if action != "snap")
            match.play(other)
            assert not match.over
            return
    pytest.fail("the stones never came together")


@pytest.mark.rule("IG-82")
def test_a_snap_without_all_stones_or_by_a_hero_is_refused() -> None:
    match = deal(3, thanos="proxima-midnight mind-stone soul-stone")
    with pytest.raises(IllegalAction, match="all six stones") as refusal:
        match.play("snap")
    assert refusal.value.rule == "IG-82"
    match.play("play proxima-midnight")
    with pytest.raises(IllegalAction, match="Only Thanos") as refusal:
        match.play("snap")
    assert refusal.value.rule == "IG-82"


@pytest.mark.rule("IG-84")
def test_a_sixth_stone_drawn_in_an_effect_waits_until_cards_are_on_the_bottom() -> None:
    """Five stones face up or held, then Ebony Maw draws the sixth: first the bottom, then the snap, if still there."""
    order = "mind-stone soul-stone space-stone power-stone reality-stone proxima-midnight ebony-maw time-stone"
    for seed in range(60):
        chance = random.Random(seed)
        match = deal(3, thanos=order, seed=seed, hero_life=20, thanos_life=20)
        while not match.over:
            if match.to_act == 0 and "play ebony-maw" in match.legal() and len(stones_of(match)) == 5:
                after = match.clone()
                after.play("play ebony-maw")
                if len(stones_of(after)) == 6:
                    assert "snap" not in after.legal()
                    stone = next(action for action in after.legal() if action.split()[1] in STONES)
                    lost = after.clone()
                    lost.play(stone)
                    assert "snap" not in lost.legal()
                    keep = [action for action in after.legal() if action.split()[1] not in STONES]
                    if keep:
                        after.play(keep[0])
                        assert after.legal() == ("snap", "end-turn")
                        play(after, "snap")
                        return
            calm = harmless(match, chance)
            rest = [action for action in match.legal() if action not in ("snap", "play ebony-maw")]
            match.play(calm if calm in rest or not rest else rest[0])
    pytest.fail("Ebony Maw never drew the sixth stone")
