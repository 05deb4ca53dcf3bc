"""Circles: friends keep their results together, by a link and without accounts (decision 089).

A finished game counts in every circle that all its people are in (`features/ratings/results.py`). Anyone who has the
link may join; only members see more than the name.
"""

from __future__ import annotations

import hashlib
from itertools import groupby

from tavolino.server.context import Context
from tavolino.server.errors import Refused
from tavolino.server.features.circles import protocol as m
from tavolino.server.features.circles.stored import StoredCircle, StoredCircles, StoredMember
from tavolino.server.features.ratings.stored import StoredResult
from tavolino.server.kernel.tables import new_id
from tavolino.server.people.identities import Person
from tavolino.server.people.text_policy import clean_name
from tavolino.server.storage import Storage
from tavolino.server.tables.registry import TABLE_ID

MOST_CIRCLES = 10  # of one person
MOST_MEMBERS = 50
MOST_RESULTS = 200  # of people, in the list of the newest games
SHOWN_GAMES = 30


class Circles:
    def __init__(self, context: Context) -> None:
        self._context, self._stored = context, StoredCircles(context.storage)

    async def of(self, person: Person) -> list[m.CircleCard]:
        found = []
        for circle in await self._stored.circles_of(person.id):
            found.append(m.CircleCard(circle.id, circle.name, len(await self._members(circle.id))))
        return found

    async def make(self, person: Person, name: str) -> m.Circle:
        self._context.limits.changes.take(person.id)
        circle = StoredCircle(new_id(), clean_name(name))
        if not await self._stored.add_circle(circle, person.id, self._now, MOST_CIRCLES):
            raise Refused("too-many-circles", {"most": MOST_CIRCLES})
        return await self.show(circle.id, person.id)

    async def join(self, circle: str, person: Person) -> m.Circle:
        self._context.limits.changes.take(person.id)
        await self._get(circle)
        if any(each.person == person.id and each.role == "out" for each in await self._stored.circle_members(circle)):
            raise Refused("out-of-circle")
        if not await self._stored.join_circle(circle, person.id, self._now, MOST_CIRCLES, MOST_MEMBERS):
            is_full = len(await self._members(circle)) >= MOST_MEMBERS
            raise Refused("circle-full") if is_full else Refused("too-many-circles", {"most": MOST_CIRCLES})
        return await self.show(circle, person.id)

    async def remove(self, circle: str, person: Person, member: str) -> None:
        """Leave, or remove somebody else: only the owner can."""
        self._context.limits.changes.take(person.id)
        members = await self.check_member(circle, person.id)
        removed = next((each.person for each in members if member_id(circle, each.person) == member), None)
        if removed is None:
            raise Refused("not-in-circle")
        if removed == person.id:
            await self._stored.leave_circle(circle, removed)
        elif person.id == _owner(members):
            await self._stored.remove_from_circle(circle, removed)
        else:
            raise Refused("not-owner")

    async def show(self, circle: str, person: str | None) -> m.Circle:
        stored = await self._get(circle)
        members = await self._members(circle)
        is_in = person is not None and any(each.person == person for each in members)
        shown = m.Circle(stored.id, stored.name, is_in, len(members), [], [], [])
        if is_in:
            await self._context.people.learn_names([each.person for each in members])
            owner = _owner(members)
            shown.members = [
                m.CircleMember(
                    id=member_id(circle, each.person),
                    name=self._context.people.name_of(each.person) or "",
                    owner=each.person == owner,
                    you=each.person == person,
                )
                for each in members
            ]
            shown.games = await self._games(circle)
            shown.results = _results(await self._stored.circle_results(circle, MOST_RESULTS), person)
        return shown

    async def check_member(self, circle: str, person: str) -> list[StoredMember]:
        """The members, if this person is one of them."""
        await self._get(circle)
        members = await self._members(circle)
        if all(each.person != person for each in members):
            raise Refused("not-in-circle")
        return members

    async def _get(self, circle: str) -> StoredCircle:
        found = await self._stored.circle(circle) if TABLE_ID.fullmatch(circle) else None
        if found is None:
            raise Refused("no-such-circle")
        return found

    async def _members(self, circle: str) -> list[StoredMember]:
        return [each for each in await self._stored.circle_members(circle) if each.role != "out"]

    async def _games(self, circle: str) -> list[m.CircleGame]:
        rows = sorted(await self._stored.circle_standings(circle), key=lambda row: (row[0], -row[3], row[2], row[1]))
        return [
            m.CircleGame(
                game,
                [m.CircleStanding(member_id(circle, person), games, wins) for _, person, games, wins in standings],
            )
            for game, standings in groupby(rows, lambda row: row[0])
        ]

    @property
    def _now(self) -> int:
        """In milliseconds: it is the order in which members came."""
        return int(1000 * self._context.clock.wall())


async def leave_all(storage: Storage, person: str) -> None:
    """Before an identity is deleted: a circle always has an owner."""
    stored = StoredCircles(storage)
    for circle in await stored.circles_of(person):
        await stored.leave_circle(circle.id, person)


def _owner(members: list[StoredMember]) -> str | None:
    """The owner; the oldest member if the owner is no longer a member."""
    owners = [each for each in members if each.role == "owner"] or members
    return owners[0].person if owners else None


def _results(found: list[StoredResult], person: str | None) -> list[m.CircleResult]:
    by_table = [list(rows) for _, rows in groupby(found, lambda row: row.table)]
    return [
        m.CircleResult(
            game=rows[0].game,
            ended=rows[0].ended,
            players=[m.CirclePlayer(member_id(row.circle, row.person), row.won) for row in rows],
            table=rows[0].table if any(row.person == person for row in rows) else None,
        )
        for rows in by_table[:SHOWN_GAMES]
    ]


def member_id(circle: str, person: str) -> str:
    """A name for a member that reveals nothing about the person and differs in every circle."""
    return hashlib.sha256(f"{circle}\n{person}".encode()).hexdigest()[:16]
