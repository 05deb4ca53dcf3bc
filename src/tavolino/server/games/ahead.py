"""What a player may decide in advance, as the game's folder declares it (`ahead.json`, which a game need not have)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path

import msgspec
from msgspec import Struct

from tavolino.engine.game import Game
from tavolino.engine.match import Match

WORLDS = 8  # in which the seat's legal actions are compared
MOST_STEPS = 60  # of the others, before that seat's next decision


class StandingOrder(Struct, frozen=True):
    """An answer given once for the whole game: at this step this action, whenever it is legal."""

    step: str
    action: str


class Ahead(Struct, frozen=True):
    turn_steps: frozenset[str] = frozenset()  # where a turn begins: planned actions start there
    # Steps at which everybody can tell how many answers there are: a single answer may be played at once, because that
    # reveals nothing about hidden cards.
    open_steps: frozenset[str] = frozenset()
    orders: Mapping[str, StandingOrder] = {}  # the game's texts have a label for each: `order.NAME`


_decode = msgspec.json.Decoder(Ahead).decode


@cache
def _read(path: Path) -> Ahead:
    return _decode(path.read_bytes()) if path.is_file() else Ahead()


def ahead_of(game: Game) -> Ahead:
    return _read(game.folder / "ahead.json")


def offers(match: Match, seat: int, planned: Sequence[str], seed: str) -> list[str]:
    """What this seat may plan for its next turn, after what it has planned already.

    Found by trial, from the seat's knowledge alone: in some worlds that it cannot tell apart the others play at random
    until its turn comes. What was legal in most of them is offered.
    """
    legal: Counter[str] = Counter()
    for number in range(WORLDS):
        words = f"{seed} {number}"
        world = match.resample(seat, words)
        if _play_to_turn(world, seat, words) and _play(world, seat, planned):
            legal.update(world.legal())
    return [action for action, count in legal.items() if 2 * count > WORLDS]


def _play_to_turn(world: Match, seat: int, words: str) -> bool:
    """Play on, with choices that `words` seeds, until a turn of this seat begins. Returns whether one has."""
    begins = ahead_of(world.game).turn_steps
    for step in range(MOST_STEPS):
        if world.over:
            return False
        if world.to_act == seat and step_of(world) in begins:
            return True
        drawn = int.from_bytes(sha256(f"{words} {step}".encode()).digest()[:8])
        legal = world.legal()
        world.advance(legal[drawn % len(legal)])
    return False


def _play(world: Match, seat: int, actions: Sequence[str]) -> bool:
    """Whether all of them could be played, and the seat has another decision."""
    for action in actions:
        if world.to_act != seat or action not in world.legal():
            return False
        world.advance(action)
    return world.to_act == seat and (not actions or step_of(world) not in ahead_of(world.game).turn_steps)


def step_of(match: Match) -> str:
    """The name of the current step."""
    return match.view(None, match.lines)["step"]
