"""Puzzles: positions with one clearly best action that `medium` does not find and that can be explained.

Positions come from the last third of games of `medium` bots, where more is decided and playouts are short. A cheap
screening rejects most of them. The best action is that of a hint; then every action is played to the end in the same
worlds, until it is clear whether this one is ahead of all others. The search does not know these worlds, so no puzzle
is selected by chance, and the solution shows what each action is worth. At last long searches must choose the same
action. The checks come in the order of what they cost for each position that they reject.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tavolino.bots import SeatMatch, make_bot
from tavolino.bots.policies import settings_of
from tavolino.coach.decision import ROUND, Candidate
from tavolino.coach.judge import LEVEL as SEARCH
from tavolino.coach.judge import advise
from tavolino.coach.labels import INACCURACY, MISTAKE
from tavolino.coach.reasons import reasons, theme_of
from tavolino.coach.sums import plain_sum
from tavolino.coach.worlds import LEVEL, Worlds, difference, mean_and_error
from tavolino.engine.explanation import Fact, Theme
from tavolino.engine.game import Game
from tavolino.engine.match import Match

LOOK_SHORT, LOOK_LONG = 32, 96  # worlds of the screening: all actions in short playouts, three of them to the end
CLEAR = 2.5  # standard errors between the best action and every other one, once all worlds are played
VERY_CLEAR, FEWEST = 4.0, 2 * ROUND  # an action this far behind, in at least this many worlds, is eliminated
HOPELESS = 2.0  # standard errors: an action this far behind the required lead will not reach it
PRICING = 1_000_000  # work, for all actions together
MOST_OF_A_GAME = 2  # puzzles: a third one is likely to look like the others
LONGER = 10  # times the table's iterations, for the searches that must agree
ASKED = 8  # times, how `medium` plays
# Who is asked how often to find the best action, and the share of the table's iterations of a search. `medium` is not
# asked again: it does not find it. With all of its iterations `hard` nearly always does.
FINDERS = (("easy", 8, 1.0), ("hard", 8, 0.01), ("hard", 4, 0.05))


@dataclass(frozen=True)
class Puzzle:
    """A position (as an unfinished game), what every action is worth, and why the best one is best."""

    record: dict[str, Any]
    seat: int
    usual: str  # what `medium` plays
    cost: float  # of that, against the best action
    cost_error: float
    actions: tuple[Candidate, ...]  # the best one first
    found_by: float  # the share of players who find the best action, the mean over levels from random to `hard`
    theme: Theme | None
    reasons: tuple[Fact, ...]

    @property
    def best(self) -> str:
        return self.actions[0].action


def find_puzzles(game: Game, players: Sequence[int], seed: int, games: range) -> Iterator[Puzzle]:
    """The puzzles of these games between `medium` bots, as they are found; the number of players rotates."""
    for number in games:
        seats = players[number % len(players)]
        actions = _play(game.start(seats, f"puzzles {seed} {number}"), seed + number * seats)
        match, found = game.start(seats, f"puzzles {seed} {number}"), 0
        for turn, action in enumerate(actions):
            seat = match.to_act
            assert seat is not None
            if 3 * turn >= 2 * len(actions) and len(match.legal()) > 1 and found < MOST_OF_A_GAME:
                puzzle = puzzle_at(match, seat, action)
                if puzzle is not None:
                    found += 1
                    yield puzzle
            match.advance(action)


def _play(match: Match, seed: int) -> list[str]:
    """The actions of a whole game between `medium` bots."""
    bots = [make_bot(LEVEL, match.game.name, seed + seat) for seat in range(match.players)]
    actions = []
    while (seat := match.to_act) is not None:
        actions.append(bots[seat].choose(SeatMatch(match, seat)))
        match.advance(actions[-1])
    return actions


def puzzle_at(match: Match, seat: int, usual: str) -> Puzzle | None:
    """The puzzle of a position in which `medium` plays `usual`, if it is one."""
    if not _looks_lost(match, seat, usual):
        return None
    best = advise(match, seat).action
    facts = () if best == usual else reasons(match, seat, best, usual)
    if not facts or medium_finds(match, seat, best):
        return None
    worlds = Worlds(match, seat, "prices")
    samples = _price(worlds, worlds.texts[best], worlds.texts[usual])
    if samples is None or not search_finds(match, seat, best):
        return None
    actions = tuple(sorted(_candidates(worlds, samples, best), key=lambda each: -each.chance))
    cost, error = _gap(samples, worlds.texts[best], worlds.texts[usual])
    found, theme = found_by(match, seat, best), theme_of(match.game.name, best, facts)
    return Puzzle(match.record(), seat, usual, cost, error, actions, found, theme, facts)


def found_by(match: Match, seat: int, best: str) -> float:
    """The share of players who find the best action: random ones, and bots of every level that are asked."""
    name, seen = match.game.name, SeatMatch(match, seat)
    shares = [1.0 / len(match.legal())]
    for level, times, share in FINDERS:
        iterations = max(1, round(share * settings_of(level, name).iterations))
        tries = (make_bot(level, name, seed, iterations).choose(seen) for seed in range(times))
        shares.append(plain_sum(each == best for each in tries) / times)
    return plain_sum(shares) / len(shares)


def medium_finds(match: Match, seat: int, best: str) -> bool:
    """Whether `medium` ever plays this action here: it breaks ties at random."""
    seen = SeatMatch(match, seat)
    return any(make_bot(LEVEL, match.game.name, seed).choose(seen) == best for seed in range(ASKED))


def search_finds(match: Match, seat: int, best: str) -> bool:
    """Whether long searches with different random numbers choose this action."""
    iterations = LONGER * settings_of(SEARCH, match.game.name).iterations
    return all(advise(match, seat, salt, iterations).action == best for salt in ("one", "two"))


def _looks_lost(match: Match, seat: int, usual: str) -> bool:
    """The screening, at a tenth of the cost of a judgement: whether `usual` seems to lose something."""
    worlds = Worlds(match, seat, "look")
    taken = worlds.texts[usual]
    numbers = list(worlds.texts.values())
    short = worlds.play(numbers, LOOK_SHORT, worlds.short_cut)[:, :, seat].mean(axis=0)
    value = dict(zip(numbers, short.tolist(), strict=True))
    leaders = sorted((each for each in numbers if each != taken), key=lambda each: -value[each])[:2]
    if value[leaders[0]] <= value[taken]:
        return False
    played = worlds.play([taken, *leaders], LOOK_LONG)[:, :, seat]
    gains = [difference(played[:, nth], played[:, 0]) for nth in range(1, played.shape[1])]
    return any(gain > INACCURACY and gain > error for gain, error in gains)


Samples = dict[int, NDArray[Any]]  # by action: what each world gave the seat


def _price(worlds: Worlds, best: int, usual: int) -> Samples | None:
    """The results of every action in the same worlds, played to the end; None if the best one is not clearly ahead.

    It must be ahead of the action of `medium` by a mistake, and of every other action by an inaccuracy. Actions that
    are far behind are not played in the later worlds.
    """
    samples: Samples = {number: np.zeros(0) for number in worlds.texts.values()}
    left = [number for number in samples if number != best]
    while left:
        results = worlds.play([best, *left], ROUND)[:, :, worlds.seat]
        for nth, number in enumerate([best, *left]):
            samples[number] = np.append(samples[number], results[:, nth])
        gaps = {each: (*_gap(samples, best, each), MISTAKE if each == usual else INACCURACY) for each in left}
        if any(ahead + HOPELESS * error < wanted for ahead, error, wanted in gaps.values()):
            return None
        if len(samples[best]) >= FEWEST:
            left = [each for each, (ahead, error, wanted) in gaps.items() if ahead < wanted + VERY_CLEAR * error]
        if worlds.work >= PRICING:
            is_alone = all(gaps[each][0] >= max(gaps[each][2], CLEAR * gaps[each][1]) for each in left)
            return samples if is_alone else None
    return samples


def _gap(samples: Samples, best: int, other: int) -> tuple[float, float]:
    """The lead of the best action in the worlds in which both were played, and its standard error."""
    return difference(samples[best][: len(samples[other])], samples[other])


def _candidates(worlds: Worlds, samples: Samples, best: str) -> Iterator[Candidate]:
    """The best action has the most worlds; the others get its value minus the gap in the worlds that they share."""
    number = worlds.texts[best]
    chance, error = mean_and_error(samples[number])
    for text, other in worlds.texts.items():
        if other == number:
            yield Candidate(text, chance, error, len(samples[other]), False)
        else:
            behind, error_of_gap = _gap(samples, number, other)
            yield Candidate(text, max(0.0, chance - behind), error_of_gap, len(samples[other]), False)
