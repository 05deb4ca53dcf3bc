"""What the judge says of its own hints: `python -m bench.hints_reviewed [--hints N] [--level LEVEL] [GAME ...]`.

A seat plays like LEVEL with the effort of a table, as somebody does who follows every hint; the others are LEVEL too,
with fewer iterations. Every choice of the seat is judged with other random numbers than it was found with: at a table
they are the same, and then a followed hint never has a label. The deals rotate over 2 to 4 players and the seats.
"""

from __future__ import annotations

import argparse
from collections import Counter

import tavolino
from tavolino.bots import SeatMatch, make_bot
from tavolino.bots.policies import policy_of
from tavolino.coach.intervals import wilson
from tavolino.coach.judge import judge
from tavolino.engine.match import Match

OTHERS = 300  # iterations of the other seats
MOST_PLAYERS = 4


def measure(game: str, level: str, hints: int, first: int) -> None:
    counts: Counter[str] = Counter()
    iterations = policy_of(game).search.iterations
    players = [each for each in tavolino.load(game).players if each <= MOST_PLAYERS]
    number = first
    while counts.total() < hints:
        seats = players[number % len(players)]
        seat = number // len(players) % seats
        match = tavolino.load(game).start(seats, f"hints reviewed {number}")
        own = make_bot(level, game, number, iterations)
        others = [make_bot(level, game, number + each, OTHERS) for each in range(seats)]
        while (acting := match.to_act) is not None:
            if acting == seat:
                action = own.choose(SeatMatch(match, seat))
                if len(match.legal()) > 1:
                    counts[_label(match, seat, action)] += 1
            else:
                action = others[acting].choose(SeatMatch(match, acting))
            match.advance(action)
        number += 1
        print(f"  {game}: {number - first} games, {_written(counts)}", flush=True)
    print(f"{game}, {level}, {min(players)} to {max(players)} players, {number - first} games: {_written(counts)}")


def _label(match: Match, seat: int, action: str) -> str:
    judged = judge(match, seat, action, salt="another review")
    if judged.label in ("mistake", "blunder"):
        print(f"  {judged.label}: {action}, better {judged.best}, {judged.cost:.3f} ± {judged.cost_error:.3f}")
    return judged.label


def _written(counts: Counter[str]) -> str:
    total = counts.total()
    low, high = wilson(counts["mistake"] + counts["blunder"], total)
    shares = ", ".join(f"{label} {count}" for label, count in counts.most_common())
    return f"{total} hints: {shares}; mistakes and blunders {100 * low:.1f} to {100 * high:.1f} %"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", default=list(tavolino.games()))
    parser.add_argument("--hints", type=int, default=2_000)
    parser.add_argument("--level", default="hard")
    parser.add_argument("--first", type=int, default=0)
    args = parser.parse_args()
    for game in args.games:
        measure(game, args.level, args.hints, args.first)


if __name__ == "__main__":
    main()
