"""Game files of all kinds, good and bad, the same in every run: what `tavolino verify` and a browser must agree on."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import tavolino
from tavolino.engine.records import MAX_BYTES, MAX_DEPTH
from tavolino.engine.testing import random_options
from tavolino.server.games import fairness
from tavolino.server.verify.checks import Kept

CORPUS = Path(__file__).parents[1] / "corpus"
GOOD = 12  # sealed games of each title
Record = dict[str, Any]
BROKEN, UNCHECKED, CONSISTENT, SEALED = "broken", "unchecked", "consistent", "sealed"


@dataclass(frozen=True)
class GameFile:
    name: str
    content: bytes
    expected: str  # the result of its check
    kept: Kept = field(default_factory=Kept)


def digits(chance: random.Random) -> str:
    return chance.randbytes(32).hex()


def sealed_game(game: tavolino.Game, number: int) -> Record:
    """The record of a finished table: with people and bots, of all versions of the rules, ended in all ways."""
    chance = random.Random(f"verify {game.name} {number}")
    players = game.players[number % len(game.players)]
    rules = game.versions[number % len(game.versions)]
    table, secret = chance.randbytes(11).hex(), digits(chance)
    bots = sorted(chance.sample(range(players), number % players))
    salts = [None if seat in bots or number % 5 == 4 else digits(chance) for seat in range(players)]
    seed = fairness.deal_seed(table, secret, salts)
    options = random_options(game, players, chance)
    option = game.meta.seat_option
    first = options.get(option) if option and number % 2 else None
    if option:
        options[option] = fairness.chance_seat(seed, players) if first is None else first
    match = game.start(players, seed, options, rules=rules)
    while not match.over:
        match.play(chance.choice(match.legal()))
    actions = match.record()["actions"]
    is_early = number % 4 == 3
    if is_early:
        match = match.position(len(actions) // 2)
    assert (match.outcome is None) is is_early
    won = list(match.outcome.winners) if match.outcome else [chance.randrange(players)]
    reason = match.outcome.reason if match.outcome else None
    ending = {"how": "resigned" if is_early else "played", "winners": won, "reason": reason}
    taken = {"taken_back": [{"seat": 0, "turn": 1, "actions": actions[:1]}]} if number % 6 == 5 else {}
    seal = {
        "table": table,
        "commitment": fairness.commitment(table, secret),
        "secret": secret,
        "salts": salts,
        "bots": bots,
        "first_seat": first,
    }
    return {**match.record(), **taken, "fairness": seal, "ending": ending}


def without(record: Record, *keys: str) -> Record:
    return {key: value for key, value in record.items() if key not in keys}


def sealing(record: Record, **changed: Any) -> Record:
    return {**record, "fairness": {**record["fairness"], **changed}}


def another_seal(record: Record) -> Record:
    """As a server would write it that has chosen another secret after the game."""
    seal, secret = record["fairness"], "1" * 64
    seed = fairness.deal_seed(seal["table"], secret, seal["salts"])
    sealed = sealing(record, secret=secret, commitment=fairness.commitment(seal["table"], secret))
    return {**sealed, "seed": {"bytes": seed.hex()}}


def swapped(actions: list[str]) -> list[str]:
    """With two neighbours exchanged that are not the same."""
    place = next(n for n in range(len(actions) - 1) if actions[n] != actions[n + 1])
    return [*actions[:place], actions[place + 1], actions[place], *actions[place + 2 :]]


Change = tuple[str, Callable[[Record], Any]]


def exchanged(key: str, *values: Any) -> dict[str, Change]:
    def change(value: Any) -> Change:
        return BROKEN, lambda r: {**r, key: value}

    return {f"{key} {value!r:.20}": change(value) for value in values}


def exchanged_options(*values: Any) -> dict[str, Change]:
    def change(value: Any) -> Change:
        return BROKEN, lambda r: {**r, "options": dict.fromkeys(r["options"], value)}

    return {f"options {value!r:.20}": change(value) for value in values}


# What is done to a good record, and the result of the check.
CHANGES: dict[str, Change] = {
    # the seal
    "another secret": (BROKEN, lambda r: sealing(r, secret="0" * 64)),
    "another commitment": (BROKEN, lambda r: sealing(r, commitment="0" * 64)),
    "another table": (BROKEN, lambda r: sealing(r, table="elsewhere")),
    "a new seal": (BROKEN, another_seal),
    "a capital commitment": (BROKEN, lambda r: sealing(r, commitment=r["fairness"]["commitment"].upper())),
    "other salts": (BROKEN, lambda r: sealing(r, salts=["2" * 64] * r["players"])),
    "too few salts": (BROKEN, lambda r: sealing(r, salts=r["fairness"]["salts"][1:])),
    "salts of no list": (BROKEN, lambda r: sealing(r, salts="no")),
    "salts beyond ASCII": (BROKEN, lambda r: sealing(r, salts=["ż\ud800"] * r["players"])),
    "all are bots": (BROKEN, lambda r: sealing(r, bots=list(range(r["players"])), salts=["3" * 64] * r["players"])),
    "bots of no list": (BROKEN, lambda r: sealing(r, bots="01")),
    "a bot at no seat": (BROKEN, lambda r: sealing(r, bots=[99])),
    "true is a bot": (BROKEN, lambda r: sealing(r, bots=[True])),
    "no bots": (BROKEN, lambda r: {**r, "fairness": without(r["fairness"], "bots")}),
    "no secret": (BROKEN, lambda r: {**r, "fairness": without(r["fairness"], "secret")}),
    "a list as a seal": (BROKEN, lambda r: {**r, "fairness": [1, 2]}),
    "a text as a seal": (BROKEN, lambda r: {**r, "fairness": "sealed"}),
    "no seal": ("no-seal", lambda r: without(r, "fairness")),
    "null as a seal": ("no-seal", lambda r: {**r, "fairness": None}),
    "another first seat": (BROKEN, lambda r: sealing(r, first_seat=9)),
    "a text as the first seat": (BROKEN, lambda r: sealing(r, first_seat="0")),
    # the start
    "another seed": (BROKEN, lambda r: {**r, "seed": {"bytes": "00" * 32}}),
    "a seed of no hex": (BROKEN, lambda r: {**r, "seed": {"bytes": "zz"}}),
    "a seed with more": (BROKEN, lambda r: {**r, "seed": {**r["seed"], "x": 1}}),
    "no seed": (BROKEN, lambda r: without(r, "seed")),
    **exchanged("seed", None, True, 1.5, 7, -(10**30), "text", "\ud800", [], float("nan"), {"bytes": 5}),
    **exchanged("players", None, True, 0, -1, 17, 10**30, 2.5, "2", [], {}, float("inf")),
    "options null": (BROKEN, lambda r: {**r, "options": None}),
    "options a list": (BROKEN, lambda r: {**r, "options": [1]}),
    "options a text": (BROKEN, lambda r: {**r, "options": "icons"}),
    "an unknown option": (BROKEN, lambda r: {**r, "options": {**r["options"], "speed": 3}}),
    **exchanged_options(10**30, 2**31, 2**63, -1, 0.5, "x", None, [], {"a": 1}, float("nan")),
    "decks a list": (BROKEN, lambda r: {**r, "decks": ["draw"]}),
    "an unknown deck": (BROKEN, lambda r: {**r, "decks": {"nonsense": ["a"]}}),
    "an unknown card": (BROKEN, lambda r: {**r, "decks": {name: ["nobody"] for name in decks_of(r)}}),
    "a deck of numbers": (BROKEN, lambda r: {**r, "decks": {name: [1, None] for name in decks_of(r)}}),
    "a deck of a text": (BROKEN, lambda r: {**r, "decks": dict.fromkeys(decks_of(r), "cards")}),
    # the moves
    "no actions": (BROKEN, lambda r: {**r, "actions": []}),
    "actions of a text": (BROKEN, lambda r: {**r, "actions": "score"}),
    "actions of numbers": (BROKEN, lambda r: {**r, "actions": [1, 2]}),
    "the last action is missing": (BROKEN, lambda r: {**r, "actions": r["actions"][:-1]}),
    "the first action is missing": (BROKEN, lambda r: {**r, "actions": r["actions"][1:]}),
    "an action twice": (BROKEN, lambda r: {**r, "actions": [*r["actions"], r["actions"][-1]]}),
    "two actions swapped": (BROKEN, lambda r: {**r, "actions": swapped(r["actions"])}),
    "an unknown action": (BROKEN, lambda r: {**r, "actions": [*r["actions"][:2], "dance ż\n\u202e", "x"]}),
    "a long action": (BROKEN, lambda r: {**r, "actions": ["steal " * 20_000]}),
    "half a pair": (BROKEN, lambda r: {**r, "actions": ["\ud800"]}),
    # the end
    "another hash": (BROKEN, lambda r: {**r, "hash": "0" * 32}),
    "no hash": (BROKEN, lambda r: without(r, "hash")),
    "a hash of no text": (BROKEN, lambda r: {**r, "hash": 5}),
    "another chain": (BROKEN, lambda r: {**r, "chain": "0" * 64}),
    "a chain of no text": (BROKEN, lambda r: {**r, "chain": [1]}),
    "no chain": (BROKEN, lambda r: without(r, "chain")),
    "as version 0.1 wrote it": (CONSISTENT, lambda r: without(r, "chain", "format")),
    "no ending": (BROKEN, lambda r: without(r, "ending")),
    "an ending of no object": (BROKEN, lambda r: {**r, "ending": ["played"]}),
    "an ending without how": (BROKEN, lambda r: {**r, "ending": {"winners": [0]}}),
    "another winner": (BROKEN, lambda r: {**r, "ending": {"how": "played", "winners": [7], "reason": None}}),
    "another ending": (
        BROKEN,
        lambda r: {**r, "ending": {**r["ending"], "how": {"played": "agreed"}.get(r["ending"]["how"], "played")}},
    ),
    "a take-back of no list": (CONSISTENT, lambda r: {**r, "taken_back": "yes"}),
    "it plays on": (CONSISTENT, lambda r: {**without(r, "fairness"), "continues": {"table": "T", "turn": 3}}),
    "it plays on, cut off": (
        BROKEN,
        lambda r: {**without(r, "fairness"), "actions": r["actions"][:-1], "continues": {"table": "T", "turn": 3}},
    ),
    "more keys": (CONSISTENT, lambda r: {**r, "net": "n", "": [{}], "__proto__": {"a": 1}, "constructor": 1}),
    # other versions
    "another game": (UNCHECKED, lambda r: {**r, "game": "chess"}),
    "a game in capitals": (UNCHECKED, lambda r: {**r, "game": r["game"].upper()}),
    "a game beyond ASCII": (UNCHECKED, lambda r: {**r, "game": "ż\ud800\u202e" * 50}),
    "a module as a game": (UNCHECKED, lambda r: {**r, "game": "../os"}),
    "a game of no text": (BROKEN, lambda r: {**r, "game": 5}),
    "no game": (BROKEN, lambda r: without(r, "game")),
    "rules of tomorrow": (UNCHECKED, lambda r: {**r, "rules": "99"}),
    "rules of a number": (UNCHECKED, lambda r: {**r, "rules": 1}),
    "format 3": (UNCHECKED, lambda r: {**r, "format": 3}),
    "format of a text": (UNCHECKED, lambda r: {**r, "format": "2"}),
    "format true": (UNCHECKED, lambda r: {**r, "format": True}),
    "format huge": (UNCHECKED, lambda r: {**r, "format": 10**40}),
    # what is no record
    "a list of it": ("no-record", lambda r: [r]),
    "a list of events": ("no-seal", lambda r: {"events": r["actions"]}),
}


def decks_of(record: Record) -> list[str]:
    return sorted(tavolino.load(record["game"]).decks)


# What is done to the text of a good record.
TEXTS: dict[str, tuple[str, Callable[[bytes], bytes]]] = {
    "a byte order mark": (CONSISTENT, lambda text: b"\xef\xbb\xbf" + text),
    "spaces around it": (CONSISTENT, lambda text: b"\n\t " + text + b"\r\n"),
    "in lines": (CONSISTENT, lambda text: json.dumps(json.loads(text), indent=4).encode()),
    "a key twice, the right one last": (CONSISTENT, lambda text: b'{"game": "chess", ' + text[1:]),
    "as deep as can be": (CONSISTENT, lambda text: b'{"more": ' + nested(MAX_DEPTH - 1) + b", " + text[1:]),
    "brackets in a text": (CONSISTENT, lambda text: b'{"more": "' + b"[" * 999 + b'\\"{", ' + text[1:]),
    "as large as can be": (CONSISTENT, lambda text: text + b" " * (MAX_BYTES - len(text))),
    "half of it": ("no-record", lambda text: text[: len(text) // 2]),
    "without its last byte": ("no-record", lambda text: text[:-1]),
    "twice": ("no-record", lambda text: text + text),
    "nothing": ("no-record", lambda text: b""),
    "in UTF-16": ("no-record", lambda text: text.decode().encode("utf-16")),
    "in Latin-1": ("no-record", lambda text: b'{"a": "\xe9", ' + text[1:]),
    "a picture": ("no-record", lambda text: b"\x89PNG\r\n\x1a\n" + text),
    "too deep": ("no-record", lambda text: b'{"more": ' + nested(MAX_DEPTH) + b", " + text[1:]),
    "much too deep": ("no-record", lambda text: b"[" * 200_000),
    "too many digits": ("no-record", lambda text: b'{"more": ' + b"9" * 5000 + b", " + text[1:]),
    "too large": ("no-record", lambda text: text + b" " * MAX_BYTES),
    "a comment": ("no-record", lambda text: b"// a game\n" + text),
    "a comma too many": ("no-record", lambda text: text[:-1] + b",}"),
    "a text without its end": ("no-record", lambda text: b'{"' + b'\\"' * 50_000),
    "null": ("no-record", lambda text: b"null"),
    "a number": ("no-record", lambda text: b"1e999"),
}


def nested(depth: int) -> bytes:
    return b"[" * depth + b"]" * depth


def files(name: str) -> Iterator[GameFile]:
    """All files about one game."""
    game = tavolino.load(name)
    good = [sealed_game(game, number) for number in range(GOOD)]
    for number, record in enumerate(good):
        seal, text = record["fairness"], json.dumps(record).encode()
        salt = next(filter(None, seal["salts"]), None)
        yield GameFile(f"good {number}", text, CONSISTENT)
        yield GameFile(f"good {number}, kept", text, SEALED, Kept(seal["commitment"].upper(), salt))
        of_device = " ".join(filter(None, seal["salts"])) or None
        yield GameFile(f"good {number}, kept by several", text, SEALED, Kept(seal["commitment"], of_device))
        yield GameFile(f"good {number}, one of several", text, BROKEN, Kept(None, f"{of_device or ''} {'5' * 64}"))
        yield GameFile(f"good {number}, kept another", text, BROKEN, Kept("5" * 64))
        yield GameFile(f"good {number}, another salt", text, BROKEN, Kept(seal["commitment"], "5" * 64))
        yield GameFile(f"good {number}, no digits", text, "not-kept", Kept("seal"))
    of_corpus = (CORPUS / f"{name}.{game.rules}.jsonl").read_text("utf-8").splitlines()
    for number, line in enumerate(of_corpus[::16]):
        yield GameFile(f"corpus {number}", line.encode(), "no-seal")
        sealed = {**json.loads(line), "fairness": {**good[0]["fairness"]}}
        yield GameFile(f"corpus {number}, sealed", json.dumps(sealed).encode(), BROKEN)
    for number, (kind, (expected, change)) in enumerate(CHANGES.items()):
        changed = json.dumps(change(good[number % GOOD])).encode()
        # Consistent in itself: only what was kept shows it.
        kept = Kept(good[number % GOOD]["fairness"]["commitment"]) if kind == "a new seal" else Kept()
        yield GameFile(kind, changed, expected, kept)
    for number, (kind, (expected, rewrite)) in enumerate(TEXTS.items()):
        yield GameFile(kind, rewrite(json.dumps(good[number % GOOD]).encode()), expected)
