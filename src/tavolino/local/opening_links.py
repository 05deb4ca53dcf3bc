"""Links as the page asks for them and opens them. A game of a link becomes a table at which nobody of this device sits:
it has a replay and a review, and one can play on from it. The newest of them are kept.
"""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from tavolino.coach.puzzle_files import puzzles_of
from tavolino.engine.match import Match
from tavolino.local import answers, links
from tavolino.local.features import KINDS
from tavolino.local.redealing import moments_of
from tavolino.local.services import PERSON
from tavolino.local.tables import MARK, LocalTables
from tavolino.server import protocol as p
from tavolino.server.errors import Refused
from tavolino.server.games import fairness, positions
from tavolino.server.kernel import entries as e
from tavolino.server.kernel.continuation import PlayOn, continuation
from tavolino.server.kernel.journal import Step
from tavolino.server.kernel.state import TableState

LINK_MARK = f"{MARK}."  # of the ids of their tables; no other id has a full stop
KEPT = 10  # tables


class WantedLink(p.Body):
    """A link to the game of a record."""

    record: dict[str, Any]
    show: links.Show
    seat: p.SeatNumber | None = None
    move: p.Count | None = None


class WantedPuzzle(p.Body):
    """A link to a puzzle that came with a game."""

    game: str
    id: str


class LinkText(p.Body):
    link: str


class OpenLink(p.Body):
    """`level`: of the bots, where one plays on."""

    link: str
    level: p.Level = "medium"


class TryLink(p.Body):
    """What you would do in the puzzle of a link."""

    link: str
    action: positions.Try


class OpenedLink(p.Body):
    """The address of a page; or a puzzle."""

    address: str | None = None
    puzzle: positions.Position | None = None


async def answer(tables: LocalTables, wanted: list[str], body: str | None) -> Any:
    match wanted:
        case []:
            of = answers.decoded(body, WantedLink)
            return LinkText(links.game_link(of.record, of.show, of.seat, of.move))
        case ["puzzle"]:
            named = answers.decoded(body, WantedPuzzle)
            puzzles = puzzles_of(await tables.load_game(named.game))
            return LinkText(links.puzzle_link(positions.puzzle(puzzles, named.id)))
        case ["open"]:
            return await _opened(tables, answers.decoded(body, OpenLink))
        case ["try"]:
            tried = answers.decoded(body, TryLink)
            link = links.read(tried.link)
            if isinstance(link, links.PuzzleLink):
                return links.solution_in(link, tried.action.action)
    raise Refused("not-found")


async def _opened(tables: LocalTables, wanted: OpenLink) -> OpenedLink:
    link = links.read(wanted.link)
    if isinstance(link, links.PuzzleLink):
        return OpenedLink(puzzle=links.position_in(link))
    if link.show == "play":
        return OpenedLink(await _playing_on(tables, link, wanted.level))
    table = LINK_MARK + links.name_of(link)
    if table not in tables.services.storage.rows:
        begun, match = _table_of(tables, link)
        await tables.journal.append(Step(TableState(table), begun, match))
        await _forget_older(tables)
    whose = "open" if link.seat is None else str(link.seat)
    query = {"perspective": whose} if link.show == "replay" else {"seat": link.seat}
    shown = urlencode({name: value for name, value in {**query, "move": link.move}.items() if value is not None})
    return OpenedLink(f"/{link.show}/{table}?{shown}")


async def _forget_older(tables: LocalTables) -> None:
    rows = [row for row in tables.services.storage.rows.values() if row.table.startswith(LINK_MARK)]
    for row in sorted(rows, key=lambda row: -row.changed)[KEPT:]:
        await tables.remove(row.table)


async def _playing_on(tables: LocalTables, link: links.GameLink, level: p.Level) -> str:
    begun, _ = _table_of(tables, link)
    state = TableState("")
    for entry in begun:
        KINDS.apply(state, entry)
    assert link.seat is not None
    game = await tables.load_game(link.game)
    on = PlayOn(link.seat, len(link.actions), level)
    entries, match = continuation(state, game, PERSON, on, tables.services.clock.now())
    return f"/table/{(await tables.begin(game, PERSON, entries, match)).state.id}"


def _table_of(tables: LocalTables, link: links.GameLink) -> tuple[list[e.Entry], Match]:
    """The entries of a table with the game of a link: people from elsewhere without names, and no seal of the deal."""
    match, now = links.match_of(link), tables.services.clock.now()
    options: dict[str, Any] = dict(link.options)
    first = options.pop(match.game.meta.seat_option or "", None)
    opened = e.Opened(
        game=link.game,
        rules=link.rules,
        host=PERSON,
        secret=fairness.new_secret(),
        at=now.wall,
        up=now.up,
        origin=e.Origin("", 0, link.seed),
        **p.TableSettings(seats=link.players, options=options, first_seat=first).as_fields(),
    )
    joined = [e.Joined(seat, f"link:{seat}") for seat in range(link.players)]
    dealt = [e.Sealing(now.wall, now.up), e.Sealed(), e.Dealt(now.wall, now.up)]
    deciders = [moment.to_act for _, moment in moments_of(links.record_of(link))]
    moved = [
        e.Moved(seat, action, now.wall, "origin", now.up)
        for seat, action in zip(deciders, link.actions, strict=False)
        if seat is not None
    ]
    reason = None if match.outcome is None else match.outcome.reason
    ended = [] if link.how is None else [e.Ended(link.how, tuple(link.winners), reason, now.wall)]
    return [opened, *joined, *dealt, *moved, *ended], match
