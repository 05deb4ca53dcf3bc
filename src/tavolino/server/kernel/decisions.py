"""From a command that is neither a move nor chat to entries: by the phase of the table."""

from __future__ import annotations

from collections.abc import Callable

from tavolino.engine.game import Game
from tavolino.engine.match import Match
from tavolino.server import protocol as p
from tavolino.server.clock import Moment
from tavolino.server.errors import Refused
from tavolino.server.kernel import deal, in_game, lobby, mutes, plans, vacations
from tavolino.server.kernel import entries as e
from tavolino.server.kernel.state import TableState


def decide(
    state: TableState,
    match: Match | None,
    game: Game,
    person: str,
    command: p.Command,
    now: Moment,
    gone_for: in_game.GoneFor,
    is_late: Callable[[int], bool],
) -> list[e.Entry]:
    """The entries that a command leads to, or a refusal."""
    match command:
        case p.Mute():
            return mutes.decide(state, person, command)
        case p.SetPlan():
            return plans.decide(state, game, person, command)
        case p.TakeVacation(days=days):
            return vacations.decide(state, person, days, now)
        case p.Leave() if state.phase == "ended":
            return []
        case p.Leave() | p.Resign() | p.AgreeEnd() | p.StandIn() | p.Back() if (
            state.phase == "playing" or not isinstance(command, p.Leave)
        ):
            return in_game.decide(state, person, command, now, gone_for, deal.sides(match), is_late)
        case (
            p.Join() | p.Leave() | p.Sit() | p.Kick() | p.SetBot() | p.Settings() | p.AddSalt() | p.Start()
            | p.Ready() | p.ChooseAvatar() | p.Decline()
        ):  # fmt: skip
            return lobby.decide(state, game, person, command, now)
    raise Refused("bad-message")
