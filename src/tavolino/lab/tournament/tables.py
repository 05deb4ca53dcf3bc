"""Plays the tables of deals: one game for each, and what the entrants of it got."""

from dataclasses import dataclass, field
from typing import Any

import tavolino
from tavolino.bots import LEVELS, Bot, SeatMatch, make_bot
from tavolino.engine.match import Match
from tavolino.lab.tournament.plan import Deal, Plan
from tavolino.lab.tournament.programs import Fault, Program


@dataclass
class Seated:
    """What an entrant got at a table: 1 for a win, its part of a shared one, 0 for a loss and for a fault."""

    entrant: str
    seat: int
    score: float = 0.0
    decisions: int = 0
    seconds: float = 0.0
    slowest: float = 0.0
    fault: str | None = None
    sentence: str | None = None


@dataclass
class Table:
    """A finished table: the entrants, and the record of the game."""

    seated: list[Seated]
    record: dict[str, Any] = field(default_factory=dict)


class Hall:
    """Plays deals in this process; each entrant that is a Python class has a process of its own."""

    def __init__(self, plan: Plan):
        self._plan = plan
        self._game = tavolino.load(plan.game)
        self._programs = {name: Program(name, plan.game, plan.seconds) for name in plan.programs}

    def open(self) -> None:
        """Start the programs; ValueError for a class that cannot be loaded."""
        for program in self._programs.values():
            program.sit_down(0)

    def close(self) -> None:
        for program in self._programs.values():
            program.stop()

    def play(self, deal: Deal, attempt: int) -> list[Table]:
        """All tables of a deal, with the same cards."""
        return [self._play(deal.key, attempt, dict(sorted(entrants.items()))) for entrants in deal.tables]

    def _play(self, key: str, attempt: int, entrants: dict[int, str]) -> Table:
        plan = self._plan
        match = self._game.start(plan.players, plan.seed_of(key, attempt), plan.start_options)
        fixed = {seat: self._fixed_bot(key, attempt, seat) for seat in range(plan.players)}
        own = {seat: self._sit_down(name, key, attempt) for seat, name in entrants.items()}
        seated = {seat: Seated(name, seat) for seat, name in entrants.items()}
        worlds = plan.seed_of(key, attempt, "worlds")
        while (seat := match.to_act) is not None:
            player = seated.get(seat)
            if player is None or player.fault is not None:  # a fixed bot finishes the game of who has lost it
                match.play(fixed[seat].choose(SeatMatch(match, seat)))
            else:
                match.play(self._decide(match, player, own[seat], fixed[seat], worlds))
        self._count(match, seated)
        return Table(list(seated.values()), match.record())

    def _fixed_bot(self, key: str, attempt: int, seat: int) -> Bot:
        """The same at every table of a deal: it chooses the same as long as it sees the same."""
        plan = self._plan
        seed = int(plan.seed_of(key, attempt, "fixed", seat), 16)
        return make_bot(plan.level_at(seat), plan.game, seed, iterations=plan.iterations)

    def _sit_down(self, name: str, key: str, attempt: int) -> "Bot | Program":
        seed = int(self._plan.seed_of(key, attempt, "entrant", name)[:16], 16)
        if name in LEVELS:
            return make_bot(name, self._plan.game, seed, iterations=self._plan.iterations)
        program = self._programs[name]
        program.sit_down(seed)
        return program

    def _decide(self, match: Match, player: Seated, own: "Bot | Program", fixed: Bot, world: str) -> str:
        player.decisions += 1
        if not isinstance(own, Program):
            return own.choose(SeatMatch(match, player.seat))
        try:
            action, seconds = own.choose(match, player.seat, f"{world} {player.decisions}")
        except Fault as fault:
            player.fault, player.sentence = fault.kind, fault.sentence
            action, seconds = fixed.choose(SeatMatch(match, player.seat)), fault.seconds
        player.seconds += seconds
        player.slowest = max(player.slowest, seconds)
        return action

    def _count(self, match: Match, seated: dict[int, Seated]) -> None:
        assert match.outcome is not None
        teams = match.teams()
        won = {teams[seat] for seat in match.outcome.winners}
        for seat, player in seated.items():
            if player.fault is None and teams[seat] in won:
                player.score = 1 / len(won)
