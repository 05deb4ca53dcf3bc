"""One decision by playouts: the chance to win after each action, over worlds that the seat could not tell apart.

In three stages, each in worlds of its own, so that an action is not measured in the worlds that selected it:

1. All actions, in short playouts that are cut and evaluated: the few best ones are found.
2. These, in playouts to the end, until one is ahead: the best one is chosen.
3. The best action, the one taken and the heuristic's own: how far they are apart.

How many worlds a stage takes depends on how close the actions are, and on how long the playouts take, by the work that
they count and never by a clock: the same position always gets the same judgement. `judge.py` asks the search as well.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import hypot
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tavolino.coach.labels import BLUNDER, INACCURACY, SURE, Label, is_told_apart, label_of
from tavolino.coach.playouts import AS_POLICY, BLINDLY
from tavolino.coach.worlds import Worlds, difference, mean_and_error
from tavolino.engine.match import Match
from tavolino.engine.policy import TO_THE_END

ROUND = 64  # worlds played before the figures are compared again
SHORT_ROUND = 32  # while all actions are tried: those clearly behind are left out sooner
LEADERS = 3  # go on to the second stage
CLEAR = 3.0  # standard errors: an action this far behind is left out
CLOSE_ENOUGH = 0.0125  # standard error of a loss that is a blunder


@dataclass(frozen=True)
class Effort:
    """How much work the stages may take. Five to ten million is about a second of one core."""

    screening: int = 200_000
    choosing: int = 300_000
    measuring: int = 700_000
    measuring_a_loss: int = 2_000_000  # where the action taken seems to cost something
    measuring_a_blunder: int = 9_000_000  # where it seems to cost much
    guessing: int = 50_000
    error: float = 0.01  # standard error of a difference below which no more worlds are played
    value_error: float = 0.025  # of the chance to win itself: a point of the curve, and no judgement
    search: int | None = None  # iterations of a search; None: those of a table


USUAL = Effort()


@dataclass(frozen=True)
class Candidate:
    """One action: the chance to win after it, with its standard error, and in how many worlds it was tried.

    A chance from cut playouts is only good for comparing: `is_estimate`. `label` is None where nothing is said against
    an action that looks worse, because the search was not asked about it.
    """

    action: str
    chance: float
    error: float
    worlds: int
    is_estimate: bool
    cost: float | None = None  # against the best action; None for an estimate
    label: Label | None = None


@dataclass(frozen=True)
class Judgement:
    """The result of judging one decision of a seat."""

    chosen: str
    best: str
    usual: str | None  # the heuristic's action; None if it differs from world to world
    candidates: tuple[Candidate, ...]  # the best one first
    chance: float  # if the seat played the heuristic's action
    chance_error: float
    gain: float  # of the chosen action over the heuristic's own, world by world
    gain_error: float
    cost: float  # of the chosen action against the best one, world by world
    cost_error: float
    guess_cost: float  # of a random action, on average: how hard the decision was
    label: Label

    @property
    def is_told_apart(self) -> bool:
        """Whether the chosen action is worse than the best one beyond the error."""
        return is_told_apart(self.cost, self.cost_error)

    def candidate(self, action: str) -> Candidate:
        return next(each for each in self.candidates if each.action == action)

    def from_chance(self, chance: float, error: float) -> "Judgement":
        """The same judgement for a chance to win that is known from elsewhere: what the actions are apart stays."""
        by = chance - self.chance
        candidates = (replace(each, chance=min(1.0, max(0.0, each.chance + by))) for each in self.candidates)
        return replace(self, chance=chance, chance_error=error, candidates=tuple(candidates))


def judge_by_playouts(match: Match, seat: int, chosen: str, effort: Effort = USUAL, salt: str = "") -> Judgement:
    """Judge an action of the seat to act by playouts alone, only from what this seat knows."""
    worlds = Worlds(match, seat, salt)
    texts = {number: text for text, number in worlds.texts.items()}
    taken, usual = worlds.texts[chosen], worlds.policy_action
    if len(texts) == 1:
        return _only_one(worlds, chosen, effort)
    screened = _screen(worlds, list(texts), effort)
    leaders = sorted(texts, key=lambda number: -screened[number].mean())[:LEADERS]
    in_question = list(dict.fromkeys([*leaders, taken]))
    played = _play_closest(worlds, in_question, effort)
    best = max(in_question, key=lambda number: (played[number].mean(), number == taken))
    measured = _measure(worlds, [best, taken, usual], effort)
    cost, cost_error = difference(measured[best], measured[taken])
    gain, gain_error = _gain(measured[taken], measured[usual])
    chance, chance_error = mean_and_error(measured[usual])
    if cost < 0.0:  # in new worlds the best action is not better: then the chosen one counts as best
        best, cost, cost_error = taken, 0.0, 0.0
    return Judgement(
        chosen,
        texts[best],
        None if usual == AS_POLICY else texts[usual],
        _with_losses(_candidates(texts, best, screened, played, measured), chosen, cost, label_of(cost, cost_error)),
        chance,
        chance_error,
        gain,
        gain_error,
        cost,
        cost_error,
        _guess_cost(worlds, best, effort),
        label_of(cost, cost_error),
    )


Samples = dict[int, NDArray[Any]]  # by action: the seat's result in each world


def _only_one(worlds: Worlds, chosen: str, effort: Effort) -> Judgement:
    number = worlds.texts[chosen]
    chance, error = mean_and_error(_measure(worlds, [number] * 3, effort)[number])
    candidate = Candidate(chosen, chance, error, 0, False, 0.0, "only")
    return Judgement(chosen, chosen, chosen, (candidate,), chance, error, 0.0, 0.0, 0.0, 0.0, 0.0, "only")


def _play(worlds: Worlds, samples: Samples, tried: Sequence[int], cut: int = TO_THE_END, count: int = ROUND) -> None:
    """One more round of worlds for these actions."""
    results = worlds.play(list(tried), count, cut)[:, :, worlds.seat]
    for nth, number in enumerate(tried):
        before = samples.get(number)
        samples[number] = results[:, nth] if before is None else np.concatenate([before, results[:, nth]])


def _screen(worlds: Worlds, actions: list[int], effort: Effort) -> Samples:
    """All actions in short playouts; those clearly behind are left out early, within the limit of work."""
    samples: Samples = {}
    end, left = worlds.work + effort.screening, actions
    while True:
        _play(worlds, samples, left, worlds.short_cut, SHORT_ROUND)
        best = max(left, key=lambda number: samples[number].mean())
        near = [number for number in left if _is_near(samples, number, best)]
        if len(near) >= LEADERS:
            left = near
        if worlds.work >= end or len(left) <= LEADERS:
            return samples


def _play_closest(worlds: Worlds, actions: list[int], effort: Effort) -> Samples:
    """Play the leaders to the end of the game, until one is ahead of all others."""
    samples: Samples = {}
    end, left = worlds.work + effort.choosing, actions
    while len(left) > 1 or not samples:
        _play(worlds, samples, left)
        best = max(left, key=lambda number: samples[number].mean())
        left = [number for number in left if _is_near(samples, number, best)]
        if worlds.work >= end or _max_error(samples, left, best) < effort.error:
            break
    return samples


def _measure(worlds: Worlds, actions: list[int], effort: Effort, only_losses: bool = False) -> Samples:
    """Play the best action, the chosen one and the heuristic's to the end; longer if there seems to be a loss.

    With `only_losses`, no longer than until it is clear that there is none.
    """
    samples: Samples = {}
    best, taken, usual = actions
    different = list(dict.fromkeys(actions))
    begun = worlds.work
    while True:
        _play(worlds, samples, different)
        cost, error = difference(samples[best], samples[taken])
        is_loss = cost > INACCURACY and cost > error
        is_exact = only_losses or mean_and_error(samples[usual])[1] < effort.value_error
        if only_losses and cost + SURE * error < INACCURACY:
            return samples
        if error < CLOSE_ENOUGH and cost > BLUNDER + CLEAR * error:
            return samples
        if is_exact and _max_error(samples, different, taken) < effort.error:
            return samples
        if worlds.work - begun >= (effort.measuring_a_loss if is_loss else effort.measuring):
            break
    # Only two actions are left to compare: the chance to win itself is known well enough.
    while may_be_blunder(cost, error) and worlds.work - begun < effort.measuring_a_blunder:
        _play(worlds, samples, [best, taken])
        cost, error = difference(samples[best], samples[taken])
    return samples


def may_be_blunder(cost: float, error: float) -> bool:
    """Whether more playouts are worth their time: a loss that may be a blunder, and is not known well enough."""
    return cost > BLUNDER - error and error > CLOSE_ENOUGH


def _gain(taken: NDArray[Any], usual: NDArray[Any]) -> tuple[float, float]:
    """In the worlds in which both were played."""
    both = min(len(taken), len(usual))
    return difference(taken, usual) if taken is usual else difference(taken[:both], usual[:both])


def _is_near(samples: Samples, number: int, best: int) -> bool:
    count = min(len(samples[number]), len(samples[best]))
    behind, error = difference(samples[best][:count], samples[number][:count])
    return number == best or behind < CLEAR * error


def _max_error(samples: Samples, actions: Sequence[int], best: int) -> float:
    others = [number for number in actions if number != best]
    return max((difference(samples[best], samples[number])[1] for number in others), default=0.0)


def _candidates(
    texts: dict[int, str], best: int, screened: Samples, played: Samples, measured: Samples
) -> tuple[Candidate, ...]:
    """Every action with its most precise figures, the best one first."""
    found = []
    for number, text in texts.items():
        samples = measured.get(number, played.get(number, screened[number]))
        is_estimate = number not in measured and number not in played
        found.append(
            (number != best, is_estimate, Candidate(text, *mean_and_error(samples), len(samples), is_estimate))
        )
    return tuple(each for *_, each in sorted(found, key=lambda row: (row[0], row[1], -row[2].chance)))


def _with_losses(candidates: tuple[Candidate, ...], chosen: str, cost: float, label: Label) -> tuple[Candidate, ...]:
    """The actions that were played to the end with what they cost against the first one, which is the best."""
    best = candidates[0]
    found = []
    for each in candidates:
        if each.is_estimate:
            found.append(each)
        elif each.action == chosen:  # measured in the same worlds as the best one
            found.append(replace(each, cost=cost, label=label))
        else:
            behind = max(0.0, best.chance - each.chance)
            is_good = each is best or label_of(behind, hypot(best.error, each.error)) == "good"
            found.append(replace(each, cost=behind, label="good" if is_good else None))
    return tuple(found)


def compare(worlds: Worlds, one: int, other: int, effort: Effort) -> tuple[float, float]:
    """How much better one action is than another one, in new worlds, and the standard error: for labels of losses."""
    samples = _measure(worlds, [one, other, other], effort, only_losses=True)
    return difference(samples[one], samples[other])


def _guess_cost(worlds: Worlds, best: int, effort: Effort) -> float:
    """The average cost of a random action, in worlds of its own."""
    samples: Samples = {}
    end = worlds.work + effort.guessing
    while True:
        _play(worlds, samples, [best, BLINDLY])
        cost, error = difference(samples[best], samples[BLINDLY])
        if worlds.work >= end or error < effort.error:
            return cost
