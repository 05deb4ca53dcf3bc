"""The first entries of a new table. Whoever runs tables adds its own limits: a server those of its people."""

from __future__ import annotations

import secrets
from collections.abc import Collection

from tavolino.engine.game import Game
from tavolino.server import protocol as p
from tavolino.server.clock import Moment
from tavolino.server.errors import Refused
from tavolino.server.games import fairness
from tavolino.server.kernel import checks
from tavolino.server.kernel import entries as e


def opened(
    game: Game,
    host: str,
    settings: p.TableSettings,
    now: Moment,
    fixed: Collection[str],
    *,
    starts_itself: bool = False,
    deal: str | None = None,
    secret: str | None = None,
    withheld: bool = False,
) -> e.Opened:
    """The entry that opens a table. `fixed`: settings that have their default here; a table that follows another keeps
    its settings."""
    return e.Opened(
        game=game.name,
        rules=game.rules,
        host=host,
        secret=fairness.new_secret() if secret is None else secret,
        deal=deal,
        at=now.wall,
        up=now.up,
        starts_itself=starts_itself,
        withheld=withheld,
        **{**settings.as_fields(), **dict.fromkeys(fixed, False)},
    )


def placed(game: Game, host: str, wanted: p.OpenTable, fixed: Collection[str]) -> tuple[p.TableSettings, list[e.Entry]]:
    """The settings of a table, and who sits there: the bots, and the host on the first seat without one."""
    settings = checks.possible_settings(game, wanted, fixed)
    bots = checks.bot_seats(wanted)
    if len(bots) == settings.seats:
        raise Refused("table-full")
    own = next(seat for seat in range(settings.seats) if seat not in bots)
    return settings, [*(e.BotPlaced(seat, level) for seat, level in bots.items()), e.Joined(own, host)]


def against_bots(game: Game, wanted: p.PlayNow) -> p.OpenTable:
    """A table for one person, with bots on all other seats."""
    seats = game.meta.usual_seats if wanted.seats is None else wanted.seats
    bots = {str(seat): wanted.level for seat in range(1, seats)}
    first = None
    if wanted.first is not None and game.meta.seat_option is not None:
        first = 0 if wanted.first or seats == 1 else 1 + secrets.randbelow(seats - 1)
    return p.OpenTable(
        game=wanted.game,
        seats=seats,
        bots=bots,
        rated=wanted.rated,
        hints=not wanted.rated,
        first_seat=first,
        options=wanted.options,
    )
