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
from tavolino.server.games import daily, fairness, series
from tavolino.server.kernel import vacations
from tavolino.server.kernel.deal import deal_seed
from tavolino.server.kernel.mutes import WATCHING
from tavolino.server.kernel.state import Place, TableState

NameOf = Callable[[str], str | None]
RatingOf = Callable[[str], p.Rating | None]


def seats(
    places: Sequence[Place],
    host: str | None,
    name_of: NameOf,
    online: Collection[int],
    up: float = 0,
    rating_of: RatingOf = lambda person: None,
) -> list[p.Seat]:
    return [
        p.Seat(
            seat=seat,
            kind=place.kind,
            name=name_of(place.person) if place.person else None,
            level=place.level,
            bot=place.bot,
            avatar=place.avatar,
            ready=place.ready,
            host=place.person is not None and place.person == host,
            online=seat in online,
            away=place.away,
            stand_in=place.stand_in,
            resigned=place.resigned,
            salted=place.salt is not None,
            wants_end=place.wants_end,
            against_end=place.against_end and any(other.wants_end for other in places),
            votes_stand_in=sorted(place.votes),
            vacation=vacations.ends(place, up),
            rating=rating_of(place.person) if place.person else None,
        )
        for seat, place in enumerate(places)
    ]


def fair(state: TableState) -> p.Fairness:
    """The commitment of the deal. The secret is named only once the game has ended."""
    has_ended = state.phase == "ended"
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
    name_of: NameOf,
    online: Collection[int],
    watching: list[str],
    readiness: p.Readiness,
    muted: frozenset[int],
    up: float,
    rating_of: RatingOf,
) -> p.Table:
    """Everything public about a table, and the viewer's own settings."""
    settings, seat = state.settings, state.seat_of(person)
    request, origin = state.take_back, state.origin
    invited = [name_of(each) or "" for each in sorted(state.invited)] if seat is not None else []
    return p.Table(
        id=state.id,
        game=state.game,
        rules=state.rules,
        phase=state.phase,
        seats=seats(state.places, state.host, name_of, online, up, rating_of),
        options=settings.options,
        first_seat=settings.first_seat,
        public=settings.public,
        seconds_per_move=settings.seconds_per_move,
        hints=settings.hints,
        rated=settings.rated,
        starts_itself=state.starts_itself,
        watching=watching,
        invited=invited,
        webhook=state.webhook is not None and state.phase != "ended",
        fairness=fair(state),
        ending=state.ending,
        rematch=state.rematch,
        daily=daily.day_of_deal(state.deal),
        series=series.series_of_deal(state.deal),
        readiness=readiness,
        opened=int(state.opened),
        take_back=None if request is None else p.TakeBack(request.seat, sorted(request.agreed)),
        taken_back=len(state.taken_back),
        origin=None if origin is None else p.Origin(origin.table, origin.turn),
        you=p.You(
            seat=seat,
            host=person is not None and person == state.host,
            muted=sorted(muted - {WATCHING}),
            muted_watching=WATCHING in muted,
            plan=None if seat is None else state.places[seat].plan,
            vacation_days=vacations.days_left(state, seat),
        ),
    )


def open_view(match: Match) -> dict[str, Any]:
    """What a spectator may know now, without the log."""
    return match.view(None, match.lines)


def remarks(match: Match) -> list[str]:
    """The keys of the remarks that can be made now, where the game has remarks instead of free chat."""
    return list(match.game.remarks(open_view(match))) if match.game.meta.talk == "remarks" else []


def play(
    match: Match,
    viewer: int | None,
    lines: int,
    turn: int,
    has_ended: bool,
    clock: p.Clock | None,
    remarks: list[str],
    take_back: bool,
) -> p.Play:
    """The cards as a viewer may see them, with the log from line `lines` on."""
    from_line = min(lines, match.lines)
    view = match.view(viewer, from_line)
    log: list[Any] = view.pop("log")
    if has_ended:  # resigned, agreed or abandoned: nobody is asked any more
        view["legal"] = []
    since = match.lines_at_decision(viewer)
    return p.Play(turn, view, from_line, log, clock, remarks, take_back, since)  # type: ignore[arg-type]


def notebook(match: Match, viewer: int) -> Json:
    return match.notebook(viewer)
