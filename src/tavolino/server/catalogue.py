"""The texts for the browser: all games' catalogues and the server's own, in one answer with an ETag."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

import msgspec

from tavolino.engine.game import Game
from tavolino.engine.messages import LANGUAGES
from tavolino.engine.texts import catalogue, read_texts
from tavolino.server.problems import Refused

OWN = Path(__file__).parent


@cache
def texts(games: tuple[Game, ...], language: str) -> tuple[bytes, str]:
    """The merged catalogue as JSON, and its ETag."""
    if language not in LANGUAGES:
        raise Refused("no-such-language")
    merged = catalogue(games, language)
    merged |= {f"server.{key}": message for key, message in read_texts(OWN, language).items()}
    body = msgspec.json.encode(merged, order="sorted")
    return body, f'"{hashlib.sha256(body).hexdigest()[:32]}"'
