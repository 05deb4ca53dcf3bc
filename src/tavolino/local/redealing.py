"""Another deal that a seat cannot tell from the one that it saw.

A deal of its own begins such a game: chance and arranged cards, drawn until the seat is told the same. The same actions
follow. Before an action that would tell the seat something else, all that the seat cannot know is drawn again
(`Match.resample`), until it tells the same. So the whole game can be played again by the rules, and nothing in it
depends on what was hidden from the seat in the first one, its secret choices included.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated, Any, NamedTuple

from msgspec import Meta
from msgspec.structs import replace

from tavolino.engine.events import Event
from tavolino.engine.game import Game
from tavolino.engine.match import Match
from tavolino.engine.records import begin_replay
from tavolino.games import load
from tavolino.server import protocol as p

MOST_DRAWS = 100_000  # for one action; puzzles of all games need at most a few thousand
MOST_DEALS = 5_000
Action = Annotated[str, Meta(max_length=200)]
Count = Annotated[int, Meta(ge=0, le=MOST_DRAWS)]
Moment = tuple[str | None, Match]  # an action, and the match after it; no action: the deal


class World(p.Body):
    """A game that was dealt for a seat. A step: an action, and how often what the seat cannot know was drawn before."""

    game: str
    rules: str
    players: p.Count
    options: dict[str, p.OptionValue]
    seat: p.SeatNumber
    seed: Annotated[str, Meta(max_length=64)]
    deals: Count
    decks: dict[str, list[Action]]
    steps: list[tuple[Action, Count]]


class Told(NamedTuple):
    """What a seat is told by an action of its own or of somebody else."""

    action: str  # only its verb, if the rest is known to the actor alone
    to_act: int | None
    lines: list[Event]


class CannotDeal(Exception):
    """No other deal was found."""


def moments_of(record: Mapping[str, Any]) -> Iterator[Moment]:
    match = begin_replay(record, load)
    yield None, match
    for action in record["actions"]:
        match.advance(action)
        yield action, match


def moments_in(world: World) -> Iterator[Moment]:
    """At last, what the seat cannot know is drawn once more. Raises BadRecord and IllegalAction, as a replay."""
    match = begin_replay(_start(world), load)
    yield None, match
    for number, (action, draws) in enumerate(world.steps):
        match = _drawn(world, match, number, draws)
        match.advance(action)
        yield action, match
    yield None, _drawn(world, match, len(world.steps), 1)


def match_in(world: World) -> Match:
    """The match at the end of a world."""
    *_, (_, match) = moments_in(world)
    return match


def redealt(moments: Iterable[Moment], options: Mapping[str, Any], seat: int, seed: str) -> World:
    """Another deal for a seat that saw these moments; the same seed gives the same one."""
    seen = iter(moments)
    _, first = next(seen)
    game, lines = first.game, first.lines
    dealt = first.view(seat)["log"]
    story = []
    actor = first.to_act
    for action, match in seen:
        if action is not None:
            told = match.view(seat, lines)["log"]
            story.append(Told(_known(game, action, actor == seat), match.to_act, told))
            lines, actor = match.lines, match.to_act
    world = World(game.name, first.rules, first.players, dict(options), seat, seed, 0, {}, [])
    match = _deal(game, world, dealt)
    for number, told in enumerate(story):
        match = _follow(game, world, match, number, told)
    return world


def _known(game: Game, action: str, is_own: bool) -> str:
    verb = action.partition(" ")[0]
    return verb if verb in game.secret_verbs and not is_own else action


def _follow(game: Game, world: World, match: Match, number: int, told: Told) -> Match:
    """Play the next action in a world in which it tells the seat the same."""
    for draws in range(MOST_DRAWS):
        drawn = _drawn(world, match, number, draws) if draws else match.clone()
        is_own, lines = drawn.to_act == world.seat, drawn.lines
        fitting = [action for action in drawn.legal() if _known(game, action, is_own) == told.action]
        if not fitting:
            continue
        action = fitting[draws % len(fitting)]
        drawn.advance(action)
        if drawn.to_act == told.to_act and drawn.view(world.seat, lines)["log"] == told.lines:
            world.steps.append((action, draws))
            return drawn
    raise CannotDeal


def _drawn(world: World, match: Match, number: int, draws: int) -> Match:
    return match.resample(world.seat, f"{world.seed} {number} {draws}") if draws else match


def _start(world: World) -> dict[str, Any]:
    return {
        "game": world.game,
        "rules": world.rules,
        "players": world.players,
        "options": world.options,
        "seed": f"{world.seed} {world.deals}",
        "decks": world.decks or None,
        "actions": [],
    }


def _deal(game: Game, world: World, wanted: list[Event]) -> Match:
    """Arrange cards one by one as long as the seat is told more of the same, and take another seed where none helps."""
    told = list(_parts(wanted))
    while world.deals < MOST_DEALS:
        match = begin_replay(_start(world), load)
        if match.view(world.seat)["log"] == wanted:
            return match
        same = _same(match, world.seat, told)
        if same == len(told) or not _arrange(game, world, told, same):
            world.deals += 1
    raise CannotDeal


def _arrange(game: Game, world: World, told: list[Any], same: int) -> bool:
    """Put one more card under those that are arranged in some deck, so that the seat is told as much of the same as
    possible; whether it is more than before. Where the seat saw a card next, no other one is tried."""
    best = same
    arranged = world.decks
    for name, deck in game.decks.items():
        given = arranged.get(name, [])
        cards = [told[same]] if told[same] in deck.cards else dict.fromkeys(deck.cards)
        for card in cards:
            decks = {**arranged, name: [*given, card]}
            try:
                now = _same(begin_replay(_start(replace(world, decks=decks)), load), world.seat, told)
            except ValueError:  # there is no further card of that kind
                continue
            if now > best:
                best, world.decks = now, decks
    return best > same


def _same(match: Match, seat: int, told: list[Any]) -> int:
    """How many parts of what a seat is told at first are the same, up to the first difference."""
    for number, (part, other) in enumerate(zip(_parts(match.view(seat)["log"]), told, strict=False)):
        if part != other:
            return number
    return len(told)


def _parts(told: Any) -> Iterator[Any]:
    if isinstance(told, Mapping):
        for part in told.values():
            yield from _parts(part)
    elif isinstance(told, list | tuple):
        for part in told:
            yield from _parts(part)
    else:
        yield told
