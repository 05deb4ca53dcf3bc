"""The finished games of a person, from the rows of their tables and what features add to them."""

from __future__ import annotations

from tavolino.server import protocol as p
from tavolino.server.people.figures import figures
from tavolino.server.people.identities import Person
from tavolino.server.tables.listings import Listings
from tavolino.server.tables.registry import Registry

MOST = 500  # of the newest tables


class History:
    def __init__(self, registry: Registry) -> None:
        self._registry = registry

    async def of(self, person: Person) -> p.Profile:
        cards = await Listings(self._registry).finished(person, MOST)
        games = [self._played(card) for card in cards]
        profile = p.Profile([], games, [])
        for show_profile in self._registry.features.show_profile:
            await show_profile(profile, person.id)
        names = sorted({each.game for each in games})
        profile.figures = [figures(name, [each for each in games if each.game == name]) for name in names]
        return profile

    def _played(self, card: p.TableCard) -> p.PlayedGame:
        ending, seat = card.ending, card.your_seat
        assert ending is not None
        assert seat is not None
        return p.PlayedGame(
            table=card.id,
            game=card.game,
            ended=card.changed,
            players=len(card.seats),
            people=sum(each.kind == "person" for each in card.seats if each.seat != seat),
            against=[each.name if each.kind == "person" else None for each in card.seats if each.seat != seat],
            how=ending.how,
            won=seat in ending.winners,
            given_away=None,
            decisions=None,
        )
