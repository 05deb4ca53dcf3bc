"""One event has a sentence for each reader: for whom acted, for whom it was done to, and for the others."""

import json
from dataclasses import dataclass
from pathlib import Path

import pytest

from tavolino.engine.texts import Speaker

TEXTS = {
    "event.drawn": "{seat, seat} draws a card.",
    "event.drawn.you": "You draw {card, card}.",
    "event.drawn.open": "{seat, seat} draws {card, card}.",
    "event.chosen": "{seat, seat} chooses {target, seat}.",
    "event.chosen.you": "You choose {target, seat}.",
    "event.chosen.me": "{seat, seat} chooses you.",
    "event.chosen.self": "{seat, seat} chooses themselves.",
    "event.over": "{winners, seat} won.",
    "event.over.you": "You won.",
    "outcome.XX-1": "The pile is full.",
    "outcome.XX-1.you": "Your pile is full.",
    "prompt.guess": "Guess a card.",
    "prompt.guess.me": "{seat, seat} is guessing your card.",
    "prompt.guess.other": "{seat, seat} is guessing {target, seat}’s card.",
    "card.ace": "the Ace",
}


@dataclass
class SmallGame:
    folder: Path
    name: str = "small"


@pytest.fixture
def small(tmp_path: Path) -> SmallGame:
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts" / "en.json").write_text(json.dumps(TEXTS))
    return SmallGame(tmp_path)


def speaker(game: SmallGame, viewer: int | None) -> Speaker:
    return Speaker(game, "en", ["Ada", "Bo", "Cy"], viewer)


def test_whom_it_was_done_to_reads_of_themselves(small: SmallGame) -> None:
    event = {"kind": "chosen", "seat": 0, "target": 1}
    sentences = [speaker(small, viewer).tell(event) for viewer in (0, 1, 2, None)]
    assert sentences == ["You choose Bo.", "Ada chooses you.", "Ada chooses Bo.", "Ada chooses Bo."]


def test_what_somebody_does_to_themselves_is_not_done_to_somebody_of_that_name(small: SmallGame) -> None:
    assert speaker(small, 1).tell({"kind": "chosen", "seat": 0, "target": 0}) == "Ada chooses themselves."


def test_who_sees_all_cards_reads_the_card_and_a_spectator_does_not(small: SmallGame) -> None:
    shown = {"kind": "drawn", "seat": 0, "card": "ace"}
    assert speaker(small, None).tell(shown) == "Ada draws the Ace."
    assert speaker(small, None).tell({**shown, "card": None}) == "Ada draws a card."
    assert speaker(small, 0).tell(shown) == "You draw the Ace."


def test_winners_are_not_told_of_themselves_by_name(small: SmallGame) -> None:
    over = {"kind": "over", "winners": [1], "reason": "XX-1"}
    assert [speaker(small, viewer).tell(over) for viewer in (0, 1)] == ["Bo won.", "You won."]
    assert [speaker(small, viewer).verdict(over) for viewer in (0, 1, None)] == ["Bo wins.", "You win!", "Bo wins."]
    assert [speaker(small, viewer).reason(over) for viewer in (0, 1)] == ["The pile is full.", "Your pile is full."]
    assert speaker(small, 0).verdict({"winners": []}) == "Nobody wins."


def test_whom_a_question_is_about_reads_of_their_own_card(small: SmallGame) -> None:
    prompt = {"key": "guess", "seat": 0, "target": 1}
    asked = [speaker(small, viewer).ask(prompt) for viewer in (0, 1, 2)]
    assert asked == ["Guess a card.", "Ada is guessing your card.", "Ada is guessing Bo’s card."]
