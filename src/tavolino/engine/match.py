"""A match: one game being played. The public interface for programs."""

import hashlib
from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tavolino.engine import loops
from tavolino.engine.chance import key_from_seed
from tavolino.engine.errors import IllegalAction
from tavolino.engine.events import Event, has_private_half, tell, tell_all
from tavolino.engine.game import Game, Json, Refusal, Seed, nothing_to_settle
from tavolino.engine.reading import read
from tavolino.engine.record import SPECTATOR, hashed_fields
from tavolino.engine.record_format import FORMAT, chain
from tavolino.engine.texts import sentence

_NO_KEY = np.zeros(8, dtype=np.int64)
_NO_NUMBERS = np.zeros(0, dtype=np.int32)
_NO_DECKS = np.zeros((0, 0), dtype=np.int32)
# What every view has, in all games; a game's own view has other keys.
COMMON_KEYS = frozenset(
    {"game", "players", "seat", "to_act", "step", "prompt", "legal", "described", "over", "outcome", "log"}
)


@dataclass(frozen=True)
class Outcome:
    """Who won, and by which rule the game ended."""

    winners: tuple[int, ...]
    reason: str


class Match:
    """One game being played. Only `view`, `notebook` and `resample` are for players; the rest is for the server."""

    def __init__(self, game: Game, states: np.ndarray[Any, Any], options: Mapping[str, Any], rules: str):
        self.game = game
        self.rules = rules
        self._states = states
        self._options = dict(options)
        self._seed: Seed | None = None  # None: a resampled world, which was not dealt from a seed
        self._decks: dict[str, list[str]] | None = None
        self._actions: list[str] = []
        self._out = np.zeros(game.action_count, dtype=np.int32)
        self._n_legal = 0
        self._rows = array("i")  # the rows of all events since the deal
        self._width: int = states.dtype["events"].shape[-1]
        self._before = 0  # lines of the log without a row: a resampled match begins with some
        self._logs: dict[int, list[Event]] = {}  # by viewer: the log as far as it was requested in full
        self._open: dict[int, Event] = {}  # by number of the row: events that are the same for everybody
        self._reading: Any = read(states)
        self._texts: dict[str, int] | None = None
        self._fresh = 0  # how many of the rows the last action wrote
        self._asked: Json | None = None  # the first part of every view
        # By seat: how long the log was before and after its last decision.
        self._decided: dict[int, tuple[int, int]] = {}

    @classmethod
    def begin(
        cls,
        game: Game,
        players: int,
        seed: Seed,
        key: np.ndarray[Any, Any],
        options: Mapping[str, Any],
        decks: Mapping[str, Sequence[str]] | None,
        arranged: np.ndarray[Any, Any],
        n_arranged: np.ndarray[Any, Any],
        rules: str,
    ) -> "Match":
        match = cls(game, game.new_states(), options, rules)
        match._seed = seed
        match._decks = None if decks is None else {name: list(cards) for name, cards in decks.items()}
        match._logs = {viewer: [] for viewer in range(SPECTATOR, players)}
        numbers = game.option_numbers(players, options, rules)
        match._advance(loops.BEGIN, 0, key, numbers, arranged, n_arranged)
        return match

    # -- what is going on

    @property
    def players(self) -> int:
        return int(self._reading.players)

    @property
    def to_act(self) -> int | None:
        seat: int = self._reading.to_act
        return seat if seat >= 0 else None

    @property
    def over(self) -> bool:
        return self.to_act is None

    @property
    def outcome(self) -> Outcome | None:
        if not self.over:
            return None
        winners = tuple(seat for seat in range(self.players) if self._reading.winners >> seat & 1)
        return Outcome(winners, self.game.reasons[self._reading.reason] or "")

    def teams(self) -> list[int]:
        """The number of each seat's team; players of one team win together."""
        teams: list[int] = self.game.teams(self._states[0]).tolist()
        return teams

    def legal(self) -> tuple[str, ...]:
        """The texts of the legal actions, each once; () at the end."""
        if self._texts is None:
            numbers = self._out[: self._n_legal].tolist()
            self._texts = {self.game.action_text(self._reading, number): number for number in numbers}
        return tuple(self._texts)

    def play(self, action: str) -> list[Event]:
        """Play an action of the seat to act. All events, unfiltered: for the server, not for players."""
        self.advance(action)
        last = self._n_rows
        return [self._event(number) for number in range(last - self._fresh, last)]

    def advance(self, action: str) -> None:
        """`play` without its return value."""
        self.legal()
        number = self._texts.get(action) if self._texts and isinstance(action, str) else None
        if number is None:
            raise self._refusal(action)
        seat, lines = self._reading.to_act, self.lines
        self._advance(loops.PLAY, number)
        self._actions.append(action)
        self._decided[seat] = lines, self.lines

    def _refusal(self, action: Any) -> IllegalAction:
        if not isinstance(action, str):
            reason = Refusal(None, "not-a-text")
        elif self.over:
            reason = Refusal(None, "game-over")
        else:
            reason = self.game.refuse(self._reading, action)
        return IllegalAction(
            reason.rule,
            sentence(self.game, f"refusal.{reason.key}", reason.params),
            reason.key,
            reason.params,
        )

    # -- what a viewer may know

    @property
    def lines(self) -> int:
        """The length of every viewer's log, which is the same: a secret event is a line without its secret half."""
        return self._before + self._n_rows

    def lines_at_decision(self, seat: int | None) -> int:
        """How long the log was after the last decision of a seat: the lines from there on are new to that player.

        0 before the first decision, and for spectators.
        """
        return 0 if seat is None else self._decided.get(seat, (0, 0))[1]

    def lines_before_decision(self, seat: int | None) -> int:
        """How long the log was when a seat decided last: what came of that decision is among the lines from there on.

        For programs, which see nothing happen between two decisions. 0 before the first one, and for spectators.
        """
        return 0 if seat is None else self._decided.get(seat, (0, 0))[0]

    def view(self, seat: int | None, from_line: int | None = None) -> Json:
        """What a seat may know, and nothing else; None: what a spectator may know.

        With `from_line` the log holds only the lines from that one on, for a caller that has the earlier ones.
        """
        viewer = self._viewer(seat)
        is_asked = viewer >= 0 and viewer == self._reading.to_act
        self._asked = self._asked or self._what_is_asked()
        legal = list(self.legal()) if is_asked else []
        return {
            **self._asked,
            "seat": seat,
            "legal": legal,
            "described": {text: self.game.described(text) for text in legal},
            **self.game.view(self._reading, viewer),
            "log": list(self._log(viewer)) if from_line is None else self._lines_from(from_line, viewer),
        }

    def _what_is_asked(self) -> Json:
        """The first part of every view, the same for everybody."""
        outcome = self.outcome
        return {
            "game": self.game.name,
            "players": self.players,
            "seat": None,
            "to_act": self.to_act,
            "step": self.game.steps[self._reading.step],
            "prompt": None if self.over else self.game.prompt(self._reading),
            "legal": [],
            "described": {},
            "over": self.over,
            "outcome": outcome and {"winners": list(outcome.winners), "reason": outcome.reason},
        }

    def notebook(self, seat: int | None) -> Json:
        """What a viewer can deduce from what that viewer has seen."""
        return dict(self.game.notebook(self._reading, self._viewer(seat)))

    def text(self, seat: int | None, language: str = "en") -> str:
        """What a seat may know, in words: the news from its last decision on, the table, the numbered choices."""
        from tavolino.engine.telling import Teller

        view = self.view(seat, self.lines_before_decision(seat))
        return Teller(self.game, language, seat).observation(view, view["log"])

    def describe(self, action: str, language: str = "en") -> str:
        """A legal action as it is offered to the seat to act; IllegalAction for any other text."""
        from tavolino.engine.telling import Teller

        if action not in self.legal():
            raise self._refusal(action)
        return Teller(self.game, language, self.to_act).label(self.game.described(action))

    def _viewer(self, seat: int | None) -> int:
        if seat is None:
            return SPECTATOR
        if isinstance(seat, bool) or not isinstance(seat, int) or not 0 <= seat < self.players:
            raise ValueError(f"There is no seat {seat!r}: seats are numbered 0 to {self.players - 1}.")
        return seat

    def _log(self, viewer: int) -> list[Event]:
        log = self._logs[viewer]
        log += [self._line(number, viewer) for number in range(len(log) - self._before, self._n_rows)]
        return log

    def _lines_from(self, line: int, viewer: int) -> list[Event]:
        told = self._logs[viewer][line:]
        first = max(line, len(self._logs[viewer])) - self._before
        return told + [self._line(number, viewer) for number in range(first, self._n_rows)]

    def _line(self, number: int, viewer: int) -> Event:
        line = self._open.get(number)
        if line is None:
            row = self._row(number)
            line = tell(self.game.event_kinds, row, viewer)
            if not has_private_half(self.game.event_kinds, row):  # the same for everybody: built once and shared
                self._open[number] = line
        return line

    def _event(self, number: int) -> Event:
        """The whole event, for the program that runs the game; a new dict, not one that views share."""
        row = self._row(number)
        if has_private_half(self.game.event_kinds, row):
            return tell_all(self.game.event_kinds, row, self.players)
        return dict(self._line(number, SPECTATOR))

    @property
    def _n_rows(self) -> int:
        return len(self._rows) // self._width

    def _row(self, number: int) -> Sequence[int]:
        return self._rows[number * self._width : (number + 1) * self._width]

    def drop_caches(self) -> None:
        """Drop what can be computed again, so that an idle match takes little memory."""
        self._reading, self._texts, self._asked = read(self._states), None, None
        self._open.clear()

    # -- other worlds

    def clone(self) -> "Match":
        """An independent copy: the same actions give the same game."""
        copy = self._copy()
        copy._seed, copy._decks, copy._actions = self._seed, self._decks, list(self._actions)
        copy._rows, copy._before = self._rows[:], self._before
        copy._logs = {viewer: list(log) for viewer, log in self._logs.items()}
        if any(self._logs.values()):
            copy._open = dict(self._open)
        return copy

    def resample(self, seat: int | None, seed: Seed) -> "Match":
        """A match that the seat cannot tell from this one; everything that the seat cannot know is drawn again.

        The other seats' logs hold only what everybody saw: this world's secrets do not apply to the new one.
        """
        viewer = self._viewer(seat)
        copy = self._copy_for(viewer)
        copy._n_legal = loops.draw_world(copy._states, 0, viewer, key_from_seed(seed), copy._out)
        copy._read_result()
        return copy

    def conceal(self, seat: int | None, seed: Seed) -> "Match":
        """A match without anything that the seat cannot know, for bots that do not look at hidden cards.

        Hidden places hold arbitrary values that need not be possible, so nothing can be played in this match.
        """
        viewer = self._viewer(seat)
        copy = self._copy_for(viewer)
        copy._advance(loops.CONCEAL, viewer, key_from_seed(seed))
        return copy

    def _copy_for(self, viewer: int) -> "Match":
        """A copy whose logs hold only what the viewer knows."""
        copy = self._copy()
        copy._logs = {other: list(self._log(viewer if other == viewer else SPECTATOR)) for other in self._logs}
        copy._before = self.lines
        return copy

    def _copy(self) -> "Match":
        copy = Match(self.game, self._states.copy(), self._options, self.rules)
        copy._out[:], copy._n_legal = self._out, self._n_legal
        copy._decided = dict(self._decided)
        return copy

    # -- records

    def position(self, turn: int) -> "Match":
        """The same game as it stood after so many actions; 0 is the deal."""
        if self._seed is None:
            raise ValueError("A resampled match has no beginning: its deal never happened.")
        if not 0 <= turn <= len(self._actions):
            raise ValueError(f"There is no turn {turn}: turns are numbered 0 to {len(self._actions)}.")
        earlier = self.game.start(self.players, self._seed, self._options, self._decks, self.rules)
        for action in self._actions[:turn]:
            earlier.advance(action)
        return earlier

    def record(self) -> Json:
        """The game as its seed and its actions; `tavolino.replay` plays it again."""
        if self._seed is None:
            raise ValueError("A resampled match has no record: its deal never happened.")
        seed = {"bytes": self._seed.hex()} if isinstance(self._seed, bytes) else self._seed
        written: Json = {
            "format": FORMAT,
            "game": self.game.name,
            "rules": self.rules,
            "players": self.players,
            "options": dict(self._options),
            "seed": seed,
            "decks": self._decks and {name: list(cards) for name, cards in self._decks.items()},
            "actions": list(self._actions),
            "hash": self.hash(),
        }
        return {**written, "chain": chain(written)}

    def hash(self) -> str:
        """A fingerprint of the whole state, secrets and chance included."""
        if self.game.settle is not nothing_to_settle:
            self._n_legal = loops.advance(
                self._states, 0, loops.SETTLE, 0, _NO_KEY, _NO_NUMBERS, _NO_DECKS, _NO_NUMBERS, self._out
            )
        digest = hashlib.sha256()
        record = self._states[0]
        for name in hashed_fields(self.game.record):
            digest.update(name.encode() + b"\0" + record[name].tobytes())
        return digest.hexdigest()[:32]

    # -- the NumPy record

    def _advance(
        self,
        operation: int,
        number: int,
        key: np.ndarray[Any, Any] = _NO_KEY,
        options: np.ndarray[Any, Any] = _NO_NUMBERS,
        arranged: np.ndarray[Any, Any] = _NO_DECKS,
        n_arranged: np.ndarray[Any, Any] = _NO_NUMBERS,
    ) -> None:
        self._n_legal = loops.advance(self._states, 0, operation, number, key, options, arranged, n_arranged, self._out)
        self._read_result()

    def _read_result(self) -> None:
        """Read the result of compiled code from the record."""
        self._reading, self._texts, self._asked = read(self._states), None, None
        self._fresh = self._reading.n_events
        self._rows.frombytes(self._states[0]["events"][: self._fresh].tobytes())
