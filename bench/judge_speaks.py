"""How often the judge names a loss: `python -m bench.judge_speaks [--positions N] [--times N] [GAME ...]`.

In positions of games between `easy` bots, the action of such a bot is judged as in a review. How much it really costs
is measured by searches that are TIMES as long as the judge's, with other random numbers: one that chooses the best
action, and one for each of the two actions.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter

import tavolino
from tavolino.bots import SeatMatch, make_bot
from tavolino.bots.policies import settings_of
from tavolino.coach.intervals import wilson
from tavolino.coach.judge import LEVEL, advise, judge, search_worths
from tavolino.coach.labels import LOSSES
from tavolino.engine.match import Match

MOST_PLAYERS = 4
LARGE, SOME = 0.10, 0.05  # of the chance to win


def position(game: str, number: int) -> tuple[Match, int, str] | None:
    """A position of a game of easy bots where one of them has a choice, and what it plays there."""
    loaded, chance = tavolino.load(game), random.Random(number)
    players = [each for each in loaded.players if each <= MOST_PLAYERS]
    seats = players[number % len(players)]
    match = loaded.start(seats, f"judge speaks {number}")
    bots = [make_bot("easy", game, number + seat) for seat in range(seats)]
    found = []
    while (seat := match.to_act) is not None:
        action = bots[seat].choose(SeatMatch(match, seat))
        if len(match.legal()) > 1:
            found.append((match.clone(), seat, action))
        match.advance(action)
    return chance.choice(found) if found else None


def measure(game: str, positions: int, times: int, first: int) -> None:
    """Count labels by what the long searches say of the action."""
    iterations = times * settings_of(LEVEL, game).iterations
    labels: dict[str, Counter[str]] = {"10 or more": Counter(), "5 to 10": Counter(), "less than 5": Counter()}
    for number in range(first, first + positions):
        found = position(game, number)
        if found is None:
            continue
        match, seat, action = found
        best = advise(match, seat, "long", iterations).action
        worth = search_worths(match, seat, (best, action), iterations, "long")
        cost = worth[best][0] - worth[action][0]
        size = "10 or more" if cost >= LARGE else "5 to 10" if cost >= SOME else "less than 5"
        labels[size][judge(match, seat, action).label] += 1
        print(
            f"  {game}: {number - first + 1} positions",
            {size: dict(counts) for size, counts in labels.items()},
            flush=True,
        )
    for size, counts in labels.items():
        named, total = sum(counts[label] for label in LOSSES), counts.total()
        low, high = wilson(named, total) if total else (0.0, 1.0)
        share = f"{named} of {total} labelled ({100 * low:.0f} to {100 * high:.0f} %)"
        print(f"{game}, {size} points: {share}: {dict(counts)}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", default=list(tavolino.games()))
    parser.add_argument("--positions", type=int, default=100)
    parser.add_argument("--times", type=int, default=10)
    parser.add_argument("--first", type=int, default=0)
    args = parser.parse_args()
    for game in args.games:
        measure(game, args.positions, args.times, args.first)


if __name__ == "__main__":
    main()
