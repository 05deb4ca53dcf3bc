"""The tables of this device as a list shows them."""

from __future__ import annotations

from tavolino.local import hot_seat
from tavolino.local.services import PERSON, LocalServices
from tavolino.server import protocol as p
from tavolino.server.kernel import cards, rows
from tavolino.server.kernel.feature import Features
from tavolino.server.storage.log import StoredRow


def listed(services: LocalServices, features: Features) -> p.MyTables:
    """Those that changed last first."""
    newest_first = sorted(services.storage.rows.values(), key=lambda row: -row.changed)
    return cards.sorted_out([_card(row, services, features) for row in newest_first])


def _card(row: StoredRow, services: LocalServices, features: Features) -> p.TableCard:
    stored = rows.card_of(row)
    person = hot_seat.shown_for(stored.seats(), stored.host, stored.to_act) or PERSON
    return cards.card(row, person, services.people.name_of, set(), features)
