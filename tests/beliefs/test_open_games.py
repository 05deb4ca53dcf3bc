"""Worlds of the games in which little is hidden: exactly the arrangements that fit a viewer's log, all equally likely,
and in the notebook the same cards.

Mantis hides the undrawn cards, but for the back of the top one (MA-04). Splendor: Marvel hides the decks and what
others have reserved from them; what a pass tells of those is not used (SM-36), so positions after one are left out.
Both accounts read a viewer's view and nothing else.
"""

import json
import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

import tavolino
from tests.beliefs.comparing import chi_square

DRAWS = 200


def named_in(view: dict[str, Any], cards: set[str]) -> set[str]:
    """All cards that a view names, which are those that its viewer has seen."""
    return cards & set(json.dumps(view).replace('"', " ").replace(",", " ").replace("\\", " ").split())


def positions(name: str, games: int, share: float) -> Iterator[tuple[tavolino.Match, int | None]]:
    for seed in range(games):
        chance = random.Random(f"open {name} {seed}")
        game = tavolino.load(name)
        match = game.start(chance.choice(list(game.players)), f"open {seed}")
        viewer = chance.choice([None, *range(match.players)])
        while not match.over:
            if chance.random() < share:
                yield match, viewer
            # Blind reservations, where there are any, are what is hidden.
            blind = [action for action in match.legal() if action.startswith("reserve level")]
            match.play(chance.choice(blind if blind and chance.random() < 0.2 else match.legal()))


@pytest.mark.rule("MA-04", "MA-06")
def test_the_top_card_of_mantis_is_any_unseen_card_with_its_back() -> None:
    cards = {card: {*card.replace(":", "+").split("+")} for card in tavolino.load("mantis").decks["draw"].cards}
    checked = 0
    for match, viewer in positions("mantis", 12, 0.15):
        view = match.view(viewer)
        if view["step"] != "turn" or view["draw"]["back"] is None:
            continue
        unseen = set(cards) - named_in(view, set(cards))
        fitting = {card: 1 for card in unseen if cards[card] == set(view["draw"]["back"])}
        assert set(match.notebook(viewer)["places"]["draw"]["top"]) == set(fitting)
        found = Counter[str]()
        for seed in range(DRAWS):
            world = match.resample(viewer, seed)
            [turned] = [event for event in world.play(world.legal()[0]) if event["kind"] == "turned"][:1]
            found[turned["card"]] += 1
        assert set(found) <= set(fitting)
        chi_square(fitting, found, DRAWS, f"{viewer} {match.record()}")
        checked += 1
    assert checked > 20


@pytest.mark.rule("SM-40", "SM-41")
def test_what_others_reserved_blindly_is_any_unseen_card_of_its_level() -> None:
    game = tavolino.load("splendor-marvel")
    levels = {card: int(name[-1]) for name, deck in game.decks.items() if name != "locations" for card in deck.cards}
    checked = 0
    for match, viewer in positions("splendor-marvel", 10, 0.05):
        view = match.view(viewer)
        hidden = [
            (seat, place, card["level"])
            for seat, shown in enumerate(view["seats"])
            for place, card in enumerate(shown["reserved"])
            if card["card"] is None
        ]
        if not hidden or any(event["kind"] == "passed" for event in view["log"]):
            continue
        unseen = set(levels) - named_in(view, set(levels))
        noted = match.notebook(viewer)["places"]["reserved"]
        found: list[Counter[str]] = [Counter() for _ in hidden]
        for seed in range(DRAWS):
            world = match.resample(viewer, seed)
            dealt = [world.view(seat)["seats"][seat]["reserved"][place]["card"] for seat, place, _ in hidden]
            assert len(set(dealt)) == len(dealt)
            for count, card in zip(found, dealt, strict=True):
                count[card] += 1
        for (seat, place, level), count, note in zip(hidden, found, noted, strict=True):
            fitting = {card: 1 for card in unseen if levels[card] == level}
            assert set(count) <= set(fitting)
            assert (note["seat"], note["place"], set(note["cards"])) == (seat, place, set(fitting))
            chi_square(fitting, count, DRAWS, f"{viewer} {seat} {place} {match.record()}")
        checked += 1
    assert checked > 20
