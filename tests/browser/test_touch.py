"""Everything that can be selected can be tapped, also on the fullest tables: nothing covers its middle.

The fullest positions of many random games, one for each kind of question, are shown in place of the table's own.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest
from playwright.sync_api import WebSocketRoute

import tavolino
from tests.browser.player import Player

GAMES = 60
# Options in turn, so that the player is a hero and Thanos.
ROLES: dict[str, list[dict[str, Any]]] = {
    "mantis": [{}, {}],
    "infinity-gauntlet": [{"thanos": 0}, {"thanos": 1}],
    "splendor-marvel": [{}, {}],
}
# Scrolls each element into view, and returns those whose middle is covered at every scroll position.
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

# Which of our views the page has received last: `shown` is in the message of the socket.
NOTE_WHAT_IS_SHOWN = """
  const parse = JSON.parse
  JSON.parse = (...args) => {
    const value = parse(...args)
    if (value?.shown !== undefined) window.shown = value.shown
    return value
  }
"""
# The first one may come before the page has loaded the table's drawing.
IS_SHOWN = """([number, legal]) => window.shown === number
  && document.getAnimations().every((one) => one.playState === 'finished')
  && [...document.querySelectorAll('[data-action], .keep-order')]
    .some((thing) => thing.dataset.action === undefined || legal.includes(thing.dataset.action))"""
WIDER_THAN_THE_SCREEN = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"


def fullness(view: dict[str, Any]) -> dict[str, int]:
    """How much there is to show, by the length of its JSON: on the whole table, at the viewer's seat, as actions."""
    return {
        "table": len(json.dumps(view["seats"])),
        "own": len(json.dumps(view["seats"][view["seat"]])),
        "choices": len(view["legal"]),
    }


@cache
def fullest(game: str, players: int, seat: int) -> list[tuple[str, dict[str, Any]]]:
    """For each kind of question, the fullest positions in which the seat must decide, each once."""
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
    kinds: dict[int, list[str]] = {}
    for kind, view in found.items():
        kinds.setdefault(id(view), []).append(kind)
    views = {id(view): view for view in found.values()}
    return [(" and ".join(names), views[which]) for which, names in kinds.items()]


def check_every_kind_of_question(somebody: Player, game: str) -> None:
    """Send one page all positions, one after the other, as a server would."""
    plays: list[dict[str, Any]] = []
    sockets: list[WebSocketRoute] = []

    def between(page: WebSocketRoute) -> None:
        def pass_on(text: str | bytes) -> None:
            news = json.loads(text)
            if news["type"] == "play":
                plays.append(news)
            page.send(text)

        sockets.append(page)
        page.connect_to_server().on_message(pass_on)

    somebody.page.add_init_script(NOTE_WHAT_IS_SHOWN)
    somebody.page.route_web_socket("**/socket", between)
    somebody.play_now(game)
    assert somebody.wait_for_turn(), "from here on, the server says nothing more"
    assert somebody.view is not None
    last = plays[-1] | {"from_line": plays[-1]["from_line"] + len(plays[-1]["lines"]), "lines": []}
    for number, (kind, view) in enumerate(fullest(game, somebody.view["players"], somebody.view["seat"])):
        sockets[-1].send(json.dumps(last | {"view": view, "turn": last["turn"] + 1 + number, "shown": number}))
        somebody.page.wait_for_function(IS_SHOWN, arg=[number, view["legal"]])
        covered = somebody.page.evaluate(COVERED)
        assert covered == [], f"{kind}: {len(covered)} of {len(view['legal'])} choices are covered"
        assert somebody.page.evaluate(WIDER_THAN_THE_SCREEN) == 0, f"{kind}: the page scrolls sideways"


@pytest.mark.parametrize("phone", [True, pytest.param(False, marks=pytest.mark.slow)], ids=["phone", "desk"])
@pytest.mark.parametrize("game", ["mantis", "infinity-gauntlet", "splendor-marvel"])
def test_nothing_covers_what_can_be_picked(visitor: Callable[..., Player], game: str, phone: bool) -> None:
    check_every_kind_of_question(visitor(phone=phone), game)


@pytest.mark.parametrize(
    "game",
    [
        "splendor-marvel",
        pytest.param("mantis", marks=pytest.mark.slow),
        pytest.param("infinity-gauntlet", marks=pytest.mark.slow),
    ],
)
def test_nor_do_letters_of_twice_the_size(reader: Player, game: str) -> None:
    check_every_kind_of_question(reader, game)
