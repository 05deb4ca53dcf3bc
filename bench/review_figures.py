"""Figures of the coach: `python -m bench.review_figures time|agreement [--games N] [--positions N] [GAME ...]`.

`time`: the processor's time of whole reviews. `agreement`: positions whose best action is known, from up to 20,000
playouts of each of the leading three; the review must name it, or say that it cannot be told apart from its own.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Iterator
from statistics import mean

import numpy as np

import tavolino
from tavolino.bots import SeatMatch, make_bot
from tavolino.coach.decision import CLEAR, Effort, judge
from tavolino.coach.review import review
from tavolino.coach.worlds import Worlds, difference
from tavolino.engine.match import Match

MOST, AT_ONCE, FEWEST = 20_000, 500, 2_000
KNOWN = 5.0  # standard errors between the best action and the next: more playouts would not change it
LEADING = Effort(1_000_000, 1, 1, 1, 0, 0.005, 1.0)


def usual_seats(game: str) -> int:
    return tavolino.load(game).meta.usual_seats


def play(game: str, seed: str) -> Iterator[Match]:
    """A game of mediums and easies, at every decision."""
    players = usual_seats(game)
    match = tavolino.load(game).start(players, seed)
    bots = [make_bot(("medium", "easy")[seat % 2], game, seat) for seat in range(players)]
    while (seat := match.to_act) is not None:
        yield match
        match.advance(bots[seat].choose(SeatMatch(match, seat)))
    yield match


def measure_time(game: str, games: int) -> None:
    seconds = []
    for number in range(games):
        *_, match = play(game, f"time {number}")
        record = match.record()
        start = match.game.start(match.players, record["seed"], record["options"], rules=record["rules"])
        begun = time.process_time()
        review(start, record["actions"], number % match.players)
        seconds.append(time.process_time() - begun)
        print(f"  {seconds[-1]:.2f} s, {len(record['actions'])} decisions", flush=True)
    print(f"{game}, {usual_seats(game)} players: {mean(seconds):.2f} s of one core, mean of {games} games", flush=True)


def best_of(match: Match, seat: int) -> tuple[str, float] | None:
    """The best action and its lead over the next, if that is known."""
    worlds = Worlds(match, seat, "the truth")
    names = {number: text for text, number in worlds.texts.items()}
    judged = judge(match, seat, next(iter(worlds.texts)), LEADING, "leading")
    tried = [worlds.texts[each.action] for each in judged.candidates[:3]]
    found = {number: np.zeros(0) for number in tried}
    while len(found[tried[0]]) < MOST:
        results = worlds.play(tried, AT_ONCE)[:, :, seat]
        for nth, number in enumerate(tried):
            found[number] = np.append(found[number], results[:, nth])
        ranked = sorted(tried, key=lambda number: -found[number].mean())
        lead, error = difference(found[ranked[0]], found[ranked[1]])
        if len(found[tried[0]]) >= FEWEST and lead > KNOWN * error:
            break
    return (names[ranked[0]], lead) if lead > CLEAR * error else None


def measure_agreement(game: str, positions: int) -> None:
    chance = random.Random(14)
    named = told_so = wrong = number = 0
    while named + told_so + wrong < positions:
        number += 1
        for match in play(game, f"agreement {number}"):
            seat = match.to_act
            if seat is None or len(match.legal()) < 2 or chance.random() > 0.08:
                continue
            truth = best_of(match, seat)
            if truth is None:
                continue
            best, lead = truth
            judged = judge(match, seat, chance.choice(match.legal()))
            if judged.best == best:
                named += 1
            elif not judge(match, seat, best).is_told_apart:
                told_so += 1
            else:
                wrong += 1
                print(f"  wrong: {judged.best} for {best}, which leads by {lead:.3f}", flush=True)
            print(f"  {game}: {named} named, {told_so} cannot be told apart, {wrong} wrong", flush=True)
            if named + told_so + wrong == positions:
                break
    share = 100 * (named + told_so) / positions
    print(
        f"{game}, {usual_seats(game)} players: {share:.0f} % of {positions} ({named} named, {told_so} not told apart)"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("time", "agreement"))
    parser.add_argument("names", nargs="*", default=None)
    parser.add_argument("--games", type=int, default=5)
    parser.add_argument("--positions", type=int, default=100)
    wanted = parser.parse_args()
    for game in wanted.names or tavolino.games():
        if wanted.what == "time":
            measure_time(game, wanted.games)
        else:
            measure_agreement(game, wanted.positions)


if __name__ == "__main__":
    main()
