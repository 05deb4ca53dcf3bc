"""The finished games of a person, from the rows of their tables and what reviews have said of them."""

from __future__ import annotations

from tavolino.server import protocol as p
from tavolino.server.people.figures import figures
from tavolino.server.people.identities import Person
from tavolino.server.tables.listings import Listings
from tavolino.server.tables.registry import Registry

MOST = 500  # of the newest tables


class History:
    def __init__(self, registry: Registry) -> None:
        self._registry, self._context = registry, registry.context

    async def of(self, person: Person) -> p.Profile:
        cards = await Listings(self._registry).finished(person, MOST)
        reviewed = await self._context.practice.reviewed(person.id)
        games = [self._played(card, reviewed.get(card.id)) for card in cards]
        names = sorted({each.game for each in games})
        return p.Profile(
            [figures(name, [each for each in games if each.game == name]) for name in names],
            games,
            await self._context.ratings.history(person.id),
        )

    def _played(self, card: p.TableCard, review: tuple[float, int] | None) -> p.PlayedGame:
        ending, seat = card.ending, card.your_seat
        assert ending is not None
        assert seat is not None
        given_away, decisions = review or (None, None)
        return p.PlayedGame(
            table=card.id,
            game=card.game,
            ended=card.changed,
            players=len(card.seats),
            people=sum(each.kind == "person" for each in card.seats if each.seat != seat),
            against=[each.name if each.kind == "person" else None for each in card.seats if each.seat != seat],
            how=ending.how,
            won=seat in ending.winners,
            given_away=given_away,
            decisions=decisions,
        )
