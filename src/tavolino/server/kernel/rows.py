"""The row that is stored beside a table's entries, so that lists of tables need not replay games."""

from __future__ import annotations

import msgspec
from msgspec import Struct

from tavolino.engine.match import Match
from tavolino.server import protocol as p
from tavolino.server.clock import Moment
from tavolino.server.kernel.deal import seat_to_act
from tavolino.server.kernel.entry_kinds import EntryKinds
from tavolino.server.kernel.state import Place, TableState
from tavolino.server.storage.errors import TableDamaged
from tavolino.server.storage.log import TableRow


class StoredPlace(Struct, array_like=True):
    person: str | None
    level: p.Level | None
    away: bool
    stand_in: bool
    resigned: bool
    bot: int | None = None


class StoredCard(Struct):
    """What a list shows of a table. It holds nothing secret: no seed, no salts, no cards."""

    places: list[StoredPlace]
    host: str | None
    seconds_per_move: int | None
    to_act: int | None
    ending: p.Ending | None

    def seats(self) -> list[Place]:
        return [
            Place(
                each.person,
                each.level,
                each.bot,
                away=each.away,
                stand_in=each.stand_in,
                resigned=each.resigned,
            )
            for each in self.places
        ]


_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(StoredCard).decode


def row_of(
    state: TableState, match: Match | None, now: Moment, kinds: EntryKinds, is_private: bool = False
) -> TableRow:
    """`is_private`: nobody may see that something was stored."""
    to_act, settings = seat_to_act(state, match), state.settings
    bots_turn = to_act is not None and state.places[to_act].bot_level is not None
    is_on_its_way = state.phase == "sealing" or (state.phase == "waiting" and state.starts_itself)
    is_timed = state.phase == "playing" and settings.seconds_per_move is not None
    card = StoredCard(
        [
            StoredPlace(each.person, each.level, each.away, each.stand_in, each.resigned, each.bot)
            for each in state.places
        ],
        state.host,
        settings.seconds_per_move,
        to_act,
        state.ending,
    )
    return TableRow(
        table=state.id,
        game=state.game,
        phase=state.phase,
        public=settings.public,
        changed=None if is_private else int(now.wall),
        witnessed=int(now.witnessed),
        needs_waking=bots_turn or is_on_its_way or is_timed,
        members=kinds.members(state),
        card=_encode({**msgspec.structs.asdict(card), **kinds.card(state)}),
    )


def card_of(row: TableRow) -> StoredCard:
    try:
        return _decode(row.card)
    except msgspec.DecodeError as error:
        raise TableDamaged(row.table, f"its row cannot be read ({error})") from None
