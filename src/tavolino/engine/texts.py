"""The catalogues: every sentence for players, in every language.

Each game keeps its texts in its own folder, one file for each language with the same keys. What all games share
(refusals that know no game, joining words) lies beside this module.
"""

import json
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Protocol

from tavolino.engine.messages import LANGUAGES, fill

SHARED = Path(__file__).parent
SOURCE_LANGUAGE = "en"  # every game has it; the other languages may lag behind
TERMINAL = "terminal."  # what the keys of a drawing's texts begin with


class HasTexts(Protocol):
    @property
    def name(self) -> str: ...

    @property
    def folder(self) -> Path: ...


@cache
def read_texts(folder: Path, language: str) -> Mapping[str, str]:
    """The messages of one folder in one language, by key. What a language lacks is there in English."""
    if language not in LANGUAGES:
        raise ValueError(f"There is no language {language!r}; there are: {', '.join(LANGUAGES)}.")
    path = folder / "texts" / f"{language}.json"
    if language == SOURCE_LANGUAGE:
        texts: dict[str, str] = json.loads(path.read_text("utf-8"))
        return texts
    english = read_texts(folder, SOURCE_LANGUAGE)
    return {**english, **json.loads(path.read_text("utf-8"))} if path.exists() else english


def catalogue(games: Sequence[HasTexts], language: str) -> dict[str, str]:
    """All messages of the games in one language: `GAME.card.…`, and `common.…` for what they share.

    Those of the terminal's drawings are left out: no client needs them.
    """
    merged = {f"common.{key}": message for key, message in read_texts(SHARED, language).items()}
    for game in games:
        for key, message in read_texts(game.folder, language).items():
            if not key.startswith(TERMINAL):
                merged[f"{game.name}.{key}"] = message
    return merged


class Speaker:
    """Says things about one game in one language, to one viewer, with names for the seats."""

    def __init__(self, game: HasTexts, language: str = "en", names: Sequence[str] = (), viewer: int | None = None):
        self.language = language
        self.viewer = viewer
        self._names = names
        self._texts = read_texts(game.folder, language)
        self._shared = read_texts(SHARED, language)

    def find(self, key: str) -> str | None:
        """The message of a key; names of seats are keys too."""
        if key.startswith("seat.") and key[5:].isdigit():
            seat = int(key[5:])
            return self._names[seat] if seat < len(self._names) else self.say("seat", {"n": seat + 1})
        message = self._texts.get(key)
        return message if message is not None else self._shared.get(key)

    def say(self, key: str, params: Mapping[str, Any] | None = None) -> str:
        """The sentence of a key; a key that does not exist is an error, for tests to find."""
        message = self.find(key)
        if message is None:
            raise KeyError(f"No message {key!r} in {self.language}.")
        return fill(message, params or {}, self.language, self.find)

    def tell(self, event: Mapping[str, Any]) -> str:
        """An event as a sentence. A kind has variants: by who reads (`.you`: the deed is yours, `.me`: done to you),
        and by the event's `how`; the most special one that exists is said."""
        key = f"event.{event['kind']}"
        if f"{key}.{event.get('how')}" in self._texts:
            key = f"{key}.{event['how']}"
        readers = []
        if self.viewer is not None and event.get("seat") == self.viewer:
            readers.append(".you")
        if self.viewer is not None and event.get("target") == self.viewer:
            readers.append(".me")
        for suffix in (*readers, ""):
            if f"{key}{suffix}" in self._texts:
                return self.say(f"{key}{suffix}", event)
        raise KeyError(f"No message {key!r} in {self.language}.")


def sentence(game: HasTexts, key: str, params: Mapping[str, Any] | None = None, language: str = "en") -> str:
    """One sentence about a game, with seats by number."""
    return Speaker(game, language).say(key, params)
