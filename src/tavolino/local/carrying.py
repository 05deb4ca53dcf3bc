"""Games of this device as lines of a file, and lines of such a file as games of this device.

A line has the entries of one table. Whoever opens a file may have it from anywhere: a line becomes a table only if its
game can be played again by the rules, and only if there is no table of that id yet.
"""

from __future__ import annotations

import json
import re
from typing import Any, Literal

import msgspec

from tavolino.engine.errors import BadRecord, UnknownGame
from tavolino.engine.game import Game
from tavolino.engine.match import Match
from tavolino.engine.records import parse
from tavolino.games import load
from tavolino.local.features import FIXED_SETTINGS, KINDS
from tavolino.local.hot_seat import HOT_SEAT_MARK
from tavolino.local.log import LocalLog
from tavolino.local.services import PERSON
from tavolino.server.errors import Refused
from tavolino.server.kernel import checks, deal, records
from tavolino.server.kernel import entries as e
from tavolino.server.kernel.journal import Journal, Step
from tavolino.server.kernel.state import TableState
from tavolino.server.verify.checks import check_record

HEADER = {"tavolino": "games", "format": 1}  # the first line of a file
BEFORE_THE_DEAL = (
    e.Joined, e.Vacated, e.Swapped, e.BotPlaced, e.SettingsChanged, e.Salted, e.Sealing, e.Sealed, e.Dealt,
)  # fmt: skip
IN_THE_GAME = (e.Moved, e.TakenBack, e.Resigned, e.Ended)
ID = re.compile("~[A-Za-z0-9_-]{21}")

# not-a-game: no line of such a file. other-version: a game or rules that are not here. damaged: it does not replay.
Why = Literal["not-a-game", "other-version", "damaged"]


class NotBrought(Exception):
    def __init__(self, why: Why) -> None:
        super().__init__(why)
        self.why = why


def is_header(line: str) -> bool:
    try:
        return parse(line.encode()) == HEADER
    except (BadRecord, UnicodeError):
        return False


async def line_of(log: LocalLog, table: str) -> dict[str, Any]:
    """A table of one person as a line of a file; that of several people would tell each the cards of the others."""
    entries = await log.entries(table)
    if not entries or table.startswith(HOT_SEAT_MARK):
        raise Refused("no-such-table")
    return {"table": table, "entries": [json.loads(entry) for entry in entries]}


async def bring(log: LocalLog, journal: Journal, line: str) -> str:
    """Make a line of a file a table; what came of it in one word."""
    if is_header(line):
        return "header"
    try:
        step = step_of(line)
    except NotBrought as problem:
        return problem.why
    if step.state.id in log.rows:
        return "there"
    await journal.append(step)
    return "brought"


def step_of(line: str) -> Step:
    """What is written to have the table of a line; NotBrought says why it cannot be had."""
    table, entries = _decoded(line)
    state, match = TableState(table), None
    game = _game_of(entries[0])
    try:
        for entry in entries:
            match = _followed(state, match, game, entry)
    except NotBrought:
        raise
    except Exception:  # entries in an order, or with numbers, that no table writes
        raise NotBrought("damaged") from None
    if match is None:  # no cards were dealt
        raise NotBrought("not-a-game")
    if state.phase == "ended" and any(check.holds is False for check in check_record(records.record(state, match))):
        raise NotBrought("damaged")
    return Step(TableState(table), entries, match)


def _decoded(line: str) -> tuple[str, list[e.Entry]]:
    try:
        content = parse(line.encode())
        table, listed = content["table"], content["entries"]
        entries = [KINDS.decode(json.dumps(entry)) for entry in listed]
    except (BadRecord, UnicodeError, LookupError, TypeError, msgspec.DecodeError):
        raise NotBrought("not-a-game") from None
    if not (isinstance(table, str) and ID.fullmatch(table) and entries and isinstance(entries[0], e.Opened)):
        raise NotBrought("not-a-game")
    return table, entries


def _game_of(opened: Any) -> Game:
    try:
        game = load(opened.game)
    except UnknownGame:
        raise NotBrought("other-version") from None
    if opened.rules not in game.versions:
        raise NotBrought("other-version")
    try:
        checks.possible_settings(game, opened.settings, FIXED_SETTINGS)
    except Refused:
        raise NotBrought("damaged") from None
    _must(opened.host == PERSON and opened.deal is None and opened.origin is None)
    return game


def _followed(state: TableState, match: Match | None, game: Game, entry: e.Entry) -> Match | None:
    """Apply the next entry, which must be one that a table of this device writes there."""
    is_first = state.number == 0
    _must(isinstance(entry, e.Opened) is is_first)
    _must(is_first or 0 <= getattr(entry, "seat", 0) < len(state.places))
    _must(getattr(entry, "person", PERSON) == PERSON)
    _must(match is None or not isinstance(entry, BEFORE_THE_DEAL))
    _must(not isinstance(entry, IN_THE_GAME) or (match is not None and state.phase == "playing"))
    if match is not None and isinstance(entry, e.Moved):
        _must(match.to_act == entry.seat)
        match.advance(entry.action)
    elif match is not None and isinstance(entry, e.TakenBack):
        match = match.position(entry.to)
    KINDS.apply(state, entry)
    if isinstance(entry, e.Dealt):
        _must(state.people == [PERSON] and all(place.kind != "empty" for place in state.places))
        match = deal.deal(state, game)
    return match


def _must(holds: bool) -> None:
    if not holds:
        raise NotBrought("damaged")
