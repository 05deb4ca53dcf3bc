"""What is open, what is secret, and the texts (IG-90 to IG-92)."""

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tavolino import IllegalAction
from tavolino.engine import loops
from tavolino.engine.decks import arrange
from tavolino.engine.messages import LANGUAGES
from tavolino.engine.options import resolve
from tavolino.engine.testing import viewers
from tavolino.engine.texts import Speaker, read_texts
from tests.games.infinity_gauntlet.gauntlet_scenarios import (
    GAME,
    NUMBER,
    deal,
    face_up,
    hand,
    long_game,
    play,
    random_games,
    thanos_of,
)

FOLDER = Path(GAME.folder)


def cards_named(shown: Any) -> Counter[str]:
    """The card ids in anything that is sent."""
    words = re.findall(r'"([a-z-]+)"', json.dumps(shown))
    return Counter(word for word in words if word in NUMBER and word != "thanos")


@pytest.mark.rule("IG-90")
def test_what_is_open_is_the_same_for_everybody() -> None:
    open_keys = (
        "life",
        "decks",
        "stones",
        "turn",
        "turns_left",
        "effect",
        "target",
        "step",
        "prompt",
        "to_act",
        "thanos",
    )
    for before, _, _ in random_games(4, 5, "open"):
        views = [before.view(viewer) for viewer in viewers(before)]
        for view in views:
            assert {key: view[key] for key in open_keys} == {key: views[0][key] for key in open_keys}
            for seat, other in zip(view["seats"], views[0]["seats"], strict=True):
                assert {**seat, "hand": None} == {**other, "hand": None}


@pytest.mark.rule("IG-91", "IG-92")
@pytest.mark.parametrize("players", [2, 4, 6])
def test_a_view_names_only_cards_that_its_viewer_has_seen(players: int) -> None:
    """Every card in a view was face up, in the own hand, or in an event for that viewer."""
    for number in range(3):
        seen: dict[int | None, set[str]] = {}
        for before, events, _ in random_games(players, 1, f"seen {number}"):
            for viewer in viewers(before):
                known = seen.setdefault(viewer, set())
                if viewer is not None:
                    known |= set(hand(before, viewer))
                for seat in range(players):
                    known |= set(face_up(before, seat))
                shown = before.view(viewer)
                legal = {word for action in shown["legal"] for word in action.split()}
                assert set(cards_named({**shown, "legal": []})) <= known
                assert viewer == before.to_act or not legal
                for event in events:
                    if viewer in event.get("audience", [viewer]):
                        known |= set(cards_named(event))


@pytest.mark.rule("IG-92")
def test_hands_stay_hidden_after_an_end_by_life() -> None:
    match = deal(3, hero="thor hulk", thanos="outrider thanos ebony-maw", hero_life=1)
    play(match, "play outrider", "choose 1", "guess 3")
    assert match.over
    for viewer in viewers(match):
        hands = [seat["hand"] for seat in match.view(viewer)["seats"]]
        assert [held is not None for held in hands] == [seat == viewer for seat in range(3)]


@pytest.mark.rule("IG-92")
def test_the_order_in_which_thanos_drew_does_not_show() -> None:
    one = deal(3, hero="thor hulk", thanos="outrider thanos ebony-maw mind-stone")
    two = deal(3, hero="thor hulk", thanos="ebony-maw outrider thanos mind-stone")
    for match in (one, two):
        play(match, "play ebony-maw", "bottom outrider")
    assert hand(one, 0) == hand(two, 0) == sorted(hand(one, 0))
    for viewer in (1, 2, None):
        assert one.view(viewer) == two.view(viewer)
        assert one.notebook(viewer) == two.notebook(viewer)


@pytest.mark.rule("IG-90")
def test_the_notebook_counts_every_unseen_card() -> None:
    for before, _, _ in random_games(3, 3, "count"):
        for viewer in viewers(before):
            notes = before.notebook(viewer)
            places = [place for held in notes["places"]["hands"] for place in held]
            places += [place for under in notes["places"]["decks"].values() for place in under]
            hidden = [place for place in places if len(place) > 1]
            assert sum(notes["unseen"].values()) == len(hidden)
            assert all(card in notes["unseen"] for place in hidden for card in place)


def test_quiet_games_are_the_same_games() -> None:
    for players in GAME.players:
        numbers = GAME.option_numbers(players, resolve(GAME.options, players, None))
        arranged, counts = arrange(GAME.decks, None, GAME.check_decks)
        outcomes = []
        for quiet in (0, 1):
            states, out = GAME.new_states(), np.zeros(GAME.action_count, dtype=np.int32)
            states["quiet"] = quiet
            rows = np.zeros((40, 3), dtype=np.int32)
            loops.random_games(states, 0, 0, 40, 5, numbers, arranged, counts, out, rows)
            outcomes.append(rows.tolist())
        assert outcomes[0] == outcomes[1]


# -- words


@pytest.mark.parametrize(
    ("actions", "wrong", "rule"),
    [
        ("", "play thor", "IG-12"),
        ("", "guess 3", "IG-12"),
        ("", "play nobody", None),
        ("", "fight now", None),
        ("play outrider", "choose 0", "IG-61"),
        ("play outrider", "choose 5", None),
        ("play outrider", "choose x", None),
        ("play outrider", "decline", "IG-61"),
        ("play outrider, choose 1", "guess 7", "IG-61"),
        ("play space-stone, choose 1", "fight-with ebony-maw", "IG-42"),
        ("play space-stone, choose 1", "play thanos", "IG-42"),
        ("play space-stone, choose 1, fight-with thanos", "choose 1", "IG-66"),
        ("play space-stone, decline, play gamora", "choose 1", "IG-53"),
        ("play space-stone, decline, play gamora, choose 2, play nebula", "guess 8", "IG-51"),
        ("play space-stone, decline, play gamora, choose 2, play nebula", "guess", "IG-51"),
        ("play space-stone, decline, play gamora, choose 2, play nebula, guess 7", "give-up outrider", "IG-52"),
        ("play space-stone, decline, play gamora, choose 2, play nebula, guess 7", "give-up ebony-maw", "IG-52"),
        ("play space-stone, decline, play thor", "end-turn", "IG-55"),
        ("play space-stone, decline, play thor", "snap", "IG-82"),
        ("play space-stone", "guess 3", "IG-66"),
        ("play outrider, choose 1", "choose 2", "IG-61"),
    ],
)
def test_a_refusal_is_a_sentence_with_its_rule(actions: str, wrong: str, rule: str | None) -> None:
    match = deal(3, hero="gamora hulk thor nebula", thanos="outrider thanos space-stone")
    play(match, *filter(None, actions.split(", ")))
    before = match.hash()
    with pytest.raises(IllegalAction) as refusal:
        match.play(wrong)
    assert refusal.value.rule == rule
    assert re.match(r"[A-Z“].*[.]$", str(refusal.value))
    assert match.hash() == before


def test_every_wrong_action_of_the_table_is_refused_in_every_step() -> None:
    texts = {GAME.action_text(None, number) for number in range(GAME.action_count) if not 67 <= number < 73}
    assert len(texts) == GAME.action_count - 6
    steps = set()
    for before, _, _ in random_games(3, 12, "refused"):
        if before.view(None)["step"] in steps:
            continue
        steps.add(before.view(None)["step"])
        for text in texts - set(before.legal()):
            with pytest.raises(IllegalAction):
                before.play(text)
    assert len(steps) >= 10


@pytest.mark.parametrize("language", LANGUAGES)
def test_everything_that_happens_can_be_said(language: str) -> None:
    """Every event for every viewer, every question, action and end, in every language, without a place left open."""
    said = set()
    for players in (2, 4):
        for before, _, action in random_games(players, 4, "said"):
            for viewer in (*range(players), None):
                speaker = Speaker(GAME, language, ["Ada", "Bo", "Cy", "Di"], viewer)
                question = before.view(viewer)["prompt"]
                said.add(speaker.say(f"prompt.{question['key']}", question))
                said.add(speaker.say(f"prompt.{question['key']}.other", question))
                for legal in before.view(viewer)["legal"]:
                    verb, params = GAME.action_params(legal)
                    said.add(speaker.say(f"action.{verb}", params))
                before_log = len(before.view(viewer)["log"])
                after = before.clone()
                after.play(action)
                said |= {speaker.tell(event) for event in after.view(viewer)["log"][before_log:]}
                if after.outcome:
                    winners = list(after.outcome.winners)
                    said.add(speaker.say(f"outcome.{after.outcome.reason}", {"winners": winners}))
    assert len(said) > 300
    for sentence in said:
        assert "{" not in sentence
        assert "None" not in sentence
        assert not re.search(r"\b[a-z]+-[a-z]+-[a-z]+\b", sentence)


def test_the_catalogues_agree_key_by_key_and_name_every_card() -> None:
    texts = {language: read_texts(FOLDER, language) for language in LANGUAGES}
    for language in LANGUAGES:
        assert list(texts[language]) == list(texts["en"])
        for key, message in texts[language].items():
            assert "'" not in message, (language, key)
        for card in NUMBER:
            assert texts[language][f"card.{card}"]
            assert texts[language][f"effect.{card}"].endswith(".")
    assert texts["it"]["card.corvus-glaive"] == "Gamma Corvi"
    assert texts["pl"]["card.mind-stone"] == "Kamień Umysłu"
    assert texts["pl"]["card.black-dwarf"] == "Czarny Karzeł"


# -- the tutorial


def chapters() -> list[dict[str, Any]]:
    lesson = json.loads((FOLDER / "tutorial.json").read_text("utf-8"))
    return [lesson, lesson["then"]]


@pytest.mark.parametrize("chapter", [0, 1])
def test_the_tutorial_can_be_played_to_its_end(chapter: int) -> None:
    lesson = chapters()[chapter]
    match = GAME.start(lesson["players"], lesson["seed"], lesson["options"], lesson["decks"])
    for step in lesson["steps"]:
        assert match.to_act == step["seat"]
        match.play(step["action"])
        if step["seat"] == lesson["seat"]:
            assert "text" in step
        for language in LANGUAGES:
            assert {step.get(when, "name") for when in ("text", "after")} <= read_texts(FOLDER, language).keys()
    assert match.outcome is not None
    assert lesson["seat"] in match.outcome.winners
    assert thanos_of(match) == 1 - chapter


def test_the_learner_makes_every_kind_of_decision_once() -> None:
    verbs = {
        step["action"].split()[0] for lesson in chapters() for step in lesson["steps"] if step["seat"] == lesson["seat"]
    }
    all_verbs = {
        GAME.action_text(None, number).split()[0] for number in range(GAME.action_count) if not 67 <= number < 73
    }
    assert verbs == all_verbs | {"order"}
    texts = [
        said[when]
        for lesson in chapters()
        for said in (*lesson["steps"], lesson)
        for when in ("text", "after", "end")
        if when in said
    ]
    assert texts == [f"tutorial.{number}" for number in range(1, len(texts) + 1)]
    assert f"tutorial.{len(texts) + 1}" not in read_texts(FOLDER, "en")


def test_long_games_reach_every_step() -> None:
    steps = {match.view(None)["step"] for seed in range(4) for match in long_game(4, seed)}
    assert {"play", "choose", "guess", "end-turn", "bottom", "over"} <= steps
