"""Beliefs that are counted are those of the slow enumeration, card by card and place by place (IG-91)."""

from __future__ import annotations

from collections import Counter, defaultdict
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from tavolino.coach.beliefs import beliefs_of
from tavolino.engine.reading import read
from tests.beliefs.comparing import Count, walk
from tests.beliefs.slow_beliefs import Beliefs
from tests.games.infinity_gauntlet.gauntlet_scenarios import GAME

OWN = beliefs_of(GAME.name)
ROWS = {place: row for row, place in enumerate(OWN.places)}
COLUMNS = {card: column for column, card in enumerate(OWN.cards)}


def slow_table(players: int, viewer: int, beliefs: Beliefs) -> np.ndarray[Any, Any]:
    """The average of all arrangements of the enumeration, each as often as it comes about."""
    of_heroes, of_thanos, _ = beliefs.weights()
    table = OWN.empty()
    sides = ((of_heroes, beliefs.heroes.holders, "hero"), (of_thanos, [beliefs.thanos], "thanos"))
    for weights, holders, side in sides:
        total = sum(weights.values())
        found: dict[tuple[str, str], Fraction] = defaultdict(Fraction)
        for (hands, deck), weight in weights.items():
            for seat, hand in zip(holders, hands, strict=True):
                if seat != viewer:
                    for card in hand:
                        found[f"hand +{(seat - viewer) % players}", card] += weight
            at = 1
            for part in deck:
                pool = (part,) if isinstance(part, str) else part
                for row in range(at, at + len(pool)):
                    for card in pool:
                        found[f"{side}-deck {row}", card] += Fraction(weight, len(pool))
                at += len(pool)
        for (place, card), share in found.items():
            table[ROWS[place], COLUMNS[card]] = share / total
    return table


def compare_games(players: int, games: range, share: float) -> Counter[str]:
    """Compare every belief that is counted. What happened in these games, and how many beliefs were counted and not."""
    count = Count()
    for seed in games:
        for match, viewer, beliefs in walk(players, seed, count, share):
            if viewer is None:
                continue
            table = OWN.count(read(match.resample(viewer, 0)._states), viewer)
            count.kinds["no count" if table is None else "count"] += 1
            if table is not None:
                slow = slow_table(players, viewer, beliefs)
                np.testing.assert_allclose(table, slow, atol=1e-12, err_msg=str(match.record()))
    return count.kinds


@pytest.mark.rule("IG-91", "IG-92")
@pytest.mark.parametrize(("players", "seed"), [(2, 3000), (2, 3002), (3, 3000), (3, 3003), (4, 3000)])
def test_a_count_is_the_average_over_all_arrangements(players: int, seed: int) -> None:
    assert compare_games(players, range(seed, seed + 1), 0.3)["count"] > 3


@pytest.mark.slow
def test_the_same_in_many_more_positions_with_ties_and_cards_under_the_deck() -> None:
    kinds = Counter[str]()
    for players, games in ((2, 4), (3, 5), (4, 3), (5, 1)):
        kinds += compare_games(players, range(3000, 3000 + games), 0.5)
    assert {"fight tie", "bottom", "ordered", "new-deck", "shuffled-back", "spared"} <= set(kinds)
    assert kinds["count"] > 3 * kinds["no count"] > 0
