"""The fixed ratings of the levels follow from games in the arena."""

import json

import pytest

import tavolino
from tavolino.bots.anchors import FILE
from tavolino.games import meta_of
from tavolino.lab.anchors import Pair, fit, measure

MEASURED = [name for name in tavolino.games() if (tavolino.load(name).folder / FILE).is_file()]


def test_ratings_follow_from_who_beats_whom() -> None:
    levels, one = fit([Pair("hard", "medium", 10_000, 0.76), Pair("medium", "easy", 10_000, 0.76)], has_one=False)
    assert levels == {"easy": pytest.approx(1300, abs=2), "medium": 1500, "hard": pytest.approx(1700, abs=2)}
    assert one == 0
    assert fit([Pair("medium", "random", 400, 1.0)], has_one=False)[0]["random"] > 0, "who always loses is not infinite"


def test_what_it_is_worth_to_play_alone_is_told_apart_from_strength() -> None:
    pairs = [Pair(a, b, 10_000, 0.64) for a in ("easy", "medium") for b in ("easy", "medium") if a == b]
    pairs += [Pair("medium", "easy", 10_000, 0.76), Pair("easy", "medium", 10_000, 0.5)]
    levels, one = fit(pairs, has_one=True)
    assert levels["easy"] == pytest.approx(1400, abs=5)
    assert one == pytest.approx(100, abs=5)


@pytest.mark.parametrize("name", MEASURED)
def test_the_ratings_that_are_shipped_are_those_that_the_figures_lead_to(name: str) -> None:
    found = json.loads((tavolino.load(name).folder / FILE).read_text("utf-8"))
    has_one = meta_of(name).teams is not None
    levels, one = fit([Pair(*pair) for pair in found["pairs"]], has_one)
    assert levels == found["levels"]
    assert one == found.get("one", 0)


@pytest.mark.slow
@pytest.mark.parametrize("name", MEASURED)
def test_the_arena_gives_about_the_same_again(name: str) -> None:
    shipped = json.loads((tavolino.load(name).folder / FILE).read_text("utf-8"))["levels"]
    found = measure(name, games=300, hard_games=2, iterations=50, say=lambda said: None)["levels"]
    assert found["easy"] == pytest.approx(shipped["easy"], abs=100)
    assert found["random"] < found["easy"]
