"""The judge: what each action is worth to a seat, and how sure that is. Hints, reviews and puzzles all ask it.

It has two methods, whose errors are different:

- playouts to the end of the game (`decision.py`) overlook plans that the heuristic cannot carry out;
- the search of the strongest level carries plans out, but evaluates positions instead of playing to the end.

A hint is the choice of the search. A label needs both methods: each must find that the same other action is better by
more than the threshold of the label, and a second search with other random numbers must not choose the blamed action.
Either method may propose that action: the playouts, whose few leaders often do not include the choice of the search, or
the search. A loss that the playouts propose and the search denies makes the decision "close". The search is limited by
iterations, and its random numbers come from what the seat has seen. So the same view always gets the same judgement,
and the review of a position repeats the search of a hint there: a followed hint never gets a label.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from math import hypot

from tavolino.bots import SeatMatch, hint
from tavolino.bots.levels import Search
from tavolino.bots.policies import net_of, policy_of, settings_of
from tavolino.coach.decision import USUAL, Candidate, Effort, Judgement, compare, judge_by_playouts, may_be_blunder
from tavolino.coach.labels import INACCURACY, LOSSES, Label, label_of, milder
from tavolino.coach.worlds import SEED_BITS, Worlds
from tavolino.engine.match import Match
from tavolino.engine.reading import read

LEVEL = "expert"  # whose search it is
Worth = tuple[float, float]  # the chance to win, or a difference of two, and its standard error


@dataclass(frozen=True)
class Advice:
    """What the judge would do in a seat, and the chance to win with it."""

    action: str
    chance: float


def advise(match: Match, seat: int, salt: str = "", iterations: int | None = None) -> Advice:
    """The best action of the seat to act, only from what this seat knows. Another `salt` gives other random numbers."""
    known = SeatMatch(match, seat)
    found = hint(known, _seed(known, salt), iterations or settings_of(LEVEL, match.game.name).iterations)
    return Advice(found["action"], found["win"])


def judge(match: Match, seat: int, chosen: str, effort: Effort = USUAL, salt: str = "") -> Judgement:
    """Judge an action of the seat to act, only from what this seat knows."""
    # Whether a loss is a blunder is measured once the search has found the loss, too.
    played = judge_by_playouts(match, seat, chosen, replace(effort, measuring_a_blunder=0), salt)
    if played.label == "only" or _is_decided(played):
        return played
    advised = advise(match, seat, salt, effort.search).action
    if played.label not in LOSSES and advised == chosen:
        return played  # neither method finds anything better
    return _confirm(match, seat, played, advised, effort, salt)


def _is_decided(played: Judgement) -> bool:
    """Whether the playouts cannot find a loss that has a label: the leaders win nothing, or the chosen action all."""
    most = max(each.chance for each in played.candidates if not each.is_estimate)
    return most < INACCURACY or played.candidate(played.chosen).chance > 1.0 - INACCURACY


def _confirm(match: Match, seat: int, played: Judgement, advised: str, effort: Effort, salt: str) -> Judgement:
    """Whether both methods find that one of the actions that they propose is better than the chosen one."""
    chosen, is_loss = played.chosen, played.label in LOSSES
    worlds = Worlds(match, seat, f"{salt}confirm")

    def cost_against(better: str, effort: Effort) -> Worth:
        return compare(worlds, worlds.texts[better], worlds.texts[chosen], effort)

    costs = {played.best: (played.cost, played.cost_error)} if is_loss else {}
    if not is_loss:  # these playouts take less time than the searches, and deny most losses
        costs[advised] = cost_against(advised, replace(effort, measuring_a_blunder=0))
        if label_of(*costs[advised]) not in LOSSES:
            return played
    proposed = dict.fromkeys((advised, *costs))
    searched = search_worths(match, seat, (*proposed, chosen), effort.search, salt)
    for better in proposed if advised != chosen else ():
        behind = _behind(searched[better], searched[chosen])
        if label_of(*behind) not in LOSSES:
            continue
        cost = costs.get(better)
        if cost is None or may_be_blunder(*cost):
            cost = cost_against(better, effort)
        loss = _agree(cost, behind)
        if loss.label in LOSSES and advise(match, seat, f"{salt}again", effort.search).action != chosen:
            return _lost(match, seat, played, better, loss, searched, effort, salt)
    return _close(played, advised, searched) if is_loss else played


@dataclass(frozen=True)
class _Agreed:
    """What both methods find of a loss: no more than the milder of them says."""

    ahead: float  # of the better action
    error: float
    label: Label
    by_playouts: Worth

    @property
    def cost(self) -> float:
        return max(0.0, self.ahead)


def _agree(by_playouts: Worth, by_search: Worth) -> _Agreed:
    label = milder(label_of(*by_playouts), label_of(*by_search))
    ahead, error = min(by_playouts, by_search, key=lambda worth: abs(worth[0]))
    if by_playouts[0] * by_search[0] < 0.0:
        ahead = 0.0
    return _Agreed(ahead, error, label, by_playouts)


def _behind(better: Worth, other: Worth) -> Worth:
    return better[0] - other[0], hypot(better[1], other[1])


def _close(played: Judgement, best: str, searched: Mapping[str, Worth]) -> Judgement:
    """The two methods disagree: nothing is said against the chosen action."""
    chosen = played.candidate(played.chosen)
    candidates = []
    for each in played.candidates:
        if each.action in searched:
            ahead = each.chance - chosen.chance, hypot(each.error, chosen.error)
            by_both = _agree(ahead, _behind(searched[each.action], searched[chosen.action]))
            found = _from_chosen(each, chosen, by_both)
            is_labelled = each.action in (best, chosen.action)
            candidates.append(replace(found, cost=0.0, label="close") if is_labelled else found)
        else:
            candidates.append(replace(each, is_estimate=True, cost=None, label=None))
    candidates.sort(key=lambda each: (each.action != best, each.is_estimate, -each.chance))
    return replace(played, best=best, cost=0.0, cost_error=0.0, label="close", candidates=tuple(candidates))


def _lost(
    match: Match,
    seat: int,
    played: Judgement,
    best: str,
    loss: _Agreed,
    searched: Mapping[str, Worth],
    effort: Effort,
    salt: str,
) -> Judgement:
    """A loss that both methods find: every action that was played to the end gets what both find."""
    measured = [each for each in played.candidates if not each.is_estimate or each.action == best]
    missing = [each.action for each in measured if each.action not in searched]
    worths = {**searched, **search_worths(match, seat, missing, effort.search, salt)}
    chosen = played.candidate(played.chosen)
    values = {each.action: (each.chance, each.error) for each in measured}
    # The search may have found a best action that was only estimated before; it was compared with the chosen one.
    values[best] = chosen.chance + loss.by_playouts[0], values[best][1]
    top = _from_chosen(played.candidate(best), chosen, loss)
    judged = []
    for each in measured:
        agreed = _agree(_behind(values[best], values[each.action]), _behind(worths[best], worths[each.action]))
        found = replace(each, chance=max(0.0, top.chance - agreed.cost), error=agreed.error, is_estimate=False)
        if each.action == chosen.action:
            agreed, found = loss, chosen
        if each.action == best:
            found = top
        judged.append(replace(found, cost=agreed.cost, label=agreed.label))
    judged.sort(key=lambda each: (each.action != best, -each.chance))
    estimates = (each for each in played.candidates if each not in measured)
    return replace(
        played,
        best=best,
        cost=loss.cost,
        cost_error=loss.error,
        label=loss.label,
        candidates=(*judged, *estimates),
    )


def _from_chosen(candidate: Candidate, chosen: Candidate, ahead: _Agreed) -> Candidate:
    """An action with the chance after the chosen one, by the playouts, and how far both methods find it ahead of that.

    So the chance after the chosen action is that of the position which it leads to, wherever a review tells it.
    """
    if candidate.action == chosen.action:
        return chosen
    chance = min(1.0, max(0.0, chosen.chance + ahead.ahead))
    return replace(candidate, chance=chance, error=ahead.error, is_estimate=False)


def search_worths(
    match: Match, seat: int, actions: Iterable[str], iterations: int | None = None, salt: str = ""
) -> dict[str, Worth]:
    """What each of these actions is worth by a search for it alone, so that all are looked at equally long.

    In the tree of an ordinary search, actions that look bad are visited rarely, and their values stay too low. Each
    action gets a third of the table's iterations, and the same worlds.
    """
    known, name = SeatMatch(match, seat), match.game.name
    settings = replace(settings_of(LEVEL, name), common_worlds=False)
    weights, net = policy_of(name).weights_of(LEVEL), net_of(LEVEL, name, match.players)
    seed = _seed(known, f"{salt}worth")
    root = known.resample(seed)
    numbers = {match.game.action_text(read(root._states), n): n for n in root._out[: root._n_legal].tolist()}
    found = {}
    for action in dict.fromkeys(actions):
        search = Search(match.game, root._states, seat, seed, settings, weights, net, numbers[action])
        search.run((iterations or settings.iterations) // 3)
        found[action] = search.worth()
    return found


def _seed(known: SeatMatch, salt: str) -> int:
    return int.from_bytes(known.fingerprint(salt)[: SEED_BITS // 8], "big")
