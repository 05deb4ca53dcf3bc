"""A review in words."""

from typing import Any

from tavolino.agents.review_text import review_text

PARTS = {"result": 1.0, "start": 0.5, "luck": 0.3, "own": 0.1, "others": 0.1}


def told(**decision: Any) -> str:
    usual = {"turn": 3, "chosen": "score", "label": "mistake", "best": "steal 1", "cost": 0.05, "cost_error": 0.004}
    return review_text({"parts": PARTS, "given_away": 0.1, "decisions": [{**usual, **decision}]}).splitlines()[-1]


def test_a_loss_is_never_told_as_exact() -> None:
    assert told() == "Decision 3: score (mistake); steal 1 wins 5% more often, ±1%."


def test_nothing_wins_0_percent_more_often() -> None:
    assert told(label="good", cost=0.004) == "Decision 3: score (good)."
