"""The conformance suite: properties that every game must have.

`check_game(game)` plays random games at every number of players and raises an AssertionError at the first property
that does not hold, with a record that reproduces it. It needs nothing but the game, so packages with games of their
own use it in their tests: `from tavolino.engine.testing import check_game`.
"""

import json
import random
from collections.abc import Iterator
from itertools import product
from typing import Any

from tavolino.engine.errors import IllegalAction
from tavolino.engine.game import Game
from tavolino.engine.match import Match
from tavolino.engine.record import EVENT_ROOM
from tavolino.engine.records import replay

NONSENSE = (
    "",
    " ",
    "nonsense",
    "play",
    "play nothing",
    "choose 99",
    "guess 0",
    "take",
    "SCORE",
    "\0",
    "pass pass",
)

# The share of positions that get the slow checks. Random games have many similar positions.
SHARE_LOOKED_AT = 0.3
SHARE_RESAMPLED = 0.1


def check_game(game: Game, games: int = 3, seed: int = 0) -> None:
    """All checks, on `games` random games for each number of players and each version of the rules."""
    _check_fields(game)
    for players, rules in product(game.players, game.versions):
        for number in range(games):
            chance = random.Random(f"{game.name} {players} {number} {seed}")
            options = random_options(game, players, chance)
            match = game.start(players, f"conformance {seed} {players} {number}", options, rules=rules)
            try:
                _check_whole_game(match, chance)
            except AssertionError as failure:
                failure.add_note(f"record: {json.dumps(match.record())}")
                raise


def _check_fields(game: Game) -> None:
    """The record has the fields that generic code reads."""
    names = game.record.names or ()
    assert "step" in names, "the record has no field `step`"
    if game.meta.older_rules:
        assert "rules" in names, "the record has no field `rules` that says which version is played"
    if game.meta.teams is not None:
        option = game.meta.teams.option
        assert option in names, f"the record has no field `{option}` that says who plays alone"
    low, high = game.meta.payoffs
    assert low < high, "the lowest payoff is not below the highest"


def random_options(game: Game, players: int, chance: random.Random) -> dict[str, Any]:
    """Random values for some options; the others keep their defaults."""
    chosen: dict[str, Any] = {}
    for name, option in game.options.items():
        if option.kind == "switch":
            chosen[name] = chance.random() < 0.5
        elif option.kind == "seat":
            chosen[name] = chance.randrange(players)
        elif chance.random() < 0.5:
            chosen[name] = chance.randint(option.lowest, option.highest)
    return chosen


def viewers(match: Match) -> list[int | None]:
    """Every seat, and the spectator."""
    return [*range(match.players), None]


def as_bytes(match: Match, viewer: int | None) -> bytes:
    """Everything that a viewer can see and deduce, as it would be sent."""
    return json.dumps([match.view(viewer), match.notebook(viewer)], sort_keys=True).encode()


def _check_whole_game(match: Match, chance: random.Random) -> None:
    stock = dict(match.game.inventory(match._reading))
    logs: dict[int | None, list[Any]] = {viewer: [] for viewer in viewers(match)}
    for _ in range(match.game.most_decisions(match.players) + 1):
        if match.over:
            break
        if chance.random() < SHARE_LOOKED_AT:
            _check_position(match, stock, logs)
            _check_copies(match, chance)
        if chance.random() < SHARE_RESAMPLED:
            check_no_interference(match, chance)
            _check_secret_verbs(match)
        match.play(chance.choice(match.legal()))
    assert match.over, "the game did not end within its stated maximum of decisions"
    _check_position(match, stock, logs)
    check_no_interference(match, chance)
    _check_end(match)


def _check_position(match: Match, stock: dict[str, int], logs: dict[int | None, list[Any]]) -> None:
    assert dict(match.game.inventory(match._reading)) == stock, "something was lost or made"
    legal = match.legal()
    assert bool(legal) == (match.to_act is not None), "legal actions are there exactly while somebody must act"
    assert len(set(legal)) == len(legal), "an action is offered twice"
    for text in legal:
        match.game.action_params(text)
    before = match.hash()
    for text in NONSENSE:
        if text not in legal:
            _expect_refusal(match, text)
    assert match.hash() == before, "a refused action changed the match"
    for viewer, log in logs.items():
        view = match.view(viewer)
        assert json.loads(json.dumps(view)) == view, "a view is not JSON"
        assert view["legal"] == (list(legal) if viewer is not None and viewer == match.to_act else [])
        assert view["log"][: len(log)] == log, "a log must only grow"
        logs[viewer] = view["log"]


def _expect_refusal(match: Match, text: str) -> None:
    try:
        match.play(text)
    except IllegalAction as refusal:
        assert str(refusal), "a refusal without a sentence"
        return
    raise AssertionError(f"{text!r} was played, though it was not legal")


def _check_copies(match: Match, chance: random.Random) -> None:
    twin = match.clone()
    action = chance.choice(match.legal())
    before = match.hash()
    assert twin.hash() == before
    told = twin.play(action)
    assert len(told) < EVENT_ROOM, "an action filled the buffer of events"
    assert match.hash() == before, "a clone is not independent"
    again = match.clone()
    assert again.play(action) == told
    assert again.hash() == twin.hash(), "the same action gave two games"


def _check_secret_verbs(match: Match) -> None:
    """If two actions look the same to a spectator, the game lists their verb as secret."""
    told: dict[str, str] = {}
    for action in match.legal():
        twin = match.clone()
        twin.advance(action)
        same = told.setdefault(json.dumps(twin.view(None, match.lines)), action)
        verbs = {action.partition(" ")[0], same.partition(" ")[0]}
        is_secret = len(verbs) == 1 and verbs <= match.game.secret_verbs
        assert action == same or is_secret, f"{same!r} and {action!r} look alike: the verb is not in secret_verbs"


def _check_end(match: Match) -> None:
    assert match.legal() == ()
    assert match.outcome is not None
    assert match.outcome.reason, "an end without a rule"
    _expect_refusal(match, "anything")
    record = json.loads(json.dumps(match.record()))
    assert replay(record, lambda name: match.game).hash() == match.hash(), "the record does not replay"


def check_no_interference(match: Match, chance: random.Random, steps: int = 12) -> None:
    """Non-interference. For every viewer a resampled world looks the same to the byte, contains nothing of the true
    one, and keeps looking the same while the same actions are played, until an event shows a difference."""
    for viewer in viewers(match):
        seed = chance.getrandbits(32)
        other = match.resample(viewer, seed)
        assert as_bytes(match, viewer) == as_bytes(other, viewer), f"viewer {viewer} can tell a resampled world"
        again = chance.getrandbits(32)
        one, two = match.resample(viewer, again), other.resample(viewer, again)
        assert one._states.tobytes() == two._states.tobytes(), "a resampled world holds something of the true one"
        assert all(as_bytes(one, each) == as_bytes(two, each) for each in viewers(match))
        _expect_no_record(other)
        _check_parallel_play(match.clone(), other, viewer, chance, steps)


def _expect_no_record(resampled: Match) -> None:
    try:
        resampled.record()
    except ValueError:
        return
    raise AssertionError("a resampled match gave a record")


def _check_parallel_play(match: Match, other: Match, viewer: int | None, chance: random.Random, steps: int) -> None:
    for _ in range(steps):
        shared = [action for action in match.legal() if action in other.legal()]
        if match.over or not shared:
            return
        action = chance.choice(shared)
        match.play(action)
        other.play(action)
        view, same = match.view(viewer), other.view(viewer)
        if view["log"] != same["log"]:
            return  # a hidden card or chance made a difference, and an event showed it
        assert as_bytes(match, viewer) == as_bytes(other, viewer), (
            f"after {action!r} viewer {viewer} sees a difference that no event tells"
        )


def random_game(game: Game, players: int, seed: int, options: dict[str, Any] | None = None) -> Iterator[Match]:
    """Yields one match again and again while it plays a random game, for property tests."""
    chance = random.Random(f"{game.name} {players} {seed}")
    match = game.start(players, seed, options)
    yield match
    while not match.over:
        match.play(chance.choice(match.legal()))
        yield match
