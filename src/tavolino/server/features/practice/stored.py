"""What people practise: which puzzles they have solved, and their own mistakes, which come back after days.

All of it is kept on the person (`Storage.items`) and deleted with the person, or alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import Struct

from tavolino.coach.labels import FIRST_VERSION, JUDGE_VERSION
from tavolino.server.clock import Clock
from tavolino.server.errors import Refused
from tavolino.server.storage import Storage

DAY = 86_400
INTERVALS = (1 * DAY, 3 * DAY, 7 * DAY, 21 * DAY)  # a position solved after the last one does not come back
MOST_OF_A_GAME = 3
MOST = 100  # positions of one person
CLEAR = ("mistake", "blunder")
PUZZLE, MISTAKE, REVIEWED = "puzzle/", "mistake/", "reviewed/"  # no name under them begins with a whole other one


class StoredMistake(Struct):
    """A decision that cost clearly: the game up to it, and what the review said of it."""

    game: str
    record: dict[str, Any]  # ends where the decision was
    seat: int
    turn: int
    best: str
    chosen: str
    cost: float
    actions: list[dict[str, Any]]
    reasons: list[dict[str, Any]]
    due: int
    solved: int = 0  # times in a row
    judge: int = FIRST_VERSION  # the version of the judge that called it a mistake


class _Tried(Struct):
    solved: bool


class _Reviewed(Struct):
    given_away: float
    decisions: int


_encode = msgspec.json.Encoder().encode


class Practice:
    def __init__(self, storage: Storage, clock: Clock) -> None:
        self._storage, self._clock = storage, clock

    # -- puzzles

    async def solved(self, person: str, game: str) -> dict[str, bool]:
        """The puzzles of a game that a person has tried, and whether they were ever solved."""
        prefix = f"{PUZZLE}{game}/"
        found = await self._storage.items(person, prefix)
        return {
            name.removeprefix(prefix): msgspec.json.decode(content, type=_Tried).solved
            for name, content in found.items()
        }

    async def note_puzzle(self, person: str, game: str, puzzle: str, solved: bool) -> None:
        before = await self.solved(person, game)
        if not before.get(puzzle):
            await self._storage.keep_item(person, f"{PUZZLE}{game}/{puzzle}", _encode(_Tried(solved)))

    # -- mistakes

    async def mistakes(self, person: str) -> dict[str, StoredMistake]:
        """By id, the one that is due first at the top. What only an older judge called a mistake is dropped."""
        found = await self._storage.items(person, MISTAKE)
        read = {name: msgspec.json.decode(content, type=StoredMistake) for name, content in found.items()}
        for name in [name for name, each in read.items() if each.judge != JUDGE_VERSION]:
            await self._storage.remove_items(person, name)
            del read[name]
        ordered = sorted(read.items(), key=lambda item: item[1].due)
        return {name.removeprefix(MISTAKE): each for name, each in ordered}

    async def mistake(self, person: str, name: str) -> StoredMistake:
        found = (await self.mistakes(person)).get(name)
        if found is None:
            raise Refused("no-such-puzzle")
        return found

    async def note_review(self, person: str, table: str, record: Mapping[str, Any], review: Mapping[str, Any]) -> None:
        """Keep the costliest decisions of a review. A review that is read again brings none back that was solved, and
        one by an older judge brings none."""
        if review.get("version", FIRST_VERSION) != JUDGE_VERSION or await self._storage.items(
            person, mark := REVIEWED + table
        ):
            return
        said = _Reviewed(review["given_away"], len(review["decisions"]))
        await self._storage.keep_item(person, mark, _encode(said))
        costly = [each for each in review["decisions"] if each["label"] in CLEAR]
        costly.sort(key=lambda each: -each["cost"])
        room = MOST - len(await self.mistakes(person))
        for decision in costly[: min(MOST_OF_A_GAME, max(0, room))]:
            turn = decision["turn"]
            kept = StoredMistake(
                game=record["game"],
                record=_up_to(record, turn - 1),
                seat=review["seat"],
                turn=turn,
                best=decision["best"],
                chosen=decision["chosen"],
                cost=decision["cost"],
                actions=decision["actions"],
                reasons=decision["reasons"],
                due=self._now + INTERVALS[0],
                judge=JUDGE_VERSION,
            )
            await self._storage.keep_item(person, f"{MISTAKE}{table}-{turn:04}", _encode(kept))

    async def reviewed(self, person: str) -> dict[str, tuple[float, int]]:
        """By table: what the decisions of a person gave away, and how many there were."""
        found = await self._storage.items(person, REVIEWED)
        read = {
            name.removeprefix(REVIEWED): msgspec.json.decode(content, type=_Reviewed) for name, content in found.items()
        }
        return {table: (each.given_away, each.decisions) for table, each in read.items()}

    async def note_try(self, person: str, name: str, found: StoredMistake, solved: bool) -> int | None:
        """Says when it comes back; None: never again."""
        found.solved = found.solved + 1 if solved else 0
        if found.solved == len(INTERVALS):
            await self._storage.remove_items(person, MISTAKE + name)
            return None
        found.due = self._now + INTERVALS[found.solved]
        await self._storage.keep_item(person, MISTAKE + name, _encode(found))
        return found.due

    async def drop(self, person: str, name: str) -> None:
        await self.mistake(person, name)
        await self._storage.remove_items(person, MISTAKE + name)

    async def forget(self, person: str) -> None:
        """Progress and mistakes of a person who stays."""
        for prefix in (PUZZLE, MISTAKE):
            await self._storage.remove_items(person, prefix)

    def is_due(self, found: StoredMistake) -> bool:
        return found.due <= self._now

    @property
    def _now(self) -> int:
        """By the wall clock: where it is wrong, a position comes back too early or too late, and that is all."""
        return int(self._clock.wall())


def _up_to(record: Mapping[str, Any], turns: int) -> dict[str, Any]:
    """The start and the first actions of a record, in a format that needs no hash over what is left out."""
    start = {key: record[key] for key in ("game", "rules", "players", "options", "seed", "decks")}
    return {"format": 1, **start, "actions": list(record["actions"][:turns])}
