"""What a tournament plays: deals, the tables of each deal, and who sits where."""

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import tavolino
from tavolino.bots import LEVELS
from tavolino.games import meta_of
from tavolino.lab.matches import ITERATIONS

SECONDS = 5.0  # of a program, for one decision, unless the plan says otherwise


class Deal(NamedTuple):
    """One deal and its tables: at each table, the entrants by seat. Fixed bots have the other seats.

    Either each entrant plays it once, alone, in the same seat, or two entrants meet in it, at one table.
    """

    key: str  # by which the file knows it
    tables: tuple[dict[int, str], ...]


@dataclass(frozen=True)
class Plan:
    game: str
    players: int
    entrants: tuple[str, ...]  # levels, or module:Class
    against: tuple[str, ...]  # the levels of the fixed bots, by seat; the last one has the remaining seats
    deals: int
    meetings: int = 0  # of each pair of entrants
    seed: str = "0"
    options: dict[str, Any] = field(default_factory=dict)
    iterations: int = ITERATIONS
    seconds: float = SECONDS

    def check(self) -> None:
        """Raise ValueError for a plan that cannot be played."""
        game = tavolino.load(self.game)
        game.check_players(self.players)
        game.start(self.players, 0, self.start_options)
        if len(set(self.entrants)) < len(self.entrants):
            raise ValueError("Each entrant can enter once only.")
        if not self.entrants:
            raise ValueError("There must be at least one entrant.")
        if not self.against:
            raise ValueError("There must be at least one fixed bot.")
        for level in self.against:
            if level not in LEVELS:
                raise ValueError(f"The fixed bots must be levels ({', '.join(LEVELS)}), not {level!r}.")
        for entrant in self.entrants:
            if entrant not in LEVELS and ":" not in entrant:
                levels = ", ".join(LEVELS)
                raise ValueError(f"There is no bot {entrant!r}. A bot is a level ({levels}) or module:Class.")

    @property
    def start_options(self) -> dict[str, Any]:
        """The options of every game: the seat that begins, or plays alone, is the same in all deals."""
        name = meta_of(self.game).seat_option
        return {**({} if name is None else {name: 0}), **self.options}

    @property
    def programs(self) -> tuple[str, ...]:
        """The entrants that are not levels."""
        return tuple(name for name in self.entrants if name not in LEVELS)

    def level_at(self, seat: int) -> str:
        """The fixed bot of a seat."""
        return self.against[min(seat, len(self.against) - 1)]

    def all_deals(self) -> Iterator[Deal]:
        for number in range(self.deals):
            seat = number % self.players
            yield Deal(f"deal {number + 1}", tuple({seat: name} for name in self.entrants))
        pairs = [(a, b) for nth, a in enumerate(self.entrants) for b in self.entrants[nth + 1 :]]
        for number in range(self.meetings):
            for a, b in pairs:
                yield Deal(f"meeting {number + 1} of {a} and {b}", (self._meeting(a, b, number),))

    def _meeting(self, a: str, b: str, number: int) -> dict[int, str]:
        """Two entrants at one table. They change seats from one meeting to the next."""
        pair, teams = number // 2, meta_of(self.game).teams
        one = pair % self.players if teams is None else int(self.start_options[teams.option])
        other = (one + 1 + pair // (self.players if teams is None else 1) % (self.players - 1)) % self.players
        return {one: a, other: b} if number % 2 == 0 else {one: b, other: a}

    def seed_of(self, *about: Any) -> str:
        """A seed that follows from that of the tournament. Nobody can compute another one from it."""
        return hashlib.sha256(json.dumps([self.seed, *about]).encode()).hexdigest()
