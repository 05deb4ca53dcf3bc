"""The file of a tournament: a line for the plan, one for each deal that is begun, and one for each that has ended.

A deal is written when all its tables have ended, so no result of an unfinished deal is ever in it. A deal that was
begun and not finished is not played again, because entrants may have seen its cards: another deal takes its place.
"""

import fcntl
import json
import os
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import IO, Any

from tavolino.lab.tournament.plan import Plan
from tavolino.lab.tournament.tables import Seated, Table

FORMAT = "tavolino tournament 1"
WORDS = {"seconds": "seconds for a decision", "against": "fixed bots", "players": "numbers of players"}
GROWS = ("deals", "meetings")  # a later run may play more of them


class BadJournal(Exception):
    """The file cannot be continued, with a sentence."""


class Journal:
    """Open for one run; `ended` holds the finished deals by key, `begun` how often each was begun.

    Without a path nothing is written.
    """

    def __init__(self, path: Path | None, plan: Plan, rules: str):
        self.ended = dict[str, list[Table]]()
        self.begun = dict[str, int]()
        self._file: IO[bytes] | None = None
        if path is not None:
            self._file = self._open(path)
            self._continue(path, plan, rules)

    def _continue(self, path: Path, plan: Plan, rules: str) -> None:
        wanted = {"format": FORMAT, "rules": rules, **asdict(plan)}
        try:
            head = self._read(path)
        except BadJournal:
            self.close()
            raise
        if head is None:
            self._write(wanted)
        elif (other := _difference(head, json.loads(json.dumps(wanted)))) is not None:
            self.close()
            raise BadJournal(
                f"The tournament in {path} has other {WORDS.get(other, other)}: {json.dumps(head.get(other))}. "
                "Give the same to go on with it, or another file."
            )

    @staticmethod
    def _open(path: Path) -> IO[bytes]:
        try:
            file = path.open("ab+")
        except OSError as problem:
            raise BadJournal(f"{path} cannot be opened: {problem.strerror}.") from None
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.close()
            raise BadJournal(f"Another tournament is writing to {path}. Wait for it, or give another file.") from None
        return file

    def _read(self, path: Path) -> dict[str, Any] | None:
        """The plan that the file began with. What a crash has left of a last line is removed."""
        assert self._file is not None
        self._file.seek(0)
        content = self._file.read()
        whole = content[: content.rfind(b"\n") + 1]
        head: dict[str, Any] | None = None
        for number, line in enumerate(whole.splitlines(), 1):
            try:
                written = json.loads(line)
                if number == 1:
                    head = _check_head(written)
                elif "begun" in written:
                    self.begun[written["begun"]] = self.begun.get(written["begun"], 0) + 1
                else:
                    self.ended[written["deal"]] = [_table(table) for table in written["tables"]]
            except (ValueError, KeyError, TypeError, AttributeError):
                raise BadJournal(
                    f"Line {number} of {path} is not of a tournament. Restore the file, or give another one."
                ) from None
        if head is None and content.strip():
            raise BadJournal(f"{path} is not the file of a tournament. Give another file.")
        if len(whole) < len(content):
            self._file.truncate(len(whole))
        return head

    def begin(self, key: str) -> int:
        """Note that a deal is dealt now; returns how often it was begun before."""
        attempt = self.begun.get(key, 0)
        self._write({"begun": key})
        self.begun[key] = attempt + 1
        return attempt

    def end(self, key: str, tables: list[Table]) -> None:
        self._write({"deal": key, "tables": [asdict(table) for table in tables]})
        self.ended[key] = tables

    def _write(self, line: Mapping[str, Any]) -> None:
        if self._file is None:
            return
        self._file.write(json.dumps(line, separators=(",", ":")).encode() + b"\n")
        self._file.flush()
        os.fsync(self._file.fileno())  # a deal that is noted too late could be dealt twice

    def close(self) -> None:
        if self._file is not None:
            self._file.close()


def seed_in(path: Path) -> str | None:
    """The seed of the tournament in a file; None if there is no tournament in it."""
    try:
        head = json.loads(path.read_text("utf-8").partition("\n")[0])
    except FileNotFoundError:
        return None
    except OSError as problem:
        raise BadJournal(f"{path} cannot be opened: {problem.strerror}.") from None
    except ValueError:
        return None
    seed = head.get("seed") if isinstance(head, dict) else None
    return seed if isinstance(seed, str) else None


def _check_head(written: Any) -> dict[str, Any]:
    if written["format"] != FORMAT:
        raise ValueError
    head: dict[str, Any] = written
    return head


def _table(written: Any) -> Table:
    return Table([Seated(**seated) for seated in written["seated"]], written["record"])


def _difference(head: dict[str, Any], wanted: dict[str, Any]) -> str | None:
    """The first part of the plan that is not the same."""
    return next((name for name in wanted if name not in GROWS and head.get(name) != wanted[name]), None)
