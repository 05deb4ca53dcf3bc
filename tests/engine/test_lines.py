"""The log from a given line on, for callers that only pass on new lines."""

from __future__ import annotations

import random

import pytest

import tavolino
from tavolino.engine.match import Match


def agrees(match: Match, asked: Match) -> None:
    """The log of `asked` from any line on is the end of the whole log of `match`."""
    for viewer in (None, *range(match.players)):
        whole = match.view(viewer)
        assert match.lines == len(whole["log"])
        for line in {0, 1, match.lines // 2, match.lines - 1, match.lines, match.lines + 3}:
            part = asked.view(viewer, line)
            assert part["log"] == whole["log"][line:]
            assert {**part, "log": None} == {**whole, "log": None}


@pytest.mark.parametrize("name", tavolino.games())
def test_the_lines_from_any_on_are_the_rest_of_the_log(name: str) -> None:
    chance = random.Random(name)
    match = tavolino.load(name).start(players=3, seed="lines")
    never_asked = match.clone()  # nobody has ever asked it for a whole log
    for _ in range(25):
        if match.to_act is None:
            break
        agrees(match, never_asked.clone())
        agrees(match, match)
        action = chance.choice(match.legal())
        assert match.play(action)
        never_asked.advance(action)
        never_asked = never_asked.clone()


@pytest.mark.parametrize("name", tavolino.games())
def test_a_resampled_match_continues_the_log_from_where_it_began(name: str) -> None:
    match = tavolino.load(name).start(players=3, seed="lines")
    for _ in range(4):
        match.play(match.legal()[0])
    world = match.resample(0, "another")
    assert world.lines == match.lines
    world.play(world.legal()[0])
    agrees(world, world.clone())
    assert world.view(0)["log"][: match.lines] == match.view(0)["log"]


@pytest.mark.parametrize("name", tavolino.games())
def test_advancing_is_playing_without_events(name: str) -> None:
    played = tavolino.load(name).start(players=2, seed="quiet")
    advanced = played.clone()
    for _ in range(10):
        action = played.legal()[-1]
        played.play(action)
        advanced.advance(action)
    assert played.hash() == advanced.hash()
    assert played.record() == advanced.record()
    with pytest.raises(tavolino.IllegalAction):
        advanced.advance("no such thing")


@pytest.mark.parametrize("name", tavolino.games())
def test_the_lines_since_a_decision_are_those_after_it(name: str) -> None:
    chance = random.Random(name)
    match = tavolino.load(name).start(players=3, seed="since")
    assert [match.lines_at_decision(seat) for seat in (None, 0, 1, 2)] == [0, 0, 0, 0]
    expected = dict.fromkeys(range(3), 0)
    for _ in range(25):
        if match.to_act is None:
            break
        seat, before = match.to_act, match.lines
        match.play(chance.choice(match.legal()))
        expected[seat] = match.lines
        twin = match.clone()
        replayed = match.position(len(match.record()["actions"]))  # as after a restart of the server
        for one in (match, twin, replayed):
            assert {each: one.lines_at_decision(each) for each in range(3)} == expected
            assert one.lines_at_decision(None) == 0
            assert one.lines_before_decision(seat) == before
            assert one.lines_before_decision(None) == 0
