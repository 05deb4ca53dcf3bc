"""Figures of the coach: `python -m bench.review_figures WHAT [--games N] [--positions N] [--first N]
[GAME ...]`.

`time`: the processor's time of whole reviews. `agreement`: positions whose best action is known, from up to 20,000
playouts of each of the leading three; the review must name it, or say that it cannot be told apart from its own.
`cost`: what a random action costs by the review, against 20,000 playouts of it and of the best one. `luck`: the mean
over games.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Iterator
from math import sqrt
from statistics import mean, stdev

import numpy as np

import tavolino
from tavolino.bots import SeatMatch, make_bot
from tavolino.coach.decision import CLEAR, ROUND, Effort
from tavolino.coach.judge import judge
from tavolino.coach.labels import BLUNDER
from tavolino.coach.playouts import AS_POLICY
from tavolino.coach.review import result_of, review
from tavolino.coach.worlds import Worlds, difference
from tavolino.engine.match import Match

MOST, AT_ONCE, FEWEST = 20_000, 500, 2_000
KNOWN = 5.0  # standard errors between the best action and the next: more playouts would not change it
LEADING = Effort(1_000_000, 1, 1, 1, 1, 0, 0.005, 1.0)


def usual_seats(game: str) -> int:
    return tavolino.load(game).meta.usual_seats


def play(game: str, seed: str) -> Iterator[Match]:
    """A game of medium and easy bots, at every decision."""
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


def measure_agreement(game: str, positions: int, first: int) -> None:
    chance, number = random.Random(14 + first), first
    named = told_so = wrong = 0
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


def measure_cost(game: str, positions: int, first: int) -> None:
    """How far the cost of an action is off: root mean square over all, and over what is a blunder by the review.

    The 20,000 playouts have an error of their own, of 0.3 to 0.7 points.
    """
    chance, number = random.Random(15 + first), first
    off: list[float] = []
    blunders: list[float] = []
    while len(off) < positions:
        number += 1
        for match in play(game, f"cost {number}"):
            seat = match.to_act
            if seat is None or len(match.legal()) < 2 or chance.random() > 0.08 or len(off) == positions:
                continue
            judged = judge(match, seat, chance.choice(match.legal()))
            if judged.best == judged.chosen:
                continue
            worlds = Worlds(match, seat, "the truth")
            tried = [worlds.texts[judged.best], worlds.texts[judged.chosen]]
            found = np.concatenate([worlds.play(tried, AT_ONCE)[:, :, seat] for _ in range(MOST // AT_ONCE)])
            off.append(judged.cost - float((found[:, 0] - found[:, 1]).mean()))
            if judged.label == "blunder":
                blunders.append(off[-1])
        print(
            f"  {game}: {len(off)} positions, {_root(off):.4f}; {len(blunders)} blunders, {_root(blunders):.4f}",
            flush=True,
        )
    print(
        f"{game}, {usual_seats(game)} players: off by {100 * _root(off):.1f} points at {len(off)} positions,"
        f" {100 * _root(blunders):.1f} at {len(blunders)} blunders (of {100 * BLUNDER:.0f} points or more)"
    )


def _root(values: list[float]) -> float:
    return sqrt(mean(value * value for value in values)) if values else 0.0


def measure_luck(game: str, games: int, first: int, count: int) -> None:
    """Step by step the values in between cancel: luck is the result less the value of the deal and of all choices.

    The number of worlds is the same for every choice: fewer make luck noisier, and its mean stays what it is.
    """
    lucks: list[float] = []
    for number in range(first, first + games):
        *_, match = play(game, f"luck {number}")
        record, seat = match.record(), number % match.players
        now = match.game.start(match.players, record["seed"], record["options"], rules=record["rules"])
        luck = -float(Worlds(now, seat).play([AS_POLICY], count)[:, 0, seat].mean())
        for action in record["actions"]:
            assert now.to_act is not None
            worlds = Worlds(now, now.to_act)
            tried = [worlds.texts[action], worlds.policy_action]
            if tried[0] != tried[1] and len(worlds.texts) > 1:
                results = worlds.play(tried, count)[:, :, seat]
                luck -= float((results[:, 0] - results[:, 1]).mean())
            now.advance(action)
        lucks.append(luck + result_of(now, seat))
        if len(lucks) % 50 == 0:
            print(f"  {game}: {len(lucks)} games, {_interval(lucks)}", flush=True)
    print(
        f"{game}, {usual_seats(game)} players: luck of {games} games from number {first} {_interval(lucks)};"
        f" sum {sum(lucks):.6f}, of squares {sum(luck * luck for luck in lucks):.6f}",
        flush=True,
    )


def _interval(values: list[float]) -> str:
    return f"{100 * mean(values):.2f} ± {196 * stdev(values) / sqrt(len(values)):.2f} points a game"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("time", "agreement", "cost", "luck"))
    parser.add_argument("names", nargs="*", default=None)
    parser.add_argument("--games", type=int, default=5)
    parser.add_argument("--positions", type=int, default=100)
    parser.add_argument("--first", type=int, default=0, help="the number of the first game: pieces of a long run")
    parser.add_argument("--worlds", type=int, default=ROUND, help="for each choice, to measure luck")
    wanted = parser.parse_args()
    for game in wanted.names or tavolino.games():
        if wanted.what == "time":
            measure_time(game, wanted.games)
        elif wanted.what == "cost":
            measure_cost(game, wanted.positions, wanted.first)
        elif wanted.what == "luck":
            measure_luck(game, wanted.games, wanted.first, wanted.worlds)
        else:
            measure_agreement(game, wanted.positions, wanted.first)


if __name__ == "__main__":
    main()
