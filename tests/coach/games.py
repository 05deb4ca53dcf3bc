"""Finished games of bots, and how much work their reviews take in tests."""

import tavolino
from tavolino.bots import SeatMatch, make_bot
from tavolino.coach.decision import Effort
from tavolino.coach.review import ReviewEffort
from tavolino.engine.match import Match

LITTLE = ReviewEffort(
    Effort(20_000, 30_000, 60_000, 60_000, 60_000, 10_000, 0.02, 0.03, 400), 20_000, 30_000, 0.03, 0.02
)


def played(game: str, players: int, seed: str, levels: tuple[str, ...] = ("easy", "medium")) -> Match:
    """A game to its end; the levels are repeated until all seats are taken."""
    match = tavolino.load(game).start(players, seed)
    bots = [make_bot(levels[seat % len(levels)], game, seat) for seat in range(players)]
    while match.to_act is not None:
        match.advance(bots[match.to_act].choose(SeatMatch(match, match.to_act)))
    return match


def start_of(match: Match) -> Match:
    """The same deal before any action."""
    record = match.record()
    return match.game.start(match.players, record["seed"], record["options"], rules=record["rules"])
