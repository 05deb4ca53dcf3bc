"""Who sits where: every deal is played once in every seating, so that luck and seats weigh the same for all.

In a game without teams the line-up is repeated until all seats are taken, and the whole table moves on by one seat
from game to game. In Infinity Gauntlet every player of the line-up is Thanos against a team of every other one, and
against a team of its own kind, in the same deals.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

TEAM_GAMES = {"infinity-gauntlet": "thanos"}  # the option that says who is alone


@dataclass(frozen=True)
class Fixture:
    """One seating: the player in each seat, by number in the line-up, and who plays against whom."""

    seating: tuple[int, ...]
    options: Mapping[str, Any]
    sides: tuple[tuple[str, tuple[int, ...]], ...]  # name of a side, and its seats


def fixtures(game: str, lineup: Sequence[str], players: int, options: Mapping[str, Any]) -> list[Fixture]:
    """All seatings in which a deal is played."""
    if game in TEAM_GAMES:
        return _one_against_team(TEAM_GAMES[game], lineup, players, options)
    if len(lineup) > players:
        raise ValueError(f"{len(lineup)} bots do not fit at a table of {players}.")
    table = [seat % len(lineup) for seat in range(players)]
    found = []
    # With one kind of player alone, all seatings are the same.
    for shift in range(players if len(set(lineup)) > 1 else 1):
        seating = tuple(table[(seat - shift) % players] for seat in range(players))
        sides = tuple((lineup[seating[seat]], (seat,)) for seat in range(players))
        found.append(Fixture(seating, {**options, "first": options.get("first", 0)}, sides))
    return found


def _one_against_team(alone: str, lineup: Sequence[str], players: int, options: Mapping[str, Any]) -> list[Fixture]:
    found = []
    for one in range(len(lineup)):
        for team in range(len(lineup)):
            # Which seat is Thanos makes no difference: he is first, and the heroes follow clockwise (IG-10).
            seat = options.get(alone, 0)
            seating = tuple(one if at == seat else team for at in range(players))
            heroes = tuple(at for at in range(players) if at != seat)
            sides = (
                (f"{lineup[one]} as Thanos", (seat,)),
                (f"{lineup[team]} as heroes", heroes),
            )
            found.append(Fixture(seating, {**options, alone: seat}, sides))
    return found
