"""The review of a finished game for one seat: its decisions, its luck, and what the others did.

V is the seat's chance to win over the worlds that are possible for it, when everybody plays by the heuristic. What
changes V from the deal to the end is split, step by step, into three parts, each measured by itself:

- own: what the chosen action is worth more (or less) than the heuristic's own, over the seat's worlds;
- others: the same for a decision of somebody else, over *their* worlds, in the chance of this seat;
- luck: V in what the seat sees after the step, less what was to be expected: V before it and the change by the choice.

Start, luck, own and others add up to the result. Decision 080 has the arithmetic, and why luck is 0 on average.
After an own action that shows the seat nothing new, V is what the judge found for that action: it is the same chance,
so it is measured once, and there is no luck (decision 131).
"""

from collections.abc import Callable, Iterable
from copy import copy
from dataclasses import dataclass, replace
from functools import partial
from math import sqrt

import numpy as np

from tavolino.bots import SeatMatch
from tavolino.coach.decision import ROUND, USUAL, Effort, Judgement
from tavolino.coach.judge import judge
from tavolino.coach.labels import LOSSES
from tavolino.coach.playouts import AS_POLICY
from tavolino.coach.reasons import played_out, reasons
from tavolino.coach.sums import plain_sum
from tavolino.coach.worlds import Worlds, difference, mean_and_error
from tavolino.engine.explanation import Fact
from tavolino.engine.match import Match

MOST_MOMENTS = 3
COARSE = 0.03  # a standard error; where playouts are long, one round of worlds leaves twice as much
SHOWN = 8  # worlds in which an action must show a seat the same, if it is to show nothing new
LONGER = 3  # times the usual work, for figures that are coarser
TURN = 0.10  # of the chance to win: a smaller step is no turning point
Progress = Callable[[int, int], None]  # how many steps are done, of how many
# Does one step, which leaves everything as it was: it may be begun in one place, given up there, and done in another.
Perform = Callable[[Callable[[], "_Reviewer"]], "_Reviewer"]


@dataclass(frozen=True)
class ReviewEffort:
    """How much work a review may take, for each own decision and for each step of somebody else."""

    own: Effort = USUAL
    value: int = 120_000
    doing: int = 160_000
    value_error: float = 0.02
    doing_error: float = 0.01


USUAL_REVIEW = ReviewEffort()


@dataclass(frozen=True)
class Step:
    """One action of the game, and how it changed the seat's chance to win."""

    turn: int  # the number of the action, from 1
    line: int  # its first line in the log
    seat: int  # who acted
    before: float
    after: float
    error: float  # the standard error of `after`
    doing: float  # by the choice
    doing_error: float
    luck: float  # by what was turned, drawn or met


@dataclass(frozen=True)
class Decision:
    """A step that the seat decided."""

    turn: int
    line: int
    judgement: Judgement
    reasons: tuple[Fact, ...]  # for the best action, as the seat could know it


@dataclass(frozen=True)
class Parts:
    """The parts of the result: `start + luck + own + others` is the result."""

    start: float
    luck: float
    own: float
    others: float
    result: float
    start_error: float
    own_error: float
    others_error: float

    @property
    def luck_error(self) -> float:
        """Errors of the values in between cancel; those of the other parts remain."""
        return sqrt(self.start_error**2 + self.own_error**2 + self.others_error**2)


@dataclass(frozen=True)
class Review:
    seat: int
    steps: tuple[Step, ...]
    decisions: tuple[Decision, ...]
    parts: Parts

    @property
    def given_away(self) -> float:
        """What the decisions cost against the best actions; what has no label counts as 0."""
        return plain_sum(each.judgement.cost for each in self.decisions if each.judgement.label in LOSSES)

    @property
    def difficulty(self) -> float:
        """What choosing every action at random would have cost."""
        return plain_sum(each.judgement.guess_cost for each in self.decisions)

    @property
    def skill(self) -> float | None:
        """The share of the cost of random choices that the seat avoided; None if random choices cost nothing."""
        at_stake = self.difficulty
        return None if at_stake == 0.0 else max(0.0, 1.0 - self.given_away / at_stake)

    @property
    def turning_point(self) -> Step | None:
        """The step that moved the chance most towards the result for good: what was lost there never came back, or what
        was won there was never lost again. None if no step moved it far."""
        sign = 1.0 if self.parts.result else -1.0
        found, largest, least = None, TURN, sign * self.parts.result
        for step in reversed(self.steps):
            least = min(least, sign * step.after)  # of the chances from here on, towards the result
            if least - sign * step.before > largest:
                found, largest = step, least - sign * step.before
        return found

    @property
    def moments(self) -> tuple[Decision, ...]:
        """The decisions most worth another look, the costliest first."""
        costly = [each for each in self.decisions if each.judgement.label in LOSSES]
        return tuple(sorted(costly, key=lambda each: -each.judgement.cost)[:MOST_MOMENTS])


class Unfinished(ValueError):
    """The game has not ended: there is no result to explain, and a review would reveal secrets."""

    def __init__(self) -> None:
        super().__init__("The game is not over: only finished games are reviewed.")


def review(
    match: Match,
    actions: Iterable[str],
    seat: int,
    effort: ReviewEffort = USUAL_REVIEW,
    progress: Progress = lambda done, total: None,
    salt: str = "",
    perform: Perform = lambda step: step(),
) -> Review:
    """Review a game for a seat: `match` is at its start and is played to its end by the actions.

    `perform` does each step, somewhere: the next one is begun when it is done.
    """
    todo = list(actions)
    if not 0 <= seat < match.players:
        raise ValueError(f"There is no seat {seat}: seats are numbered 0 to {match.players - 1}.")
    _check_finished(match.clone(), todo)
    reviewer = _Reviewer(match, seat, effort, salt)
    for done, action in enumerate(todo):
        progress(done, len(todo))
        reviewer = perform(partial(reviewer.after, action))
    progress(len(todo), len(todo))
    return reviewer.result()


def _check_finished(match: Match, actions: list[str]) -> None:
    for action in actions:
        match.advance(action)
    if not match.over:
        raise Unfinished


class _Reviewer:
    """Goes through a game step by step. `_value` is V of what the seat sees now, measured in worlds of this moment."""

    def __init__(self, match: Match, seat: int, effort: ReviewEffort, salt: str):
        self._match, self._seat, self._effort, self._salt = match, seat, effort, salt
        self._steps: list[Step] = []
        self._decisions: list[Decision] = []
        self._turn = 0
        self._value = self._error = self._start_error = 0.0  # set by the first step
        self._is_carried = False  # whether `_value` is that of the own action before

    def after(self, action: str) -> "_Reviewer":
        """A copy that is one step further."""
        twin = copy(self)
        twin._match, twin._steps, twin._decisions = self._match.clone(), self._steps[:], self._decisions[:]
        twin.take(action)
        return twin

    def take(self, action: str) -> None:
        """Measure one step: the choice where it is made, then what the seat sees after it."""
        actor, line = self._match.to_act, self._match.lines
        assert actor is not None
        self._turn += 1
        judgement = None
        if actor == self._seat:
            judgement = judge(self._match, actor, action, self._effort.own, self._salt)
            if self._is_carried:
                judgement = judgement.from_chance(self._value, self._error)
            self._decisions.append(Decision(self._turn, line, judgement, reasons_for(self._match, actor, judgement)))
        if not self._steps:
            self._value, self._error = self._value_now(judgement)
            self._start_error = self._error
        elif judgement is not None and not self._is_carried:
            self._correct_last_value(judgement)
        before = self._value
        if judgement is not None:
            doing, doing_error = judgement.gain, judgement.gain_error
        else:
            doing, doing_error = self._doing_of(actor, action)
        shows_nothing = judgement is not None and _shows_nothing(self._match, actor, action)
        self._match.advance(action)
        self._is_carried = shows_nothing and not self._match.over
        if judgement is not None and self._is_carried:
            self._value, self._error = before + doing, judgement.candidate(action).error
        elif self._match.over or self._match.to_act != self._seat:
            self._value, self._error = self._value_now(None)
        after, error = self._value, self._error
        luck = after - (before + doing)
        self._steps.append(Step(self._turn, line, actor, before, after, error, doing, doing_error, luck))

    def _correct_last_value(self, judgement: Judgement) -> None:
        """V before an own decision comes from its judgement: it replaces the value at the end of the step before."""
        self._value, self._error = judgement.chance, judgement.chance_error
        last = self._steps[-1]
        luck = self._value - (last.before + last.doing)
        self._steps[-1] = replace(last, after=self._value, error=self._error, luck=luck)

    def _value_now(self, judgement: Judgement | None) -> tuple[float, float]:
        match = self._match
        if judgement is not None:
            return judgement.chance, judgement.chance_error
        if match.over:
            return result_of(match, self._seat), 0.0
        worlds = Worlds(match, self._seat, self._salt)
        samples = np.zeros(0)
        while True:
            samples = np.append(samples, worlds.play([AS_POLICY], ROUND)[:, 0, self._seat])
            value, error = mean_and_error(samples)
            if _is_enough(error, self._effort.value_error, worlds.work, self._effort.value):
                return value, error

    def _doing_of(self, actor: int, action: str) -> tuple[float, float]:
        """What another seat's choice changes for this seat, over the worlds of the seat that chose."""
        worlds = Worlds(self._match, actor, self._salt)
        taken, usual = worlds.texts[action], worlds.policy_action
        if taken == usual or len(worlds.texts) == 1:
            return 0.0, 0.0
        one, other = np.zeros(0), np.zeros(0)
        while True:
            results = worlds.play([taken, usual], ROUND)[:, :, self._seat]
            one, other = np.append(one, results[:, 0]), np.append(other, results[:, 1])
            change, error = difference(one, other)
            if _is_enough(error, self._effort.doing_error, worlds.work, self._effort.doing):
                return change, error

    def result(self) -> Review:
        steps = self._steps
        own = [step for step in steps if step.seat == self._seat]
        others = [step for step in steps if step.seat != self._seat]
        parts = Parts(
            start=steps[0].before,
            luck=plain_sum(step.luck for step in steps),
            own=plain_sum(step.doing for step in own),
            others=plain_sum(step.doing for step in others),
            result=result_of(self._match, self._seat),
            start_error=self._start_error,
            own_error=sqrt(plain_sum(step.doing_error**2 for step in own)),
            others_error=sqrt(plain_sum(step.doing_error**2 for step in others)),
        )
        return Review(self._seat, tuple(steps), tuple(self._decisions), parts)


def _shows_nothing(match: Match, seat: int, action: str) -> bool:
    """Whether the seat knows beforehand what it will see after its action: it is the same in other possible worlds."""

    def seen_after(world: Match) -> bytes:
        world.advance(action)
        return SeatMatch(world, seat).fingerprint()

    truly = seen_after(match.clone())
    return all(seen_after(match.resample(seat, f"shown {number}")) == truly for number in range(SHOWN))


def reasons_for(match: Match, seat: int, judgement: Judgement) -> tuple[Fact, ...]:
    """Why the best action is best: facts, or for a loss without any how often the two actions win."""
    chosen = None if judgement.best == judgement.chosen else judgement.chosen
    runner_up = next((each.action for each in judgement.candidates if each.action != judgement.best), None)
    facts = reasons(match, seat, judgement.best, chosen, runner_up)
    if facts or judgement.label not in LOSSES:
        return facts
    chances = {each.action: each.chance for each in judgement.candidates}
    return (played_out(chances[judgement.best], chances[judgement.chosen]),)


def _is_enough(error: float, wanted: float, work: int, limit: int) -> bool:
    """Whether a figure is measured well enough, or has taken enough work: more of it while the error is large."""
    return error < wanted or work >= (limit if error < COARSE else LONGER * limit)


def result_of(match: Match, seat: int) -> float:
    """The share of the win: 1 split evenly among the winning teams, as in the playouts."""
    outcome = match.outcome
    assert outcome is not None
    teams = match.game.teams(match._states[0]).tolist()
    won = {teams[winner] for winner in outcome.winners}
    return 1.0 / len(won) if teams[seat] in won else 0.0
