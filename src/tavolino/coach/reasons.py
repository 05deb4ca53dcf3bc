"""Reasons for an action: the facts of a game's module `explain`, for a position as its seat saw it.

A fact is said only if it is true and speaks for the action. A game's module `claims` checks both in worlds that are
possible for the seat, by looking at positions. Where a loss has no such fact, what is left to say is about how often
each of the two actions wins (`played_out`).
"""

from collections.abc import Iterator, Sequence
from itertools import islice

from tavolino.engine.explanation import Claims, Fact, Theme
from tavolino.engine.match import Match
from tavolino.games import part_of

MOST = 3  # facts for one decision
PLAYED_OUT = "played-out"
GAMES = (10, 20, 100)  # of so many games an action wins some: the smallest number that tells two chances apart


def reasons(
    match: Match, seat: int, better: str, chosen: str | None = None, runner_up: str | None = None
) -> tuple[Fact, ...]:
    """Why an action is good for a seat (and another one is not), from what this seat could know at that moment.

    A fact must speak for the action against the chosen one or the runner-up, or else against the others on average.
    """
    module = part_of(match.game.name, "explain")
    if module is None:
        return ()
    facts: list[Fact] = module.explain(match.view(seat), match.notebook(seat), better, chosen)
    return tuple(islice(checked(match, seat, better, chosen, facts, runner_up), MOST))


def theme_of(game: str, better: str, facts: Sequence[Fact]) -> Theme | None:
    """What a puzzle is about; None where the game has no themes."""
    find = getattr(part_of(game, "explain"), "theme", None)
    return None if find is None else find(better, facts)


def checked(
    match: Match,
    seat: int,
    better: str,
    chosen: str | None,
    facts: Sequence[Fact],
    runner_up: str | None = None,
    salt: str = "",
) -> Iterator[Fact]:
    """The facts that are true and speak for the better action. Another `salt` checks them in other worlds."""
    claims: Claims | None = part_of(match.game.name, "claims")
    if claims is None or not facts:
        yield from facts
        return
    worlds = [match.resample(seat, f"reason {salt}{number}") for number in range(claims.WORLDS)]
    other = chosen or runner_up
    others = [action for action in match.legal() if action != better] if other is None else [other]
    for fact in facts:
        claim = claims.CLAIMS.get(fact.key)
        about = chosen if claim is not None and claim.is_of_chosen else better
        if claim is not None and about is not None and claim.is_true(worlds, seat, about, fact):
            worth = {each: sum(claim.worth(world, seat, each, fact) for world in worlds) for each in (better, *others)}
            if not others or worth[better] > sum(worth[each] for each in others) / len(others):
                yield fact


def played_out(better: float, other: float) -> Fact:
    """The reason there always is for a loss: about how often the two actions win, in words that a person can feel."""
    of = next((of for of in GAMES if round(better * of) > round(other * of)), GAMES[-1])
    return Fact(PLAYED_OUT, {"wins": round(better * of), "other": round(other * of), "of": of})
