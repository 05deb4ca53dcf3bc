"""Identities without accounts: a person is an opaque token, and only its hash is stored."""

from __future__ import annotations

import hashlib
import secrets
from collections import OrderedDict
from collections.abc import Callable

from msgspec import Struct

from tavolino.server.errors import Refused
from tavolino.server.people.text_policy import clean_name
from tavolino.server.storage import Storage

RETURN_SECONDS = 15 * 60
REMEMBERED = 50_000


class Person(Struct, frozen=True):
    id: str
    name: str


def hashed(token: str) -> bytes:
    """Tokens have 256 random bits, so a plain hash cannot be inverted; a slow one is not needed."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).digest()


class People:
    """Identities, with a cache. Lookups compare hashes and never the token itself, so their timing reveals nothing."""

    def __init__(self, storage: Storage, now: Callable[[], float]) -> None:
        self._storage = storage
        self._now = now
        self._remembered: OrderedDict[bytes, Person] = OrderedDict()
        self._names: OrderedDict[str, str | None] = OrderedDict()  # None: deleted

    async def arrive(self, name: str) -> tuple[Person, str]:
        """Make an identity. Its token is returned once and cannot be read again."""
        person = Person(secrets.token_urlsafe(16), clean_name(name))
        token = secrets.token_urlsafe(32)
        await self._storage.add_person(person.id, person.name, hashed(token), int(self._now()))
        self._remember(hashed(token), person)
        return person, token

    async def recognise(self, token: str | None) -> Person | None:
        if not token or len(token) > 100:
            return None
        key = hashed(token)
        known = self._remembered.get(key)
        if known is None:
            found = await self._storage.person_of(key)
            if found is None:
                return None
            known = Person(*found)
            self._remember(key, known)
        return known

    async def rename(self, person: Person, name: str) -> Person:
        renamed = Person(person.id, clean_name(name))
        await self._storage.rename(person.id, renamed.name)
        for key, known in self._remembered.items():
            if known.id == person.id:
                self._remembered[key] = renamed
        self._name(person.id, renamed.name)
        return renamed

    async def learn_name_again(self, person: str) -> None:
        """Another server has changed this name."""
        name = (await self._storage.names([person])).get(person)
        for key, known in list(self._remembered.items()):
            if known.id == person:
                if name is None:
                    del self._remembered[key]
                else:
                    self._remembered[key] = Person(person, name)
        self._name(person, name)

    async def forget(self, person: Person) -> None:
        await self._storage.forget(person.id)
        for key in [key for key, known in self._remembered.items() if known.id == person.id]:
            del self._remembered[key]
        self._name(person.id, None)

    async def make_return_code(self, person: Person) -> str:
        code = secrets.token_urlsafe(24)
        await self._storage.add_return_code(hashed(code), person.id, int(self._now()) + RETURN_SECONDS)
        return code

    async def come_back(self, code: str) -> tuple[Person, str]:
        """The identity of a return code, with a new token. A code works once."""
        person_id = await self._storage.use_return_code(hashed(code), int(self._now()))
        if person_id is None:
            raise Refused("bad-return-code")
        token = secrets.token_urlsafe(32)
        await self._storage.add_token(person_id, hashed(token), int(self._now()))
        person = await self.recognise(token)
        if person is None:  # deleted in the meantime
            raise Refused("bad-return-code")
        return person, token

    async def learn_names(self, people: list[str]) -> None:
        """Load the names of these people for `name_of`."""
        unknown = [person for person in people if person not in self._names]
        if unknown:
            found = await self._storage.names(unknown)
            for person in unknown:
                self._name(person, found.get(person))

    def name_of(self, person: str) -> str | None:
        """None for a deleted identity."""
        return self._names.get(person)

    def _remember(self, key: bytes, person: Person) -> None:
        self._remembered[key] = person
        self._name(person.id, person.name)
        while len(self._remembered) > REMEMBERED:
            self._remembered.popitem(last=False)

    def _name(self, person: str, name: str | None) -> None:
        self._names[person] = name
        while len(self._names) > REMEMBERED:
            self._names.popitem(last=False)
