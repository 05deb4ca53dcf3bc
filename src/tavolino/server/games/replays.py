"""A game move by move, for any viewer: for finished games and for lessons.

Only for games without secrets left: callers must have checked that the game has ended (`kernel/records.py`), or that it
was arranged (`lessons.py`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from tavolino.engine.match import Match
from tavolino.server import protocol as p


def frames(match: Match, actions: Iterable[str], perspective: p.Perspective, first: int = 0) -> Iterator[p.Frame]:
    """One frame for the position as it stands, and one after each of the actions; the match is played on.

    The frames before the one with number `first` are left out.
    """
    if first == 0:
        yield _frame(match, perspective, 0, None, None, 0)
    for turn, action in enumerate(actions, start=1):
        seat, lines = match.to_act, match.lines
        match.play(action)
        if turn >= first:
            yield _frame(match, perspective, turn, seat, action, lines)


def _frame(
    match: Match, perspective: p.Perspective, turn: int, seat: int | None, action: str | None, lines: int
) -> p.Frame:
    """The position now, with the log from line `lines` on."""
    if perspective == "open":
        view, log = _open_view(match, lines)
    else:
        view = match.view(perspective if isinstance(perspective, int) else None, lines)
        log = view.pop("log")
    return p.Frame(turn, seat, action, view, log)  # type: ignore[arg-type]


def _open_view(match: Match, lines: int) -> tuple[dict[str, Any], list[Any]]:
    """All hands open: each entry of `seats`, which a game need not have, from that seat's own view, and each log line
    as the seat that saw most of it saw it."""
    seats = [match.view(seat, lines) for seat in range(match.players)]
    view = match.view(None, lines)
    if "seats" in view:
        view["seats"] = [own["seats"][seat] for seat, own in enumerate(seats)]
    public = view.pop("log")
    log = [next((own["log"][n] for own in seats if own["log"][n].get("secret")), line) for n, line in enumerate(public)]
    return view, log
