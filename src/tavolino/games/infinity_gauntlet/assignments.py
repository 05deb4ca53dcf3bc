"""In how many ways the hidden hero cards can be dealt, and how often each card is in each place.

Cards that can be in the same places are alike, so what is left after each place is a number of cards of each class.
These numbers, and the ways that the cards so far have in common (arrangements.py), are followed forwards and backwards.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from math import comb
from typing import NamedTuple

MOST_STATES = 1500
ALL_WAYS = -1

State = tuple[tuple[int, ...], int]  # cards left of each class, and the ways that are left


class Holder(NamedTuple):
    """A place, or the hand of a hero with two cards: one that was held, and one that was drawn."""

    ways: Mapping[int, int]  # by card: the ways with which it can be there, or was held
    drawn: frozenset[int] | None = None  # the cards that can have been drawn


class Assigned(NamedTuple):
    """`total` counts with the weights; a share is how many of a card the holder has on average."""

    total: int
    shares: list[dict[int, float]]  # by holder and card
    by_ways: Counter[int]  # how many deals have these ways in common, without weights


class _Choice(NamedTuple):
    """Cards of these classes, with the ways of that choice."""

    classes: tuple[int, ...]
    ways: int


def assign(holders: Sequence[Holder], cards: Sequence[int], weigh: Callable[[int], int]) -> Assigned | None:
    """Deal all cards, one to a place and two to a hand of two. `weigh` is the weight of a deal by the ways that its
    cards have in common. None with more than MOST_STATES states."""
    alike: dict[tuple[int, ...], list[int]] = defaultdict(list)
    for card in cards:
        alike[tuple(_signature(holders, card))].append(card)
    classes = list(alike.values())
    choices = [list(_choices(holder, [each[0] for each in classes])) for holder in holders]
    before: list[Counter[State]] = [Counter({(tuple(map(len, classes)), ALL_WAYS): 1})]
    for choices_here in choices:
        after = Counter[State]()
        for state, n in before[-1].items():
            for _, number, next_state in _steps(state, choices_here):
                after[next_state] += n * number
        before.append(after)
        if sum(map(len, before)) > MOST_STATES:
            return None
    behind = {state: weigh(state[1]) for state in before[-1]}
    total = sum(n * behind[state] for state, n in before[-1].items())
    by_ways = Counter[int]()
    for (_, ways), n in before[-1].items():
        by_ways[ways] += n
    shares: list[dict[int, float]] = []
    for choices_here, states in zip(reversed(choices), reversed(before[:-1]), strict=True):
        held, now = Counter[int](), dict.fromkeys(states, 0)
        for state, n in states.items():
            for picked, number, next_state in _steps(state, choices_here):
                deals = number * behind[next_state]
                now[state] += deals
                for each in picked:
                    held[each] += n * deals
        behind = now
        shares.insert(0, {card: n / (total * len(classes[each])) for each, n in held.items() for card in classes[each]})
    return Assigned(total, shares, by_ways)


def _signature(holders: Sequence[Holder], card: int) -> Iterator[int]:
    for holder in holders:
        yield holder.ways.get(card, 0)
        yield holder.drawn is not None and card in holder.drawn


def _choices(holder: Holder, cards: Sequence[int]) -> Iterator[_Choice]:
    """What a holder can have, by classes of which these are examples."""
    for one, card in enumerate(cards):
        if holder.drawn is None:
            yield _Choice((one,), holder.ways.get(card, 0))
            continue
        for two, other in enumerate(cards[: one + 1]):
            ways = holder.ways.get(card, 0) if other in holder.drawn else 0
            ways |= holder.ways.get(other, 0) if card in holder.drawn else 0
            yield _Choice((one, two), ways)


def _steps(state: State, choices: Sequence[_Choice]) -> Iterator[tuple[tuple[int, ...], int, State]]:
    """Each choice that is possible, in how many ways its cards can be taken, and what is left."""
    left, ways = state
    for picked, with_ways in choices:
        if ways & with_ways:
            number, rest = 1, list(left)
            for each, copies in Counter(picked).items():
                number *= comb(left[each], copies)
                rest[each] -= copies
            if number:
                yield picked, number, (tuple(rest), ways & with_ways)
