"""Commands at a table before the deal. Functions from state and command to entries, without I/O."""

from __future__ import annotations

from collections.abc import Callable

from tavolino.engine.game import Game
from tavolino.server import protocol as p
from tavolino.server.clock import Moment
from tavolino.server.errors import Refused
from tavolino.server.kernel import entries as e
from tavolino.server.kernel.preconditions import existing_seat, host_only, possible_settings, seated
from tavolino.server.kernel.state import TableState

HOST_SECONDS = 60.0  # reloading the page is no absence
LobbyCommand = (
    p.Join
    | p.Leave
    | p.Sit
    | p.Kick
    | p.SetBot
    | p.Settings
    | p.AddSalt
    | p.Start
    | p.Ready
    | p.ChooseAvatar
    | p.Decline
)
MOST_INVITED = 20


def decide(state: TableState, game: Game, person: str, command: LobbyCommand, now: Moment) -> list[e.Entry]:
    """The entries that a command leads to, or a refusal."""
    if isinstance(command, p.AddSalt):
        return _add_salt(state, person, command.salt)
    if isinstance(command, p.ChooseAvatar):
        return _choose_avatar(state, person, command.avatar)
    # Nothing can be changed at a table that starts by itself.
    if state.phase != "waiting" or (state.starts_itself and not isinstance(command, p.Leave | p.Start)):
        raise Refused("not-waiting")
    match command:
        case p.Join(seat=seat):
            return [_join(state, person, seat)]
        case p.Leave():
            return _leave(state, person, now.wall)
        case p.Sit():
            return _sit(state, person, command)
        case p.Kick(seat=seat):
            return [_kick(state, person, seat)]
        case p.SetBot(seat=seat, level=level):
            return [_set_bot(state, person, seat, level)]
        case p.Settings():
            return [_change(state, game, person, command)]
        case p.Ready(ready=ready):
            seat = seated(state, person)
            return [] if state.places[seat].ready == ready else [e.MarkedReady(seat, ready)]
        case p.Decline():
            return [e.InvitationDeclined(person)] if person in state.invited else []
        case p.Start(fill=fill):
            return _start(state, person, fill, now)


def invite(state: TableState, person: str, invited: str) -> list[e.Entry]:
    """Somebody who sits here invites a person; who was kicked stays away."""
    seated(state, person)
    if state.phase != "waiting" or state.starts_itself:
        raise Refused("not-waiting")
    if state.seat_of(invited) is not None:
        raise Refused("already-seated")
    if invited in state.kicked:
        raise Refused("kicked")
    if invited in state.invited:
        return []
    if len(state.invited) >= MOST_INVITED:
        raise Refused("table-full")
    return [e.Invited(invited)]


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


def _join(state: TableState, person: str, seat: int | None) -> e.Entry:
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
    return e.Joined(seat, person)


def _leave(state: TableState, person: str, now: float) -> list[e.Entry]:
    """The host's role passes to the next person; a table without people ends."""
    left: list[e.Entry] = [e.Vacated(seated(state, person))]
    others = [other for other in state.people if other != person]
    if not others:
        left.append(e.Ended("abandoned", (), None, now))
    elif person == state.host:
        left.append(e.HostPassed(others[0]))
    return left


def _sit(state: TableState, person: str, command: p.Sit) -> list[e.Entry]:
    own = seated(state, person)
    origin = own if command.from_seat is None else existing_seat(state, command.from_seat)
    target = existing_seat(state, command.seat)
    if origin != own or (target != own and state.places[target].kind == "person"):
        host_only(state, person)
    return [] if origin == target else [e.Swapped(origin, target)]


def _kick(state: TableState, person: str, seat: int) -> e.Entry:
    host_only(state, person)
    if state.places[existing_seat(state, seat)].kind != "person" or state.places[seat].person == person:
        raise Refused("not-a-person")
    return e.Vacated(seat, kicked=True)


def _set_bot(state: TableState, person: str, seat: int, level: p.Level | None) -> e.Entry:
    host_only(state, person)
    if state.places[existing_seat(state, seat)].kind == "person":
        raise Refused("seat-taken")
    return e.BotPlaced(seat, level)


def _change(state: TableState, game: Game, person: str, command: p.Settings) -> e.Entry:
    host_only(state, person)
    settings = possible_settings(game, command)
    if any(place.kind == "person" for place in state.places[settings.seats :]):
        raise Refused("seat-taken")
    return e.SettingsChanged(**settings.as_fields())


def _add_salt(state: TableState, person: str, salt: str) -> list[e.Entry]:
    if state.phase not in ("waiting", "sealing") or state.is_sealed:
        raise Refused("not-waiting")
    return [e.Salted(seated(state, person), salt)]


def _choose_avatar(state: TableState, person: str, avatar: int | None) -> list[e.Entry]:
    """Only before the deal: while a game runs, a picture that changes could be a signal."""
    if state.phase not in ("waiting", "sealing"):
        raise Refused("not-waiting")
    seat = seated(state, person)
    return [] if state.places[seat].avatar == avatar else [e.AvatarChosen(seat, avatar)]


def _start(state: TableState, person: str, fill: p.Level | None, now: Moment) -> list[e.Entry]:
    host_only(state, person)
    empty = [seat for seat, place in enumerate(state.places) if place.kind == "empty"]
    if empty and fill is None:
        raise Refused("still-empty")
    bots: list[e.Entry] = [e.BotPlaced(seat, fill) for seat in empty]
    return [*bots, e.Sealing(now.wall, now.up)]
