"""The conformance suite: properties that every game must have.

`check_game(game)` plays random games at every number of players and raises an AssertionError at the first property
that does not hold, with a record that reproduces it. It needs nothing but the game, so packages with games of their
own use it in their tests: `from tavolino.engine.testing import check_game`.
"""

import json
import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import product
from typing import Any

from tavolino.engine.errors import IllegalAction
from tavolino.engine.game import Game
from tavolino.engine.look_alikes import Compared, arrange_all, check_worlds
from tavolino.engine.match import COMMON_KEYS, Match
from tavolino.engine.messages import parameters
from tavolino.engine.record import EVENT_ROOM, SPECTATOR
from tavolino.engine.records import replay
from tavolino.engine.texts import Speaker

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
SHARE_COMPARED = 0.05  # of an arranged game, with other deals
MAX_COMPARED = 4  # positions of a game, the last one not counted

OPTIONAL_WORDS = "list."  # the prefix of words that a language may lack


def check_game(game: Game, games: int = 3, seed: int = 0) -> Compared:
    """All checks, on `games` random games for each number of players and each version of the rules.

    Returns how many positions could be compared with other deals that look the same to a viewer.
    """
    _check_fields(game)
    compared = Compared()
    for players, rules in product(game.players, game.versions):
        for number in range(games):
            chance = random.Random(f"{game.name} {players} {number} {seed}")
            options = random_options(game, players, chance)
            match = game.start(players, f"conformance {seed} {players} {number}", options, rules=rules)
            with _telling_the_record_of(match):
                _check_whole_game(match, chance)
        chance = random.Random(f"{game.name} {players} other deals {seed}")
        options = random_options(game, players, chance)
        arranged = game.start(players, chance.getrandbits(32), options, arrange_all(game, chance), rules)
        with _telling_the_record_of(arranged):
            _compare_with_other_deals(arranged, chance, compared)
    assert compared.with_others or not compared.found_none, (
        "no other deal was found that looks the same to a viewer: "
        "put what the game hides into `decks`, so that it can be arranged"
    )
    return compared


@contextmanager
def _telling_the_record_of(match: Match) -> Iterator[None]:
    try:
        yield
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
    _check_texts_of_events(match)


def _compare_with_other_deals(match: Match, chance: random.Random, compared: Compared) -> None:
    """Play a game whose decks were arranged, and compare some positions, the first and the last among them."""
    looked_at = 0
    while True:
        if not looked_at or match.over or (chance.random() < SHARE_COMPARED and looked_at < MAX_COMPARED):
            looked_at += 1
            for viewer in viewers(match):
                check_worlds(match, viewer, chance, compared)
        if match.over:
            return
        match.play(chance.choice(match.legal()))


def _check_position(match: Match, stock: dict[str, int], logs: dict[int | None, list[Any]]) -> None:
    assert dict(match.game.inventory(match._reading)) == stock, "something was lost or made"
    legal = match.legal()
    assert bool(legal) == (match.to_act is not None), "legal actions are there exactly while somebody must act"
    assert len(set(legal)) == len(legal), "an action is offered twice"
    _check_texts_of_question(match)
    before = match.hash()
    for text in NONSENSE:
        if text not in legal:
            _expect_refusal(match, text)
    assert match.hash() == before, "a refused action changed the match"
    for viewer, log in logs.items():
        view = match.view(viewer)
        assert json.loads(json.dumps(view)) == view, "a view is not JSON"
        own = match.game.view(match._reading, SPECTATOR if viewer is None else viewer)
        taken = COMMON_KEYS & own.keys()
        assert not taken, f"the game's own view has keys that every view has: {', '.join(sorted(taken))}"
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


class _Proofreader(Speaker):
    """Notes the texts that are missing in English, from which the other languages take what they lack."""

    def __init__(self, match: Match, viewer: int | None):
        super().__init__(match.game, viewer=viewer)
        self._missing: list[str] = []

    def find(self, key: str) -> str | None:
        message = super().find(key)
        if message is None and not key.startswith(OPTIONAL_WORDS):
            self._missing.append(key)
        return message

    def check(self, build: Callable[..., str], *arguments: Any) -> None:
        try:
            build(*arguments)
        except KeyError as missing:
            raise AssertionError(f"a text is missing: {missing.args[0]}") from None
        assert not self._missing, f"a text is missing: {', '.join(self._missing)}"


def _check_texts_of_question(match: Match) -> None:
    for viewer in viewers(match):
        reader = _Proofreader(match, viewer)
        if not match.over:
            reader.check(reader.ask, match.view(viewer, match.lines)["prompt"])
    for text in match.legal():
        verb, params = match.game.action_params(text)
        reader = _Proofreader(match, match.to_act)
        named = {name.partition(":")[0] for name in parameters(reader.find(f"action.{verb}") or "")}
        missing = ", ".join(sorted(named - params.keys()))
        assert not missing, f"the text action.{verb} names {missing}, which the action {text!r} does not have"
        reader.check(reader.label, verb, params)


def _check_texts_of_events(match: Match) -> None:
    for viewer in viewers(match):
        reader, view = _Proofreader(match, viewer), match.view(viewer)
        for key in ("name", "tagline"):
            reader.check(reader.say, key)
        for event in view["log"]:
            reader.check(reader.tell, event)
        reader.check(reader.verdict, view["outcome"])
        reader.check(reader.reason, view["outcome"])


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
