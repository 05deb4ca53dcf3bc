"""Replaying records: a game is its seed and its list of actions."""

from collections.abc import Callable, Mapping
from typing import Any

from tavolino.engine.errors import BadRecord, IllegalAction, UnknownGame
from tavolino.engine.game import Game, Seed
from tavolino.engine.match import Match
from tavolino.engine.record_format import FORMAT, REQUIRED, chain


def replay(record: Any, load: Callable[[str], Game]) -> Match:
    """The match at the end of a record. Raises BadRecord if anything in the record does not fit."""
    if not isinstance(record, Mapping):
        raise BadRecord(f"A record is a JSON object, not {type(record).__name__}.")
    match = begin_replay(record, load)
    _check_format(record)
    actions = record["actions"]
    if not isinstance(actions, list) or not all(isinstance(action, str) for action in actions):
        raise BadRecord("The record's actions must be a list of texts.")
    for count, action in enumerate(actions, start=1):
        try:
            match.play(action)
        except IllegalAction as refusal:
            raise BadRecord(f"Action {count} of the record, {action[:60]!r}, is not legal: {refusal}") from None
    expected = record.get("hash")
    if expected is not None and expected != match.hash():
        raise BadRecord("The record does not lead to the state that its hash names: it was changed, or made elsewhere.")
    if "chain" in record and record["chain"] != chain(record):
        raise BadRecord("The record's chain does not fit its start and its actions: one of them was changed.")
    return match


def _check_format(record: Mapping[str, Any]) -> None:
    number = record.get("format", 1)
    if type(number) is not int or not 1 <= number <= FORMAT:
        raise BadRecord(f"The record has format {str(number)[:20]!r}; known here: 1 to {FORMAT}.")
    if number > 1 and "chain" not in record:
        raise BadRecord("The record lacks the key 'chain'.")


def begin_replay(record: Mapping[str, Any], load: Callable[[str], Game]) -> Match:
    """The match of a record at its start, before any action."""
    for key in REQUIRED:
        if key not in record:
            raise BadRecord(f"The record lacks the key {key!r}.")
    if not isinstance(record["game"], str):
        raise BadRecord("The record's game must be a name.")
    try:
        game = load(record["game"])
    except UnknownGame as unknown:
        raise BadRecord(str(unknown)) from None
    rules = record["rules"]
    if not isinstance(rules, str) or rules not in game.versions:
        known = ", ".join(map(repr, game.versions))
        raise BadRecord(f"The record follows rules {rules!r} of {game.name}; known here: {known}.")
    try:
        return game.start(record["players"], _seed(record["seed"]), record["options"], record["decks"], rules)
    except ValueError as wrong:
        raise BadRecord(f"The record's start does not fit: {wrong}") from None


def _seed(written: Any) -> Seed:
    if isinstance(written, Mapping):
        if set(written) != {"bytes"} or not isinstance(written["bytes"], str):
            raise ValueError('A seed of bytes is written {"bytes": hex}.')
        return bytes.fromhex(written["bytes"])
    if isinstance(written, bytes):
        raise ValueError('A seed of bytes is written {"bytes": hex}.')
    seed: Seed = written
    return seed
