"""Checks that several commands share. Each refuses, or returns what it has checked."""

from __future__ import annotations

from collections.abc import Collection

from tavolino.engine.game import Game
from tavolino.engine.match import Match
from tavolino.engine.options import resolve
from tavolino.server.errors import Refused
from tavolino.server.kernel.state import TableState
from tavolino.server.protocol import Level, OpenTable, OptionValue, TableSettings


def seated(state: TableState, person: str) -> int:
    """The seat of a person."""
    seat = state.seat_of(person)
    if seat is None:
        raise Refused("not-seated")
    return seat


def host_only(state: TableState, person: str) -> None:
    if person != state.host:
        raise Refused("not-host")


def existing_seat(state: TableState, seat: int) -> int:
    if not 0 <= seat < len(state.places):
        raise Refused("no-such-seat")
    return seat


def check_waiting(state: TableState) -> None:
    """Nothing can be changed at a table that starts by itself."""
    if state.phase != "waiting" or state.starts_itself:
        raise Refused("not-waiting")


def dealt(match: Match | None) -> Match:
    if match is None:
        raise Refused("not-started")
    return match


def possible_settings(game: Game, wanted: TableSettings, fixed: Collection[str]) -> TableSettings:
    """The settings, without options left to their default; refuses what the game does not allow, and settings that this
    server does not have (`fixed`)."""
    if refused := sorted(name for name in fixed if getattr(wanted, name)):
        raise Refused("bad-option", {"option": refused[0]})
    seat_option = game.meta.seat_option
    if wanted.seats not in game.players:
        raise Refused("bad-players", {"few": game.players[0], "many": game.players[-1]})
    if wanted.first_seat is not None and (wanted.first_seat >= wanted.seats or seat_option is None):
        raise Refused("no-such-seat")
    if seat_option in wanted.options:  # it is chosen as first_seat
        raise Refused("bad-option", {"option": seat_option})
    chosen: dict[str, OptionValue] = {name: value for name, value in wanted.options.items() if value is not None}
    for name, value in chosen.items():
        try:
            resolve(game.options, wanted.seats, {name: value})
        except ValueError:
            raise Refused("bad-option", {"option": name[:40]}) from None
    if wanted.rated and (
        wanted.hints or resolve(game.options, wanted.seats, chosen) != resolve(game.options, wanted.seats, {})
    ):
        raise Refused("not-rated")
    return TableSettings(**{**wanted.as_fields(), "options": chosen})


def bot_seats(wanted: OpenTable) -> dict[int, Level]:
    """The levels of the bots by seat."""
    bots: dict[int, Level] = {}
    for seat, level in wanted.bots.items():
        if not seat.isdecimal() or len(seat) > 2 or int(seat) >= wanted.seats:
            raise Refused("no-such-seat")
        bots[int(seat)] = level
    return bots
