"""A table that plays on from a position of a finished game, against bots (decision 082)."""

from __future__ import annotations

from tavolino.engine.game import Game
from tavolino.engine.match import Match
from tavolino.engine.net_files import version_in
from tavolino.server import protocol as p
from tavolino.server.clock import Moment
from tavolino.server.errors import Refused
from tavolino.server.games import fairness
from tavolino.server.kernel import entries as e
from tavolino.server.kernel.deal import deal, deal_seed
from tavolino.server.kernel.state import TableState


class PlayOn(p.Body):
    """Play on from a position of a finished game, in a seat of it, against bots."""

    seat: p.SeatNumber
    turn: p.Count  # how many decisions of the game stay as they were
    level: p.Level = "medium"  # of the bots that take people's seats; other bots keep theirs


def continuation(old: TableState, game: Game, host: str, wanted: PlayOn, now: Moment) -> tuple[list[e.Entry], Match]:
    """The entries of the new table up to that position, and the match there. Callers check that the game is over."""
    match = deal(old, game)
    moved: list[e.Entry] = []
    for action in old.actions[: wanted.turn]:
        seat = match.to_act
        assert seat is not None
        match.advance(action)
        moved.append(e.Moved(seat, action, now.wall, "origin", now.up))
    if wanted.turn > len(old.actions) or match.over:
        raise Refused("no-such-turn")
    unlike = {"public": False, "seconds_per_move": None, "hints": True, "rated": False}
    settings = p.TableSettings(**{**old.settings.as_fields(), **unlike})
    opened = e.Opened(
        game=old.game,
        rules=old.rules,
        host=host,
        secret=fairness.new_secret(),
        at=now.wall,
        up=now.up,
        starts_itself=True,
        origin=e.Origin(old.id, wanted.turn, deal_seed(old).hex()),
        **settings.as_fields(),
    )
    placed: list[e.Entry] = [
        e.BotPlaced(seat, place.level or wanted.level, place.bot)
        for seat, place in enumerate(old.places)
        if seat != wanted.seat
    ]
    levels = {place.level or wanted.level for seat, place in enumerate(old.places) if seat != wanted.seat}
    net = version_in(match.game.folder) if "expert" in levels else None
    begun: list[e.Entry] = [e.Sealing(now.wall, now.up), e.Sealed(), e.Dealt(now.wall, now.up, net)]
    return [opened, *placed, e.Joined(wanted.seat, host), *begun, *moved], match
