"""Checks that stored data can be used: every table's entries against their hash, every running table replayed."""

from __future__ import annotations

from dataclasses import dataclass, field

import tavolino
from tavolino.engine.errors import UnknownGame
from tavolino.engine.game import Game
from tavolino.server.clock import Moment
from tavolino.server.features import entry_kinds
from tavolino.server.kernel import deal, rows, snapshots
from tavolino.server.kernel.state import TableState
from tavolino.server.storage import Storage, TableDamaged

AT_ONCE = 200
NOW = Moment(0, 0, 0)  # the times in a row are not compared


@dataclass
class Report:
    running: int = 0
    moves: int = 0
    wrong: list[str] = field(default_factory=list)  # a sentence each
    closed: list[str] = field(default_factory=list)  # tables that this version would close: it lacks their rules


async def check_tables(storage: Storage) -> Report:
    """Check the hashes of all tables; then replay the running ones and compare the result with their stored rows."""
    report = Report()
    after: str | None = ""
    while after is not None:
        after, damaged = await storage.check_tables(after, AT_ONCE)
        report.wrong += [str(each) for each in damaged]
    games: dict[str, Game | None] = {}
    for table, number in await storage.idle_tables(2**62, await storage.count_open()):
        report.running += 1
        try:
            await _check_running(storage, table, number, games, report)
        except TableDamaged as damaged:
            if str(damaged) not in report.wrong:
                report.wrong.append(str(damaged))
    return report


async def _check_running(
    storage: Storage, table: str, number: int, games: dict[str, Game | None], report: Report
) -> None:
    kinds = entry_kinds()
    replayed = kinds.replay(TableState(table), await storage.entries(table))
    report.moves += len(replayed.actions)
    if replayed.number != number:
        raise TableDamaged(table, f"it has {replayed.number} entries, and its row says {number}")
    if await snapshots.load_state(storage, kinds, table) != replayed:
        raise TableDamaged(table, "its snapshot does not match its entries")
    match = None
    if (game := _game(replayed.game, games)) is None or replayed.rules not in game.versions:
        report.closed.append(f"table {table}: this version does not know {replayed.game}, rules {replayed.rules}")
    elif replayed.is_dealt:
        try:
            match = deal.replay(replayed, game)
        except Exception as error:
            raise TableDamaged(table, f"its moves cannot be replayed ({type(error).__name__}: {error})") from None
    row = await storage.row(table)
    if row is None:
        raise TableDamaged(table, "it has no row")
    expected = rows.row_of(replayed, match, NOW, kinds)
    stored, computed = rows.card_of(row), rows.card_of(expected)
    if stored.to_act is None or match is None:  # stored while the rules were not loaded
        stored.to_act = computed.to_act = None
    # There are fewer members than seats if somebody has deleted their identity.
    is_same = (row.game, row.phase, row.public) == (expected.game, expected.phase, expected.public)
    if not is_same or stored != computed or not set(row.members) <= set(expected.members):
        raise TableDamaged(table, "its row does not match its entries")


def _game(name: str, games: dict[str, Game | None]) -> Game | None:
    if name not in games:
        try:
            games[name] = tavolino.load(name)
        except UnknownGame:
            games[name] = None
    return games[name]
