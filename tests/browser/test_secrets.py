"""The page reveals no hidden card, neither in the document nor on its sockets, and runs no script in names."""

from __future__ import annotations

import json
from collections.abc import Callable

import tavolino
from tavolino.engine.texts import read_texts
from tests.browser.player import Player
from tests.browser.strategy import choose

EVERYTHING = """() => [
    document.documentElement.outerHTML,
    document.title,
    ...performance.getEntriesByType('resource').map(entry => entry.name),
].join('\\n')"""


def test_threat_10_a_spectator_is_shown_no_hidden_card(visitor: Callable[..., Player]) -> None:
    names = read_texts(tavolino.load("infinity-gauntlet").folder, "en")
    player, spectator = visitor(), visitor()
    player.play_now("infinity-gauntlet")
    spectator.page.goto(player.page.url)
    spectator.wait_for_cards()
    secrets_tried = 0
    for _ in range(12):
        if not player.wait_for_turn():
            break
        view = player.view or {}
        hand = view["seats"][view["seat"]]["hand"]
        spectator.page.wait_for_timeout(300)
        open_to_all = json.dumps(spectator.view) + "".join(
            json.dumps(json.loads(frame).get("lines")) for frame in spectator.frames
        )
        shown = spectator.page.evaluate(EVERYTHING)
        for card in hand:
            if f'"{card}"' in open_to_all or card == "thanos":
                continue  # seen before and drawn again; `thanos` is also the role of a seat
            secrets_tried += 1
            assert not any(f'"{card}"' in frame for frame in spectator.frames), card
            assert names[f"card.{card}"] not in shown, card
            assert f'"{card}"' not in shown, card
        player.act(choose(view))
    assert secrets_tried > 0


def test_threat_16_script_in_names_and_talk_is_shown_as_text(visitor: Callable[..., Player]) -> None:
    attack = "<img src=x onerror=alert(1)>"
    host, guest = visitor(), visitor()
    host.start_with(guest, attack[:24], "mantis")
    guest.page.get_by_role("tab", name="Chat").click()
    guest.page.locator("#say").fill(attack)
    guest.page.locator("#say").press("Enter")
    host.page.get_by_role("tab", name="Chat").click()
    host.page.locator("li", has_text=attack).first.wait_for()
    for player in (host, guest):
        assert player.page.locator("img").count() == 0
