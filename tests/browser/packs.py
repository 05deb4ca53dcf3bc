"""The offline pack for tests in a browser, and what its worker tells the page."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from tavolino.engine.cache_folder import cache_root
from tavolino.offline.building import build
from tests.browser.player import Player

# Passes what the worker tells the page on to the test.
OVERHEAR = """
  const Native = Worker
  window.Worker = class extends Native {
    constructor(...given) {
      super(...given)
      this.addEventListener('message', ({ data }) => data.type === 'heard' && window.overheard(data.text))
    }
  }
"""


@cache
def pack(game: str) -> Path:
    """A folder with a pack of one game, for the sources as they are."""
    folder = cache_root() / "packs" / f"browser-{game}"
    build(folder, [game], is_compressed=False)
    return folder


def overhear(player: Player) -> None:
    player.page.expose_function("overheard", player._on_message)
    player.page.add_init_script(OVERHEAR)
