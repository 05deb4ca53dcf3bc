"""Before the deal: what people may do at a table that waits. Questions in, entries out; no I/O."""

from __future__ import annotations

from tavolino.engine.game import Game
from tavolino.engine.options import resolve
from tavolino.server import protocol as p
from tavolino.server.errors import Refused
from tavolino.server.table import entries as e
from tavolino.server.table.state import TableState

WaitingCommand = p.Join | p.Leave | p.Sit | p.Kick | p.SetBot | p.Settings | p.AddSalt | p.Start


def decide(state: TableState, game: Game, person: str, command: WaitingCommand, now: float) -> list[e.Entry]:
    """The entries that a command leads to, or a refusal."""
    if isinstance(command, p.AddSalt):
        return _add_salt(state, person, command.salt)
    # A table that starts by itself is played as it was asked for.
    if state.phase != "waiting" or (state.starts_itself and not isinstance(command, p.Leave | p.Start)):
        raise Refused("not-waiting")
    match command:
        case p.Join(seat=seat):
            return [_join(state, person, seat)]
        case p.Leave():
            return leave(state, person, now)
        case p.Sit():
            return _sit(state, person, command)
        case p.Kick(seat=seat):
            return [_kick(state, person, seat)]
        case p.SetBot(seat=seat, level=level):
            return [_set_bot(state, person, seat, level)]
        case p.Settings():
            return [_change(state, game, person, command)]
        case p.Start(fill=fill):
            return _start(state, person, fill, now)


def seat_option(game: Game) -> str:
    """The option that names a seat: who is first, or Thanos."""
    return next(name for name, option in game.options.items() if option.kind == "seat")


def check_settings(
    game: Game, seats: int, options: dict[str, p.OptionValue], first_seat: int | None
) -> dict[str, p.OptionValue]:
    """The chosen options, without those left to their default; a refusal for what the game does not know."""
    if seats not in game.players:
        raise Refused("bad-players", {"few": game.players[0], "many": game.players[-1]})
    if first_seat is not None and first_seat >= seats:
        raise Refused("no-such-seat")
    if seat_option(game) in options:
        raise Refused("bad-option", {"option": seat_option(game)})
    chosen: dict[str, p.OptionValue] = {name: value for name, value in options.items() if value is not None}
    for name, value in chosen.items():
        try:
            resolve(game.options, seats, {name: value})
        except ValueError:
            raise Refused("bad-option", {"option": name[:40]}) from None
    return chosen


def seated(state: TableState, person: str) -> int:
    seat = state.seat_of(person)
    if seat is None:
        raise Refused("not-seated")
    return seat


def host_only(state: TableState, person: str) -> None:
    if person != state.host:
        raise Refused("not-host")


def a_seat(state: TableState, seat: int) -> int:
    if not 0 <= seat < len(state.places):
        raise Refused("no-such-seat")
    return seat


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
    elif state.places[a_seat(state, seat)].kind != "empty":
        raise Refused("seat-taken")
    return e.Joined(seat, person)


def leave(state: TableState, person: str, now: float) -> list[e.Entry]:
    """Get up. The host's role passes on; a table that nobody is left at is over."""
    left: list[e.Entry] = [e.Vacated(seated(state, person))]
    others = [other for other in state.people if other != person]
    if not others:
        left.append(e.Ended("abandoned", (), None, now))
    elif person == state.host:
        left.append(e.HostPassed(others[0]))
    return left


def _sit(state: TableState, person: str, command: p.Sit) -> list[e.Entry]:
    own = seated(state, person)
    origin = own if command.from_seat is None else a_seat(state, command.from_seat)
    target = a_seat(state, command.seat)
    if origin != own or (target != own and state.places[target].kind == "person"):
        host_only(state, person)
    return [] if origin == target else [e.Swapped(origin, target)]


def _kick(state: TableState, person: str, seat: int) -> e.Entry:
    host_only(state, person)
    if state.places[a_seat(state, seat)].kind != "person" or state.places[seat].person == person:
        raise Refused("not-a-person")
    return e.Vacated(seat, kicked=True)


def _set_bot(state: TableState, person: str, seat: int, level: p.Level | None) -> e.Entry:
    host_only(state, person)
    if state.places[a_seat(state, seat)].kind == "person":
        raise Refused("seat-taken")
    return e.BotPlaced(seat, level)


def _change(state: TableState, game: Game, person: str, command: p.Settings) -> e.Entry:
    host_only(state, person)
    options = check_settings(game, command.seats, command.options, command.first_seat)
    if any(place.kind == "person" for place in state.places[command.seats :]):
        raise Refused("seat-taken")
    return e.SettingsChanged(
        command.seats, options, command.first_seat, command.public, command.seconds_per_move, command.hints
    )


def _add_salt(state: TableState, person: str, salt: str) -> list[e.Entry]:
    if state.phase not in ("waiting", "sealing") or state.is_sealed:
        raise Refused("not-waiting")
    return [e.Salted(seated(state, person), salt)]


def _start(state: TableState, person: str, fill: p.Level | None, now: float) -> list[e.Entry]:
    host_only(state, person)
    empty = [seat for seat, place in enumerate(state.places) if place.kind == "empty"]
    if empty and fill is None:
        raise Refused("still-empty")
    bots: list[e.Entry] = [e.BotPlaced(seat, fill) for seat in empty]
    return [*bots, e.Sealing(now)]


def all_salted(state: TableState) -> bool:
    return all(place.salt for place in state.places if place.person)


def next_step(state: TableState, now: float, patience: float) -> list[e.Entry]:
    """What happens by itself on the way to the deal: nothing, or the next entry.

    Salts are shown to all, frozen, one step before the deal: nobody could choose one after seeing a card.
    """
    if state.phase == "waiting" and state.starts_itself:
        return [e.Sealing(now)] if all_salted(state) or now >= state.opened + patience else []
    if state.phase != "sealing":
        return []
    if state.is_sealed:
        return [e.Dealt(now)]
    return [e.Sealed()] if all_salted(state) or now >= state.asked_at + patience else []
