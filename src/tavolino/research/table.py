"""One game in numbers, for interfaces where microseconds matter: `Match` reads and writes texts, `Table` does not.

Actions and observations are relative to a seat (see `engine.observation`). A table that keeps a log also gives the
information state of each seat: everything the seat has seen and done since the first event.
"""

import hashlib
import json
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tavolino.engine import loops
from tavolino.engine.chance import key_from_seed
from tavolino.engine.decks import arrange
from tavolino.engine.events import tell
from tavolino.engine.game import Json, Seed
from tavolino.engine.options import resolve
from tavolino.engine.reading import read
from tavolino.engine.record import SPECTATOR
from tavolino.research.encodings import encoding_of
from tavolino.research.observing import ILLEGAL, encode, payoffs, play_and_encode

_NO_KEY = np.zeros(8, dtype=np.int64)
# Two new arrays for each decision: with the type looked up by its name they take half as long again.
_empty, _BYTE, _FLAG = np.empty, np.dtype(np.uint8), np.dtype(np.int8)
# The parts of a log: the choices of seats, and between them the rows of the events that followed.
_Choice = tuple[int, int]
_Rows = NDArray[np.int32]


class Setting:
    """What tables share: the game, the number of players, the options, and the numbering of actions."""

    def __init__(
        self,
        game: str,
        players: int,
        options: Mapping[str, Any] | None = None,
        keeps_log: bool = False,
        knowledge: bool = True,
    ):
        self.encoding = encoding_of(game)
        self.game = self.encoding.game
        self.game.check_players(players)
        self.size = self.encoding.size if knowledge else self.encoding.open_size
        self.action_count = self.encoding.action_count
        self.players = players
        self.options = resolve(self.game.options, players, options)
        self.keeps_log, self.knowledge = keeps_log, knowledge
        self.is_quiet = not keeps_log and not (knowledge and self.encoding.has_knowledge)
        self.to_rules, self.from_rules = self.encoding.turned(players)
        self.own_numbers: list[list[int]] = self.from_rules.tolist()
        self.rules_numbers: list[list[int]] = self.to_rules.tolist()
        self.option_numbers = self.game.option_numbers(players, self.options)
        self.arranged, self.n_arranged = arrange(self.game.decks, None, self.game.check_decks)
        self.numbers = np.zeros(self.game.action_count, dtype=np.int32)

    def __reduce__(self) -> Any:
        return Setting, (self.game.name, self.players, self.options, self.keeps_log, self.knowledge)


class Table:
    """One game, with its secrets. Agents get only `observation`, `mask` and `information_state`."""

    __slots__ = (
        "_bodies",
        "_events_field",
        "_legal",
        "_log",
        "_n_events_field",
        "_seat_field",
        "_written",
        "setting",
        "states",
        "to_act",
    )

    def __init__(self, setting: Setting):
        self.setting = setting
        self._hold(setting.game.new_states())
        self.to_act = -1
        self._legal: list[int] | None = None  # by the rules' numbers; None: not listed yet
        self._log: list[_Choice | _Rows] = []
        self._bodies: dict[int, str] = {}
        self._written: dict[int, int] = {}

    def _hold(self, states: np.ndarray[Any, Any]) -> None:
        self.states = states
        # Looked up once: reading a field through a record is slow.
        self._seat_field, self._n_events_field, self._events_field = (
            states["to_act"],
            states["n_events"],
            states["events"][0],
        )

    def begin(self, seed: Seed, arranged: _Rows | None = None, n_arranged: _Rows | None = None) -> None:
        """Deal a game, with decks from `engine.decks.arrange` if they are given."""
        self.states["quiet"] = self.setting.is_quiet
        self._log, self._bodies, self._written = [], {}, {}
        self._advance(loops.BEGIN, 0, key_from_seed(seed), arranged, n_arranged)

    def play(self, action: int) -> None:
        """Play a legal action of the seat to act, by that seat's own number."""
        setting = self.setting
        if setting.keeps_log:
            self._log.append((self.to_act, action))
        self._advance(loops.PLAY, setting.rules_numbers[self.to_act][action])

    def play_and_encode(self, action: int) -> tuple[NDArray[np.uint8], NDArray[np.int8]] | None:
        """`play`, then `encode` for the seat that is asked next, in one call; None if the action is not legal."""
        setting = self.setting
        if setting.keeps_log:
            raise ValueError("This table keeps a log, so use play() and encode().")
        observation = _empty(setting.size, _BYTE)
        mask = _empty(setting.action_count, _FLAG)
        to_act = play_and_encode(self.states, 0, action, setting.from_rules, setting.numbers, mask, observation)
        if to_act == ILLEGAL:
            return None
        self.to_act, self._legal = to_act, None
        return observation, mask

    def _advance(
        self,
        operation: int,
        number: int,
        key: NDArray[np.int64] = _NO_KEY,
        arranged: _Rows | None = None,
        n_arranged: _Rows | None = None,
    ) -> None:
        setting = self.setting
        n = loops.advance(
            self.states,
            0,
            operation,
            number,
            key,
            setting.option_numbers,
            setting.arranged if arranged is None else arranged,
            setting.n_arranged if n_arranged is None else n_arranged,
            setting.numbers,
        )
        self._read_result(n)

    def _read_result(self, n: int) -> None:
        """Read the result of compiled code from the record, and `n` legal actions in the setting's numbering."""
        self.to_act = self._seat_field.item(0)
        self._legal = self.setting.numbers[:n].tolist()
        if self.setting.keeps_log:
            n_events = self._n_events_field.item(0)
            if n_events:
                self._log.append(self._events_field[:n_events].copy())

    # -- what a seat may know

    def legal(self) -> list[int]:
        """The actions of the seat to act by its own numbers, ascending; [] at the end."""
        if self._legal is None:
            self._advance(loops.LIST, 0)
        own = self.setting.own_numbers[self.to_act]
        return sorted([own[number] for number in self._legal or ()])

    def encode(self, seat: int) -> tuple[NDArray[np.uint8], NDArray[np.int8]]:
        """The observation and the action mask of a seat, in arrays of their own."""
        setting = self.setting
        observation = _empty(setting.size, _BYTE)
        mask = _empty(setting.action_count, _FLAG)
        encode(self.states, 0, seat, setting.from_rules, setting.numbers, mask, observation)
        return observation, mask

    def action_text(self, seat: int, action: int) -> str:
        """The text of a seat's action."""
        number = self.setting.rules_numbers[seat][action]
        return self.setting.game.action_text(read(self.states), number)

    def returns(self) -> list[float]:
        """The payoff of each seat, by default from -1 (lost) to 1 (won); zeros while the game runs."""
        out = np.zeros(self.setting.players)
        if self.to_act < 0:
            payoffs(self.states, 0, out)
        return [float(number) for number in out]

    def information_state(self, seat: int) -> str:
        """Everything a seat has seen and done, as text (perfect recall); equal in worlds that it cannot tell apart."""
        if not self.setting.keeps_log:
            raise ValueError("This table keeps no log, so there is no information state.")
        now: Json = {"to_act": self.to_act, "step": self.setting.game.steps[int(self.states[0]["step"])]}
        if seat == self.to_act:
            now["legal"] = self.legal()
        return f"{self._heading(seat)}\n{self._body(seat)}{_line(now)}"

    def _heading(self, seat: int) -> str:
        setting = self.setting
        return _line(
            {
                "game": setting.game.name,
                "rules": setting.game.rules,
                "players": setting.players,
                "options": setting.options,
                "seat": seat,
            }
        )

    def _body(self, viewer: int) -> str:
        """The viewer's log, a line for each event and each choice of its own; old lines are kept as text."""
        written = self._written.get(viewer, 0)
        body = self._bodies.get(viewer, "")
        if written < len(self._log):
            kinds = self.setting.game.event_kinds
            lines = [body]
            for entry in self._log[written:]:
                if isinstance(entry, np.ndarray):
                    lines += [_line(tell(kinds, row, viewer)) + "\n" for row in entry.tolist()]
                elif entry[0] == viewer:
                    lines.append(f"> {entry[1]}\n")
            self._bodies[viewer] = body = "".join(lines)
            self._written[viewer] = len(self._log)
        return body

    def private_information_state(self, seat: int) -> str:
        """The lines of the information state that a spectator's does not have: choices, and what the seat saw alone.

        Each begins with its number among the lines of the seat's log.
        """
        public = iter(self._body(SPECTATOR).splitlines())
        lines = enumerate(self._body(seat).splitlines())
        return "\n".join(f"{number} {line}" for number, line in lines if line.startswith("> ") or line != next(public))

    def hash(self) -> str:
        """A hash of the whole record, including secrets and random state, without the events of the last action."""
        states, setting = self.states.copy(), self.setting
        decks = setting.arranged, setting.n_arranged
        loops.advance(states, 0, loops.SETTLE, 0, _NO_KEY, setting.option_numbers, *decks, setting.numbers)
        record = states[0]
        names = [name for name in record.dtype.names if name not in ("events", "n_events")]
        return hashlib.sha256(b"".join(record[name].tobytes() for name in names)).hexdigest()[:32]

    # -- other tables

    def clone(self) -> "Table":
        """An independent copy: the same actions give the same game."""
        copy = self._copy()
        copy._log, copy._bodies, copy._written = list(self._log), dict(self._bodies), dict(self._written)
        return copy

    def resample(self, seat: int, seed: Seed) -> "Table":
        """A table that the seat cannot tell from this one; the other seats' logs there hold only what everybody saw."""
        copy = self._copy()
        if self.setting.keeps_log:
            copy._bodies = {
                other: self._body(other if other == seat else SPECTATOR)
                for other in range(SPECTATOR, self.setting.players)
            }
        copy._read_result(loops.draw_world(copy.states, 0, seat, key_from_seed(seed), self.setting.numbers))
        return copy

    def _copy(self) -> "Table":
        copy = Table.__new__(Table)
        copy.setting = self.setting
        copy._hold(self.states.copy())
        copy.to_act, copy._legal = self.to_act, self._legal
        copy._log, copy._bodies, copy._written = [], {}, {}
        return copy

    def __deepcopy__(self, memo: Any) -> "Table":
        return self.clone()

    def __getstate__(self) -> Any:
        kept = (self.setting, self.states.tobytes(), self.to_act, self._legal)
        return *kept, self._log, self._bodies, self._written

    def __setstate__(self, kept: Any) -> None:
        self.setting, states, self.to_act, self._legal, self._log, self._bodies, self._written = kept
        self._hold(self.setting.game.new_states())
        self.states[:] = np.frombuffer(states, dtype=self.setting.game.record)


def _line(value: Json) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)
