"""Replaying records: a game is its seed and its list of actions."""

import json
import re
from codecs import BOM_UTF8
from collections.abc import Callable, Mapping
from typing import Any

from tavolino.engine.errors import BadRecord, IllegalAction, UnknownGame
from tavolino.engine.game import Game, Seed
from tavolino.engine.languages import SOURCE_LANGUAGE
from tavolino.engine.match import Match
from tavolino.engine.messages import fill
from tavolino.engine.record_format import FORMAT, REQUIRED, chain
from tavolino.engine.texts import SHARED, read_texts

MAX_MEGABYTES = 1  # the longest games of all titles take a tenth
MAX_BYTES = MAX_MEGABYTES * 1024**2
MAX_DEPTH = 32  # how deep Python can read depends on its version
_QUOTED, _MAX_QUOTED_NUMBER = 60, 10**9  # characters of a text, and numbers, that a sentence quotes
_TOKENS = re.compile(r'"(?:[^"\\]|\\.)*+"?|[\[\]{}]', re.DOTALL)  # a text, also without its end, or a bracket
# What another version of Tavolino, or one with more games, could replay.
OF_ANOTHER_VERSION = frozenset({"record.unknown-game", "record.unknown-rules", "record.format"})


def parse(content: bytes) -> dict[str, Any]:
    """The record in a file. Raises BadRecord for anything that is not a JSON object; some editors put a byte order mark
    before it."""
    if len(content) > MAX_BYTES:
        raise _bad("record.too-large", megabytes=MAX_MEGABYTES)
    try:
        text = content.removeprefix(BOM_UTF8).decode()
        _check_depth(text)
        record = json.loads(text)
    except ValueError:
        raise _bad("record.not-json") from None
    if not isinstance(record, dict):
        raise _bad("record.not-an-object")
    return record


def _check_depth(text: str) -> None:
    depth = 0
    for token in _TOKENS.finditer(text):
        depth += {"[": 1, "{": 1, "]": -1, "}": -1}.get(token[0], 0)
        if depth > MAX_DEPTH:
            raise ValueError("nested too deep")


def told(bad: BadRecord, language: str) -> str:
    """The sentence of an error in a language."""
    return _sentence(bad.key, bad.params, language)


def replay(record: Any, load: Callable[[str], Game]) -> Match:
    """The match at the end of a record. Raises BadRecord if anything in the record does not fit."""
    if not isinstance(record, Mapping):
        raise _bad("record.not-an-object")
    match = begin_replay(record, load)
    _check_format(record)
    actions = record["actions"]
    if not isinstance(actions, list) or not all(isinstance(action, str) for action in actions):
        raise _bad("record.actions")
    for count, action in enumerate(actions, start=1):
        try:
            match.play(action)
        except IllegalAction as refusal:
            raise _bad("record.illegal", str(refusal), n=count, action=_quoted(action)) from None
    expected = record.get("hash")
    if expected is not None and expected != match.hash():
        raise _bad("record.hash")
    if "chain" in record and record["chain"] != chain(record):
        raise _bad("record.chain")
    return match


def _check_format(record: Mapping[str, Any]) -> None:
    number = record.get("format", 1)
    if type(number) is not int or not 1 <= number <= FORMAT:
        raise _bad("record.format", format=_quoted(number), known=FORMAT)
    if number > 1 and "chain" not in record:
        raise _bad("record.missing-key", name=_quoted("chain"))


def begin_replay(record: Mapping[str, Any], load: Callable[[str], Game]) -> Match:
    """The match of a record at its start, before any action."""
    for key in REQUIRED:
        if key not in record:
            raise _bad("record.missing-key", name=_quoted(key))
    if not isinstance(record["game"], str):
        raise _bad("record.game")
    try:
        game = load(record["game"])
    except UnknownGame:
        raise _bad("record.unknown-game", game=_quoted(record["game"])) from None
    rules = record["rules"]
    if not isinstance(rules, str) or rules not in game.versions:
        known = ", ".join(map(repr, game.versions))
        raise _bad("record.unknown-rules", rules=_quoted(rules), game=game.name, known=known)
    try:
        return game.start(record["players"], _seed(record["seed"]), record["options"], record["decks"], rules)
    except ValueError as wrong:
        raise _bad("record.start", str(wrong)) from None


def _seed(written: Any) -> Seed:
    if isinstance(written, Mapping):
        if set(written) != {"bytes"} or not isinstance(written["bytes"], str):
            raise ValueError('A seed of bytes is written {"bytes": hex}.')
        return bytes.fromhex(written["bytes"])
    if isinstance(written, bytes):
        raise ValueError('A seed of bytes is written {"bytes": hex}.')
    seed: Seed = written
    return seed


def _quoted(content: Any) -> str:
    """What a sentence quotes of a record: as much as is the same for every version of Python."""
    if isinstance(content, int) and abs(content) < _MAX_QUOTED_NUMBER:
        content = str(content)
    return ascii(content[:_QUOTED]) if isinstance(content, str) else type(content).__name__


def _bad(key: str, detail: str = "", **params: Any) -> BadRecord:
    sentence = _sentence(key, params, SOURCE_LANGUAGE)
    return BadRecord(f"{sentence} {detail}" if detail else sentence, key, params)


def _sentence(key: str, params: Mapping[str, Any], language: str) -> str:
    texts = read_texts(SHARED, language)
    return fill(texts[key], params, language, texts.get)
