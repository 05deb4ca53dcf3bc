"""Mantis: what can be known, and worlds that nobody can tell apart (MA-04, MA-06)."""

import json
import random
from collections import Counter
from typing import Any

import pytest

import tavolino
from tavolino.games.mantis.facts import BACKS, CARDS

MANTIS = tavolino.load("mantis")


def top_card(match: tavolino.Match) -> str:
    """What the next card is: found by turning it in a copy."""
    event = match.clone().play(match.legal()[0])[0]
    return str(event["card"])


def some_positions(count: int) -> list[tavolino.Match]:
    """Positions of random games, at a moment when a card is about to be turned."""
    rng = random.Random("positions")
    found: list[tavolino.Match] = []
    while len(found) < count:
        match = MANTIS.start(rng.choice([2, 3, 4, 6]), rng.random().hex())
        for _ in range(rng.randrange(50)):
            if not match.over:
                match.play(rng.choice(match.legal()))
        if not match.over and match.view(None)["step"] == "turn":
            found.append(match)
    return found


@pytest.mark.plain
@pytest.mark.rule("MA-04", "MA-06")
def test_the_top_card_is_one_of_the_undrawn_cards_with_that_back() -> None:
    for match in some_positions(40):
        turned = {
            card
            for event in match.view(None)["log"]
            for card in (event.get("cards") or [event["card"]] if event["kind"] in {"dealt", "turned"} else [])
        }
        back = BACKS[CARDS.index(top_card(match))]
        fitting = [card for card, its in zip(CARDS, BACKS, strict=True) if its == back and card not in turned]
        assert match.notebook(None)["places"]["draw"]["top"] == fitting
        assert set(match.notebook(0)["unseen"]) == set(CARDS) - turned


@pytest.mark.rule("MA-04")
def test_a_resampled_top_card_is_uniform_over_all_that_fit() -> None:
    """600 worlds of each of 12 positions against full enumeration: all undrawn cards with that back, 1 to 3 of them.

    With k candidates each count is expected 600/k times; its standard deviation is sqrt(600 (1/k)(1-1/k)) < 12.3.
    The seeds are fixed; the bound is 4.5 standard deviations, 55.
    """
    for match in some_positions(12):
        fitting = match.notebook(None)["places"]["draw"]["top"]
        counts = Counter(top_card(match.resample(0, seed)) for seed in range(600))
        assert set(counts) <= set(fitting)
        for card in fitting:
            assert abs(counts[card] - 600 / len(fitting)) <= 55


@pytest.mark.rule("MA-04")
def test_a_resampled_pile_is_uniform_card_by_card() -> None:
    """The second card of the pile, over 1,860 worlds of a fresh game of 2: 95 or 96 cards can follow.

    The chi-square of the counts has about 95 degrees of freedom: mean 95, standard deviation 13.8; the bound is 5 of
    them. (The second card is not quite even: whatever the first one is, it is not that. With 2 or 3 candidates for the
    first that shifts an expectation by under 1 %.)
    """
    match = MANTIS.start(2, "pile")
    counts: Counter[str] = Counter()
    for seed in range(1860):
        world = match.resample(1, seed)
        world.play("score")
        counts[top_card(world)] += 1
    candidates = set(match.notebook(1)["unseen"])
    assert set(counts) <= candidates
    mean = 1860 / len(candidates)
    spread = sum((counts[card] - mean) ** 2 / mean for card in candidates)
    assert spread < 95 + 5 * 13.8


@pytest.mark.plain
@pytest.mark.rule("MA-06")
def test_all_viewers_know_the_same() -> None:
    for match in some_positions(10):
        for seat in range(match.players):
            assert match.notebook(seat) == match.notebook(None)
            mine, open_to_all = match.view(seat), match.view(None)
            for key in ("seat", "legal", "described"):
                del mine[key], open_to_all[key]
            assert json.dumps(mine) == json.dumps(open_to_all)


def play_chapter(chapter: dict[str, Any]) -> tuple[set[str], set[tuple[Any, ...]]]:
    """The kinds of decisions that the learner makes, and what came of them; the learner wins."""
    match = MANTIS.start(chapter["players"], chapter["seed"], chapter["options"], chapter["decks"])
    decisions, outcomes = set(), set()
    for step in chapter["steps"]:
        assert match.to_act == step["seat"]
        event = match.play(step["action"])[0]
        if step["seat"] == chapter["seat"]:
            decisions.add(step["action"].split()[0])
            outcomes.add((event.get("how"), event.get("matched"), event.get("icon")))
    assert match.outcome == tavolino.Outcome((chapter["seat"],), "MA-30")
    return decisions, outcomes


@pytest.mark.plain
def test_the_first_lesson_is_a_short_game_without_icons_that_its_learner_wins() -> None:
    chapter = json.loads((MANTIS.folder / "tutorial.json").read_text())
    decisions, outcomes = play_chapter(chapter)
    assert decisions == {"score", "steal"}
    assert outcomes == {("score", True, None), ("score", False, None), ("steal", True, None)}
    assert sum(step["seat"] == chapter["seat"] for step in chapter["steps"]) == 5


@pytest.mark.plain
def test_the_second_lesson_has_every_icon_and_its_learner_wins() -> None:
    chapter = json.loads((MANTIS.folder / "tutorial.json").read_text())["then"]
    decisions, outcomes = play_chapter(chapter)
    assert decisions == {"score", "steal", "take"}
    assert outcomes >= {
        ("score", True, None),
        ("score", False, None),
        ("steal", False, None),
        ("steal", True, "another-turn"),
        ("steal", True, "steal-a-card"),
        ("steal", True, "score-and-steal"),
    }
