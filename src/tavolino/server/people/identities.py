"""Identities without accounts: a person is an opaque token, and only its hash is stored."""

from __future__ import annotations

import hashlib
import secrets
from collections import OrderedDict
from collections.abc import Callable
from typing import NamedTuple

from msgspec import Struct

from tavolino.server.clock import Clock
from tavolino.server.errors import Refused
from tavolino.server.people.text_policy import clean_name
from tavolino.server.programs import is_program, new_person_id
from tavolino.server.storage import Storage, StoredToken

RETURN_SECONDS = 15 * 60
MOST_CODES = 5  # of one person that can be used
REMEMBERED = 50_000
AT_ONCE = 1_000  # names in one query
CHECK_SECONDS = 60  # then a cached token is looked up again, because another server may have signed it out
NOTE_SECONDS = 3_600  # the precision with which the last use of a token is stored
DISUSE_DAYS = 180  # of witnessed time (decision 040) after which a token no longer works


class Person(Struct, frozen=True):
    id: str
    name: str

    @property
    def is_program(self) -> bool:
        return is_program(self.id)


def hashed(token: str) -> bytes:
    """Tokens have 256 random bits, so a plain hash cannot be inverted; a slow one is not needed."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).digest()


def _device_id(token: StoredToken) -> str:
    """A name for a token that reveals nothing about it."""
    return hashlib.sha256(token.hash).hexdigest()[:16]


class Device(NamedTuple):
    """One token of a person, as its owner may see it."""

    id: str
    made: int
    used: int
    is_this: bool


class _Remembered(Struct):
    person: Person
    checked: float  # in uptime
    noted: float  # in uptime: when its use was last stored


class People:
    """Identities, with a cache. Lookups compare hashes and never the token itself, so their timing reveals nothing."""

    def __init__(
        self, storage: Storage, clock: Clock, tell_others: Callable[[str, bool], None] = lambda person, is_out: None
    ) -> None:
        """`tell_others` tells other nodes that their cached data of a person is out of date; with True, also that a
        token of the person no longer works."""
        self._storage = storage
        self._tell_others = tell_others
        self._clock = clock
        self._remembered: OrderedDict[bytes, _Remembered] = OrderedDict()
        self._names: OrderedDict[str, str | None] = OrderedDict()  # None: deleted

    async def add(self, name: str, is_program: bool = False) -> tuple[Person, str]:
        """Make an identity. Its token is returned once and cannot be read again."""
        person = Person(new_person_id(is_program), clean_name(name))
        token, now = secrets.token_urlsafe(32), self._clock.now()
        await self._storage.add_person(person.id, person.name, hashed(token), int(now.wall), int(now.witnessed))
        self._remember(hashed(token), person, noted=now.up)
        return person, token

    async def recognise(self, token: str | None) -> Person | None:
        if not token or len(token) > 100:
            return None
        key, up = hashed(token), self._clock.up()
        known = self._remembered.get(key)
        if known is None or up - known.checked >= CHECK_SECONDS:
            found = await self._storage.person_of(key, self._unused_since())
            if found is None:
                self._remembered.pop(key, None)
                return None
            known = self._remember(key, Person(*found), noted=known.noted if known else -NOTE_SECONDS)
        if up - known.noted >= NOTE_SECONDS:
            known.noted = up
            now = self._clock.now()
            await self._storage.use_token(key, int(now.wall), int(now.witnessed))
        return known.person

    async def devices(self, person: Person, token: str | None) -> list[Device]:
        """Where somebody is signed in. `token` is the one that asks."""
        this = hashed(token or "")
        found = await self._storage.tokens_of(person.id)
        return [Device(_device_id(each), each.made, each.used, each.hash == this) for each in found]

    async def sign_out(self, person: Person, token: str | None, device: str | None = None) -> bool:
        """End one device's access, or that of all but the one that asks; False if there is no such device."""
        this = hashed(token or "")
        out = [
            each.hash
            for each in await self._storage.tokens_of(person.id)
            if (each.hash != this if device is None else _device_id(each) == device)
        ]
        await self._storage.remove_tokens(out)
        if device is None:
            await self._storage.remove_return_codes(person.id)
        for key in out:
            self._remembered.pop(key, None)
        self._tell_others(person.id, True)
        return bool(out)

    async def remove_unused_tokens(self, limit: int) -> int:
        """Those that nobody has used for `DISUSE_DAYS`, and that no longer work. Names stay, as those of people who
        come no more."""
        return await self._storage.remove_unused_tokens(self._unused_since(), limit)

    def _unused_since(self) -> int:
        return int(self._clock.witnessed()) - DISUSE_DAYS * 86_400

    async def rename(self, person: Person, name: str) -> Person:
        renamed = Person(person.id, clean_name(name))
        await self._storage.rename(person.id, renamed.name)
        for known in self._remembered.values():
            if known.person.id == person.id:
                known.person = renamed
        self._name(person.id, renamed.name)
        self._tell_others(person.id, False)
        return renamed

    async def rename_later(self, person: Person, name: str) -> str:
        """Keep a new name until `take_on_name`; says which."""
        cleaned = clean_name(name)
        await self._storage.keep_new_name(person.id, cleaned)
        return cleaned

    async def waiting_name(self, person: Person) -> str | None:
        return (await self._storage.new_names([person.id])).get(person.id)

    async def learn_name_again(self, person: str) -> bool:
        """Another server has changed this name, or signed a device out; False if the identity is deleted."""
        self._drop_tokens(person)
        name = (await self._storage.names([person])).get(person)
        self._drop_tokens(person)  # those that were looked up meanwhile
        self._name(person, name)
        return name is not None

    async def learn_all_names_again(self) -> None:
        """Other nodes may have changed names without our hearing of it."""
        known = list(self._names)
        for first in range(0, len(known), AT_ONCE):
            people = known[first : first + AT_ONCE]
            found = await self._storage.names(people)
            for person in people:
                self._name(person, found.get(person))

    async def forget(self, person: Person) -> None:
        await self._storage.forget(person.id)
        self._drop_tokens(person.id)
        self._name(person.id, None)
        self._tell_others(person.id, True)

    def _drop_tokens(self, person: str) -> None:
        for key in [key for key, known in self._remembered.items() if known.person.id == person]:
            del self._remembered[key]

    async def make_return_code(self, person: Person) -> str:
        code = secrets.token_urlsafe(24)
        expires = int(self._clock.up()) + RETURN_SECONDS
        await self._storage.add_return_code(hashed(code), person.id, expires, MOST_CODES)
        return code

    async def come_back(self, code: str) -> tuple[Person, str]:
        """The identity of a return code, with a new token. A code works once."""
        person_id = await self._storage.use_return_code(hashed(code), int(self._clock.up()))
        if person_id is None:
            raise Refused("bad-return-code")
        token, now = secrets.token_urlsafe(32), self._clock.now()
        await self._storage.add_token(person_id, hashed(token), int(now.wall), int(now.witnessed))
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

    def _remember(self, key: bytes, person: Person, noted: float) -> _Remembered:
        known = self._remembered[key] = _Remembered(person, self._clock.up(), noted)
        self._name(person.id, person.name)
        while len(self._remembered) > REMEMBERED:
            self._remembered.popitem(last=False)
        return known

    def _name(self, person: str, name: str | None) -> None:
        self._names[person] = name
        while len(self._names) > REMEMBERED:
            self._names.popitem(last=False)
