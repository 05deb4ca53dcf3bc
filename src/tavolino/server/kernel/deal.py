"""From a table's state to its match: the deal, and the replay of its moves."""

from __future__ import annotations

from collections.abc import Sequence

from tavolino.engine.game import Game
from tavolino.engine.match import Match
from tavolino.engine.net_files import version_in
from tavolino.server.games import fairness
from tavolino.server.kernel.state import TableState


def deal(state: TableState, game: Game) -> Match:
    """The match of a sealed table at its start."""
    seed = deal_seed(state)
    options = dict(state.settings.options)
    if (seat_option := game.meta.seat_option) is not None:
        options[seat_option] = first_seat(state, seed)
    return game.start(players=len(state.places), seed=seed, options=options, rules=state.rules)


def net_used(state: TableState, game: Game) -> str | None:
    """The version of the weights with which bots of this table evaluate positions; None: none of them does."""
    levels = {place.level for place in state.places}
    return version_in(game.folder) if "expert" in levels else None


def replay(state: TableState, game: Game, actions: Sequence[str] | None = None) -> Match:
    """The match as it stands after all the table's moves, or after other ones."""
    match = deal(state, game)
    for action in state.actions if actions is None else actions:
        match.advance(action)
    return match


def deal_seed(state: TableState) -> bytes:
    """The seed of the deal; a table that plays on from another game has the seed of that one."""
    if state.origin is not None:
        return bytes.fromhex(state.origin.seed)
    return fairness.deal_seed(state.deal_name, state.secret, state.salts)


def first_seat(state: TableState, seed: bytes) -> int:
    """The seat that was chosen; if chance decides, it follows from the seed."""
    chosen = state.settings.first_seat
    return fairness.chance_seat(seed, len(state.places)) if chosen is None else chosen


def seat_to_act(state: TableState, match: Match | None) -> int | None:
    """Which seat must decide now; None before the deal and after the end."""
    return match.to_act if match is not None and state.phase == "playing" else None


def sides(match: Match | None) -> list[int]:
    """The number of each seat's side: that of its team where the game has teams, else of the seat itself."""
    return [] if match is None else match.teams()
