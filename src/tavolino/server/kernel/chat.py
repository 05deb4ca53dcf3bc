"""What people say at a table: reactions, short texts, and remarks.

In games without free chat (`meta.talk`: "remarks") players cannot write while a game runs; they make remarks, true
sentences that the game builds from open information. What spectators say while a game runs reaches spectators only, and
what people say who were kicked never reaches a seat.
"""

from __future__ import annotations

from typing import NamedTuple

from tavolino.engine.game import Game
from tavolino.engine.match import Match
from tavolino.server import protocol as p
from tavolino.server.errors import Refused
from tavolino.server.kernel import messages
from tavolino.server.kernel.mutes import WATCHING
from tavolino.server.kernel.preconditions import dealt, seated
from tavolino.server.kernel.state import TableState
from tavolino.server.people.text_policy import clean_text

KEPT = 60
ChatCommand = p.Say | p.React | p.MakeRemark


class Utterance(NamedTuple):
    said: p.Said
    for_seats: bool  # False: for spectators only

    def reaches(self, seat: int | None, muted: frozenset[int]) -> bool:
        speaker = WATCHING if self.said.seat is None else self.said.seat
        return (self.for_seats or seat is None) and speaker not in muted


class Chat:
    """The last things said at a table. They are kept in memory only."""

    __slots__ = ("_said",)

    def __init__(self) -> None:
        self._said: list[Utterance] = []

    def add(self, utterance: Utterance) -> None:
        self._said.append(utterance)
        del self._said[:-KEPT]

    def __len__(self) -> int:
        return len(self._said)

    def all(self) -> list[tuple[p.Said, bool]]:
        """For another node."""
        return [(each.said, each.for_seats) for each in self._said]

    def heard_by(self, seat: int | None, muted: frozenset[int]) -> list[p.Said]:
        return [each.said for each in self._said if each.reaches(seat, muted)]


def utterance(
    state: TableState, match: Match | None, game: Game, person: str, name: str, command: ChatCommand
) -> Utterance:
    """The utterance that a chat command leads to, or a refusal."""
    speaker = state.seat_of(person)
    said = p.Said(speaker, name)
    match command:
        case p.Say(text=text):
            if speaker is not None and _is_running(state) and game.meta.talk == "remarks":
                raise Refused("no-free-talk", rule=game.meta.talk_rule)
            said.text = clean_text(text)
        case p.React(reaction=reaction):
            said.reaction = reaction
        case p.MakeRemark(key=key):
            seated(state, person)
            said.remark = _remark(dealt(match), key)
    is_heard = not _is_running(state) and person not in state.kicked
    return Utterance(said, for_seats=speaker is not None or is_heard)


def _is_running(state: TableState) -> bool:
    return state.phase in ("sealing", "playing")


def _remark(match: Match, key: str) -> p.Remark:
    """One remark, true at this moment."""
    possible = match.game.remarks(messages.open_view(match))
    if key not in possible:
        raise Refused("no-such-remark")
    return p.Remark(f"{match.game.name}.remark.{key}", dict(possible[key]))
