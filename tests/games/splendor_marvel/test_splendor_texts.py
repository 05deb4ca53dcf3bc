"""Splendor: Marvel in words: actions, refusals, and catalogues in three languages."""

import json
import random
from typing import Any

import pytest

import tavolino
from tavolino.engine.messages import LANGUAGES, parameters
from tavolino.engine.texts import Speaker, read_texts
from tavolino.games.splendor_marvel import notation
from tavolino.games.splendor_marvel.facts import CARDS, LOCATIONS, PARTS, TOKENS
from tests.games.splendor_marvel.conftest import Scenario

pytestmark = pytest.mark.plain
GAME = tavolino.load("splendor-marvel")
TUTORIAL = json.loads((GAME.folder / "tutorial.json").read_text("utf-8"))
NAMES = ("Ada", "Bo", "Cy", "Di")


def test_action_texts_are_the_public_names() -> None:
    texts = notation.ACTIONS
    assert len(set(texts)) == GAME.action_count == 234
    for text in ("take yellow blue red", "take orange orange", "take purple", "reserve ant-man", "reserve level-2"):
        assert text in texts
    for text in ("recruit m-o-d-o-k", "pay", "grey red", "return grey", "visit hells-kitchen", "pass"):
        assert text in texts
    assert "return green" not in texts


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_action_has_a_label(language: str) -> None:
    speaker = Speaker(GAME, language)
    labels = set()
    for text in notation.ACTIONS:
        verb, params = GAME.action_params(text)
        label = speaker.say(f"action.{verb}", params)
        assert "{" not in label
        labels.add(label)
    assert len(labels) == GAME.action_count  # no two actions read alike


def keys_in_use() -> set[str]:
    """Every key that the game can ask for."""
    keys = {"name", "tagline", "option.first", "option.first.help", "tile.avengers", "tile.gauntlet"}
    keys |= {f"card.{card}" for card in CARDS} | {f"location.{location}" for location in LOCATIONS}
    keys |= {f"colour.{colour}" for colour in TOKENS[:5]} | {f"token.{token}" for token in TOKENS}
    keys |= {f"effect.{what}" for what in ("card", "location", "avengers", "gauntlet", "grey", "green")}
    keys |= {f"action.{GAME.action_params(text)[0]}" for text in notation.ACTIONS}
    keys |= {f"prompt.{step}{who}" for step in GAME.steps[1:] for who in ("", ".other")}
    keys |= {f"outcome.{reason}" for reason in GAME.reasons if reason}
    return keys


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_key_is_missing_or_unused(language: str) -> None:
    texts = set(read_texts(GAME.folder, language))
    used = keys_in_use()
    kinds = {kind.name for kind in GAME.event_kinds}
    event_keys = {key for key in texts if key.split(".")[0] == "event"}
    assert {key.split(".")[1] for key in event_keys} == kinds
    elsewhere = (
        "refusal",
        "howto",
        "tutorial",
        "terminal",
        "explain",
        "reason",
        "goal",
        "order",
    )  # tested where they are said
    rest = {key for key in texts - event_keys if key.split(".")[0] not in elsewhere}
    assert {key.removesuffix(".you") for key in rest} == used
    steps = {step["text"] for step in TUTORIAL["steps"] if "text" in step}
    assert {key for key in texts if key.startswith("tutorial.")} == steps
    howto = sorted(int(key.split(".")[1]) for key in texts if key.startswith("howto."))
    assert howto == list(range(1, len(howto) + 1))


def test_the_three_languages_agree_on_keys_and_parameters() -> None:
    english = read_texts(GAME.folder, "en")
    for language in LANGUAGES:
        texts = read_texts(GAME.folder, language)
        assert set(texts) == set(english)
        for key, message in texts.items():
            assert {name.split(":")[0] for name in parameters(message)} == {
                name.split(":")[0] for name in parameters(english[key])
            }, key
            if language == "pl":
                assert message.count("plural") == message.count(" many {"), key


def test_the_refusals_in_the_catalogue_are_those_that_the_game_gives() -> None:
    source = (GAME.folder / "refusals.py").read_text()
    keys = {key.removeprefix("refusal.") for key in read_texts(GAME.folder, "en") if key.startswith("refusal.")}
    assert all(f'"{key}"' in source for key in keys)


@pytest.mark.parametrize("language", LANGUAGES)
def test_whole_games_can_be_told_and_labelled(language: str) -> None:
    chance = random.Random(1)
    for players in (2, 4):
        match = GAME.start(players, f"told {players}")
        while not match.over:
            prompt = match.view(None)["prompt"]
            for suffix in ("", ".other"):
                assert "{" not in Speaker(GAME, language, NAMES).say(f"prompt.{prompt['key']}{suffix}", prompt)
            recruits = [action for action in match.legal() if action.startswith("recruit")]
            match.play(chance.choice(recruits or match.legal()))
        for viewer in (0, 1, None):
            speaker = Speaker(GAME, language, NAMES, viewer)
            for event in match.view(viewer)["log"]:
                sentence = speaker.tell(event)
                assert "{" not in sentence
                assert "None" not in sentence
        outcome = match.view(None)["outcome"]
        assert Speaker(GAME, language, NAMES).say(f"outcome.{outcome['reason']}", outcome)


def test_sentences_read_as_people_speak() -> None:
    def tell(language: str, viewer: int | None = None, /, **event: Any) -> str:
        return Speaker(GAME, language, NAMES, viewer).tell(event)

    blind = {"kind": "reserved-blind", "seat": 0, "level": 3, "grey": True}
    assert tell("en", **blind, card=None) == "Ada reserves a hidden card from the level 3 deck and takes a grey token."
    assert tell("en", 0, **blind, card="thor") == "You reserve Thor from the level 3 deck and take a grey token."
    lost = {"kind": "avengers", "how": "taken-over", "seat": 1, "target": 0, "symbols": 5}
    assert tell("it", 0, **lost) == (
        "Con 5 simboli Avengers Bo ti ha portato via la tessera Avengers Uniti: perdi 3 punti."
    )
    paid = {"kind": "recruited", "seat": 1, "card": "hulk", "count": 3}
    assert tell("pl", **paid) == "Bo rekrutuje kartę „Hulk” za 3 żetony."
    assert tell("pl", **{**paid, "count": 5}) == "Bo rekrutuje kartę „Hulk” za 5 żetonów."
    assert tell("it", 1, **{**paid, "count": 0}) == "Hai reclutato la carta Hulk gratis."
    over = {"kind": "over", "winners": [0, 2], "reason": "SM-33"}
    assert tell("en", **over) == "The game is over. The Gauntlet is assembled: Ada and Cy win!"
    assert tell("en", 2, **over) == "The game is over. You have assembled the Gauntlet and win!"
    assert tell("en", **{**over, "winners": [], "reason": "SM-35"}) == (
        "The game is over: nobody could make a move for a whole round."
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_card_explains_itself(language: str) -> None:
    speaker = Speaker(GAME, language)
    for card in PARTS["cards"].values():
        assert "{" not in speaker.say("effect.card", card)
    for location in PARTS["locations"].values():
        assert "{" not in speaker.say("effect.location", location)


def test_unknown_actions_are_refused_with_a_sentence(scenario: type[Scenario]) -> None:
    game = scenario()
    for text in ("", "take", "take red yellow blue", "recruit", "recruit Thor", "visit 1", "pay now"):
        assert game.refusal(text) == (None, "unknown")
    assert game.refusal("pay") == (None, "choose-an-action")
