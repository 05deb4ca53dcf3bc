"""Plays games to their end over HTTP as the person of a browser, for tests of what comes after."""

from __future__ import annotations

import random
from typing import Any

from playwright.sync_api import Page


def call(page: Page, method: str, path: str, body: Any = None) -> Any:
    """Send a request as this browser's person."""
    origin = page.url.split("/", 3)
    answer = page.request.fetch(path, method=method, data=body, headers={"Origin": "/".join(origin[:3])})
    assert answer.ok, answer.text()
    return answer.json()


def finish_game(page: Page, game: str, seats: int = 2, most: int = 1_000, **settings: Any) -> str:
    """A game against easy bots, played to its end at random; the id of its table."""
    chance = random.Random(14)
    page.goto("/")
    call(page, "POST", "/api/me", {"name": "Ada"})
    bots = {str(seat): "easy" for seat in range(1, seats)}
    opening = {"game": game, "seats": seats, "bots": bots, "first_seat": 0, **settings}
    table: str = call(page, "POST", "/api/tables", opening)["id"]
    command = f"/api/tables/{table}/commands"
    call(page, "POST", command, {"type": "salt", "salt": "5" * 64})
    call(page, "POST", command, {"type": "start"})
    seen: dict[str, Any] = {"turn": 0, "view": {"legal": [], "over": False}}
    for _ in range(most):
        answer = page.request.get(f"/api/tables/{table}/play?wait=20&turn={seen['turn']}")
        if not answer.ok:  # the cards are not dealt yet
            page.wait_for_timeout(50)
            continue
        seen = answer.json()
        if seen["view"]["over"]:
            return table
        if seen["view"]["legal"]:
            call(
                page,
                "POST",
                command,
                {"type": "move", "turn": seen["turn"], "action": chance.choice(seen["view"]["legal"])},
            )
    raise TimeoutError("the game does not end")
