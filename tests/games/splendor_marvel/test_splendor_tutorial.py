"""The tutorial of Splendor: Marvel is a whole legal game in which the learner makes every kind of decision."""

import json

import pytest

import tavolino
from tavolino.engine.messages import LANGUAGES
from tavolino.engine.texts import read_texts

pytestmark = pytest.mark.plain
GAME = tavolino.load("splendor-marvel")
TUTORIAL = json.loads((GAME.folder / "tutorial.json").read_text("utf-8"))


def played() -> tavolino.Match:
    match = GAME.start(TUTORIAL["players"], TUTORIAL["seed"], TUTORIAL["options"], TUTORIAL["decks"])
    for step in TUTORIAL["steps"]:
        assert match.to_act == step["seat"], step
        match.play(step["action"])
    return match


def test_the_learner_wins_and_has_seen_every_kind_of_outcome() -> None:
    match = played()
    assert match.outcome == tavolino.Outcome((TUTORIAL["seat"],), "SM-33")
    # Nobody is stuck in so short a game: the pass is all that it does not show.
    seen = {event["kind"] for event in match.view(TUTORIAL["seat"])["log"]}
    assert {kind.name for kind in GAME.event_kinds} - seen == {"passed"}


def test_the_learner_makes_every_kind_of_decision() -> None:
    verbs = {GAME.action_params(step["action"])[0] for step in TUTORIAL["steps"] if step["seat"] == TUTORIAL["seat"]}
    assert verbs == {
        "take",
        "take-two",
        "reserve",
        "reserve-blind",
        "recruit",
        "grey",
        "pay",
        "return",
        "visit",
    }


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_step_of_the_learner_is_explained(language: str) -> None:
    texts = read_texts(GAME.folder, language)
    for step in TUTORIAL["steps"]:
        if step["seat"] == TUTORIAL["seat"]:
            assert texts[step["text"]]
