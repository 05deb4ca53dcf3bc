"""Builds every message about a table for a person, from what that viewer may know.

The cards come from `Match.view` and `Match.notebook` and nothing else. A viewer is a seat, or None for a spectator;
which one a connection is was decided at its handshake. Only the records of finished games leave by another way
(`records.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any

from tavolino.engine.game import Json
from tavolino.engine.match import Match
from tavolino.server import protocol as p
from tavolino.server.games import fairness
from tavolino.server.kernel.deal import deal_seed
from tavolino.server.kernel.feature import Shown
from tavolino.server.kernel.state import Place, TableState
from tavolino.server.programs import is_program

NameOf = Callable[[str], str | None]


def seats(places: Sequence[Place], host: str | None, name_of: NameOf, online: Collection[int]) -> list[dict[str, Any]]:
    """The fields of `p.Seat` that are the kernel's."""
    return [
        {
            "seat": seat,
            "kind": place.kind,
            "name": name_of(place.person) if place.person else None,
            "program": is_program(place.person),
            "level": place.level,
            "bot": place.bot,
            "host": place.person is not None and place.person == host,
            "online": seat in online,
            "away": place.away,
            "stand_in": place.stand_in,
            "resigned": place.resigned,
            "salted": place.salt is not None,
        }
        for seat, place in enumerate(places)
    ]


def fair(state: TableState) -> p.Fairness:
    """The commitment of the deal. The secret is named only once the game has ended; that of a withheld deal only in
    the record."""
    has_ended = state.phase == "ended" and not state.withheld
    return p.Fairness(
        deal=state.deal_name,
        commitment=fairness.commitment(state.deal_name, state.secret),
        salts=state.salts if state.is_sealed else None,
        secret=state.secret if has_ended else None,
        seed=deal_seed(state).hex() if has_ended and state.is_sealed else None,
    )


def table(
    state: TableState,
    person: str | None,
    seat: int | None,
    name_of: NameOf,
    online: Collection[int],
    watching: list[str],
    readiness: p.Readiness,
) -> Shown:
    """Everything public about a table that is the kernel's, and who the viewer is."""
    settings, origin = state.settings, state.origin
    return Shown(
        {
            "id": state.id,
            "game": state.game,
            "rules": state.rules,
            "phase": state.phase,
            "options": settings.options,
            "first_seat": settings.first_seat,
            "public": settings.public,
            "seconds_per_move": settings.seconds_per_move,
            "hints": settings.hints,
            "rated": settings.rated,
            "starts_itself": state.starts_itself,
            "watching": watching,
            "fairness": fair(state),
            "ending": state.ending,
            "readiness": readiness,
            "opened": int(state.opened),
            "taken_back": len(state.taken_back),
            "origin": None if origin is None else p.Origin(origin.table, origin.turn),
        },
        seats(state.places, state.host, name_of, online),
        {"seat": seat, "host": person is not None and person == state.host},
    )


def open_view(match: Match) -> dict[str, Any]:
    """What a spectator may know now, without the log."""
    return match.view(None, match.lines)


def play(
    match: Match, viewer: int | None, lines: int, turn: int, has_ended: bool, clock: p.Clock | None
) -> dict[str, Any]:
    """The fields of `p.Play` that are the kernel's: the cards as a viewer may see them, with the log from line `lines`
    on."""
    from_line = min(lines, match.lines)
    view = match.view(viewer, from_line)
    log: list[Any] = view.pop("log")
    if has_ended:  # resigned, agreed or abandoned: nobody is asked any more
        view["legal"], view["described"] = [], {}
    return {
        "turn": turn,
        "view": view,
        "from_line": from_line,
        "lines": log,
        "clock": clock,
        "since": match.lines_at_decision(viewer),
    }


def notebook(match: Match, viewer: int) -> Json:
    return match.notebook(viewer)
