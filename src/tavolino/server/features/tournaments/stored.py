"""What is stored of tournaments. Who has entered, and the tables of a deal, are items of people.

So both are gone with an identity that is deleted. An entry is an item `entry/{tournament}`; a table is an item with
the name of its deal (`daily_deals/shared_deals.py`).
"""

from __future__ import annotations

from typing import NamedTuple

from tavolino.server.features.daily_deals.shared_deals import StoredTry, decode_try
from tavolino.server.storage import Storage

PREFIX, ENTRY = "tournament/", "entry/"
COLUMNS = "id, title, game, seats, deals, at_once, seconds, opens, closes"  # StoredTournament
Tries = dict[str, dict[int, StoredTry]]  # by person, and by the number of the deal


class StoredTournament(NamedTuple):
    """A tournament that an operator has made. All times are seconds since 1970."""

    id: str
    title: str
    game: str
    seats: int
    deals: int
    at_once: int  # tables of one program that run at the same time
    seconds: int  # for a decision
    opens: int  # until then programs and people enter
    closes: int


def deal_of(tournament: str, number: int) -> str:
    """The name of a deal, which its commitment and its seed are bound to. Numbers begin with 1."""
    return f"{PREFIX}{tournament}/{number}"


def number_of(deal: str | None) -> tuple[str, int] | None:
    """The tournament of a table's deal, and the number of the deal; None if it belongs to none."""
    if deal is None or not deal.startswith(PREFIX):
        return None
    _, tournament, number = deal.split("/")
    return tournament, int(number)


class StoredTournaments:
    def __init__(self, storage: Storage) -> None:
        self._storage, self._database = storage, storage.database

    async def add(self, tournament: StoredTournament) -> None:
        query = f"""
            INSERT INTO tournaments ({COLUMNS})
            VALUES (:id, :title, :game, :seats, :deals, :at_once, :seconds, :opens, :closes) ON CONFLICT DO NOTHING"""
        await self._database.rows(query, **tournament._asdict())

    async def get(self, tournament: str) -> StoredTournament | None:
        query = f"SELECT {COLUMNS} FROM tournaments WHERE id = :tournament"
        found = await self._database.first(query, tournament=tournament)
        return None if found is None else StoredTournament(*found)

    async def all(self) -> list[StoredTournament]:
        """The newest first."""
        found = await self._database.rows(f"SELECT {COLUMNS} FROM tournaments ORDER BY opens DESC, id")
        return [StoredTournament(*each) for each in found]

    async def enter(self, tournament: str, person: str) -> None:
        await self._storage.keep_item(person, ENTRY + tournament, b"{}")

    async def entrants(self, tournament: str) -> list[str]:
        return sorted(await self._storage.items_called(ENTRY + tournament))

    async def has_entered(self, tournament: str, person: str) -> bool:
        return bool(await self._storage.items(person, ENTRY + tournament))

    async def has_begun(self, tournament: str) -> bool:
        """Whether somebody has a table: everybody begins with the first deal."""
        return bool(await self._storage.items_called(deal_of(tournament, 1)))

    async def tries_of(self, tournament: str, person: str) -> dict[int, StoredTry]:
        """The tables of a person, by the number of the deal."""
        found = await self._storage.items(person, deal_of(tournament, 0)[:-1])
        return {int(name.rpartition("/")[2]): decode_try(content) for name, content in sorted(found.items())}

    async def tries(self, tournament: str) -> Tries:
        return {person: await self.tries_of(tournament, person) for person in await self.entrants(tournament)}

    async def is_open_deal(self, tournament: StoredTournament, number: int) -> bool:
        """Whether an entrant may still play a deal: then nothing of it may be shown."""
        entrants = await self.entrants(tournament.id)
        tries = await self._storage.items_called(deal_of(tournament.id, number))
        return not entrants or not all(each in tries and decode_try(tries[each]).score is not None for each in entrants)
