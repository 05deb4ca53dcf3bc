"""Whatever can be picked can be touched, however full the table is: nothing lies over the middle of it.

The fullest positions of many random games, one for each kind of question, are shown in place of the table's own.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import WebSocketRoute

import tavolino
from tests.browser.player import Player

GAMES = 60
# Options by turns: somebody is a hero and is Thanos.
ROLES: dict[str, list[dict[str, Any]]] = {
    "mantis": [{}, {}],
    "infinity-gauntlet": [{"thanos": 0}, {"thanos": 1}],
    "splendor-marvel": [{}, {}],
}
# Brings each thing to touch into sight, and gives back those whose middle belongs to something else wherever they are.
COVERED = """() => {
  const reached = (thing, block) => {
    thing.scrollIntoView({ block, inline: 'center', behavior: 'instant' })
    const { x, y, width, height } = thing.getBoundingClientRect()
    return thing.contains(document.elementFromPoint(x + width / 2, y + height / 2))
  }
  return [...document.querySelectorAll('[data-action]')]
    .filter((thing) => thing.checkVisibility())
    .filter((thing) => !['center', 'start', 'end'].some((block) => reached(thing, block)))
    .map((thing) => thing.dataset.action)
}"""

WIDER_THAN_THE_SCREEN = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"


def fullness(view: dict[str, Any]) -> dict[str, int]:
    """How much there is to show, by the length of its description: on the whole table, before the viewer, to choose."""
    return {
        "table": len(json.dumps(view["seats"])),
        "own": len(json.dumps(view["seats"][view["seat"]])),
        "choices": len(view["legal"]),
    }


def fullest(game: str, players: int, seat: int) -> dict[str, dict[str, Any]]:
    """For each kind of question, the fullest positions in which the seat is asked."""
    found: dict[str, dict[str, Any]] = {}
    most: dict[str, int] = {}
    for number in range(GAMES):
        chance = random.Random(number)
        match = tavolino.load(game).start(players=players, seed=number, options=ROLES[game][number % 2])
        while match.to_act is not None:
            if match.to_act == seat:
                view = match.view(seat)
                for what, size in fullness(view).items():
                    kind = f"{view['prompt']['key']}, fullest {what}"
                    if size > most.get(kind, 0):
                        found[kind], most[kind] = view, size
            match.play(chance.choice(match.legal()))
    return found


def check_every_kind_of_question(somebody: Player, game: str) -> None:
    shown: dict[str, Any] = {}

    def between(page: WebSocketRoute) -> None:
        def pass_on(text: str | bytes) -> None:
            news = json.loads(text)
            if news["type"] == "play":
                news |= shown
            page.send(json.dumps(news))

        page.connect_to_server().on_message(pass_on)

    somebody.page.route_web_socket("**/socket", between)
    somebody.play_now(game)
    assert somebody.view is not None
    for kind, view in fullest(game, somebody.view["players"], somebody.view["seat"]).items():
        shown["view"] = view
        somebody.page.reload()
        somebody.wait_for_cards()
        covered = somebody.page.evaluate(COVERED)
        assert covered == [], f"{kind}: {len(covered)} of {len(view['legal'])} choices are covered"
        assert somebody.page.evaluate(WIDER_THAN_THE_SCREEN) == 0, f"{kind}: the page scrolls sideways"


@pytest.mark.parametrize("phone", [True, False], ids=["phone", "desk"])
@pytest.mark.parametrize("game", ["mantis", "infinity-gauntlet", "splendor-marvel"])
def test_nothing_covers_what_can_be_picked(visitor: Callable[..., Player], game: str, phone: bool) -> None:
    check_every_kind_of_question(visitor(phone=phone), game)


@pytest.mark.parametrize("game", ["mantis", "infinity-gauntlet", "splendor-marvel"])
def test_nor_do_letters_of_twice_the_size(reader: Player, game: str) -> None:
    check_every_kind_of_question(reader, game)
