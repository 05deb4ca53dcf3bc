"""Compares `resample` with other deals that look the same to a viewer.

Two resampled worlds descend from the true one, so what `resample` has kept of it is in both of them. The deals compared
here are made without `resample`: the decks with two cards exchanged, another seed, and the same actions. Those in which
the viewer has seen the same are worlds that the viewer cannot tell from the true one.
"""

import random
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from tavolino.engine.chance import Chance
from tavolino.engine.decks import arrange
from tavolino.engine.errors import IllegalAction
from tavolino.engine.game import Game, Json
from tavolino.engine.match import Match
from tavolino.engine.record import fields_of

Decks = dict[str, list[str]]
Fact = tuple[Any, ...]  # the way to a value in a view or an event, and the value

TRIES = 20  # deals that are tried for a viewer of a position
MAX_LOOK_ALIKES = 6
MAX_ORDERS = 100  # that are tried for a deck, some of which the game may refuse
NEXT_ACTIONS = 3
# Usually a few worlds are enough to see something vary. A card that is very likely needs more of them.
MAX_WORLDS = 1000


@dataclass
class Compared:
    """How many pairs of a position and a viewer were compared with another deal, and how many could not be."""

    with_others: int = 0
    one_world: int = 0  # the viewer's notebook leaves one possible world
    found_none: int = 0  # the notebook leaves several, but none was found

    def __str__(self) -> str:
        return (
            f"{self.with_others} compared with another deal, {self.one_world} with one possible world, "
            f"{self.found_none} for which no other deal was found"
        )


def arrange_all(game: Game, chance: random.Random) -> Decks:
    """Every deck in a random order that the game allows, as far as it may be arranged."""
    decks: Decks = {}
    for name, deck in game.decks.items():
        for _ in range(MAX_ORDERS):
            given = {**decks, name: chance.sample(deck.cards, deck.longest or len(deck.cards))}
            with suppress(ValueError):
                arrange(game.decks, given, game.check_decks)
                decks = given
                break
    return decks


def check_worlds(match: Match, viewer: int | None, chance: random.Random, compared: Compared) -> None:
    """A match whose decks were arranged: its resampled worlds contain nothing but what the viewer has seen and what
    the seed draws, and they vary wherever deals vary that look the same to the viewer."""
    others = _look_alikes(match, viewer, chance)
    if any(_without_generator(other) != _without_generator(match) for other in others):
        compared.with_others += 1
    elif len(match.notebook(viewer).get("unseen", ())) <= 1:
        compared.one_world += 1
    else:
        compared.found_none += 1
    seed = chance.getrandbits(32)
    world = match.resample(viewer, seed)._states.tobytes()
    for other in others:
        is_same_to_read = other.notebook(viewer) == match.notebook(viewer)
        assert is_same_to_read, f"the notebook of viewer {viewer} depends on something that the viewer has not seen"
        is_same_world = other.resample(viewer, seed)._states.tobytes() == world
        assert is_same_world, (
            f"what resample draws for viewer {viewer} depends on something that the viewer has not seen"
        )
    _check_variety(match, others, viewer, chance)


def _without_generator(match: Match) -> list[bytes]:
    own = {name for name, *_ in fields_of(Chance)}
    return [match._states[0][name].tobytes() for name in match.game.record.names or () if name not in own]


# -- deals that look the same


def _look_alikes(match: Match, viewer: int | None, chance: random.Random) -> list[Match]:
    record, seen, places = match.record(), match.view(viewer), list(_places(match.notebook(viewer)))
    found: list[Match] = []
    for number in range(TRIES):
        decks = {name: list(cards) for name, cards in (record["decks"] or {}).items()}
        if number > 0:  # the first deal differs in the seed alone, so in what chance brings later
            _exchange_two(decks, places, chance)
        # The same seed shuffles a deck during play in the same way; another one makes the generator differ.
        seed = record["seed"] if number % 2 else chance.getrandbits(32)
        other = _play_again(match, record["options"], decks, seed, record["actions"])
        if other is not None and other.view(viewer) == seen:
            found.append(other)
        if len(found) == MAX_LOOK_ALIKES:
            break
    return found


def _places(notebook: Any) -> Iterator[list[str]]:
    """What hidden places can hold: every list of several words in a notebook."""
    if isinstance(notebook, Mapping):
        for value in notebook.values():
            yield from _places(value)
    elif isinstance(notebook, Sequence) and not isinstance(notebook, str):
        if len(notebook) > 1 and all(isinstance(word, str) for word in notebook):
            yield list(notebook)
        else:
            for value in notebook:
                yield from _places(value)


def _exchange_two(decks: Decks, places: Sequence[list[str]], chance: random.Random) -> None:
    """Exchange two cards of a deck that can be in the same hidden place, or any two."""
    place = set(chance.choice(places)) if places else set()
    fitting = [cards for cards in decks.values() if len(place & {*cards}) > 1]
    cards = chance.choice(fitting or [*decks.values()] or [[]])
    candidates = [at for at, card in enumerate(cards) if card in place or not fitting]
    if len(candidates) > 1:
        one, two = chance.sample(candidates, 2)
        cards[one], cards[two] = cards[two], cards[one]


def _play_again(match: Match, options: Json, decks: Decks, seed: int, actions: Sequence[str]) -> Match | None:
    """The same actions after another deal; None if one of them is not legal there."""
    try:
        other = match.game.start(match.players, seed, options, decks, match.rules)
        for action in actions:
            other.advance(action)
    except (IllegalAction, ValueError):
        return None
    return other


# -- what varies


def _check_variety(match: Match, others: Sequence[Match], viewer: int | None, chance: random.Random) -> None:
    actions = _some_actions(match.clone(), chance)
    certain = set(_facts(match, viewer, actions)).intersection(*(_facts(other, viewer, actions) for other in others))
    constant: set[Fact] | None = None
    for number in range(MAX_WORLDS):
        facts = set(_facts(match.resample(viewer, f"{chance.getrandbits(32)} {number}"), viewer, actions))
        constant = facts - certain if constant is None else constant & facts
        if not constant:
            return
    raise AssertionError(
        f"{MAX_WORLDS} worlds resampled for viewer {viewer} agree in what varies between deals that look the same: "
        f"{sorted(map(str, constant or ()))[:3]}"
    )


def _some_actions(match: Match, chance: random.Random) -> list[str]:
    actions: list[str] = []
    while not match.over and len(actions) < NEXT_ACTIONS:
        actions.append(chance.choice(match.legal()))
        match.advance(actions[-1])
    return actions


def _facts(world: Match, viewer: int | None, actions: Sequence[str]) -> Iterator[Fact]:
    """What the other viewers see in a world, and what the next actions reveal there."""
    for other in (*range(world.players), None):
        if other != viewer:  # the others' logs are left out: a resampled world has no private halves for them
            yield from _values(world.view(other, world.lines), (other,))
    following = world.clone()
    for number, action in enumerate(actions):
        if action not in following.legal():
            return
        yield from _values(following.play(action), (number, action))


def _values(value: Any, way: Fact) -> Iterator[Fact]:
    """Every value of a view or an event with the way to it; a list of words, such as a hand, has no order."""
    if isinstance(value, Mapping):
        for key, part in value.items():
            yield from _values(part, (*way, key))
    elif not isinstance(value, list | tuple):
        yield *way, value
    elif all(isinstance(part, str) for part in value):
        yield *way, len(value)
        for part in value:
            yield *way, part
    else:
        for at, part in enumerate(value):
            yield from _values(part, (*way, at))
