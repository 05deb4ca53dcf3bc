"""The texts for the browser: all games' catalogues and the server's own, in one answer."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import msgspec

from tavolino.engine.game import Game
from tavolino.engine.messages import LANGUAGES
from tavolino.engine.texts import catalogue, read_texts
from tavolino.server.errors import Refused
from tavolino.server.http.static import Served, served

OWN = Path(__file__).parents[1]  # where the server's texts/ lies


@cache
def texts(games: tuple[Game, ...], language: str) -> Served:
    """The merged catalogue as JSON."""
    if language not in LANGUAGES:
        raise Refused("no-such-language")
    merged = catalogue(games, language)
    merged |= {f"server.{key}": message for key, message in read_texts(OWN, language).items()}
    return served(msgspec.json.encode(merged, order="sorted"), "application/json")
