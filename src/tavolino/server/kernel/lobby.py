"""Commands at a table before the deal."""

from __future__ import annotations

from collections.abc import Callable

from tavolino.server import protocol as p
from tavolino.server.errors import Refused
from tavolino.server.kernel import absence
from tavolino.server.kernel import entries as e
from tavolino.server.kernel.change import Change
from tavolino.server.kernel.checks import check_waiting, existing_seat, host_only, possible_settings, seated
from tavolino.server.kernel.feature import Needs, Request, handles
from tavolino.server.kernel.state import TableState

HOST_SECONDS = 60.0  # reloading the page is no absence


def hand_over(state: TableState, gone_for: Callable[[str], float]) -> tuple[list[e.Entry], float | None]:
    """Before the start, a host who is away for a minute passes the role to a person who is there.

    The entries that are due now, or after how many seconds to look again; None: nobody waits for the host.
    """
    if state.phase != "waiting" or state.starts_itself or state.host is None:
        return [], None
    here = [person for person in state.people if person != state.host and not gone_for(person)]
    away = gone_for(state.host)
    if not here or not away:
        return [], None
    return ([e.HostPassed(here[0])], None) if away >= HOST_SECONDS else ([], HOST_SECONDS - away)


@handles(p.Join)
async def join(request: Request) -> Change:
    state, person, seat = request.state, request.person, request.command.seat
    await request.table.tables.check_room(person)
    check_waiting(state)
    if person in state.kicked:
        raise Refused("kicked")
    if state.seat_of(person) is not None:
        raise Refused("already-seated")
    if seat is None:
        free = [n for n, place in enumerate(state.places) if place.kind == "empty"]
        if not free:
            raise Refused("table-full")
        seat = free[0]
    elif state.places[existing_seat(state, seat)].kind != "empty":
        raise Refused("seat-taken")
    return Change([e.Joined(seat, person)])


@handles(p.Leave)
def leave(request: Request) -> Change:
    """Before the start the seat is free again; the host's role passes on, and a table without people ends."""
    state, person = request.state, request.person
    if state.phase == "ended":
        return Change([])
    if state.phase == "playing":
        return Change(absence.leave(state, seated(state, person)))
    if state.phase != "waiting":
        raise Refused("not-waiting")
    left: list[e.Entry] = [e.Vacated(seated(state, person))]
    others = [other for other in state.people if other != person]
    if not others:
        left.append(e.Ended("abandoned", (), None, request.now.wall))
    elif person == state.host:
        left.append(e.HostPassed(others[0]))
    return Change(left)


@handles(p.Sit, needs=Needs.WAITING | Needs.SEAT)
def sit(request: Request) -> Change:
    state, own, command = request.state, request.seat, request.command
    origin = own if command.from_seat is None else existing_seat(state, command.from_seat)
    target = existing_seat(state, command.seat)
    if origin != own or (target != own and state.places[target].kind == "person"):
        host_only(state, request.person)
    return Change([] if origin == target else [e.Swapped(origin, target)])


@handles(p.Kick, needs=Needs.WAITING | Needs.HOST)
def kick(request: Request) -> Change:
    state, seat = request.state, request.command.seat
    if state.places[existing_seat(state, seat)].kind != "person" or state.places[seat].person == request.person:
        raise Refused("not-a-person")
    return Change([e.Vacated(seat, kicked=True)])


@handles(p.SetBot, needs=Needs.WAITING | Needs.HOST)
def set_bot(request: Request) -> Change:
    state, seat = request.state, request.command.seat
    if state.places[existing_seat(state, seat)].kind == "person":
        raise Refused("seat-taken")
    return Change([e.BotPlaced(seat, request.command.level)])


@handles(p.Settings, needs=Needs.WAITING | Needs.HOST)
def change_settings(request: Request) -> Change:
    state = request.state
    settings = possible_settings(request.table.game, request.command, request.table.fixed_settings)
    if any(place.kind == "person" for place in state.places[settings.seats :]):
        raise Refused("seat-taken")
    return Change([e.SettingsChanged(**settings.as_fields())])


@handles(p.AddSalt)
def add_salt(request: Request) -> Change:
    state = request.state
    if state.phase not in ("waiting", "sealing") or state.is_sealed:
        raise Refused("not-waiting")
    return Change([e.Salted(seated(state, request.person), request.command.salt)])


@handles(p.Start)
def start(request: Request) -> Change:
    state, fill, now = request.state, request.command.fill, request.now
    if state.phase != "waiting":
        raise Refused("not-waiting")
    host_only(state, request.person)
    empty = [seat for seat, place in enumerate(state.places) if place.kind == "empty"]
    if empty and fill is None:
        raise Refused("still-empty")
    bots: list[e.Entry] = [e.BotPlaced(seat, fill) for seat in empty]
    return Change([*bots, e.Sealing(now.wall, now.up)])
