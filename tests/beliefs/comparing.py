"""Compares `resample` with the slow enumeration: the support, and by a chi-square test the probabilities."""

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import tavolino
from tests.beliefs.slow_beliefs import Beliefs
from tests.games.infinity_gauntlet.gauntlet_scenarios import GAME, deck, held

BINS = 12
MOST_STATES = 60_000  # a game with more states is left out


@dataclass
class Count:
    """What was compared."""

    positions: int = 0
    worlds: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    left: int = 0  # games with too many states


def keys_of(beliefs: Beliefs, world: tavolino.Match) -> tuple[Any, Any]:
    hands = [held(world, seat) for seat in range(world.players)]
    return beliefs.keys_of(hands, deck(world, "hero"), deck(world, "thanos"))


def chi_square(weights: dict[Any, int], seen: Counter[Any], draws: int, name: str) -> None:
    """Arrangements in a few bins of about the same weight. With d degrees the sum must stay under d + 6 sqrt(2 d) + 12:
    below one in a million for every d here."""
    keys = sorted(weights, key=repr)
    random.Random(name).shuffle(keys)
    total = sum(weights.values())
    wanted, found, last = [0.0], [0], 0.0
    for key in keys:
        if last >= total / min(BINS, len(keys)):
            wanted.append(0.0)
            found.append(0)
            last = 0.0
        last += weights[key]
        wanted[-1] += draws * weights[key] / total
        found[-1] += seen[key]
    if len(wanted) > 1 and wanted[-1] < wanted[0] / 2:
        few, seen_of_few = wanted.pop(), found.pop()
        wanted[-1] += few
        found[-1] += seen_of_few
    degrees = len(wanted) - 1
    chi = sum((have - want) ** 2 / want for have, want in zip(found, wanted, strict=True))
    assert chi < degrees + 6 * (2 * degrees) ** 0.5 + 12, (name, chi, wanted, found)


def compare(match: tavolino.Match, viewer: int | None, beliefs: Beliefs, draws: int) -> None:
    """Every resampled world is in the slow enumeration, and each arrangement comes up as often as it should."""
    of_heroes, of_thanos, is_possible = beliefs.weights()
    name = f"{viewer} {match.record()}"
    assert is_possible(*keys_of(beliefs, match)), f"the truth is not possible: {name}"
    heroes, thanos = Counter[Any](), Counter[Any]()
    for seed in range(draws):
        one, other = keys_of(beliefs, match.resample(viewer, seed))
        assert is_possible(one, other), f"{one} {other} is not possible: {name}"
        heroes[one] += 1
        thanos[other] += 1
    chi_square(of_heroes, heroes, draws, name)
    chi_square(of_thanos, thanos, draws, name)


def walk(players: int, seed: int, count: Count, share: float) -> Iterator[tuple[tavolino.Match, int | None, Beliefs]]:
    """One random game as one viewer sees it: a share of its positions, each with its slow enumeration."""
    chance = random.Random(f"beliefs {players} {seed}")
    thanos = chance.randrange(players)
    viewers = [None, *range(players)] if players < 6 else [seat for seat in range(players) if seat != thanos]
    viewer = chance.choice(viewers)  # with six players the enumeration for a viewer without hero cards is too large
    lives = {"hero_life": chance.randint(4, 20), "thanos_life": chance.randint(4, 20)}
    match = GAME.start(players, f"beliefs {seed}", {"thanos": thanos, **lives})
    beliefs = Beliefs(players, thanos)
    while True:
        log = match.view(viewer)["log"]
        for event in log[beliefs.read :]:
            count.kinds[event["kind"] + (" " + event["how"] if event["kind"] == "fight" else "")] += 1
        beliefs.follow(log)
        if len(beliefs.heroes.states) > MOST_STATES:
            count.left += 1
            return
        if (match.over or chance.random() < share) and beliefs.size <= MOST_STATES:
            with beliefs.complete():
                yield match, viewer, beliefs
            count.positions += 1
        if match.over:
            return
        choices = [action for action in match.legal() if action != "snap" or chance.random() < 0.2]
        match.play(chance.choice(choices or match.legal()))


def compare_game(players: int, seed: int, count: Count, draws: int, share: float) -> None:
    """Compare the worlds of one random game."""
    for match, viewer, beliefs in walk(players, seed, count, share):
        compare(match, viewer, beliefs, draws)
        count.worlds += draws
