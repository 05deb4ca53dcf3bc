"""Tables in lists: what the storage keeps beside a table's entries, so that no list has to replay a game."""

from __future__ import annotations

from collections.abc import Collection

import msgspec
from msgspec import Struct

from tavolino.engine.match import Match
from tavolino.server import protocol as p
from tavolino.server.storage import TableRow
from tavolino.server.table import messages as outgoing
from tavolino.server.table.state import Place, TableState


class StoredPlace(Struct, array_like=True):
    person: str | None
    level: p.Level | None
    away: bool
    stand_in: bool
    resigned: bool


class StoredCard(Struct):
    """Holds nothing secret: neither seed nor salts nor cards."""

    places: list[StoredPlace]
    host: str | None
    seconds_per_move: int | None
    to_act: int | None
    ending: p.Ending | None
    needs_waking: bool  # something happens here by itself, even when nobody looks


_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(StoredCard).decode


def row_of(state: TableState, match: Match | None, now: float) -> TableRow:
    to_act = match.to_act if match is not None and state.phase == "playing" else None
    bots_turn = to_act is not None and state.places[to_act].bot_level is not None
    is_on_its_way = state.phase == "sealing" or (state.phase == "waiting" and state.starts_itself)
    is_timed = state.phase == "playing" and state.seconds_per_move is not None
    places = [StoredPlace(pl.person, pl.level, pl.away, pl.stand_in, pl.resigned) for pl in state.places]
    card = StoredCard(
        places,
        state.host,
        state.seconds_per_move,
        to_act,
        state.ending,
        bots_turn or is_on_its_way or is_timed,
    )
    members = tuple(dict.fromkeys(state.people))
    return TableRow(state.id, state.game, state.phase, state.public, int(now), members, _encode(card))


def needs_waking(row: TableRow) -> bool:
    return _decode(row.card).needs_waking


def card_of(row: TableRow, person: str | None, name_of: outgoing.NameOf, online: Collection[int]) -> p.TableCard:
    """A table as a list shows it to one person."""
    stored = _decode(row.card)
    state = TableState(row.table, host=stored.host)
    state.places = [
        Place(pl.person, pl.level, away=pl.away, stand_in=pl.stand_in, resigned=pl.resigned) for pl in stored.places
    ]
    seat = state.seat_of(person)
    return p.TableCard(
        id=row.table,
        game=row.game,
        phase=row.phase,  # type: ignore[arg-type]
        seats=outgoing.seats(state, name_of, online),
        seconds_per_move=stored.seconds_per_move,
        your_seat=seat,
        your_turn=seat is not None and seat == stored.to_act,
        ending=stored.ending,
        changed=row.changed,
    )
