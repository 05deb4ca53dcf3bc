"""The notebook is exact: what it says of each place is what an independent slow account counts (IG-90 to IG-92).

`make test` compares about a hundred positions, `make test-long` about a thousand.
"""

from collections import Counter
from collections.abc import Iterable
from functools import reduce
from itertools import permutations
from typing import Any

import pytest

import tavolino
from tests.beliefs.comparing import Count, walk
from tests.beliefs.slow_beliefs import Beliefs
from tests.games.infinity_gauntlet.gauntlet_scenarios import deal, play

Hand = tuple[str, ...]


def places_of(deck: Iterable[Any]) -> list[set[str]]:
    """Of one arrangement, from the top: the card of each place, or all cards of its pool."""
    return [
        {part} if isinstance(part, str) else set(part) for part in deck for _ in (part if type(part) is tuple else "1")
    ]


def check_deck(places: list[list[str]], arrangements: Iterable[Any]) -> None:
    """Each place can hold what it holds in some arrangement."""
    decks = [places_of(deck) for _, deck in arrangements]
    assert [set(place) for place in places] == [set.union(*cards) for cards in zip(*decks, strict=True)]


def check_hand(places: list[list[str]], hands: set[Hand]) -> None:
    """Known is what all hands have in common, every hand fits, and each place holds nothing without a hand for it."""
    common: Counter[str] = reduce(Counter.__and__, map(Counter, hands))
    assert Counter(place[0] for place in places if len(place) == 1) == common
    held: list[set[str]] = [set() for _ in places]
    for hand in hands:
        ways = [order for order in permutations(hand) if all(map(list.__contains__, places, order))]
        assert ways, (hand, places)
        for order in ways:
            for cards, card in zip(held, order, strict=True):
                cards.add(card)
    assert [set(place) for place in places] == held


def check(match: tavolino.Match, viewer: int | None, beliefs: Beliefs) -> None:
    of_heroes, of_thanos, _ = beliefs.weights()
    places = match.notebook(viewer)["places"]
    for at, seat in enumerate(beliefs.heroes.holders):
        check_hand(places["hands"][seat], {hands[at] for hands, _ in of_heroes})
    check_hand(places["hands"][beliefs.thanos], {hands[0] for hands, _ in of_thanos})
    check_deck(places["decks"]["hero"], of_heroes)
    check_deck(places["decks"]["thanos"], of_thanos)


@pytest.mark.rule("IG-90", "IG-91", "IG-92")
@pytest.mark.parametrize(
    ("players", "games"),
    [(2, 4), pytest.param(3, 4, marks=pytest.mark.plain), (4, 1), pytest.param(5, 1, marks=pytest.mark.slow), (6, 1)],
)
def test_each_place_can_hold_exactly_what_it_holds_in_some_world(players: int, games: int) -> None:
    count = Count()
    for seed in range(games):
        for position in walk(players, 501 + seed, count, share=0.3 if players < 6 else 0.1):
            check(*position)
    assert count.positions >= 4


@pytest.mark.rule("IG-57", "IG-90")
@pytest.mark.plain
def test_a_card_that_was_seen_in_the_deck_and_played_since_is_no_longer_there() -> None:
    """Seat 1 looks at three cards, seat 2 draws one and puts the rest back in an order of its own, seat 3 plays one."""
    heroes = "vision scarlet-witch gamora nebula hulk black-panther thor falcon"
    match = deal(4, hero=heroes, thanos="power-stone", seed=1)
    play(match, "play power-stone", "play vision", "order hulk black-panther thor")
    play(match, "play scarlet-witch", "order black-panther thor falcon", "play black-panther")
    beliefs = Beliefs(4, 0)
    beliefs.follow(match.view(1)["log"])
    check(match, 1, beliefs)
    top, second, *_ = match.notebook(1)["places"]["decks"]["hero"]
    assert top == second
    assert "thor" in top
    assert "black-panther" not in top


@pytest.mark.long
@pytest.mark.parametrize("players", range(2, 7))
def test_the_same_in_many_more_positions(players: int) -> None:
    count = Count()
    for seed in range(2000, 2030 if players < 5 else 2008):
        for position in walk(players, seed, count, share=0.3):
            check(*position)
    assert count.positions >= 60
