"""Who wants to be called, where, and when not. One small file for each person, beside the database.

They are no part of a game and go with the identity: a file is removed with it.
"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import msgspec
from msgspec import Struct, field

MOST_BROWSERS = 5
DAY_MINUTES = 24 * 60


class Browser(Struct, frozen=True):
    """A browser's push subscription, with the language of its page."""

    endpoint: str
    p256dh: str
    auth: str
    language: str


class Wishes(Struct):
    browsers: list[Browser] = field(default_factory=list)
    quiet_from: int | None = None  # minutes after midnight
    quiet_to: int | None = None
    utc_offset: int = 0  # minutes to add to UTC for the person's own time

    def is_quiet(self, now: float) -> bool:
        """Whether the person does not want to be called at this moment."""
        if self.quiet_from is None or self.quiet_to is None:
            return False
        minute = (int(now // 60) + self.utc_offset) % DAY_MINUTES
        if self.quiet_from <= self.quiet_to:
            return self.quiet_from <= minute < self.quiet_to
        return minute >= self.quiet_from or minute < self.quiet_to

    def add(self, browser: Browser) -> None:
        """The newest last; the oldest goes when there are too many."""
        kept = [each for each in self.browsers if each.endpoint != browser.endpoint]
        self.browsers = [*kept, browser][-MOST_BROWSERS:]

    def remove(self, endpoint: str) -> None:
        self.browsers = [each for each in self.browsers if each.endpoint != endpoint]


_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(Wishes).decode


class WishBook:
    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def read(self, person: str) -> Wishes:
        try:
            return _decode(self._path(person).read_bytes())
        except (OSError, msgspec.DecodeError):
            return Wishes()

    def write(self, person: str, wishes: Wishes) -> None:
        """Replaces the file as a whole."""
        self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        path = self._path(person)
        new = path.with_suffix(".new")
        handle = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(handle, "wb") as file:
            file.write(_encode(wishes))
        new.replace(path)

    def forget(self, person: str) -> None:
        self._path(person).unlink(missing_ok=True)

    def _path(self, person: str) -> Path:
        return self._folder / f"{hashlib.sha256(person.encode()).hexdigest()[:32]}.json"
