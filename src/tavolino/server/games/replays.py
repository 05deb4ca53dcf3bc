"""Finished games: the record, and the whole game move by move from any eyes.

The only door, besides `outgoing.py`, through which cards leave the server: it is closed while a game runs.
"""

from __future__ import annotations

from typing import Any

from tavolino.engine.game import Game
from tavolino.engine.match import Match
from tavolino.server import protocol as p
from tavolino.server.errors import Refused
from tavolino.server.table import deal as dealing
from tavolino.server.table.state import TableState


def check_finished(state: TableState) -> None:
    """Nobody, player or not, gets the deal of a game that still runs."""
    if state.phase != "ended":
        raise Refused("still-playing")
    if not state.is_dealt:
        raise Refused("not-started")


def record(state: TableState, match: Match | None) -> dict[str, Any]:
    check_finished(state)
    if match is None:  # of rules that are no longer known here: what is stored is given as it is
        return dealing.bare_record(state)
    return dealing.record(state, match)


def frames(state: TableState, game: Game, eyes: p.Eyes, names: list[str | None]) -> p.Frames:
    """The game again, one frame for the deal and one for each decision."""
    check_finished(state)
    if state.rules != game.rules:
        raise Refused("no-rules")
    if isinstance(eyes, int) and eyes >= len(state.places):
        raise Refused("no-such-seat")
    match = dealing.deal(state, game)
    shown = [frame(match, eyes, 0, None, None, 0)]
    lines = match.lines
    for turn, action in enumerate(state.actions, start=1):
        seat = match.to_act
        match.play(action)
        shown.append(frame(match, eyes, turn, seat, action, lines))
        lines = match.lines
    return p.Frames(state.game, len(state.places), eyes, names, state.ending, shown)


def frame(match: Match, eyes: p.Eyes, turn: int, seat: int | None, action: str | None, lines: int) -> p.Frame:
    """A moment of a game, with its log from line `lines` on."""
    if eyes == "open":
        view, log = _open_view(match, lines)
    else:
        view = match.view(eyes if isinstance(eyes, int) else None, lines)
        log = view.pop("log")
    return p.Frame(turn, seat, action, view, log)  # type: ignore[arg-type]


def _open_view(match: Match, lines: int) -> tuple[dict[str, Any], list[Any]]:
    """All hands open: of each seat its own view, and of each line what whoever saw most of it saw."""
    seats = [match.view(seat, lines) for seat in range(match.players)]
    view = match.view(None, lines)
    view["seats"] = [own["seats"][seat] for seat, own in enumerate(seats)]
    public = view.pop("log")
    log = [next((own["log"][n] for own in seats if own["log"][n].get("secret")), line) for n, line in enumerate(public)]
    return view, log
