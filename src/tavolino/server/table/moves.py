"""Moves and agreements: from a command to entries, and to the match after them."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from tavolino.engine.errors import IllegalAction
from tavolino.engine.match import Match
from tavolino.engine.texts import read_texts
from tavolino.server import protocol as p
from tavolino.server.errors import Refused
from tavolino.server.table import deal as dealing
from tavolino.server.table import entries as e
from tavolino.server.table import in_game as playing
from tavolino.server.table import lobby as waiting
from tavolino.server.table import messages as outgoing

if TYPE_CHECKING:
    from tavolino.server.table.actor import LiveTable


def decide(table: LiveTable, person: str, command: p.Move) -> tuple[list[e.Entry], Match]:
    """A person's move. The seat is that of the person, whatever the message says."""
    state = table.state
    seat = waiting.seated(state, person)
    if state.phase != "playing" or table.match is None:
        raise Refused("not-playing")
    if command.turn != table.turn:
        raise Refused("stale-move", {"turn": table.turn})
    if table.to_act != seat or state.places[seat].resigned:
        raise Refused("not-your-turn")
    back = playing.come_back(state, seat, table.house.now())
    entries, match = move(table, seat, command.action, "person")
    return [*back, *entries], match


def move(table: LiveTable, seat: int, action: str, by: e.By) -> tuple[list[e.Entry], Match]:
    """The move tried on a copy: what the rules refuse, or crash on, never reaches the storage."""
    assert table.match is not None
    after = table.match.clone()
    action = sys.intern(action)  # the same few words, at every table and for every move of a game
    try:
        after.advance(action)
    except IllegalAction as illegal:
        raise Refused("illegal-move", illegal.params, illegal.rule, _text_key(table, illegal)) from None
    except Exception:
        path = dealing.keep_crash(table.house.settings.data / "crashes", table.state, table.match, action)
        table.house.metrics.crashes.inc()
        table.house.log.exception("move crashed", table=table.state.id, turn=table.turn, kept=str(path))
        raise Refused("move-failed") from None
    now = table.house.now()
    entries: list[e.Entry] = [e.Moved(seat, action, now, by)]
    if (outcome := after.outcome) is not None:
        entries.append(e.Ended("played", outcome.winners, outcome.reason, now))
    return entries, after


def _text_key(table: LiveTable, illegal: IllegalAction) -> str:
    """The refusal's sentence is the game's own, or one that all games share."""
    key = f"refusal.{illegal.key}"
    home = table.game.name if key in read_texts(table.game.folder, "en") else "common"
    return f"{home}.{key}"


def agree(table: LiveTable, person: str, command: p.Command) -> list[e.Entry]:
    """Everything that people ask of a table besides moves and talk."""
    state, now = table.state, table.house.now()
    match command:
        case p.Mute(seat=seat, muted=muted):
            is_muted = waiting.a_seat(state, seat) in state.muted.get(person, ())
            return [] if is_muted == muted else [e.Muted(person, seat, muted)]
        case p.Leave() if state.phase == "ended":
            return []
        case p.Leave() | p.Resign() | p.AgreeEnd() | p.StandIn() | p.Back() if (
            state.phase == "playing" or not isinstance(command, p.Leave)
        ):
            return playing.decide(state, person, command, now, table.gone_for, sides(table), table.is_late)
        case p.Join() | p.Leave() | p.Sit() | p.Kick() | p.SetBot() | p.Settings() | p.AddSalt() | p.Start():
            return waiting.decide(state, table.game, person, command, now)
    raise Refused("bad-message")


def sides(table: LiveTable) -> list[object]:
    """Whose side each seat is on: the roles, where the game has any; else everybody plays for themselves."""
    if table.match is None:
        return []
    return [seat.get("role", n) for n, seat in enumerate(outgoing.open_view(table.match)["seats"])]
