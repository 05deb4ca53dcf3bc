"""A player on the page: reads the messages of the socket, selects a legal action, confirms; by pointer or keyboard."""

from __future__ import annotations

import json
import time
from typing import Any

from playwright.sync_api import Page, WebSocket

from tests.browser.strategy import choose

MOST_TABS = 160
TIMEOUT = 120.0  # seconds, on a busy machine
IS_FOCUSED = "selector => document.activeElement !== null && document.activeElement.matches(selector)"
# How many stops of the Tab key lie between the focus and the first thing that matches; 0 if that is not clear.
STOPS_BEFORE = """selector => {
  const stops = [...document.querySelectorAll('a[href], button, input, select, summary, [tabindex]')]
    .filter((one) => one.tabIndex >= 0 && !one.disabled && one.checkVisibility({ visibilityProperty: true }))
  const from = stops.indexOf(document.activeElement)
  const to = stops.findIndex((one, at) => at > from && one.matches(selector))
  return from < 0 ? 0 : Math.max(0, to - from - 2)
}"""


class Player:
    def __init__(self, page: Page) -> None:
        self.page = page
        self.frames: list[str] = []  # all messages of the sockets, as received
        self.view: dict[str, Any] | None = None
        self.turn = -1
        page.on("websocket", self._listen)

    def _listen(self, channel: WebSocket) -> None:
        channel.on("framereceived", self._on_message)

    def _on_message(self, payload: str | bytes) -> None:
        text = payload if isinstance(payload, str) else payload.decode()
        self.frames.append(text)
        news = json.loads(text)
        if news["type"] == "play":
            self.view, self.turn = news["view"], news["turn"]

    # -- joining a table

    def play_now(self, game: str) -> None:
        self.view, self.turn = None, -1
        self.page.goto("/")
        self.page.get_by_test_id(f"play-{game}").click()
        self.wait_for_cards()

    def play_into(self, game: str, decisions: int) -> None:
        """Play against bots until so many decisions are made and the next is due; plays several games if needed."""
        self.play_now(game)
        while not self.decide(decisions):
            self.play_now(game)

    def open_table(self, game: str, seats: int) -> str:
        """Open a table for friends; returns the invite link."""
        self.page.goto(f"/open?game={game}")
        self.page.locator("#seats").select_option(str(seats))
        self.page.get_by_test_id("open").click()
        return self.page.get_by_test_id("invite").input_value()

    def join(self, link: str, name: str) -> None:
        self.page.goto(link)
        self.page.locator("#join-name").fill(name)
        self.page.get_by_test_id("join").click()
        self.page.get_by_test_id("join").wait_for(state="detached")

    def start_with(self, guest: Player, name: str, game: str) -> None:
        """Open a table for two, let the guest join under this name, and start the game."""
        guest.join(self.open_table(game, 2), name)
        self.page.get_by_text(name).first.wait_for()
        self.page.get_by_test_id("start").click()
        self.wait_for_cards()
        guest.wait_for_cards()

    def wait_for_cards(self) -> None:
        self.page.get_by_test_id("question").wait_for(timeout=120_000)

    # -- deciding

    @property
    def is_asked(self) -> bool:
        self.page.wait_for_timeout(10)  # lets the page handle its sockets
        return self.view is not None and bool(self.view["legal"])

    @property
    def is_over(self) -> bool:
        return self.view is not None and bool(self.view["over"])

    def wait_for_turn(self) -> bool:
        """Wait until this player must decide (True) or the game is over (False)."""
        deadline = time.monotonic() + TIMEOUT
        while not self.is_asked:
            if self.is_over:
                return False
            if time.monotonic() > deadline:
                raise TimeoutError(f"nobody asked: {self.page.inner_text('main')[:500]}")
        return True

    def decide(self, times: int) -> bool:
        """Decide so many times; False if the game ends before the next decision."""
        for _ in range(times):
            if not self.wait_for_turn():
                return False
            self.act(choose(self.view or {}))
        return self.wait_for_turn()

    def act(self, action: str) -> None:
        """Select, confirm, and wait until the table has moved on."""
        turn = self.turn
        self.answer(action)
        self.wait_past(turn)

    def answer(self, action: str) -> None:
        """Select and confirm, or play with one tap where that is all it takes."""
        is_played_by_its_button = self.is_in_words  # asked before the view changes
        if not self.is_only(action):
            self.select(action)
        if not is_played_by_its_button:
            self.page.get_by_test_id("confirm").click()

    def is_only(self, action: str) -> bool:
        """It is selected from the start."""
        return self.view is not None and self.view["legal"] == [action]

    @property
    def is_in_words(self) -> bool:
        """Each answer is a button that plays it."""
        legal = self.view["legal"] if self.view is not None else []
        return len(legal) > 1 and not any(" " in action for action in legal)

    def select(self, action: str) -> None:
        for step in self._taps(action):
            self.page.locator(f"{step}:visible").first.click()

    def act_by_keyboard(self, action: str) -> None:
        turn = self.turn
        steps = [] if self.is_only(action) else self._taps(action)
        if not self.is_in_words:
            steps.append("[data-testid=confirm]")
        for step in steps:
            self._tab_to(step)
            self.page.keyboard.press("Enter")
        self.wait_past(turn)

    def one_tap_by_keyboard(self, action: str) -> None:
        """With the setting that one tap plays; tokens to take are still selected and confirmed."""
        turn = self.turn
        steps = self._taps(action)
        # One tap on a card that could be reserved or recruited recruits it.
        for step in steps[:1] if action.startswith("reserve ") else steps:
            self._tab_to(step)
            self.page.keyboard.press("Enter")
        if (
            action.startswith(("take ", "order "))
            and self.page.locator("[data-testid=confirm]:not([aria-disabled], :disabled)").count()
        ):
            self._tab_to("[data-testid=confirm]")
            self.page.keyboard.press("Enter")
        self.wait_past(turn)

    def wait_past(self, turn: int) -> None:
        deadline = time.monotonic() + TIMEOUT
        while time.monotonic() < deadline:
            self.page.wait_for_timeout(20)
            if self.turn > turn:
                return
        raise TimeoutError(f"the table did not move on after {turn}: {self.page.inner_text('main')[:500]}")

    def _tab_to(self, selector: str) -> None:
        # The page counts the stops, so that we need not ask after most presses whether the focus is there.
        for _ in range(self.page.evaluate(STOPS_BEFORE, selector)):
            self.page.keyboard.press("Tab")
        for _ in range(MOST_TABS):
            if self.page.evaluate(IS_FOCUSED, selector):
                return
            self.page.keyboard.press("Tab")
        raise AssertionError(f"{selector} cannot be reached with the Tab key")

    def _taps(self, action: str) -> list[str]:
        """The elements to tap, in order, to select an action."""
        verb, *words = action.split(" ")
        if verb == "take" and not words[0].isdigit():
            return [f"[data-place=bank-{colour}] button" for colour in words]
        if verb == "order":
            return self._order(words)
        if verb == "reserve" and self.view is not None and f"recruit {words[0]}" in self.view["legal"]:
            return [f'[data-action="recruit {words[0]}"]', f'[data-action="{action}"]']
        return [f'[data-action="{action}"]']

    def _order(self, wanted: list[str]) -> list[str]:
        """The buttons that bring three cards from the offered order into the wanted one."""
        assert self.view is not None
        lying = self.view["legal"][0].split(" ")[1:]
        steps = []
        for place, card in enumerate(wanted):
            for at in range(lying.index(card), place, -1):
                steps.append(f"ol li:nth-child({at + 1}) .steps button:first-child")
            lying.remove(card)
            lying.insert(place, card)
        return steps or ["button.keep-order"]
