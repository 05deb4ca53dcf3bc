"""How often the judge names a loss, and the best action: `python -m bench.judge_speaks [--positions N] [GAME ...]`.

In positions of games between `easy` bots, the action of such a bot is judged as in a review. How much it really costs
is measured by searches that are TIMES as long as the judge's, with other random numbers: one that chooses the best
action, and one for each of the actions in question.
"""

from __future__ import annotations

import argparse
import random
import time
from collections import Counter
from statistics import mean

import tavolino
from tavolino.bots import SeatMatch, make_bot
from tavolino.bots.policies import settings_of
from tavolino.coach.decision import Judgement
from tavolino.coach.intervals import wilson
from tavolino.coach.judge import LEVEL, advise, judge, search_worths
from tavolino.coach.labels import INACCURACY, LOSSES
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


def measure(game: str, args: argparse.Namespace) -> None:
    """Count labels by what the long searches say of the action, and what they say of the action named best."""
    iterations, begun = args.times * settings_of(LEVEL, game).iterations, time.process_time()
    labels: dict[str, Counter[str]] = {"10 or more": Counter(), "5 to 10": Counter(), "less than 5": Counter()}
    named: Counter[str] = Counter()
    errors: list[float] = []  # of the costs of labelled actions
    for number in range(args.first, args.first + args.positions):
        found = position(game, number)
        if found is None:
            continue
        if args.cpu is not None and time.process_time() - begun > args.cpu:
            break
        match, seat, action = found
        best = advise(match, seat, "long", iterations).action
        judged = judge(match, seat, action)
        worth = search_worths(match, seat, (best, action, judged.best), iterations, "long")
        cost = worth[best][0] - worth[action][0]
        size = "10 or more" if cost >= LARGE else "5 to 10" if cost >= SOME else "less than 5"
        labels[size][judged.label] += 1
        named[_named(judged, best, worth[best][0] - worth[judged.best][0])] += 1
        if judged.label in LOSSES:
            errors.append(judged.cost - cost)
        print(
            f"  {game}: {number - args.first + 1} positions",
            {size: dict(counts) for size, counts in labels.items()},
            dict(named),
            flush=True,
        )
    for size, counts in labels.items():
        labelled, total = sum(counts[label] for label in LOSSES), counts.total()
        share = f"{labelled} of {total} labelled {_interval(labelled, total)}"
        print(f"{game}, {size} points: {share}: {dict(counts)}")
    right = named.total() - named["another"]
    print(f"{game}, best action: {right} of {named.total()} {_interval(right, named.total())}: {dict(named)}")
    if errors:
        squares = mean(error * error for error in errors) ** 0.5
        print(f"{game}, cost of {len(errors)} labelled actions: off by {100 * squares:.1f} points (root mean square)")
    print(f"{game}: {time.process_time() - begun:.0f} s of CPU")


def _named(judged: Judgement, best: str, ahead: float) -> str:
    """How the judge has named the best action of the long search, which is so far ahead of the judge's."""
    if judged.best == best:
        return "named"
    if judged.label == "close":
        return "close"
    return "as good" if ahead < INACCURACY else "another"


def _interval(count: int, total: int) -> str:
    low, high = wilson(count, total) if total else (0.0, 1.0)
    return f"({100 * low:.0f} to {100 * high:.0f} %)"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", default=list(tavolino.games()))
    parser.add_argument("--positions", type=int, default=100)
    parser.add_argument("--times", type=int, default=10)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--cpu", type=float, metavar="SECONDS")
    args = parser.parse_args()
    for game in args.games:
        measure(game, args)


if __name__ == "__main__":
    main()
