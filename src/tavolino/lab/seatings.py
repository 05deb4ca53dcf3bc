"""Seatings: every deal is played once in every seating, so that all players get the same cards and seats.

In a game without teams the line-up is repeated until all seats are taken, and rotates by one seat from game to game. In
a game of one against all, every player of the line-up plays alone against a team of every other one, and against a team
of its own kind, in the same deals.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tavolino.engine.meta import OneAgainstAll
from tavolino.games import meta_of


@dataclass(frozen=True)
class Seating:
    """One seating: the player in each seat, by number in the line-up, and who plays against whom."""

    players: tuple[int, ...]
    options: Mapping[str, Any]
    sides: tuple[tuple[str, tuple[int, ...]], ...]  # name of a side, and its seats


def seatings(game: str, lineup: Sequence[str], players: int, options: Mapping[str, Any]) -> list[Seating]:
    """All seatings in which a deal is played."""
    meta = meta_of(game)
    if meta.teams is not None:
        return _one_against_team(meta.teams, lineup, players, options)
    if len(lineup) > players:
        raise ValueError(f"{len(lineup)} bots do not fit at a table of {players}.")
    first = {} if meta.seat_option is None else {meta.seat_option: 0}
    table = [seat % len(lineup) for seat in range(players)]
    found = []
    # With only one kind of player, all seatings are the same.
    for shift in range(players if len(set(lineup)) > 1 else 1):
        seated = tuple(table[(seat - shift) % players] for seat in range(players))
        sides = tuple((lineup[seated[seat]], (seat,)) for seat in range(players))
        found.append(Seating(seated, {**first, **options}, sides))
    return found


def _one_against_team(
    teams: OneAgainstAll, lineup: Sequence[str], players: int, options: Mapping[str, Any]
) -> list[Seating]:
    """The single player keeps the same seat; the others follow clockwise."""
    found = []
    for one in range(len(lineup)):
        for other in range(len(lineup)):
            alone = options.get(teams.option, 0)
            seated = tuple(one if seat == alone else other for seat in range(players))
            others = tuple(seat for seat in range(players) if seat != alone)
            sides = (
                (f"{lineup[one]} as {teams.one}", (alone,)),
                (f"{lineup[other]} as {teams.others}", others),
            )
            found.append(Seating(seated, {**options, teams.option: alone}, sides))
    return found
