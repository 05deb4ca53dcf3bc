"""A table in words: complete, in every language, and only what the reader may know."""

import random
import re

import pytest

import tavolino
from tavolino.bots import SeatMatch
from tavolino.engine.messages import LANGUAGES
from tavolino.engine.telling import Teller
from tavolino.engine.testing import random_game, viewers

SHARE = 0.25  # of the positions of a game


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", tavolino.games())
def test_every_position_has_words_in_every_language(name: str, language: str) -> None:
    game, chance = tavolino.load(name), random.Random(name)
    for match in random_game(game, game.players[-1], 1):
        for viewer in viewers(match):
            if chance.random() < SHARE or match.over:
                text = match.text(viewer, language)
                assert not re.search(r"\bNone\b|\bnull\b|[{]\w+, (seat|card|plural)", text), text
                numbered = re.findall(r"^(\d+)[.] (.+?): (.+)$", text, re.M)
                assert [action for _, action, _ in numbered] == match.view(viewer)["legal"]
                assert [int(number) for number, _, _ in numbered] == list(range(1, len(numbered) + 1))
        for action in match.legal():
            assert f". {action}: {match.describe(action, language)}" in match.text(match.to_act, language)


@pytest.mark.parametrize("name", tavolino.games())
def test_two_worlds_that_a_seat_cannot_tell_apart_have_the_same_words(name: str) -> None:
    game, chance = tavolino.load(name), random.Random(name)
    for match in random_game(game, 3, 2):
        for viewer in viewers(match):
            if chance.random() < SHARE:
                world = match.resample(viewer, chance.getrandbits(32))
                assert world.text(viewer).encode() == match.text(viewer).encode()
                teller = Teller(game, "en", viewer)
                assert teller.notebook(world.notebook(viewer)) == teller.notebook(match.notebook(viewer))


def test_the_words_since_the_last_decision_begin_with_what_came_of_it() -> None:
    match = tavolino.load("mantis").start(players=3, seed="words")
    first = match.text(0)
    assert first.startswith("Mantis, 3 players. You are Seat 0.\nSince your last decision:\n")
    assert "1. score: Try to score\n2. steal 1: Try to steal from Seat 1" in first
    match.play("score")
    match.play("steal 0")
    told = match.text(2).splitlines()
    assert any(line.startswith("- Seat 1 tries to steal from Seat 0: ") for line in told)
    match.play("score")
    news = match.text(0).partition("The table now:")[0].splitlines()[2:]
    assert news[0].startswith("- You try to score: ")
    assert len([line for line in news if "tries" in line]) == 2
    assert SeatMatch(match, 0).text("it") == match.text(0, "it")


def test_who_is_not_asked_reads_whose_decision_it_is_and_spectators_read_too() -> None:
    match = tavolino.load("mantis").start(players=3, seed="words")
    assert match.text(1).endswith("Nothing to decide for you now. Seat 0 is deciding: score or steal.")
    assert match.text(None).startswith("Mantis, 3 players. You are watching.\n")
    while not match.over:
        match.play(match.legal()[0])
    assert "The game is over. " in match.text(0)
    assert match.text(0).endswith(f"[{match.outcome.reason}]")  # type: ignore[union-attr]


def test_only_legal_actions_are_described_and_seats_and_languages_must_exist() -> None:
    match = tavolino.load("mantis").start(players=3, seed="words")
    with pytest.raises(tavolino.IllegalAction, match="steal from yourself"):
        match.describe("steal 0")
    with pytest.raises(ValueError, match="There is no seat 3"):
        match.text(3)
    with pytest.raises(ValueError, match="There is no language 'xx'"):
        match.text(0, "xx")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", tavolino.games())
def test_rules_and_cards_are_told(name: str, language: str) -> None:
    game = tavolino.load(name)
    teller = Teller(game, language)
    rules = teller.rules()
    assert len(re.findall(rf"^{game.meta.rule_prefix}-\d+ ", rules, re.M)) > 20
    last = re.findall(rf"^({game.meta.rule_prefix}-\d+) ", rules, re.M)[-1]
    assert re.fullmatch(rf"## .+\n{last} .+", teller.rules([last]))
    with pytest.raises(ValueError, match="has no rule XX-99"):
        teller.rules([last, "XX-99"])
    cards = teller.cards()
    assert all(re.search(rf"(^|, ){re.escape(card)}[ ,:]", cards, re.M) for card in game.parts["cards"])
