"""What the clients of a table sent and were shown, and whether that fits the record: a function without any I/O.

The record is what the database holds in the end. Checked is: an acknowledged move is in it, once and in its place; what
was refused is not in it; nobody else's move is; every frame is the record as that seat sees it, after so many moves; on
one connection nothing goes back, and a new one begins at least where anybody at the table was; no frame of a running
game holds the secret of the deal; the game came to its end.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

import msgspec

# After these it is unknown whether the move was stored; after any other refusal it was not.
UNKNOWN_OUTCOMES = frozenset({"storage-unknown", "storage-broken"})


class Sent(NamedTuple):
    """A move that a client sent for a seat: as answer to so many decisions."""

    ref: str
    seat: int
    turn: int
    action: str


class Answered(NamedTuple):
    """The answer to a move: the number of decisions after it, or the code of a refusal."""

    ref: str
    turn: int | None
    refused: str | None = None


class Connecting(NamedTuple):
    """A client begins to connect, to any node."""

    connection: int


class Shown(NamedTuple):
    """A frame with cards: new lines of the log, and the view, as JSON. `viewer` is a seat, or None for a spectator;
    connections are numbered."""

    connection: int
    viewer: int | None
    turn: int
    from_line: int
    lines: bytes
    view: bytes
    raw: bytes = b""


class Told(NamedTuple):
    """A message about the table. While the game runs it must not contain the secret of the deal."""

    connection: int
    phase: str
    raw: bytes


Event = Sent | Answered | Connecting | Shown | Told


class Made(NamedTuple):
    """A move in the record; `by` is `person`, `bot` or `stand-in`."""

    seat: int
    action: str
    by: str = "person"


class Game(Protocol):
    """A game in progress, as the engine has it."""

    @property
    def over(self) -> bool: ...
    def view(self, seat: int | None, from_line: int = 0, /) -> dict[str, Any]: ...
    def play(self, action: str, /) -> Any: ...
    def clone(self) -> Any: ...
    def resample(self, seat: int | None, seed: Any, /) -> Any: ...


@dataclass
class Record:
    """What the database holds of a table. `game` is the deal, before the first move; `secrets`: nobody may see them."""

    moves: list[Made]
    game: Game
    secrets: tuple[str, ...] = ()
    has_ended: bool = True


@dataclass
class History:
    table: str
    events: list[Event] = field(default_factory=list)


class Violation(NamedTuple):
    kind: str
    sentence: str


encode = msgspec.json.encode


def is_same(shown: bytes, expected: Any) -> bool:
    """Whether the JSON that was shown equals the expected value; equal bytes are not parsed."""
    encoded = encode(expected)
    return shown == encoded or bool(msgspec.json.decode(shown) == msgspec.json.decode(encoded))


def check(history: History, record: Record, every_view: int = 1) -> list[Violation]:
    """Returns the violations. The lines of all frames are compared, the views of every n-th frame."""
    violations = [
        *_check_moves(history.events, record.moves),
        *_check_order(history.events),
        *_check_frames([event for event in history.events if isinstance(event, Shown)], record, every_view),
        *_check_secrets(history.events, record),
    ]
    if not record.has_ended:
        violations.append(Violation("stuck", f"{len(record.moves)} moves were made, and the game has not ended"))
    return [Violation(kind, f"{history.table}: {sentence}") for kind, sentence in violations]


def _check_moves(events: Sequence[Event], moves: Sequence[Made]) -> Iterable[Violation]:
    answers = {event.ref: event for event in events if isinstance(event, Answered)}
    sent = [event for event in events if isinstance(event, Sent)]
    accepted: dict[int, list[Sent]] = defaultdict(list)
    for move in sent:
        answer = answers.get(move.ref)
        if answer is None or answer.refused is not None:
            continue
        if answer.turn != move.turn + 1:
            yield Violation("order", f"move {move.turn} was acknowledged as number {answer.turn}")
        accepted[move.turn].append(move)
        made = moves[move.turn] if move.turn < len(moves) else None
        if made is None or (made.seat, made.action) != (move.seat, move.action):
            yield Violation("lost", f"{move.action!r} of seat {move.seat} was acknowledged as move {move.turn}: {made}")
    for turn, several in accepted.items():
        if len(several) > 1:
            yield Violation("twice", f"move {turn} was acknowledged {len(several)} times")
    by_place: dict[tuple[int, int, str], list[Sent]] = defaultdict(list)
    for move in sent:
        by_place[move.turn, move.seat, move.action].append(move)
    for turn, made in enumerate(moves):
        if made.by != "person":
            continue
        tries = by_place[turn, made.seat, made.action]
        codes = [answers[each.ref].refused if each.ref in answers else "nothing" for each in tries]
        if not tries:
            yield Violation("unsent", f"nobody sent move {turn}, {made.action!r} of seat {made.seat}")
        elif all(code is not None and code != "nothing" and code not in UNKNOWN_OUTCOMES for code in codes):
            yield Violation("refused", f"move {turn} was refused ({codes[0]}) and is there")


def _check_order(events: Sequence[Event]) -> Iterable[Violation]:
    """Nobody is shown an older position than was shown on the same connection, or to anybody before it began."""
    newest = 0  # that anybody at this table was shown
    last: dict[int, int] = {}  # by connection
    begun: dict[int, int] = {}  # the newest when a connection began, until it was shown something
    for event in events:
        if isinstance(event, Connecting):
            begun[event.connection] = newest
        elif isinstance(event, Shown):
            if event.turn < last.get(event.connection, 0):
                yield Violation("back", f"a connection went back from move {last[event.connection]} to {event.turn}")
            if event.turn < (before := begun.pop(event.connection, 0)):
                yield Violation("stale", f"a new connection was shown move {event.turn} after somebody saw {before}")
            last[event.connection] = event.turn
            newest = max(newest, event.turn)


def _check_frames(shown: Sequence[Shown], record: Record, every_view: int) -> Iterable[Violation]:
    by_turn: dict[int, list[tuple[int, Shown]]] = defaultdict(list)
    for number, frame in enumerate(shown):
        if frame.turn > len(record.moves):
            yield Violation("ahead", f"move {frame.turn} was shown, the record has {len(record.moves)}")
        else:
            by_turn[frame.turn].append((number, frame))
    game = record.game.clone()
    for turn in range(len(record.moves) + 1):
        for number, frame in by_turn[turn]:
            yield from _check_frame(game, frame, number % every_view == 0)
        try:
            if turn < len(record.moves):
                game.play(record.moves[turn].action)
        except ValueError as error:
            yield Violation("damaged", f"the record cannot be replayed from move {turn} on: {error}")
            return


def _check_frame(game: Game, frame: Shown, is_compared: bool) -> Iterable[Violation]:
    who = "a spectator" if frame.viewer is None else f"seat {frame.viewer}"
    view = game.view(frame.viewer, frame.from_line)
    if not is_same(frame.lines, view.pop("log")):
        yield Violation("shown", f"{who} was shown other lines after move {frame.turn} than the record has")
    elif is_compared:
        if not is_same(frame.view, view):
            yield Violation("shown", f"{who} was shown another view after move {frame.turn} than the record gives")
            return
        # Two worlds: in another one that this viewer cannot tell from the true one, the frame must be the same.
        other = game.resample(frame.viewer, frame.turn).view(frame.viewer, frame.from_line)
        if not (is_same(frame.lines, other.pop("log")) and is_same(frame.view, other)):
            yield Violation("leaked", f"{who} was shown more after move {frame.turn} than that seat can know")


def _check_secrets(events: Sequence[Event], record: Record) -> Iterable[Violation]:
    for event in events:
        if (isinstance(event, Told) and event.phase != "ended") or isinstance(event, Shown):
            for secret in record.secrets:
                if secret.encode() in event.raw:
                    yield Violation("leaked", f"a frame held the secret of the deal: {event.raw[:60]!r}")
