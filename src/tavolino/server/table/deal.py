"""From a table's entries to its cards, and back to a record."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from tavolino.engine.game import Game
from tavolino.engine.match import Match
from tavolino.server.games import fairness
from tavolino.server.table.lobby import seat_option
from tavolino.server.table.state import TableState


def deal(state: TableState, game: Game) -> Match:
    """The match of a sealed table at its start; if chance picks the first seat, the seed decides."""
    seats = len(state.places)
    seed = fairness.deal_seed(state.id, state.secret, state.salts)
    first = fairness.chance_seat(seed, seats) if state.first_seat is None else state.first_seat
    return game.start(players=seats, seed=seed, options={**state.options, seat_option(game): first})


def replay(state: TableState, game: Game) -> Match:
    """The match as it stands after all the table's moves."""
    match = deal(state, game)
    for action in state.actions:
        match.advance(action)
    return match


def record(state: TableState, match: Match) -> dict[str, Any]:
    """The record of a game with the seal of its deal, as `tavolino verify` reads it."""
    return {**match.record(), **_seal(state)}


def _seal(state: TableState) -> dict[str, Any]:
    ending = state.ending
    return {
        "fairness": {
            "table": state.id,
            "commitment": fairness.commitment(state.id, state.secret),
            "secret": state.secret,
            "salts": state.salts,
            "bots": [seat for seat, place in enumerate(state.places) if place.kind == "bot"],
            "first_seat": state.first_seat,
        },
        "ending": None if ending is None else {"how": ending.how, "winners": ending.winners, "reason": ending.reason},
    }


def bare_record(state: TableState) -> dict[str, Any]:
    """The record of a game whose rules are no longer known here, for the version that knows them."""
    seed = fairness.deal_seed(state.id, state.secret, state.salts)
    seats = len(state.places)
    first = fairness.chance_seat(seed, seats) if state.first_seat is None else state.first_seat
    return {
        "game": state.game,
        "rules": state.rules,
        "players": seats,
        "options": dict(state.options),
        "seat": first,
        "seed": {"bytes": seed.hex()},
        "decks": None,
        "actions": state.actions,
        **_seal(state),
    }


def keep_crash(folder: Path, state: TableState, match: Match, action: str) -> Path:
    """What reproduces a move that crashed, in a file for the operator alone: the log must not hold a seed."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    path = folder / f"{state.id}-{len(state.actions)}.json"
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        json.dump({**match.record(), "crashing_action": action}, file)
    return path
