"""What a table needs from outside. A server has it (`server/context.py`); so has anything else that runs tables."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any, Protocol

from tavolino.engine.match import Match
from tavolino.server import protocol as p
from tavolino.server.clock import Clock
from tavolino.server.peers import Peers
from tavolino.server.settings import ServerSettings
from tavolino.server.storage.log import Log


class Games(Protocol):
    """Whether the rules of games are compiled here."""

    def is_ready(self, name: str) -> bool: ...

    def has_worlds(self, name: str) -> bool: ...

    def readiness(self, name: str) -> p.Readiness: ...


class Names(Protocol):
    """The names of people."""

    def name_of(self, person: str) -> str | None: ...

    def learn_names(self, people: list[str]) -> Coroutine[Any, Any, None]: ...


class Bots(Protocol):
    def choose(self, match: Match, seat: int, level: p.Level) -> Coroutine[Any, Any, str]: ...


class Services(Protocol):
    @property
    def settings(self) -> ServerSettings: ...

    @property
    def storage(self) -> Log: ...

    @property
    def others(self) -> Peers: ...

    @property
    def people(self) -> Names: ...

    @property
    def library(self) -> Games: ...

    @property
    def bots(self) -> Bots: ...

    @property
    def metrics(self) -> Any: ...

    @property
    def log(self) -> Any: ...

    @property
    def clock(self) -> Clock: ...

    @property
    def encode(self) -> Callable[[p.News], bytes]: ...
