"""Links that hold all that they lead to: a game to replay or to play on from, or a puzzle (decision 169).

A link may be from anybody. Its text is read with limits, and what it holds is played by the rules before anything of it
is shown. It has no place for names, for ids of people or tables, or for what was said.
"""

from __future__ import annotations

import base64
import hashlib
import re
import secrets
import zlib
from collections.abc import Mapping
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, field
from msgspec.structs import replace

from tavolino.coach.puzzle_files import StoredPuzzle, explained
from tavolino.coach.written import fact_json
from tavolino.engine.errors import BadRecord, IllegalAction
from tavolino.engine.match import Match
from tavolino.engine.records import replay
from tavolino.games import load
from tavolino.local.redealing import Action, World, match_in, moments_of, redealt
from tavolino.server import protocol as p
from tavolino.server.errors import Refused
from tavolino.server.games import positions

MARK = "t1."  # the beginning of every link of this form
MAX_BYTES = 64 * 1024  # unpacked
MAX_TEXT = 2 * MAX_BYTES
LETTERS = re.compile("[A-Za-z0-9_-]*")
SEED_BYTES = 16

Show = Literal["replay", "review", "play"]
Why = Literal["foreign", "cut", "too-large", "damaged", "no-game", "other-rules", "not-linked"]
Chance = Annotated[float, Meta(ge=0.0, le=1.0)]


class WrongLink(Refused):
    """A link that is not read or written. The page says why; a server never does, it has no links."""

    def __init__(self, why: Why) -> None:
        Exception.__init__(self, why)
        self.status, self.problem = 422, p.Problem(f"link-{why}", f"links.problem.{why}", {}, None)


class GameLink(p.Body, tag_field="kind", tag="game"):
    """A game up to some decision, and how it is shown. Without `how` it is not over; `seat`: whose cards are shown, or
    who plays on."""

    game: str
    rules: str
    players: p.Count
    options: dict[str, p.OptionValue]
    seed: Annotated[str, Meta(max_length=128, pattern="^([0-9a-f]{2})+$")]
    actions: list[Action]
    how: p.HowEnded | None = None
    winners: list[p.SeatNumber] = field(default_factory=list)
    show: Show = "replay"
    seat: p.SeatNumber | None = None
    move: p.Count | None = None


class Worth(p.Body):
    """As `positions.Worth`."""

    action: Action
    chance: Chance
    error: Chance
    estimate: bool


class PuzzleLink(p.Body, tag_field="kind", tag="puzzle"):
    """A puzzle in another deal than the one that it was found in."""

    world: World
    usual: Action
    actions: list[Worth]  # the best one first


Link = GameLink | PuzzleLink
_decode = msgspec.json.Decoder(Link).decode


def written(link: Link) -> str:
    packed = zlib.compress(msgspec.json.encode(link), 9)
    return MARK + base64.urlsafe_b64encode(packed).rstrip(b"=").decode()


def read(text: str) -> Link:
    """What a link holds; WrongLink says what is wrong with its text."""
    if len(text) > MAX_TEXT:
        raise WrongLink("too-large")
    if not text.startswith(MARK):
        raise WrongLink("foreign")
    unpacked = _unpacked(text.removeprefix(MARK))
    try:
        return _decode(unpacked)
    except (msgspec.DecodeError, RecursionError, UnicodeError):
        raise WrongLink("foreign") from None


def _unpacked(text: str) -> bytes:
    if not LETTERS.fullmatch(text):
        raise WrongLink("damaged")
    whole = text[:-1] if len(text) % 4 == 1 else text  # a cut can leave a letter that is part of no byte
    unpack = zlib.decompressobj()
    try:
        content = unpack.decompress(base64.urlsafe_b64decode(whole + "=" * (-len(whole) % 4)), MAX_BYTES + 1)
    except zlib.error:
        raise WrongLink("damaged") from None
    if len(content) > MAX_BYTES:
        raise WrongLink("too-large")
    if not unpack.eof:
        raise WrongLink("cut")
    if unpack.unused_data:
        raise WrongLink("damaged")
    return content


def game_link(record: Mapping[str, Any], show: Show, seat: int | None, move: int | None) -> str:
    """A link to the game of a record; to play on from a move, it ends there. Callers may have the record: the game is
    over, or of this device."""
    seed, ending = record.get("seed"), record.get("ending") or {}
    is_all = show != "play"
    try:
        link = GameLink(
            game=record["game"],
            rules=record["rules"],
            players=record["players"],
            options=record["options"],
            seed=seed["bytes"],  # type: ignore[index]
            actions=record["actions"] if is_all else record["actions"][:move],
            how=ending.get("how") if is_all else None,
            winners=list(ending.get("winners") or ()) if is_all else [],
            show=show,
            seat=seat,
            move=move if is_all else None,
        )
    except (LookupError, TypeError):
        raise WrongLink("not-linked") from None
    return _checked(link)


def puzzle_link(puzzle: StoredPuzzle) -> str:
    """A link to a puzzle in another deal, which takes some seconds to find."""
    record = puzzle.record
    world = redealt(moments_of(record), record["options"], puzzle.seat, secrets.token_hex(SEED_BYTES))
    worths = [Worth(**{name: each[name] for name in Worth.__struct_fields__}) for each in puzzle.actions]
    return _checked(PuzzleLink(world, puzzle.usual, worths))


def _checked(link: Link) -> str:
    """Its text, if whoever opens it finds no fault with it."""
    text = written(link)
    try:
        again = read(text)
        match_of(again) if isinstance(again, GameLink) else puzzle_of(again)
    except Refused:
        raise WrongLink("not-linked") from None
    return text


def match_of(link: GameLink) -> Match:
    """The game of a link, played to where it ends there."""
    try:
        match = replay(record_of(link), load)
    except BadRecord as bad:
        raise _refused(bad) from None
    outcome = match.outcome
    fits = (
        (link.seat is None or link.seat < match.players)
        and (link.move is None or link.move <= len(link.actions))
        and all(seat < match.players for seat in link.winners)
        and (link.how == "played") is (outcome is not None)
        and (outcome is None or link.winners == list(outcome.winners))
        and ((link.seat is not None and not match.over) if link.show == "play" else link.how is not None)
    )
    if not fits:
        raise WrongLink("damaged")
    return match


def record_of(link: GameLink) -> dict[str, Any]:
    start = {name: getattr(link, name) for name in ("game", "rules", "players", "options", "actions")}
    return {**start, "seed": {"bytes": link.seed}, "decks": None}


def puzzle_of(link: PuzzleLink) -> Match:
    """The position of a puzzle; its actions are those that can be chosen there, and one of them is best."""
    try:
        match = match_in(link.world)
    except BadRecord as bad:
        raise _refused(bad) from None
    except (IllegalAction, ValueError):
        raise WrongLink("damaged") from None
    listed = [each.action for each in link.actions]
    fits = (
        match.to_act == link.world.seat
        and sorted(listed) == sorted(match.legal())
        and link.usual in listed[1:]
        and all(each.chance < link.actions[0].chance for each in link.actions[1:])
    )
    if not fits:
        raise WrongLink("damaged")
    return match


def position_in(link: PuzzleLink) -> positions.Position:
    return positions.seen(puzzle_of(link), "", link.world.seat)


def solution_in(link: PuzzleLink, action: str) -> positions.Solution:
    """What a try was worth: the chances are those that came with the link, the reasons are of here."""
    match, best = puzzle_of(link), link.actions[0].action
    actions = [msgspec.to_builtins(each) for each in link.actions]
    facts = explained(match, link.world.seat, best, link.usual, actions)
    return positions.solution(action, best, link.usual, actions, [p.Reason(**fact_json(fact)) for fact in facts])


def name_of(link: GameLink) -> str:
    """The same for every link to the same game."""
    content = msgspec.json.encode(replace(link, show="replay", seat=None, move=None), order="deterministic")
    return base64.urlsafe_b64encode(hashlib.sha256(content).digest())[:20].decode()


def _refused(bad: BadRecord) -> WrongLink:
    why: dict[str, Why] = {"record.unknown-game": "no-game", "record.unknown-rules": "other-rules"}
    return WrongLink(why.get(bad.key, "damaged"))
