"""How strong `expert` is: `python -m bench.expert GAME [--players N] [--deals N] [--hard I] [--expert I]`.

One `expert` against `hard` in all other seats, on new deals, once in every seat. Prints the share of wins with an
interval over deals, and the CPU time of a decision of both: for an equal time choose the iterations by it. It stops
when a wide interval no longer contains the share in question (`--until`), or after so much CPU time (`--cpu`).
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from dataclasses import replace
from math import sqrt
from pathlib import Path
from statistics import mean, stdev

import numpy as np

import tavolino
from tavolino.bots.contest import Contest, Contestant, ContestGame
from tavolino.bots.policies import policy_of, settings_of
from tavolino.engine.net import net_of_weights
from tavolino.engine.net_files import read_nets

WIDE = 2.8  # standard errors: checked many times, it is right at the end in about 95 of 100 runs
EXPERT, HARD = 0, 1


class TimedContest(Contest):
    """Adds up the CPU time of the searches of each contestant."""

    def __init__(self, *arguments: object) -> None:
        super().__init__(*arguments)  # type: ignore[arg-type]
        self.seconds: Counter[int] = Counter()
        self.searches: Counter[int] = Counter()

    def _search(self, game: ContestGame, taken: int, seed: int) -> int:
        who = game.seating[int(self._states["to_act"][0])]
        begun = time.process_time()
        action = super()._search(game, taken, seed)
        self.seconds[who] += time.process_time() - begun  # type: ignore[assignment]
        self.searches[who] += 1
        return action


def measure(args: argparse.Namespace) -> None:
    shape = policy_of(args.game).net
    net = None
    if args.weights is not None and shape is not None:
        content = Path(args.weights).read_bytes()
        is_array = content.startswith(b"\x93NUMPY")
        loaded = net_of_weights(shape, np.load(args.weights)) if is_array else None
        net = loaded or read_nets(content, args.game, shape).net(args.players)
    settings = settings_of("expert", args.game)
    for change in args.setting:
        name, _, value = change.partition("=")
        settings = replace(settings, **{name: type(getattr(settings, name))(float(value))})
    lineup = [Contestant("expert", args.expert, net=net, settings=settings), Contestant("hard", args.hard)]
    contest = TimedContest(args.game, lineup)
    seat_option = tavolino.load(args.game).meta.seat_option
    options = {} if seat_option is None else {seat_option: 0}
    # Loads what is compiled, before time is measured.
    contest.play([ContestGame(-1, (EXPERT,) + (HARD,) * (args.players - 1), options)], args.seed)
    contest.seconds.clear()
    contest.searches.clear()
    shares: list[float] = []
    begun = time.process_time()
    for deal in range(args.first, args.first + args.deals):
        seatings = [
            tuple(EXPERT if each == seat else HARD for each in range(args.players)) for seat in range(args.players)
        ]
        outcomes = contest.play([ContestGame(deal, seating, options) for seating in seatings], args.seed).outcomes
        won = [int(winners) for winners, *_ in outcomes]
        shares.append(mean((each >> seat & 1) / max(1, each.bit_count()) for seat, each in enumerate(won)))
        if len(shares) % 10 == 0:
            error = stdev(shares) / sqrt(len(shares))
            print(f"  {len(shares)} deals: {100 * mean(shares):.1f} % ± {196 * error:.1f}", flush=True)
            if args.cpu is not None and time.process_time() - begun > args.cpu:
                break
            if args.until is not None and abs(mean(shares) - args.until) > WIDE * error:
                break
    error = stdev(shares) / sqrt(len(shares)) if len(shares) > 1 else 0.5
    times = [1000 * contest.seconds[who] / max(1, contest.searches[who]) for who in (EXPERT, HARD)]
    print(
        f"{args.game}, {args.players} players, expert {args.expert} against hard {args.hard}:"
        f" {100 * mean(shares):.1f} % ± {196 * error:.1f} (even {100 / args.players:.0f}), {len(shares)} deals,"
        f" {len(shares) * args.players} games;"
        f" {times[EXPERT]:.1f} and {times[HARD]:.1f} ms of CPU a decision"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--deals", type=int, default=100)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--seed", type=int, default=77)
    parser.add_argument("--hard", type=int, default=1000)
    parser.add_argument("--expert", type=int, default=1000)
    parser.add_argument("--until", type=float)
    parser.add_argument("--cpu", type=float, metavar="SECONDS")
    parser.add_argument("--weights", help="a file of `tavolino train`, or the weights of one round")
    parser.add_argument("--setting", action="append", default=[], metavar="NAME=VALUE", help="of expert's search")
    measure(parser.parse_args())


if __name__ == "__main__":
    main()
