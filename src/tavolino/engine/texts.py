"""The message catalogues: every sentence for players, in every language.

Each game has its texts in its own folder, one file for each language with the same keys. The texts that all games
share (generic refusals, the words that join lists) are in `texts/` beside this module.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Protocol

from tavolino.engine.languages import SOURCE_LANGUAGE, languages, read_part
from tavolino.engine.messages import fill, parameters

SHARED = Path(__file__).parent
TERMINAL = "terminal."  # the prefix of the keys of a drawing's texts


class HasTexts(Protocol):
    @property
    def name(self) -> str: ...

    @property
    def folder(self) -> Path: ...


@cache
def read_texts(folder: Path, language: str) -> Mapping[str, str]:
    """The messages of one folder in one language, by key. Missing ones are in English."""
    if language not in languages():
        raise ValueError(f"There is no language {language!r}. Languages: {', '.join(languages())}.")
    own = _own_texts(folder, language)
    return own if language == SOURCE_LANGUAGE else {**read_texts(folder, SOURCE_LANGUAGE), **own}


def _own_texts(folder: Path, language: str) -> dict[str, str]:
    """The messages that a language has for a folder: in the file there, or in the language's own folder."""
    path = folder / "texts" / f"{language}.json"
    beside: dict[str, str] = json.loads(path.read_text("utf-8")) if path.is_file() else {}
    return {**beside, **read_part(language, folder.name.replace("_", "-"))}


def percent_translated(folders: Iterable[Path], language: str) -> int:
    """The share of these folders' texts that a language has, in whole percent; 100 only if nothing is missing."""
    total = translated = 0
    for folder in folders:
        wanted = read_texts(folder, SOURCE_LANGUAGE).keys()
        total += len(wanted)
        translated += len(wanted & _own_texts(folder, language).keys())
    return 100 * translated // total


def catalogue(games: Sequence[HasTexts], language: str) -> dict[str, str]:
    """All messages of the games in one language: `GAME.card.…`, and `common.…` for the shared ones.

    The texts of the terminal's drawings are left out: no client needs them.
    """
    merged = {f"common.{key}": message for key, message in read_texts(SHARED, language).items()}
    for game in games:
        for key, message in read_texts(game.folder, language).items():
            if not key.startswith(TERMINAL):
                merged[f"{game.name}.{key}"] = message
    return merged


class Speaker:
    """Builds the sentences about one game in one language, for one viewer, with names for the seats."""

    def __init__(self, game: HasTexts, language: str = "en", names: Sequence[str] = (), viewer: int | None = None):
        self.language = language
        self.viewer = viewer
        self._names = names
        self._texts = read_texts(game.folder, language)
        self._shared = read_texts(SHARED, language)

    def find(self, key: str) -> str | None:
        """The message of a key, or None; names of seats are keys too."""
        if key.startswith("seat.") and key[5:].isdigit():
            seat = int(key[5:])
            return self._names[seat] if seat < len(self._names) else self.say("seat", {"n": seat + 1})
        message = self._texts.get(key)
        return message if message is not None else self._shared.get(key)

    def say(self, key: str, params: Mapping[str, Any] | None = None) -> str:
        """The sentence of a key; KeyError if it does not exist, which tests would find."""
        message = self.find(key)
        if message is None:
            raise KeyError(f"No message {key!r} in {self.language}.")
        return fill(message, params or {}, self.language, self.find)

    def tell(self, event: Mapping[str, Any]) -> str:
        """An event as a sentence. A kind has variants by the event's `how` and by the reader; the most specific one
        that exists is used:

        .you.self   the reader did it to themselves
        .you    the reader did it, or is among the winners
        .me     it was done to the reader
        .self   somebody did it to themselves
        .open   the reader sees all cards; used only if the event has everything that the sentence names
        """
        return self.say(self._key_of(event), event)

    def tells_openly(self, event: Mapping[str, Any]) -> bool:
        """Whether the sentence of this event is the one for those who see all cards."""
        return self._key_of(event).endswith(".open")

    def _key_of(self, event: Mapping[str, Any]) -> str:
        key = f"event.{event['kind']}"
        if f"{key}.{event.get('how')}" in self._texts:
            key = f"{key}.{event['how']}"
        for suffix in (*self._readers(event), ""):
            message = self._texts.get(key + suffix)
            if message is not None and (suffix != ".open" or _has_all_of(event, message)):
                return key + suffix
        raise KeyError(f"No message {key!r} in {self.language}.")

    def _readers(self, event: Mapping[str, Any]) -> Iterator[str]:
        seat, target = event.get("seat"), event.get("target")
        if self.viewer is None:
            yield ".open"
        elif seat == target == self.viewer:
            yield from (".you.self", ".you")
        elif seat == self.viewer or self.viewer in event.get("winners", ()):
            yield ".you"
        if seat is not None and seat == target:
            yield ".self"
        if self.viewer is not None and target == self.viewer:
            yield ".me"

    def ask(self, prompt: Mapping[str, Any]) -> str:
        """The prompt, with variants for the player who is asked, the player it is about, and others."""
        key = f"prompt.{prompt['key']}"
        if self.viewer is not None and prompt.get("seat") == self.viewer:
            return self.say(key, prompt)
        if self.viewer is not None and prompt.get("target") == self.viewer and f"{key}.me" in self._texts:
            return self.say(f"{key}.me", prompt)
        return self.say(f"{key}.other", prompt)

    def label(self, verb: str, params: Mapping[str, Any]) -> str:
        """An action as it is offered; `.self` is the variant for an action whose target is the reader."""
        key = f"action.{verb}"
        is_own = self.viewer is not None and params.get("target") == self.viewer and f"{key}.self" in self._texts
        return self.say(f"{key}.self" if is_own else key, params)

    def verdict(self, outcome: Mapping[str, Any]) -> str:
        """Who has won."""
        winners = outcome["winners"]
        who = ".nobody" if not winners else ".you" if self.viewer in winners else ""
        return self.say(f"verdict{who}", {"winners": list(winners)})

    def reason(self, outcome: Mapping[str, Any]) -> str:
        """Why the game is over; winners may get a different sentence (`.you`)."""
        key = f"outcome.{outcome['reason']}"
        own = f"{key}.you" if self.viewer in outcome["winners"] and f"{key}.you" in self._texts else key
        return self.say(own, {**outcome, "winners": list(outcome["winners"])})


def _has_all_of(event: Mapping[str, Any], message: str) -> bool:
    return all(event.get(name.partition(":")[0]) is not None for name in parameters(message))


def sentence(game: HasTexts, key: str, params: Mapping[str, Any] | None = None, language: str = "en") -> str:
    """One sentence about a game, with seats by number."""
    return Speaker(game, language).say(key, params)
