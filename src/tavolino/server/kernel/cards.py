"""A table as lists show it, from the row that is stored beside its entries."""

from __future__ import annotations

from tavolino.server import protocol as p
from tavolino.server.kernel import messages, rows
from tavolino.server.kernel.feature import Features
from tavolino.server.kernel.state import seat_of
from tavolino.server.storage.log import StoredRow


def card(
    row: StoredRow, person: str | None, name_of: messages.NameOf, online: set[int], features: Features
) -> p.TableCard:
    """A table as a list shows it to one person."""
    stored = rows.card_of(row)
    places = stored.seats()
    seat = seat_of(places, person)
    seats = messages.seats(places, stored.host, name_of, online)
    for show_card in features.show_card:
        show_card(seats, row.card)
    return p.TableCard(
        id=row.table,
        game=row.game,
        phase=row.phase,  # type: ignore[arg-type]
        seats=[p.Seat(**fields) for fields in seats],
        seconds_per_move=stored.seconds_per_move,
        your_seat=seat,
        your_turn=seat is not None and seat == stored.to_act,
        ending=stored.ending,
        changed=row.changed,
    )


def sorted_out(cards: list[p.TableCard]) -> p.MyTables:
    """The tables of the person for whom the cards were made."""
    playing = [card for card in cards if card.phase != "ended" and card.your_seat is not None]
    invited = [card for card in cards if card.phase != "ended" and card.your_seat is None]
    finished = [card for card in cards if card.phase == "ended" and card.your_seat is not None]
    return p.MyTables(playing, invited, finished)
