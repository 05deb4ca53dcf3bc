"""Records of games, with the commitment, secret and salts of the deal.

Besides `messages.py` this is the only way for cards to leave the server. It is closed while a game runs.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import msgspec

from tavolino.engine.game import Game
from tavolino.engine.match import Match
from tavolino.server import protocol as p
from tavolino.server.errors import Refused
from tavolino.server.games import fairness, replays
from tavolino.server.games.build_cache import let_loop_run
from tavolino.server.kernel.deal import deal, deal_seed, first_seat
from tavolino.server.kernel.moves import MoveCrashed
from tavolino.server.kernel.services import Services
from tavolino.server.kernel.state import TableState

_encode = msgspec.json.Encoder().encode


def check_finished(state: TableState) -> None:
    """Refuse to reveal the deal of a game that still runs, to anybody."""
    if not state.is_dealt:
        raise Refused("not-started")
    if state.phase != "ended":
        raise Refused("still-playing")


def record(state: TableState, match: Match | None) -> dict[str, Any]:
    """The record of a finished game, with the seal of its deal, which anybody can check.

    Without a match, for rules that this version does not know, it is built from what is stored.
    """
    check_finished(state)
    bare = _bare_record(state) if match is None else match.record()
    net = {} if state.net is None else {"net": state.net}
    return {**bare, **net, **_taken_back(state), **_deal(state), **_ending(state)}


def check_frames(state: TableState, game: Game, perspective: p.Perspective) -> None:
    """Refuse frames that cannot be built."""
    check_finished(state)
    if state.rules not in game.versions:
        raise Refused("no-rules")
    if isinstance(perspective, int) and perspective >= len(state.places):
        raise Refused("no-such-seat")


def shown_frames(
    state: TableState, game: Game, perspective: p.Perspective, actions: list[str], first: int = 0
) -> bytes:
    """A finished game again, or a variation of it: a frame for each decision from number `first` on (0: the deal),
    encoded. It takes a while."""
    check_frames(state, game, perspective)
    shown = []
    for frame in replays.frames(deal(state, game), actions, perspective, first):
        shown.append(_encode(frame))
        let_loop_run()
    return b"[%s]" % b",".join(shown)


def frames(state: TableState, perspective: p.Perspective, names: list[str | None], shown: bytes) -> p.Frames:
    """The frames with their metadata; names are never cached, because people may change or delete theirs."""
    raw: Any = msgspec.Raw(shown)
    levels, bots = [place.level for place in state.places], [place.bot for place in state.places]
    return p.Frames(state.game, len(state.places), perspective, names, levels, bots, state.ending, raw)


def _taken_back(state: TableState) -> dict[str, Any]:
    """The take-backs: who asked, after how many decisions, and which ones."""
    if not state.taken_back:
        return {}
    return {"taken_back": [{"seat": it.seat, "turn": it.turn, "actions": it.actions} for it in state.taken_back]}


def _deal(state: TableState) -> dict[str, Any]:
    """The commitment of the deal. A table that plays on from another game has none: the record of that one has it."""
    if (origin := state.origin) is not None:
        return {"continues": {"table": origin.table, "turn": origin.turn}}
    return {
        "fairness": {
            "table": state.deal_name,
            "commitment": fairness.commitment(state.deal_name, state.secret),
            "secret": state.secret,
            "salts": state.salts,
            "bots": [seat for seat, place in enumerate(state.places) if place.kind == "bot"],
            "first_seat": state.settings.first_seat,
        },
    }


def _ending(state: TableState) -> dict[str, Any]:
    ending = state.ending
    told = None if ending is None else {"how": ending.how, "winners": ending.winners, "reason": ending.reason}
    return {"ending": told}


def _bare_record(state: TableState) -> dict[str, Any]:
    seed = deal_seed(state)
    return {
        "game": state.game,
        "rules": state.rules,
        "players": len(state.places),
        "options": dict(state.settings.options),
        "seat": first_seat(state, seed),
        "seed": {"bytes": seed.hex()},
        "decks": None,
        "actions": state.actions,
    }


def report_crash(services: Services, state: TableState, match: Match | None, crash: MoveCrashed) -> None:
    assert match is not None
    path = keep_crash(services.settings.data / "crashes", state, match, crash.action)
    services.metrics.crashes.inc()
    turn = len(state.actions)
    services.log.error("move crashed", table=state.id, turn=turn, kept=str(path), exc_info=crash.__cause__)


def keep_crash(folder: Path, state: TableState, match: Match, action: str) -> Path:
    """Write what reproduces a crashed move to a file that only the operator can read: the log must not hold a seed."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    path = folder / f"{state.id}-{len(state.actions)}.json"
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        json.dump({**match.record(), "crashing_action": action}, file)
    return path
